package conform_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"breadboard/chains/tempering"
	"breadboard/experiments/checks/conform/records"
	tempered "breadboard/experiments/checks/conform/tempering"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
)

// newTask returns a task of a toy, on the path from its power 0.3.
func newTask(t testing.TB, toy string, scheme tempering.Scheme, scans, long int, betas ...float64) *tempered.Task {
	t.Helper()
	return longtest.Must(tempered.New(context.Background(), annealed(t, toy), betas, scheme, scans, long))(t)
}

func annealed(t testing.TB, toy string) subject.Case {
	t.Helper()
	s := subject.Selection{Toys: []string{toy}, Distributions: []int{2}, Path: "geometric", Initial: "tempered:0.3", Schedule: "linear", Kernel: "metropolis"}
	return longtest.Must(s.Cases(context.Background()))(t)[0]
}

// plain walks through all runs of a task by nested loops over states and swaps, with formulas in
// place of choices.
type plain struct {
	*tempered.Task
	trips bool
	scans int
	law   map[string]float64
}

// temperedRun is a run until some scan.
type temperedRun struct {
	x         []int
	labels    string // of the replicas, u or d
	stones    []float64
	refused   []float64
	offers    []float64
	completed int
	swaps     []int
}

func (r temperedRun) clone() temperedRun {
	r.x, r.stones, r.refused, r.offers, r.swaps = slices.Clone(r.x), slices.Clone(r.stones), slices.Clone(r.refused), slices.Clone(r.offers), slices.Clone(r.swaps)
	return r
}

func (l *plain) logf(i, x int) float64 { return (1-l.Betas[i])*l.LogF[0][x] + l.Betas[i]*l.LogF[1][x] }

// metropolis returns the probability of a move at a rung.
func (l *plain) metropolis(i, x, y int) float64 {
	if x != y {
		return l.Propose[x][y] * min(1, math.Exp(l.logf(i, y)-l.logf(i, x)))
	}
	stay := 1.0
	for z := range l.States() {
		if z != x {
			stay -= l.metropolis(i, x, z)
		}
	}
	return stay
}

// everyState calls f with every vector of states.
func (l *plain) everyState(f func(x []int)) {
	total := int(math.Round(math.Pow(float64(l.States()), float64(len(l.Betas)))))
	for code := range total {
		x := make([]int, len(l.Betas))
		for i := range x {
			x[i] = code % l.States()
			code /= l.States()
		}
		f(x)
	}
}

// walk goes on with scan t.
func (l *plain) walk(t int, p float64, r temperedRun) {
	if t > l.scans {
		l.law[l.text(r)] += p
		return
	}
	l.everyState(func(y []int) {
		q := p
		for i := range y {
			q *= l.metropolis(i, r.x[i], y[i])
		}
		if q == 0 {
			return
		}
		next := r.clone()
		next.x = y
		if l.Scheme == tempering.DEO {
			l.swap(t, q, next, (t-1)%2, nil)
		} else {
			l.swap(t, q/2, next, 0, nil)
			l.swap(t, q/2, next, 1, nil)
		}
	})
}

// swap offers a swap to pair i and to those after it, and notes what became of them.
func (l *plain) swap(t int, p float64, r temperedRun, i int, done []int) {
	if i+1 >= len(l.Betas) {
		r = r.clone()
		for pair := range len(l.Betas) - 1 {
			note := -1
			for k := 0; k < len(done); k += 2 {
				if done[k] == pair {
					note = done[k+1]
				}
			}
			r.swaps = append(r.swaps, note)
			r.stones[pair] += math.Exp((l.Betas[pair+1] - l.Betas[pair]) * (l.LogF[1][r.x[pair]] - l.LogF[0][r.x[pair]]))
		}
		labels := []byte(r.labels)
		if labels[0] == 'd' {
			r.completed++
		}
		labels[0], labels[len(labels)-1] = 'u', 'd'
		r.labels = string(labels)
		l.walk(t+1, p, r)
		return
	}
	there, back := l.logf(i, r.x[i+1])+l.logf(i+1, r.x[i]), l.logf(i, r.x[i])+l.logf(i+1, r.x[i+1])
	a := min(1, math.Exp(there-back))
	r = r.clone()
	r.refused[i] += 1 - a
	r.offers[i]++
	if a < 1 {
		l.swap(t, p*(1-a), r.clone(), i+2, append(slices.Clone(done), i, 0))
	}
	r.x[i], r.x[i+1] = r.x[i+1], r.x[i]
	labels := []byte(r.labels)
	labels[i], labels[i+1] = labels[i+1], labels[i]
	r.labels = string(labels)
	l.swap(t, p*a, r, i+2, append(slices.Clone(done), i, 1))
}

// text writes a record down.
func (l *plain) text(r temperedRun) string {
	if l.trips {
		return fmt.Sprintf("%v %d %.9f", r.swaps, r.completed, float64(r.completed)/float64(l.scans))
	}
	logZ := 0.0
	for i := range r.stones {
		logZ += math.Log(r.stones[i] / float64(l.scans))
		r.refused[i] /= max(1, r.offers[i])
	}
	return fmt.Sprintf("%v %v %.9f %.9f", r.swaps, r.x, logZ, r.refused)
}

// plainLaw returns the distribution of the records of a kind.
func plainLaw(t *tempered.Task, trips bool) map[string]float64 {
	l := &plain{Task: t, trips: trips, scans: t.Scans, law: map[string]float64{}}
	if trips {
		l.scans = t.Long
	}
	l.everyState(func(x []int) {
		labels := slices.Repeat([]byte{'u'}, len(x))
		labels[len(x)-1] = 'd'
		l.walk(1, l.stationary(x), temperedRun{x: x, labels: string(labels), stones: make([]float64, len(t.Betas)-1), refused: make([]float64, len(t.Betas)-1),
			offers: make([]float64, len(t.Betas)-1)})
	})
	return l.law
}

// texts returns the distribution of atoms by the record as text.
func texts(t *tempered.Task, trips bool, atoms []records.Atom) map[string]float64 {
	out := map[string]float64{}
	for _, a := range atoms {
		var whole []int
		for _, b := range []byte(a.Whole) {
			whole = append(whole, int(int8(b)))
		}
		if trips {
			last := len(whole) - 1
			out[fmt.Sprintf("%v %d %.9f", whole[:last], whole[last], a.Reals[0])] += a.P
			continue
		}
		swaps := t.Scans * (len(t.Betas) - 1)
		out[fmt.Sprintf("%v %v %.9f %.9f", whole[:swaps], whole[swaps:], a.Reals[0], a.Reals[1:])] += a.P
	}
	return out
}

// TestTemperingPlain holds the propagated distributions to nested loops, for both schemes, on three
// and on four rungs.
func TestTemperingPlain(t *testing.T) {
	longtest.Only(t)
	for _, c := range []struct {
		toy    string
		scheme tempering.Scheme
		betas  []float64
		scans  int
		long   int
	}{
		{"random:2:0:3", tempering.DEO, []float64{0, 0.3, 1}, 2, 3}, {"random:2:0:2", tempering.SEO, []float64{0, 0.3, 1}, 2, 3},
		{"random:2:0:2", tempering.DEO, []float64{0, 0.2, 0.5, 1}, 2, 4}, {"random:2:0:3", tempering.SEO, []float64{0, 0.3, 1}, 3, 3},
	}[:longtest.Times(3, 4)] {
		made := newTask(t, c.toy, c.scheme, c.scans, c.long, c.betas...)
		for _, trips := range []bool{false, true} {
			if trips && len(c.betas) > 3 && !longtest.More() {
				continue
			}
			want := plainLaw(made, trips)
			kind := 0
			if trips {
				kind = 1
			}
			got := texts(made, trips, longtest.Must(made.Kinds()[kind].Ways[0].Law(t.Context()))(t))
			off := 0.0
			for text, p := range want {
				off += math.Abs(p - got[text])
			}
			for text, p := range got {
				if _, is := want[text]; !is {
					off += p
				}
			}
			if !(off < 1e-12) {
				t.Errorf("%+v, trips %v: the distributions differ by %v in all", c, trips, off)
			}
		}
	}
}

// TestTemperingBreaks: after the scans of a run the replicas have the distributions of their rungs,
// independently, unless a bug breaks invariance. Bugs of the swap itself do that in a single scan;
// caches, betas and the ladder need a swap before they do harm.
func TestTemperingBreaks(t *testing.T) {
	longtest.Only(t)
	made := newTask(t, "random:2:0:2", tempering.DEO, 3, 3, 0, 0.3, 1)
	l := &plain{Task: made}
	later := []string{"kernels' caches not swapped", "explores at the beta of its old rung", "ladder keeps adapting"}
	says := strings.Join(made.Page().Ways, "\n")
	for i, w := range made.Kinds()[0].Ways[1:] {
		made.Scans = 3
		three := l.drift(t, 1+i)
		made.Scans = 1
		one := l.drift(t, 1+i)
		if breaks := strings.Contains(says, w.Name+" (breaks invariance)"); three > 1e-6 != breaks || three > 1e-13 != breaks ||
			one > 1e-13 != (breaks && !slices.Contains(later, w.Name)) {
			t.Errorf("%q is said to break invariance: %v; the distribution of the replicas is off by %v after one scan and by %v after three", w.Name, breaks,
				one, three)
		}
	}
}

// drift returns the largest difference of the probability of last states from that of independent
// replicas, of a way to get it wrong.
func (l *plain) drift(t *testing.T, way int) (off float64) {
	last := map[string]float64{}
	for _, a := range longtest.Must(l.Kinds()[0].Ways[way].Law(t.Context()))(t) {
		last[a.Whole[len(a.Whole)-3:]] += a.P
	}
	l.everyState(func(x []int) {
		off = max(off, math.Abs(last[records.Key([]int8{int8(x[0]), int8(x[1]), int8(x[2])})]-l.stationary(x)))
	})
	return off
}

// stationary returns the probability of states under the independent distributions of all rungs.
func (l *plain) stationary(x []int) float64 {
	p := 1.0
	for i := range x {
		sum := 0.0
		for y := range l.States() {
			sum += math.Exp(l.logf(i, y))
		}
		p *= math.Exp(l.logf(i, x[i])) / sum
	}
	return p
}
