package selfcheck

import (
	"context"
	"math"
	"strings"
	"sync/atomic"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/simulate"
	"breadboard/exact/weights"
	"breadboard/experiments/study/check"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
)

// TestLawWithAtoms: chains that never move have as many log weights as there are states, and levels
// stand beside them.
func TestLawWithAtoms(t *testing.T) {
	longtest.Only(t)
	for _, T := range []int{50, 333} {
		if T > 50 && !longtest.More() {
			continue
		}
		moving := annealing(t, "easy", T)
		a := longtest.Sure(chains.NewAnnealing(moving.Path(), moving.Schedule(), kernels.Stay{}, T))
		l := laws(t, a)
		for seed := range uint64(longtest.Times(1, 3)) {
			for _, r := range run(t, l, simulations(a)[1], BatteryOptions{Alpha: check.DefaultAlpha, Seed: seed, Draws: 1 << 14}) {
				if r.Fault {
					t.Errorf("T = %d, seed %d: %v", T, seed, r)
				}
			}
		}
	}
}

// TestLawSeesWhatTheMeanDoesNot: log weights spread by a third about their mean have the right
// mean.
func TestLawSeesWhatTheMeanDoesNot(t *testing.T) {
	longtest.Only(t)
	for _, toy := range []string{"easy", "barrier", "hard"} {
		if toy == "hard" && !longtest.More() {
			continue
		}
		a := annealing(t, toy, 12)
		l := laws(t, a)
		m := longtest.Sure(weights.CumulantsOf(context.Background(), a, chains.Reverse))
		l.probes, l.given = nil, [2][2][][]float64{} // they would see it first
		right := simulations(a)[1]
		s := Simulation{Name: "spread", Chains: func(ctx context.Context, a *chains.Annealing, d chains.Direction, block Block, k int) (*simulate.Batch, error) {
			b, err := right.Chains(ctx, a, d, block, k)
			if err == nil && d == chains.Reverse {
				for i := range b.LogW {
					b.LogW[i] += (b.LogW[i] - m.Mean) / 3
				}
			}
			return b, err
		}}
		found := faults(run(t, l, s, BatteryOptions{Alpha: check.DefaultAlpha, Seed: 1, Draws: 1 << 17}))
		if len(found) == 0 || found[0].Test != "reverse distribution of log w" {
			t.Errorf("%s: found %v", toy, found)
		}
	}
}

// slowKernel is a kernel of which nothing but its moves is known, as of one in another program. It
// counts them.
type slowKernel struct {
	inner chains.Kernel
	asked *atomic.Int64
}

func (k slowKernel) String() string { return "slow" }

func (k slowKernel) Move(c chains.Chooser, logf []float64, x int) int {
	k.asked.Add(1)
	return k.inner.Move(c, logf, x)
}

// slowCase returns a case of the toy easy whose kernel has no rows, with a kernel for each T, and
// what counts its moves.
func slowCase(t *testing.T, T int) (subject.Case, *atomic.Int64) {
	t.Helper()
	cases := longtest.Must(subject.Selection{Toys: []string{"easy"}, Distributions: []int{T}, Path: "geometric", Schedule: "linear",
		Kernel: "metropolis"}.Cases(t.Context()))(t)
	asked := &atomic.Int64{}
	a := cases[0].Annealing()
	cases[0].Algorithm = longtest.Must(a.WithTransitions(chains.Always(slowKernel{a.Kernel(), asked})))(t)
	return cases[0], asked
}

// TestKernelsAreAskedOnce: a kernel in another program is asked for its rows, whatever the number
// of chains, and the tests pass; it says how far it is. The harness asks four times for a row of
// Metropolis with four neighbours, and as often again where it looks for choices.
func TestKernelsAreAskedOnce(t *testing.T) {
	longtest.Only(t)
	c, moves := slowCase(t, 4)
	var said []int
	o := Options{Alpha: check.DefaultAlpha, Chains: 1 << 12, Seed: 1, Tabulated: func(rows, of int) {
		if of != 3*49 {
			t.Errorf("%d rows in all", of)
		}
		said = append(said, rows)
	}}
	found, err := Run(t.Context(), []subject.Case{c}, nil, o)
	if err != nil || found.Fault() {
		t.Fatal(err, found)
	}
	if most := int64(3 * 49 * 16); moves.Load() > most {
		t.Errorf("the kernel moved %d times; its rows take %d at most", moves.Load(), most)
	}
	if len(said) != 3 || said[2] != 3*49 {
		t.Errorf("said %v", said)
	}
}

// TestOnlyUnknownKernelsAreAsked: kernels of the library are left as they are, and what ends the
// context ends the questions.
func TestOnlyUnknownKernelsAreAsked(t *testing.T) {
	c, moves := slowCase(t, 3)
	plain := c
	plain.Algorithm = longtest.Must(c.Annealing().WithTransitions(chains.Always(c.Annealing().Kernel().(slowKernel).inner)))(t)
	got, err := withTables(t.Context(), []subject.Case{plain}, nil)
	if err != nil || got[0].Algorithm != plain.Algorithm {
		t.Errorf("%v, %v", got, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := withTables(ctx, []subject.Case{c}, nil); err == nil || moves.Load() > 16 {
		t.Errorf("%v after %d moves", err, moves.Load())
	}
}

// TestAveragedNamesTheWorst: of several tests on the same draws the e-values are averaged, and the
// largest says where.
func TestAveragedNamesTheWorst(t *testing.T) {
	say := func(logE float64, where string) func() (float64, func() string) {
		return func() (float64, func() string) { return logE, func() string { return where } }
	}
	for want, tests := range map[string][]func() (float64, func() string){
		"one":   {say(3, "one"), say(1, "two"), say(2, "three")},
		"two":   {say(-3, "one"), say(5, "two"), say(2, "three")},
		"three": {say(0, "one"), say(1, "two"), say(2, "three")},
	} {
		logE, where := averaged(tests...)()
		mean := 0.0
		for _, test := range tests {
			v, _ := test()
			mean += math.Exp(v) / 3
		}
		if where() != want || !(math.Abs(math.Exp(logE)/mean-1) < 1e-12) {
			t.Errorf("%s and %v, want %s and %v", where(), math.Exp(logE), want, mean)
		}
	}
}

// TestBatchesAreChecked: states 0 and n-1 are some, and those beside them none, at either end.
func TestBatchesAreChecked(t *testing.T) {
	for _, c := range []struct {
		first, last int32
		ok          bool
	}{{0, 2, true}, {2, 0, true}, {3, 0, false}, {0, 3, false}, {-1, 0, false}, {0, -1, false}} {
		b := &simulate.Batch{First: []int32{1, c.first}, Last: []int32{1, c.last}, LogW: []float64{0, 0}}
		if err := checkBatch(b, 2, 3); (err == nil) != c.ok {
			t.Errorf("from %d to %d: %v", c.first, c.last, err)
		}
	}
	if err := checkBatch(&simulate.Batch{First: []int32{0}, Last: []int32{0}}, 1, 3); err == nil {
		t.Error("chains without log weights pass")
	}
	for _, c := range []struct {
		first, last []int
		want        string
	}{{[]int{1, 1}, []int{2, 0}, ""}, {[]int{1, 2}, []int{2, 0}, "counted 3"}, {[]int{3, -1}, []int{2, 0}, "counted -1"}, {[]int{2}, []int{2, 0}, "on 1 states"}} {
		err := checkTotals(&simulate.Occupation{First: c.first, Last: c.last}, 2, 2)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v and %v: %v, want %q", c.first, c.last, err, c.want)
		}
	}
}

// TestLawsAreKnownWellEnough: if the distribution of log w is inverted its probabilities are
// known to about five over its 4096 frequencies: less than the 3e-3 that 10^5 chains can tell apart
// at two standard errors of a half.
func TestLawsAreKnownWellEnough(t *testing.T) {
	longtest.Only(t)
	l := laws(t, annealing(t, "easy", 60))
	for d := range l.levels {
		if len(l.levels[d]) == 0 {
			t.Fatalf("direction %d has no levels", d)
		}
		worst := 0.0
		for _, level := range l.levels[d] {
			worst = max(worst, level.P.Error())
		}
		if !(worst < 1.5e-3) {
			t.Errorf("direction %d: a probability is known to %v", d, worst)
		}
	}
}

// TestCallsAndDraws: there are all calls from 2^18 draws on, as large a part of them below, and one
// at least; what a test draws is rounded up to whole calls.
func TestCallsAndDraws(t *testing.T) {
	for draws, want := range map[int]int{1: 1, 1 << 17: 768, 1<<18 - 1: 1535, 1 << 18: 1536, 1 << 20: 1536} {
		if got := numberOfCalls(draws, maxCalls); got != want {
			t.Errorf("%d draws: %d calls, want %d", draws, got, want)
		}
	}
	for unit, want := range map[int]int{0: 100, 1: 100, 16: 112, 50: 100, 64: 128} {
		if got := newSource(0, unit, nil).whole(100); got != want {
			t.Errorf("100 draws in units of %d are %d, want %d", unit, got, want)
		}
	}
}

// TestFindingsNameStates: if the states have labels, findings have them instead of numbers.
func TestFindingsNameStates(t *testing.T) {
	a := annealing(t, "random:2:7:3x3", 6)
	wrong := simulations(a)[0]
	wrong.Name, wrong.Moves = "stays", chains.Always(kernels.Stay{})
	l := laws(t, a)
	for name, states := range map[string]string{"numbers": "012345678", "labels": "abcdefghi"} {
		if name == "labels" {
			l.Named(func(x int) string { return states[x : x+1] })
		}
		seen := false
		for _, r := range faults(run(t, l, wrong, BatteryOptions{Alpha: check.DefaultAlpha, Seed: 1, Draws: 1 << 10, Moves: 1 << 10})) {
			_, from, says := strings.Cut(r.Where, "from state ")
			seen = seen || says && strings.Contains(states, from[:1])
			if says && !strings.Contains(states, from[:1]) {
				t.Errorf("%s: %s", name, r.Where)
			}
		}
		if !seen {
			t.Errorf("%s: no finding says from which state", name)
		}
		if outcome, want := l.probes[0].paths[0].name(0, l.probes[0].label), "x_1 = "+states[:1]+", x_T = "; !strings.HasPrefix(outcome, want) {
			t.Errorf("%s: the first outcome of a probe is %q, want one with %q", name, outcome, want)
		}
		l.Named(nil)
	}
}
