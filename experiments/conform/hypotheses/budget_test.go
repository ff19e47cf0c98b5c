package hypotheses

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"breadboard/chains"
)

// TestBudget: large tasks leave out the start of the chains, or say that they are too large.
func TestBudget(t *testing.T) {
	if testing.Short() {
		t.Skip("the full run has it")
	}
	for _, c := range []struct {
		toy      string
		T        int
		columns  Columns
		direct   chains.Direction
		want     Columns
		listed   bool
		tooLarge bool
	}{
		{toy: "random:2:1:32x32", T: 1000, columns: everything, tooLarge: true},
		{toy: "random:2:1:32x32", T: 100, columns: everything, tooLarge: true},
		{toy: "random:2:1:32x32", T: 4, columns: everything, want: Columns{Last: true, LogW: true}},
		{toy: "random:2:1:20x20", T: 3, columns: Columns{First: true, Last: true}, want: Columns{First: true, Last: true}, listed: true},
		{toy: "random:2:1:20x20", T: 40, columns: Columns{First: true, Last: true}, direct: chains.Reverse, want: Columns{First: true}, listed: true},
		{toy: "easy", T: 100, columns: everything, want: Columns{Last: true, LogW: true}},
		{toy: "random:2:1:3x3", T: 100, columns: everything, direct: chains.Reverse, want: everything},
	} {
		p := taskOf(t, c.toy, "power:2", "metropolis", c.T, c.direct)
		p.Columns = c.columns
		begin := time.Now()
		s, err := New(context.Background(), p)
		if took := time.Since(begin); took > 20*time.Second {
			t.Errorf("%s, T = %d: it takes %v", c.toy, c.T, took)
		}
		if c.tooLarge {
			if err == nil || !strings.Contains(err.Error(), "take a smaller task") {
				t.Errorf("%s, T = %d: the error is %v", c.toy, c.T, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s, T = %d: %v", c.toy, c.T, err)
			continue
		}
		if s.Columns != c.want || s.Listed != c.listed {
			t.Errorf("%s, T = %d, %+v: the columns are %+v, listed %v, missing %q", c.toy, c.T, c.columns, s.Columns, s.Listed, s.Missing)
		}
		// Chains of the specification are not refused, without the columns that are left out too.
		first, last, logw := draw(codeOf(t, p, Specification), 300, rand.NewPCG(1, 2))
		if !c.columns.LogW {
			logw = nil
		}
		tally := s.NewTally(rand.NewPCG(3, 4))
		tally.Add(first, last, logw)
		if e := tally.LogE(); e > alarm || tally.Impossible != nil {
			t.Errorf("%s, T = %d: right chains have a log e-value of %v, and %+v is impossible", c.toy, c.T, e, tally.Impossible)
		}
	}
}

// TestContext: New ends within a second after its context has, in whichever phase it is.
func TestContext(t *testing.T) {
	for _, c := range []struct {
		toy string
		T   int
	}{{"easy", 12}, {"easy", 4}, {"random:2:1:32x32", 4}, {"easy", 1000}} {
		p := taskOf(t, c.toy, "power:2", "metropolis", c.T, chains.Forward)
		for _, wait := range []time.Duration{0, 5 * time.Millisecond, 50 * time.Millisecond, 300 * time.Millisecond} {
			if testing.Short() && wait > 10*time.Millisecond {
				continue
			}
			ctx, cancel := context.WithTimeout(context.Background(), wait)
			begin := time.Now()
			_, err := New(ctx, p)
			cancel()
			if took := time.Since(begin) - wait; took > time.Second {
				t.Errorf("%s, T = %d: it ends %v after its context", c.toy, c.T, took)
			}
			if err != nil && !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s, T = %d, %v: the error is %v", c.toy, c.T, wait, err)
			}
		}
	}
}
