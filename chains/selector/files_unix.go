//go:build unix

package selector

import (
	"syscall"
)

// withoutWaiting are flags with which the system opens a pipe at once even if it has no writer, and
// opens a terminal without making it the controlling terminal of this process.
const withoutWaiting = syscall.O_NONBLOCK | syscall.O_NOCTTY
