package exact

import (
	"context"
	"math"
	"testing"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/grid/longtest"
)

// TestCancellation: the same for B and the expected log weights, whose errors are 8 times 2^-53 of
// the sums of the sizes of their terms, forward and reverse. An error below the promise, which is
// relative, is none.
func TestCancellation(t *testing.T) {
	const unit = 8 * 0x1p-53
	for _, c := range []struct {
		b, forward, reverse, mean float64 // the sizes in nats that rounding comes to
		lost                      [3]bool // of B, and the expected log weights forward and reverse
	}{
		{1, 0.4e-12, 0.5e-12, 1, [3]bool{}},
		{1, 0.4e-12, 0.7e-12, 1, [3]bool{true}},
		{-1, 0.4e-12, 0.7e-12, 1, [3]bool{true}},
		{1e-3, 4e-5, 5e-5, 1, [3]bool{true, true, true}}, {1, 1e-17, 1e-17, 1e-4, [3]bool{}},
		{1, 1e-17, 1e-17, 1e-6, [3]bool{false, true, true}},
		{5, 0, 1.1e-12, 1, [3]bool{false, false, true}}, {5, 0, 0.9e-12, 1, [3]bool{}},
		{5, 1.5e-12, 0, 2, [3]bool{}},
		{5, 2.7e-12, 0, 1, [3]bool{false, true, false}},
	} {
		s := &Solution{B: c.b, MeanLogWForward: c.mean, MeanLogWReverse: c.mean}
		s.setCancellation([2]float64{c.forward / unit, c.reverse / unit})
		if math.Abs(s.ErrorB/(c.forward+c.reverse)-1) > 1e-12 ||
			math.Abs(s.ErrorLogW/max(c.forward, c.reverse)-1) > 1e-12 {
			t.Errorf("%+v: errors %v and %v", c, s.ErrorB, s.ErrorLogW)
		}
		n := s.Numbers()
		for i, b := range []number.Bounded{n.B, n.MeanLogWForward, n.MeanLogWReverse} {
			want := 0.0
			if c.lost[i] {
				want = []float64{c.forward + c.reverse, c.forward, c.reverse}[i]
			}
			if b.Error != want && !(math.Abs(b.Error/want-1) < 1e-12) {
				t.Errorf("%+v: number %d has the error %v, want %v", c, i, b.Error, want)
			}
		}
	}
}

// TestFarSquare: a state that leaves adds its mass to the mean square of p_{t-1}/p_t - 1, one that
// comes adds that of 1 - p_{t-1}/p_t times what it gains over its own mass, which is its term of
// the mean: (here - before)^2/here.
func TestFarSquare(t *testing.T) {
	for _, c := range [][3]float64{
		{0.5, 0.1, 0.5}, {0.1, 0.5, 0.16 / 0.5}, {0, 0.3, 0.3}, {0.3, 0, 0.3}, {0.2, 0.2, 0.2}} {
		if got := farSquare(c[0], c[1]); math.Abs(got-c[2]) > 1e-16 {
			t.Errorf("farSquare(%v, %v) = %v, want %v", c[0], c[1], got, c[2])
		}
	}
}

// TestDriftIsRefused: the mass of the output may be off by 1e-12 and no more, either way, and no
// number may be none.
func TestDriftIsRefused(t *testing.T) {
	for drift, wrong := range map[float64]bool{
		0.9e-12: false, -0.9e-12: false, 1.1e-12: true, -1.1e-12: true} {
		if err := (&Solution{Drift: drift}).checkMass(); (err != nil) != wrong {
			t.Errorf("drift %v: %v", drift, err)
		}
	}
	nan := math.NaN()
	for i, s := range []*Solution{{J: nan}, {KLQP: nan}, {KLPQ: nan}, {B: nan}, {LogZRatio: nan}} {
		if s.checkMass() == nil {
			t.Errorf("solution %d with no number passes", i)
		}
	}
}

// TestIdentityTolerances: J and its like must agree to 1e-12 and half a unit in the last place a
// stage, relative to one plus what is added up.
func TestIdentityTolerances(t *testing.T) {
	if got, want := IdentityTolerance(1<<20), 1e-12+0x1p-33; math.Abs(got/want-1) > 1e-15 {
		t.Errorf("tolerance %v, want %v", got, want)
	}
	if got, want := MeanTolerance(2, -3, 4), 8*(1e-12+0x1p-52); math.Abs(got/want-1) > 1e-15 {
		t.Errorf("tolerance of means %v, want %v", got, want)
	}
	if got, want := MeanTolerance(2, math.Inf(-1), 4), 5*(1e-12+0x1p-52); math.Abs(got/want-1) > 1e-15 {
		t.Errorf("tolerance of means of which one is infinite %v, want %v", got, want)
	}
	for _, c := range []struct {
		got, want float64
		ok        bool
	}{{1, 1.5, true}, {1, 1.6, false}, {1, 0.4, false}, {math.Inf(1), math.Inf(1), true},
		{math.Inf(1), math.Inf(-1), false}, {math.NaN(), 1, false}} {
		if i := NewIdentity("test", c.got, c.want, 0.55); i.OK != c.ok {
			t.Errorf("%+v", i)
		}
	}
}

// annealingOf returns an annealing from uniform to g on a geometric path with a linear schedule.
func annealingOf(t longtest.Failer, g []float64, kernel chains.Kernel, T int) *chains.Annealing {
	t.Helper()
	path := longtest.Must(paths.NewGeometric(nil, g))(t)
	return longtest.Must(chains.NewAnnealing(path, schedules.Linear{}, kernel, T))(t)
}

// WithReversalIn is WithReversal with another limit on its memory, in bytes.
func WithReversalIn(ctx context.Context, a *chains.Annealing, limit float64) (*chains.Annealing, error) {
	return withReversalWithin(ctx, a, limit)
}
