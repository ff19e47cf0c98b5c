//go:build unix

package sweep

import "syscall"

// noFollow has the system refuse to open a link.
const noFollow = syscall.O_NOFOLLOW
