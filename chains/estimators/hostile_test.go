package estimators

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/grid/longtest"
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

// TestHostileFactorsAndAttributes: at the bounds of what Validate lets through, the ascents of models of any size end at numbers, or with an
// error: where rounding leaves no positive definite precision, or the data are so far above the noise that U and V hold one another fast.
func TestHostileFactorsAndAttributes(t *testing.T) {
	longtest.NotShort(t)
	patience := Patience{0.01, 20}
	const pinned, lost = "has not come to an end", "came to no number"
	for _, c := range []struct {
		scale, first, second, noise float64
		factors, attributes         string // the error, where there is one
	}{
		{1, 1, 1, 1, "", ""}, {0, 1, 1, 1, "", ""}, {1e-99, 1, 1, 1, "", ""}, {1e-99, 1e-90, 1e-90, 1, "", ""}, {1, 1e-9, 1e-9, 1, "", ""},
		{1e99, 1e199, 1, 1e199, "", ""}, {1e-99, 1e-199, 1, 1e-199, "", ""}, {1e5, 1e5, 1e5, 1e10, "", ""},
		{1e10, 1, 1, 1, pinned, ""}, {1, 1e100, 1e-100, 1, "", lost},
	} {
		y := [][]float64{{c.scale, -c.scale, 0}, {c.scale, c.scale * (1 - 1e-15), c.scale * 3}, {-c.scale, 0, c.scale / 3}}
		f := &Factors{Y: y, K: 2, UVariance: c.first, VVariance: c.second, NoiseVariance: c.noise}
		a := &Attributes{Y: y, Pi: []float64{1 - 1e-10, 0.5, 1e-300}, FeatureVariance: c.first, NoiseVariance: c.noise}
		for _, made := range []hostile{
			made(NewFactorsVB(f, LogFactorial, patience))(c.factors), made(NewFactorsBIC(f))(""),
			made(NewAttributesVB(a, LogFactorial, patience))(c.attributes), made(NewAttributesBIC(a, patience))(""),
		} {
			if made.err != nil {
				t.Errorf("%+v: %v", c, made.err)
				continue
			}
			for seed := range uint64(3) {
				got, err := made.climber.Ascend(context.Background(), chains.NewSampler(rand.NewPCG(seed, 1)))
				if err != nil && made.want != "" && strings.Contains(err.Error(), made.want) {
					break
				}
				if err != nil || math.IsNaN(got.Value) || math.IsInf(got.Value, 0) {
					t.Errorf("%T of %+v: %+v, %v", made.climber, c, got, err)
				}
			}
		}
	}
}

// hostile is an Ascender at hostile magnitudes.
type hostile struct {
	climber Ascender
	err     error
	want    string
}

// made returns an Ascender with the error that it may end with.
func made(climber Ascender, err error) func(want string) hostile {
	return func(want string) hostile { return hostile{climber, err, want} }
}
