package sandwich_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"breadboard/chains"
	"breadboard/experiments/sandwich"

	"breadboard/grid/longtest"
	"breadboard/toys/models"
)

// TestEstimatesAreUnbiased: on three points in two clusters, whose Z is the sum of eight terms, the mean of Z-hat is Z forward, and that of
// 1/Z-hat is 1/Z in reverse from exact draws. Each mean is within six standard errors, outside of which it is with the probability
// 2e-9 where the seed is not fixed.
func TestEstimatesAreUnbiased(t *testing.T) {
	longtest.NotShort(t)
	small := &models.Clustering{Y: [][]float64{{2.3}, {-1.7}, {0.6}}, Pi: []float64{0.6, 0.4}, CentreVariance: 4, NoiseVariance: 1}
	logZ := logSum(small)
	m := longtest.Must(sandwich.Clustering(small))(t)
	const runs = 4000
	for _, c := range []struct {
		name  string
		knobs []int
		sign  float64
	}{
		{"lw", []int{1, 4}, 1}, {"ais", []int{2, 5}, 1}, {"smc", []int{0, 1, 3}, 1}, {"cms", []int{1, 4}, 1},
		{"hme", []int{1, 4}, -1}, {"rais", []int{2, 5}, -1}, {"shme", []int{0, 1, 3}, -1},
	} {
		by := longtest.Must(sandwich.ChoiceNamed(c.name))(t)
		for _, knob := range c.knobs {
			trials := longtest.Must(sandwich.TrialsOn(by, knob, m.Model, m.Along))(t)
			random := chains.NewSampler(rand.NewPCG(5, uint64(knob)))
			sum, squares := 0.0, 0.0
			for range runs {
				e := longtest.Must(trials(context.Background(), random))(t)
				w := math.Exp(c.sign * (e.LogZ - logZ))
				sum, squares = sum+w, squares+w*w
			}
			mean := sum / runs
			se := math.Sqrt((squares/runs - mean*mean) / runs)
			if off := (mean - 1) / se; !(math.Abs(off) < 6 || math.Abs(mean-1) < 1e-9) {
				t.Errorf("%s with %s = %d: the mean is %v of what it should be, %.2g standard errors off", c.name, by.Knob, knob, mean, off)
			}
		}
	}
}

// logSum returns log Z of a small model.
func logSum(m models.Model) float64 {
	joint := m.LogPrior()
	total := 0.0
	for x, l := range m.LogLikelihood(1) {
		total += math.Exp(joint[x] + l)
	}
	return math.Log(total)
}
