package chains_test

import (
	"fmt"
	"math"
	"testing"

	"breadboard/chains"
	"breadboard/chains/chainstest"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/chains/simulate"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

func TestAnnealingErrors(t *testing.T) {
	good := longtest.Sure(paths.NewGeometric(nil, make([]float64, 9)))
	nine := grid.MustNew(3, 3)
	four := grid.MustNew(2, 2)
	longtest.Refuses(chains.NewAnnealing(good, schedules.Linear{}, kernels.Metropolis{Space: nine}, 1))(t,
		"1 distributions")
	longtest.Refuses(chains.NewAnnealing(good, schedules.Linear{}, kernels.Metropolis{Space: four}, 5))(t,
		"is for 4 states")
	nan := math.NaN()
	inf := math.Inf(1)
	for want, ends := range map[string][2][]float64{
		"state 1":                 {nil, {0, nan}},
		"state 0":                 {nil, {inf}},
		"no mass":                 {nil, {-inf, -inf}},
		"1 states and the target": {{0}, {0, 0}},
		"no common state":         {{0, -inf}, {-inf, 0}},
		"initial distribution has log f = NaN at state 1": {{0, nan}, {0, 0}},
	} {
		longtest.Refuses(paths.NewGeometric(ends[0], ends[1]))(t, want)
	}
}

// A researcher's own annealing: five states in a row, a target with two modes, a schedule that
// lingers at the start.
func ExampleNewAnnealing() {
	line, _ := grid.New(5)
	path, _ := paths.NewGeometric(nil, []float64{2, 0, -3, 0, 1})
	a, err := chains.NewAnnealing(path, schedules.Power{P: 2}, kernels.Metropolis{Space: line}, 5)
	if err != nil {
		fmt.Println(err)
		return
	}
	logf := make([]float64, a.States())
	for t := 1; t <= a.Distributions(); t++ {
		a.LogF(logf, t)
		fmt.Println(t, a.Beta(t), logf)
	}
	// Output:
	// 1 0 [0 0 0 0 0]
	// 2 0.0625 [0.125 0 -0.1875 0 0.0625]
	// 3 0.25 [0.5 0 -0.75 0 0.25]
	// 4 0.5625 [1.125 0 -1.6875 0 0.5625]
	// 5 1 [2 0 -3 0 1]
}

// TestTransitions: one kernel for every stage is of any length; kernels by stage are of one, have
// no common kernel, and are each held to the size of the space.
func TestTransitions(t *testing.T) {
	m := chains.Kernel(kernels.Metropolis{Space: grid.MustNew(2, 2)})
	b := chains.Kernel(kernels.Barker{Space: grid.MustNew(2, 2)})
	if always := chains.Always(m); always.Kernel() != m || always.KernelAt(7) != m ||
		always.Distributions() != 0 ||
		always.String() != "metropolis" {
		t.Errorf("%+v", always)
	}
	stages := []chains.Kernel{m, b}
	moves := chains.ByStage("both", stages)
	stages[0] = nil // the list is the caller's
	if moves.Kernel() != nil || moves.KernelAt(2) != m || moves.KernelAt(3) != b ||
		moves.Distributions() != 3 ||
		moves.String() != "both" {
		t.Errorf("%+v", moves)
	}
	a := chainstest.Small(t, func(*grid.Lattice) chains.Kernel { return m }, 3)
	by := longtest.Must(chains.NewAnnealingBy(a.Path(), a.Schedule(), moves, 3))(t)
	if by.Kernel() != nil || by.KernelAt(3) != b || by.Transitions() != moves {
		t.Error(by)
	}
	longtest.Refuses(chains.NewAnnealingBy(a.Path(), a.Schedule(), moves, 4))(t,
		"kernel both is for 3 distributions and 4 were asked for")
	wrong := chains.ByStage("wrong", []chains.Kernel{m, kernels.Barker{Space: grid.MustNew(3)}})
	longtest.Refuses(chains.NewAnnealingBy(a.Path(), a.Schedule(), wrong, 3))(t,
		"kernel barker is for 3 states and the path has 4")
}

// TestRunWithoutSteps: the first state is the last.
func TestRunWithoutSteps(t *testing.T) {
	if first, last, total := chains.Run(walk{0}, nil); first != 7 || last != 7 || total != 0 {
		t.Errorf("ran from %d to %d with %v", first, last, total)
	}
}

// walk goes up or down from 7, that many times, and adds up if it has been.
type walk struct{ steps int }

func (w walk) Steps() int { return w.steps }

func (w walk) Start(chains.Chooser) int { return 7 }

func (w walk) Step(c chains.Chooser, t, x int) (int, float64) {
	if c.Flip(1 / float64(t+1)) {
		return x + 1, float64(x)
	}
	return x - 1, float64(x)
}

func ExampleRun() {
	_, last, total := chains.Run(walk{5}, chains.NewSampler(simulate.NewStream(1, "example", 0)))
	fmt.Println("ends at", last, "with a total of", total)
	// Output:
	// ends at 2 with a total of 25
}

// embedded has all of Barker's methods, but is a type of another package.
type embedded struct{ kernels.Barker }

func TestOfLibrary(t *testing.T) {
	l := grid.MustNew(3, 3)
	plain := kernels.Barker{Space: l}
	mine := embedded{kernels.Barker{Space: l}}
	mixed := func(parts ...chains.Kernel) chains.Kernel {
		return longtest.Sure(kernels.Mixture([]float64{1, 2}, parts))
	}
	for _, f := range kernels.Forms().Listing.All() {
		k := longtest.Sure(kernels.Parse(f.Example, l))
		if r, said := chains.ReversalOf(k); !chains.OfLibrary(k) || !said || !chains.OfLibrary(r) {
			t.Errorf("%s or its reversal is not of the library", f.Example)
		}
	}
	for name, k := range map[string]chains.Kernel{
		"mixed": mixed(plain, mine), "lazy": kernels.Lazy(0.5, mine), "repeated": kernels.Repeat(2, mine),
		"palindrome":       kernels.Palindrome(plain, mine),
		"deep":             kernels.Lazy(0.1, kernels.Compose(plain, mixed(plain, mine))),
		"literal sequence": kernels.Sequence{Parts: []chains.Kernel{plain}},
		"literal mixture":  kernels.Mix{Parts: []chains.Kernel{plain}, Weights: []float64{1}},
	} {
		if chains.OfLibrary(k) {
			t.Errorf("%s: taken for one of the library", name)
		}
	}
	for name, k := range map[string]chains.Kernel{
		"embedded": mine, "composed": kernels.Compose(plain, mine), "mixed": mixed(plain, mine)} {
		if _, said := chains.ReversalOf(k); said {
			t.Errorf("%s: a reversal that nobody has said", name)
		}
	}
	a := chainstest.Small(t, func(l *grid.Lattice) chains.Kernel { return kernels.Barker{Space: l} }, 4)
	longtest.Refuses(a.WithReversals(nil))(t, "reversals")
}

// TestRowsWithoutReversal: if the time reversal is not known, that is what is missing, and not
// rows.
func TestRowsWithoutReversal(t *testing.T) {
	a := chainstest.Small(t, func(l *grid.Lattice) chains.Kernel { return embedded{kernels.Barker{Space: l}} }, 3)
	longtest.Refuses(simulate.Rows(a, chains.Reverse, simulate.NewStream(1, "", 0), 2, nil))(t, "exact.WithReversal")
}
