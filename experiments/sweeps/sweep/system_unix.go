//go:build unix

package sweep

import (
	"errors"
	"syscall"
	"time"
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

// processorTime returns how long the processors have worked for this process.
func processorTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic(err) // the arguments are right
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// ownFlags have the system refuse to open a link, and not wait for the reader of a pipe.
const ownFlags = syscall.O_NOFOLLOW | syscall.O_NONBLOCK
