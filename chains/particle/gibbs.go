package particle

import (
	"errors"
	"fmt"
	"math"

	"breadboard/chains"
)

// Gibbs is particle Gibbs: a kernel on the whole paths of a hidden Markov model that leaves their
// distribution given the observations invariant. A move runs conditional SMC around the path, with
// the prior proposal and resampling at every stage, and goes to the path of one particle, drawn by
// the last weights. Ancestor sampling draws the parent of the path anew at every resampling:
// particle i in proportion to its weight times the probability of a move from its state to the next
// state of the path. So the beginning of the path changes even if no other particle has survived
// from there.
//
// Source: Andrieu, Doucet and Holenstein 2010, section 2.4.3; Lindsten, Jordan and Schön 2014,
// Algorithm 2.
type Gibbs struct {
	smc       *SMC
	flow      *Hidden
	ancestors bool
}

// NewGibbs returns particle Gibbs with P particles, one of which is the path. It fails if P is less
// than two, since one particle never leaves its path. Ancestor sampling requires multinomial
// resampling: under the other schemes the parent of the path is not independent of the other
// parents, and drawing it as if it were leaves another distribution invariant.
func NewGibbs(h *HMM, particles int, scheme Scheme, ancestors bool) (*Gibbs, error) {
	if err := CheckGibbs(particles, scheme, ancestors); err != nil {
		return nil, err
	}
	flow, err := NewHidden(h, Prior)
	if err != nil {
		return nil, err
	}
	smc, err := NewSMC(flow, particles, scheme, 1)
	return &Gibbs{smc, flow, ancestors}, err
}

// CheckGibbs returns an error if particle Gibbs does not allow the number of particles or the
// scheme.
func CheckGibbs(particles int, scheme Scheme, ancestors bool) error {
	switch {
	case particles < 2:
		return fmt.Errorf(
			"%d particles; particle Gibbs takes at least 2, one of which is the path", particles)
	case ancestors && scheme != Multinomial{}:
		return errors.New("ancestor sampling with " + scheme.String() +
			" resampling; take multinomial, under which the parent of the path is independent of the other parents")
	}
	return nil
}

// States returns the number of whole paths. They are numbered as those of Hidden.
func (g *Gibbs) States() int { return g.flow.Outputs() }

// Move implements chains.Kernel. It ignores logf and leaves the distribution of the model
// invariant. A path of probability zero stays.
func (g *Gibbs) Move(c chains.Chooser, _ []float64, x int) int {
	if math.IsInf(g.flow.LogTarget(x), -1) {
		return x
	}
	s := g.smc
	h := g.flow.h
	s.prepareRun()
	slot := c.Uniform(s.particles)
	for i := range s.states {
		if i != slot {
			s.states[i] = g.flow.Start(c)
		}
	}
	s.states[slot] = h.Step(x, 1)
	for t := 1; t <= g.flow.Stages(); t++ {
		s.multiplyWeights(t)
		s.foldWeights()
		next := h.Step(x, t+1)
		from := slot
		slot = s.scheme.Keep(c, s.w, from, s.parents)
		if g.ancestors {
			s.parents[slot] = g.ancestor(c, next)
		}
		s.inherit()
		for i, y := range s.states {
			if i != slot {
				s.states[i] = g.flow.Move(c, t, y)
			}
		}
		s.states[slot] = s.states[slot]*len(h.Pi) + next
	}
	s.multiplyWeights(g.flow.Stages() + 1)
	s.foldWeights()
	return s.states[c.Choose(s.w)]
}

// ancestor draws the parent of the path, whose next hidden state is next.
func (g *Gibbs) ancestor(c chains.Chooser, next int) int {
	p := make([]float64, len(g.smc.w))
	for i, w := range g.smc.w {
		p[i] = w * g.flow.h.A[g.smc.states[i]%len(g.flow.h.Pi)][next]
	}
	scale(p)
	return c.Choose(p)
}
