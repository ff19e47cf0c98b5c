package conform

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"breadboard/chains"
	"breadboard/grid/longtest"
)

// mostAlarms returns the largest number of false alarms in so many runs that more than one in 10^6 right test programs has,
// if a run has one with a probability of alpha.
func mostAlarms(runs int, alpha float64) int {
	b := distuv.Binomial{N: float64(runs), P: alpha}
	k := 0
	for b.Survival(float64(k)) > 1e-6 {
		k++
	}
	return k
}

// TestMostAlarms holds the bounds to sums over the binomial law: of 1,000 runs at 0.001 more than 9 alarm with a probability
// of 1.1e-7, and more than 8 with one of 1.1e-6.
func TestMostAlarms(t *testing.T) {
	if a, b := mostAlarms(1000, 0.001), mostAlarms(20, 0.001); a != 9 || b != 3 {
		t.Errorf("%d of 1000 and %d of 20", a, b)
	}
	tail := 1.0
	for k, p := 0, math.Pow(0.999, 1000); k <= 9; k++ {
		tail -= p
		p *= float64(1000-k) / float64(k+1) * 0.001 / 0.999
	}
	if tail > 1e-6 || tail < 1e-8 {
		t.Errorf("more than 9 of 1000 have a probability of %v", tail)
	}
}

// TestFalseAlarms runs right code in both directions at alpha = 0.001 and counts alarms of any test at any look. If each run alarmed with a
// probability of alpha, the test would fail by chance with a probability of less than 1e-6 a task. The seeds are fixed.
func TestFalseAlarms(t *testing.T) {
	longtest.NotShort(t)
	const alpha, n = 0.001, 3000
	runs, tasks := longtest.Times(4, 5), []*Laws{usualLaws(t)}
	if longtest.Enabled() {
		tasks = append(tasks, lawsOf(t, "barrier", 12, "linear"))
	}
	for _, l := range tasks {
		c := l.task.Case
		alarms, paths := 0, 0
		for seed := range uint64(runs) {
			// Every fourth run has whole paths, so that these tests have their share of looks.
			in := Input{Forward: source(many(t, l.task, chains.Forward, n, seed), short), Reverse: source(many(t, l.task, chains.Reverse, n, seed), short)}
			if seed%4 == 0 {
				in = Input{Forward: source(drawn(t, l.task, chains.Forward, n, seed), everything), Reverse: source(drawn(t, l.task, chains.Reverse, n, seed), everything)}
				paths++
			}
			out := checked(t, l, in, Options{Alpha: alpha, Seed: seed})
			if out.Fault() {
				alarms++
				t.Logf("%s, seed %d: %+v", c.Toy.Name, seed, out.faults())
			}
		}
		most := mostAlarms(runs, alpha)
		t.Logf("%s, T = %d: %d alarms in %d runs, of which %d with paths; at most %d", c.Toy.Name, c.Distributions(), alarms, runs, paths, most)
		if alarms > most {
			t.Errorf("%s, T = %d: %d of %d runs alarm, more than %d", c.Toy.Name, c.Distributions(), alarms, runs, most)
		}
	}
}
