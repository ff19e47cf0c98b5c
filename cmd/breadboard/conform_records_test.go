package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// smcExample is the example in plain Python.
func smcExample(t *testing.T) string {
	t.Helper()
	text := longtest.Must(os.ReadFile("../../experiments/checks/conform/examples/smc.py"))(t)
	return string(text)
}

// mySMC returns the program that documents call my_smc.py: the example with a bug, by which the
// last slot repeats the first.
func mySMC(t *testing.T) string {
	t.Helper()
	const right, wrong = "task.resample)(slot)\n", "task.resample)(slot)\n            parents[-1] = parents[0]\n"
	text := smcExample(t)
	if !strings.Contains(text, right) {
		t.Fatalf("the example has changed: there is no line %q", right)
	}
	return strings.Replace(text, right, wrong, 1)
}

// TestConformParticlesPiped: a program in Python is read until its bug is certain and named, and
// ends without a complaint when its reader stops.
func TestConformParticlesPiped(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	python := pythonFor("")
	if python == "" {
		t.Skip("no Python")
	}
	dir := filepath.Join(t.TempDir(), "crowd")
	ok(t, "conform", "particles", "spec", "--toy", "random:2:0:2", "--out", dir)
	program := child(t, "conform", "particles", "check", dir, "--stdin", "runs")
	sent := exec.Command(python, in(t, "my_smc.py", mySMC(t)), "--task", dir, "--runs", "100000000")
	read := longtest.Must(sent.StdoutPipe())(t)
	var said, complained strings.Builder
	program.Stdin, program.Stderr, sent.Stderr = read, &said, &complained
	longtest.NoError(t, sent.Start())
	_ = program.Run()
	read.Close()
	if err := sent.Wait(); err != nil || complained.String() != "" {
		t.Errorf("the program ends with %v: %s", err, complained.String())
	}
	if code := program.ProcessState.ExitCode(); code != exitFault || !strings.Contains(said.String(), `"the last slot repeats the first" explains what was sent`) {
		t.Errorf("exit code %d: %s", code, said.String())
	}
}

// myTempering returns the program that documents call my_tempering.py: the example with a bug, by
// which swaps go by the states before exploring.
func myTempering(t *testing.T) string {
	t.Helper()
	text := string(longtest.Must(os.ReadFile("../../experiments/checks/conform/examples/tempering.py"))(t))
	for right, wrong := range map[string]string{
		"        pt.explore(x)\n":                    "        energies = x.copy()\n        pt.explore(x)\n",
		"a = pt.acceptance(i, x[:, i], x[:, i + 1])": "a = pt.acceptance(i, energies[:, i], energies[:, i + 1])",
		"            for content in x, down:\n":      "            for content in x, down, energies:\n",
	} {
		if !strings.Contains(text, right) {
			t.Fatalf("the example has changed: there is no line %q", right)
		}
		text = strings.Replace(text, right, wrong, 1)
	}
	return text
}
