package work

import "syscall"

// adviseLarge asks for large pages. It is advice, whose refusal changes nothing but time.
func adviseLarge(b []byte) { _ = syscall.Madvise(b, syscall.MADV_HUGEPAGE) }
