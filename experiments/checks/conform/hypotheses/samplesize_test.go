package hypotheses

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/grid/longtest"
)

// TestDivergences compares with plain sums over all cells, on random problems: no divergence is
// negative, that of a distribution from itself is zero, and to be alike goes both ways.
func TestDivergences(t *testing.T) {
	longtest.Only(t)
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t)
		p.Columns = drawColumns(t)
		s := setOf(t, p)
		h := rapid.IntRange(0, len(s.Names)-1).Draw(t, "h")
		other := rapid.IntRange(0, len(s.Names)-1).Draw(t, "other")
		plain := func(h, other int) (r ratio, kl, cube float64) {
			q := s.laws[other].dense(s.cells(), 0)
			square := 0.0
			for cell, v := range s.laws[h].dense(s.cells(), 0) {
				switch l := math.Log(v / q[cell]); {
				case v > 0 && q[cell] == 0:
					r.impossible = r.impossible + v
					kl = math.Inf(1)
				case v > 0:
					r.mean = r.mean + v*l
					kl = kl + v*l
					square = square + v*l*l
					cube = cube + v*l*l*l
				}
			}
			r.variance = square - r.mean*r.mean
			r.third = cube - 3*r.mean*square + 2*r.mean*r.mean*r.mean
			return r, kl, cube
		}
		want, kl, cube := plain(h, other)
		_, back, _ := plain(other, h)
		if got := s.Divergence(h, other); got < 0 || got != kl && !(math.Abs(got-kl) <= 1e-13+1e-12*kl) {
			t.Fatalf("KL(%s || %s) = %v, want %v", s.Names[h], s.Names[other], got, kl)
		}
		r := s.ratio(h, other)
		for i, pair := range [][2]float64{{r.mean, want.mean}, {r.variance, want.variance},
			{r.third, want.third}, {r.impossible, want.impossible}} {
			if !(math.Abs(pair[0]-pair[1]) <= 1e-12*(1+math.Abs(cube))) {
				t.Fatalf("%s and %s: moment %d of the ratio is %v, want %v", s.Names[h], s.Names[other],
					i, pair[0], pair[1])
			}
		}
		same := math.Abs(kl) <= Distinct && math.Abs(back) <= Distinct
		if s.Same(h, other) != same || s.Same(other, h) != same ||
			same != (h == other) != slices.Contains(s.Alike(s.Names[h]), s.Names[other]) {
			t.Fatalf("%s and %s: the same %v, want %v; alike are %v", s.Names[h], s.Names[other],
				s.Same(h, other), same, s.Alike(s.Names[h]))
		}
		if !s.Same(h, h) || s.Divergence(h, h) != 0 || !math.IsInf(s.Needs(h, h, 1), 1) {
			t.Fatalf("%s differs from itself", s.Names[h])
		}
	})
}

// TestSteepRatios: a ratio of probabilities that is larger than any float64 has a logarithm, and
// one that does not vary has no variance.
func TestSteepRatios(t *testing.T) {
	two := func(truth, other []float64) *Set {
		return &Set{
			Names: []string{Specification, "another"},
			laws:  []law{newLaw(truth, 0), newLaw(other, 0)},
		}
	}
	for _, c := range []struct {
		truth, other          []float64
		mean, variance, third float64
		needs                 float64
	}{
		// log(0.5/5e-324) = 743.7469247408213 and log 0.5 = -0.6931471805599453 are equally likely.
		{[]float64{0.5, 0.5}, []float64{5e-324, 1}, 371.5268887801307, 138547.755170578, 0, 6},
		// It is log 1e300 = 690.775527898214 with certainty.
		{[]float64{1, 0}, []float64{1e-300, 1}, 690.775527898214, 0, 0, 1},
	} {
		s := two(c.truth, c.other)
		r := s.ratio(0, 1)
		if !(math.Abs(r.mean/c.mean-1) < 1e-12) || !(math.Abs(r.variance-c.variance) <= 1e-9*c.variance) ||
			!(math.Abs(r.third-c.third) < 1e-6) {
			t.Errorf("%v and %v: the ratio is %+v", c.truth, c.other, r)
		}
		if got := s.Needs(0, 1, 20); got != c.needs || math.Abs(s.Divergence(0, 1)/c.mean-1) > 1e-12 ||
			s.Same(0, 1) {
			t.Errorf("%v and %v: %v draws for %v, a divergence of %v, the same: %v", c.truth, c.other, got,
				c.needs, s.Divergence(0, 1), s.Same(0, 1))
		}
	}
}

// TestAlike: hypotheses that are the same program on a task are reported as alike.
func TestAlike(t *testing.T) {
	longtest.Only(t)
	for regime, of := range regimes {
		linear := of(t, taskOf(t, "random:2:1:2x3", "linear", "metropolis", 4, chains.Forward))
		for _, name := range []string{"increment one stage early", "increment one stage late"} {
			if !slices.Contains(linear.Alike(Specification), name) ||
				!slices.Contains(linear.Alike(name), Specification) {
				t.Errorf("%s: on a linear schedule %q is not alike: %v", regime, name, linear.Alike(Specification))
			}
		}
		power := of(t, taskOf(t, "random:2:1:2x3", "power:2", "metropolis", 4, chains.Forward))
		var want []string
		if regime == "bins" { // the noise is much larger than what single precision loses
			want = []string{"single precision"}
		}
		if alike := power.Alike(Specification); !slices.Equal(alike, want) {
			t.Errorf("%s: on another schedule %v are alike", regime, alike)
		}
		// The last kernel does not touch the log weight of a forward chain.
		p := taskOf(t, "random:2:1:2x3", "power:2", "metropolis", 4, chains.Forward)
		p.Columns = Columns{LogW: true}
		if alike := of(t, p).Alike(Specification); !slices.Contains(alike, "last kernel left out") ||
			slices.Contains(alike, "first kernel left out") {
			t.Errorf("%s: by log weights alone %v are alike", regime, alike)
		}
	}
	if setOf(t, taskOf(t, "random:2:1:2x3", "linear", "metropolis", 3, chains.Forward)).Alike("no such name") != nil {
		t.Error("something is like a hypothesis that does not exist")
	}
}
