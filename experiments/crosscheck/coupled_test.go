package crosscheck

import (
	"context"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/couplings"
	"breadboard/grid/longtest"
)

// coupledBy returns the tests of coupled chains on one of the cases, by a function that makes couplings and one that makes chains meet.
func coupledBy(t *testing.T, at int, sampled func(string, chains.Kernel) (couplings.Coupling, error), meet meets, o BatteryOptions) []*test {
	a := longtest.Must(coupledCases(context.Background()))(t)[at].Annealing()
	logf := make([]float64, a.States())
	a.LogF(logf, a.Distributions())
	return coupledTests(a.KernelAt(a.Distributions()), logf, sampled, meet, o)
}

// altered is a coupling with a fault in what it returns.
type altered struct {
	couplings.Coupling
	change func(c chains.Chooser, x, y, x2, y2 int) (int, int)
}

func (k altered) Couple(c chains.Chooser, logf []float64, x, y int) (x2, y2 int) {
	x2, y2 = k.Coupling.Couple(c, logf, x, y)
	return k.change(c, x, y, x2, y2)
}

// TestCoupledFaults: wrong couplings and wrong meeting times are found, each by the tests that are of it.
func TestCoupledFaults(t *testing.T) {
	longtest.NotShort(t)
	of := func(change func(c chains.Chooser, x, y, x2, y2 int) (int, int)) func(string, chains.Kernel) (couplings.Coupling, error) {
		return func(name string, k chains.Kernel) (couplings.Coupling, error) {
			c, err := couplings.New(name, k)
			return altered{c, change}, err
		}
	}
	o := BatteryOptions{Alpha: 1e-6, Seed: 7, Draws: 1 << 13, Moves: 1 << 14}
	for name, c := range map[string]struct {
		sampled func(string, chains.Kernel) (couplings.Coupling, error)
		meet    meets
		finds   string // by which test of every coupling
	}{
		"the chains are exchanged":        {of(func(_ chains.Chooser, _, _, x2, y2 int) (int, int) { return y2, x2 }), firstMeeting, "moves"},
		"chains that have met part again": {of(func(c chains.Chooser, x, y, x2, y2 int) (int, int) { return x2, (y2 + c.Uniform(2)) % 6 }), firstMeeting, "moves"},
		"they meet a little too often": {of(func(c chains.Chooser, x, _, x2, y2 int) (int, int) {
			return x2, map[bool]int{true: x2, false: y2}[c.Flip(0.2)]
		}), firstMeeting, "moves"},
		"the lag is left out":                 {couplings.New, func(c chains.Chooser, k *coupled, most int) int { return meetAfter(c, k, 0, most) }, "meeting times"},
		"a move is counted that has not been": {couplings.New, func(c chains.Chooser, k *coupled, most int) int { return min(most, firstMeeting(c, k, most)+1) }, "meeting times"},
	} {
		tests := coupledBy(t, 0, c.sampled, c.meet, o)
		found := map[string]bool{}
		for _, r := range longtest.Must(runTests(context.Background(), tests, o))(t) {
			what, _, _ := strings.Cut(r.Test, " of ")
			found[what] = found[what] || r.Fault
		}
		if !found[c.finds] {
			t.Errorf("%s: found by %v", name, found)
		}
	}
}

// TestCoupledFalseAlarms: the couplings of the library pass. With an alpha of a half for all tests of one run a false alarm may come in every
// second run at most; e-processes are cautious, and far fewer do. The seeds are fixed.
func TestCoupledFalseAlarms(t *testing.T) {
	longtest.NotShort(t)
	alarms, runs := 0, longtest.Times(4, 100)
	for seed := range runs {
		o := BatteryOptions{Alpha: 0.5, Seed: uint64(seed), Draws: 1 << 10, Moves: 1 << 10}
		for at := range 2 {
			o.Stream = []string{"metropolis", "heatbath"}[at]
			tests := coupledBy(t, at, couplings.New, firstMeeting, o)
			if at == 0 && len(tests) != 2*len(couplings.Names()) {
				t.Fatalf("%d tests", len(tests))
			}
			if results := longtest.Must(runTests(context.Background(), tests, o))(t); len(faults(results)) > 0 {
				alarms++
			}
		}
	}
	if alarms > runs/4 {
		t.Errorf("%d alarms in %d runs", alarms, 2*runs)
	}
}
