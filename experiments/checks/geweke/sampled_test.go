package geweke

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"breadboard/experiments/study/check"
	"breadboard/grid/longtest"
)

// examined runs the test of a sampler, with a false alarm of probability 1e-6 at most, and returns
// the faults.
func examined(t *testing.T, s tested, draws int) map[string]Finding {
	t.Helper()
	r := longtest.Must(s.test(context.Background(), &runOptions{Options: Options{Rounds: 3, Draws: draws, Seed: 1}}, math.Log(float64(s.tests())/1e-6)))(t)
	faults := map[string]Finding{}
	for _, f := range r.Findings {
		t.Logf("%s: %.3g, %s, %d", f.Name, f.Value, f.Where, f.Chains)
		if f.Verdict == check.Fault {
			faults[f.Name] = f
		}
	}
	return faults
}

// TestModels: all models of any size pass at a tiny size, with known and with unknown
// hyperparameters. It fails with a probability of 7e-6 at most.
func TestModels(t *testing.T) {
	longtest.Only(t)
	draws := longtest.Times(firstLook, 1024)
	for _, name := range []string{"clustering:2", "clustering:inferred:2", "lowrank:2", "lowrank:inferred:2", "collapsed:2", "binary:2", "binary:inferred:2"} {
		m := longtest.Sure(Models().Parse(name, Size{6, 4}))
		if faults := examined(t, m.tested, draws); len(faults) > 0 || m.Name != name {
			t.Errorf("%s: %v", name, faults)
		}
	}
}

// TestModelSelectors: what a selector says is what is tested, and what it cannot mean is refused.
func TestModelSelectors(t *testing.T) {
	for text, want := range map[string]string{"clustering:10": "clustering", "lowrank:inferred:5": "lowrank:inferred", "binary:3": "binary:3",
		"collapsed:5": "collapsed"} {
		if m, err := Models().Parse(text, Size{50, 25}); err != nil || m.Name != want {
			t.Errorf("%s is %q, %v", text, m.Name, err)
		}
	}
	for _, name := range []string{"clustering", "lowrank", "binary"} {
		known, unknown := longtest.Must(Models().Parse(name, Size{50, 25}))(t), longtest.Must(Models().Parse(name+":inferred", Size{50, 25}))(t)
		if k, u := known.tested.tests(), unknown.tested.tests(); k >= u {
			t.Errorf("%s has %d tests, and %d where its hyperparameters are drawn too", name, k, u)
		}
	}
	if n := pairs(slices.Values([]int{2, 3, 0, 1})); n != 1+3 {
		t.Errorf("%v pairs", n)
	}
	for text, want := range map[string]string{
		"clusterings":           "did you mean clustering",
		"clustering:":           "write clustering, clustering:K or clustering:inferred:K",
		"clustering:0":          "0 is no whole number from 1 to 100",
		"lowrank:inferred:":     "the number K of components",
		"lowrank:inferred:3:1":  "the number K of components",
		"lowrank:25":            "25 components for 50 rows and 25 columns",
		"collapsed:inferred":    "the number K of components",
		"binary:inferred:two":   `"two" is no number`,
		"clustering:inferred:a": `"a" is no number`,
	} {
		if _, err := Models().Parse(text, Size{50, 25}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// takesLong reports whether a mutant takes thousands of chains, or is a right model of any size,
// which TestModels tests too.
func takesLong(m mutant) bool {
	switch m.name {
	case "noise drawn 5% too large", "p(z|y) with twice the variance of the centres", "z drawn axis by axis, each given the old others":
		return true
	case "none":
		return m.draws < harmlessDraws
	case "p(z|y) with twice the noise":
		return m.model == "three data of clu6"
	case "the reversal in the order of the scan":
		return m.model == "binary:3 of 8 by 6" || m.model == "clustering:inferred:2 of 8 by 6"
	case "drawn given values that are not drawn anew", "the scan and its reversal have changed places":
		return m.model == "binary:3 of 8 by 6"
	}
	return false
}

// TestColumns: findings say of which model and kernel they are.
func TestColumns(t *testing.T) {
	f := Finding{"clu4", "stay", check.Finding{Name: "mean_y", Value: 2, Tolerance: 1, Verdict: check.Fault, Where: "here"}, 512}
	var cells []any
	for _, column := range FindingColumns() {
		cells = append(cells, column.Of(&f))
	}
	if want := []any{"clu4", "stay", 512, "mean_y", 2., 1., "fault", "here"}; !slices.Equal(cells, want) {
		t.Errorf("%v, want %v", cells, want)
	}
}
