package laws

import (
	"context"
	"math"
	"math/cmplx"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains/estimators"
	"breadboard/grid/longtest"
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

// TestGridOfManyParticles: a grid that memory cannot hold is not made, though few deaths would take
// few products.
func TestGridOfManyParticles(t *testing.T) {
	target := lineTarget("metropolis", []float64{-22, 0}, []float64{-23, 0})
	e := longtest.Sure(NewNestedExact(target, estimators.MaxDraws, estimators.TiesLabel, estimators.VolumePaper))
	if m := momentsOf(e, 1); m.Mean == m.Mean || m.Note == "" || math.Abs(m.LogMean-target.LogZ) > 1e-9 {
		t.Errorf("%+v", m)
	}
}
