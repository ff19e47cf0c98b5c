package main

import (
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progressWork is the number of states times steps above which a progress bar is worth showing.
const progressWork = 2e7

// progress returns a function that counts steps on a bar, and one to call at the end. There is a bar only on
// a terminal and for long work.
func (a *app) progress(what string, steps, work int) (add func(int), done func()) {
	f, ok := a.stderr.(*os.File)
	if !ok || work < progressWork || !term.IsTerminal(int(f.Fd())) {
		return func(int) {}, func() {}
	}
	bar := progressbar.NewOptions(steps,
		progressbar.OptionSetWriter(f),
		progressbar.OptionSetDescription(what),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionShowIts(),
		progressbar.OptionSetItsString("steps"),
		progressbar.OptionClearOnFinish(),
	)
	// A failed write to the terminal is no reason to stop computing.
	return func(n int) { _ = bar.Add(n) }, func() { _ = bar.Clear(); _ = bar.Exit() }
}
