package simulate_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/simulate"
	"breadboard/grid"
	"breadboard/grid/longtest"
	"gonum.org/v1/gonum/mathext"
)

// rowsOf returns the rows of a kernel.
func rowsOf(k chains.Rower, logf []float64) func(x int) []chains.Entry {
	return func(x int) []chains.Entry { return k.AppendRow(nil, logf, x) }
}

// chiSquared returns the probability that a chi-squared statistic of two samples of one
// distribution is as large as that of these counts.
func chiSquared(a, b []int) float64 {
	statistic, cells := 0.0, 0
	for i := range a {
		if a[i]+b[i] > 0 {
			cells++
			statistic += math.Pow(float64(a[i]-b[i]), 2) / float64(a[i]+b[i])
		}
	}
	return mathext.GammaIncRegComp(float64(cells-1)/2, statistic/2)
}

// TestWalksMoveAsTheKernelDoes compares the states of chains at three times, and pairs of
// successive ones, with those of chains that Kernel.Move takes. Each of the four comparisons would
// be refused by chance with a probability of about 1e-7; the seeds are fixed.
func TestWalksMoveAsTheKernelDoes(t *testing.T) {
	const runs, n = 40_000, 12
	logf := []float64{0, 2, -1, 1, 0.5, -2}
	k := kernels.Metropolis{Space: grid.MustNew(2, 3)}
	start := []float64{0.5, 0, 0, 0.25, 0, 0.25}
	w := longtest.Sure(simulate.NewWalk(start, rowsOf(k, logf)))
	fast := longtest.Must(w.Run(context.Background(), simulate.NewStream(1, "walk", 0), runs, n))(t)
	c, slow := chains.NewSampler(simulate.NewStream(1, "move", 0)), make([][]int32, runs)
	for r := range slow {
		x := c.Choose(start)
		for i := range n {
			if i > 0 {
				x = k.Move(c, logf, x)
			}
			slow[r] = append(slow[r], int32(x))
		}
	}
	for what, cell := range map[string]func(path []int32) int32{
		"first": func(p []int32) int32 { return p[0] }, "second": func(p []int32) int32 { return p[1] }, "last": func(p []int32) int32 { return p[n-1] },
		"pair": func(p []int32) int32 { return 6*p[4] + p[5] },
	} {
		var counts [2][36]int
		for i, paths := range [][][]int32{fast, slow} {
			for _, p := range paths {
				counts[i][cell(p)]++
			}
		}
		if p := chiSquared(counts[0][:], counts[1][:]); p < 1e-7 {
			t.Errorf("%s: p = %v, %v", what, p, counts)
		}
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
