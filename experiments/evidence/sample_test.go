package evidence

import (
	"context"
	"math"
	"testing"

	"breadboard/chains/estimators"
	"breadboard/experiments/study"
	"breadboard/grid/longtest"
)

// TestCombined: estimates 1 and 4 combine to 2.5, 1.6, 4 and, by their logarithms, 2; an estimate of zero makes the harmonic mean zero, and
// an infinite one is nothing to it.
func TestCombined(t *testing.T) {
	for how, want := range map[estimators.Combination]float64{
		estimators.ArithmeticMean: 2.5, estimators.HarmonicMean: 1.6, estimators.Maximum: 4, estimators.MeanOfLogs: 2,
	} {
		if got := math.Exp(combined([]float64{0, math.Log(4)}, how)); math.Abs(got-want) > 1e-15*4 {
			t.Errorf("%v: %v, want %v", how, got, want)
		}
	}
	if got := combined([]float64{0, math.Inf(-1)}, estimators.HarmonicMean); !math.IsInf(got, -1) {
		t.Errorf("the harmonic mean with zero: %v", got)
	}
	if got := math.Exp(combined([]float64{0, math.Inf(1)}, estimators.HarmonicMean)); math.Abs(got-2) > 1e-15 {
		t.Errorf("the harmonic mean with infinity: %v", got)
	}
}

// TestAboveOne: of one draw from the prior, P(log Z-hat > log Z + 1) is the prior probability of the states whose likelihood is that large.
func TestAboveOne(t *testing.T) {
	on := targetOf(t, "random:1:3:5x5", "")
	plans := plansOf(t, on, "lw", 1)
	rows := longtest.Must(plans[0].rows(context.Background(), &Options{Trials: []int{1, 2}}, study.How{Workers: 1}))(t)
	want, atZero, ofTwo := 0.0, 0.0, 0.0
	for x, p := range on.Prior {
		for y, q := range on.Prior {
			if (math.Exp(on.LogL[x]-on.LogZ)+math.Exp(on.LogL[y]-on.LogZ))/2 > math.E {
				ofTwo += p * q
			}
		}
		if on.LogL[x] > on.LogZ {
			atZero += p
		}
		if on.LogL[x] > on.LogZ+1 {
			want += p
		}
	}
	if r := rows[0]; want == 0 || want == atZero || math.Abs(r.PAbove1-want) > 1e-12 || r.PAbove1Low > r.PAbove1 || r.PAbove1High < r.PAbove1 {
		t.Errorf("%v in %v to %v, want %v", r.PAbove1, r.PAbove1Low, r.PAbove1High, want)
	}
	if r := rows[1]; ofTwo == want || math.Abs(r.PAbove1-ofTwo) > 1e-12 {
		t.Errorf("of two combined: %v in %v to %v, want %v", r.PAbove1, r.PAbove1Low, r.PAbove1High, ofTwo)
	}
}

// TestSampleOfInfiniteMean: an estimate that may be zero has no finite mean, and runs that were never zero are no evidence against it.
func TestSampleOfInfiniteMean(t *testing.T) {
	on := targetOf(t, "random:1:0:2x2", "")
	plans := plansOf(t, on, "lw", 3)
	r := Row{Case: *on.on, Trials: 1, Numbers: Numbers{Mean: math.Inf(-1), Bias: math.Inf(-1)}}
	longtest.NoError(t, plans[0].sample(context.Background(), &r, &Options{Runs: 100, Seed: 1}, 1))
	if s := r.Sample; !math.IsNaN(s.Z) || math.IsInf(s.Mean, 0) || !(s.StandardError > 0) {
		t.Errorf("%+v", s)
	}
}
