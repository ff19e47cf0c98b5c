package models

import (
	"math"

	"breadboard/chains/number"
	"breadboard/chains/paths"
	"breadboard/grid"
)

// Schools is the model of several experiments that are alike, of which only means and standard
// errors are known: y_i ~ N(theta_i, s_i^2) with effects theta_i ~ N(mu, tau^2), which are
// integrated out, so that y_i ~ N(mu, s_i^2 + tau^2). The prior of mu is N(0, sd MeanScale) and
// that of tau half-Cauchy with scale SpreadScale; on the second axis, of log tau, its density has
// the factor tau. Axis 0 of the space is mu and axis 1 is log tau, each at the given points; the
// prior is its density there, normalised over the points.
//
// Source: Rubin 1981; Gelman, Carlin, Stern, Dunson, Vehtari and Rubin, Bayesian Data Analysis, 3rd
// edition, 2013, section 5.5.
type Schools struct {
	Y, Error               []float64 // the estimated effects y_i and their standard errors s_i
	Mu, LogTau             []float64 // the points of mu and of log tau
	MeanScale, SpreadScale float64   // the scales of the priors of mu and of tau
}

// Space implements Model.
func (m *Schools) Space() *grid.Lattice { return mustLattice([]int{len(m.Mu), len(m.LogTau)}) }

// Axes implements Named.
func (m *Schools) Axes() []Axis {
	return []Axis{{Name: "mu", Values: m.Mu}, {Name: "log_tau", Values: m.LogTau}}
}

// LogPrior implements Model.
func (m *Schools) LogPrior() []float64 {
	out := make([]float64, 0, len(m.Mu)*len(m.LogTau))
	for _, mu := range m.Mu {
		for _, l := range m.LogTau {
			scaled := math.Exp(l) / m.SpreadScale
			out = append(out, l-math.Log1p(scaled*scaled)-mu*mu/(2*m.MeanScale*m.MeanScale))
		}
	}
	total := number.LogSumExp(out)
	for x := range out {
		out[x] -= total
	}
	return out
}

// LogLikelihood implements Model. At b = 1 it is the sum of log N(y_i; mu, s_i^2 + tau^2).
func (m *Schools) LogLikelihood(b float64) []float64 {
	out := m.gaussian().logLikelihoodsOf(b, len(m.Mu)*len(m.LogTau), len(m.Y), m.writeFit)
	for x := range out {
		out[x] += b * m.constant()
	}
	return out
}

// Tempered implements paths.Temperable.
func (m *Schools) Tempered() paths.Likelihood {
	t := newTempered(m.gaussian(), len(m.Mu)*len(m.LogTau), len(m.Y), m.writeFit)
	t.shift += m.constant()
	return t
}

// gaussian returns what the likelihoods of all states share: the data divided by their standard
// errors, so that the noise is one.
func (m *Schools) gaussian() Gaussian {
	return Gaussian{Rows: len(m.Y), Columns: 1, Noise: 1, Signal: 1}
}

// constant returns what the division by the standard errors takes from the log likelihood.
func (m *Schools) constant() (sum float64) {
	for _, s := range m.Error {
		sum -= number.Log(s)
	}
	return sum
}

// writeFit writes the fit of a state. Each school is a component of its own, whose eigenvalue is
// tau^2/s_i^2.
func (m *Schools) writeFit(x int, f *Fit) {
	mu := m.Mu[x/len(m.LogTau)]
	tau := math.Exp(m.LogTau[x%len(m.LogTau)])
	for i, y := range m.Y {
		spread := tau / m.Error[i]
		away := (y - mu) / m.Error[i]
		f.Eigenvalues[i], f.Size[i] = spread*spread, away*away
	}
}

// EightSchools returns the model of eight schools that coach for a test, on a grid of cells: mu
// from -15 to 25 in the given number of rows and log tau from -3 to 4 in that of columns, each at
// the centres of its cells.
//
// Source: Rubin 1981, Table 1.
func EightSchools(rows, cols int) *Schools {
	return &Schools{
		Y: []float64{28, 8, -3, 7, -1, 1, 18, 12}, Error: []float64{15, 10, 16, 11, 9, 11, 10, 18},
		Mu: centres(-15, 25, rows), LogTau: centres(-3, 4, cols), MeanScale: 5, SpreadScale: 5,
	}
}

// centres returns the centres of n cells of the same size between two numbers.
func centres(low, high float64, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = low + (high-low)*(2*float64(i)+1)/(2*float64(n))
	}
	return out
}
