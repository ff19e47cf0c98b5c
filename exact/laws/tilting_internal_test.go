package laws

import (
	"math"
	"math/cmplx"
	"testing"
)

// TestTiltingKeepsItsScale: columns that would leave the range of float64 are divided, and their logarithm is kept.
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
