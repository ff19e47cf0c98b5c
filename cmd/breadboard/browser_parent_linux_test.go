package main

import (
	"os/exec"
	"syscall"
)

// endWithTests has a process end when the tests are killed, which then end nothing themselves.
func endWithTests(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM} }
