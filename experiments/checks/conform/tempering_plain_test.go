package conform_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/schedules"
	"breadboard/chains/tempering"
	"breadboard/exact/program"
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

// ladder returns the runs of a task by package chains/tempering, of which the task's own programs
// know nothing.
func ladder(t testing.TB, made *tempered.Task, toy string) tempering.Run {
	t.Helper()
	is := annealed(t, toy)
	of := is.Annealing()
	betas := longtest.Must(schedules.NewPoints("ladder", made.Betas))(t)
	a := longtest.Must(chains.NewAnnealing(of.Path(), betas, of.Kernel(), len(made.Betas)))(t)
	run := tempering.Run{Tempering: longtest.Must(tempering.New(a, made.Scheme))(t)}
	for i := range run.Rungs() {
		law := slices.Clone(run.LogF(i))
		chains.Normalize(law)
		run.From = append(run.From, law)
	}
	return run
}

// scanned is the runs of a ladder, with the swaps and the round trips so far.
type scanned struct {
	tempering.Run
	scans int
}

type scans struct {
	tempering.State
	swaps string // a byte each
	trips int
}

func (p *scanned) Steps() int                   { return p.scans }
func (p *scanned) Start(c chains.Chooser) scans { return scans{State: p.Run.Start(c)} }

func (p *scanned) Step(c chains.Chooser, t int, s scans) (scans, float64) {
	top := p.Rungs() - 1
	notes := slices.Repeat([]byte{255}, top)
	p.Scan(c, t, s.X[:top+1], func(i int, accepted bool) {
		if notes[i] = 0; accepted {
			notes[i] = 1
			if s.Up.Swapped(i, top) {
				s.trips++
			}
		}
	})
	s.swaps += string(notes)
	return s, 0
}

// plainTrips returns the distribution of the records of long runs, as text.
func plainTrips(t *testing.T, made *tempered.Task, toy string) map[string]float64 {
	law := longtest.Must(program.Propagate(t.Context(), &scanned{ladder(t, made, toy), made.Long}, program.Mass(1), program.Options{}))(t)
	out := map[string]float64{}
	for _, s := range law.States() {
		out[fmt.Sprintf("%v %d %.9f", signed(s.swaps), s.trips, float64(s.trips)/float64(made.Long))] += float64(law.At(s))
	}
	return out
}

// signed returns bytes as small numbers with a sign.
func signed(text string) (whole []int) {
	for _, b := range []byte(text) {
		whole = append(whole, int(int8(b)))
	}
	return whole
}

// plainLaw returns the distribution of the records of runs, as text.
func plainLaw(t *testing.T, made *tempered.Task, toy string) map[string]float64 {
	run, top := ladder(t, made, toy), len(made.Betas)-1
	law := longtest.Must(program.Enumerate(t.Context(), func(c chains.Chooser) string {
		s, logZ, swaps := run.Start(c), 0.0, []int{}
		x, stones, refused, offers := s.X[:top+1], make([]float64, top), make([]float64, top), make([]float64, top)
		for scan := 1; scan <= made.Scans; scan++ {
			notes := slices.Repeat([]int{-1}, top)
			run.Scan(c, scan, x, func(i int, accepted bool) {
				low, high := x[i], x[i+1]
				if notes[i] = 0; accepted {
					notes[i], low, high = 1, high, low
				}
				refused[i] -= math.Expm1(run.LogAcceptance(i, low, high))
				offers[i]++
			})
			swaps = append(swaps, notes...)
			for i := range stones {
				stones[i] += math.Exp((made.Betas[i+1] - made.Betas[i]) * (made.LogF[1][x[i]] - made.LogF[0][x[i]]))
			}
		}
		for i := range stones {
			logZ += math.Log(stones[i] / float64(made.Scans))
			refused[i] /= max(1, offers[i])
		}
		return fmt.Sprintf("%v %v %.9f %.9f", swaps, x, logZ, refused)
	}, program.Options{}))(t)
	out := map[string]float64{}
	for _, o := range law.Outcomes() {
		out[o.Value] += o.P
	}
	return out
}

// texts returns the distribution of atoms by the record as text.
func texts(t *tempered.Task, trips bool, atoms []records.Atom) map[string]float64 {
	out := map[string]float64{}
	for _, a := range atoms {
		whole := signed(a.Whole)
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

// TestTemperingPlain holds the propagated distributions to those of package chains/tempering, for
// both schemes, on three and on four rungs.
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
		{"random:2:0:2", tempering.DEO, []float64{0, 0.2, 0.5, 1}, 2, 4}, {"random:2:0:2", tempering.SEO, []float64{0, 0.3, 1}, 3, 5},
	}[:longtest.Times(3, 4)] {
		made := newTask(t, c.toy, c.scheme, c.scans, c.long, c.betas...)
		for _, trips := range []bool{false, true} {
			kind, plain := 0, plainLaw
			if trips {
				kind, plain = 1, plainTrips
			}
			want := plain(t, made, c.toy)
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
	from := ladder(t, made, "random:2:0:2").From
	later := []string{"kernels' caches not swapped", "explores at the beta of its old rung", "ladder keeps adapting"}
	says := strings.Join(made.Page().Ways, "\n")
	for i, w := range made.Kinds()[0].Ways[1:] {
		made.Scans = 3
		three := drift(t, made, from, 1+i)
		made.Scans = 1
		one := drift(t, made, from, 1+i)
		if breaks := strings.Contains(says, w.Name+" (breaks invariance)"); three > 1e-6 != breaks || three > 1e-13 != breaks ||
			one > 1e-13 != (breaks && !slices.Contains(later, w.Name)) {
			t.Errorf("%q is said to break invariance: %v; the distribution of the replicas is off by %v after one scan and by %v after three", w.Name, breaks,
				one, three)
		}
	}
}

// drift returns the largest difference of the probability of last states from that of independent
// replicas on two states and three rungs, of a way to get it wrong.
func drift(t *testing.T, made *tempered.Task, from [][]float64, way int) (off float64) {
	last := map[string]float64{}
	for _, a := range longtest.Must(made.Kinds()[0].Ways[way].Law(t.Context()))(t) {
		last[a.Whole[len(a.Whole)-3:]] += a.P
	}
	for code := range 8 {
		x, y, z := code&1, code>>1&1, code>>2
		off = max(off, math.Abs(last[records.Key([]int8{int8(x), int8(y), int8(z)})]-from[0][x]*from[1][y]*from[2][z]))
	}
	return off
}
