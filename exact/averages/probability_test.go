package averages_test

import (
	"math"
	"testing"

	"breadboard/grid/longtest"
)

// TestNoProbabilityIsAboveOne: sums of all outcomes of a law exceed one by rounding, for about half of the laws. What is certain has
// probability one, and nothing has more.
func TestNoProbabilityIsAboveOne(t *testing.T) {
	above := 0 // the laws whose outcomes sum to more than one
	for _, toy := range []string{"easy", "hard", "barrier"} {
		for _, kernel := range []string{"metropolis", "heatbath"} {
			for _, n := range []int{5, 10, 20} {
				for _, function := range []string{"x0", "x0<=3"} {
					l := sumLaw(t, toy, kernel, "uniform", function, n)
					sum := 0.0
					for _, p := range l.P {
						sum += p
					}
					if sum > 1 {
						above++
					}
					for _, tau := range []float64{0, 0.1, 1, 30, 1e3, 1e12} {
						if p := l.Coverage(tau); !(p >= 0 && p <= 1) {
							t.Errorf("%s, %s, %s, N = %d, tau = %v: the coverage is %v", toy, kernel, function, n, tau, p)
						}
					}
					if p := l.Coverage(math.Inf(1)); p != 1 {
						t.Errorf("%s, %s, %s, N = %d: an interval without ends covers the mean with probability %v", toy, kernel, function, n, p)
					}
					if function == "x0" {
						continue
					}
					h := longtest.Must(l.RHat(t.Context(), 3))(t)
					for _, limit := range []float64{0.9, 1.01, 1.1, 10, math.Inf(1)} {
						if p := h.Below(limit); !(p >= 0 && p <= 1) {
							t.Errorf("%s, %s, N = %d: R-hat is below %v with probability %v", toy, kernel, n, limit, p)
						}
					}
					if p, rest := h.Below(math.Inf(1)), h.Constant()+h.Infinite(); math.Abs(p+rest-1) > 1e-15 {
						t.Errorf("%s, %s, N = %d: R-hat is a number with probability %v, and none with %v", toy, kernel, n, p, rest)
					}
				}
			}
		}
	}
	if above == 0 {
		t.Error("no law sums to more than one, so that this test says nothing")
	}
}

// TestSuccessIsNoMoreThanCertain: a mark that all chains reach is reached with probability one, and none with more. Where RESS is below a
// mark with a small probability, that probability is the mass of the outcomes that are left out while the law is made.
func TestSuccessIsNoMoreThanCertain(t *testing.T) {
	longtest.NotShort(t)
	c, f := coin(t, 0.5)
	l := longtest.Must(c.SumLaw(t.Context(), f, c.Target, 100))(t)
	sizes := []int{1, 2, 3, 4}
	if longtest.Enabled() {
		sizes = append(sizes, 8)
	}
	for _, chains := range sizes {
		for _, ress := range []float64{1e-6, 0.1, 1, 5, 12, 30, 100} {
			s := longtest.Must(l.Success(t.Context(), chains, ress))(t)
			if ress < 1 && s.P != 1 || !(s.P <= 1 && s.Low <= s.P && s.P <= s.High) {
				t.Errorf("%d chains of a coin have a RESS of %v or more with probability %v, from %v to %v", chains, ress, s.P, s.Low, s.High)
			}
		}
	}
	// One chain has a RESS of 12 or more where the heads are at most 100/sqrt(48) from 50: from 36 to 64.
	below := 0.0
	for heads := range 36 {
		ways, _ := math.Lgamma(101)
		left, _ := math.Lgamma(float64(heads) + 1)
		right, _ := math.Lgamma(float64(100-heads) + 1)
		below += 2 * math.Exp(ways-left-right-100*math.Ln2)
	}
	s, err := l.Success(t.Context(), 1, 12)
	if err != nil || math.Abs(1-s.P-below) > 1e-15+1e-12*below {
		t.Errorf("a chain has a RESS below 12 with probability %v, want %v (%v)", 1-s.P, below, err)
	}
}
