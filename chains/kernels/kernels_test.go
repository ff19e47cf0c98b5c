package kernels_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/internal/chainstest"
	"breadboard/chains/kernels"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// rowers are the kernels with rows in closed form, on a space.
func rowers(l *grid.Lattice) []chains.Rower {
	return []chains.Rower{kernels.Metropolis{Space: l}, kernels.Barker{Space: l}}
}

// logF draws log f of every state, some of them zeros of f.
func logF(t *rapid.T, n int) []float64 {
	logf := make([]float64, n)
	for x := range logf {
		logf[x] = rapid.Float64Range(-30, 30).Draw(t, "log f")
		if rapid.IntRange(0, 5).Draw(t, "zero") == 0 {
			logf[x] = math.Inf(-1)
		}
	}
	return logf
}

func TestRowsBalance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := longtest.Sure(grid.NewWrapped([]int{rapid.IntRange(1, 4).Draw(t, "rows"), 3}, []bool{false, rapid.Bool().Draw(t, "ring")}))
		logf := logF(t, l.States())
		for _, k := range rowers(l) {
			for x := range logf {
				total := 0.0
				for y, p := range chainstest.Row(k, logf, x) {
					total += p
					if p < 0 || p > 1+1e-15 {
						t.Fatalf("%v: T(%d,%d) = %v", k, x, y, p)
					}
					there := math.Exp(logf[x]) * p
					back := math.Exp(logf[y]) * chainstest.Row(k, logf, y)[x]
					if math.Abs(there-back) > 1e-13*there {
						t.Fatalf("%v: flow %v from %d to %d, %v back", k, there, x, y, back)
					}
				}
				if math.Abs(total-1) > 1e-15*4 {
					t.Fatalf("%v: row %d sums to %v", k, x, total)
				}
			}
		}
	})
}

// TestPublishedRows checks a case done by hand: the corner of a 2x2 grid with f = 1, 2, 4, 8.
func TestPublishedRows(t *testing.T) {
	logf := []float64{0, math.Log(2), math.Log(4), math.Log(8)}
	l := grid.MustNew(2, 2)
	for _, c := range []struct {
		kernel chains.Rower
		x      int
		want   map[int]float64
	}{
		{kernels.Metropolis{Space: l}, 0, map[int]float64{0: 0.5, 1: 0.25, 2: 0.25}},
		{kernels.Metropolis{Space: l}, 3, map[int]float64{1: 0.0625, 2: 0.125, 3: 0.8125}},
		{kernels.Barker{Space: l}, 3, map[int]float64{1: 0.05, 2: 0.25 / 3, 3: 1 - 0.05 - 0.25/3}},
	} {
		got := chainstest.Row(c.kernel, logf, c.x)
		for y, p := range c.want {
			if math.Abs(got[y]-p) > 1e-15 {
				t.Errorf("%v: T(%d,%d) = %v, want %v", c.kernel, c.x, y, got[y], p)
			}
		}
		if len(got) != len(c.want) {
			t.Errorf("%v: row %d is %v, want %v", c.kernel, c.x, got, c.want)
		}
	}
}

// TestSampledMoves draws from Move and compares frequencies with rows. By Hoeffding's inequality a frequency
// of N draws is off by more than sqrt(log(2/d)/2N) with probability below d; d is 1e-12 for each of fewer than
// 1000 frequencies, so the test fails by chance with probability below 1e-9. The seed is fixed.
func TestSampledMoves(t *testing.T) {
	longtest.NotShort(t)
	const draws = 40_000
	bound := math.Sqrt(math.Log(2/1e-12) / (2 * draws))
	l := grid.MustNew(3, 3)
	logf := []float64{0, 1, 2, math.Inf(-1), 0.5, -1, 3, 0, -2}
	for _, k := range rowers(l) {
		c := chains.NewSampler(rand.NewPCG(1, 2))
		for x := range logf {
			counts := map[int]int{}
			for range draws {
				counts[k.Move(c, logf, x)]++
			}
			want := chainstest.Row(k, logf, x)
			for y := range logf {
				if f := float64(counts[y]) / draws; math.Abs(f-want[y]) > bound {
					t.Errorf("%v: from %d to %d in %v of draws, probability %v", k, x, y, f, want[y])
				}
				if counts[y] > 0 && want[y] == 0 {
					t.Errorf("%v: went from %d to %d, which has probability zero", k, x, y)
				}
			}
		}
	}
}
