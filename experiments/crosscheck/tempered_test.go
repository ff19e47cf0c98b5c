package crosscheck

import (
	"context"
	"math"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/tempering"
	"breadboard/exact/replicas"
	"breadboard/grid/longtest"
)

func tempered(t testing.TB, scheme tempering.Scheme) *tempering.Tempering {
	t.Helper()
	c := longtest.Must(temperedCase(context.Background()))(t)
	return longtest.Must(tempering.New(c.Annealing(), scheme))(t)
}

// TestTemperedLaw: the law of a run has the distance of the cold chain that tensors give, and the round trips that tempering.Run adds up.
func TestTemperedLaw(t *testing.T) {
	longtest.NotShort(t)
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
		if math.Abs(tv-cold.TV) > 1e-13 || !(trips > 0.1) {
			t.Errorf("%s: the cold chain is at a distance of %v, want %v; %v round trips", name, tv, cold.TV, trips)
		}
	}
}

// TestTempered: scans of the library pass, and each planted bug is found by a test that sees it. A false alarm has a probability of at most 1e-6 in
// each battery.
func TestTempered(t *testing.T) {
	longtest.NotShort(t)
	t.Parallel()
	for name, bug := range map[string]struct {
		of    func(m *tempering.Tempering) scan
		found string // what finds it; empty where it is none
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
