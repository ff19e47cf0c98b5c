package couplings_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/couplings"
	"breadboard/chains/kernels"
	"breadboard/exact/program"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// ends returns the probabilities with which a coupling takes a pair to each other one.
func ends(t *testing.T, c couplings.Coupling, logf []float64, x, y int) map[[2]int]float64 {
	law := longtest.Must(program.Enumerate(context.Background(), func(chooser chains.Chooser) [2]int {
		x2, y2 := c.Couple(chooser, logf, x, y)
		return [2]int{x2, y2}
	}, program.Options{}))(t)
	out := map[[2]int]float64{}
	for _, o := range law.Outcomes() {
		out[o.Value] += o.P
	}
	return out
}

// TestByHand: a coin with log f 0 and log 3, moved by Metropolis: from 0 every proposal that stays
// on the line is accepted, and from 1 one in three.
func TestByHand(t *testing.T) {
	space := grid.MustNew(2)
	logf := []float64{0, math.Log(3)}
	k := longtest.Must(kernels.Parse("metropolis", space))(t)
	// The rows are (1/2, 1/2) and (1/6, 5/6). They share 1/6 + 1/2, and what remains is 1/3 at 0 of
	// the one and at 1 of the other.
	maximal := map[[2]int]float64{{0, 0}: 1. / 6, {1, 1}: 1. / 2, {0, 1}: 1. / 3}
	for name, want := range map[string]map[[2]int]float64{
		"rows": maximal, "rows-comonotone": maximal, "quantile": maximal,
		"independent": {{0, 0}: 1. / 12, {0, 1}: 5. / 12, {1, 0}: 1. / 12, {1, 1}: 5. / 12},
		// Both propose the first direction, which stays at 0 and leads from 1 to 0, or both the
		// second.
		"common": {{0, 0}: 1. / 6, {0, 1}: 1. / 3, {1, 1}: 1. / 2},
		// The proposals have the same distribution, a half each.
		"proposals": {{0, 0}: 1. / 6, {0, 1}: 1. / 3, {1, 1}: 1. / 2},
	} {
		got := ends(t, longtest.Must(couplings.New(name, k))(t), logf, 0, 1)
		for pair, p := range want {
			if math.Abs(got[pair]-p) > 1e-15 {
				t.Errorf("%s goes to %v with probability %v, for %v", name, pair, got[pair], p)
			}
		}
		together := ends(t, longtest.Must(couplings.New(name, k))(t), logf, 1, 1)
		if math.Abs(together[[2]int{0, 0}]-1./6) > 1e-15 || math.Abs(together[[2]int{1, 1}]-5./6) > 1e-15 {
			t.Errorf("%s parts chains that have met: %v", name, together)
		}
	}
}

// TestCouplingsRefuse: a kernel without rows has no maximal coupling, one that proposes no
// neighbour none of proposals, and messages name the kernel.
func TestCouplingsRefuse(t *testing.T) {
	for name, want := range map[string]string{"rows": "common or independent",
		"proposals": "it proposes no neighbour", "commen": "did you mean common"} {
		_, err := couplings.New(name, coin{})
		if couplings.Refused(err) != (name != "commen") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range couplings.Names() {
		if couplings.Doc(name) == "" {
			t.Errorf("%s says nothing", name)
		}
	}
}

// coin is a kernel without rows, which makes one choice from state 0 and none from others.
type coin struct{}

func (coin) Move(c chains.Chooser, _ []float64, x int) int {
	if x == 0 {
		return c.Uniform(3)
	}
	if c.Flip(0.5) && c.Choose([]float64{0.25, 0.75}) == 1 {
		return 2
	}
	return x
}

// TestCommonNumbers: behind the choices of both moves stand the same numbers, also of different
// kinds, and a move that makes more choices has numbers of its own for these.
func TestCommonNumbers(t *testing.T) {
	got := ends(t, longtest.Must(couplings.New("common", coin{}))(t), make([]float64, 3), 0, 1)
	// The number u of the first choice is in thirds for the first chain. The second goes on to a
	// choice of its own where u < 1/2.
	for pair, want := range map[[2]int]float64{
		{0, 2}: 1. / 4, {0, 1}: 1. / 12, {1, 2}: 1. / 8, {1, 1}: 1./6 + 1./24, {2, 1}: 1. / 3} {
		if math.Abs(got[pair]-want) > 1e-15 {
			t.Errorf("%v has probability %v, for %v", pair, got[pair], want)
		}
	}
}
