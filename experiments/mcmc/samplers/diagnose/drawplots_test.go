package diagnose

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"breadboard/chains/diagnostics"
	"breadboard/experiments/draws/files"
	"breadboard/grid/longtest"
)

// TestRankShares: in each bin the shares have the mean one, a chain that lies higher has none of
// the low ranks, and equal draws share a bin.
func TestRankShares(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, step := range []float64{0, 1} { // single numbers, and many equal ones
		values := make([][]float64, 3)
		for c := range values {
			for range 500 {
				v := rng.NormFloat64()
				if step > 0 {
					v = math.Round(v)
				}
				if c == 2 {
					v += 100
				}
				values[c] = append(values[c], v)
			}
		}
		sums, third := map[float64]float64{}, map[float64]float64{}
		for _, cell := range rankShares(values) {
			sums[cell[1].(float64)] += cell[2].(float64)
			if cell[0] == "3" {
				third[cell[1].(float64)] = cell[2].(float64)
			}
		}
		for at, sum := range sums {
			want := map[bool]float64{false: 0, true: 3}[at > 2./3]
			if math.Abs(sum-3) > 1e-12 || math.Abs(at-2./3) > 0.05 && math.Abs(third[at]-want) > 1e-12 {
				t.Errorf("bin %v: the shares add up to %v, that of the third chain is %v", at, sum, third[at])
			}
		}
	}
	if cells := rankShares([][]float64{{1, 2, 3, 4}}); cells != nil {
		t.Errorf("one chain has ranks %v", cells)
	}
}

// TestSampleSizes: the last sizes are those of all draws, and the numbers of draws double.
func TestSampleSizes(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	values := make([][]float64, 2)
	for c := range values {
		for range 64 {
			values[c] = append(values[c], rng.NormFloat64())
		}
	}
	cells := sampleSizes(values)
	all := longtest.Must(diagnostics.Order(values))(t)
	var draws []int
	for _, cell := range cells {
		if cell[0] == "bulk" {
			draws = append(draws, cell[1].(int))
		}
	}
	last := cells[len(cells)-2:]
	if !slices.Equal(draws, []int{8, 16, 32, 64, 128}) || last[0][2] != all.ESSBulk() || last[1][2] != all.ESSTail() {
		t.Errorf("%v, want the sizes %v and %v of all draws", cells, all.ESSBulk(), all.ESSTail())
	}
}

// TestLeastMixed: at most six variables are drawn, those with the smallest sizes, and none with a
// missing draw.
func TestLeastMixed(t *testing.T) {
	d := &files.Draws{}
	var rows []Variable
	for i, name := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
		d.Names, d.NotFinite = append(d.Names, name), append(d.NotFinite, map[bool]string{true: "NaN"}[name == "h"])
		d.Values = append(d.Values, [][]float64{{float64(i)}})
		rows = append(rows, Variable{Name: name, Diagnostics: Diagnostics{ESSBulk: float64(100 - i)}})
	}
	var names []string
	for _, v := range leastMixed(rows, d) {
		names = append(names, v.name)
	}
	if !slices.Equal(names, []string{"g", "f", "e", "d", "c", "b"}) {
		t.Errorf("drawn %v", names)
	}
}
