package exact_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact"
	"breadboard/exact/internal/exacttest"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// TestApplied compares the method that applies kernels with the general one, on geometric paths
// between random ends, some of them far apart, nearly flat or with ties, with even and uneven
// steps.
func TestApplied(t *testing.T) {
	met := map[bool]bool{}
	check := func(t rapid.TB, a *chains.Annealing) {
		got := exacttest.Solve(t, a)
		want := solveWith(t, a, exact.Options{General: true})
		met[got.Method == exact.MethodApplied] = true
		same := func(name string, got, want, tolerance float64) {
			if !(math.Abs(got-want) <= tolerance) && got != want {
				t.Fatalf("%v, %s: %s = %v, by rows %v", a.Kernel(), a.Path(), name, got, want)
			}
		}
		same("B", got.B, want.B, 1e-12*want.B+2*want.ErrorB)
		same("E_fwd[log w]", got.MeanLogWForward, want.MeanLogWForward,
			1e-12*(1+math.Abs(want.MeanLogWForward)+want.B)+2*want.ErrorLogW)
		same("log Z ratio", got.LogZRatio, want.LogZRatio, 1e-12*(1+math.Abs(want.LogZRatio)))
		one := got.Numbers()
		other := want.Numbers()
		same("J", got.J, want.J, 2e-12*want.J+one.J.Error+other.J.Error)
		same("KL(q||p)", got.KLQP, want.KLQP, 2e-12*want.KLQP+one.KLQP.Error+other.KLQP.Error)
		same("KL(p||q)", got.KLPQ, want.KLPQ, 2e-12*want.KLPQ+one.KLPQ.Error+other.KLPQ.Error)
		for x, q := range want.Output {
			same("q", got.Output[x], q, 1e-13*(1+q))
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		l := exacttest.SmallLattice(t, 20)
		k, err := kernels.Parse(rapid.SampledFrom(exacttest.Library()).Draw(t, "kernel"), l)
		if err != nil {
			t.Skip(err)
		}
		path := longtest.Must(
			paths.NewGeometric(scaledEnd(t, l.States(), "initial"), scaledEnd(t, l.States(), "target")),
		)(t)
		schedule := rapid.SampledFrom([]chains.Schedule{
			schedules.Linear{}, schedules.Sigmoid{Delta: 4}, schedules.Power{P: 3}}).Draw(t, "schedule")
		check(t, longtest.Must(chains.NewAnnealing(
			path,
			schedule,
			k,
			rapid.SampledFrom([]int{2, 5, 20, 300, 600}).Draw(t, "T"),
		))(t))
	})
	if !met[true] || !met[false] {
		t.Errorf("not both methods were met: %v", met)
	}
	// A last move that forgets the start: J is zero, and both numbers are rounding, of 50 steps
	// that of the drift.
	for n, T := range map[int]int{6: 2, 2: 50} {
		initial := slices.Repeat([]float64{1}, n)
		initial[n-1] = 0.5
		k := longtest.Must(kernels.Parse(map[int]string{6: "jump:1", 2: "metropolis"}[n], grid.MustNew(n)))(t)
		path := longtest.Must(paths.NewGeometric(initial, make([]float64, n)))(t)
		check(t, longtest.Must(chains.NewAnnealing(path, schedules.Linear{}, k, T))(t))
	}
}

// scaledEnd draws log f, of some range and about some constant.
func scaledEnd(t *rapid.T, states int, name string) []float64 {
	scale := rapid.SampledFrom([]float64{0, 1e-12, 1e-3, 1, 20, 300}).Draw(t, "range of "+name)
	constant := rapid.SampledFrom([]float64{0, 1e12, -1e6}).Draw(t, "constant of "+name)
	logf := rapid.SliceOfN(rapid.Float64Range(-1, 1), states, states).Draw(t, name)
	for x, v := range logf {
		logf[x] = constant + scale*max(v, -0.5)
	}
	return logf
}

// TestBentPaths: on paths that are not geometric the specialised methods give what the general
// method gives, with few steps and with many.
func TestBentPaths(t *testing.T) {
	special := map[exact.Method]int{}
	rapid.Check(t, func(t *rapid.T) {
		space := grid.MustNew(rapid.SampledFrom([][]int{{5, 6}, {17}, {12, 11}}).Draw(t, "sides")...)
		ends := func(what string) []float64 { return exacttest.DrawLogF(t, what, space.States(), false) }
		path := longtest.Must(paths.NewPowerMean(rapid.SampledFrom([]float64{-2, 0, 0.5, 0.99, 1.5, 3}).Draw(
			t,
			"q",
		), ends("initial"), ends("target")))(t)
		if rapid.IntRange(0, 3).Draw(t, "piecewise") == 0 {
			path = longtest.Must(paths.NewPiecewise("via", ends("initial"), ends("middle"), ends("target"), 0.3))(t)
		}
		kernel := rapid.SampledFrom(
			[]chains.Kernel{kernels.Metropolis{Space: space}, kernels.Barker{Space: space}},
		).Draw(t, "kernel")
		a := longtest.Must(
			chains.NewAnnealing(path, schedules.Linear{}, kernel, rapid.IntRange(2, 400).Draw(t, "T")),
		)(t)
		got := longtest.Must(exact.Solve(context.Background(), a, exact.Options{}))(t)
		special[got.Method]++
		want := longtest.Must(exact.Solve(context.Background(), a, exact.Options{General: true}))(t)
		lost := 1e-12 + got.ErrorJ + want.ErrorJ
		for i, v := range [][2]float64{
			{got.J, want.J}, {got.KLPQ, want.KLPQ}, {got.KLQP, want.KLQP}, {got.B, want.B}} {
			if i == 3 {
				lost = 1e-12 + (got.ErrorB+want.ErrorB)/want.B
			}
			if !(math.Abs(v[0]-v[1]) <= lost*math.Abs(v[1])) && v[0] != v[1] {
				t.Errorf("%v, %v, by the %s: number %d is %v, by the general method %v", path, kernel,
					got.Method, i, v[0], v[1])
			}
		}
	})
	if special[exact.MethodStencil] < 5 || special[exact.MethodApplied] < 5 {
		t.Errorf("solved by %v", special)
	}
}

// TestLargeSpaces: on a space whose edges are not listed, and whose heat baths go by tiles, steps
// of tens of nats and shares of several workers give what the rows give.
func TestLargeSpaces(t *testing.T) {
	longtest.Only(t)
	space := longtest.Must(grid.New(slices.Repeat([]int{2}, 16)...))(t)
	target := make([]float64, space.States())
	for x := range target { // spins in random fields with random couplings
		for i := range 16 {
			spin := float64(2*(x>>i&1) - 1)
			target[x] += spin * math.Sin(float64(7*i*i+3))
			for j := range i {
				target[x] += spin * float64(2*(x>>j&1)-1) * math.Cos(float64(31*i+17*j))
			}
		}
	}
	path := longtest.Must(paths.NewGeometric(make([]float64, len(target)), target))(t)
	for name, lengths := range map[string][]int{
		"flip": {2, 3, 9}, "metropolis": {3, 9}, "heatbath-scan": {2, 3, 9}} {
		for _, T := range lengths {
			k := longtest.Must(kernels.Parse(name, space))(t)
			a := longtest.Must(chains.NewAnnealing(path, schedules.Linear{}, k, T))(t)
			got, want := solveWith(t, a, exact.Options{Workers: 3}),
				solveWith(t, a, exact.Options{General: true})
			if alone := exacttest.Solve(t, a); got.Method == exact.MethodGeneral || alone.B != got.B ||
				alone.J != got.J {
				t.Errorf("%s, T = %d by the method %s: B = %v and J = %v, by one worker %v and %v", name,
					T, got.Method, got.B, got.J, alone.B, alone.J)
			}
			for what, v := range map[string][2]float64{"J": {got.J, want.J}, "B": {got.B, want.B},
				"KL(q||p)": {got.KLQP, want.KLQP}, "KL(p||q)": {got.KLPQ, want.KLPQ}} {
				if math.Abs(v[0]/v[1]-1) > 1e-12 {
					t.Errorf("%s, T = %d: %s = %v, by rows %v", name, T, what, v[0], v[1])
				}
			}
		}
	}
}

// TestRowsThatDoNotFit: if log f spans too much for a kernel without rows, and rows would take too
// much memory, the refusal says so, and which range would do.
func TestRowsThatDoNotFit(t *testing.T) {
	g := make([]float64, 20_000)
	g[0] = 900
	space := longtest.Must(grid.New(len(g)))(t)
	a := longtest.Must(chains.NewAnnealing(longtest.Must(paths.NewGeometric(nil, g))(t), schedules.Linear{},
		kernels.HeatBathAxis{Space: space}, 3))(t)
	longtest.Refuses(exact.Solve(t.Context(), a, exact.Options{}))(t, "spans from 0.01 to 600 nats")
}
