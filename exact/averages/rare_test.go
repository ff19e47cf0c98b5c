package averages_test

import (
	"context"
	"math"
	"testing"

	"breadboard/grid/longtest"
)

// TestRareLevels: where all levels but one are rare, F is so near to one that 1 - F has no digits of it. The errors of independent draws
// keep them: for a single draw they are sums over the levels at which it may be, which are written out here by 1 - F.
func TestRareLevels(t *testing.T) {
	for _, logf := range [][]float64{{0, -36, -37}, {-36, 0, -37}, {-37, -36, 0}, {0, -300, -301.5}, {-0.5, -36, -1}} {
		c := line(t, logf...)
		f := longtest.Must(c.Standardise([]float64{0, 1, 2}))(t)
		p := c.Target
		low, high := p[0], p[2] // the probabilities of being at most at level 0, and above level 1
		cvm := p[0]*low*(p[1]+p[2]) + p[1]*(p[0]+p[1])*high
		if got := f.IndependentCvM(); math.Abs(got-cvm) > 1e-13*cvm {
			t.Errorf("log f %v: R of CvM is %v, not %v", logf, got, cvm)
		}
		// A draw at level 0 is off by 1 - F at levels 0 and 1, and so on.
		off := []float64{max(p[1]+p[2], high), max(low, high), max(low, p[0]+p[1])}
		var mean, square float64
		for x, d := range off {
			mean += p[x] * d
			square += p[x] * d * d
		}
		for what, of := range map[string]func() (float64, float64, error){
			"independent": func() (float64, float64, error) {
				ks, err := f.IndependentKS(context.Background(), 1)
				return ks.Mean, ks.Square, err
			},
			"of a chain": func() (float64, float64, error) {
				ks, err := c.KS(context.Background(), f, p, 1)
				return ks.Mean, ks.Square, err
			},
		} {
			gotMean, gotSquare, err := of()
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(gotMean-mean) > 1e-13*mean || math.Abs(gotSquare-square) > 1e-13*square {
				t.Errorf("log f %v: the distance %s has mean %v and square %v, not %v and %v", logf, what, gotMean, gotSquare, mean, square)
			}
		}
	}
}
