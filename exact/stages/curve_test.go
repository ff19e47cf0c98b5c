package stages

import (
	"math"
	"testing"

	"breadboard/grid/longtest"
)

// TestCurveIsAsGoodAsItSays: pieces are halved until the last two coefficients are 1e-10 of the
// largest, or do not matter to the integral. What that leaves of a smooth function is a few times
// as much, and of the root of beta, which is nowhere smooth at zero, 1e-13 of its integral for each
// of the last pieces.
func TestCurveIsAsGoodAsItSays(t *testing.T) {
	for _, c := range []struct {
		name            string
		f               func(b float64) float64
		total           float64
		value, integral float64 // how far off each may be
		pieces          int
	}{
		{"exp(8 b)", func(b float64) float64 { return math.Exp(8 * b) }, math.Expm1(8) / 8, 1e-10 * math.Exp(8), 1e-13, 2},
		{"1/(b + 0.001)", func(b float64) float64 { return 1 / (b + 1e-3) }, math.Log(1001), 1e-7, 1e-13, 11},
		{"root", math.Sqrt, 2. / 3, 2e-5, 1e-13, 24},
	} {
		curve := longtest.Must(NewCurve(func(b float64) (float64, error) { return c.f(b), nil }, nil, 1))(t)
		worst := 0.0
		for b := 0.0; b <= 1; b += 1. / 1024 {
			worst = max(worst, math.Abs(curve.At(b)-c.f(b)))
		}
		t.Logf("%s: %d pieces, off by %v, and the integral by %v of it", c.name, len(curve.pieces), worst, curve.Total()/c.total-1)
		if !(worst <= c.value && math.Abs(curve.Total()/c.total-1) <= c.integral) || len(curve.pieces) != c.pieces {
			t.Errorf("%s: %d pieces, off by %v, and the integral by %v of it", c.name, len(curve.pieces), worst, curve.Total()/c.total-1)
		}
	}
}
