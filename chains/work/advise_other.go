//go:build !linux

package work

func adviseLarge([]byte) {}
