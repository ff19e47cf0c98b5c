package work

import "unsafe"

// leastBytes is from how many bytes on a slice stands in large pages, as in NumPy.
const leastBytes = 1 << 22

// Slice returns a slice of that many zeros. If it has megabytes, the system is asked for large
// pages: where it hands out pages of 4 KiB, each costs more at first touch than filling it, and
// reads by chance miss the processor's table of pages. NumPy asks for large pages too.
func Slice[E any](n int) []E {
	s := make([]E, n)
	if bytes := uintptr(n) * unsafe.Sizeof(*new(E)); bytes >= leastBytes {
		adviseLarge(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), bytes))
	}
	return s
}

// Clone returns a copy, like Slice.
func Clone[E any](s []E) []E {
	c := Slice[E](len(s))
	copy(c, s)
	return c
}
