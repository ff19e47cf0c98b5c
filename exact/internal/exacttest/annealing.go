package exacttest

import (
	"context"
	"math"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact"
	"breadboard/grid"
	"breadboard/grid/longtest"
	"breadboard/toys"
)

// PatternLogF returns log f of n states, in nats: a fixed pattern between -2 and 2 without any smoothness, on which
// programs are timed.
func PatternLogF(n int) []float64 {
	g := make([]float64, n)
	for x := range g {
		g[x] = 2 * math.Sin(1+12.9898*float64(x))
	}
	return g
}

// Pattern is an annealing on a square to the target of PatternLogF.
func Pattern(tb longtest.Failer, side, T int, kernel func(*grid.Lattice) chains.Kernel) *chains.Annealing {
	tb.Helper()
	space := grid.MustNew(side, side)
	g := PatternLogF(space.States())
	return Build(tb, nil, g, schedules.Linear{}, kernel(space), T)
}

// Metropolis returns Metropolis' kernel on a lattice, as a function to hand to Pattern.
func Metropolis(l *grid.Lattice) chains.Kernel { return kernels.Metropolis{Space: l} }

// Barker returns Barker's kernel on a lattice, as a function to hand to Pattern.
func Barker(l *grid.Lattice) chains.Kernel { return kernels.Barker{Space: l} }

// Failing returns the names of the identities of exact.Check that do not hold of a solution.
func Failing(t longtest.Failer, a *chains.Annealing, s *exact.Solution) []string {
	t.Helper()
	ids := longtest.Must(exact.Check(context.Background(), a, s, nil))(t)
	var names []string
	for _, i := range ids {
		if !i.OK {
			names = append(names, i.Name)
		}
	}
	return names
}

// Build builds an annealing on the geometric path between two ends, or fails the test. A nil initial is uniform.
func Build(t longtest.Failer, initial, target []float64, schedule chains.Schedule, kernel chains.Kernel, T int) *chains.Annealing {
	t.Helper()
	path := longtest.Must(paths.NewGeometric(initial, target))(t)
	return longtest.Must(chains.NewAnnealing(path, schedule, kernel, T))(t)
}

// Points returns the schedule with the given betas, or fails the test.
func Points(t longtest.Failer, betas ...float64) *schedules.Points {
	t.Helper()
	return longtest.Must(schedules.NewPoints("test", betas))(t)
}

// TwoModes is an annealing on a line of five states, with a mode at either end.
func TwoModes() *chains.Annealing {
	line, _ := grid.New(5)
	path, _ := paths.NewGeometric(nil, []float64{2, 0, -3, 0, 1})
	a, _ := chains.NewAnnealing(path, schedules.Linear{}, kernels.Metropolis{Space: line}, 20)
	return a
}

// Annealing builds the annealing that the selectors name, on the geometric path from a uniform start, or fails the test.
func Annealing(t longtest.Failer, toy, schedule, kernel string, T int) *chains.Annealing {
	t.Helper()
	y := longtest.Must(toys.Parse(toy))(t)
	path := longtest.Must(paths.NewGeometric(nil, y.G))(t)
	s := longtest.Must(schedules.Parse(schedule))(t)
	k := longtest.Must(kernels.Parse(kernel, y.Space))(t)
	return longtest.Must(chains.NewAnnealing(path, s, k, T))(t)
}

// OnPath returns the annealing on another path, to the target of the toy from a uniform start.
func OnPath(t longtest.Failer, a *chains.Annealing, path, toy string) *chains.Annealing {
	t.Helper()
	y := longtest.Must(toys.Parse(toy))(t)
	start := longtest.Must(toys.ParseInitial(context.Background(), "uniform", y))(t)
	p := longtest.Must(toys.ParsePath(path, start.Ends, y))(t)
	a = longtest.Must(chains.NewAnnealing(p, a.Schedule(), a.Kernel(), a.Distributions()))(t)
	return a
}

// Solve returns the solution of an annealing, and fails the test where there is none.
func Solve(t longtest.Failer, a *chains.Annealing) *exact.Solution {
	t.Helper()
	return SolveWith(t, a, exact.Options{})
}

// SolveWith returns the solution of an annealing with options, and fails the test where there is none.
func SolveWith(t longtest.Failer, a *chains.Annealing, o exact.Options) *exact.Solution {
	t.Helper()
	return longtest.Must(exact.Solve(context.Background(), a, o))(t)
}

// Longest returns how many distributions a case may have: short in the fast lane, usual by default, and whole with -long.
func Longest(short, usual, whole int) int {
	switch {
	case longtest.Short():
		return short
	case longtest.Enabled():
		return whole
	}
	return usual
}
