package latent

import (
	"math"
	"math/rand/v2"
	"testing"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/grid/longtest"
)

// TestColumnSlice: as a function of one column, the log likelihood in O(K^2) is the whole one up to
// a constant, and after a scan the matrices that have been kept are those of the state.
func TestColumnSlice(t *testing.T) {
	for _, v := range []struct{ n, d, k int }{{50, 25, 5}, {2, 2, 1}, {7, 4, 3}} {
		c := chains.NewSampler(rand.NewPCG(1, 2))
		hyper := estimators.Factors{UVariance: 2, VVariance: 0.5, NoiseVariance: 0.1}
		y, full := SimulateLowRank(c, v.n, v.d, v.k, hyper)
		m := longtest.Sure(NewCollapsedLowRank(y, v.k, hyper))
		s := m.FromFull(full)
		column := &m.column
		column.recompute(s, m.pairs)
		for j := range m.pairs {
			column.removeColumn(j, s, m.pairs[j])
			before := column.logOf(column.v, float64(v.n), hyper.NoiseVariance)
			whole := m.LogLikelihood(chains.At(1), s)
			for k := range column.v {
				column.next[k] = column.v[k] + 0.3*c.Normal()
			}
			after := column.logOf(column.next, float64(v.n), hyper.NoiseVariance)
			column.v, column.next = column.next, column.v
			column.addColumn(j, s)
			m.Refresh(s)
			if want := m.LogLikelihood(chains.At(1), s) -
				whole; math.Abs(after-before-want) > 1e-10*max(math.Abs(whole), math.Abs(after)) {
				t.Errorf("%v, column %d: the log likelihood grows by %v, want %v", v, j, after-before, want)
			}
		}
		fresh := newColumnSlice(v.k)
		fresh.recompute(s, m.pairs)
		for i := range fresh.inner {
			if math.Abs(fresh.outer[i]-column.outer[i]) > 1e-9*squares(s.V, v.d) ||
				math.Abs(fresh.inner[i]-column.inner[i]) > 1e-9*squares(s.V, v.d)*squares(y, v.d) {
				t.Errorf("%v: entry %d of the matrices has drifted from %v and %v to %v and %v",
					v, i, fresh.outer[i], fresh.inner[i], column.outer[i], column.inner[i])
			}
		}
	}
}

// TestEllipseEnds: the search ends also if no state has a larger likelihood than the one it starts
// at, and the level is that one's.
func TestEllipseEnds(t *testing.T) {
	c := chains.NewSampler(rand.NewPCG(1, 3))
	x := []float64{1, 2}
	nu := []float64{-3, 0.5}
	next := make([]float64, 2)
	e, _ := newEllipse(c)
	for range 10_000 {
		e.point(next, x, nu)
		if next[0] == x[0] && next[1] == x[1] {
			return
		}
		e.shrink(c)
	}
	t.Errorf("after 10,000 proposals the angle is still %v", e.angle)
}

// TestEllipseBracket: the first angle is an end of a bracket that is a whole turn, and each later
// one a number between the angles before, of which the bracket keeps those next to zero.
func TestEllipseBracket(t *testing.T) {
	c := chains.NewSampler(rand.NewPCG(1, 4))
	for range 1000 {
		e, drop := newEllipse(c)
		if !(drop > 0) || !(e.angle > 0) || e.high != e.angle || math.Abs(e.high-e.low-2*math.Pi) > 1e-15 {
			t.Fatalf("the first bracket is %v with drop %v", e, drop)
		}
		low, high := e.low, e.high
		for range 5 {
			if e.angle < 0 {
				low = e.angle
			} else {
				high = e.angle
			}
			e.shrink(c)
			if e.low != low || e.high != high || !(e.angle > low && e.angle < high) {
				t.Fatalf("the bracket is %v, want one from %v to %v", e, low, high)
			}
		}
		dst := []float64{0}
		e.point(dst, []float64{2}, []float64{3})
		if math.Abs(dst[0]-2*math.Cos(e.angle)-3*math.Sin(e.angle)) > 1e-14 {
			t.Fatalf("at angle %v the proposal is %v", e.angle, dst[0])
		}
	}
}
