package smc

import (
	"context"
	"fmt"

	"breadboard/chains/estimators"
	"breadboard/grid"
)

// MeanField is a product of one distribution for each axis of a lattice: a variational approximation of a target over the
// lattice. As its density is known it has no trace.
type MeanField struct {
	LogQ    []float64   // log q of each state, in nats
	Factors [][]float64 // the distribution of each coordinate, by axis
	ELBO    float64     // E_q[log f - log q] <= log of the sum of f, in nats
	Sweeps  int         // how often coordinate ascent went over all axes
}

// FitMeanField fits a product to the target f on a lattice by coordinate ascent: from the uniform distribution, each factor in
// turn, axes in order, is set to its best value given the others, proportional to exp(E[log f | coordinate]), until no
// factor changes by more than rounding (see estimators.MeanField). The fit is a stationary point of the ELBO: a maximum, unless the target
// treats the values of an axis alike, so that the uniform distribution is a saddle. It fails where the target is zero somewhere on every line of
// a coordinate, so that no factor has a positive value, and where the ascent has not come to an end.
//
// Source: Bishop 2006, section 10.1.1.
func FitMeanField(ctx context.Context, space *grid.Lattice, logf []float64) (*MeanField, error) {
	m, err := estimators.NewMeanField(space, logf, estimators.OneNaming)
	if err != nil {
		return nil, err
	}
	uniform := make([][]float64, space.Dims())
	for k := range uniform {
		uniform[k] = make([]float64, space.Side(k))
		for i := range uniform[k] {
			uniform[k][i] = 1 / float64(space.Side(k))
		}
	}
	p, err := m.Fit(ctx, uniform)
	switch {
	case err != nil:
		return nil, err
	case p.Stuck >= 0:
		return nil, fmt.Errorf("a product of distributions of the coordinates cannot avoid the zeros of the target: every value of axis %d meets one", p.Stuck)
	}
	return &MeanField{LogQ: p.LogQ, Factors: p.Factors, ELBO: p.ELBO, Sweeps: p.Sweeps}, nil
}
