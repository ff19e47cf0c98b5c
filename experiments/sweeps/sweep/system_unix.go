//go:build unix

package sweep

import (
	"errors"
	"syscall"
)

// tryLock locks a file against all other processes, and reports whether it could.
func tryLock(f descriptor) (bool, error) { return flock(f, syscall.LOCK_EX) }

// tryShare locks a file against those that lock it alone, and reports whether it could.
func tryShare(f descriptor) (bool, error) { return flock(f, syscall.LOCK_SH) }

func flock(f descriptor, how int) (bool, error) {
	err := syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}

// ownFlags have the system refuse to open a link, and not wait for the reader of a pipe.
const ownFlags = syscall.O_NOFOLLOW | syscall.O_NONBLOCK
