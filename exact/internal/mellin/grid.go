package mellin

import (
	"math"

	"breadboard/chains"
	"breadboard/exact/internal/lanes"
)

// Grid is for the transforms of many variables at the same points tau = k TauStep, k = Low..High, along lines of the same steps. It has the angles of
// all sums, which differ between the variables in their values alone.
type Grid struct {
	TauStep   float64
	Low, High int
	turns     map[float64][][][lanes.Width]float64 // by step and block of eight tau: the cosines of tau y at all points of a line, then the sines
	unit      *lanes.Unit
}

// maxGrid bounds how many cosines and sines a Grid keeps for a step, in 8 bytes each. Beyond it sums are found one by one.
const maxGrid = 1 << 20

// NewGrid returns the grid for lines of some steps.
func NewGrid(tauStep float64, low, high int, steps ...float64) *Grid {
	g := &Grid{TauStep: tauStep, Low: low, High: high, turns: map[float64][][][lanes.Width]float64{}, unit: lanes.Widest()}
	blocks := (high-low)/lanes.Width + 1
	for _, step := range steps {
		n := PointsOf(step)
		if g.turns[step] != nil || 2*n*blocks*lanes.Width > maxGrid {
			continue
		}
		of := make([][][lanes.Width]float64, blocks)
		for b := range of {
			of[b] = make([][lanes.Width]float64, 2*n)
			for k := range n {
				for j := range lanes.Width {
					sin, cos := math.Sincos(g.Tau(low+b*lanes.Width+j) * step * float64(k))
					of[b][k][j], of[b][n+k][j] = cos, sin
				}
			}
		}
		g.turns[step] = of
	}
	return g
}

// Tau returns the k-th point, where Low is the first.
func (g *Grid) Tau(k int) float64 { return float64(k) * g.TauStep }

// gridSums are the sums of a line at the points of a block of a grid.
type gridSums struct {
	row   []chains.Entry // the real parts of the values, then their imaginary parts
	block int
	at    [lanes.Width]float64
}

// on is at for a point of a grid. Eight sums are made at once.
func (l *Line) on(g *Grid, k int) float64 {
	turns := g.turns[l.Step]
	if turns == nil {
		return l.at(g.Tau(k))
	}
	if l.sums == nil {
		l.sums = &gridSums{row: make([]chains.Entry, 2*len(l.values)), block: -1}
		for i, v := range l.values {
			l.sums.row[i] = chains.Entry{To: i, P: real(v)}
			l.sums.row[len(l.values)+i] = chains.Entry{To: len(l.values) + i, P: imag(v)}
		}
	}
	block, lane := (k-g.Low)/lanes.Width, (k-g.Low)%lanes.Width
	if l.sums.block != block {
		g.unit.Gather(&l.sums.at, turns[block], l.sums.row)
		l.sums.block = block
	}
	return math.Exp(l.LogScale-l.C*g.Tau(k)) * l.sums.at[lane]
}
