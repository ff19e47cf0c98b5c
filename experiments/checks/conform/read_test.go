package conform

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/experiments/draws"
	"breadboard/grid/longtest"
)

// TestBatchesAndWorkers: what is found depends neither on how sources cut their rows into batches
// nor on the number of workers.
func TestBatchesAndWorkers(t *testing.T) {
	longtest.Only(t)
	l := smallLaws(t)
	wrong := drawn(t, l.task, chains.Forward, 1200, 1)
	wrong.Increments[0][150]++
	late := drawn(t, l.task, chains.Reverse, 1100, 1)
	late.Increments[0][900]++ // so that most runs have no guarantees, which take longer than all else
	moves := movesOf(t, l, kernels.Metropolis{Space: l.task.Case.Toy.Space}, []float64{0, 0.3, 1}, 1300)
	values := moved(wrong.LogW[:900], l.task.LogZ1)
	run := func(workers, most int, cut func(int) int) *Outcome {
		in := Input{
			Forward: source(wrong, everything), Reverse: source(late, everything),
			Moves: source(moves, transitionsOnly), Estimates: estimates(values...),
		}
		for _, s := range []draws.Source{in.Forward, in.Reverse, in.Moves, in.Estimates} {
			s.(*rows).cut = cut
		}
		return checked(t, l, in, Options{Workers: workers, Chains: most, Estimates: unbiased()})
	}
	calms := map[int]*Outcome{} // by the largest number of rows
	rng := rand.New(newSource(1))
	for range longtest.Times(15, 200) {
		most := []int{0, 0, 1, 100, 256, 257, 600, 1000}[rng.IntN(8)]
		workers := 1 + rng.IntN(5)
		pieces := make([]int, 1+rng.IntN(5))
		for i := range pieces {
			pieces[i] = 1 + rng.IntN(700)/(1+rng.IntN(50))
		}
		var at atomic.Int64 // the sources are read at the same time
		if calms[most] == nil {
			calms[most] = run(1, most, nil)
		}
		calm := calms[most]
		cut := run(workers, most, func(int) int { return pieces[int(at.Add(1))%len(pieces)] })
		if calm.Sides[0].Chains != wrong.Rows && most == 0 || most > 0 &&
			(calm.Sides[0].Chains != most || calm.Sides[1].Chains != most || calm.Moves != min(most, 1300)) {
			t.Fatalf("at most %d: %d, %d chains and %d moves", most, calm.Sides[0].Chains,
				calm.Sides[1].Chains, calm.Moves)
		}
		// By their text, since NaN, which stands for what there is not, differs from itself.
		if got, want := fmt.Sprintf("%+v", asValues(cut)), fmt.Sprintf("%+v", asValues(calm)); got != want {
			t.Fatalf("%d workers, pieces of %v: %s\nwant %s", workers, pieces, got, want)
		}
	}
}

// asValues returns all that was found without pointers.
func asValues(o *Outcome) []any {
	estimates := *o.Estimates
	out := []any{o.Alpha, o.Threshold, o.Results, o.Moves, o.Untested}
	if estimates.Detectable != nil {
		out = append(out, *estimates.Detectable)
		estimates.Detectable = nil
	}
	out = append(out, estimates)
	for _, s := range o.Sides {
		for _, h := range append(s.Histograms, s.LogW) {
			out = append(out, *h)
		}
		s.Histograms = nil
		s.LogW = nil
		out = append(out, s)
	}
	return out
}

// TestBadInput: errors of sources come back as they are, at the start and later; a source without
// rows, and one without a column of chains, are errors that name the source.
func TestBadInput(t *testing.T) {
	longtest.Only(t)
	l := smallLaws(t)
	broken := errors.New("the disk is gone")
	failing := func(all *draws.Batch, c draws.Columns, at int) *rows {
		s := source(all, c)
		s.cut = func(int) int { return 500 }
		s.before = func(row int) error {
			if row >= at {
				return broken
			}
			return nil
		}
		return s
	}
	good := drawn(t, l.task, chains.Forward, 5000, 1)
	reverse := drawn(t, l.task, chains.Reverse, 5000, 1)
	moves := movesOf(t, l, kernels.Metropolis{Space: l.task.Case.Toy.Space}, []float64{1}, 5000)
	values := &draws.Batch{Rows: 5000, LogZ: good.LogW}
	logZ := draws.Columns{LogZ: true}
	for name, in := range map[string]Input{
		"forward later":     {Forward: failing(good, short, 3000), Reverse: source(reverse, short)},
		"moves later":       {Moves: failing(moves, transitionsOnly, 3000), Forward: source(good, short)},
		"estimates at once": {Estimates: failing(values, logZ, 0)},
		"estimates later":   {Estimates: failing(values, logZ, 3000)},
	} {
		out, err := l.Check(context.Background(), in, Options{Alpha: DefaultAlpha, Estimates: unbiased()})
		if !errors.Is(err, broken) || out != nil {
			t.Errorf("%s: %v, with an outcome: %v", name, err, out != nil)
		}
	}
	none := &draws.Batch{}
	for _, c := range []struct {
		name, want string
		in         Input
	}{
		{"no forward chains", "test: there are no chains in it",
			Input{Forward: source(none, short), Reverse: source(reverse, short)}},
		{"no estimates", "test: there are no estimates in it", Input{Estimates: source(none, logZ)}},
		{"moves for chains",
			"test: it has no column of chains; write log_w, x_first or x_last, or whole paths x_1 to x_T",
			Input{Forward: source(moves, transitionsOnly)}},
		{"chains for estimates", "test: it has no column log_z", Input{Estimates: source(good, short)}},
		{"nothing at all", "there is no data; give chains, moves or estimates", Input{}},
	} {
		_, err := l.Check(context.Background(), c.in, Options{Alpha: DefaultAlpha, Estimates: unbiased()})
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}

// TestOptions: what makes no sense is refused. A large alpha works, and asks for so little that no
// deviation is promised to be found.
func TestOptions(t *testing.T) {
	l := smallLaws(t)
	in := func() Input {
		return Input{Forward: source(drawn(t, l.task, chains.Forward, 1000, 1), draws.Columns{LogW: true})}
	}
	for want, o := range map[string]Options{
		"alpha 0": {}, "alpha 1": {Alpha: 1}, "at most -1 chains": {Alpha: 0.01, Chains: -1}} {
		longtest.Refuses(l.Check(t.Context(), in(), o))(t, want)
	}
	total := 0
	out := checked(t, l, in(), Options{Alpha: 0.9, Progress: func(rows int) { total += rows }})
	if g := out.Sides[0].Guarantees; len(g) > 0 || total != 1000 {
		t.Errorf("guarantees at an alpha of 0.9: %+v; %d of 1000 rows are reported", g, total)
	}
}

// TestInterrupted: if the context ends, the outcome of the rows so far comes back with its error,
// without more rows, and is that of a run with that many. A fault that was found is kept.
func TestInterrupted(t *testing.T) {
	longtest.Only(t)
	l := smallLaws(t)
	b := drawn(t, l.task, chains.Forward, 5000, 1)
	b.Increments[0][100]++
	ctx, cancel := context.WithCancel(context.Background())
	s := source(b, everything)
	s.cut = func(int) int { return 300 }
	s.before = func(row int) error {
		if row >= 2000 {
			cancel()
			return ctx.Err()
		}
		return nil
	}
	out, err := l.Check(ctx, Input{Forward: s}, Options{Alpha: DefaultAlpha})
	if !errors.Is(err, context.Canceled) || out == nil {
		t.Fatalf("%v, with an outcome: %v", err, out != nil)
	}
	n := out.Sides[0].Chains
	if n < 2000 || n > 2300 || !out.Fault() || len(out.Sides[0].Guarantees) > 0 {
		t.Errorf("%d chains, fault: %v", n, out.Fault())
	}
	whole := checked(t, l, Input{Forward: source(b, everything)}, Options{Chains: n})
	for i, r := range whole.Results {
		if got := out.Results[i]; got.LogE != r.LogE || got.Fault != r.Fault || got.Draws != n {
			t.Errorf("%s: log e-value %v after %d draws, and a run of so many has %v", r.Test, got.LogE,
				got.Draws, r.LogE)
		}
	}
	// Before the first rows are read there is no outcome.
	if out, err := NewLaws(l.task).Check(ctx, Input{Forward: source(b, short)},
		Options{Alpha: DefaultAlpha}); !errors.Is(err, context.Canceled) || out != nil {
		t.Errorf("a context that has ended: %v, with an outcome: %v", err, out != nil)
	}
}

// stalling is a source that gives some rows and then waits until the context ends.
type stalling struct {
	*rows
	from  int    // the row from which on it waits
	waits func() // called when it begins to wait
}

func (s stalling) Next(ctx context.Context, n int) (*draws.Batch, error) {
	if s.at >= s.from {
		s.waits()
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return s.rows.Next(ctx, min(n, s.from-s.at))
}

// TestInterruptedEarly: a stream that is interrupted before the first rows are complete is tested
// by those that have come, and a direction of which none has come does not lose those of the other
// one.
func TestInterruptedEarly(t *testing.T) {
	longtest.Only(t)
	l := smallLaws(t)
	b := drawn(t, l.task, chains.Forward, 1000, 1)
	back := drawn(t, l.task, chains.Reverse, 1000, 1)
	checked(t, l, Input{Forward: source(b, short)}, Options{}) // so that the distributions are known
	for _, rows := range [][2]int{{100, -1}, {100, 0}, {256, 50}, {1000, 0}, {0, 1000}, {0, -1}} {
		ctx, cancel := context.WithCancel(context.Background())
		// The direction of which the first rows never come interrupts the run, when all rows that
		// there are have come.
		waits := [2]func(){cancel, func() {}}
		if rows[0] >= firstRows {
			waits = [2]func(){func() {}, cancel}
		}
		in := Input{Forward: stalling{source(b, short), rows[0], waits[0]}}
		want := []int{min(rows[0], firstRows)}
		if rows[1] >= 0 {
			in.Reverse = stalling{source(back, short), rows[1], waits[1]}
		}
		if rows[1] > 0 {
			want = append(want, rows[1])
		}
		out, err := l.Check(ctx, in, Options{Alpha: DefaultAlpha})
		cancel()
		if !errors.Is(err, context.Canceled) || (out != nil) != (rows[0] > 0) {
			t.Fatalf("%v rows: %v, with an outcome: %v", rows, err, out != nil)
		}
		if out == nil {
			continue
		}
		if said := strings.Contains(strings.Join(out.Untested, "\n"), "interrupted before"); !said ||
			out.Fault() || len(out.Sides) != len(want) {
			t.Errorf("%v rows: said %v, fault %v, %d directions", rows, said, out.Fault(), len(out.Sides))
		}
		for i, s := range out.Sides {
			if s.Chains != want[i] || out.Results[0].Draws != want[0] {
				t.Errorf("%v rows: %d chains of %v, %d draws", rows, s.Chains, s.Direction, out.Results[0].Draws)
			}
		}
	}
}
