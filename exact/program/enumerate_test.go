package program_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/exact/program"
	"breadboard/grid/longtest"
)

// tree is a program as data: a choice of some kind with what follows each outcome, or a result.
type tree struct {
	kind   string
	p      []float64
	below  []*tree
	result int
}

func drawTree(t *rapid.T, depth int) *tree {
	kinds := []string{"flip", "uniform", "choose", "result"}
	if depth == 0 {
		kinds = kinds[3:]
	}
	n := &tree{kind: rapid.SampledFrom(kinds).Draw(t, "kind")}
	switch n.kind {
	case "result":
		n.result = rapid.IntRange(0, 4).Draw(t, "result")
		return n
	case "flip":
		up := rapid.SampledFrom([]float64{0, 1, 0.5, 1e-300, 1e-12, 0.3}).Draw(t, "p")
		n.p = []float64{up, 1 - up}
	case "uniform":
		for k := rapid.IntRange(1, 5).Draw(t, "n"); len(n.p) < k; {
			n.p = append(n.p, 1/float64(k))
		}
	case "choose":
		n.p = rapid.SampledFrom(
			[][]float64{{1}, {0, 1}, {0.5, 0, 0.5}, {1e-200, 1, 0}, {0.1, 0.2, 0.3, 0.4}},
		).Draw(t, "p")
	}
	for range n.p {
		n.below = append(n.below, drawTree(t, depth-1))
	}
	return n
}

// run is the program.
func (n *tree) run(c chains.Chooser) int {
	switch n.kind {
	case "flip":
		if c.Flip(n.p[0]) {
			return n.below[0].run(c)
		}
		return n.below[1].run(c)
	case "uniform":
		return n.below[c.Uniform(len(n.p))].run(c)
	case "choose":
		return n.below[c.Choose(n.p)].run(c)
	}
	return n.result
}

// add adds up the distribution of the result by descending the tree.
func (n *tree) add(law map[int]float64, order *[]int, p float64) {
	if n.kind == "result" {
		if _, seen := law[n.result]; !seen {
			*order = append(*order, n.result)
		}
		law[n.result] += p
		return
	}
	for i, q := range n.p {
		if q > 0 {
			n.below[i].add(law, order, p*q)
		}
	}
}

// TestEnumerateIsDescent compares the distribution of a program with the sums over its tree, in the
// order of first appearance.
func TestEnumerateIsDescent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := drawTree(t, 4)
		law := longtest.Must(program.Enumerate(context.Background(), n.run, program.Options{}))(t)
		want := map[int]float64{}
		order := []int(nil)
		n.add(want, &order, 1)
		if len(law.Outcomes()) != len(order) || law.Remainder() != 0 {
			t.Fatalf("outcomes %v with remainder %v, want %v", law.Outcomes(), law.Remainder(), want)
		}
		mean := 0.0
		for i, o := range law.Outcomes() {
			if o.Value != order[i] || math.Abs(o.P-want[o.Value]) > 1e-15*want[o.Value] ||
				law.P(o.Value) != o.P {
				t.Fatalf("outcome %d is %v, want %d with %v", i, o, order[i], want[order[i]])
			}
			mean += float64(o.Value) * want[o.Value]
		}
		if got := law.Mean(func(v int) float64 { return float64(v) }); math.Abs(got-mean) > 1e-14 {
			t.Fatalf("mean %v, want %v", got, mean)
		}
		if law.P(17) != 0 {
			t.Fatal("what is never returned has a probability")
		}
	})
}

// TestProbabilitiesKeepTheirDigits: 10^5 branches of about 10^-5 each have the sum of all, where
// adding them one after another would be off by 2e-12.
func TestProbabilitiesKeepTheirDigits(t *testing.T) {
	law := longtest.Must(program.Enumerate(context.Background(), func(c chains.Chooser) bool {
		for range 5 {
			c.Uniform(10)
		}
		return true
	}, program.Options{}))(t)
	each := 1.0
	for range 5 {
		each /= 10
	}
	if p := law.P(true); math.Abs(p-1e5*each) > 2e-16 || law.Runs() != 100_000 {
		t.Errorf("probability 1%+g in %d runs", p-1, law.Runs())
	}
}

// heads counts how often a coin falls on heads before tails.
func heads(c chains.Chooser) (n int) {
	for c.Flip(0.5) {
		n++
	}
	return n
}

// TestProgramsThatHaveNoLaw: every way to be refused has its kind and its words.
func TestProgramsThatHaveNoLaw(t *testing.T) {
	oops := errors.New("oops")
	runs := 0
	two := func(n int) int { // another number in every second run
		runs++
		if runs%2 == 0 {
			return n
		}
		return n + 1
	}
	for name, test := range map[string]struct {
		f    func(chains.Chooser) any
		kind program.Kind
		want string
	}{
		"panics": {
			func(chains.Chooser) any { panic(oops) }, program.Panicked, "the program panicked: oops"},
		"probability 2": {func(c chains.Chooser) any { return c.Flip(2) }, program.InvalidChoice,
			"Flip(2); a probability is from 0 to 1"},
		"NaN": {func(c chains.Chooser) any { return c.Choose([]float64{math.NaN()}) },
			program.InvalidChoice, "Choose with a probability of NaN"},
		"short of one": {func(c chains.Chooser) any { return c.Choose([]float64{0.5}) },
			program.InvalidChoice, "Choose with probabilities that sum to 0.5"},
		"none to choose": {func(c chains.Chooser) any { return c.Choose(nil) }, program.InvalidChoice,
			"Choose with probabilities that sum to 0"},
		"one of none": {func(c chains.Chooser) any { return c.Uniform(0) }, program.InvalidChoice,
			"Uniform(0); n must be at least 1"},
		"one of too many": {func(c chains.Chooser) any { return c.Uniform(101) }, program.TooManyOutcomes,
			"Uniform(101); more than 100 outcomes cannot be enumerated"},
		"never ends": {func(c chains.Chooser) any {
			for c.Flip(1) {
			}
			return 0
		}, program.TooManyChoices, "the program made more than 50 choices; bound its loops"},
		"too many ways": {func(c chains.Chooser) any { return c.Uniform(11) * c.Uniform(10) },
			program.TooManyBranches, "the program has more than 100 branches"},
		"other n": {func(c chains.Chooser) any { return c.Uniform(two(2)) + c.Uniform(2) },
			program.NotRepeatable, "the program made other choices"},
		"other p": {func(c chains.Chooser) any { return c.Flip(1 / float64(two(2))) },
			program.NotRepeatable, "the program made other choices"},
		"other list": {
			func(c chains.Chooser) any { return c.Choose([][]float64{{0.5, 0.5}, {0.3, 0.7}}[two(0)]) },
			program.NotRepeatable,
			"the program made other choices"},
		"other kind": {func(c chains.Chooser) any {
			if two(0) == 0 {
				return c.Flip(0.5)
			}
			return c.Uniform(2) == 0
		}, program.NotRepeatable, "the program made other choices"},
		"fewer choices": {func(c chains.Chooser) any {
			for range two(0) {
				c.Uniform(2)
			}
			return 0
		}, program.NotRepeatable, "the program made fewer choices"},
		"more choices": {func(c chains.Chooser) any {
			for range 1 - two(0) {
				c.Uniform(2)
			}
			return 0
		}, program.NotRepeatable, "the program made more choices"},
		"other result": {func(c chains.Chooser) any { c.Uniform(2); return two(0) }, program.NotRepeatable,
			"the program returned 1 and then 0 with the same outcomes"},
		"result NaN": {func(chains.Chooser) any { return math.NaN() }, program.NotEqualToItself,
			"the program returned NaN, which is not equal to itself"},
		"NaN within": {func(chains.Chooser) any { return [2]any{1, math.NaN()} }, program.NotEqualToItself,
			"the program returned [1 NaN], which is not equal to itself"},
		"a slice": {func(chains.Chooser) any { return []int{1} }, program.NotEqualToItself,
			"the program returned a []int, which contains values that cannot be compared"},
	} {
		runs = 0
		law, err := program.Enumerate(context.Background(), test.f, program.Options{Choices: 50, Branches: 100})
		runs = 0
		likeliest, other := program.Likeliest(context.Background(), test.f, program.Options{Choices: 50}, nil)
		fault, ok := errors.AsType[*program.Error](err)
		if law != nil || !ok || fault.Kind != test.kind || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s: error %v, want %s", name, err, test.want)
		}
		if many := test.kind == program.TooManyBranches || test.kind == program.TooManyOutcomes; !many &&
			(likeliest != nil || other.Error() != err.Error()) {
			t.Errorf("%s: error %v of Likeliest, %v of Enumerate", name, other, err)
		}
		if errors.Is(err, oops) != (name == "panics") {
			t.Errorf("%s: what it panicked with is lost, or made up", name)
		}
	}
}

// TestResultsThatChangeLateAreSeen: results of branches far along are looked at again.
func TestResultsThatChangeLateAreSeen(t *testing.T) {
	for _, run := range []func(func(chains.Chooser) bool) error{
		func(f func(chains.Chooser) bool) error {
			_, err := program.Enumerate(t.Context(), f, program.Options{})
			return err
		},
		func(f func(chains.Chooser) bool) error {
			_, err := program.Likeliest(t.Context(), f, program.Options{}, nil)
			return err
		},
	} {
		seen := map[int]bool{}
		longtest.Refused(t, run(func(c chains.Chooser) bool {
			n := c.Uniform(200)
			again := n >= 64 && seen[n]
			seen[n] = true
			return again
		}), "returned false and then true")
	}
}

// TestOrderOfRuns: a result that depends on which other one came before is found, though runs that
// follow each other are the same.
func TestOrderOfRuns(t *testing.T) {
	before := 0
	last := 0
	_, err := program.Likeliest(t.Context(), func(c chains.Chooser) bool {
		if x := c.Uniform(9); x != last {
			before = last
			last = x
		}
		return before > last && last > 0
	}, program.Options{}, nil)
	longtest.Refused(t, err, "returned false and then true")
}
