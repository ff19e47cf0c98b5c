package models

import (
	"breadboard/chains/paths"
	"breadboard/grid"
)

// LowRank approximates an N by D matrix by one of rank one: u_i and v_j lie on a grid, with prior probabilities in proportion to
// exp(-g^2/2), and y_ij ~ N(u_i v_j, NoiseVariance). The axes of its space are u_1..u_N and then v_1..v_D.
//
// Source: Grosse, Ancha and Roy 2016, section 5.2.1, with the normal priors on a grid.
type LowRank struct {
	Y             [][]float64 // the matrix, a row each
	Grid          []float64   // the values that each u and each v may have
	NoiseVariance float64
}

// Space implements Model.
func (m *LowRank) Space() *grid.Lattice {
	return mustLattice(equalSides(len(m.Y)+len(m.Y[0]), len(m.Grid)))
}

// Axes implements Named.
func (m *LowRank) Axes() []Axis {
	return append(numbered("u", len(m.Y), m.Grid), numbered("v", len(m.Y[0]), m.Grid)...)
}

// LogPrior implements Model.
func (m *LowRank) LogPrior() []float64 {
	space, weights := m.Space(), normalWeights(m.Grid, 1)
	out := make([]float64, space.States())
	for x := range out {
		for axis := range space.Dims() {
			out[x] += weights[space.Coord(x, axis)]
		}
	}
	return out
}

// LogLikelihood implements Model. Nothing in it is continuous, so that it is b times the log likelihood.
func (m *LowRank) LogLikelihood(b float64) []float64 {
	space := m.Space()
	out := make([]float64, space.States())
	for x := range out {
		for i, row := range m.Y {
			u := m.Grid[space.Coord(x, i)]
			for j, y := range row {
				out[x] += b * logNormal(y, u*m.Grid[space.Coord(x, len(m.Y)+j)], m.NoiseVariance)
			}
		}
	}
	return out
}

// Tempered implements paths.Temperable.
func (m *LowRank) Tempered() paths.Likelihood { return linear(m.LogLikelihood(1)) }

// Representations implements Represented: collapsed has v summed out, and uncollapsed is the model itself.
func (m *LowRank) Representations() []Representation {
	return []Representation{
		{"collapsed", NewCollapsed(m, axesFrom(0, len(m.Y))...)},
		{"uncollapsed", m},
	}
}
