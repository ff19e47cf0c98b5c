package laws_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains/estimators"
	"breadboard/exact/laws"
	"breadboard/grid/longtest"
)

// multinomialAbove returns the probability that the sum of K draws is at least a threshold, by
// adding up all numbers of the first two of three values; the third is zero.
func multinomialAbove(k int, values, p [2]float64, threshold float64) float64 {
	logFactorial := func(n int) float64 {
		v, _ := math.Lgamma(float64(n) + 1)
		return v
	}
	total := 0.0
	logRest := math.Log1p(-p[0] - p[1])
	for a := range k + 1 {
		for b := range k + 1 - a {
			if float64(a)*values[0]+float64(b)*values[1] < threshold {
				continue
			}
			total += math.Exp(logFactorial(k) - logFactorial(a) - logFactorial(b) - logFactorial(k-a-b) +
				float64(a)*math.Log(p[0]) + float64(b)*math.Log(p[1]) + float64(k-a-b)*logRest)
		}
	}
	return total
}

// TestLatticeOfDraws: for more multisets than are listed, the sums that are rounded down and up
// bracket the sum over all of them, and no farther than a cell a term.
func TestLatticeOfDraws(t *testing.T) {
	longtest.Only(t)
	const k, cells = 500, 1 << 14
	for _, c := range []struct {
		values, p [2]float64
		share     float64 // of the threshold in the mean
	}{
		{[2]float64{1, 0.3}, [2]float64{0.2, 0.3}, 1.01}, {[2]float64{1, 0.01}, [2]float64{0.5, 0.3}, 0.97},
		{[2]float64{1, 0.7}, [2]float64{0.02, 0.01}, 1.4},
	} {
		prior := []float64{0, 0, math.Log1p(-c.p[0] - c.p[1])}
		f := []float64{0, 0, math.Inf(-1)}
		mean := 0.0
		for i, v := range c.values {
			prior[i] = math.Log(c.p[i])
			f[i] = prior[i] + math.Log(v)
			mean += c.p[i] * v
		}
		target := lineTarget("metropolis", prior, f)
		law := longtest.Sure(laws.NewWeighting(target, k))
		sum := k * mean * c.share
		b := longtest.Sure(law.Above(t.Context(), math.Log(sum/k)-target.Offset))
		exact := multinomialAbove(k, c.values, c.p, sum)
		slack := 1.01 * sum * k / cells
		lower := multinomialAbove(k, c.values, c.p, sum+slack)
		higher := multinomialAbove(k, c.values, c.p, sum-slack)
		if !(b.Low <= exact+1e-10 && exact <= b.High+1e-10 && b.Low >= lower-1e-10 &&
			b.High <= higher+1e-10 && b.Low < b.High) {
			t.Errorf("%+v: %v in %+v, which should be within [%v, %v]", c, exact, b, lower, higher)
		}
	}
}

// TestChernoffOfDraws: where the sums of draws are too many to be listed, an unlikely one has the
// bound exp(-K KL) for draws of two values, of which one is zero.
func TestChernoffOfDraws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.Float64Range(0.001, 0.9).Draw(t, "p")
		k := rapid.IntRange(200_000, 1_000_000).Draw(t, "K")
		share := p + (1-p)*rapid.Float64Range(0.02, 0.99).Draw(t, "share")
		want := -float64(k) * (share*math.Log(share/p) + (1-share)*math.Log((1-share)/(1-p)))
		target := lineTarget("metropolis",
			[]float64{math.Log1p(-p), math.Log(p)}, []float64{math.Inf(-1), math.Log(p) + 5})
		law := longtest.Sure(laws.NewWeighting(target, k))
		b := longtest.Sure(law.Above(context.Background(), 5+math.Log(share)-target.Offset))
		if want > -25 {
			t.Skip("it is not unlikely")
		}
		want = max(-700, want)
		if b.Low != 0 || math.Abs(math.Log(b.High)-want) > 1e-7*max(1, -want) {
			t.Fatalf("%+v, want a bound of exp(%v)", b, want)
		}
	})
}

// TestAboveBounds: the bounds of Markov and Chernoff hold if no lattice is made, and the note says
// why it is not.
func TestAboveBounds(t *testing.T) {
	longtest.Only(t)
	target, _ := sumTarget("clu8", "heatbath-scan")
	s := mustSum(t, target, "cms-first", 44, 4000)
	b := longtest.Sure(s.Above(context.Background(), target.LogZ+0.1))
	if !(b.Low == 0 && b.High > 1e-9 && b.High < 1 && strings.Contains(b.Note, "Markov and Chernoff")) {
		t.Errorf("%+v", b)
	}
	b = longtest.Sure(s.Above(context.Background(), target.LogZ+30))
	if !(b.High < 1e-9 && b.Low == 0 && b.Note == "") {
		t.Errorf("far above log Z: %+v", b)
	}
}

// TestGridOfManyParticles: a grid that memory cannot hold is not made, though few deaths would take
// few products.
func TestGridOfManyParticles(t *testing.T) {
	target := lineTarget("metropolis", []float64{-22, 0}, []float64{-23, 0})
	e := longtest.Sure(laws.NewNestedLaw(t.Context(), target, estimators.NestedOptions{
		Particles: estimators.MaxDraws,
		Ties:      estimators.TiesLabel,
		Volume:    estimators.VolumePaper,
	}, 1))
	if m := momentsOf(e, 1); m.Mean == m.Mean || m.Note == "" || math.Abs(m.LogMean-target.LogZ) > 1e-9 {
		t.Errorf("%+v", m)
	}
}
