package papers

import (
	"math"
	"testing"

	"breadboard/chains/diagnostics"
)

func TestKolmogorovSquare(t *testing.T) {
	if got := kolmogorovSquare(); !Near(got, math.Pi*math.Pi/12, 1e-6) {
		t.Errorf("%v, and the sum of the alternating 1/k^2 is pi^2/12", got)
	}
}

// The region of RESS/ESS has an end where a chi-squared variable is above with 2.5%, and one where it is with 97.5%.
func TestEightAbove(t *testing.T) {
	low, high := diagnostics.Region(8, 0.95)
	if got := eightAbove(8 / low); !equal(got, 0.025) {
		t.Errorf("%v above the quantile of 97.5%%", got)
	}
	if got := eightAbove(8 / high); !equal(got, 0.975) {
		t.Errorf("%v above the quantile of 2.5%%", got)
	}
}
