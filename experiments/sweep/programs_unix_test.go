//go:build unix

package sweep

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"breadboard/grid/longtest"
)

// TestProgramsEndWithTheSweep: where the context ends, cells whose programs do not answer are given up, no program lives on, and the next
// run begins anew with these cells.
func TestProgramsEndWithTheSweep(t *testing.T) {
	needs(t, "sh")
	write, numbers := scripts(t), t.TempDir()
	path := write("hangs", fmt.Sprintf("echo $$ > %[1]s/new.$$; mv %[1]s/new.$$ %[1]s/$$\necho '{\"kernel\":\"x\",\"mode\":\"choose\"}'\nwhile :; do sleep 600; done\n", numbers))
	s, dir := mustSweep(t, fmt.Sprintf("program-hash=%q\n[grid]\ntoy='random:1:0:2x2'\nT=[2,3,4]\nkernel='exec:sh %s'", path, path)), t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var running []string
	go func() {
		defer cancel()
		for end := time.Now().Add(longtest.Patience); len(running) < 2 && time.Now().Before(end); time.Sleep(time.Millisecond) {
			running, _ = filepath.Glob(filepath.Join(numbers, "[0-9]*"))
		}
	}()
	account, err := Run(ctx, s, dir, Options{Workers: 2})
	if !errors.Is(err, context.Canceled) || account.Solved != 0 || account.GivenUp != 2 || len(running) != 2 {
		t.Errorf("%+v, %v, with the programs %v", account, err, running)
	}
	for _, file := range running {
		text, err := os.ReadFile(file)
		pid, wrong := strconv.Atoi(strings.TrimSpace(string(text)))
		if err != nil || wrong != nil {
			t.Fatal(err, wrong)
		}
		if syscall.Kill(pid, 0) == nil {
			t.Errorf("the program %d lives on after its sweep", pid)
		}
	}
	if status, err := ReadStatus(dir); err != nil || status.Done != 0 {
		t.Errorf("%+v, %v", status, err)
	}
}
