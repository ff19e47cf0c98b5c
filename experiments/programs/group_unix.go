//go:build unix && !linux

package programs

import (
	"os/exec"
	"syscall"
)

// ownGroup gives the command a process group of its own.
func ownGroup(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup kills the command and everything in its group. It may have ended before.
func killGroup(c *exec.Cmd) { _ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
