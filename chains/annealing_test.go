package chains_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/internal/chainstest"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/chains/simulate"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

func TestAnnealingErrors(t *testing.T) {
	good := longtest.Sure(paths.NewGeometric(nil, make([]float64, 9)))
	space := grid.MustNew(3, 3)
	if _, err := chains.NewAnnealing(good, schedules.Linear{}, kernels.Metropolis{Space: space}, 1); err == nil {
		t.Error("T = 1 is accepted")
	}
	if _, err := chains.NewAnnealing(good, schedules.Linear{}, kernels.Metropolis{Space: grid.MustNew(2, 2)}, 5); err == nil {
		t.Error("a kernel for another space is accepted")
	}
	for _, c := range []struct {
		initial, target []float64
		want            string
	}{
		{nil, []float64{0, math.NaN()}, "state 1"},
		{nil, []float64{math.Inf(1)}, "state 0"},
		{nil, []float64{math.Inf(-1), math.Inf(-1)}, "no mass"},
		{nil, nil, "no mass"},
		{[]float64{0}, []float64{0, 0}, "1 states and the target 2"},
		{[]float64{0, math.Inf(-1)}, []float64{math.Inf(-1), 0}, "no common state"},
		{[]float64{0, math.NaN()}, []float64{0, 0}, "initial distribution has log f = NaN at state 1"},
	} {
		longtest.Refuses(paths.NewGeometric(c.initial, c.target))(t, c.want)
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
	space := grid.MustNew(2, 2)
	k := kernels.Metropolis{Space: space}
	always := chains.Always(k)
	if always.Kernel() != chains.Kernel(k) || always.At(7) != chains.Kernel(k) || always.Distributions() != 0 || always.String() != "metropolis" {
		t.Errorf("%+v", always)
	}
	stages := []chains.Kernel{k, kernels.Barker{Space: space}}
	moves := chains.ByStage("both", stages)
	stages[0] = nil // the list is the caller's
	if moves.Kernel() != nil || moves.At(2) != chains.Kernel(k) || moves.At(3) != chains.Kernel(kernels.Barker{Space: space}) ||
		moves.Distributions() != 3 || moves.String() != "both" {
		t.Errorf("%+v", moves)
	}
	a := chainstest.Small(t, func(*grid.Lattice) chains.Kernel { return k }, 3)
	b, err := chains.NewAnnealingBy(a.Path(), a.Schedule(), moves, 3)
	if err != nil || b.Kernel() != nil || b.KernelAt(3) != moves.At(3) || b.Transitions() != moves {
		t.Errorf("%v, %v", b, err)
	}
	longtest.Refuses(chains.NewAnnealingBy(a.Path(), a.Schedule(), moves, 4))(t, "kernel both is for 3 distributions and 4 were asked for")
	wrong := chains.ByStage("wrong", []chains.Kernel{k, kernels.Barker{Space: grid.MustNew(3)}})
	longtest.Refuses(chains.NewAnnealingBy(a.Path(), a.Schedule(), wrong, 3))(t, "kernel barker is for 3 states and the path has 4")
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
	c := chains.NewRecorder(chains.NewSampler(simulate.NewStream(1, "example", 0)))
	_, last, total := chains.Run(walk{5}, c)
	fmt.Println("ends at", last, "with a total of", total)
	_, logP, err := chains.Score(func(c chains.Chooser) int {
		_, last, _ := chains.Run(walk{5}, c)
		return last
	}, c.Outcomes())
	fmt.Printf("choices %v have probability %.4f, error %v\n", c.Outcomes(), math.Exp(logP), err)
	// Output:
	// ends at 2 with a total of 25
	// choices [0 0 0 0 0] have probability 0.1667, error <nil>
}

// embedded has all of Barker's methods, but is a type of another package.
type embedded struct{ kernels.Barker }

func TestOfLibrary(t *testing.T) {
	l := grid.MustNew(3, 3)
	plain, mine := kernels.Barker{Space: l}, embedded{kernels.Barker{Space: l}}
	mixed := func(parts ...chains.Kernel) chains.Kernel {
		k := longtest.Sure(kernels.Mixture([]float64{1, 2}, parts))
		return k
	}
	for _, selector := range []string{
		"metropolis", "moore", "flip", "barker", "jump:0.1", "independence", "heatbath", "heatbath-axis:0", "heatbath-scan", "suwa-todo",
		"suwa-todo-axis:1", "stay", "lazy:0.5", "repeat:3", "compose:barker+suwa-todo", "palindrome:moore+heatbath", "mixture:1*barker+2*suwa-todo",
	} {
		k := longtest.Sure(kernels.Parse(selector, l))
		if _, said := chains.ReversalOf(k); !chains.OfLibrary(k) || !said {
			t.Errorf("%s is not of the library, or does not know its reversal", selector)
		}
		if r, _ := chains.ReversalOf(k); !chains.OfLibrary(r) {
			t.Errorf("the reversal of %s is not of the library", selector)
		}
	}
	for name, k := range map[string]chains.Kernel{
		"embedded": mine, "pointer": &plain, "composed": kernels.Compose(plain, mine), "mixed": mixed(plain, mine), "lazy": kernels.Lazy(0.5, mine),
		"repeated": kernels.Repeat(2, mine), "palindrome": kernels.Palindrome(plain, mine), "deep": kernels.Lazy(0.1, kernels.Compose(plain, mixed(plain, mine))),
		"literal sequence": kernels.Sequence{Parts: []chains.Kernel{plain}}, "literal mixture": kernels.Mix{Parts: []chains.Kernel{plain}, Weights: []float64{1}},
	} {
		if chains.OfLibrary(k) {
			t.Errorf("%s: taken for one of the library", name)
		}
	}
	for name, k := range map[string]chains.Kernel{"embedded": mine, "composed": kernels.Compose(plain, mine), "mixed": mixed(plain, mine)} {
		if _, said := chains.ReversalOf(k); said {
			t.Errorf("%s: a reversal that nobody has said", name)
		}
	}
	if _, err := chainstest.Small(t, func(l *grid.Lattice) chains.Kernel { return kernels.Barker{Space: l} }, 4).WithReversals(nil); err == nil {
		t.Error("no reversals for three stages are accepted")
	}
}

// TestRowsWithoutReversal: if the time reversal is not known, that is what is missing, and not
// rows.
func TestRowsWithoutReversal(t *testing.T) {
	path := longtest.Sure(paths.NewGeometric(nil, chainstest.Waves(9)))
	a := longtest.Sure(chains.NewAnnealing(path, schedules.Linear{}, embedded{kernels.Barker{Space: grid.MustNew(3, 3)}}, 3))
	_, rows := simulate.Rows(a, chains.Reverse, simulate.NewStream(1, "", 0), 2, nil)
	_, counts := simulate.Counts(a, chains.Reverse, simulate.NewStream(1, "", 0), 2, nil)
	for _, err := range []error{rows, counts} {
		if err == nil || !strings.Contains(err.Error(), "exact.WithReversal") || strings.Contains(err.Error(), "closed form") {
			t.Errorf("error %v", err)
		}
	}
}
