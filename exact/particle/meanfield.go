package particle

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"breadboard/chains"
	"breadboard/exact/internal/number"
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

// maxSweeps bounds the sweeps of FitMeanField.
const maxSweeps = 100_000

// FitMeanField fits a product to the target f on a lattice by coordinate ascent: from the uniform distribution, each factor in
// turn, axes in order, is set to its best value given the others, proportional to exp(E[log f | coordinate]), until no
// factor changes by more than rounding. The fit is a local maximum of the ELBO. It fails where the target is zero somewhere on every line of
// a coordinate, so that no factor has a positive value, and where the ascent has not come to an end.
//
// Source: Bishop 2006, section 10.1.1.
func FitMeanField(ctx context.Context, space *grid.Lattice, logf []float64) (*MeanField, error) {
	if len(logf) != space.States() {
		return nil, fmt.Errorf("%d values of log f for %d states", len(logf), space.States())
	}
	m := &MeanField{Factors: make([][]float64, space.Dims())}
	for k := range m.Factors {
		m.Factors[k] = make([]float64, space.Side(k))
		for i := range m.Factors[k] {
			m.Factors[k][i] = 1 / float64(space.Side(k))
		}
	}
	low, high := number.Bounds(logf)
	relative := make([]float64, len(logf)) // to the largest, so that a constant costs no digits
	for x, l := range logf {
		relative[x] = l - high
	}
	rounding := 4 * 0x1p-52 * (1 + high - low)
	for m.Sweeps < maxSweeps {
		m.Sweeps++
		moved := 0.0
		for k := range m.Factors {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			change, err := m.improve(space, relative, k)
			if err != nil {
				return nil, err
			}
			moved = max(moved, change)
		}
		if moved <= rounding {
			m.finish(space, logf)
			return m, nil
		}
	}
	return nil, fmt.Errorf("coordinate ascent has not come to an end after %d sweeps", maxSweeps)
}

// improve sets the factor of axis k to its best value, and returns by how much a probability has changed at most.
func (m *MeanField) improve(space *grid.Lattice, logf []float64, k int) (float64, error) {
	best := make([]float64, space.Side(k))
	for x, l := range logf {
		others := 1.0
		for j, f := range m.Factors {
			if j != k {
				others *= f[space.Coord(x, j)]
			}
		}
		if others > 0 {
			best[space.Coord(x, k)] += others * l
		}
	}
	if math.IsInf(floats.Max(best), -1) {
		return 0, fmt.Errorf("a product of distributions of the coordinates cannot avoid the zeros of the target: every value of axis %d meets one", k)
	}
	chains.Normalize(best)
	moved := 0.0
	for i, p := range best {
		moved = max(moved, math.Abs(p-m.Factors[k][i]))
	}
	m.Factors[k] = best
	return moved, nil
}

// finish computes the density and the ELBO from the factors.
func (m *MeanField) finish(space *grid.Lattice, logf []float64) {
	m.LogQ = make([]float64, len(logf))
	var terms []float64
	for x, l := range logf {
		q := 1.0
		for k, f := range m.Factors {
			p := f[space.Coord(x, k)]
			q *= p
			m.LogQ[x] += math.Log(p)
		}
		if q > 0 {
			terms = append(terms, q*(l-m.LogQ[x]))
		}
	}
	m.ELBO = floats.SumCompensated(terms)
}
