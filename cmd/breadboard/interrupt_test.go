package main

import (
	"os"
	"slices"
	"testing"
	"time"
)

// TestInterruption: the context ends with the first signal; the program with the second, or when the grace is over,
// after it is tidied; neither where the command ends by itself.
func TestInterruption(t *testing.T) {
	for _, c := range []struct {
		name    string
		signals int
		grace   bool // it is over
		ended   bool // the command ends when its context does
		stuck   bool // the disk does not answer, and nobody reads what is said
		want    []string
	}{
		{"no signal", 0, false, true, false, nil},
		{"ends by itself", 1, false, true, false, []string{"cancel"}},
		{"ends by force", 1, true, false, false, []string{"cancel", "tidy", "say", "exit"}},
		{"second signal", 2, false, false, false, []string{"cancel", "tidy", "say", "exit"}},
		{"stuck", 1, true, false, true, []string{"cancel", "exit"}},
		{"stuck at the second signal", 2, false, false, true, []string{"cancel", "exit"}},
	} {
		var did []string
		signals, ended := make(chan os.Signal, 2), make(chan struct{})
		for range c.signals {
			signals <- os.Interrupt
		}
		if c.signals == 0 {
			close(ended)
		}
		i := interruption{
			signals: signals,
			after: func(d time.Duration) <-chan time.Time {
				now := make(chan time.Time, 1)
				if d == grace && c.grace || (d == tidying || d == saying) && c.stuck {
					now <- time.Time{}
				}
				return now
			},
			cancel: func() {
				did = append(did, "cancel")
				if c.ended {
					close(ended)
				}
			},
			tidy: func() {
				if c.stuck {
					select {}
				}
				did = append(did, "tidy")
			},
			say: func() {
				if c.stuck {
					select {}
				}
				did = append(did, "say")
			},
			exit: func() { did = append(did, "exit") },
		}
		i.watch(ended)
		if !slices.Equal(did, c.want) {
			t.Errorf("%s: %v, want %v", c.name, did, c.want)
		}
	}
}

// TestGraceLeavesTimeToEnd: all waits together are less than the second that is promised.
func TestGraceLeavesTimeToEnd(t *testing.T) {
	if grace+tidying+saying > 850*time.Millisecond {
		t.Errorf("%v, %v and %v", grace, tidying, saying)
	}
}
