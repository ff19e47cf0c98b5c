// Command breadboard computes exactly how far annealed samplers on small discrete spaces are from their
// targets, and how far the bound of bidirectional Monte Carlo says they are.
//
//	breadboard tightness                     the paper's J-versus-B table
//	breadboard tightness --out figures       the same, with Figures 3 and 4
//	breadboard tightness --certify           and how many of its digits are right
//	breadboard gap --toy barrier             which stages B exceeds J by
//	breadboard subjective --toy barrier      reverse chains that start elsewhere
//	breadboard ais --toy barrier             chains, beside the exact answers
//	breadboard weights --toy barrier         the exact law of the log weight
//	breadboard schedule compare              schedules beside the best there is
//	breadboard crosscheck                    tests of the chains against the exact laws
//	breadboard sweep plan grid.toml          a grid of annealings, and what it will take
//	breadboard toys show barrier             a target, drawn
//
// breadboard --help lists everything.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}
