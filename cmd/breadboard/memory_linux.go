package main

import (
	"syscall"
	"unsafe"
)

// The runtime ends a program that gets no memory at once, with all goroutines on standard error and
// the exit code of bad input. No handler is asked, since it might need memory itself, and where
// little is allowed, as by ulimit -v 600000, not even main is reached. What the runtime writes goes
// through this function, so that it is here that the program ends in its own way, and if it gets no
// thread or no descriptor too. The linker sets it, before anything runs. Files are whole or not
// there, as if the program is killed.
//
//go:linkname overrideWrite runtime.overrideWrite
var overrideWrite func(fd uintptr, p unsafe.Pointer, n int32) int32 = writeForRuntime

// noMemory is what the program says instead of the goroutines.
const noMemory = "breadboard: there is not enough memory; ask for less at once, such as a smaller space, " +
	"fewer chains or --workers 1, or allow more (ulimit -v prints what is allowed, in KiB; below 2000000 " +
	"the program may not start, since it reserves addresses that it never uses, more of them if more are allowed)\n"

// noFiles is the same for descriptors.
const noFiles = "breadboard: too few files may be open at once; allow more (ulimit -n prints how many are " +
	"allowed; 64 are enough)\n"

// noThreads is the same for threads, whose limit may be on processes or on memory.
const noThreads = "breadboard: the system starts no more threads; allow more processes (ulimit -u prints " +
	"how many are allowed to you), or more memory (ulimit -v, in KiB; below 2000000 the program may not start)\n"

// What the runtime writes before it ends the program, in several parts: fatalWord and then the
// reason.
const (
	fatalWord    = "fatal error: "
	noBlock      = "runtime: out of memory"
	memoryReason = "memory"
	noThread     = "runtime: failed to create new OS thread"
)

// What it writes first where it gets no descriptor to wait for others by.
const (
	noEpoll   = "runtime: epollcreate failed"
	noEventfd = "runtime: eventfd failed"
)

// Where C makes the threads, it says itself that it gets none, and aborts. The runtime then writes
// abortWord and, as the code of the signal, abortCode in parts of their own, as for no abort that
// comes from elsewhere; behind them stacks that begin with stackWord.
const (
	abortWord = "SIGABRT: abort"
	abortCode = "18446744073709551610" // -6, SI_TKILL
	stackWord = "goroutine "
)

// aborting says that abortWord is held back until it is known where the abort comes from.
var aborting bool

// fatal says that fatalWord is held back until the reason is known.
var fatal bool

// writeForRuntime writes what the runtime has to say, unless it is that there is no memory. It may
// not take memory, nor a larger stack.
//
//go:nosplit
//go:norace
func writeForRuntime(fd uintptr, p unsafe.Pointer, n int32) int32 {
	text := unsafe.String((*byte)(p), n)
	switch {
	case begins(text, noThread) || aborting && text == abortCode:
		put(fd, noThreads)
		syscall.RawSyscall(syscall.SYS_EXIT_GROUP, exitIO, 0, 0)
	case begins(text, noBlock) || fatal && names(text, memoryReason):
		put(fd, noMemory)
		syscall.RawSyscall(syscall.SYS_EXIT_GROUP, exitIO, 0, 0)
	case begins(text, noEpoll) || begins(text, noEventfd):
		put(fd, noFiles)
		syscall.RawSyscall(syscall.SYS_EXIT_GROUP, exitIO, 0, 0)
	case text == abortWord:
		aborting = true
		return n
	case aborting && !begins(text, stackWord):
		return n
	case aborting:
		aborting = false
		put(fd, abortWord)
		put(fd, "\n")
	case text == fatalWord:
		fatal = true
		return n
	case fatal:
		fatal = false
		put(fd, fatalWord)
	}
	return put(fd, text)
}

// put writes a text.
//
//go:nosplit
//go:norace
func put(fd uintptr, text string) int32 {
	n, _, bad := syscall.RawSyscall(
		syscall.SYS_WRITE,
		fd,
		uintptr(unsafe.Pointer(unsafe.StringData(text))),
		uintptr(len(text)),
	)
	if bad != 0 {
		return -int32(bad)
	}
	return int32(n)
}

// begins is strings.HasPrefix, and names is strings.Contains, which may need a larger stack.
//
//go:nosplit
//go:norace
func begins(text, with string) bool { return len(text) >= len(with) && text[:len(with)] == with }

//go:nosplit
//go:norace
func names(text, word string) bool {
	for at := range len(text) {
		if begins(text[at:], word) {
			return true
		}
	}
	return false
}
