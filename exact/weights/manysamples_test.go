package weights

import (
	"context"
	"math"
	"strings"
	"testing"

	"breadboard/exact/internal/exacttest"
	"breadboard/grid/longtest"
)

// TestOneSampleByBothRoutes: for one sample the transforms must give the means of log w by Solve, within the sum of both
// errors.
func TestOneSampleByBothRoutes(t *testing.T) {
	longtest.NotShort(t)
	longest := 12
	if longtest.Enabled() {
		longest = 30
	}
	for _, toy := range []string{"easy", "hard", "barrier", "random:100:1", "random:0:1:2x2"} {
		for _, T := range []int{2, longest} {
			for _, inversion := range []bool{false, true} {
				if inversion && toy != "barrier" && toy != "random:0:1:2x2" && !longtest.Enabled() {
					continue // the others are not on a lattice
				}
				a := exacttest.Annealing(t, toy, "linear", "metropolis", T)
				s := exacttest.Solve(t, a)
				many := longtest.Must(newManySamples(context.Background(), newProblem(a, Options{Inversion: inversion})))(t)
				one, by := oneSample(s, T), many.bounds(1)
				if by.Note != "" {
					t.Errorf("%s, T = %d: the transforms do not know the bounds of one sample: %s", toy, T, by.Note)
				}
				for _, pair := range [][2]float64{{one.Forward, by.Forward}, {one.Reverse, by.Reverse}, {one.Mixed, by.Mixed}} {
					if !(math.Abs(pair[0]-pair[1]) <= one.Error+by.Error) {
						t.Errorf("%s, T = %d: %v by Solve, %v by transforms; both are known to %.2g", toy, T, pair[0], pair[1], one.Error+by.Error)
					}
				}
			}
		}
	}
}

// TestWideLogWeights: for one sample the bounds are exact however far the log weights spread. A K for which the
// transforms do not give the bounds gets NaN and a note, and other K in the same call get their bounds.
func TestWideLogWeights(t *testing.T) {
	longtest.NotShort(t)
	toy := "random:1000:1:2" // on which all bounds are known
	if longtest.Enabled() {
		toy = "random:1000:1:2x2"
	}
	a := exacttest.Annealing(t, toy, "linear", "metropolis", 3)
	s := exacttest.Solve(t, a)
	bounds := longtest.Must(MultiSampleBounds(context.Background(), a, []int{1, 5, MaxSamples}, SampleOptions{}))(t)
	if b := bounds[0]; b.Forward != s.MeanLogWForward || b.Reverse != s.MeanLogWReverse || b.Mixed != s.MeanLogWReverse || !(b.Error < 1e-8) || b.Note != "" {
		t.Errorf("one sample: %+v, the means of log w are %v and %v", b, s.MeanLogWForward, s.MeanLogWReverse)
	}
	if b := bounds[1]; longtest.Enabled() && (!math.IsNaN(b.Forward) || !math.IsNaN(b.Reverse) || !math.IsNaN(b.Mixed) || !(b.Error > maxSampleError) || !strings.Contains(b.Note, "K = 5 are not known")) {
		t.Errorf("five samples: %+v", b)
	}
	if b := bounds[2]; !(b.Forward <= s.LogZRatio+b.Error && b.Reverse >= s.LogZRatio-b.Error) || b.Note != "" {
		t.Errorf("very many samples: %+v", b)
	}
}
