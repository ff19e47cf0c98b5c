package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"breadboard/grid/longtest"
)

// skipForeignMemory skips a test if the program does not take its memory by itself.
func skipForeignMemory(t *testing.T) {
	t.Helper()
	if *another != "" {
		t.Skip("an emulator has addresses of its own")
	}
	if built, is := debug.ReadBuildInfo(); is &&
		slices.Contains(built.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		t.Skip("the race detector reserves more addresses than this")
	}
}

// TestNotEnoughMemory: a program that is allowed too little memory, to start or for what it is
// asked, says so in one line and leaves no file.
func TestNotEnoughMemory(t *testing.T) {
	longtest.Only(t)
	skipForeignMemory(t)
	for _, kilobytes := range []string{"200000", "600000", "1200000"} {
		dir := filepath.Join(t.TempDir(), "out")
		c := child(t, "ais", "--toy", "easy", "-T", "3", "--chains", "5e7", "--workers", "1", "--out", dir)
		words := append([]string{"sh", "-c", `ulimit -v "$0" && exec "$@"`, kilobytes}, c.Args...)
		sh := longtest.Must(exec.LookPath("sh"))(t)
		c.Path = sh
		c.Args = words
		var out, messages bytes.Buffer
		c.Stdout = &out
		c.Stderr = &messages
		_ = c.Run() // the exit code says how it went
		if code := c.ProcessState.ExitCode(); code != exitIO || messages.String() != noMemory ||
			out.Len() > 0 {
			t.Errorf("%s kB: exit code %d, %q, %.300q", kilobytes, code, &out, &messages)
		}
		if files, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(files) > 0 {
			t.Errorf("%s kB: left %v, %v", kilobytes, files, err)
		}
	}
}

// TestNoDescriptors: a program that may open too few files says so in one line.
func TestNoDescriptors(t *testing.T) {
	longtest.Only(t)
	if *another != "" {
		t.Skip("an emulator opens files of its own")
	}
	for files := 4; files <= 8; files++ {
		c := child(t, "tightness", "--toy", "easy", "-T", "2", "--out", t.TempDir())
		c.Path, c.Args = longtest.Must(exec.LookPath("sh"))(t),
			append([]string{"sh", "-c", `ulimit -n "$0" && exec "$@"`, strconv.Itoa(files)}, c.Args...)
		var messages bytes.Buffer
		c.Stdout = nil
		c.Stderr = &messages
		_ = c.Run() // the exit code says how it went
		if code := c.ProcessState.ExitCode(); code != exitIO && code != exitDone ||
			code == exitIO && strings.Contains(messages.String(), stackWord) {
			t.Errorf("%d files: exit code %d, %.300q", files, code, &messages)
		}
	}
}

// TestNetworkMemory: an elimination that keeps some of its tables stays within --memory. It takes
// 125 MB where what is not needed any more is left to the runtime, and 85 else.
func TestNetworkMemory(t *testing.T) {
	longtest.Only(t)
	skipForeignMemory(t)
	const megabytes = 115
	c := child(t, "network", "ising:18x18:0.3", "--memory", fmt.Sprintf("%dMB", megabytes))
	longtest.NoError(t, c.Start())
	done := make(chan error)
	most := 0
	go func() { done <- c.Wait() }()
	for {
		select {
		case err := <-done:
			longtest.NoError(t, err)
			if most > megabytes || most < megabytes/2 {
				t.Errorf("%d MB of %d", most, megabytes)
			}
			return
		default: // Maxrss of the process has that of its parent
			status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", c.Process.Pid))
			if _, rest, is := strings.Cut(string(status), "VmHWM:"); is {
				kilobytes := longtest.Must(strconv.Atoi(strings.Fields(rest)[0]))(t)
				most = max(most, kilobytes*1024/1e6)
			}
			time.Sleep(time.Millisecond) // the high water mark stays until the process ends
		}
	}
}

// TestMoreMemoryThanFree: --memory is refused if the machine has less.
func TestMoreMemoryThanFree(t *testing.T) {
	if code, _, errs := command(t, "network", "ising:3x3:0.3", "--memory", "1000TB"); code != exitBadInput ||
		!strings.Contains(errs, "GB are free here") {
		t.Errorf("exit code %d, %s", code, errs)
	}
}
