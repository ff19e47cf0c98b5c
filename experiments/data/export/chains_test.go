package export_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"breadboard/exact"
	"breadboard/exact/stages"
	"breadboard/experiments/data/export"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
)

// exportedChains returns the chains of kinds by their names.
func exportedChains(t *testing.T, c subject.Case, chosen string, names ...string) map[string]export.Chain {
	t.Helper()
	o := export.Options{Names: names, Stages: longtest.Must(export.ParseStages(chosen))(t)}
	byName := map[string]export.Chain{}
	for _, chain := range longtest.Must(export.ChainsOf(context.Background(), c, o))(t) {
		byName[chain.Name] = chain
	}
	return byName
}

// fundamental follows a chain from its first state until all of its distribution is in the last. It
// returns the expected sum of the values of the states on the way, and the probability to pass a
// goal.
func fundamental(t *testing.T, c export.Chain, goal func(x int) bool,
	values func(x int) float64) (expected, reached float64) {
	t.Helper()
	law := make([]float64, c.Len())
	last := c.Len() - 1
	law[0] = 1
	for range c.Len() {
		if law[last] > 0.5 {
			return expected, reached
		}
		next := make([]float64, c.Len())
		for x, p := range law {
			if p == 0 {
				continue
			}
			expected += p * values(x)
			if goal(x) {
				reached += p
			}
			to, q := c.Row(x)
			for i := range to {
				next[to[i]] += p * q[i]
			}
		}
		law = next
	}
	t.Fatalf("%s never ends", c.Name)
	return 0, 0
}

// TestAnnealedChains: what follows from the chain of an annealing are the exact numbers of the
// library, in both directions.
func TestAnnealedChains(t *testing.T) {
	longtest.Only(t)
	for _, setting := range []struct {
		toy, kernel string
		T           int
	}{{"barrier", "metropolis", 12}, {"random:2:7:3x4", "heatbath-scan", 5},
		{"random:1:3:2x2x2", "lazy:0.25:barker", 2},
		{"graph:cycle:5:random:1:0", "suwa-todo", 7}} {
		c := exportedCase(t, setting.toy, setting.T, setting.kernel)
		a := c.Annealing()
		n := c.Annealing().States()
		s := longtest.Must(exact.Solve(context.Background(), a, exact.Options{}))(t)
		got := exportedChains(t, c, "all", "forward_csr", "reverse_csr")
		forward, reverse := got["forward"], got["reverse"]
		if forward.Len() != setting.T*n+2 || reverse.Len() != forward.Len() {
			t.Fatalf("%s: %d and %d states", setting.toy, forward.Len(), reverse.Len())
		}
		top := slices.Max(c.Toy.G)
		peak := func(x int) bool {
			return x > (setting.T-1)*n && x <= setting.T*n && c.Toy.G[x-1-(setting.T-1)*n] == top
		}
		now := make([]float64, n)
		next := make([]float64, n)
		increment := func(x int) float64 { // of log w at state x-1 of n at stage t
			t := 1 + (x-1)/n
			if x == 0 || t >= setting.T {
				return 0
			}
			a.LogF(now, t)
			a.LogF(next, t+1)
			return next[(x-1)%n] - now[(x-1)%n]
		}
		atTop := [2]float64{}
		for x, g := range c.Toy.G {
			if g == top {
				atTop[0], atTop[1] = atTop[0]+s.Output[x], atTop[1]+s.Target[x]
			}
		}
		f, q := fundamental(t, forward, peak, increment)
		r, p := fundamental(t, reverse, peak, increment)
		for what, v := range map[string][2]float64{
			"E_fwd[log w]": {f, s.MeanLogWForward}, "E_rev[log w]": {r, s.MeanLogWReverse}, "B": {r - f, s.B},
			"q": {q, atTop[0]}, "p": {p, atTop[1]},
		} {
			if math.Abs(v[0]-v[1]) > 1e-12*math.Max(1, math.Abs(v[1])) {
				t.Errorf("%s: %s of the chain is %v, want %v", setting.toy, what, v[0], v[1])
			}
		}
	}
}

// TestKernelChains: the distribution of a stage is the stationary distribution of its chain.
func TestKernelChains(t *testing.T) {
	c := exportedCase(t, "barrier", 11, "metropolis")
	got := exportedChains(t, c, "2,last", "kernel_csr")
	if len(got) != 2 {
		t.Fatal(got)
	}
	for name, stage := range map[string]int{"kernel_2": 2, "kernel_11": 11} {
		chain := got[name]
		p := stages.Distribution(c.Annealing().Path(), c.Annealing().Beta(stage))
		next := make([]float64, chain.Len())
		for x := range chain.Len() {
			to, q := chain.Row(x)
			for i := range to {
				next[to[i]] += p[x] * q[i]
			}
		}
		for x := range next {
			if math.Abs(next[x]-p[x]) > 1e-15 {
				t.Fatalf("%s, state %d: p %v, and after a move %v", name, x, p[x], next[x])
			}
		}
	}
}

// TestRowsAsArrays: what NumPy gets of an annealing are the rows of its chain.
func TestRowsAsArrays(t *testing.T) {
	c := exportedCase(t, "random:2:7:3x4", 5, "metropolis")
	got := exportedChains(t, c, "all", "forward_csr")
	want := got["forward"]
	given := of(t, c, "all", "forward_csr")
	if fmt.Sprint(given["forward_data"].Floats) != fmt.Sprint(want.P) ||
		fmt.Sprint(given["forward_indices"].Integers) != fmt.Sprint(want.To) ||
		fmt.Sprint(given["forward_indptr"].Integers) != fmt.Sprint(want.Starts) {
		t.Error(given)
	}
	tiny := exportedCase(t, "random:2:7:1x2", 2, "metropolis")
	if _, err := export.ChainsOf(context.Background(), tiny, export.Options{Names: []string{"q"},
		Stages: longtest.Must(export.ParseStages("last"))(t)}); err == nil ||
		err.Error() != "the array q is not a Markov chain" {
		t.Error(err)
	}
	if all := of(t, tiny, "last", "all"); all["forward_data"].Floats != nil ||
		all["kernel_2_data"].Floats == nil {
		t.Error("all has the chain of the annealing, whose size nobody asked for, or has no kernel")
	}
}
