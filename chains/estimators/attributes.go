package estimators

import (
	"fmt"
	"math"
)

// Attributes is a model of binary attributes: z_ik ~ Bernoulli(Pi[k]) for each of N rows and K = len(Pi) attributes, a_kj ~ N(0, FeatureVariance)
// for each of D columns, and y_ij ~ N(sum over k of z_ik a_kj, NoiseVariance).
//
// Source: Grosse, Ghahramani and Adams 2015, section 6.
type Attributes struct {
	Y               [][]float64 // the data, a row each
	Pi              []float64   // the probabilities of the attributes, each above 0 and below 1
	FeatureVariance float64
	NoiseVariance   float64
}

// Validate returns an error where the numbers make no model: no data, rows of different lengths, what is not finite, no attribute,
// probabilities that are not between 0 and 1, variances that are not positive, and magnitudes that would overflow.
func (m *Attributes) Validate() error {
	if err := checkVariances("features", m.FeatureVariance, m.NoiseVariance); err != nil {
		return err
	}
	if err := checkRows(m.Y, m.NoiseVariance); err != nil {
		return err
	}
	if len(m.Pi) == 0 {
		return fmt.Errorf("no attribute; give at least one probability")
	}
	for k, p := range m.Pi {
		if !(p > 0 && p < 1) {
			return fmt.Errorf("attribute %d has probability %v; it must be above 0 and below 1", k, p)
		}
	}
	return nil
}

// signal returns the variance of a feature in units of that of the noise. With the data in these units, features ~ N(0, signal) and
// noise of variance one, the model is the same.
func (m *Attributes) signal() float64 { return m.FeatureVariance / m.NoiseVariance }

// logOdds returns log(Pi/(1-Pi)) of an attribute.
func (m *Attributes) logOdds(k int) float64 { return math.Log(m.Pi[k]) - math.Log1p(-m.Pi[k]) }

// constant returns N D/2 log(2 pi sn2), in nats.
func (m *Attributes) constant() float64 {
	return float64(len(m.Y)*len(m.Y[0])) / 2 * math.Log(2*math.Pi*m.NoiseVariance)
}
