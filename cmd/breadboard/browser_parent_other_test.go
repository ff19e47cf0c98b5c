//go:build !linux

package main

import "os/exec"

// endWithTests has a process end when the tests are killed, which only Linux does.
func endWithTests(*exec.Cmd) {}
