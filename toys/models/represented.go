package models

import (
	"slices"

	"breadboard/chains/number"
	"breadboard/chains/paths"
	"breadboard/grid"
)

// Represented is a Model that can be written in several ways, which differ in the latent variables
// that are summed out. All of them have the same marginal likelihood.
//
// Source: Grosse, Ancha and Roy 2016, section 5.2.1.
type Represented interface {
	Model
	// Representations returns the ways to write the model. One of them is the model itself, and the
	// others are Collapsed.
	Representations() []Representation
}

// Representation is one way to write a model.
type Representation struct {
	Name  string
	Model Model
}

// LowRank approximates an N by D matrix by one of rank one: u_i and v_j lie on a grid, with prior
// probabilities in proportion to exp(-g^2/2), and y_ij ~ N(u_i v_j, NoiseVariance). The axes of its
// space are u_1..u_N and then v_1..v_D.
//
// Source: Grosse, Ancha and Roy 2016, section 5.2.1, with the normal priors on a grid.
type LowRank struct {
	Y             [][]float64 // the matrix, a row each
	Grid          []float64   // the values that each u and each v may have
	NoiseVariance float64
}

// Space implements Model.
func (m *LowRank) Space() *grid.Lattice {
	return mustLattice(slices.Repeat([]int{len(m.Grid)}, len(m.Y)+len(m.Y[0])))
}

// Axes implements Named.
func (m *LowRank) Axes() []Axis {
	return append(numbered("u", len(m.Y), m.Grid), numbered("v", len(m.Y[0]), m.Grid)...)
}

// LogPrior implements Model.
func (m *LowRank) LogPrior() []float64 {
	space := m.Space()
	weights := normalWeights(m.Grid, 1)
	out := make([]float64, space.States())
	for x := range out {
		for axis := range space.Dims() {
			out[x] += weights[space.Coord(x, axis)]
		}
	}
	return out
}

// LogLikelihood implements Model. Nothing in it is continuous, so that it is b times the log
// likelihood.
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

// Representations implements Represented: collapsed has v summed out, and uncollapsed is the model
// itself.
func (m *LowRank) Representations() []Representation {
	return []Representation{
		{"collapsed", NewCollapsed(m, axesFrom(0, len(m.Y))...)},
		{"uncollapsed", m},
	}
}

// GridClustering is a mixture of normals on the line with K = len(Pi) clusters, whose centres lie
// on a grid: z_i ~ Pi, the prior probability of a centre at g is in proportion to exp(-g^2/(2
// CentreVariance)), and y_i ~ N(theta_{z_i}, NoiseVariance). The axes of its space are z_1..z_N and
// then theta_1..theta_K.
//
// Source: Grosse, Ghahramani and Adams 2015, section 6, with the centres on a grid.
type GridClustering struct {
	Y              []float64 // the data
	Pi             []float64 // the probabilities of the clusters, which sum to one
	Grid           []float64 // the values that each centre may have
	CentreVariance float64
	NoiseVariance  float64
}

// Space implements Model.
func (m *GridClustering) Space() *grid.Lattice {
	return mustLattice(
		append(slices.Repeat([]int{len(m.Pi)}, len(m.Y)), slices.Repeat([]int{len(m.Grid)}, len(m.Pi))...),
	)
}

// Axes implements Named.
func (m *GridClustering) Axes() []Axis {
	return append(numbered("z", len(m.Y), nil), numbered("theta", len(m.Pi), m.Grid)...)
}

// LogPrior implements Model.
func (m *GridClustering) LogPrior() []float64 {
	space := m.Space()
	weights := normalWeights(m.Grid, m.CentreVariance)
	out := make([]float64, space.States())
	for x := range out {
		for i := range m.Y {
			out[x] += number.Log(m.Pi[space.Coord(x, i)])
		}
		for k := range m.Pi {
			out[x] += weights[space.Coord(x, len(m.Y)+k)]
		}
	}
	return out
}

// LogLikelihood implements Model. Nothing in it is continuous, so that it is b times the log
// likelihood.
func (m *GridClustering) LogLikelihood(b float64) []float64 {
	space := m.Space()
	out := make([]float64, space.States())
	for x := range out {
		for i, y := range m.Y {
			centre := m.Grid[space.Coord(x, len(m.Y)+space.Coord(x, i))]
			out[x] += b * logNormal(y, centre, m.NoiseVariance)
		}
	}
	return out
}

// Tempered implements paths.Temperable.
func (m *GridClustering) Tempered() paths.Likelihood { return linear(m.LogLikelihood(1)) }

// Representations implements Represented: z has the centres summed out, theta the clusters of the
// data, and both is the model itself.
func (m *GridClustering) Representations() []Representation {
	return []Representation{
		{"z", NewCollapsed(m, axesFrom(0, len(m.Y))...)},
		{"theta", NewCollapsed(m, axesFrom(len(m.Y), len(m.Pi))...)},
		{"both", m},
	}
}
