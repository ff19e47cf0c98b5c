//go:build !unix

package programs

import "os/exec"

// ownGroup does nothing, because these systems have no process groups.
func ownGroup(*exec.Cmd) {}

// killGroup kills the command. It may have ended before.
func killGroup(c *exec.Cmd) { _ = c.Process.Kill() }
