//go:build !unix && !windows

package selector

// Descriptor is an open file.
type Descriptor interface{ Fd() uintptr }

// TryLock reports that it has locked a file: in a browser there is no other process.
func TryLock(Descriptor) (bool, error) { return true, nil }

// TryShare does the same for a shared lock.
func TryShare(Descriptor) (bool, error) { return true, nil }

// OwnFlags are none here.
const OwnFlags = 0
