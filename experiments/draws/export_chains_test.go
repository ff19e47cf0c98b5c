package draws_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"breadboard/chains/matrices"
	"breadboard/exact"
	"breadboard/exact/stages"
	"breadboard/experiments/data/export"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
)

// chainsOf returns the chains of kinds by their names, and what was left out.
func chainsOf(t *testing.T, c subject.Case, chosen string, names ...string) (map[string]export.Chain, string) {
	t.Helper()
	o := export.Options{Names: names, Stages: longtest.Must(export.ParseStages(chosen))(t)}
	left := ""
	o.LeftOut = func(what string) { left += what }
	byName := map[string]export.Chain{}
	for _, chain := range longtest.Must(export.ChainsOf(context.Background(), c, o))(t) {
		byName[chain.Name] = chain
	}
	return byName, left
}

// label returns the states of a label, and reward the values of a reward.
func label(t *testing.T, c export.Chain, name string) []bool {
	t.Helper()
	for _, l := range c.Labels {
		if l.Name == name {
			return l.In
		}
	}
	t.Fatalf("%s has no label %s", c.Name, name)
	return nil
}

func reward(t *testing.T, c export.Chain, name string) []float64 {
	t.Helper()
	for _, r := range c.Rewards {
		if r.Name == name {
			return r.Values
		}
	}
	t.Fatalf("%s has no reward %s", c.Name, name)
	return nil
}

// answer does what a model checker does: from the initial states it follows the chain until all of
// its distribution is in the states of the label end. It returns the expected reward that is
// collected on the way, and the probability to pass a state of the label goal.
func answer(t *testing.T, c export.Chain, goal string, values []float64) (expected, reached float64) {
	t.Helper()
	law, start := make([]float64, c.Len()), label(t, c, matrices.Initial)
	for x, in := range start {
		if in {
			law[x] = 1
		}
	}
	end, hit := label(t, c, "end"), label(t, c, goal)
	for range c.Len() {
		next, over := make([]float64, c.Len()), 0.0
		for x, p := range law {
			if end[x] {
				over += p
				continue
			}
			if p == 0 {
				continue
			}
			expected += p * values[x]
			if hit[x] {
				reached += p
			}
			to, q := c.Row(x)
			for i := range to {
				next[to[i]] += p * q[i]
			}
		}
		if over > 0.5 {
			return expected, reached
		}
		law = next
	}
	t.Fatalf("%s never ends", c.Name)
	return 0, 0
}

// TestAnnealedChains: what a model checker finds out from the chain of an annealing are the exact
// numbers of the library, in both directions.
func TestAnnealedChains(t *testing.T) {
	longtest.Only(t)
	for _, setting := range []struct {
		toy, kernel string
		T           int
	}{{"barrier", "metropolis", 12}, {"random:2:7:3x4", "heatbath-scan", 5}, {"random:1:3:2x2x2", "lazy:0.25:barker", 2},
		{"graph:cycle:5:random:1:0", "suwa-todo", 7}} {
		c := caseOf(t, setting.toy, setting.T, setting.kernel)
		s := longtest.Must(exact.Solve(context.Background(), c.Annealing(), exact.Options{}))(t)
		got, left := chainsOf(t, c, "all", "forward_csr", "reverse_csr")
		if len(got) != 2 || left != "" {
			t.Fatal(got, left)
		}
		forward, reverse := got["forward"], got["reverse"]
		mean := func(c export.Chain) (log, top float64) {
			up, top := answer(t, c, "peak", reward(t, c, "log_w_up"))
			down, _ := answer(t, c, "peak", reward(t, c, "log_w_down"))
			return up - down, top
		}
		top, atTop := slices.Max(c.Toy.G), [2]float64{}
		for x, g := range c.Toy.G {
			if g == top {
				atTop[0], atTop[1] = atTop[0]+s.Output[x], atTop[1]+s.Target[x]
			}
		}
		f, q := mean(forward)
		r, p := mean(reverse)
		for what, v := range map[string][2]float64{
			"E_fwd[log w]": {f, s.MeanLogWForward}, "E_rev[log w]": {r, s.MeanLogWReverse}, "B": {r - f, s.B}, "q": {q, atTop[0]}, "p": {p, atTop[1]},
		} {
			if math.Abs(v[0]-v[1]) > 1e-12*math.Max(1, math.Abs(v[1])) {
				t.Errorf("%s: %s of the chain is %v, want %v", setting.toy, what, v[0], v[1])
			}
		}
		n, last := c.Annealing().States(), forward.Len()-1
		if forward.Len() != setting.T*n+2 || reverse.Len() != forward.Len() {
			t.Errorf("%s: %d states", setting.toy, forward.Len())
		}
		if got := fmt.Sprint(forward.States.Names[0], forward.States.At(0)[0], forward.States.At(n + 1)[0],
			forward.States.At(last)[0]); got != fmt.Sprint("t", 0, 2, setting.T+1) {
			t.Errorf("%s: %s", setting.toy, got)
		}
	}
}

// TestKernelChains: the distribution of a stage is the stationary distribution of its chain, and
// says so in the reward p.
func TestKernelChains(t *testing.T) {
	c := caseOf(t, "barrier", 11, "metropolis")
	got, _ := chainsOf(t, c, "2,last", "kernel_csr")
	if len(got) != 2 {
		t.Fatal(got)
	}
	for name, stage := range map[string]int{"kernel_2": 2, "kernel_11": 11} {
		chain := got[name]
		p, want := reward(t, chain, "p"), stages.Distribution(c.Annealing().Path(), c.Annealing().Beta(stage))
		next := make([]float64, chain.Len())
		for x := range chain.Len() {
			to, q := chain.Row(x)
			for i := range to {
				next[to[i]] += p[x] * q[i]
			}
			if !label(t, chain, matrices.Initial)[x] {
				t.Errorf("%s: %d is not among the initial states", name, x)
			}
		}
		for x := range next {
			if p[x] != want[x] || math.Abs(next[x]-p[x]) > 1e-15 {
				t.Fatalf("%s, state %d: p %v, want %v, and after a move %v", name, x, p[x], want[x], next[x])
			}
		}
		if x := 7*3 + 5; reward(t, chain, "x0")[x] != 3 || reward(t, chain, "x1")[x] != 5 || fmt.Sprint(chain.States.At(x)) != "[3 5]" {
			t.Errorf("%s: coordinates of state %d", name, x)
		}
		count := 0
		for x, in := range label(t, chain, "mode") {
			if in {
				count++
				if c.Toy.G[x] != c.Toy.G[c.Toy.Mode[0]] {
					t.Errorf("state %d is in the mode", x)
				}
			}
		}
		if count != len(c.Toy.Mode) {
			t.Errorf("%d states in the mode", count)
		}
	}
}

// TestWeightsOfZero: if log w may be infinite there is no reward of it, and that is said.
func TestWeightsOfZero(t *testing.T) {
	path := filepath.Join(t.TempDir(), "g.csv")
	longtest.NoError(t, os.WriteFile(path, []byte("0,-inf\n1,2\n"), 0o644))
	c := caseOf(t, "file:"+path, 3, "metropolis")
	got, left := chainsOf(t, c, "all", "forward_csr")
	if left != "reward log_w" || len(got["forward"].Rewards) != 0 {
		t.Errorf("%q is left out, %v", left, got["forward"].Rewards)
	}
}

// TestRowsAsArrays: what NumPy gets of an annealing are the rows of its chain.
func TestRowsAsArrays(t *testing.T) {
	c := caseOf(t, "random:2:7:3x4", 5, "metropolis")
	got, _ := chainsOf(t, c, "all", "forward_csr")
	want := got["forward"]
	given := of(t, c, "all", "forward_csr")
	if fmt.Sprint(given["forward_data"].Floats) != fmt.Sprint(want.P) || fmt.Sprint(given["forward_indices"].Integers) != fmt.Sprint(want.To) ||
		fmt.Sprint(given["forward_indptr"].Integers) != fmt.Sprint(want.Starts) {
		t.Error(given)
	}
	tiny := caseOf(t, "random:2:7:1x2", 2, "metropolis")
	if _, err := export.ChainsOf(context.Background(), tiny, export.Options{Names: []string{"q"},
		Stages: longtest.Must(export.ParseStages("last"))(t)}); err == nil || err.Error() != "the array q is not a Markov chain" {
		t.Error(err)
	}
	if all := of(t, tiny, "last", "all"); all["forward_data"].Floats != nil || all["kernel_2_data"].Floats == nil {
		t.Error("all has the chain of the annealing, whose size nobody asked for, or has no kernel")
	}
}
