package external

import (
	"context"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestEndedProcessesAreForgotten: the run's context does not hold on to a process that has been closed, of which a program
// that is started again and again has many.
func TestEndedProcessesAreForgotten(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	const n = 3
	gone := make(chan int, n)
	for i := range n {
		p, err := startProcess(ctx, command{"mute", []string{os.Args[0], "program", "mute"}}, DefaultDeadline, maxLine, &meter{})
		if err != nil {
			t.Fatal(err)
		}
		runtime.AddCleanup(p, func(i int) { gone <- i }, i)
		p.close()
	}
	deadline := time.After(10 * time.Second)
	for left := n; left > 0; {
		runtime.GC()
		select {
		case <-gone:
			left--
		case <-deadline:
			t.Fatalf("%d of %d closed processes are still held", left, n)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// TestMissingProgram: a command that the system does not start says what to look at.
func TestMissingProgram(t *testing.T) {
	for _, name := range []string{"/no/such/program", "no-such-program-anywhere"} {
		_, err := startProcess(context.Background(), command{name, []string{name}}, DefaultDeadline, maxLine, &meter{})
		if err == nil || !strings.Contains(err.Error(), "check the path") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
