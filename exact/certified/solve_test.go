package certified_test

import (
	"context"
	"math"
	"math/big"
	"testing"

	"breadboard/exact/certified"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/schedules"
	"breadboard/exact/internal/exacttest"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

func solve(t testing.TB, a *chains.Annealing, bits uint) *certified.Solution {
	t.Helper()
	return longtest.Must(certified.Solve(context.Background(), a, bits, func(int) {}))(t)
}

// TestAgreesWithExact compares with package exact on random lattices, with walls and rings, under
// any schedule.
func TestAgreesWithExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		space := exacttest.SmallLattice(t, 64)
		g := rapid.SliceOfN(rapid.Float64Range(-9, 9), space.States(), space.States()).Draw(t, "g")
		schedule := rapid.SampledFrom([]chains.Schedule{
			schedules.Linear{}, schedules.Sigmoid{Delta: 4}, schedules.Power{P: 2.5}}).Draw(t, "schedule")
		kernel := rapid.SampledFrom(
			[]chains.Kernel{kernels.Metropolis{Space: space}, kernels.Barker{Space: space}},
		).Draw(t, "kernel")
		a := exacttest.Build(t, nil, g, schedule, kernel, rapid.IntRange(2, 20).Draw(t, "T"))
		got := longtest.Must(certified.Solve(context.Background(), a, 128, func(int) {}))(t)
		want := exacttest.Solve(t, a)
		for _, c := range []struct {
			name string
			got  certified.Value
			want float64
		}{{"J", got.J, want.J}, {"B", got.B, want.B}, {"KL(q||p)", got.KLQP, want.KLQP},
			{"KL(p||q)", got.KLPQ, want.KLPQ}} {
			// If J is lost in rounding, no digits of it are right; see exact.Solution.Notes.
			if d := c.got.Digits(c.want); d < 11 && c.want > 1e-20 {
				t.Fatalf("%s = %v, certified %s: %v digits (%v)", c.name, c.want, c.got.Text(), d, want.Notes)
			}
		}
	})
}

func floatOf(v *big.Float) float64 {
	f, _ := v.Float64()
	return f
}

// TestBoundHolds compares computations with few bits with one with many. Errors must be within
// their bounds, and the bounds must not be so large that they would hide a fault.
func TestBoundHolds(t *testing.T) {
	longtest.Only(t)
	for _, c := range []struct {
		toy, schedule, kernel string
		T                     int
	}{
		{"easy", "linear", "metropolis", 2}, {"easy", "linear", "metropolis", 500},
		{"hard", "linear", "barker", 200}, {"barrier", "sigmoid:4", "metropolis", 50},
		{"random:300:0", "linear", "metropolis", 100}, {"random:300:0", "linear", "metropolis", 4},
		{"file:../testdata/corners.csv", "linear", "barker", 4},
		{"random:1000:1:3", "linear", "metropolis", 4}, {"random:1000:1:3", "sigmoid:4", "barker", 3},
		{"random:1000:1:3", "power:0.7", "metropolis", 4},
		{"random:1:0:3x3x3", "power:0.5", "barker", 30},
	} {
		if c.T > 50 && !longtest.More() {
			continue
		}
		a := exacttest.Annealing(t, c.toy, c.schedule, c.kernel, c.T)
		truth := solve(t, a, 512)
		for _, bits := range []uint{80, 113, 256} {
			s := solve(t, a, bits)
			for i, v := range []certified.Value{s.J, s.B, s.KLQP, s.KLPQ} {
				w := []certified.Value{truth.J, truth.B, truth.KLQP, truth.KLPQ}[i]
				off := math.Abs(floatOf(new(big.Float).Sub(v.Number, w.Number)))
				if !(off <= v.Error) || !v.Overlaps(w) {
					t.Errorf("%v: quantity %d in %d bits is off by %v, bound %v", c, i, bits, off, v.Error)
				}
				if v.Error > math.Ldexp(1e10, -int(bits))*(1+floatOf(w.Number)) {
					t.Errorf("%v: quantity %d in %d bits has a bound of %v", c, i, bits, v.Error)
				}
			}
		}
	}
}

func TestDigits(t *testing.T) {
	v := certified.Value{Number: decimal(t, "0.1000000000000000000000000000001"), Error: 1e-40}
	for _, c := range []struct{ x, want, within float64 }{
		{0.1, 16.26, 0.01}, {0.1 * (1 + 1e-12), 12, 0.01}, {0.2, 0, 0}, {-0.1, 0, 0}, {math.NaN(), 0, 0},
		{math.Inf(1), 0, 0}, {0.09, 1, 0.01},
	} {
		if got := v.Digits(c.x); math.Abs(got-c.want) > c.within {
			t.Errorf("%v has %v digits, want %v", c.x, got, c.want)
		}
	}
	if d := (certified.Value{Number: big.NewFloat(0.5), Error: 1e-30}).Digits(0.5); d != 17 {
		t.Errorf("a half has %v digits", d)
	}
	if d := (certified.Value{Number: big.NewFloat(0.5), Error: 1e-5}).Digits(0.5); math.Abs(d-4.7) > 0.01 {
		t.Errorf("a half that is known to 1e-5 has %v digits", d)
	}
	nought := certified.Value{Number: big.NewFloat(1e-50), Error: 1e-49}
	if nought.Digits(0) != 17 || nought.Digits(1e-60) != 0 || nought.Text() != "0" {
		t.Errorf("of a zero: %v, %v digits, %s", nought.Digits(0), nought.Digits(1e-60), nought.Text())
	}
	if v.Text() != "0.1000000000000000000000000000001" ||
		v.Overlaps(certified.Value{Number: decimal(t, "0.1"), Error: 1e-32}) ||
		!v.Overlaps(certified.Value{Number: decimal(t, "0.1"), Error: 2e-31}) {
		t.Errorf("%s", v.Text())
	}
}

func TestRefusals(t *testing.T) {
	space := grid.MustNew(3)
	build := func(initial, target []float64, k chains.Kernel) *chains.Annealing {
		return exacttest.Build(t, initial, target, schedules.Linear{}, k, 5)
	}
	g := []float64{0, 1, 2}
	for _, c := range []struct {
		a    *chains.Annealing
		want string
	}{
		{build(nil, g, kernels.Moore{Space: space}),
			"kernel moore cannot be certified; metropolis and barker can"},
		{build(g, g, kernels.Metropolis{Space: space}), "not uniform"},
		{build(nil, []float64{0, math.Inf(-1), 1}, kernels.Metropolis{Space: space}), "zeros"},
	} {
		longtest.Refuses(certified.Solve(t.Context(), c.a, certified.Bits, func(int) {}))(t, c.want)
	}
	longtest.Refuses(certified.Solve(t.Context(), build(nil, g, kernels.Metropolis{Space: space}),
		40, func(int) {}))(t, "40 bits are too few")
}

// TestCertifiedCurve: a curve with as many distributions as points is certified to be the schedule
// of these points.
func TestCertifiedCurve(t *testing.T) {
	betas := []float64{0, 1e-300, 0.1, 0.1, 0.7, 1}
	points := longtest.Must(schedules.NewPoints("points", betas))(t)
	a := exacttest.Annealing(t, "random:2:0:3x3", "curve:0:1e-300:0.1:0.1:0.7:1", "metropolis", len(betas))
	b := longtest.Must(chains.NewAnnealing(a.Path(), points, a.Kernel(), len(betas)))(t)
	if got, want := solve(t, a, 128), solve(t, b, 128); got.J.Number.Cmp(want.J.Number) != 0 ||
		got.B.Number.Cmp(want.B.Number) != 0 {
		t.Errorf("J and B of the curve are %v and %v, of its points %v and %v", got.J.Number, got.B.Number,
			want.J.Number, want.B.Number)
	}
}
