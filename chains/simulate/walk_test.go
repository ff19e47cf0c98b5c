package simulate_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/simulate"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// rowsOf returns the rows of a kernel.
func rowsOf(k chains.Rower, logf []float64) func(x int) []chains.Entry {
	return func(x int) []chains.Entry { return k.AppendRow(nil, logf, x) }
}

// TestWalksMoveAsTheKernelDoes compares the states of chains at every time with their distribution,
// by plain products. By Hoeffding's inequality a frequency is off by more than the bound with
// probability below 1e-12; the seed is fixed.
func TestWalksMoveAsTheKernelDoes(t *testing.T) {
	const runs, n = 40_000, 12
	logf, law := []float64{0, 2, -1, 1, 0.5, -2}, []float64{0.5, 0, 0, 0.25, 0, 0.25}
	rows := rowsOf(kernels.Metropolis{Space: grid.MustNew(2, 3)}, logf)
	w := longtest.Sure(simulate.NewWalk(law, rows))
	paths := longtest.Must(w.Run(t.Context(), simulate.NewStream(1, "walk", 0), runs, n))(t)
	bound := math.Sqrt(math.Log(2/1e-12) / (2 * runs))
	for i := range n {
		counts, next := make([]float64, 6), make([]float64, 6)
		for _, p := range paths {
			counts[p[i]] += 1.0 / runs
		}
		for x, q := range law {
			if math.Abs(counts[x]-q) > bound || q == 0 && counts[x] > 0 {
				t.Errorf("sample %d is %d in %v of chains, want %v", i, x, counts[x], q)
			}
			for _, e := range rows(x) {
				next[e.To] += q * e.P
			}
		}
		law = next
	}
}

// TestWalksAreFixed: the same stream gives the same chains.
func TestWalksAreFixed(t *testing.T) {
	w := longtest.Sure(simulate.NewWalk([]float64{1, 0, 0}, rowsOf(kernels.Metropolis{Space: grid.MustNew(3)}, []float64{0, 0, 0})))
	for want, size := range map[string][2]int{"[[0 0 0 1 2 1 2 2 1 2] [0 1 2 1 2 1 0 1 2 2]]": {2, 10}, "[]": {0, 5}, "[[] []]": {2, 0}} {
		if paths, err := w.Run(t.Context(), simulate.NewStream(3, "fixed", 0), size[0], size[1]); err != nil || fmt.Sprint(paths) != want {
			t.Errorf("%v, %v, want %s", paths, err, want)
		}
	}
}

// TestBadWalks: what is no distribution is refused, and so are tables that are too large.
func TestBadWalks(t *testing.T) {
	row := func(p ...float64) func(int) []chains.Entry {
		return func(int) (row []chains.Entry) {
			for to, v := range p {
				row = append(row, chains.Entry{To: to, P: v})
			}
			return row
		}
	}
	wide := make([]chains.Entry, 1<<14)
	for _, c := range []struct {
		start []float64
		row   func(int) []chains.Entry
		want  string
	}{
		{[]float64{0.5, 0.4}, row(1), "start: its probabilities sum to 0.9, not to 1"},
		{[]float64{2, -1}, row(1), "start: it goes to state 1 of 2 with probability -1"},
		{nil, row(1), "start: its probabilities sum to 0, not to 1"},
		{[]float64{1, 0}, row(0.5), "the row of state 0: its probabilities sum to 0.5, not to 1"},
		{[]float64{1, 0}, row(0, 0, 1), "the row of state 0: it goes to state 2 of 2 with probability 1"},
		{[]float64{1, 0}, row(math.NaN()), "the row of state 0: it goes to state 0 of 2 with probability NaN"},
		{append(make([]float64, 1<<14), 1), func(int) []chains.Entry { return wide },
			"the tables of 16385 states with rows of up to 16384 entries take more than 4 GiB; simulate a kernel with shorter rows"},
	} {
		longtest.Refuses(simulate.NewWalk(c.start, c.row))(t, c.want)
	}
	w := longtest.Sure(simulate.NewWalk([]float64{1}, row(1)))
	longtest.Refuses(w.Run(t.Context(), rand.NewChaCha8([32]byte{}), -1, 5))(t, "-1 chains of 5 samples")
	longtest.Refuses(w.Run(longtest.EndsAfter(0), rand.NewChaCha8([32]byte{}), 2, 5))(t, "canceled")
}
