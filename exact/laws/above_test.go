package laws

import (
	"context"
	"math"
	"math/cmplx"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/chains/kernels"
	"breadboard/chains/number"
	"breadboard/chains/schedules"
	"breadboard/exact/internal/exacttest"
	"breadboard/grid"
	"breadboard/grid/longtest"
	"breadboard/toys/models"
)

// TestLatticeOfDraws: the sums that are rounded down and up bracket the sum over all multisets, and
// no farther than a cell a term.
func TestLatticeOfDraws(t *testing.T) {
	const cells = 512
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 4).Draw(t, "values")
		logs := rapid.SliceOfN(rapid.Float64Range(-6, 3), n, n).Draw(t, "log values")
		if rapid.Bool().Draw(t, "zero") {
			logs[0] = math.Inf(-1)
		}
		p := rapid.SliceOfN(rapid.Float64Range(0.1, 1), n, n).Draw(t, "p")
		total := 0.0
		for _, v := range p {
			total += v
		}
		for i := range p {
			p[i] = math.Log(p[i] / total)
		}
		terms, _, err := newIndependentTerms(rapid.IntRange(1, 30).Draw(t, "K"), logs, p)
		if err != nil {
			t.Fatal(err)
		}
		logSum := math.Log(terms.k) + rapid.Float64Range(-3, 1).Draw(t, "threshold")
		down := longtest.Sure(terms.below(context.Background(), cells, logSum, math.Floor))
		up := longtest.Sure(terms.below(context.Background(), cells, logSum, math.Ceil))
		slack := 1.01 * terms.k / cells
		exact, lower, higher := terms.count(logSum), terms.count(logSum+slack), terms.count(logSum-slack)
		if low, high := 1-down, 1-up; !(low <= exact+fourierSlack && exact <= high+fourierSlack && low >= lower-1e-12 && high <= higher+1e-12) {
			t.Fatalf("%v in [%v, %v], which should be within [%v, %v]", exact, low, high, lower, higher)
		}
	})
}

// TestChernoffOfDraws: the bound is exp(-K KL) for draws of two values, of which one is zero, and
// it is above the exact probability.
func TestChernoffOfDraws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, k := rapid.Float64Range(0.001, 0.9).Draw(t, "p"), rapid.IntRange(1, 200).Draw(t, "K")
		share := p + (1-p)*rapid.Float64Range(0.01, 0.99).Draw(t, "share")
		terms, _, err := newIndependentTerms(k, []float64{math.Inf(-1), 5}, []float64{math.Log1p(-p), math.Log(p)})
		if err != nil {
			t.Fatal(err)
		}
		logV := math.Log(share / p)
		want := max(leastNormal, -float64(k)*(share*math.Log(share/p)+(1-share)*math.Log((1-share)/(1-p))))
		got := terms.logAtLeast(logV)
		if math.Abs(got-want) > 1e-9*max(1, -want) {
			t.Fatalf("log of the bound %v, want %v", got, want)
		}
		if exact := terms.count(logV + math.Log(terms.k)); !(exact <= math.Exp(got)*(1+1e-9)) {
			t.Fatalf("bound %v of %v", math.Exp(got), exact)
		}
	})
}

// TestAboveBounds: the bounds of Markov and Chernoff hold if no lattice is made, and the note says
// why it is not.
func TestAboveBounds(t *testing.T) {
	target, _ := sumTarget("clu8", "heatbath-scan")
	s := mustSum(t, target, "cms-first", 44, 10)
	s.tail.(*chainTerms).moves.Numbers = 1e9 // as if moves took long
	b := longtest.Sure(s.Above(context.Background(), target.LogZ-0.5))
	if !(b.Low == 0 && math.Abs(b.High-0.2056) < 1e-4 && strings.Contains(b.Note, "Markov and Chernoff")) {
		t.Errorf("%+v", b)
	}
	if b = longtest.Sure(s.Above(context.Background(), target.LogZ+30)); !(b.High < explainWidth && b.Low == 0 && b.Note == "") {
		t.Errorf("far above log Z: %+v", b)
	}
}

// TestAboveTheSupport: no estimate is above the largest one, and nothing is inverted to find that
// out, also at that estimate itself.
func TestAboveTheSupport(t *testing.T) {
	data := longtest.Sure(models.Growing(models.Clu4()))
	s := longtest.Sure(NewSequential(t.Context(), data, estimators.ProposePosterior, 0, chains.Forward, 1))
	at := s.LogZ + s.high
	s.high = at - s.LogZ // the same but for a rounding, so that the threshold is at it exactly
	if b, err := s.Above(t.Context(), at); err != nil || b != (Bracket{}) || s.law != nil {
		t.Errorf("%+v, %v, inverted: %v", b, err, s.law != nil)
	}
}

// TestTiltingKeepsItsScale: columns that would leave the range of float64 are divided, and their
// logarithm is kept.
func TestTiltingKeepsItsScale(t *testing.T) {
	for _, l := range []float64{300, -300, 0.5} {
		c := &tilting{power: 1, first: 0.25, step: 0.25, points: 3}
		row := c.begin()
		for range 5 {
			c.weigh(row, l)
			c.weighed(row)
		}
		logScale, values := c.values(row)
		if !(math.Abs(logScale-5*l) <= 1e-12*math.Abs(5*l)) {
			t.Errorf("log weights of %v: logarithm %v", l, logScale)
		}
		for k, v := range values {
			if want := cmplx.Rect(1, 0.25*float64(k+1)*5*l); !(cmplx.Abs(v-want) <= 1e-11) {
				t.Errorf("log weights of %v, point %d: %v, want %v", l, k, v, want)
			}
		}
	}
}

// TestOneLevel: on one level every estimate is its likelihood, however many particles there are.
func TestOneLevel(t *testing.T) {
	target, _ := sumTarget("random:0:0:2x2", "metropolis")
	for _, ties := range []estimators.Ties{estimators.TiesLabel, estimators.TiesStrict} {
		e := longtest.Sure(NewNestedExact(target, estimators.MaxDraws, ties, estimators.VolumePaper))
		m := momentsOf(e, 3)
		if m.Mean != target.LogZ || m.SD != 0 || m.LogMean != target.LogZ || m.Note != "" {
			t.Errorf("%v: %+v, want %v", ties, m, target.LogZ)
		}
		for at, want := range map[float64]float64{target.LogZ - 1: 1, target.LogZ: 0} {
			if b, err := e.Above(t.Context(), at); err != nil || b.Low != want || b.High != want {
				t.Errorf("%v: P(above %v) in %+v, %v", ties, at, b, err)
			}
		}
	}
}

// TestGridOfManyParticles: a grid that memory cannot hold is not made, though few deaths would take
// few products.
func TestGridOfManyParticles(t *testing.T) {
	target := lineTarget("metropolis", []float64{-22, 0}, []float64{-23, 0})
	e := longtest.Sure(NewNestedExact(target, estimators.MaxDraws, estimators.TiesLabel, estimators.VolumePaper))
	if m := momentsOf(e, 1); m.Mean == m.Mean || m.Note == "" || math.Abs(m.LogMean-target.LogZ) > 1e-9 {
		t.Errorf("%+v", m)
	}
}

// TestNestedBoundsNest: bounds for which many thresholds are taken together hold the bounds for
// which few are, and are wider.
func TestNestedBoundsNest(t *testing.T) {
	longtest.Only(t)
	logL := exacttest.PatternLogF(12)
	a := exacttest.Build(t, nil, logL, schedules.Linear{}, kernels.Metropolis{Space: grid.MustNew(12)}, 2)
	on := NewTarget(a)
	ctx := context.Background()
	exact := longtest.Sure(NewNestedExact(on, 5, estimators.TiesStrict, estimators.VolumePaper))
	moves := longtest.Sure(NewNestedMoves(ctx, on, 2, estimators.VolumePaper, 1))
	for what, bounds := range map[string]func(at float64, work int) (low, high float64){
		"exact draws": func(at float64, work int) (float64, float64) {
			low := longtest.Sure(exact.above(ctx, at-exact.top, 1, work))
			high := longtest.Sure(exact.above(ctx, at-exact.top, -1, work))
			return low, high
		},
		"moves": func(at float64, work int) (float64, float64) {
			low, high, err := moves.pairs.above(ctx, at-moves.pairs.top, work)
			if err != nil {
				t.Fatal(err)
			}
			return low, high
		},
	} {
		wider := 0
		for i := range 20 {
			at := on.LogZ - 0.5 + float64(i)/20
			low, high := bounds(at, thresholdWork)
			outerLow, outerHigh := bounds(at, 1)
			if outerLow > low+1e-14 || low > high+1e-14 || high > outerHigh+1e-14 || high-low > 0.01 {
				t.Errorf("%s: P(log Z-hat > %v) is from %v to %v, and by few thresholds from %v to %v", what, at, low, high, outerLow, outerHigh)
			}
			if outerHigh-outerLow > high-low+1e-6 {
				wider++
			}
		}
		if wider == 0 {
			t.Errorf("%s: no thresholds were taken together, so that nothing has been tested", what)
		}
	}
}

// TestAboveOfFarTerms: a term that is too large for float64, beside the threshold, takes nothing
// from sums that have none of it. The reference goes through all pairs and triples of draws, in
// logarithms.
func TestAboveOfFarTerms(t *testing.T) {
	for _, target := range [][]float64{{0, -700, 0, 1}, {0, -720, 0, 1}, {0, -1e4, 3, -740}, {0, -720, 0.5, -743}} {
		on := lineTarget("heatbath", make([]float64, 4), target)
		for k := 1; k <= 3; k++ {
			law := longtest.Sure(NewHarmonic(on, k))
			for _, by := range []float64{-300, -1.01, -0.29, 0.31, 1.03} {
				want := harmonicAbove(on, k, on.LogZ+by)
				if b, err := law.Above(t.Context(), on.LogZ+by); err != nil || math.Abs(b.Low-want) > 1e-12 || math.Abs(b.High-want) > 1e-12 {
					t.Errorf("%v, K = %d: P(log Z-hat > log Z + %v) in %+v, %v, want %v", target, k, by, b, err, want)
				}
			}
		}
	}
}

// harmonicAbove returns the probability that the harmonic mean of the likelihoods of k exact draws
// is above a threshold.
func harmonicAbove(on *Target, k int, at float64) float64 {
	total := 0.0
	var draw func(logs []float64, p float64)
	draw = func(logs []float64, p float64) {
		if len(logs) < k {
			for x, l := range on.LogL {
				draw(append(slices.Clip(logs), -l), p*on.Posterior[x])
			}
			return
		}
		if number.Log(float64(k))-number.LogSumExp(logs) > at {
			total += p
		}
	}
	draw(nil, 1)
	return total
}
