//go:build unix

package selector

import (
	"errors"
	"syscall"
)

// Descriptor is an open file.
type Descriptor interface{ Fd() uintptr }

// TryLock locks a file against all other processes, and reports whether it could.
func TryLock(f Descriptor) (bool, error) { return flock(f, syscall.LOCK_EX) }

// TryShare takes a shared lock on a file, and reports whether it could.
func TryShare(f Descriptor) (bool, error) { return flock(f, syscall.LOCK_SH) }

func flock(f Descriptor, how int) (bool, error) {
	err := syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}

// OwnFlags, for files of the program itself, make opening fail for a symbolic link, and not wait
// for the reader of a pipe.
const OwnFlags = syscall.O_NOFOLLOW | syscall.O_NONBLOCK
