//go:build unix

package sweep

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"breadboard/grid/longtest"
)

// haveEnded fails if a process lives whose number is the name of one of the files.
func haveEnded(t *testing.T, files []string) {
	t.Helper()
	for _, file := range files {
		pid := longtest.Must(strconv.Atoi(filepath.Base(file)))(t)
		// a program that is just being started is ended by the process that starts it, which is not
		// waited for
		end := time.Now().Add(longtest.Patience)
		for syscall.Kill(pid, 0) == nil && time.Now().Before(end) {
			time.Sleep(time.Millisecond)
		}
		if syscall.Kill(pid, 0) == nil {
			t.Errorf("the program %d lives on", pid)
		}
	}
}

// TestProgramsEndWithTheSweep: if the context ends, cells whose programs do not answer, or have not
// even begun to, are given up, no program lives on, and the next run begins anew with these cells.
func TestProgramsEndWithTheSweep(t *testing.T) {
	longtest.Only(t)
	needs(t, "sh")
	for what, hello := range map[string]string{
		"answers no request": "echo '{\"kernel\":\"x\",\"mode\":\"choose\"}'", "says nothing": ":"} {
		t.Run(what, func(t *testing.T) { programsEnd(t, hello) })
	}
}

func programsEnd(t *testing.T, hello string) {
	write := scripts(t)
	numbers := t.TempDir()
	path := write("hangs", fmt.Sprintf(": > %s/$$\n%s\nwhile :; do sleep 600; done\n", numbers, hello))
	s := mustSweep(t, fmt.Sprintf("program-hash=%q\n[grid]\ntoy='random:1:0:2x2'\nT=[2,3,4]\nkernel='exec:sh %s'",
		path, path))
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var running []string
	go func() {
		defer cancel()
		for end := time.Now().Add(longtest.Patience); len(running) < 2 &&
			time.Now().Before(end); time.Sleep(time.Millisecond) {
			running, _ = filepath.Glob(filepath.Join(numbers, "*"))
		}
	}()
	m := newMemory(1)
	account, err := Run(ctx, s, "dir", Options{files: m, Workers: 2, group: -1})
	if !errors.Is(err, context.Canceled) || account.Solved != 0 || account.GivenUp != 2 || len(running) != 2 {
		t.Errorf("%+v, %v, with the programs %v", account, err, running)
	}
	haveEnded(t, running)
	if merged, err := mergeOf(m); err != nil || merged.Missing != 3 {
		t.Errorf("%+v, %v", merged, err)
	}
}
