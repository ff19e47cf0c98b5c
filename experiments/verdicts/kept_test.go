package verdicts

import (
	"math"
	"testing"
)

// TestKeptLogE: if all draws are kept the e-value is that of their counts. With weights its mean is
// one, enumerated over all pairs of a state and a weight of short sequences, for a proposal that
// has little to do with the distribution.
func TestKeptLogE(t *testing.T) {
	p := []float64{0.5, 0.3, 0.2}
	states := []int32{}
	all := []float64{}
	counts := make([]int, 3)
	for i := range 500 {
		x := int32(i * i % 7 % 3)
		states, all = append(states, x), append(all, 1)
		counts[x]++
	}
	if got, want := KeptLogE(states, all, p),
		CountsLogE(counts, p); math.Abs(got-want) > 1e-9*math.Abs(want) {
		t.Errorf("log e-value %v, of the counts %v", got, want)
	}
	// The weights of state 0 are 1 and 0.1, those of state 1 are 0.4, those of state 2 are 0 and
	// 0.8; the mean weights times q are in proportion to p.
	type pair struct {
		x    int32
		w, q float64
	}
	pairs := []pair{{0, 1, 0.2}, {0, 0.1, 0.3}, {1, 0.4, 0}, {2, 0, 0}, {2, 0.8, 0}}
	unit := (0.2*1 + 0.3*0.1) / p[0]
	pairs[2].q = unit * p[1] / 0.4
	pairs[4].q = unit * p[2] / 0.8
	pairs[3].q = 1 - 0.5 - pairs[2].q - pairs[4].q
	mean := meanOf([]float64{0.2, 0.3, pairs[2].q, pairs[3].q, pairs[4].q}, 6, func(draws []int) float64 {
		var states []int32
		var kept []float64
		for _, i := range draws {
			states, kept = append(states, pairs[i].x), append(kept, pairs[i].w)
		}
		return KeptLogE(states, kept, p)
	})
	if pairs[3].q <= 0 || math.Abs(mean-1) > 1e-12 {
		t.Errorf("the mean of the e-value is %v", mean)
	}
}

// TestSeenLogE: the mean is one, enumerated, if log q is known up to a constant.
func TestSeenLogE(t *testing.T) {
	q := []float64{0.6, 0.3, 0.09, 0.01}
	logq := make([]float64, len(q))
	for x := range q {
		logq[x] = math.Log(q[x]) + 800
	}
	mean := meanOf(q, 7, func(draws []int) float64 {
		var states []int32
		for _, x := range draws {
			states = append(states, int32(x))
		}
		return SeenLogE(states, logq)
	})
	if math.Abs(mean-1) > 1e-12 {
		t.Errorf("the mean of the e-value is %v", mean)
	}
}
