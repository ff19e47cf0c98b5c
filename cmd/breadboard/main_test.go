package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime/debug"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"breadboard/grid/longtest" // the flag -long, and fixed seeds
)

const (
	// asCommand makes the test binary the program itself.
	asCommand = "BREADBOARD_TEST_AS_COMMAND"
	// signalAt has that program send itself a signal, by its number, once it listens and has then
	// spent some time of a processor.
	signalAt = "BREADBOARD_TEST_SIGNAL_AT"
	// patient has it wait for the command long after the signal, so that a busy machine lets the
	// command end by itself.
	patient = "BREADBOARD_TEST_PATIENT"
)

// sharedFolder is for what several tests read, which is made once. It goes when all tests have run.
var sharedFolder = sync.OnceValue(func() string { return longtest.Sure(os.MkdirTemp("", "breadboard-test")) })

// TestMain is the program, which collects its garbage as users have it, or runs the tests.
func TestMain(m *testing.M) {
	if os.Getenv(asCommand) == "" {
		os.Setenv("GOMEMLIMIT", "off") // so that no bench limits the memory of all tests
		code := m.Run()
		if !atEnd.run() && code == 0 {
			code = 1
		}
		_ = os.RemoveAll(sharedFolder())
		os.Exit(code)
	}
	if os.Getenv(asCommand) == "script" {
		_ = answerScript() // which ends with the script
		os.Exit(0)
	}
	debug.SetGCPercent(100)
	after := time.After
	if os.Getenv(patient) != "" {
		after = func(time.Duration) <-chan time.Time { return time.After(longtest.Patience) }
	}
	os.Exit(program(os.Args[1:], os.Stdout, os.Stderr, after, signalItself))
}

// child returns the program, or another build of it, as a process of its own.
func child(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	self := longtest.Must(os.Executable())(t)
	words := []string{self}
	if *another != "" {
		words = strings.Fields(*another)
	}
	c := exec.Command(words[0], append(words[1:], args...)...)
	c.Env = append(os.Environ(), asCommand+"=1", "GOMEMLIMIT=")
	return c
}

// signalled returns the program as a process that gets a signal in the midst of its work, which it
// says by the time of a processor that it has spent since it listens: a wall clock goes on while
// other processes are served.
func signalled(t *testing.T, s syscall.Signal, spent time.Duration, args ...string) *exec.Cmd {
	t.Helper()
	c := child(t, args...)
	c.Env = append(c.Env, fmt.Sprintf("%s=%d %d", signalAt, int(s), spent))
	return c
}

// signalItself sends the program the signal for which the environment asks.
func signalItself() {
	var number int
	var spent time.Duration
	if n, _ := fmt.Sscan(os.Getenv(signalAt), &number, &spent); n < 2 {
		return
	}
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		panic(err)
	}
	until := processorTime() + spent
	go func() {
		for processorTime() < until {
			time.Sleep(time.Millisecond)
		}
		_ = self.Signal(syscall.Signal(number))
	}()
}

// ends waits for a process for as long as a test may wait, and kills it then.
func ends(c *exec.Cmd) (code int) {
	hung := time.AfterFunc(longtest.Patience, func() { _ = c.Process.Kill() })
	defer hung.Stop()
	_ = c.Wait()
	return c.ProcessState.ExitCode()
}

// run is the whole program apart from its signals. It returns the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	return runWith(ctx, args, stdout, stderr, &leftovers{})
}

// runWith does what run does. It adds to left what must be removed if the program ends before
// runWith returns.
func runWith(ctx context.Context, args []string, stdout, stderr io.Writer, left *leftovers) int {
	return newApp(ctx, args, stdout, stderr, left).runCommand(ctx)
}
