package sweep

import (
	"errors"

	"golang.org/x/sys/windows"
)

// lockOffset is the upper half of an offset beyond what any file holds, so that it can be read while it is held.
const lockOffset = 1 << 30

// tryLock locks a file against all other processes, and reports whether it could.
func tryLock(f descriptor) (bool, error) { return lockFile(f, windows.LOCKFILE_EXCLUSIVE_LOCK) }

// tryShare locks a file against those that lock it alone, and reports whether it could.
func tryShare(f descriptor) (bool, error) { return lockFile(f, 0) }

func lockFile(f descriptor, how uint32) (bool, error) {
	at := windows.Overlapped{OffsetHigh: lockOffset}
	err := windows.LockFileEx(windows.Handle(f.Fd()), how|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &at)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return false, nil
	}
	return err == nil, err
}

// ownFlags are none on Windows, which has no such flags.
const ownFlags = 0
