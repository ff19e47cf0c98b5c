package gradient_test

import (
	"context"
	"math"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/exact/gradient"
	"breadboard/exact/internal/exacttest"
	"breadboard/grid/longtest"
	"breadboard/toys"
)

// TestLumpedGradients: the gradient on classes is that of the larger space, where classes of the same g make no kink, and where they differ and
// their members are alike at beta = 0.
func TestLumpedGradients(t *testing.T) {
	for _, toy := range []string{"curie-weiss:6:1.2:-0.1", "curie-weiss:6:1.5", "potts-complete:3:4:3", "potts-colours:3:5:3", "weight:6:needle:3", "cycles:5:2:3"} {
		classes := longtest.Must(toys.Parse(toy))(t)
		whole := longtest.Must(classes.Larger())(t)
		for _, kernel := range []string{"metropolis", "flip", "heatbath", "lazy:0.2:flip"} {
			if _, err := kernels.Parse(kernel, classes.Space); err != nil {
				continue
			}
			for _, objective := range []gradient.Objective{gradient.ObjectiveB, gradient.ObjectiveJ} {
				of := func(y *toys.Toy) *gradient.Gradient {
					path := longtest.Must(paths.NewGeometric(y.Members, y.G))(t)
					k := longtest.Must(kernels.Parse(kernel, y.Space))(t)
					a := longtest.Must(chains.NewAnnealing(path, exacttest.Points(t, 0, 0.1, 0.3, 0.35, 0.8, 1), k, 6))(t)
					return longtest.Must(gradient.Differentiate(context.Background(), a, objective, gradient.Options{}))(t)
				}
				got, want := of(classes), of(whole)
				if len(got.Kinks) != 0 || len(want.Kinks) != 0 {
					t.Errorf("%s, %s: kinks %v and %v", toy, kernel, got.Kinks, want.Kinks)
				}
				tolerance := 1e-11 * (1 + want.Value)
				if _, rows := kernel, toy == "potts-complete:3:4:3" && kernel == "heatbath" || toy == "potts-colours:3:5:3" && kernel == "heatbath"; rows {
					tolerance = 1e-9 // rows are differentiated by a formula of five points
				}
				for i := range want.ByBeta {
					if math.Abs(got.ByBeta[i]-want.ByBeta[i]) > tolerance {
						t.Errorf("%s, %s, %s: derivative %d is %v, and %v state by state", toy, kernel, objective, i, got.ByBeta[i], want.ByBeta[i])
					}
				}
			}
		}
	}
}
