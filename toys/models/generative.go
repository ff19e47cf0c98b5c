package models

import (
	"math"

	"breadboard/chains"
)

// Normals is a source of independent standard normal numbers, such as *rand.Rand.
type Normals interface {
	NormFloat64() float64
}

// NormalsOf are the normal numbers of a chooser.
type NormalsOf struct{ chains.RealChooser }

// NormFloat64 implements Normals.
func (n NormalsOf) NormFloat64() float64 { return n.Normal() }

// Generative is a Model of a table of data that can be drawn anew, given its latent variables.
type Generative interface {
	Model
	// Rows returns the data, a row each. The caller must not change them.
	Rows() [][]float64
	// With returns the same model with other data, of which there are as many.
	With(y [][]float64) Generative
	// Simulate draws data given a state of the latent variables. The continuous parameters that
	// Model integrates out are drawn from their prior on the way.
	Simulate(z int, normals Normals) [][]float64
}

// Rows implements Generative.
func (m *Clustering) Rows() [][]float64 { return m.Y }

// With implements Generative.
func (m *Clustering) With(y [][]float64) Generative {
	other := *m
	other.Y = y
	return &other
}

// Simulate implements Generative: it draws all centres, and then the data around them.
func (m *Clustering) Simulate(z int, normals Normals) [][]float64 {
	space := m.Space()
	columns := len(m.Y[0])
	centres := normalTable(len(m.Pi), columns, m.CentreVariance, normals)
	y := normalTable(len(m.Y), columns, m.NoiseVariance, normals)
	for i, row := range y {
		for j, c := range centres[space.Coord(z, i)] {
			row[j] += c
		}
	}
	return y
}

// Rows implements Generative.
func (m *Binary) Rows() [][]float64 { return m.Y }

// With implements Generative.
func (m *Binary) With(y [][]float64) Generative {
	other := *m
	other.Y = y
	return &other
}

// Simulate implements Generative: it draws all features, and then the data around the sums of those
// that they have.
func (m *Binary) Simulate(z int, normals Normals) [][]float64 {
	space := m.Space()
	columns := len(m.Y[0])
	k := len(m.Pi)
	features := normalTable(k, columns, m.FeatureVariance, normals)
	y := normalTable(len(m.Y), columns, m.NoiseVariance, normals)
	for i, row := range y {
		for p, feature := range features {
			if space.Coord(z, i*k+p) == 0 {
				continue
			}
			for j, a := range feature {
				row[j] += a
			}
		}
	}
	return y
}

// normalTable draws a table of independent normal numbers with mean zero.
func normalTable(rows, columns int, variance float64, normals Normals) [][]float64 {
	out := make([][]float64, rows)
	for i := range out {
		out[i] = make([]float64, columns)
		for j := range out[i] {
			out[i][j] = math.Sqrt(variance) * normals.NormFloat64()
		}
	}
	return out
}
