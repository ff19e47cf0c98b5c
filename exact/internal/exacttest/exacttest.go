// Package exacttest holds what the tests of package exact and of the packages in its directory
// share: annealings, random problems, unusual kernels and slow references. Only tests import it.
package exacttest

import (
	"context"
	"flag"
	"math"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/number"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact"
	"breadboard/exact/kernel"
	"breadboard/grid"
	"breadboard/grid/longtest"
	"breadboard/toys/forms"
)

// Scan is a kernel that is not reversible: a Metropolis step along each axis in turn.
type Scan struct {
	Space    *grid.Lattice
	Backward bool
}

// Reversal returns the scan along the axes in the opposite order.
func (k Scan) Reversal() chains.Kernel { return Scan{k.Space, !k.Backward} }

// Move implements chains.Kernel.
func (k Scan) Move(c chains.Chooser, logf []float64, x int) int {
	for i := range k.Space.Dims() {
		axis := i
		if k.Backward {
			axis = k.Space.Dims() - 1 - i
		}
		y, inside := k.Space.Neighbour(x, 2*axis+c.Uniform(2))
		if !inside || math.IsInf(logf[y], -1) {
			continue
		}
		if c.Flip(math.Exp(min(0, logf[y]-logf[x]))) {
			x = y
		}
	}
	return x
}

// MoveFunc is a function used as a kernel.
type MoveFunc func(chains.Chooser, []float64, int) int

// Move implements chains.Kernel.
func (f MoveFunc) Move(c chains.Chooser, logf []float64, x int) int { return f(c, logf, x) }

// MoveOnly hides the closed form of a kernel, so that its rows are enumerated.
type MoveOnly struct{ chains.Kernel }

// Failing returns the names of the identities of exact.Check that do not hold for a solution.
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

// Build builds an annealing on the geometric path between two ends, or fails the test. A nil
// initial is uniform.
func Build(t longtest.Failer, initial, target []float64, schedule chains.Schedule, kernel chains.Kernel,
	T int) *chains.Annealing {
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

// Annealing builds the annealing that the selectors name, on the geometric path from a uniform
// start, or fails the test.
func Annealing(t longtest.Failer, toy, schedule, kernel string, T int) *chains.Annealing {
	t.Helper()
	y := longtest.Must(forms.Targets().Parse(toy))(t)
	path := longtest.Must(paths.NewGeometric(nil, y.G))(t)
	s := longtest.Must(schedules.Parse(schedule))(t)
	k := longtest.Must(kernels.Parse(kernel, y.Space))(t)
	return longtest.Must(chains.NewAnnealing(path, s, k, T))(t)
}

// Solve returns the solution of an annealing, and fails the test if there is none.
func Solve(t longtest.Failer, a *chains.Annealing) *exact.Solution {
	t.Helper()
	return longtest.Must(exact.Solve(context.Background(), a, exact.Options{}))(t)
}

// Longest returns how many distributions a case may have: short by default, usual with -long, and
// whole with -long=2.
func Longest(short, usual, whole int) int {
	switch {
	case !longtest.Enabled():
		return short
	case longtest.More():
		return whole
	}
	return usual
}

// CheckSome is rapid.Check for a property whose cases take long: it tries at most the given number
// of cases, and as many as other properties with -long. It sets a flag meanwhile, so that no other
// property may be checked in parallel.
func CheckSome(t *testing.T, most int, property func(*rapid.T)) {
	t.Helper()
	if !longtest.More() {
		checks := flag.Lookup("rapid.checks").Value
		all := checks.String()
		n := longtest.Must(strconv.Atoi(all))(t)
		set(t, checks, strconv.Itoa(min(n, most)))
		defer set(t, checks, all)
	}
	rapid.Check(t, property)
}

// set gives a flag a value.
func set(t *testing.T, v flag.Value, to string) {
	t.Helper()
	longtest.NoError(t, v.Set(to))
}

// term returns a log(a/b), the term of KL(a || b) for one state.
func term(a, b float64) float64 {
	if a == 0 {
		return 0
	}
	return a * number.Log(a/b)
}

// WideTerm returns a log(a/b), the term of KL(a || b) for one state, for numbers of a wide range:
// +Inf if only b is zero.
func WideTerm(a, b number.Wide) float64 {
	switch {
	case a.M == 0:
		return 0
	case b.M == 0:
		return math.Inf(1)
	}
	return a.Float() * a.Div(b).Log()
}

// Kl returns KL(a || b) by its definition, in nats.
func Kl(a, b []float64) float64 {
	total := 0.0
	for x := range a {
		total += term(a[x], b[x])
	}
	return total
}

// PushRows returns the distribution q after one transition.
func PushRows(q []float64, rows *kernel.Rows) []float64 {
	next := make([]float64, len(q))
	for x, m := range q {
		for _, e := range rows.Row(x) {
			next[e.To] += m * e.P
		}
	}
	return next
}

// MustRows returns the rows of a kernel under logf, or fails the test.
func MustRows(t *rapid.T, k chains.Kernel, logf []float64) *kernel.Rows {
	return longtest.Must(kernel.NewRows(context.Background(), k, logf))(t)
}

// Same reports whether two numbers agree to a tolerance that is relative to scale, infinities
// included.
func Same(a, b, tolerance, scale float64) bool { return a == b || math.Abs(a-b) <= tolerance*scale }

// Problem draws a small annealing: any lattice or graph, path, schedule and kernel, with zeros in
// either end of the path.
func Problem(t *rapid.T, maxStates, maxT int) *chains.Annealing {
	l := SmallLattice(t, maxStates)
	target := DrawLogF(t, "target", l.States(), true)
	var initial []float64
	if rapid.Bool().Draw(t, "given start") {
		initial = DrawLogF(t, "initial", l.States(), true)
	}
	path, err := DrawPath(t, initial, target)
	if err != nil {
		t.Skip(err) // every state has zero probability
	}
	schedule := rapid.SampledFrom([]chains.Schedule{
		schedules.Linear{}, schedules.Sigmoid{Delta: 4}, schedules.Power{P: 2}}).Draw(t, "schedule")
	var space grid.Graph = l
	if rapid.IntRange(0, 3).Draw(t, "graph") == 3 {
		space = DrawGraph(t, l.States())
	}
	kernel := rapid.SampledFrom([]chains.Kernel{
		kernels.Metropolis{Space: space}, kernels.Barker{Space: space},
		MoveOnly{Kernel: kernels.Barker{Space: space}}, Scan{Space: l},
	}).Draw(t, "kernel")
	a := longtest.Must(chains.NewAnnealing(path, schedule, kernel, rapid.IntRange(2, maxT).Draw(t, "T")))(t)
	if _, scan := kernel.(Scan); scan && TinyMoves(t, a) {
		t.Skip("of a kernel from outside that is not reversible all flows must be such as rows can hold " +
			"(see kernel.Flows.Turn)")
	}
	return a
}

// DrawPath draws a path of any kind between two ends.
func DrawPath(t *rapid.T, initial, target []float64) (chains.Path, error) {
	switch rapid.SampledFrom([]string{"geometric", "geometric", "arithmetic", "q", "piecewise"}).Draw(t, "path") {
	case "arithmetic":
		return paths.NewArithmetic(initial, target)
	case "q":
		return paths.NewPowerMean(rapid.Float64Range(-2, 3).Draw(t, "q"), initial, target)
	case "piecewise":
		middle := DrawLogF(t, "intermediate", len(target), true)
		return paths.NewPiecewise("via", initial, middle, target, rapid.Float64Range(0.1, 0.9).Draw(t, "at"))
	}
	return paths.NewGeometric(initial, target)
}

// SmallLattice draws a lattice of one to three dimensions with at most the given number of states,
// with walls or rings.
func SmallLattice(t *rapid.T, maxStates int) *grid.Lattice {
	dims := rapid.IntRange(1, 3).Draw(t, "dims")
	sides := make([]int, dims)
	wrap := make([]bool, dims)
	left := maxStates
	for k := range sides {
		sides[k] = rapid.IntRange(1, max(1, min(left, 4))).Draw(t, "side")
		left /= sides[k]
		wrap[k] = sides[k] >= 3 && rapid.Bool().Draw(t, "ring")
	}
	return longtest.Must(grid.NewWrapped(sides, wrap))(t)
}

// DrawLogF draws log f of n states from -6 to 6, under the label what. With zeros, about one in ten
// states has f = 0.
func DrawLogF(t *rapid.T, what string, n int, zeros bool) []float64 {
	v := rapid.SliceOfN(rapid.Float64Range(-6, 6), n, n).Draw(t, what)
	for x := range v {
		if zeros && rapid.IntRange(0, 9).Draw(t, "zero") == 0 {
			v[x] = math.Inf(-1)
		}
	}
	return v
}

// DrawGraph draws a graph of n states with any edges, none among them.
func DrawGraph(t *rapid.T, n int) grid.Graph {
	neighbours := make([][]int, n)
	for x := range n {
		for y := range x {
			if rapid.IntRange(0, 2).Draw(t, "edge") == 0 {
				neighbours[x], neighbours[y] = append(neighbours[x], y), append(neighbours[y], x)
			}
		}
	}
	return longtest.Must(grid.NewAdjacency(nil, neighbours))(t)
}
