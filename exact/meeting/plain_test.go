package meeting

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains/couplings"
	"breadboard/chains/kernels"
	"breadboard/exact/averages"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// drawnLaw is a distribution of the meeting time of a random chain on few states, with its start.
func drawnLaw(t *rapid.T, deepest float64) (*averages.Chain, *Law) {
	ctx := context.Background()
	side := rapid.IntRange(1, 3).Draw(t, "side")
	space := grid.MustNew(side, 2)
	name := rapid.SampledFrom([]string{"metropolis", "barker", "heatbath", "heatbath-scan",
		"mixture:0.5*stay+0.5*metropolis", "flip"}).Draw(t, "kernel")
	k := longtest.Must(kernels.Parse(name, space))(t)
	g := rapid.SliceOfN(
		rapid.SampledFrom([]float64{0, 0, 1e-17, -1, -deepest, math.Inf(-1)}),
		2*side,
		2*side,
	).Draw(t, "g")
	g[0] = 0
	chain, err := averages.New(ctx, k, g)
	if err != nil {
		t.Skip(err)
	}
	start := make([]float64, 2*side)
	start[rapid.IntRange(0, 2*side-1).Draw(t, "start")] += 0.5
	start[0] += 0.5
	coupling := longtest.Must(
		couplings.New(rapid.SampledFrom([]string{"rows", "common", "independent"}).Draw(t, "coupling"), k),
	)(t)
	m, err := longtest.Must(longtest.Must(New(ctx, coupling, chain))(t).Solve(ctx))(t).Meet(
		ctx,
		start,
		rapid.SampledFrom([]int{1, 2, 3, 10}).Draw(t, "lag"),
	)
	if err != nil {
		t.Skip(err)
	}
	return chain, m
}

// moveByMove returns D from some times on, as the sum of the distances of the distributions that
// are the lag apart, and whether these fall to a part of the last sum, or to an absolute size,
// within 10 million moves, or 30,000 if a part is given.
func moveByMove(m *Law, ts []int64, part, least float64) (sums []float64, ends bool) {
	sums = make([]float64, len(ts))
	between := m.solved.sets.after(m.solved.pairs.Chain, m.start, m.Lag)
	most := int64(10_000_000)
	if part > 0 {
		most = 30_000
	}
	for i := int64(0); i < most; i++ {
		if size := between.totalVariation(); size < part*sums[len(ts)-1] || size <= least {
			return sums, true
		}
		for at, first := range ts {
			if i >= first && (i-first)%int64(m.Lag) == 0 {
				sums[at] += between.totalVariation()
			}
		}
		between.moveBoth()
	}
	return sums, false
}

// TestLaggedMoveByMove: D is the sum of the distances, added up move by move, to the digits that a
// note says.
func TestLaggedMoveByMove(t *testing.T) {
	ctx := context.Background()
	ts := []int64{0, 1, 7, 30}
	judged := 0
	judge := func(t rapid.TB, m *Law) {
		wanted, ends := moveByMove(m, ts, 1e-19, 1e-30)
		if m.Floor > 0 || !ends {
			return // the distribution does not tend to the target, or too slowly
		}
		for at := range ts { // a note is about the smallest D, the last
			for _, asked := range [][]int64{ts[:at+1], ts[at : at+1]} {
				all, note, err := m.lagTV(ctx, asked)
				longtest.NoError(t, err)
				got := all[len(all)-1]
				want := wanted[at]
				within := 1e-12
				digits := 0.0
				if want < 1e-2*wanted[0] {
					within = 1e-10 // from which on a note says how many digits there are
				}
				for _, says := range []string{"rounding of the modes of the chain leaves about %f",
					"rounding of larger distances leaves about %f"} {
					if _, err := fmt.Sscanf(note, says, &digits); err == nil {
						within = math.Pow(10, -digits)
					}
				}
				if within == 1 || strings.HasPrefix(note, "D is not given") ||
					got == 0 && want < 1e-16*wanted[0] {
					continue // of the last the sum move by move has no digits
				}
				judged++
				if !(math.Abs(got-want) <= within*want+1e-28) {
					t.Errorf("t = %d: D is %v, and %v move by move; %s", ts[at], got, want, note)
				}
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		_, m := drawnLaw(t, rapid.SampledFrom([]float64{3, 8}).Draw(t, "depth"))
		judge(t, m)
	})
	if judged == 0 {
		t.Error("no D was judged")
	}
	k := longtest.Must(kernels.Parse("metropolis", grid.MustNew(2, 2)))(t)
	for _, g := range [][]float64{{0, 0, -1, 0}, {0, -3, math.Inf(-1), 0}} {
		// by symmetry the slowest mode holds rounding alone
		pairs := longtest.Must(New(
			ctx,
			longtest.Must(couplings.New("rows", k))(t),
			longtest.Must(averages.New(ctx, k, g))(t),
		))(t)
		judge(t, longtest.Must(longtest.Must(pairs.Solve(ctx))(t).Meet(ctx, []float64{0.5, 0, 0, 0.5}, 1))(t))
	}
}

// TestSumsBackward: the moments of the estimator with every k are those that are found backward,
// from the end, for each k alone.
func TestSumsBackward(t *testing.T) {
	ctx := context.Background()
	judged := 0
	rapid.Check(t, func(t *rapid.T) {
		chain, m := drawnLaw(t, 6)
		if gap := longtest.Must(m.solved.TailGap(ctx))(t); !(m.Mean <= 1e3 && gap > 1e-4) {
			return
		}
		g := make([]float64, chain.States())
		for x := range g {
			g[x] = rapid.Float64Range(-1, 1).Draw(t, "h")
		}
		f, err := chain.Standardise(g)
		if err != nil {
			return
		}
		last := rapid.IntRange(0, 14).Draw(t, "m")
		means, seconds, err := m.momentsByStart(ctx, f.Values, 0, last, last)
		longtest.NoError(t, err)
		for k := range last + 1 {
			e := estimate{meeting: m, pairs: m.solved.ordered, lag: m.Lag, h: f.Values, k: k, last: last}
			mean, second, err := e.moments(ctx)
			longtest.NoError(t, err)
			judged++
			if !(math.Abs(seconds[k]-second) <= 1e-10*second) ||
				!(math.Abs(means[k]-mean) <= 1e-10*math.Sqrt(second)) {
				t.Errorf("k = %d, m = %d: moments %v and %v, for %v and %v", k, last, means[k], seconds[k],
					mean, second)
			}
		}
	})
	if judged == 0 {
		t.Error("no moments were judged")
	}
}

// TestRareStatesEndNoSum: the sums of a state that is never entered, where a function is large,
// leave the digits of the others. The second moment is 29/14 by the other way.
func TestRareStatesEndNoSum(t *testing.T) {
	ctx := context.Background()
	k := longtest.Must(kernels.Parse("metropolis", grid.MustNew(3, 2)))(t)
	chain := longtest.Must(averages.New(ctx, k, []float64{0, 0, 0, 0, math.Inf(-1), 0}))(t)
	pairs := longtest.Must(New(ctx, longtest.Must(couplings.New("rows", k))(t), chain))(t)
	m := longtest.Must(longtest.Must(pairs.Solve(ctx))(t).Meet(ctx, []float64{1, 0, 0, 0, 0, 0}, 1))(t)
	h := longtest.Must(chain.Standardise([]float64{0, 0, 0, 1, 4095, 0}))(t).Values
	mean, second, err := m.backward(ctx, h, 0, 0, 0)
	longtest.NoError(t, err)
	if math.Abs(mean[0]) > 1e-14 || math.Abs(second[0]-29./14) > 1e-14 {
		t.Errorf("moments %v and %v, for 0 and 29/14", mean, second)
	}
}

// TestModesAgainstPowers: the mixing time by modes is that by powers of Q, and so is d.
func TestModesAgainstPowers(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		toy, coupling string
	}{{"barrier:3x3", "rows"}, {"cells:0:-6:2/-8:-3:-5", "common"}, {"cells:0:-37:2", "rows"},
		{"barrier:3x3", "independent"}} {
		pairs := pairsOf(t, c.toy, "metropolis", c.coupling)
		n := pairs.Chain.States()
		start := make([]float64, n)
		for x := range start {
			start[x] = 1 / float64(n)
		}
		solved := longtest.Must(pairs.Solve(ctx))(t)
		for _, lag := range []int{1, 10} {
			m := longtest.Must(solved.Meet(ctx, start, lag))(t)
			law := m.newSweep()
			for range movesBeforeModes {
				law.movePairs()
			}
			d := longtest.Must(m.declines(ctx, law.a, movesBeforeModes))(t)
			if d == nil {
				t.Errorf("%v: no modes", c)
				continue
			}
			for range movesBeforeModes {
				law.movePairs()
			}
			got, known := d.time(m, 0.25)
			want := longtest.Must(m.timeOfBound(ctx, law.a, 2*movesBeforeModes, 0.25))(t)
			if off := math.Abs(got.Moves - want.Moves); !known ||
				off > 2*(got.Error+want.Error) && (off > 0 || got.Error < 0) {
				t.Errorf("%v, lag %d: %+v by modes (known: %v), %+v by powers", c, lag, got, known, want)
			}
			for extra := range 3 {
				bound, _, off := d.boundAt(float64(2*movesBeforeModes + extra))
				if want := dot(law.a, m.tail); !(math.Abs(bound-want) <= off+1e-12*want && off < 1e-9*want) {
					t.Errorf("%v, lag %d: d is %v up to %v, for %v", c, lag, bound, off, want)
				}
				law.movePairs()
			}
		}
	}
}
