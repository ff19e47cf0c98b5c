// Command breadboard computes exactly how far annealed samplers on small discrete spaces are from their
// targets, and how far the bound of bidirectional Monte Carlo says they are.
//
//	breadboard tightness                     the paper's J-versus-B table
//	breadboard tightness --out figures       the same, with Figures 3 and 4
//	breadboard tightness --certify           the same, and how many of its digits are right
//	breadboard gap --toy barrier             what each stage adds to B - J
//	breadboard subjective --toy barrier      what B becomes where reverse chains start elsewhere
//	breadboard ais --toy barrier             estimates from chains, beside the exact answers
//	breadboard weights --toy barrier         the exact law of the log weight
//	breadboard schedule compare              schedules, compared with the best ones
//	breadboard selfcheck simulations                    tests of the simulations against the exact laws
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
	"runtime"
	"runtime/debug"
	"syscall"
	"time"
)

func main() {
	collectLater()
	os.Exit(program(os.Args[1:], os.Stdout, os.Stderr, time.After, func() {}))
}

// collectLater puts the first collection of garbage off until there are 16 MB, where a small command is done by then: its start alone makes the 4 MB at
// which collections begin. From then on memory may double between two collections, as in any program in Go. Whoever sets GOGC has that.
func collectLater() {
	if os.Getenv("GOGC") != "" {
		return
	}
	usual := debug.SetGCPercent(400)
	runtime.AddCleanup(new(*int), func(percent int) { debug.SetGCPercent(percent) }, usual)
}

// program runs the command, and answers the signals to end it, by the given clock. It calls listening once it answers them.
func program(args []string, stdout, stderr io.Writer, after func(time.Duration) <-chan time.Time, listening func()) int {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	left := &leftovers{}
	ended := make(chan struct{})
	defer close(ended)
	go interruption{
		signals: signals, after: after, cancel: cancel, tidy: left.remove,
		say:  func() { fmt.Fprintln(stderr, byForce) },
		exit: func() { os.Exit(exitInterrupted) },
	}.watch(ended)
	listening()
	return runWith(ctx, args, stdout, stderr, left)
}

// byForce is the message where a command did not end by itself in time.
const byForce = "breadboard: interrupted; it was in the midst of work that does not look for interruptions, and has given that up"
