package quotients

import (
	"testing"

	"breadboard/grid"
	"breadboard/grid/longtest"
)

// Four quadrants of 7x7 behind walls are four modes, which the classes have as one. The states of a ring of spins that are all equal are two
// modes, also of orbits. A flat space and one whose mode is in the middle have no mode that stands for several.
func TestHighestMerged(t *testing.T) {
	quadrants, middle := make([]int32, 49), make([]int32, 49)
	for x := range quadrants {
		if row, col := x/7, x%7; row == 3 || col == 3 {
			quadrants[x] = 1
		}
		row, col := x/7-3, x%7-3
		middle[x] = int32(row*row + col*col)
	}
	square := grid.MustNew(7, 7)
	ring := grid.MustNew(2, 2, 2, 2, 2)
	energies := ringEnergies(5)
	turn := rotation(5)
	turn.Turned = true
	orbits := longtest.Must(Orbits(5, []Symmetry{turn}, func(x uint32) int { return int(energies[x]) }))(t)
	for _, c := range []struct {
		name    string
		q       *Classes
		colours []int32
		modes   float64
	}{
		{"quadrants", longtest.Must(Refined(square, Neighbour, quadrants))(t), quadrants, 4},
		{"quadrants by lines", longtest.Must(Refined(square, Value, quadrants))(t), quadrants, 0}, // a value of an axis leads over the wall
		{"middle", longtest.Must(Refined(square, Neighbour, middle))(t), middle, 0},
		{"flat", longtest.Must(Refined(square, Value, make([]int32, 49)))(t), make([]int32, 49), 0},
		{"ring", longtest.Must(Refined(ring, Value, energies))(t), energies, 2},
		{"ring by orbits", orbits, energies, 2},
	} {
		values := make([]float64, c.q.States())
		for i := range values {
			values[i] = -float64(c.colours[c.q.First(i)])
		}
		if got, _ := HighestMerged(c.q, values); got.Modes != c.modes {
			t.Errorf("%s: %+v, want %v modes", c.name, got, c.modes)
		}
	}
}

// Quotients by formula: all of four axes of three values alike are a mode for each value, which only their names tell apart; two ones among four
// bits stand at 6 places, none of which is a move away from another.
func TestHighestMergedByFormula(t *testing.T) {
	colours, names, bits := longtest.Must(NewPartitions(3, 4))(t), longtest.Must(NewCompositions(3, 4))(t), longtest.Must(NewCounts(4))(t)
	for _, c := range []struct {
		q      Quotient
		values []float64
		modes  float64
	}{
		{colours, []float64{6, 3, 2, 1}, 3}, // of 4, 3+1, 2+2 and 2+1+1
		{names, []float64{0, 1, 2, 1, 0, 1, 2, 2, 1, 2, 2, 2, 1, 1, 9}, 0},
		{bits, []float64{0, 1, 2, 1, 0}, 6},
		{bits, []float64{2, 1, 0, 1, 2}, 0},
		{longtest.Must(NewPartitions(3, 1))(t), []float64{0}, 0}, // three states, each a move away from the others
	} {
		if got, _ := HighestMerged(c.q, c.values); got.Modes != c.modes {
			t.Errorf("%v: %+v, want %v modes", c.q, got, c.modes)
		}
	}
}
