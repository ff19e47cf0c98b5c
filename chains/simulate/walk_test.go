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

// TestWalksAreFixed: the same stream gives the same chains.
func TestWalksAreFixed(t *testing.T) {
	w := longtest.Sure(simulate.NewWalk(
		[]float64{1, 0, 0},
		rowsOf(kernels.Metropolis{Space: grid.MustNew(3)}, []float64{0, 0, 0}),
	))
	for want, size := range map[string][2]int{
		"[[0 0 0 1 2 1 2 2 1 2] [0 1 2 1 2 1 0 1 2 2]]": {2, 10}, "[]": {0, 5}, "[[] []]": {2, 0}} {
		if paths, err := w.Run(t.Context(), simulate.NewStream(3, "fixed", 0), size[0],
			size[1]); err != nil || fmt.Sprint(paths) != want {
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
		{[]float64{1, 0}, row(math.NaN()),
			"the row of state 0: it goes to state 0 of 2 with probability NaN"},
		{append(make([]float64, 1<<14), 1), func(int) []chains.Entry { return wide },
			"the tables of 16385 states with rows of up to 16384 entries take more than 4.3 GB; simulate a " +
				"kernel with shorter rows"},
	} {
		longtest.Refuses(simulate.NewWalk(c.start, c.row))(t, c.want)
	}
	w := longtest.Sure(simulate.NewWalk([]float64{1}, row(1)))
	longtest.Refuses(w.Run(t.Context(), rand.NewChaCha8([32]byte{}), -1, 5))(t, "-1 chains of 5 samples")
	longtest.Refuses(w.Run(longtest.EndsAfter(0), rand.NewChaCha8([32]byte{}), 2, 5))(t, "canceled")
}
