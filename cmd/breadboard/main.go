// Command breadboard computes exactly how far annealed samplers on small discrete spaces are from
// their targets, and how far the bound of bidirectional Monte Carlo says they are.
//
//	breadboard tightness                     the paper's J-versus-B table
//	breadboard tightness --out figures       the same, with Figures 3 and 4
//	breadboard tightness --certify           the same, and how many of its digits are right
//	breadboard gap --toy barrier             what each stage adds to B - J
//	breadboard subjective --toy barrier      what B becomes where reverse chains start elsewhere
//	breadboard ais --toy barrier             estimates from chains, beside the exact answers
//	breadboard weights --toy barrier         the exact distribution of the log weight
//	breadboard schedule compare              schedules, compared with the best ones
//	breadboard ais --toy barrier -T 12 --check   tests of these chains against their exact distributions
//	breadboard conform spec --out task       what an implementation of your own must do, to test it
//	breadboard sweep plan grid.toml          a grid of annealings, and what it will take
//	breadboard report figures --out p.html   one page of results, for a browser
//	breadboard toys show barrier             a target, drawn
//
// breadboard --help lists everything, and breadboard help topics the pages that explain it.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"
)

func main() { os.Exit(program(os.Args[1:], os.Stdout, os.Stderr, time.After, func() {})) }

// program runs the command, and answers the signals to end it, by the given clock. It calls
// listening once it answers them.
func program(args []string, stdout, stderr io.Writer, after func(time.Duration) <-chan time.Time,
	listening func()) int {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, ending()...)
	stdin := io.Reader(os.Stdin)
	if os.Getenv("BREADBOARD_PARENT") != "" { // R or Python: the system closes this pipe, however they end
		_ = os.Unsetenv("BREADBOARD_PARENT") // kernels that are programs have other input
		stdin = strings.NewReader("")
		go func() {
			_, _ = io.Copy(io.Discard, os.Stdin)
			signals <- syscall.SIGTERM
		}()
	}
	left := &leftovers{}
	ended := make(chan struct{})
	defer close(ended)
	go interruption{
		signals: signals, after: after, cancel: cancel, tidy: left.remove,
		say: func() {
			if isTerminal(stderr) { // a bar may stand there
				fmt.Fprintln(stderr)
			}
			fmt.Fprintln(stderr, byForce)
		},
		exit: func() { os.Exit(exitInterrupted) },
	}.watch(ended)
	listening()
	a := newApp(ctx, args, stdout, stderr, left)
	a.after = after
	a.stdin = stdin
	code := a.runCommand(ctx)
	left.remove() // work that was given up may be going on
	return code
}

// ending returns the signals to end the program. The hang-up of a terminal is one unless it is
// ignored, as below nohup.
func ending() []os.Signal {
	list := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		list = append(list, syscall.SIGHUP)
	}
	return list
}

// byForce is the message if a command did not end by itself in time.
const byForce = "breadboard: interrupted; the computation did not stop within 0.7 s, so the program was ended"

const (
	// grace is the time that a command has to end by itself after the signal.
	grace = 700 * time.Millisecond
	// tidying is the time that is then allowed for removing what the command leaves behind.
	tidying = 100 * time.Millisecond
	// saying is the time that is allowed for the message on standard error, whose reader may have
	// stopped reading.
	saying = 50 * time.Millisecond
)

// interruption ends a command within a second of the first signal, and at once at the second. It
// ends the context of the command, and if the command does not look at its context it ends the
// whole program.
type interruption struct {
	signals <-chan os.Signal
	after   func(time.Duration) <-chan time.Time // is time.After, or in tests a clock of their own
	cancel  func()                               // ends the context of the command
	tidy    func()                               // removes what the command leaves behind
	say     func()                               // says that the command did not end by itself
	exit    func()                               // ends the program
}

// watch answers signals until the command has ended.
func (i interruption) watch(ended <-chan struct{}) {
	select {
	case <-ended:
		return
	case <-i.signals:
	}
	i.cancel()
	select {
	case <-ended:
		return
	case <-i.signals:
	case <-i.after(grace):
	}
	i.within(tidying, i.tidy) // this has a time limit because the disk may not answer
	i.within(saying, i.say)
	i.exit()
}

// within does work, and waits no longer for it than the given time.
func (i interruption) within(limit time.Duration, work func()) {
	done := make(chan struct{})
	go func() { defer close(done); work() }()
	select {
	case <-done:
	case <-i.after(limit):
	}
}

// leftovers holds the functions that remove what a command leaves behind if the program ends before
// it: files that are not whole. The functions must be safe to call from any goroutine.
type leftovers struct {
	mu      sync.Mutex
	removal []func()
}

// addCleanup adds a function, which is called if the program ends before the command.
func (l *leftovers) addCleanup(remove func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.removal = append(l.removal, remove)
}

// remove calls the functions.
func (l *leftovers) remove() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, f := range l.removal {
		f()
	}
}
