package meeting_test

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/couplings"
	"breadboard/chains/kernels"
	"breadboard/exact/averages"
	"breadboard/exact/meeting"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// drawn is a coupling on a small random target.
type drawn struct {
	kernel chains.Kernel
	chain  *averages.Chain
	name   string
	pairs  *meeting.Pairs
	solved *meeting.Solved
	start  []float64
}

// draw draws a target with ties and wide ranges, a kernel, a coupling that it has and a start.
func draw(t *rapid.T) drawn {
	ctx := context.Background()
	sides := rapid.SampledFrom([][]int{{2}, {4}, {2, 2}, {3, 2}, {3, 3}, {2, 2, 2}}).Draw(t, "sides")
	space := grid.MustNew(sides...)
	logf := make([]float64, space.States())
	for x := range logf {
		logf[x] = rapid.SampledFrom([]float64{0, 0, 1, -2, 3.5, 1e12, 1e12 + 1, 1e-12}).Draw(t, "logf")
	}
	low := rapid.Float64Range(-3, 3).Draw(t, "shift")
	for x := range logf {
		if logf[x] > 1e11 { // a constant of 1e12 leaves 1e-4 of each difference
			logf[x] -= 1e12
		}
		logf[x] += low
	}
	name := rapid.SampledFrom([]string{"metropolis", "barker", "heatbath", "lazy:0.3:metropolis",
		"independence", "heatbath-scan"}).Draw(t, "kernel")
	k := longtest.Must(kernels.Parse(name, space))(t)
	chain := longtest.Must(averages.New(ctx, k, logf))(t)
	d := drawn{
		kernel: k,
		chain:  chain,
		name:   rapid.SampledFrom(couplings.Names()).Draw(t, "coupling"),
		start:  make([]float64, len(logf)),
	}
	c, err := couplings.New(d.name, k)
	if couplings.Refused(err) {
		d.name = "rows"
		c, err = couplings.New(d.name, k)
	}
	longtest.NoError(t, err)
	d.pairs = longtest.Must(meeting.New(ctx, c, chain))(t)
	d.solved = longtest.Must(d.pairs.Solve(ctx))(t)
	sum := 0.0
	for x := range d.start {
		d.start[x] = rapid.SampledFrom([]float64{0, 1, 3}).Draw(t, "start")
		sum += d.start[x]
	}
	for x := range d.start {
		d.start[x] /= max(sum, 1)
		if sum == 0 {
			d.start[x] = 1 / float64(len(d.start))
		}
	}
	return d
}

// TestNeverMeets: chains that cannot meet are named, and their time is infinite.
func TestNeverMeets(t *testing.T) {
	ctx := context.Background()
	solved, _ := solve(t, turning{}, "common", []float64{0, 0})
	m := longtest.Must(solved.Meet(ctx, []float64{0.5, 0.5}, 1))(t)
	if x, y, never := solved.Never(); !never || x == y || !math.IsInf(m.Mean, 1) {
		t.Errorf("states %d and %d, %v; the mean is %v", x, y, never, m.Mean)
	}
	if got := longtest.Must(m.Time(ctx, 0.25))(t).Moves; !math.IsInf(got, 1) {
		t.Errorf("the bound is below a quarter after %v moves", got)
	}
}

// turning is a coin that is turned over in each move.
type turning struct{}

func (turning) Move(_ chains.Chooser, _ []float64, x int) int { return 1 - x }
