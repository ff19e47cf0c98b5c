package main

import (
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progressWork is the number of states times steps above which a progress bar is worth showing.
const progressWork = 2e7

// isTerminal reports whether what is written to w is shown on a terminal.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// progress returns a function that counts steps on a bar, and one to call at the end. There is a bar only on
// a terminal and for long work.
func (a *app) progress(what string, steps, work int) (add func(int), done func()) {
	if work < progressWork || !isTerminal(a.stderr) {
		return func(int) {}, func() {}
	}
	bar := progressbar.NewOptions(steps,
		progressbar.OptionSetWriter(a.stderr),
		progressbar.OptionSetDescription(what),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionShowIts(),
		progressbar.OptionSetItsString("steps"),
		progressbar.OptionClearOnFinish(),
	)
	// A failed write to the terminal is no reason to stop computing.
	return func(n int) { _ = bar.Add(n) }, func() { _ = bar.Clear(); _ = bar.Exit() }
}
