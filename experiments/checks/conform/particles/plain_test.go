package particles

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"breadboard/chains"
	"breadboard/chains/particle"
	"breadboard/exact/program"
	"breadboard/experiments/checks/conform/records"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
	"breadboard/toys/models"
)

// annealed returns a case of annealing.
func annealed(t testing.TB, toy, kernel string, T int) subject.Case {
	t.Helper()
	cases := longtest.Must(subject.Selection{Toys: []string{toy}, Distributions: []int{T}, Path: "geometric", Schedule: "linear",
		Kernel: kernel}.Cases(context.Background()))(t)
	return cases[0]
}

// newTask returns the task of a toy with Metropolis, or of the hidden Markov model wear if the toy
// is "hmm".
func newTask(t testing.TB, toy string, T, particles int, scheme particle.Scheme, threshold float64) *Task {
	t.Helper()
	if toy == "hmm" {
		return longtest.Sure(NewModel(models.Wear(), "wear", T, Setting{particles, scheme, threshold, false}))
	}
	return longtest.Sure(New(context.Background(), annealed(t, toy, "metropolis", T), Setting{particles, scheme, threshold, false}))
}

func schemes() []particle.Scheme {
	return []particle.Scheme{particle.Multinomial{}, particle.Stratified{}, particle.Systematic{}, particle.Residual{}}
}

// plainLaws returns the distribution of the records of runs, written down with the schemes of
// package chains/particle, and that of conditional runs: the distribution of a run weighted by
// Zhat/Z, which is what conditional runs from exact draws have (Andrieu, Doucet and Holenstein
// 2010, Eq. 26).
func plainLaws(t *testing.T, made *Task) (runs, conditional map[string]float64) {
	type run struct {
		text string
		logZ float64
	}
	flow, n := made.flow(), made.Particles
	law := longtest.Sure(program.Enumerate(t.Context(), func(c chains.Chooser) run {
		states, w, logZ, notes := make([]int, n), slices.Repeat([]float64{1}, n), 0.0, []int{}
		for i := range states {
			states[i] = c.Choose(flow.first)
		}
		for stage := 2; ; stage++ {
			for i, x := range states {
				w[i] *= math.Exp(flow.weights[stage-2][x])
			}
			total := floats.Sum(w)
			if stage > made.T() {
				logZ += math.Log(total / float64(n))
				floats.Scale(1/total, w)
				output := states[c.Choose(w)]
				return run{fmt.Sprintf("%.9f", logZ) + fmt.Sprint(append(append([]int{output}, states...), notes...)), logZ}
			}
			parents, from := slices.Repeat([]int{unresampled}, n), slices.Clone(states)
			if made.Threshold == 1 || total*total < made.Threshold*float64(n)*floats.Dot(w, w) {
				logZ += math.Log(total / float64(n))
				floats.Scale(1/total, w)
				made.Scheme.Parents(c, w, parents)
				for i, j := range parents {
					from[i], w[i] = states[j], 1
				}
			}
			for i, x := range from {
				states[i] = c.Choose(flow.moves[stage-2][x])
			}
			notes = append(notes, parents...)
		}
	}, program.Options{}))
	runs, conditional = map[string]float64{}, map[string]float64{}
	for _, o := range law.Outcomes() {
		runs[o.Value.text] += o.P
		conditional[o.Value.text] += o.P * math.Exp(o.Value.logZ-made.LogZRatio())
	}
	return runs, conditional
}

// TestUnordered holds the distributions of multisets to those of slots: to the distribution of the
// output, the last states and log Zhat, with their order forgotten. Those of the first states are
// held to their formula.
func TestUnordered(t *testing.T) {
	for _, scheme := range schemes() {
		for d := range 2 {
			made := newTask(t, "hmm", 3, 2, scheme, 0.75)
			want := map[string]float64{}
			for _, a := range longtest.Sure(made.law(context.Background(), made.program(), chains.Direction(d))) {
				want[fmt.Sprintf("%.9f %d %v", a.Reals[0], a.Whole[0], []byte{min(a.Whole[1], a.Whole[2]), max(a.Whole[1], a.Whole[2])})] += a.P
			}
			made.Unordered = true
			got, pairs := map[string]float64{}, map[string]float64{}
			for _, a := range longtest.Sure(made.law(context.Background(), made.program(), chains.Direction(d))) {
				got[fmt.Sprintf("%.9f %d %v", a.Reals[0], a.Whole[0], []byte(a.Whole[5:]))] += a.P
				pairs[a.Whole[1:3]] += a.P
			}
			if off := distance(got, want); !(off < 1e-12) {
				t.Errorf("%v, %s: the laws have a total variation distance of %v", scheme, what(chains.Direction(d)), off)
			}
			for x, p := range made.HMM.Pi { // the first states of runs are independent draws of pi
				for y, q := range made.HMM.Pi[:x+1] {
					if x != y {
						q *= 2
					}
					if v := pairs[string([]byte{byte(y), byte(x)})]; d == 0 && math.Abs(v-p*q) > 1e-12 {
						t.Errorf("%v: the first states %d and %d have the probability %v, want %v", scheme, y, x, v, p*q)
					}
				}
			}
		}
	}
}

// texts returns the distribution of atoms by the record as text.
func texts(atoms []records.Atom) map[string]float64 {
	out := map[string]float64{}
	for _, a := range atoms {
		var whole []int
		for _, b := range []byte(a.Whole) {
			whole = append(whole, int(int8(b)))
		}
		out[fmt.Sprintf("%.9f", a.Reals[0])+fmt.Sprint(whole)] += a.P
	}
	return out
}

// distance returns half of the sum of the differences of two distributions.
func distance(p, q map[string]float64) float64 {
	sum := 0.0
	for k, v := range p {
		sum += math.Abs(v-q[k]) / 2
	}
	for k, v := range q {
		if _, is := p[k]; !is {
			sum += v / 2
		}
	}
	return sum
}

// TestPlain holds the enumerated distributions of runs and of conditional runs to those that are
// written down here, for every scheme.
func TestPlain(t *testing.T) {
	longtest.Only(t)
	for _, scheme := range schemes() {
		for _, c := range []struct {
			toy          string
			T, particles int
			threshold    float64
		}{{"random:2:0:3", 3, 2, 1}, {"random:2:0:3", 3, 2, 0.75}, {"random:2:0:2", 3, 2, 0}, {"random:1:3:2", 2, 3, 1}, {"hmm", 3, 2, 1},
			{"hmm", 3, 2, 0.75}, {"hmm", 2, 3, 1}} {
			made := newTask(t, c.toy, c.T, c.particles, scheme, c.threshold)
			runs, conditional := plainLaws(t, made)
			for d, want := range []map[string]float64{runs, conditional} {
				atoms := longtest.Sure(made.law(context.Background(), made.program(), chains.Direction(d)))
				if off := distance(texts(atoms), want); !(off < 1e-12) {
					t.Errorf("%v, %+v, %s: the laws have a total variation distance of %v", scheme, c, what(chains.Direction(d)), off)
				}
			}
		}
	}
}
