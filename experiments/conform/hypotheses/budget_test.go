package hypotheses

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/grid/longtest"
)

// TestBudget: large tasks leave out the start of the chains, or say that they are too large.
func TestBudget(t *testing.T) {
	longtest.NotShort(t)
	ctx, cancel := context.WithTimeout(t.Context(), longtest.Patience)
	defer cancel()
	for _, c := range []struct {
		toy      string
		T        int
		columns  Columns
		direct   chains.Direction
		want     Columns
		listed   bool
		tooLarge bool
		long     bool
	}{
		{toy: "random:2:1:32x32", T: 1000, columns: everything, tooLarge: true},
		{toy: "random:2:1:32x32", T: 100, columns: everything, tooLarge: true},
		{toy: "random:2:1:12x12", T: 12, columns: everything, want: Columns{Last: true, LogW: true}},
		{toy: "random:2:1:32x32", T: 4, columns: everything, want: Columns{Last: true, LogW: true}, long: true},
		{toy: "random:2:1:9x9", T: 3, columns: Columns{First: true, Last: true}, want: Columns{First: true, Last: true}, listed: true},
		{toy: "random:2:1:20x20", T: 40, columns: Columns{First: true, Last: true}, direct: chains.Reverse, want: Columns{First: true}, listed: true, long: true},
		{toy: "random:2:1:32x32", T: 10, columns: Columns{First: true, Last: true}, direct: chains.Reverse, want: Columns{First: true}, listed: true},
		{toy: "easy", T: 100, columns: everything, want: Columns{Last: true, LogW: true}, long: true},
		{toy: "random:2:1:3x3", T: 100, columns: everything, direct: chains.Reverse, want: everything},
	} {
		if c.long && !longtest.Enabled() {
			continue
		}
		p := taskOf(t, c.toy, "power:2", "metropolis", c.T, c.direct)
		p.Columns = c.columns
		s, err := New(ctx, p)
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

// counting is a kernel that counts the rows that are asked of it, and calls a function at one of them.
type counting struct {
	kernel kernels.Metropolis
	rows   *int
	at     int
	reach  func()
}

func (k counting) Move(c chains.Chooser, logf []float64, x int) int { return k.kernel.Move(c, logf, x) }

func (k counting) AppendRow(dst []chains.Entry, logf []float64, x int) []chains.Entry {
	if *k.rows++; *k.rows == k.at {
		k.reach()
	}
	return k.kernel.AppendRow(dst, logf, x)
}

// rowsUntil makes the laws of T distributions by one worker, under a context that ends at one row of the task's kernel, and
// returns how many rows are asked for.
func rowsUntil(t *testing.T, T, end int) (rows int, err error) {
	t.Helper()
	p := taskOf(t, "random:2:1:3x3", "power:2", "metropolis", T, chains.Forward)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	k := counting{kernels.Metropolis{Space: p.Space}, &rows, end, cancel}
	if p.Annealing, err = chains.NewAnnealing(p.Annealing.Path(), p.Annealing.Schedule(), k, T); err != nil {
		t.Fatal(err)
	}
	p.Workers = 1
	rows = 0
	_, err = New(ctx, p)
	return rows, err
}

// TestContext: New ends when its context does, in whichever phase it is, and asks for no more than one row after that.
func TestContext(t *testing.T) {
	longtest.NotShort(t)
	for _, T := range []int{4, 12} { // log weights are listed, and put into bins
		all, err := rowsUntil(t, T, 0)
		if err != nil || all < 1000 {
			t.Fatalf("T = %d: %d rows, %v", T, all, err)
		}
		for part := range 5 {
			end := 1 + part*(all-1)/4
			if rows, err := rowsUntil(t, T, end); !errors.Is(err, context.Canceled) || rows > end+1 {
				t.Errorf("T = %d: the context ends at row %d of %d, and New at row %d with the error %v", T, end, all, rows, err)
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := New(ctx, taskOf(t, "easy", "power:2", "metropolis", 1000, chains.Forward)); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that has ended: %v", err)
	}
}
