package models

import (
	"math"

	"breadboard/chains/paths"
	"breadboard/grid"
)

// HyperClustering is a Clustering whose noise variance eta is unknown: it has one of the given values, each with its prior
// probability. Axis 0 of its space is eta, and the next ones are z_1..z_N.
//
// Source: Grosse, Ancha and Roy 2016, sections 3.2 and 5.1.2, where hyperparameters are fitted.
type HyperClustering struct {
	Y              [][]float64 // the data, a row each
	Pi             []float64   // the probabilities of the clusters, which sum to one
	CentreVariance float64
	NoiseVariances []float64 // the values that eta may have
	Weights        []float64 // their prior probabilities, which sum to one
}

// given returns the clustering that the model is for one value of eta.
func (m *HyperClustering) given(eta float64) *Clustering {
	return &Clustering{Y: m.Y, Pi: m.Pi, CentreVariance: m.CentreVariance, NoiseVariance: eta}
}

// Space implements Model.
func (m *HyperClustering) Space() *grid.Lattice {
	return mustLattice(append([]int{len(m.NoiseVariances)}, equalSides(len(m.Y), len(m.Pi))...))
}

// Axes implements Named.
func (m *HyperClustering) Axes() []Axis {
	return append([]Axis{{Name: "eta", Values: m.NoiseVariances}}, numbered("z", len(m.Y), nil)...)
}

// LogPrior implements Model.
func (m *HyperClustering) LogPrior() []float64 {
	var out []float64
	for i, eta := range m.NoiseVariances {
		for _, v := range m.given(eta).LogPrior() {
			out = append(out, math.Log(m.Weights[i])+v)
		}
	}
	return out
}

// LogLikelihood implements Model.
func (m *HyperClustering) LogLikelihood(b float64) []float64 {
	var out []float64
	for _, eta := range m.NoiseVariances {
		out = append(out, m.given(eta).LogLikelihood(b)...)
	}
	return out
}

// Tempered implements paths.Temperable.
func (m *HyperClustering) Tempered() paths.Likelihood {
	var out blocks
	for _, eta := range m.NoiseVariances {
		given := m.given(eta)
		out = append(out, block{likelihood: given.Tempered(), states: given.Space().States()})
	}
	return out
}
