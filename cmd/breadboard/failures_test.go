package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// TestCheckOfOneBadToy: a check that cannot look at one of its toys has not passed, though it says
// what it has found of the others.
func TestCheckOfOneBadToy(t *testing.T) {
	code, stdout, stderr := command(t,
		strings.Fields("ais --chains 512 -T 3 --check --schedule acceptance --toy cells:0:1/0:2,cells:0")...)
	if code != 2 || !strings.Contains(stdout, "cells:0:1/0:2") ||
		!strings.Contains(stderr, "breadboard: toy cells:0: schedule acceptance") {
		t.Errorf("exit code %d, %s, %s", code, stdout, stderr)
	}
}

// TestOneWrongKernel: a kernel that is wrong for a target takes no rows of others, and is the fault
// of the run.
func TestOneWrongKernel(t *testing.T) {
	path := filepath.Join(t.TempDir(), "k.csv")
	longtest.NoError(t, os.WriteFile(path, []byte("0.5,0.5\n0.25,0.75\n"), 0o600))
	code, stdout, stderr := command(t, strings.Fields(
		"samplers times --toy cells:0:0 --format csv --columns burn_in_tv,mixing_mi --kernel heatbath,matrix:"+
			path,
	)...)
	if code != 1 || stdout != "burn_in_tv,mixing_mi\n0,1\n,\n" ||
		!strings.Contains(stderr, "does not leave the distribution invariant") {
		t.Errorf("exit code %d, %s, %s", code, stdout, stderr)
	}
}
