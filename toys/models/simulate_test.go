package models_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"breadboard/grid/longtest"
	"breadboard/toys/models"
)

// generatives are the models whose data can be drawn anew.
func generatives() map[string]models.Generative {
	return map[string]models.Generative{"clu6": models.Clu6(), "clu4": models.Clu4(), "bin4": models.Bin4()}
}

// TestSimulateHasTheModelsCovariances: given z, two entries in one column have the covariance of the model, and those in different
// columns none. Each of the 3,000 sums of squares or products of 20,000 draws is within 6 standard deviations, which a right one leaves
// with a probability of some 1e-8.
func TestSimulateHasTheModelsCovariances(t *testing.T) {
	longtest.NotShort(t)
	const draws = 20000
	for name, m := range generatives() {
		rng := rand.New(rand.NewPCG(1, 2))
		n, columns := len(m.Rows()), len(m.Rows()[0])
		z := m.Space().States() * 2 / 3
		sums := make([]float64, n*columns*n*columns)
		for range draws {
			y := m.Simulate(z, rng)
			if len(y) != n || len(y[0]) != columns {
				t.Fatalf("%s: %d rows of %d", name, len(y), len(y[0]))
			}
			for a := range n * columns {
				for b := range n * columns {
					sums[a*n*columns+b] += y[a/columns][a%columns] * y[b/columns][b%columns]
				}
			}
		}
		for a := range n * columns {
			for b := range n * columns {
				want := covariance(m, z, a/columns, b/columns, a%columns == b%columns)
				va, vb := covariance(m, z, a/columns, a/columns, true), covariance(m, z, b/columns, b/columns, true)
				if got := sums[a*n*columns+b] / draws; math.Abs(got-want) > 6*math.Sqrt((va*vb+want*want)/draws) {
					t.Errorf("%s: covariance of entries %d and %d is %v, want %v", name, a, b, got, want)
				}
			}
		}
	}
}

// covariance returns the covariance of entries of rows i and k, in one column or in two, given a state.
func covariance(m models.Generative, z, i, k int, sameColumn bool) float64 {
	if !sameColumn {
		return 0
	}
	at := m.Space().Coords(z)
	v := 0.0
	switch m := m.(type) {
	case *models.Clustering:
		if at[i] == at[k] {
			v = m.CentreVariance
		}
		if i == k {
			v += m.NoiseVariance
		}
	case *models.Binary:
		for p := range m.Pi {
			v += m.FeatureVariance * float64(at[i*len(m.Pi)+p]*at[k*len(m.Pi)+p])
		}
		if i == k {
			v += m.NoiseVariance
		}
	}
	return v
}

// TestWithChangesTheDataAlone, and not the model that it is asked of.
func TestWithChangesTheDataAlone(t *testing.T) {
	for name, m := range generatives() {
		before := m.LogLikelihood(1)[0]
		y := m.Simulate(0, rand.New(rand.NewPCG(3, 4)))
		other := m.With(y)
		if &other.Rows()[0][0] != &y[0][0] || other.LogLikelihood(1)[0] == before || m.LogLikelihood(1)[0] != before {
			t.Errorf("%s: the data are not those that were given, or the model has changed", name)
		}
		if back := other.With(m.Rows()).LogLikelihood(1)[0]; back != before {
			t.Errorf("%s: with its own data again it is %v, want %v", name, back, before)
		}
	}
}

// TestLogLikelihoodAtIsThatOfAllStates, to the last bit.
func TestLogLikelihoodAtIsThatOfAllStates(t *testing.T) {
	for name, m := range generatives() {
		for z, want := range m.LogLikelihood(1) {
			if got := m.LogLikelihoodAt(z); got != want {
				t.Errorf("%s: state %d has %v, want %v", name, z, got, want)
			}
		}
	}
}
