package selfcheck

import (
	"context"
	"math"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/couplings"
	"breadboard/chains/tempering"
	"breadboard/exact/replicas"
	"breadboard/grid/longtest"
)

// coupledBy returns the tests of coupled chains on one of the cases, by a function that makes
// couplings and one that makes chains meet.
func coupledBy(t *testing.T, at int, sampled func(string, chains.Kernel) (couplings.Coupling, error), meet meets, o BatteryOptions) []*source {
	c := longtest.Must(smallCases()[1+at].load(context.Background()))(t)
	a := c.Annealing()
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

// TestCoupledFaults: wrong couplings and wrong meeting times are found, each by the tests that are
// of it.
func TestCoupledFaults(t *testing.T) {
	longtest.Only(t)
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
		"the lag is left out": {couplings.New, func(c chains.Chooser, k *coupled, most int) int { return meetAfter(c, k, 0, most) }, "meeting times"},
		"a move is counted that has not been": {couplings.New, func(c chains.Chooser, k *coupled,
			most int) int {
			return min(most, firstMeeting(c, k, most)+1)
		}, "meeting times"},
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

// TestCoupledFalseAlarms: the couplings of the library pass. With an alpha of a half for all tests
// of one run a false alarm may come in every second run at most; e-processes are cautious, and far
// fewer do. The seeds are fixed.
func TestCoupledFalseAlarms(t *testing.T) {
	longtest.Only(t)
	alarms, runs := 0, longtest.Times(4, 100)
	for seed := range runs {
		o := BatteryOptions{Alpha: 0.5, Seed: uint64(seed), Draws: 1 << 10, Moves: 1 << 10}
		for at := range 2 {
			o.Stream = []string{"metropolis", "heatbath"}[at]
			of := coupledBy(t, at, couplings.New, firstMeeting, o)
			if at == 0 && len(of) != 2*len(couplings.Names()) {
				t.Fatalf("%d tests", len(of))
			}
			if results := longtest.Must(runTests(context.Background(), of, o))(t); len(faults(results)) > 0 {
				alarms++
			}
		}
	}
	if alarms > runs/4 {
		t.Errorf("%d alarms in %d runs", alarms, 2*runs)
	}
}

func tempered(t testing.TB, scheme tempering.Scheme) *tempering.Tempering {
	t.Helper()
	c := longtest.Must(smallCases()[3].load(context.Background()))(t)
	return longtest.Must(tempering.New(c.Annealing(), scheme))(t)
}

// TestTemperedLaw: the distribution of a run has the distance of the cold chain that tensors give,
// and the round trips that tempering.Run adds up.
func TestTemperedLaw(t *testing.T) {
	longtest.Only(t)
	for _, name := range tempering.Schemes()[:longtest.Times(1, 2)] {
		m := tempered(t, tempering.Scheme(name))
		p := longtest.Must(journey{m, stepBy(m, m.Scan)}.law(context.Background()))(t)
		r := longtest.Must(replicas.New(context.Background(), m))(t)
		uniform := make([]float64, m.States())
		for x := range uniform {
			uniform[x] = 1 / float64(len(uniform))
		}
		cold := longtest.Must(r.Cold(context.Background(), r.Alike(uniform), []int{temperedScans}))(t)[0]
		law, tv, trips := make([]float64, m.States()), 0.0, 0.0
		for cell, v := range p {
			law[cell%m.States()] += v
			trips += v * float64(cell/27)
		}
		for x, v := range r.Stationary()[m.Rungs()-1] {
			tv += math.Abs(law[x]-v) / 2
		}
		if math.Abs(tv-cold.TV.Value) > 1e-13 || !(trips > 0.1) {
			t.Errorf("%s: the cold chain is at a distance of %v, want %v; %v round trips", name, tv, cold.TV.Value, trips)
		}
	}
}

// TestTempered: scans of the library pass, and each planted bug is found by a test that sees it. A
// false alarm has a probability of at most 1e-6 in each battery.
func TestTempered(t *testing.T) {
	longtest.Only(t)
	t.Parallel()
	for name, bug := range map[string]struct {
		of    func(m *tempering.Tempering) scan
		found string // what finds it; empty if it is none
	}{
		"right":            {func(m *tempering.Tempering) scan { return m.Scan }, ""},
		"right, by a coin": {func(m *tempering.Tempering) scan { return m.Scan }, ""},
		"always even": {func(m *tempering.Tempering) scan {
			return func(c chains.Chooser, t int, x []int, swapped func(int, bool)) {
				m.Scan(c, 1, x, func(i int, accepted bool) { swapped(i, accepted) })
			}
		}, "states and round trips"},
		"swaps first": {func(m *tempering.Tempering) scan {
			return func(c chains.Chooser, t int, x []int, swapped func(int, bool)) {
				for i := (t - 1) % 2; i+1 < len(x); i += 2 {
					accepted := c.Flip(math.Exp(m.LogAcceptance(i, x[i], x[i+1])))
					if accepted {
						x[i], x[i+1] = x[i+1], x[i]
					}
					swapped(i, accepted)
				}
				for i := range x {
					x[i] = m.Kernel().Move(c, m.LogF(i), x[i])
				}
			}
		}, "states and round trips"},
		"ratio inverted": {func(m *tempering.Tempering) scan {
			return func(c chains.Chooser, t int, x []int, swapped func(int, bool)) {
				for i := range x {
					x[i] = m.Kernel().Move(c, m.LogF(i), x[i])
				}
				for i := (t - 1) % 2; i+1 < len(x); i += 2 {
					accepted := c.Flip(math.Exp(m.LogAcceptance(i, x[i+1], x[i])))
					if accepted {
						x[i], x[i+1] = x[i+1], x[i]
					}
					swapped(i, accepted)
				}
			}
		}, "swaps of pair 0"},
	} {
		m := tempered(t, tempering.DEO)
		if name == "right, by a coin" {
			m = tempered(t, tempering.SEO)
		}
		o := BatteryOptions{Alpha: 1e-6, Seed: 1, Draws: longtest.Times(4_000, 100_000)}
		steps := stepBy(m, bug.of(m))
		if bug.found == "" {
			steps = tempering.Run{Tempering: m}.Step
		}
		tests := temperedTests(m, bug.of(m), steps, o)
		if name == "always even" {
			tests = tests[:1] // the odd pair is never offered
		}
		var faults []string
		for _, r := range longtest.Must(runTests(context.Background(), tests, o))(t) {
			if r.Fault {
				faults = append(faults, r.Test+": "+r.Where)
			}
		}
		if found := strings.Join(faults, "\n"); (found == "") != (bug.found == "") || !strings.Contains(found, bug.found) {
			t.Errorf("%s: found %q", name, found)
		}
	}
}
