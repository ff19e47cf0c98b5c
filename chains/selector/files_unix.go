//go:build unix

package selector

import (
	"syscall"
)

// withoutWaiting has the system open a pipe at once, though nobody writes to it, and a terminal without making it ours.
const withoutWaiting = syscall.O_NONBLOCK | syscall.O_NOCTTY
