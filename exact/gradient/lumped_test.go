package gradient_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/exact/gradient"
	"breadboard/exact/internal/exacttest"
	"breadboard/grid"
	"breadboard/grid/longtest"
	"breadboard/grid/quotients"
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

// TestLumpedKinks: classes whose members have the same f on the way, with other slopes, make a kink, and the derivative is that of the larger space from
// above; classes whose members are alike all the way make none, though log f of whole classes is rounded.
func TestLumpedKinks(t *testing.T) {
	toy := longtest.Must(toys.Parse("weight:10:needle:1"))(t)
	larger := longtest.Must(toy.Space.(quotients.Listed).Larger())(t)
	initial, target := slices.Repeat([]float64{0.3}, 11), slices.Repeat([]float64{0.7}, 11)
	for x, v := range map[int][2]float64{1: {0.17, 1.33}, 3: {0.41, 0.93}, 5: {0.1, 1.2}, 8: {2.3, 0.7}} { // each alike with the next at beta = 0.5
		initial[x], target[x], initial[x+1], target[x+1] = v[0], v[1], v[1], v[0]
	}
	of := func(space grid.Graph, classOf func(x int) int, members func(x int) float64) *gradient.Gradient {
		from, to := make([]float64, space.States()), make([]float64, space.States())
		for x := range from {
			from[x], to[x] = initial[classOf(x)]+members(x), target[classOf(x)]+members(x)
		}
		k := longtest.Must(kernels.Parse("flip", space))(t)
		a := longtest.Must(chains.NewAnnealing(longtest.Must(paths.NewGeometric(from, to))(t), exacttest.Points(t, 0, 0.25, 0.5, 0.75, 1), k, 5))(t)
		return longtest.Must(gradient.Differentiate(context.Background(), a, gradient.ObjectiveB, gradient.Options{}))(t)
	}
	got := of(toy.Space, func(x int) int { return x }, func(x int) float64 { return toy.Members[x] })
	want := of(larger.Space, func(x int) int { return int(larger.Class[x]) }, func(int) float64 { return 0 })
	if !slices.Equal(got.Kinks, []int{3}) || !slices.Equal(want.Kinks, []int{3}) {
		t.Errorf("kinks %v on classes and %v state by state", got.Kinks, want.Kinks)
	}
	for i := range want.ByBeta {
		if math.Abs(got.ByBeta[i]-want.ByBeta[i]) > 1e-12 {
			t.Errorf("derivative %d is %v, and %v state by state", i, got.ByBeta[i], want.ByBeta[i])
		}
	}
}
