package weights_test

import (
	"context"
	"math"
	"math/cmplx"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains/number"
	"breadboard/exact/internal/exacttest"
	"breadboard/exact/weights"
	"breadboard/grid/longtest"
)

// TestEndTransformsByPaths compares the joint transform of the weight and of the last state with
// sums over every path.
func TestEndTransformsByPaths(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := exacttest.Problem(t, 4, 3)
		n := a.States()
		first, last := make([]float64, n), make([]float64, n)
		a.LogF(first, 1)
		a.LogF(last, a.Distributions())
		logZRatio := number.LogSumExp(last) - number.LogSumExp(first)
		lines := []weights.Vertical{
			{Power: rapid.Float64Range(-1, 2).Draw(t, "power"), Step: rapid.Float64Range(0.01, 1).Draw(
				t,
				"step",
			), Points: rapid.IntRange(1, 150).Draw(t, "points")},
			{Power: 0, Step: 3, Points: 2},
		}
		got := longtest.Must(weights.EndTransforms(context.Background(), a, lines, 1, nil))(t)
		for i, l := range lines {
			k := rapid.IntRange(0, l.Points-1).Draw(t, "point")
			scale := make([]number.Wide, n)
			paths := []exacttest.Path{}
			exacttest.EachWidePath(t, a, func(p exacttest.Path) {
				if p.Forward.M > 0 && !math.IsInf(p.LogW, 0) {
					p.LogW -= logZRatio
					p.Forward = p.Forward.Mul(number.WideExp(l.Power * p.LogW))
					scale[p.Last] = scale[p.Last].Add(p.Forward)
					paths = append(paths, p)
				}
			})
			want := make([]complex128, n) // relative to the scale
			for _, p := range paths {
				want[p.Last] += cmplx.Rect(p.Forward.Div(scale[p.Last]).Float(), float64(k)*l.Step*p.LogW)
			}
			for x := range n {
				if scale[x].M == 0 {
					if !math.IsInf(got[i].LogScale[x], -1) {
						t.Fatalf("state %d: %v, and no chain ends there", x, got[i].LogScale[x])
					}
					continue
				}
				if math.IsInf(got[i].LogScale[x], 1) && exacttest.TinyMoves(t, a) {
					continue // it says that it is not known
				}
				value := complex(number.WideExp(got[i].LogScale[x]).Div(scale[x]).Float(), 0) *
					got[i].Values[x][k]
				if off := cmplx.Abs(value - want[x]); !(off <= 1e-11) {
					t.Fatalf("line %+v, point %d, state %d: %v, by paths %v, off by %.2g", l, k, x, value,
						want[x], off)
				}
			}
		}
	})
}
