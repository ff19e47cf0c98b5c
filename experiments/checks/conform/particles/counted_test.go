package particles

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/particle"
	"breadboard/experiments/checks/conform/records"
	"breadboard/grid/longtest"
	"breadboard/toys/models"
)

// unordered returns a task without an order of slots.
func unordered(t testing.TB, toy string, T, particles int, scheme particle.Scheme) *Task {
	t.Helper()
	s := Setting{particles, scheme, 1, true}
	if toy == "hmm" {
		return longtest.Sure(NewModel(models.Wear(), "wear", T, s))
	}
	return longtest.Sure(New(context.Background(), annealed(t, toy, "metropolis", T), s))
}

// countedTasks are tasks whose distributions can be computed both ways.
func countedTasks(t testing.TB) []*Task {
	steep := unordered(t, "cells:0:299", 3, 2, particle.Residual{})
	for i := range steep.LogF {
		for x := range steep.LogF[i] {
			steep.LogF[i][x] += 2000 * float64(i) // a constant factor
		}
	}
	return []*Task{
		steep,
		unordered(t, "hmm", 3, 2, particle.Multinomial{}), unordered(t, "hmm", 3, 2, particle.Residual{}), unordered(t, "hmm", 2, 3, particle.Residual{}),
		unordered(t, "random:1:3:2", 2, 3, particle.Multinomial{}), unordered(t, "cells:0:37", 3, 2, particle.Multinomial{}),
	}
}

// TestCounts holds the distributions by counts, of the specification and of every known way to get
// it wrong, to those that are enumerated: every record has its probability and its log Zhat, and
// the distributions of parts, the divergence and the means of powers are the sums over them.
func TestCounts(t *testing.T) {
	there, exponents := map[string]bool{states: true, output: true}, []float64{-2, -0.001, 0.001, 1, 2}
	for i, made := range countedTasks(t) {
		kind := made.countedKind()
		for h, herd := range made.herds() {
			program := made.program()
			if herd.bug != nil {
				herd.bug(program)
			}
			law := merged(longtest.Sure(made.law(context.Background(), program, chains.Forward)))
			solved := longtest.Must(kind.Chain.Solve(context.Background(), h, exponents))(t)
			mean, square, possible := 0.0, 0.0, 0.0
			for _, a := range law {
				whole := wholeOf(a.Whole)
				if p := kind.Chain.P(h, whole, there); math.Abs(p-a.P) > 1e-15+1e-9*a.P {
					t.Errorf("task %d, %q: record %v has the probability %v, want %v", i, herd.Name, whole, p, a.P)
				}
				v := kind.Chain.Real(h, whole)
				if math.Abs(v-a.Reals[0]) > 1e-9 {
					t.Errorf("task %d, %q: log Zhat %v, want %v", i, herd.Name, v, a.Reals[0])
				}
				solved.Parts["output"][a.Whole[:1]] -= a.P
				for stage := range made.T() {
					solved.Parts[kind.Wholes[1+stage*made.Particles].Test][a.Whole[1+stage*made.Particles:][:made.Particles]] -= a.P
				}
				if under := kind.Chain.P(0, whole, there); under > 0 && math.Abs(kind.Chain.Real(0, whole)-a.Reals[0]) < 1e-9 {
					log := number.LogRatio(a.P, under)
					mean += a.P * log
					square += a.P * log * log
					possible += a.P
				}
			}
			for name, part := range solved.Parts {
				for cell, left := range part {
					if math.Abs(left) > 1e-12 {
						t.Errorf("task %d, %q: %s %v is off by %v", i, herd.Name, name, []byte(cell), left)
					}
				}
			}
			if r := solved; math.Abs(r.Mean-mean) > 1e-9*(1+math.Abs(mean)) || math.Abs(r.Impossible-(1-possible)) > 1e-9 ||
				math.Abs(r.Variance-(square-mean*mean)) > 1e-9*(1+square) {
				t.Errorf("task %d, %q: %v, %v and %v, want the mean %v, the mean square %v and %v impossible", i, herd.Name, r.Mean, r.Variance, r.Impossible,
					mean, square, 1-possible)
			}
			for j, l := range exponents {
				terms := make([]float64, len(law))
				for k, a := range law {
					terms[k] = number.Log(a.P) + l*a.Reals[0]
				}
				if want := number.LogSumExp(terms); math.Abs(solved.LogMeans[j]-want) > 1e-11*(1+math.Abs(want)) {
					t.Errorf("task %d: log E[Zhat^%v] = %v, want %v", i, l, solved.LogMeans[j], want)
				}
			}
		}
	}
}

// merged returns a distribution in which records whose log Zhat differ by rounding are one.
func merged(atoms []records.Atom) (law []records.Atom) {
	at := map[string]int{}
	for _, a := range atoms {
		if i, is := at[a.Whole]; is {
			law[i].P += a.P
			continue
		}
		at[a.Whole] = len(law)
		law = append(law, a)
	}
	return law
}

// TestRows: a row has the chance of every multiset, whatever children draw by.
func TestRows(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		P, S := rapid.IntRange(1, 5).Draw(r, "P"), rapid.IntRange(1, 4).Draw(r, "S")
		c := newCrowds(P, S)
		var list []offspring
		for range rapid.IntRange(1, 3).Draw(r, "ways") {
			o := offspring{p: rapid.Float64Range(0, 1).Draw(r, "p")}
			for range P {
				law := make([]float64, S)
				for x := range law {
					law[x] = rapid.SampledFrom([]float64{0, 1, 0.3, 1e-16, 1e-300}).Draw(r, "weight")
				}
				o.laws = append(o.laws, law)
			}
			list = append(list, o)
		}
		for i, p := range c.row(list) {
			if want := chance(list, counts(c.list[i], S)); math.Abs(p-want) > 1e-14*want {
				r.Fatalf("%v: %v, want %v", c.list[i], p, want)
			}
		}
	})
}

// TestCountedRuns: runs of more particles than can be enumerated pass if they are right, and every
// known way to get it wrong is named where it is planted.
func TestCountedRuns(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	for i, scheme := range []particle.Scheme{particle.Multinomial{}, particle.Residual{}} {
		made := unordered(t, "hmm", 3, 5, scheme)
		if !made.byCounts() {
			t.Fatal("the distribution is enumerated")
		}
		l := newLaws(t, made)
		if found := checkOne(t, l, chains.Forward, sampled(made, chains.Forward, 1, rightProgram), longtest.Times(2000, 20_000)); found.Fault() {
			t.Errorf("%v: %+v", scheme, found.Results)
		}
		for _, n := range l.Needs(records.DefaultAlpha) {
			if !(n.KL > 0) {
				t.Logf("%v: %q has the distribution of the specification", scheme, n.Hypothesis)
				continue
			}
			side := checkOne(t, l, chains.Forward, sampled(made, chains.Forward, uint64(i), bugOf(t, n.Hypothesis)), 4*int(n.Found)+64).Sides[0]
			if !side.Fault || !slices.Equal(side.Named, []string{n.Hypothesis}) {
				t.Errorf("%v: %q is named %q after %d runs; %+v", scheme, n.Hypothesis, side.Named, side.Runs, side.Odds)
			}
		}
	}
}

// TestUnknownCounted: bugs that are not followed by counts are a fault, and log Zhat that does not
// go with the states is shown with the run.
func TestUnknownCounted(t *testing.T) {
	t.Parallel()
	made := unordered(t, "hmm", 3, 5, particle.Multinomial{})
	l := newLaws(t, made)
	for _, name := range []string{"never resampled", "weights kept after resampling", "resampled before weighed", "weights of the old state"} {
		found := checkOne(t, l, chains.Forward, sampled(made, chains.Forward, 2, bugOf(t, name)), 64)
		if side := found.Sides[0]; !found.Fault() || side.Named != nil {
			t.Errorf("%q is named %q: %+v", name, side.Named, found.Results)
		}
	}
	found := checkOne(t, l, chains.Forward, altered(sampled(made, chains.Forward, 2, rightProgram), func(v float64) float64 { return v + 1e-4 }), 64)
	at := slices.IndexFunc(found.Results, func(r records.Result) bool { return r.Test == "runs: log Zhat of the states" })
	if r := found.Results[at]; !r.Fault || !strings.Contains(r.Statistic, "in run 1, whose states have") {
		t.Errorf("%+v", r)
	}
}

// alone leaves the column log_z alone.
func alone(s *records.Source) *records.Source {
	s.Columns = []string{logZ}
	return s
}

// TestLogZAlone: of log Zhat without states the means of powers are tested. Right runs pass, at the
// rate of false alarms; what should be found is found, upwards and downwards.
func TestLogZAlone(t *testing.T) {
	t.Parallel()
	made := unordered(t, "hmm", 3, 5, particle.Residual{})
	l := newLaws(t, made)
	alarms, n := 0, longtest.Times(100, 1000)
	for seed := range n {
		found := longtest.Must(l.Check(context.Background(), []*records.Source{alone(sampled(made, chains.Forward, uint64(seed), rightProgram))},
			records.Options{Alpha: 0.1, Runs: 128}))(t)
		if found.Fault() {
			alarms++
		}
	}
	if limit := 0.1*float64(n) + 6*math.Sqrt(0.09*float64(n)); float64(alarms) > limit {
		t.Errorf("%d false alarms in %d runs", alarms, n)
	}
	for _, off := range []float64{0.1, -0.1} {
		source := func() *records.Source {
			return alone(altered(sampled(made, chains.Forward, 4, rightProgram), func(v float64) float64 { return v + off }))
		}
		if found := checkOne(t, l, chains.Forward, source(), 4000); !found.Fault() || found.Results[0].Test != "runs: log Zhat" {
			t.Errorf("log Zhat that are off by %v: %+v", off, found.Results)
		}
	}
	for _, name := range []string{"sum of the weights in Zhat", "mean of the log weights in Zhat", "last weights left out of Zhat",
		"initial distribution ignored"} {
		if found := checkOne(t, l, chains.Forward, alone(sampled(made, chains.Forward, 3, bugOf(t, name))), 20_000); !found.Fault() {
			t.Errorf("%q: %+v", name, found.Results)
		}
	}
	few := checkOne(t, l, chains.Forward, alone(sampled(made, chains.Forward, 3, rightProgram)), 20)
	if few.Results[0].Open == "" || few.Fault() {
		t.Errorf("%+v", few.Results)
	}
}

// TestCountedSizes: what is too large is refused before anything is computed, and what should fit
// is not.
func TestCountedSizes(t *testing.T) {
	for _, c := range []struct {
		particles int
		scheme    particle.Scheme
		threshold float64
		says      string
	}{
		{10, particle.Systematic{}, 1, "resample multinomial or residual"},
		{10, particle.Residual{}, 0.5, "threshold 1"},
		{101, particle.Residual{}, 1, "the distribution can be enumerated for 2 to 100"},
		{1, particle.Residual{}, 1, "1 particles"},
	} {
		longtest.Refuses(NewModel(models.Wear(), "wear", 3, Setting{c.particles, c.scheme, c.threshold, true}))(t, c.says, c)
	}
	longtest.NoError(t, unordered(t, "random:2:0:2x3", 4, 10, particle.Residual{}).checkWork())
	large := unordered(t, "random:2:0:2x4", 4, 10, particle.Multinomial{})
	_, err := large.Laws(context.Background(), 0, nil)
	longtest.Refused(t, err, "possible: 7 particles, or 6 states")
	longtest.NoError(t, unordered(t, "random:2:0:2x4", 4, 7, particle.Multinomial{}).checkWork())
}
