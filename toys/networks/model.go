package networks

import (
	"math"
	"slices"

	"breadboard/grid"
	"breadboard/toys/models"
)

// Model is a Bayesian network with evidence as a model of data: the evidence is the data, and the free variables are latent.
//
// Its prior is the law of the free variables in the mutilated network: the product of their own tables, in which observed parents have the
// values that were seen. It is the law from which likelihood weighting draws (Fung and Chang 1990; Shachter and Peot 1990). The likelihood is
// the product of the tables of the observed variables. Of hidden variables, prior and joint law are summed over them, and the likelihood is
// the ratio of the two sums.
type Model struct {
	space             *grid.Lattice
	axes              []models.Axis
	prior, likelihood []float64
}

var _ models.Named = (*Model)(nil)

// model makes the model of a query about a Bayesian network.
func (q *Query) model(t *Target, free []int) (*Model, error) {
	m := &Model{space: t.Space, axes: t.Axes}
	var own, seen []Factor
	for v, f := range q.Clamped() {
		if q.Evidence[v] == Unseen {
			own = append(own, f)
		} else {
			seen = append(seen, f)
		}
	}
	var err error
	if m.prior, err = q.summed(free, own); err != nil {
		return nil, err
	}
	switch {
	case seen == nil:
		m.likelihood = make([]float64, len(m.prior))
	case !slices.Contains(q.Hidden, true):
		m.likelihood = logProducts(seen, free, q.Cards())
	default:
		if m.likelihood, err = q.summed(free, append(own, seen...)); err != nil {
			return nil, err
		}
		for x, prior := range m.prior {
			if math.IsInf(prior, -1) {
				m.likelihood[x] = 0 // the state is impossible, and no data have a likelihood there
			} else {
				m.likelihood[x] -= prior
			}
		}
	}
	return m, nil
}

// possible reports whether the data have a positive probability.
func (m *Model) possible() bool {
	for x, prior := range m.prior {
		if !math.IsInf(prior, -1) && !math.IsInf(m.likelihood[x], -1) {
			return true
		}
	}
	return false
}

// Space implements models.Model.
func (m *Model) Space() *grid.Lattice { return m.space }

// Axes implements models.Named.
func (m *Model) Axes() []models.Axis { return m.axes }

// LogPrior implements models.Model.
func (m *Model) LogPrior() []float64 { return slices.Clone(m.prior) }

// LogLikelihood implements models.Model. As no variable is continuous, the power b is that of the likelihood.
func (m *Model) LogLikelihood(b float64) []float64 {
	out := make([]float64, len(m.likelihood))
	if b == 0 {
		return out
	}
	for x, v := range m.likelihood {
		out[x] = b * v
	}
	return out
}
