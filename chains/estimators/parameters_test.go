package estimators_test

import (
	"math"
	"slices"
	"testing"

	"breadboard/chains/estimators"
	"breadboard/grid/longtest"
)

// TestParametersRefuse: what makes no model is refused with one line that says what to change, and
// what is at the limits is not.
func TestParametersRefuse(t *testing.T) {
	clusters := func(centre, noise float64, pi ...float64) error {
		return estimators.Clusters{Pi: pi, CentreVariance: centre, NoiseVariance: noise}.Validate()
	}
	attributes := func(feature, noise float64, pi ...float64) error {
		return estimators.Attributes{Pi: pi, FeatureVariance: feature, NoiseVariance: noise}.Validate()
	}
	factors := func(u, v, noise float64) error {
		return estimators.Factors{UVariance: u, VVariance: v, NoiseVariance: noise}.Validate()
	}
	rows := func(y ...[]float64) error { return estimators.CheckRows(y) }
	inf := math.Inf(1)
	table := [][]float64{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}
	for want, err := range map[string]error{
		"the probabilities of the 2 clusters sum to 0.9;": clusters(1, 1, 0.5, 0.4),
		"sum to 1.0000000015":                             clusters(1, 1, 0.5, 0.5+1.5e-9),
		"cluster 1 has probability 0;":                    clusters(1, 1, 1, 0),
		"the variance of the centres is 0;":               clusters(0, 1, 1),
		"the variance of the noise is +Inf;":              clusters(1, inf, 1),
		"no attributes;":                                  attributes(1, 1),
		"attribute 1 has probability 1;":                  attributes(1, 1, 0.5, 1),
		"the variance of the features is 1.1e+40;":        attributes(1.1e40, 1, 0.5),
		"at most 1e+10":                                   attributes(1.1e10, 1, 0.5),
		"the variance of U is 0;":                         factors(0, 1, 1),
		"row 2 has 1 columns, and row 1 has 2":            rows([]float64{1, 2}, []float64{3}),
		"row 1, column 2 is -Inf":                         rows([]float64{1, -inf}),
		"3 components for 3 rows and 3 columns":           estimators.CheckRank(3, table),
	} {
		longtest.Refused(t, err, want)
	}
	for _, err := range []error{
		clusters(1e40, 1e-40, slices.Repeat([]float64{0.1}, 10)...), clusters(1, 1, 1),
		attributes(1e10, 1, 1e-300), factors(1e-40, 1e40, 1),
		rows([]float64{-1e40, 1e40}),
		estimators.CheckRank(2, table), estimators.EqualClusters(3).Validate(),
		estimators.EvenAttributes(2).Validate(), estimators.EqualFactors().Validate(),
	} {
		longtest.NoError(t, err)
	}
}
