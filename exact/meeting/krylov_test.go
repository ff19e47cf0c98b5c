package meeting

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"breadboard/chains/couplings"
	"breadboard/chains/kernels"
	"breadboard/exact/averages"
	"breadboard/grid/longtest"
	"breadboard/toys/forms"
)

// pairsOf enumerates a coupling, with one number for both orders of a pair if it can.
func pairsOf(t *testing.T, toy, kernel, coupling string) *Pairs {
	ctx := context.Background()
	target := longtest.Must(forms.Targets().Parse(toy))(t)
	k := longtest.Must(kernels.Parse(kernel, target.Space))(t)
	chain := longtest.Must(averages.New(ctx, k, target.G))(t)
	p := longtest.Must(New(ctx, longtest.Must(couplings.New(coupling, k))(t), chain))(t)
	if p.folded != nil {
		return p.folded
	}
	return p
}

// TestIterationAgrees holds the iteration to the elimination, for chains that meet soon and chains
// that meet after half a million moves, and its bound to what a solution is off that has been
// spoilt.
func TestIterationAgrees(t *testing.T) {
	longtest.Only(t)
	ctx := context.Background()
	random := rand.New(rand.NewPCG(37, 1))
	for _, c := range []struct{ toy, kernel, coupling string }{
		{"random:2:7:4x3", "metropolis", "rows"}, {"barrier:3x3", "metropolis", "common"},
		{"random:0.3:1:2x2x2", "flip", "rows-comonotone"},
		{"random:2:7:3x3", "heatbath-scan", "independent"}, {"random:2:7:9", "metropolis", "proposals"},
		{"random:2:7:9", "barker", "common"},
	} {
		p := pairsOf(t, c.toy, c.kernel, c.coupling)
		n := len(p.states)
		for _, lag := range []int{1, 2, 7} {
			s := p.iterate()
			if lag > 1 {
				s = p.iterateLagged(lag, s)
			}
			want, _, _ := eliminate(longtest.Must(raised(ctx, p.absorbing(), lag))(t)).solve(ctx, ones(n))
			got, off, err := s.solve(ctx, ones(n))
			if err != nil || off > 1e-14 {
				t.Errorf("%v, lag %d: off by up to %v, %v", c, lag, off, err)
				continue
			}
			spoilt := newLong(n)
			most := 0.0
			for at, v := range want {
				if !(math.Abs(got[at]-v) <= 1e-13*v) {
					t.Errorf("%v, lag %d: from pair %d it takes %v by iteration, for %v", c, lag, at, got[at], v)
				}
				spoilt.high[at] = v * (1 + 1e-6*random.NormFloat64())
				most = max(most, math.Abs(spoilt.high[at]/v-1))
			}
			if _, bound, _ := s.missing(ctx, ones(n), spoilt); bound < most {
				t.Errorf("%v, lag %d: a solution that is off by a part %v is said to be off by up to %v",
					c, lag, most, bound)
			}
		}
		exact := longtest.Must(p.Solve(ctx))(t)
		want := longtest.Must(exact.TailGap(ctx))(t)
		if gap := longtest.Must(p.iterate().tailGap(ctx, exact.V))(t); math.Abs(gap-want) > 1e-8*want {
			t.Errorf("%v: 1 - the tail rate is %v by iteration, for %v", c, gap, want)
		}
	}
}

// TestIterationNeverMeets: the second pair stays for ever and the third may go there. They are the
// same for the iteration as for the elimination.
func TestIterationNeverMeets(t *testing.T) {
	p := &Pairs{
		states: make([][2]int32, 4),
		start:  []int32{0, 1, 2, 4, 5},
		to:     []int32{0, 1, 0, 1, 0},
		p:      []float64{0.5, 1, 0.5, 0.5, 1},
		exit:   []float64{0.5, 0, 0, 0},
	}
	inf := math.Inf(1)
	for _, s := range []systems{
		p.iterate(), p.iterateLagged(3, nil), longtest.Must(only(p.systems(context.Background())))(t)} {
		v, _, err := s.solve(context.Background(), ones(4))
		if err != nil || v[1] != inf || v[2] != inf || v[0] == inf || v[3] == inf {
			t.Errorf("%T: %v, %v", s, v, err)
		}
	}
}

// only leaves out what systems have solved to be made.
func only(s systems, _ []float64, _ float64, err error) (systems, error) { return s, err }
