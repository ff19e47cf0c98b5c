package toys_test

import (
	"math"
	"testing"

	"breadboard/chains"
	"breadboard/toys/models"
)

// TestSchools: the posterior means of the eight schools, in units of the test's points, which another program has computed from the
// formulas.
func TestSchools(t *testing.T) {
	toy := parsed(t, "schools:31x31")
	if toy.Name != "schools" || toy.DefaultInitial() != "prior" {
		t.Errorf("it calls itself %s, and starts from %s", toy.Name, toy.DefaultInitial())
	}
	axes := models.AxesOf(toy.Model, toy.Lattice())
	if axes[0].Name != "mu" || axes[1].Name != "log_tau" {
		t.Errorf("its axes are %v", axes)
	}
	p := append([]float64(nil), toy.G...)
	chains.Normalize(p)
	mu, tau := 0.0, 0.0
	for x, q := range p {
		mu += q * axes[0].At(toy.Lattice().Coord(x, 0))
		tau += q * math.Exp(axes[1].At(toy.Lattice().Coord(x, 1)))
	}
	if math.Abs(mu-4.39454686466) > 1e-11 || math.Abs(tau-3.63404871841) > 1e-11 {
		t.Errorf("E mu %.14g, E tau %.14g", mu, tau)
	}
}

// TestSchoolsByHand: differences of g at the states of a small grid, from the densities as the model states them.
func TestSchoolsByHand(t *testing.T) {
	toy := parsed(t, "schools:2x3")
	normal := func(v, mean, variance float64) float64 {
		return math.Exp(-(v-mean)*(v-mean)/(2*variance)) / math.Sqrt(2*math.Pi*variance)
	}
	f := func(mu, logTau float64) float64 {
		tau := math.Exp(logTau)
		density := normal(mu, 0, 25) * 2 / (math.Pi * 5 * (1 + tau*tau/25)) * tau
		for i, y := range []float64{28, 8, -3, 7, -1, 1, 18, 12} {
			s := []float64{15, 10, 16, 11, 9, 11, 10, 18}[i]
			density *= normal(y, mu, s*s+tau*tau)
		}
		return density
	}
	for x, g := range toy.G {
		mu, logTau := []float64{-5, 15}[x/3], []float64{-3 + 7./6, 0.5, 4 - 7./6}[x%3]
		if want := math.Log(f(mu, logTau) / f(-5, -3+7./6)); math.Abs(g-toy.G[0]-want) > 1e-13 {
			t.Errorf("state %d: g - g_0 = %v, want %v", x, g-toy.G[0], want)
		}
	}
	// The prior sums to one, so that g is the log of the joint probability of the state and density of the data.
	total, joint := 0.0, 0.0
	for x, v := range toy.LogPrior {
		total += math.Exp(v)
		joint = max(joint, math.Abs(v+toy.Model.LogLikelihood(1)[x]-toy.G[x]))
	}
	if math.Abs(total-1) > 1e-15 || joint > 1e-14 {
		t.Errorf("the prior sums to %v, and g is off by %v", total, joint)
	}
}

// TestSchoolsTempered: the likelihood with power b, by integrating each effect numerically.
func TestSchoolsTempered(t *testing.T) {
	m := &models.Schools{Y: []float64{3, -1}, Error: []float64{2, 0.7}, Mu: []float64{-1, 2}, LogTau: []float64{-1, 1}, MeanScale: 1, SpreadScale: 1}
	for _, b := range []float64{0, 0.3, 1} {
		got, path := m.LogLikelihood(b), make([]float64, 4)
		m.Tempered().LogL(path, chains.At(b))
		for x := range got {
			mu, tau, want := m.Mu[x/2], math.Exp(m.LogTau[x%2]), 0.0
			for i, y := range m.Y {
				s, sum, step := m.Error[i], 0.0, tau/200
				for k := -2400; k <= 2400; k++ { // twelve standard deviations on both sides
					theta := mu + float64(k)*step
					sum += math.Exp(-b*((y-theta)*(y-theta)/(2*s*s)+math.Log(2*math.Pi*s*s)/2) - (theta-mu)*(theta-mu)/(2*tau*tau))
				}
				want += math.Log(sum * step / math.Sqrt(2*math.Pi*tau*tau))
			}
			if math.Abs(got[x]-want) > 1e-12 || math.Abs(path[x]-want) > 1e-12 {
				t.Errorf("b %v, state %d: %v and %v, want %v", b, x, got[x], path[x], want)
			}
		}
	}
}
