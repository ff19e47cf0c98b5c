//go:build !linux

package programs

// playFamily is for Linux only, if a program is ended with all of its descendants.
func playFamily(role, kind, dir string) bool { return false }
