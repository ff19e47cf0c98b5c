package main

import (
	"strings"
	"testing"
)

// TestCheckOfOneBadToy: a check that cannot look at one of its toys has not passed, though it says
// what it has found of the others.
func TestCheckOfOneBadToy(t *testing.T) {
	code, stdout, stderr := command(t, strings.Fields("ais --chains 512 -T 3 --check --schedule acceptance --toy cells:0:1/0:2,cells:0")...)
	if code != 2 || !strings.Contains(stdout, "cells:0:1/0:2") || !strings.Contains(stderr, "toy cells:0: schedule acceptance") ||
		!strings.Contains(stderr, "not all could be checked") {
		t.Errorf("exit code %d, %s, %s", code, stdout, stderr)
	}
}
