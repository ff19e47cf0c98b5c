package evidence

import (
	"context"
	"math"
	"testing"
)

// TestHostileMagnitudes: at the bounds of what Validate lets through, the ascents end at numbers.
func TestHostileMagnitudes(t *testing.T) {
	for _, m := range []*Clusters{
		{Y: [][]float64{{1e99}, {-1e99}, {1e99}}, CentreVariance: 1, NoiseVariance: 1},
		{Y: [][]float64{{1e99}, {1e99 + 1e84}, {3}}, CentreVariance: 1e190, NoiseVariance: 1},
		{Y: [][]float64{{0}, {0}, {0}}, CentreVariance: 1e-199, NoiseVariance: 1},
		{Y: [][]float64{{1e-99}, {0}, {-1e-99}}, CentreVariance: 1, NoiseVariance: 1e-199},
		{Y: [][]float64{{1e99}, {1e98}, {-1e99}}, CentreVariance: 1e199, NoiseVariance: 1e199},
		{Y: [][]float64{{1e-99}, {1e-98}, {-1e-99}}, CentreVariance: 1e-199, NoiseVariance: 1e-199},
	} {
		m.Pi = []float64{1 - 1e-10, 1e-10}
		if err := m.Validate(); err != nil {
			t.Errorf("%+v: %v", m, err)
			continue
		}
		for x := range 8 {
			start := make([]int, 3)
			StartOf(start, m.sides(), x)
			for _, climber := range []Climber{&VariationalBayes{model: m}, &BIC{model: m}} {
				a, err := climber.Climb(context.Background(), start)
				if err != nil || math.IsNaN(a.Value) || math.IsInf(a.Value, 0) {
					t.Errorf("%T of %+v from %v: %v, %v", climber, m, start, a, err)
				}
			}
		}
	}
}
