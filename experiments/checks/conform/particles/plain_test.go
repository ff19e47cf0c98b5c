package particles

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"breadboard/chains"
	"breadboard/chains/particle"
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

// plain walks through all runs of a task by nested loops over states and parents, with formulas in
// the place of choices.
type plain struct {
	*Task
	flow *flow
	law  map[string]float64 // by the record, as text
	sum  map[string]float64 // by the record: its probability times Zhat
}

// everyRow calls f with every vector of P numbers below n.
func everyRow(P, n int, f func(row []int)) {
	row := make([]int, P)
	for code := range int(math.Pow(float64(n), float64(P))) {
		for i := range row {
			row[i] = code % n
			code /= n
		}
		f(slices.Clone(row))
	}
}

// parentsP returns the probability of parents under a scheme, by its definition. That of systematic
// resampling is the length of the u that give these parents, which is found by cutting the unit
// interval at every place where one of them changes.
func parentsP(scheme particle.Scheme, w []float64, parents []int) float64 {
	P := float64(len(w))
	low, high := make([]float64, len(w)), make([]float64, len(w)) // the stretches
	for j := range w {
		if j > 0 {
			low[j] = high[j-1]
		}
		high[j] = low[j] + P*w[j]
	}
	p := 1.0
	switch scheme.(type) {
	case particle.Multinomial:
		for _, j := range parents {
			p *= w[j]
		}
	case particle.Stratified:
		for i, j := range parents {
			p *= max(0, min(high[j], float64(i+1))-max(low[j], float64(i)))
		}
	case particle.Systematic: // u must be between the largest beginning and the smallest end
		from, to := 0.0, 1.0
		for i, j := range parents {
			from, to = max(from, low[j]-float64(i)), min(to, high[j]-float64(i))
		}
		p = max(0, to-from)
	case particle.Residual:
		var sure []int
		rest, total := make([]float64, len(w)), 0.0
		for j, v := range w {
			n := math.Floor(P*v + 1e-9)
			for range int(n) {
				sure = append(sure, j)
			}
			rest[j] = max(0, P*v-n)
			total += rest[j]
		}
		for i, j := range parents {
			switch {
			case i < len(sure) && sure[i] != j:
				return 0
			case i >= len(sure):
				p *= rest[j] / total
			}
		}
	}
	return p
}

// walk goes on with a run before stage t.
func (l *plain) walk(t int, p float64, states []int, weights []float64, zhat float64, notes []int) {
	if t > l.T() {
		total := 0.0
		weights = slices.Clone(weights)
		for i, x := range states {
			weights[i] *= math.Exp(l.flow.weights[t-2][x])
			total += weights[i]
		}
		zhat *= total / float64(l.Particles)
		for i, w := range weights {
			text := fmt.Sprintf("%.9f", math.Log(zhat)) + fmt.Sprint(append(append([]int{states[i]}, states...), notes...))
			l.law[text] += p * w / total
			l.sum[text] += p * w / total * zhat
		}
		return
	}
	w, total, squares := slices.Clone(weights), 0.0, 0.0
	for i, x := range states {
		w[i] *= math.Exp(l.flow.weights[t-2][x])
		total += w[i]
		squares += w[i] * w[i]
	}
	move := func(p float64, from []int, weights []float64, zhat float64, parents []int) {
		everyRow(l.Particles, l.States(), func(to []int) {
			q := p
			for i := range to {
				q *= l.flow.moves[t-2][from[i]][to[i]]
			}
			if q > 0 {
				l.walk(t+1, q, to, weights, zhat, append(slices.Clone(notes), parents...))
			}
		})
	}
	if l.Threshold == 0 || l.Threshold < 1 && !(total*total < l.Threshold*float64(l.Particles)*squares) {
		move(p, states, w, zhat, slices.Repeat([]int{unresampled}, l.Particles))
		return
	}
	ones := slices.Repeat([]float64{1}, l.Particles)
	zhat *= total / float64(l.Particles)
	for i := range w {
		w[i] /= total
	}
	everyRow(l.Particles, l.Particles, func(parents []int) {
		from := make([]int, l.Particles)
		for i, j := range parents {
			from[i] = states[j]
		}
		if q := p * parentsP(l.Scheme, w, parents); q > 1e-15 {
			move(q, from, ones, zhat, parents)
		}
	})
}

// plainLaws returns the distribution of the records of runs, and that of conditional runs: the
// distribution of a run weighted by Zhat/Z, which is what conditional runs from exact draws have
// (Andrieu, Doucet and Holenstein 2010, Eq. 26).
func plainLaws(t *Task) (runs, conditional map[string]float64) {
	l := &plain{t, t.flow(), map[string]float64{}, map[string]float64{}}
	first := l.flow.first
	everyRow(t.Particles, t.States(), func(states []int) {
		p := 1.0
		for _, x := range states {
			p *= first[x]
		}
		l.walk(2, p, states, slices.Repeat([]float64{1}, t.Particles), 1, nil)
	})
	for text := range l.sum {
		l.sum[text] /= math.Exp(t.LogZRatio())
	}
	return l.law, l.sum
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

// TestPlain holds the enumerated distributions of runs and of conditional runs to nested loops, for
// every scheme.
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
			runs, conditional := plainLaws(made)
			for d, want := range []map[string]float64{runs, conditional} {
				atoms := longtest.Sure(made.law(context.Background(), made.program(), chains.Direction(d)))
				if off := distance(texts(atoms), want); !(off < 1e-12) {
					t.Errorf("%v, %+v, %s: the laws have a total variation distance of %v", scheme, c, what(chains.Direction(d)), off)
				}
			}
		}
	}
}
