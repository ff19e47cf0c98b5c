package estimators

import (
	"context"
	"math"
)

// BIC is the Bayesian information criterion: the largest log likelihood that EM finds over the centres of a mixture of normals, whose
// other parameters are known, less half of the number of parameters times log N. It is no bound on log Z, of which it is the limit for
// many data up to a constant.
//
// Source: Grosse, Ghahramani and Adams 2015, section 6.1; Schwarz 1978.
type BIC struct {
	model    *Clusters
	patience Patience
}

// NewBIC returns the criterion for a mixture of normals.
func NewBIC(model *Clusters) (*BIC, error) {
	if err := model.Validate(); err != nil {
		return nil, err
	}
	return &BIC{model: model}, nil
}

// Patient returns the criterion whose ascents end by patience. The likelihood that EM has come to is then below its maximum.
func (b *BIC) Patient(p Patience) (*BIC, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	return &BIC{b.model, p}, nil
}

// Parameters returns the number of parameters that are fitted: K centres with D coordinates each.
func (b *BIC) Parameters() int { return len(b.model.Pi) * len(b.model.Y[0]) }

// Penalty returns what is subtracted from the largest log likelihood, in nats.
func (b *BIC) Penalty() float64 { return penalty(b.Parameters(), len(b.model.Y)) }

// penalty returns half of a number of parameters times log N.
func penalty(parameters, n int) float64 { return float64(parameters) / 2 * math.Log(float64(n)) }

// Sides implements Climber.
func (b *BIC) Sides() []int { return b.model.sides() }

// Climb implements Climber. It starts with the mean of each cluster; a cluster without data starts at zero, the mean of the prior. As the
// likelihood has saddles, an ascent may end at one, where it starts at one as far as rounding can tell.
func (b *BIC) Climb(ctx context.Context, start []int) (Ascent, error) {
	cost := func(*centres) float64 { return b.Penalty() }
	return b.model.climb(ctx, b.model.hard(start), b.model.centresAtZero(), climbing{b.place, cost, b.patience})
}

// Work implements Climber: a sweep is counted as N(K - 1) evaluations, as that of variational Bayes is.
func (b *BIC) Work(sweeps float64) Work { return b.model.work(sweeps) }

// Operations implements Climber.
func (b *BIC) Operations() float64 { return b.model.operations() }

// place sets the centres to their best values given the memberships: the weighted means. A cluster without weight stays where it is.
func (b *BIC) place(q memberships, c *centres) {
	sum := make([]float64, len(b.model.Y[0]))
	for k, mean := range c.means {
		weight := b.model.gather(q, k, sum)
		if !(weight > 0) {
			continue
		}
		for j, s := range sum {
			mean[j] = s / weight
		}
	}
}
