//go:build !linux

package large

func adviseLarge([]byte) {}
