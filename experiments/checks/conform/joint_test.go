package conform_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"breadboard/experiments/checks/conform/ranks"
	"breadboard/experiments/draws/files"
	"breadboard/experiments/verdicts"
	"breadboard/grid/longtest"
	"breadboard/reports/check"
)

// pairsOfBits are draws of two variables: x is 0 or 1, and y has the value of x with the
// probability 0.8.
func pairsOfBits(chains, draws int, each func(chain, draw int) (x, y float64)) *files.Draws {
	d := &files.Draws{
		Names:     []string{"x", "y"},
		Values:    make([][][]float64, 2),
		Sources:   []string{"draws.csv"},
		NotFinite: []string{"", ""},
	}
	for c := range chains {
		for i := range d.Values {
			d.Values[i] = append(d.Values[i], make([]float64, draws))
		}
		for k := range draws {
			d.Values[0][c][k], d.Values[1][c][k] = each(c, k)
		}
	}
	return d
}

// TestJoint: chains that alternate a right step and the simulator pass, also if they hardly move,
// and wrong ones are faults of what shows it: the product, if each variable alone is right.
func TestJoint(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	flip := func(p float64) float64 {
		if rng.Float64() < p {
			return 1
		}
		return 0
	}
	simulate := func(x, right float64) float64 { return flip(x*right + (1-x)*(1-right)) }
	forward := pairsOfBits(1, 60_000, func(int, int) (x, y float64) { x = flip(0.3); return x, simulate(x, 0.8) })
	step := func(weight, moves float64) func(int, int) (float64, float64) {
		x, y := 0.0, 0.0
		return func(_, draw int) (float64, float64) {
			if draw == 0 {
				x = flip(0.3)
			} else if rng.Float64() < moves {
				one := weight * (0.2 + 0.6*y)
				zero := (1 - weight) * (0.8 - 0.6*y)
				x = flip(one / (one + zero))
			}
			y = simulate(x, 0.8)
			return x, y
		}
	}
	faults := func(successive *files.Draws) (names []string, notes []string) {
		list, notes, err := ranks.OfJoint(forward, successive, 49, 1)
		longtest.NoError(t, err)
		for _, f := range longtest.Must(ranks.Check(context.Background(), list, 1e-6, func(int) {}))(t) {
			if f.Verdict == check.Fault {
				names = append(names, f.Variable.Name)
			}
		}
		return names, notes
	}
	for _, moves := range []float64{1, 0.1} {
		if names, _ := faults(pairsOfBits(300, 40, step(0.3, moves))); names != nil {
			t.Errorf("a right sampler is blamed for %v", names)
		}
	}
	if names, _ := faults(pairsOfBits(1000, 40, step(0.6, 1))); !slices.Contains(names, "x at draw 40") {
		t.Errorf("a sampler without the prior is blamed for %v", names)
	}
	apart := pairsOfBits(3000, 2, func(_, _ int) (x, y float64) { return flip(0.3), flip(0.3*0.8 + 0.7*0.2) })
	if names, _ := faults(apart); !slices.Equal(names, []string{"x*y at draw 2"}) {
		t.Errorf("independent variables are blamed for %v", names)
	}
	still := pairsOfBits(
		300,
		3,
		func(chain, _ int) (x, y float64) { x = float64(chain % 10 / 7); return x, simulate(x, 0.8) },
	)
	still.Notes = []string{"the last draws of longer chains are omitted"}
	if names, notes := faults(still); names != nil ||
		!strings.Contains(notes[1], "x never changed in any chain") || notes[0] != still.Notes[0] {
		t.Errorf("%v, %v", names, notes)
	}
}

// TestJointRefusals: what no rank can be taken of is refused.
func TestJointRefusals(t *testing.T) {
	zero := func(int, int) (float64, float64) { return 0, 0 }
	spoil := func(change func(d *files.Draws)) *files.Draws {
		d := pairsOfBits(3, 2, zero)
		change(d)
		return d
	}
	for says, of := range map[string][2]*files.Draws{
		"has a single chain":    {pairsOfBits(1, 9, zero), pairsOfBits(1, 9, zero)},
		"simulate more":         {pairsOfBits(1, 2, zero), pairsOfBits(3, 2, zero)},
		"has not; give both":    {pairsOfBits(1, 9, zero), spoil(func(d *files.Draws) { d.Names[1] = "z" })},
		"has 3 chains of draws": {pairsOfBits(3, 9, zero), pairsOfBits(3, 2, zero)},
		"missing or infinite": {
			pairsOfBits(1, 9, zero), spoil(func(d *files.Draws) { d.NotFinite[1] = "draw 3" })},
		"has weights": {
			spoil(func(d *files.Draws) { d.Weights = [][]float64{{1}} }), pairsOfBits(3, 2, zero)},
	} {
		_, _, err := ranks.OfJoint(of[0], of[1], 9, 1)
		longtest.Refused(t, err, says, fmt.Sprint(says))
	}
}

// TestJointPools: a shift that the last draws of the chains do not show is seen in all of them.
func TestJointPools(t *testing.T) {
	const chains, draws = 1000, 49
	for _, shift := range []float64{0, 0.06} {
		rng := rand.New(rand.NewPCG(1, 3))
		forward := pairsOfBits(1, chains*draws, func(int, int) (x, y float64) { return rng.NormFloat64(), 0 })
		successive := pairsOfBits(chains, 20, func(int, int) (x, y float64) { return shift + rng.NormFloat64(), 0 })
		list, _, err := ranks.OfJoint(forward, successive, draws, 1)
		longtest.NoError(t, err)
		checkOpen(t, &list[0], shift > 0, "the mean of the ranks of all draws of the chains is off by")
	}
	rng := rand.New(rand.NewPCG(1, 3))
	forward := pairsOfBits(1, 3*draws, func(int, int) (x, y float64) { return rng.NormFloat64(), 0 })
	successive := pairsOfBits(3, 20, func(int, int) (x, y float64) { return 2 + rng.NormFloat64(), 0 })
	list, _, err := ranks.OfJoint(forward, successive, draws, 1)
	longtest.NoError(t, err)
	if list[0].Pooled >= verdicts.FarErrors { // three means may agree by chance
		t.Errorf("three chains: %v standard errors", list[0].Pooled)
	}
}
