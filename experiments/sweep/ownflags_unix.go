//go:build unix

package sweep

import "syscall"

// ownFlags have the system refuse to open a link, and not wait for the reader of a pipe.
const ownFlags = syscall.O_NOFOLLOW | syscall.O_NONBLOCK
