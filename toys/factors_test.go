package toys_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"breadboard/chains/number"
	"breadboard/grid/longtest"
	"breadboard/toys/forms"
	"breadboard/toys/networks"
)

// TestFactoredIsTheToy: the product of the factors is f at every state, and elimination says what
// all states do: log Z, and of the largest f.
func TestFactoredIsTheToy(t *testing.T) {
	for i, name := range []string{
		"ising:3x4:0.44", "ising:4x3:-0.44:0.3", "ising:1x1:2:-1", "ising:3x3:0.2:0.1:torus",
		"ising:2x3:900:-0.5", "ising:2x2:0", "potts:3:2x3:0.7",
		"potts:2:3x3:-800:torus", "potts:4:1x1:1",
		"rudy:energies/testdata/torus3x4.rud:-0.5", "qubo:energies/testdata/gaps6.qubo:0.4",
		"bq:energies/testdata/four.bq:2",
		"ising-file:energies/testdata/spins.txt:0.3", "ising-file:energies/testdata/spins.txt",
		"uai:networks/testdata/grid33.uai", "own=ising:2x2:1",
	} {
		if i < 2 && !longtest.Enabled() {
			continue // they have the most states
		}
		toy := longtest.Sure(forms.Targets().Parse(name))
		q, err := forms.Targets().Factored(name, "", "")
		longtest.NoError(t, err)
		if want := strings.TrimPrefix(toy.Name, "own="); q.Selector != want && q.Selector != toy.Named {
			t.Errorf("%s is %s", name, q.Selector)
		}
		target := longtest.Sure(q.EnumerateTarget())
		best := math.Inf(-1)
		for x, g := range toy.G {
			best = max(best, g)
			if math.Abs(target.LogF[x]-g) > 1e-12*(1+math.Abs(g)) {
				t.Fatalf("%s: log f of state %d is %v, and the product of factors %v", name, x, g, target.LogF[x])
			}
		}
		for axis, a := range target.Axes {
			if toy.Axes != nil &&
				(a.Name != toy.Axes[axis].Name || !slices.Equal(a.Labels, toy.Axes[axis].Labels)) {
				t.Errorf("%s: axis %d is %v, and of the toy %v", name, axis, a, toy.Axes[axis])
			}
		}
		found := longtest.Sure(q.Infer(context.Background(), networks.Outputs{Best: true}))
		if z := number.LogTotal(toy.G); math.Abs(found.LogZ-z) > 1e-12*(1+math.Abs(z)) ||
			math.Abs(found.LogBest.Value-best) > 1e-12*(1+math.Abs(best)) {
			t.Errorf("%s: log Z %v, want %v; largest log f %v, want %v", name, found.LogZ,
				z, found.LogBest.Value, best)
		}
	}
}

// TestFactoredOfAnySize: what is too large to be enumerated is taken, with evidence, and what is
// none or impossible is refused.
func TestFactoredOfAnySize(t *testing.T) {
	var ring strings.Builder
	fmt.Fprintf(&ring, "100 100\n")
	for i := range 100 {
		fmt.Fprintf(&ring, "%d %d 1\n", i+1, (i+1)%100+1)
	}
	path := longtest.File(t, "ring.rud", ring.String())
	// a + within a label stands in quotes
	_, err := forms.Targets().Factored("rudy:"+path+":0.5", "x7=-1+x8=+1", "x9")
	longtest.Refused(t, err, `evidence: "" is not a name`)
	q, err := forms.Targets().Factored("rudy:"+path+":0.5", `x7=-1+x8="+1"`, "x9")
	longtest.NoError(t, err)
	found := longtest.Sure(q.Infer(context.Background(), networks.Outputs{Marginals: true}))
	// The ring without the pair 7, 8 is a chain of 99 pairs with ends that differ, and the pair
	// itself has exp(-0.5).
	plus, minus := 99*math.Log(2*math.Cosh(0.5)), 99*math.Log(2*math.Sinh(0.5))
	want := plus + math.Log1p(-math.Exp(minus-plus)) - math.Ln2 - 0.5
	if math.Abs(found.LogZ-want) > 1e-12*want ||
		q.Selector != "rudy:"+path+`:0.5:evidence=x7=-1+x8="+1":hide=x9` ||
		!strings.Contains(q.Describe(),
			"100 variables, 2 observed, 1 summed out: Ising, maximised, 100 variables, offset 0; read from") {
		t.Errorf("%s, %s: log Z %v, want %v", q.Selector, q.Describe(), found.LogZ, want)
	}
	for name, want := range map[string]string{
		"easy": "easy is not a product of factors over few variables each; those that are: " +
			"ising:RxC:J[:FIELD][:torus], potts:",
		"model:points.toml":     "since its parameters are integrated out",
		"ising:2x2":             "write ising:RxC:J",
		"ising:0x2:1":           "the sides are 0 and 2",
		"ising:3000x3000:1":     "numbers, and at most",
		"ising:5x5:1e6":         "make the couplings smaller",
		"ising:2x2:1e308":       "so large that g overflows",
		"potts:1:30x30:1":       "the number of values is 1",
		"potts:3:2x2:1:torus":   "they are 3 or more on a torus",
		"nothing.bif":           "no such file",
		"rudy:" + path + ":1e9": "make the couplings smaller",
	} {
		_, err := forms.Targets().Factored(name, "", "")
		longtest.Refused(t, err, want, name)
	}
	_, err = forms.Targets().Factored("ising:30x30:1", "x900=0", "")
	longtest.Refused(t, err, "unknown variable")
}
