package models

import (
	"math"
	"slices"

	"breadboard/chains/number"
	"breadboard/chains/paths"
	"breadboard/grid"
)

// Whole is a Model that can be collapsed: it knows its likelihood as a function of the power.
type Whole interface {
	Model
	paths.Temperable
}

// Collapsed is a model of which only some of the latent variables are kept. The others are summed
// out of the prior and of the likelihood, by enumeration of the whole model, so that Z stays the
// same. The variables that are kept have the same posterior as in the whole model.
//
// A sampler of the collapsed model gives no values to the other variables. Drawing them from their
// conditional distribution does not change J: the conditional p(v|u) is a factor
// of both q(u) p(v|u) and p(u) p(v|u), and cancels in the logarithm of their ratio.
type Collapsed struct {
	whole Whole
	keep  []int // the axes of the whole model that are kept, in increasing order
	space *grid.Lattice
	at    []int   // the state of the collapsed model for each state of the whole one
	rest  [][]int // the states of the whole model for each state of the collapsed one
}

// NewCollapsed returns the model with the other axes than the given ones summed out. The axes are
// in increasing order.
func NewCollapsed(whole Whole, keep ...int) *Collapsed {
	all := whole.Space()
	sides := make([]int, len(keep))
	for i, axis := range keep {
		sides[i] = all.Side(axis)
	}
	c := &Collapsed{
		whole: whole,
		keep:  slices.Clone(keep),
		space: mustLattice(sides),
		at:    make([]int, all.States()),
	}
	c.rest = make([][]int, c.space.States())
	for x := range c.at {
		for i, axis := range keep {
			c.at[x] += all.Coord(x, axis) * c.space.Stride(i)
		}
		c.rest[c.at[x]] = append(c.rest[c.at[x]], x)
	}
	return c
}

// Space implements Model.
func (m *Collapsed) Space() *grid.Lattice { return m.space }

// Axes implements Named.
func (m *Collapsed) Axes() []Axis {
	all := AxesOf(m.whole, m.whole.Space())
	axes := make([]Axis, len(m.keep))
	for i, axis := range m.keep {
		axes[i] = all[axis]
	}
	return axes
}

// LogPrior implements Model.
func (m *Collapsed) LogPrior() []float64 {
	whole := m.whole.LogPrior()
	out := make([]float64, len(m.rest))
	var terms []float64
	for u, states := range m.rest {
		terms = terms[:0]
		for _, x := range states {
			terms = append(terms, whole[x])
		}
		out[u] = number.LogSumExp(terms)
	}
	return out
}

// LogLikelihood implements Model. Each datum's density is raised to the power b before the other
// variables are summed out. For a state with prior probability zero it is 0.
func (m *Collapsed) LogLikelihood(b float64) []float64 {
	out := make([]float64, len(m.rest))
	l := m.likelihood()
	l.eachState(out, l.prior, m.whole.LogLikelihood(b), logMeanExp)
	return out
}

// Tempered implements paths.Temperable. Each evaluation takes the time of one or two of the whole
// model.
func (m *Collapsed) Tempered() paths.Likelihood {
	l := m.likelihood()
	l.whole = m.whole.Tempered()
	return l
}

// likelihood returns the likelihood, without that of the whole model.
func (m *Collapsed) likelihood() *summed {
	l := &summed{prior: m.whole.LogPrior(), rest: m.rest}
	for u, p := range m.LogPrior() {
		for _, x := range m.rest[u] {
			if !math.IsInf(p, -1) {
				l.prior[x] -= p
			}
		}
	}
	return l
}

func axesFrom(first, n int) []int {
	axes := make([]int, n)
	for i := range axes {
		axes[i] = first + i
	}
	return axes
}
