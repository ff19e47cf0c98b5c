//go:build !unix && !windows

package selector

// Descriptor is an open file.
type Descriptor interface{ Fd() uintptr }

// TryLock returns true: in a browser there is no other process.
func TryLock(Descriptor) (bool, error) { return true, nil }

// TryShare returns true.
func TryShare(Descriptor) (bool, error) { return true, nil }

// OwnFlags is 0 in a browser.
const OwnFlags = 0
