package weights_test

import (
	"context"
	"math"
	"math/cmplx"
	"testing"

	"pgregory.net/rapid"

	"breadboard/exact/internal/exacttest"
	"breadboard/exact/weights"
)

// TestEndTransformsByPaths compares the joint transform of the weight and of the last state with sums over every path.
func TestEndTransformsByPaths(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := exacttest.Problem(t, 4, 3)
		n := a.States()
		first, last := make([]float64, n), make([]float64, n)
		a.LogF(first, 1)
		a.LogF(last, a.Distributions())
		logZRatio := logSum(last) - logSum(first)
		lines := []weights.Vertical{
			{Power: rapid.Float64Range(-1, 2).Draw(t, "power"), Step: rapid.Float64Range(0.01, 1).Draw(t, "step"), Points: rapid.IntRange(1, 150).Draw(t, "points")},
			{Power: 0, Step: 3, Points: 2},
		}
		got, err := weights.EndTransforms(context.Background(), a, lines, 1)
		if err != nil {
			t.Fatal(err)
		}
		for i, l := range lines {
			k := rapid.IntRange(0, l.Points-1).Draw(t, "point")
			want, scale := make([]complex128, n), make([]float64, n)
			exacttest.EachPath(t, a, func(forward, _, logw float64, x int) {
				if forward > 0 && !math.IsInf(logw, 0) {
					s := complex(l.Power, float64(k)*l.Step)
					want[x] += complex(forward, 0) * cmplx.Exp(s*complex(logw-logZRatio, 0))
					scale[x] += forward * math.Exp(l.Power*(logw-logZRatio))
				}
			})
			for x := range n {
				if scale[x] == 0 {
					if !math.IsInf(got[i].LogScale[x], -1) {
						t.Fatalf("state %d: %v, and no chain ends there", x, got[i].LogScale[x])
					}
					continue
				}
				value := complex(math.Exp(got[i].LogScale[x]), 0) * got[i].Values[x][k]
				if off := cmplx.Abs(value-want[x]) / scale[x]; !(off <= 1e-11) {
					t.Fatalf("line %+v, point %d, state %d: %v, by paths %v, off by %.2g", l, k, x, value, want[x], off)
				}
			}
		}
	})
}

// logSum returns the logarithm of a sum of exponentials.
func logSum(v []float64) float64 {
	sum := 0.0
	for _, l := range v {
		sum += math.Exp(l)
	}
	return math.Log(sum)
}
