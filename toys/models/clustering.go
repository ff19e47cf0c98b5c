package models

import (
	"slices"

	"breadboard/chains/estimators"
	"breadboard/chains/number"
	"breadboard/chains/paths"
	"breadboard/grid"
)

// Clustering is a mixture of normals whose centres are integrated out. Axis i of its space is z_i.
type Clustering struct {
	Y [][]float64 // the data, a row each
	estimators.Clusters
}

// Data implements Sequential.
func (m *Clustering) Data() int { return len(m.Y) }

// First implements Sequential.
func (m *Clustering) First(t int) Sequential {
	first := *m
	first.Y = m.Y[:t]
	return &first
}

// Space implements Model.
func (m *Clustering) Space() *grid.Lattice {
	return mustLattice(slices.Repeat([]int{len(m.Pi)}, len(m.Y)))
}

// LogPrior implements Model.
func (m *Clustering) LogPrior() []float64 {
	space := m.Space()
	out := make([]float64, space.States())
	for x := range out {
		for i := range m.Y {
			out[x] += number.Log(m.Pi[space.Coord(x, i)])
		}
	}
	return out
}

// LogLikelihood implements Model. Per cluster of n rows and per column, with S and Q the sums of y
// and y^2 and a = 1/st2 + b n/sn2, it is
//
//	-b n/2 log(2 pi sn2) - log(st2 a)/2 - b Q/(2 sn2) + (b S/sn2)^2/(2 a),
//
// computed from the mean of the cluster and the deviations from it (see Gaussian). It takes some 3
// N D operations a state.
func (m *Clustering) LogLikelihood(b float64) []float64 {
	return m.gaussian().logLikelihoodsOf(b, m.Space().States(), len(m.Pi), m.fitWriter())
}

// Tempered implements paths.Temperable.
func (m *Clustering) Tempered() paths.Likelihood {
	return newTempered(m.gaussian(), m.Space().States(), len(m.Pi), m.fitWriter())
}

// gaussian returns what the likelihoods of all states share.
func (m *Clustering) gaussian() Gaussian {
	return Gaussian{len(m.Y), len(m.Y[0]), m.NoiseVariance, m.Signal()}
}

// fitWriter returns the function that writes the fit of a state. The components are the clusters:
// the eigenvalue of one is the number of its rows, and its size is that number times the sum of the
// squares of the mean of each column. What is left are the deviations from the means.
func (m *Clustering) fitWriter() func(x int, f *Fit) {
	space := m.Space()
	z := make([]int, len(m.Y))
	means := make([]float64, len(m.Pi)*len(m.Y[0]))
	columns := len(m.Y[0])
	at := 0 // the state of z
	return func(x int, f *Fit) {
		if x == at+1 { // divisions would take most of the time
			for i := len(z) - 1; i >= 0; i-- {
				z[i]++
				if z[i] < len(m.Pi) {
					break
				}
				z[i] = 0
			}
		} else {
			for i := range z {
				z[i] = space.Coord(x, i)
			}
		}
		at = x
		clear(f.Eigenvalues)
		clear(f.Size)
		clear(means)
		for i, row := range m.Y {
			f.Eigenvalues[z[i]]++
			mean := means[z[i]*columns:][:len(row)]
			for j, y := range row {
				mean[j] += y
			}
		}
		for k, n := range f.Eigenvalues {
			if n == 0 {
				continue
			}
			for j := range columns {
				means[k*columns+j] /= n
				f.Size[k] += n * means[k*columns+j] * means[k*columns+j]
			}
		}
		rest := 0.0
		for i, row := range m.Y {
			mean := means[z[i]*columns:][:len(row)]
			for j, y := range row {
				away := y - mean[j]
				rest += away * away
			}
		}
		f.Rest = rest
	}
}

// mustLattice returns the lattice with the given sides, which have been checked.
func mustLattice(sides []int) *grid.Lattice {
	space, err := grid.New(sides...)
	if err != nil {
		panic(err)
	}
	return space
}

// HyperClustering is a Clustering whose noise variance eta is unknown: it has one of the given
// values, each with its prior probability. Axis 0 of its space is eta, and the next ones are
// z_1..z_N.
//
// Source: Grosse, Ancha and Roy 2016, sections 3.2 and 5.1.2, where hyperparameters are fitted.
type HyperClustering struct {
	Y              [][]float64 // the data, a row each
	Pi             []float64   // the probabilities of the clusters, which sum to one
	CentreVariance float64
	NoiseVariances []float64 // the values that eta may have
	Weights        []float64 // their prior probabilities, which sum to one
}

// clusteringAt returns the clustering that the model is for one value of eta.
func (m *HyperClustering) clusteringAt(eta float64) *Clustering {
	return &Clustering{
		m.Y, estimators.Clusters{Pi: m.Pi, CentreVariance: m.CentreVariance, NoiseVariance: eta}}
}

// Space implements Model.
func (m *HyperClustering) Space() *grid.Lattice {
	return mustLattice(append([]int{len(m.NoiseVariances)}, slices.Repeat([]int{len(m.Pi)}, len(m.Y))...))
}

// Axes implements Named.
func (m *HyperClustering) Axes() []Axis {
	return append([]Axis{{Name: "eta", Values: m.NoiseVariances}}, numbered("z", len(m.Y), nil)...)
}

// LogPrior implements Model.
func (m *HyperClustering) LogPrior() []float64 {
	var out []float64
	for i, eta := range m.NoiseVariances {
		for _, v := range m.clusteringAt(eta).LogPrior() {
			out = append(out, number.Log(m.Weights[i])+v)
		}
	}
	return out
}

// LogLikelihood implements Model.
func (m *HyperClustering) LogLikelihood(b float64) []float64 {
	var out []float64
	for _, eta := range m.NoiseVariances {
		out = append(out, m.clusteringAt(eta).LogLikelihood(b)...)
	}
	return out
}

// Tempered implements paths.Temperable.
func (m *HyperClustering) Tempered() paths.Likelihood {
	var out blocks
	for _, eta := range m.NoiseVariances {
		given := m.clusteringAt(eta)
		out = append(out, block{likelihood: given.Tempered(), states: given.Space().States()})
	}
	return out
}
