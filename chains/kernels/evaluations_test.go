package kernels_test

import (
	"math"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/grid"
)

// unpriced is a kernel that does not say what its moves cost.
type unpriced struct{ chains.Kernel }

// TestEvaluations: a proposal is one evaluation, even where it leaves the space; a line of a grid takes all its other states; and
// combinations take what their parts take, as often as they move by them.
func TestEvaluations(t *testing.T) {
	space := grid.MustNew(3, 7)
	for selector, want := range map[string]float64{
		"metropolis": 1, "barker": 1, "moore": 1, "independence": 1,
		"heatbath": 4, "suwa-todo": 4, "heatbath-axis:0": 2, "heatbath-axis:1": 6, "heatbath-scan": 8,
		"lazy:0.25:metropolis": 0.75, "repeat:3:heatbath-scan": 24, "compose:metropolis+heatbath-scan": 9,
		"palindrome:metropolis+heatbath-axis:0": 4, "mixture:1*metropolis+3*heatbath-axis:0": 1.75,
	} {
		k, err := kernels.Forms().Parse(selector, kernels.Env{Space: space})
		if err != nil {
			t.Errorf("%s: %v", selector, err)
			continue
		}
		if got, said := chains.Evaluations(k); !said || math.Abs(got-want) > 1e-15 {
			t.Errorf("%s asks for log f %v times (%v), want %v", selector, got, said, want)
		}
		if _, said := chains.Evaluations(kernels.Lazy(0.5, unpriced{k})); said {
			t.Errorf("%s inside a kernel that does not say what it costs has a cost", selector)
		}
	}
}
