package main

import (
	"strings"
	"testing"
	"time"

	"breadboard/grid/longtest"
)

// TestProgressLines: long work says how far it is if there is no terminal, and nothing once it is
// done.
func TestProgressLines(t *testing.T) {
	longtest.Only(t)
	stderr := &lines{first: make(chan string, 1)}
	a := &app{stderr: stderr}
	add, done := a.progressLines(10*time.Millisecond, "solving", 400)
	add(100)
	eventually(func() bool { return strings.Contains(stderr.String(), "solving: 25% of 400 steps") })
	done()
	done()
	written := stderr.String()
	add(100)
	time.Sleep(30 * time.Millisecond) // in which nothing is to happen
	if !strings.Contains(written, "solving: 25% of 400 steps") || stderr.String() != written {
		t.Errorf("wrote %q", stderr)
	}
	for _, c := range []struct {
		done, steps int
		takes       time.Duration
		want        string
	}{
		{25, 100, time.Hour, "x: 25% of 100 steps, 3m0s left"},
		{0, 100, 0, "x: 0% of 100 steps, 1m0s so far"},
		{0, 1, 4 * time.Minute, "x: 1m0s of about 4m0s"},
		{0, 1, time.Second, "x: 0% of 1 steps, 1m0s so far"},
		{2, 8, 4 * time.Minute, "x: 1m0s of about 4m0s"},
		{3, 8, time.Second, "x: 37.5% of 8 steps, 1m40s left"},
		{1, 1_000_000_000, 0, "x: 1e-07% of 1000000000 steps, 1m0s so far"},
		{7, -1, 0, "x: 7 in 1m0s"},
	} {
		if got := (pace{c.done, c.steps, mark{}, time.Minute, time.Minute}).progressLine("x",
			c.takes); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	// A quarter was done after a minute. While nothing else is done the time that is left falls;
	// when it is over, the time that has passed is shown.
	for elapsed, want := range map[time.Duration]string{
		time.Minute: ", 3m0s left", 2 * time.Minute: ", 2m0s left", 4 * time.Minute: ", 0s left",
		5 * time.Minute: ", 5m0s so far",
	} {
		if got := (pace{25, 100, mark{}, time.Minute, elapsed}).timeLeft(); got != want {
			t.Errorf("after %v: %q, want %q", elapsed, got, want)
		}
	}
	// What was set up before the first of 1000 steps, for a minute, is not counted with the others.
	if got := (pace{3, 1000, mark{1, time.Minute}, 62 * time.Second,
		62 * time.Second}).timeLeft(); got != ", 16m37s left" {
		t.Errorf("two steps in two seconds of 1000: %q", got)
	}
	for said, want := range map[string]time.Duration{
		"": 10 * time.Second, "0.5s": time.Second / 2, "often": 10 * time.Second, "-1s": 10 * time.Second,
		"0": 10 * time.Second} {
		a.getenv = func(string) string { return said }
		if got := a.linesEvery(); got != want {
			t.Errorf("BREADBOARD_PROGRESS=%s: every %v, want %v", said, got, want)
		}
	}
}
