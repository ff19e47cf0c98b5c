package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"breadboard/grid/longtest"
)

// TestInterruptedProgram: Ctrl-C and kill -9 end a program's child too that has a session of its
// own and minds no signal.
func TestInterruptedProgram(t *testing.T) {
	longtest.Only(t)
	if _, err := exec.LookPath("setsid"); err != nil {
		t.Skip("no setsid here")
	}
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGKILL} {
		dir := t.TempDir()
		script := filepath.Join(dir, "kernel")
		number := filepath.Join(dir, "number")
		text := fmt.Sprintf(`#!/bin/sh
setsid sh -c 'trap "" TERM INT HUP; echo $$ > %[1]s.new; mv %[1]s.new %[1]s; sleep 600; sleep 600' &
echo '{"kernel":"x","mode":"choose"}'
sleep 600
`, number)
		longtest.NoError(t, os.WriteFile(script, []byte(text), 0o700))
		c := child(t, "tightness", "--toy", "easy", "-T", "10", "--kernel", "exec:"+script)
		longtest.NoError(t, c.Start())
		pid := 0
		eventually(func() bool {
			text, err := os.ReadFile(number)
			if err == nil {
				pid, _ = strconv.Atoi(strings.TrimSpace(string(text)))
			}
			return err == nil
		})
		if pid == 0 || syscall.Kill(pid, 0) != nil {
			t.Fatalf("the child %d is not there", pid)
		}
		_ = c.Process.Signal(signal)
		_ = c.Wait()
		if code := c.ProcessState.ExitCode(); signal != syscall.SIGKILL && code != exitInterrupted {
			t.Errorf("%v: exit code %d", signal, code)
		}
		if !eventually(func() bool { return syscall.Kill(pid, 0) != nil }) {
			t.Errorf("%v: the child %d is alive", signal, pid)
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

// TestCopyWhole: a page that cannot be copied leaves nothing, and takes no folder that was there.
func TestCopyWhole(t *testing.T) {
	from := t.TempDir()
	stood := t.TempDir()
	a := newApp(t.Context(), nil, io.Discard, io.Discard, &leftovers{})
	longtest.NoError(t, os.WriteFile(filepath.Join(from, "index.html"), []byte("page"), 0o666))
	for _, to := range []string{stood, filepath.Join(stood, "new", "site")} {
		longtest.NoError(t, syscall.Mkfifo(filepath.Join(from, "pipe"), 0o666)) // which is not copied
		if a.copyWhole(from, to) == nil || list(t, stood) != "" {
			t.Errorf("%s has %s", to, list(t, stood))
		}
		longtest.NoError(t, os.Remove(filepath.Join(from, "pipe")))
	}
	longtest.NoError(t, a.copyWhole(from, filepath.Join(stood, "new")))
	if names := list(t, filepath.Join(stood, "new")); names != "index.html" {
		t.Error(names)
	}
}
