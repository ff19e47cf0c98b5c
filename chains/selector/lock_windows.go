package selector

import (
	"errors"

	"golang.org/x/sys/windows"
)

// lockOffset is the upper half of an offset beyond the end of any file, so that the file can be
// read while the lock is held.
const lockOffset = 1 << 30

// Descriptor is an open file.
type Descriptor interface{ Fd() uintptr }

// TryLock locks a file against all other processes, and reports whether it could.
func TryLock(f Descriptor) (bool, error) { return lockFile(f, windows.LOCKFILE_EXCLUSIVE_LOCK) }

// TryShare takes a shared lock on a file, and reports whether it could.
func TryShare(f Descriptor) (bool, error) { return lockFile(f, 0) }

func lockFile(f Descriptor, how uint32) (bool, error) {
	at := windows.Overlapped{OffsetHigh: lockOffset}
	err := windows.LockFileEx(windows.Handle(f.Fd()), how|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &at)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return false, nil
	}
	return err == nil, err
}

// OwnFlags is 0: Windows has no such flags.
const OwnFlags = 0
