package latent

import (
	"math"
	"math/rand/v2"
	"testing"

	"breadboard/chains"
)

// TestColumnSlice: as a function of one column, the log likelihood in O(K^2) is the whole one up to a constant, and after a scan the matrices
// that have been kept are those of the state.
func TestColumnSlice(t *testing.T) {
	for _, v := range []struct{ n, d, k int }{{50, 25, 5}, {2, 2, 1}, {7, 4, 3}} {
		c := chains.NewSampler(rand.NewPCG(1, 2))
		hyper := LowRankHyper{2, 0.5, 0.1}
		y, full := SimulateLowRank(c, v.n, v.d, v.k, hyper)
		m, err := NewCollapsedLowRank(y, v.k, hyper)
		if err != nil {
			t.Fatal(err)
		}
		s := m.FromFull(full)
		column := &m.column
		column.begin(s, m.pairs)
		for j := range m.pairs {
			column.take(j, s, m.pairs[j])
			before, whole := column.logOf(column.v, float64(v.n), hyper.NoiseVariance), m.LogLikelihood(chains.At(1), s)
			for k := range column.v {
				column.next[k] = column.v[k] + 0.3*c.Normal()
			}
			after := column.logOf(column.next, float64(v.n), hyper.NoiseVariance)
			column.v, column.next = column.next, column.v
			column.put(j, s)
			m.Refresh(s)
			if want := m.LogLikelihood(chains.At(1), s) - whole; math.Abs(after-before-want) > 1e-10*max(math.Abs(whole), math.Abs(after)) {
				t.Errorf("%v, column %d: the log likelihood grows by %v, want %v", v, j, after-before, want)
			}
		}
		fresh := newColumnSlice(v.k)
		fresh.begin(s, m.pairs)
		for i := range fresh.inner {
			if math.Abs(fresh.outer[i]-column.outer[i]) > 1e-9*squares(s.V, v.d) || math.Abs(fresh.inner[i]-column.inner[i]) > 1e-9*squares(s.V, v.d)*squares(y, v.d) {
				t.Errorf("%v: entry %d of the matrices has drifted from %v and %v to %v and %v", v, i, fresh.outer[i], fresh.inner[i], column.outer[i], column.inner[i])
			}
		}
	}
}

// TestEllipseEnds: the search ends also where no state has a larger likelihood than the one it starts at, and the level is that one's.
func TestEllipseEnds(t *testing.T) {
	c := chains.NewSampler(rand.NewPCG(1, 3))
	x, nu, next := []float64{1, 2}, []float64{-3, 0.5}, make([]float64, 2)
	e, _ := newEllipse(c)
	for range 10_000 {
		if e.point(next, x, nu); next[0] == x[0] && next[1] == x[1] {
			return
		}
		e.shrink(c)
	}
	t.Errorf("after 10,000 proposals the angle is still %v", e.angle)
}
