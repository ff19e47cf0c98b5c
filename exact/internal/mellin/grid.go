package mellin

import (
	"math"

	"breadboard/chains"
	"breadboard/exact/internal/lanes"
)

// Grid is for the transforms of many variables at the same points tau = k TauStep, k = Low, Low +
// 1, ..., along lines of the same steps. It holds the angles of all sums; only the values differ
// between variables.
type Grid struct {
	TauStep float64
	Low     int
	// by step: for each block of eight tau the cosines of tau y at all points of a line, then the
	// sines
	turns map[float64][][lanes.Width]float64
	unit  *lanes.Unit
}

// maxGrid bounds how many cosines and sines a Grid keeps for a step, in 8 bytes each. Beyond it
// sums are found one by one.
const maxGrid = 1 << 20

// NewGrid returns the grid for lines of some steps.
func NewGrid(tauStep float64, low, high int, steps ...float64) *Grid {
	g := &Grid{TauStep: tauStep, Low: low, turns: map[float64][][lanes.Width]float64{}, unit: lanes.Widest()}
	blocks := ((high-low)/gridSums + 1) * gridSums / lanes.Width
	for _, step := range steps {
		n := PointsOf(step)
		if g.turns[step] != nil || 2*n*blocks*lanes.Width > maxGrid {
			continue
		}
		of := make([][lanes.Width]float64, blocks*2*n)
		for b := range blocks {
			for k := range n {
				for j := range lanes.Width {
					of[(2*b+1)*n+k][j], of[2*b*n+k][j] = math.Sincos(g.Tau(low+b*lanes.Width+j) * step * float64(k))
				}
			}
		}
		g.turns[step] = of
	}
	return g
}

// Tau returns the k-th point, where Low is the first.
func (g *Grid) Tau(k int) float64 { return float64(k) * g.TauStep }

// gridSums is the number of neighbouring points at which the sums along a line are computed
// together.
const gridSums = 4 * lanes.Width

// lineSums are the sums of a line at some neighbouring points of a grid.
type lineSums struct {
	row  []chains.Entry // the real parts of the values, then their imaginary parts
	part int
	at   [gridSums / lanes.Width][lanes.Width]float64
}

// valueOn is at for a point of a grid.
func (l *Line) valueOn(g *Grid, k int) float64 {
	turns := g.turns[l.Step]
	if turns == nil {
		return l.meanAt(g.Tau(k))
	}
	if l.sums == nil {
		n := len(l.values)
		row := make([]chains.Entry, 2*n)
		for i, v := range l.values {
			row[i], row[n+i] = chains.Entry{To: i, P: real(v)}, chains.Entry{To: n + i, P: imag(v)}
		}
		l.sums = &lineSums{row: row, part: -1}
	}
	part := (k - g.Low) / gridSums
	i := (k - g.Low) % gridSums
	if l.sums.part != part {
		n := 2 * len(l.values)
		g.unit.GatherFour(l.sums.at[:], turns[part*n*len(l.sums.at):], 1, n, l.sums.row)
		l.sums.part = part
	}
	return math.Exp(l.LogScale-l.C*g.Tau(k)) * l.sums.at[i/lanes.Width][i%lanes.Width]
}
