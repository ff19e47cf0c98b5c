package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/term"
)

// isTerminal reports whether w is a terminal.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// widthOf returns the number of characters of a line of a terminal, and 0 for what is none.
func widthOf(w io.Writer) int {
	if !isTerminal(w) {
		return 0
	}
	columns, _, err := term.GetSize(int(w.(*os.File).Fd()))
	if err != nil {
		return 0
	}
	return columns
}

// progress returns a function that counts steps, from any goroutine, and one to call at the end.
// Work that takes more than a second shows a bar on a terminal that is not a plain one, and
// elsewhere a line each ten seconds, or after each time that the environment variable
// BREADBOARD_PROGRESS says. Whether it is shown depends on the time that has
// passed and not on an estimate of the work, because a kernel in another program takes a hundred
// thousand times as long as one of the library.
func (a *app) progress(what string, steps int) (add func(int), done func()) {
	if !isTerminal(a.stderr) || a.plainTerminal() {
		return a.progressLines(a.linesEvery(), what, steps)
	}
	line := &line{out: a.stderr}
	add, stop := counting(time.Second, steps, func(p pace) {
		text := p.progressLine(what, a.takes)
		if steps > 0 { // otherwise the number of steps is not known
			text = drawn(float64(p.done)/float64(steps)) + " " + text
		}
		line.show(text)
	})
	return add, func() { stop(); line.clearLine() }
}

// line is the line of a terminal on which progress is shown, each time over what stood there
// before. A failed write to the terminal is no reason to stop computing.
type line struct {
	out   io.Writer
	shown int // how many characters stand there
}

func (l *line) show(text string) {
	shown := []rune(text)
	if width := widthOf(l.out); width > 0 && len(shown) >= width {
		shown = shown[:width-1] // in the last place the terminal would begin another line
	}
	fmt.Fprintf(l.out, "\r%-*s", l.shown, string(shown))
	l.shown = max(l.shown, len(shown))
}

func (l *line) clearLine() {
	if l.shown > 0 {
		fmt.Fprintf(l.out, "\r%*s\r", l.shown, "")
		l.shown = 0
	}
}

// drawn returns a bar that shows which part of the work is done.
func drawn(part float64) string {
	const length = 20
	done := 0
	if part > 0 { // it may be NaN, if nothing costs anything
		done = int(length * min(part, 1))
	}
	return "[" + strings.Repeat("=", done) + strings.Repeat(" ", length-done) + "]"
}

// during runs a study that takes the given number of steps, and shows its progress. The error that
// it returns has the exit code of a study's errors.
func during[R any](a *app, what string, steps int, run func(progress func(int)) (R, error)) (R, error) {
	add, done := a.progress(what, steps)
	defer done()
	result, err := run(add)
	return result, studyFailure(err)
}

// foretell keeps what the study is estimated to take on one core, and says it if that is long.
func (a *app) foretell(takes time.Duration) {
	a.takes = takes
	if takes > time.Minute {
		a.note("this takes about %v on one core", takes.Round(time.Minute))
	}
}

// linesEvery returns the time between lines of progress.
func (a *app) linesEvery() time.Duration {
	if every, err := time.ParseDuration(a.getenv("BREADBOARD_PROGRESS")); err == nil && every > 0 {
		return every
	}
	return 10 * time.Second
}

// progressLines counts steps, and writes a line after each interval of time. Nothing is written
// after done has returned.
func (a *app) progressLines(every time.Duration, what string, steps int) (add func(int), done func()) {
	return counting(every, steps, func(p pace) {
		a.note("%s", p.progressLine(what, a.takes))
	})
}

// mark is how many steps were done at some time from the start.
type mark struct {
	steps int
	at    time.Duration
}

// pace is how far some steps are after an elapsed time: how many of them are done, with the mark of
// the first, before which much may be set up, and how long the last took from the start.
type pace struct {
	done, steps   int
	first         mark
	last, elapsed time.Duration
}

// counting counts steps, and calls show after each interval of time. Nothing is shown after done
// has returned.
func counting(every time.Duration, steps int, show func(p pace)) (add func(int), done func()) {
	var counted atomic.Int64
	var last atomic.Int64 // when steps were counted last, in nanoseconds from the start
	var first atomic.Pointer[mark]
	first.Store(&mark{})
	none := first.Load()
	start := time.Now()
	ticker := time.NewTicker(every)
	stop := make(chan struct{})
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer ticker.Stop()
		for {
			select {
			case <-stop:
				return
			case <-ticker.C:
				show(pace{int(counted.Load()), steps, *first.Load(), time.Duration(last.Load()), time.Since(start)})
			}
		}
	}()
	add = func(n int) {
		now := time.Since(start)
		first.CompareAndSwap(none, &mark{n, now})
		last.Store(int64(now))
		counted.Add(int64(n))
	}
	return add, sync.OnceFunc(func() { close(stop); <-ended })
}

// progressLine returns the line that says how far the work is and how long it will still take. A
// negative number of steps stands for an unknown one. Before the first step, and if there are few,
// it says how long all of them are estimated to take on one core, until that is over: takes is 0 if
// it is not known.
func (p pace) progressLine(what string, takes time.Duration) string {
	if p.steps < 0 {
		return fmt.Sprintf("%s: %d in %v", what, p.done, p.elapsed.Round(time.Second))
	}
	const few = 20 // of which one may take as long as all others
	if (p.done == 0 || p.steps <= few) && takes > p.elapsed {
		return fmt.Sprintf("%s: %v of about %v", what, p.elapsed.Round(time.Second), takes.Round(time.Second))
	}
	return fmt.Sprintf("%s: %.3g%% of %d steps", what, 100*float64(p.done)/float64(p.steps),
		p.steps) + p.timeLeft()
}

// timeLeft says how long the rest of the steps will take, by how long those took after the first.
// While a long step goes on, that does not rise: it counts down from what it was when the last step
// was done. If that is over, or no step is done, it says how long all has taken so far.
func (p pace) timeLeft() string {
	first := p.first
	if p.done <= first.steps {
		first = mark{}
	}
	each := (p.last - first.at).Seconds() / float64(p.done-first.steps)
	left := each*float64(p.steps-p.done) - (p.elapsed - p.last).Seconds()
	if !(left >= 0 && left < math.MaxInt64/1e9) {
		return fmt.Sprintf(", %v so far", p.elapsed.Round(time.Second))
	}
	return fmt.Sprintf(", %v left", (time.Duration(left * 1e9)).Round(time.Second))
}
