package latent

import (
	"fmt"

	"breadboard/chains"
)

// exactDraw is the part of a model that holds an exact draw from its posterior. A model embeds it, and a fork makes itself the owner.
type exactDraw[S any] struct {
	start *S // nil until Start
	owner interface {
		Clone(s *S) *S
		Refresh(s *S)
	}
	model string // what the owner is, for messages
}

// Start makes s the state that Posterior returns copies of: an exact draw from the posterior, or a state that stands for one.
func (d *exactDraw[S]) Start(s *S) {
	d.start = d.owner.Clone(s)
	d.owner.Refresh(d.start)
}

// Started reports whether Start has been given a state.
func (d *exactDraw[S]) Started() bool { return d.start != nil }

// Posterior implements estimators.Model: a copy of the state that Start was given. It panics where there is none.
func (d *exactDraw[S]) Posterior(chains.RealChooser) *S {
	if d.start == nil {
		panic(fmt.Sprintf("latent: Posterior of %s without an exact draw; call Start with one first", d.model))
	}
	return d.owner.Clone(d.start)
}
