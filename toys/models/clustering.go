package models

import (
	"math"

	"breadboard/grid"
)

// Clustering is a mixture of normals with K = len(Pi) clusters, whose centres are integrated out: z_i ~ Pi, theta_kj ~ N(0,
// CentreVariance), y_ij ~ N(theta_{z_i, j}, NoiseVariance). Axis i of its space is z_i.
//
// Source: Grosse, Ghahramani and Adams 2015, section 6.
type Clustering struct {
	Y              [][]float64 // the data, a row each
	Pi             []float64   // the probabilities of the clusters, which sum to one
	CentreVariance float64
	NoiseVariance  float64
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
func (m *Clustering) Space() *grid.Lattice { return mustLattice(equalSides(len(m.Y), len(m.Pi))) }

// LogPrior implements Model.
func (m *Clustering) LogPrior() []float64 {
	space := m.Space()
	out := make([]float64, space.States())
	for x := range out {
		for i := range m.Y {
			out[x] += math.Log(m.Pi[space.Coord(x, i)])
		}
	}
	return out
}

// LogLikelihood implements Model. It takes N D additions a state.
func (m *Clustering) LogLikelihood(b float64) []float64 {
	space, columns := m.Space(), len(m.Y[0])
	out := make([]float64, space.States())
	z := make([]int, len(m.Y))
	for x := range out {
		for i := range z {
			z[i] = space.Coord(x, i)
		}
		for k := range m.Pi {
			for j := range columns {
				out[x] += m.cluster(z, k, j, b)
			}
		}
	}
	return out
}

// cluster returns the log likelihood of a column of the data in a cluster, with the cluster's centre integrated out: the n values
// with sum S and sum of squares Q have, with a = 1/st2 + b n/sn2,
//
//	-b n/2 log(2 pi sn2) - log(st2 a)/2 - b Q/(2 sn2) + (b S/sn2)^2/(2 a).
func (m *Clustering) cluster(z []int, k, j int, b float64) float64 {
	n, sum, squares := 0.0, 0.0, 0.0
	for i, zi := range z {
		if zi == k {
			y := m.Y[i][j]
			n, sum, squares = n+1, sum+y, squares+y*y
		}
	}
	a, shift := 1/m.CentreVariance+b*n/m.NoiseVariance, b*sum/m.NoiseVariance
	return -b*n/2*math.Log(2*math.Pi*m.NoiseVariance) - math.Log(m.CentreVariance*a)/2 - b*squares/(2*m.NoiseVariance) + shift*shift/(2*a)
}

// equalSides returns so many sides of the same length.
func equalSides(n, side int) []int {
	sides := make([]int, n)
	for i := range sides {
		sides[i] = side
	}
	return sides
}

// mustLattice returns the lattice with the given sides, which have been checked.
func mustLattice(sides []int) *grid.Lattice {
	space, err := grid.New(sides...)
	if err != nil {
		panic(err)
	}
	return space
}
