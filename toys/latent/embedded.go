package latent

import (
	"fmt"

	"breadboard/chains"
)

// exactDraw is what all models share: their data and an exact draw from their posterior. A model
// embeds it, and a fork makes itself the owner.
type exactDraw[S any] struct {
	y     [][]float64
	start *S // nil until Start
	owner interface {
		Clone(s *S) *S
		Refresh(s *S)
		LogLikelihood(at chains.Place, s *S) float64
	}
	model string // what the owner is, for messages
}

// Rows returns the data. The caller must not change them.
func (d *exactDraw[S]) Rows() [][]float64 { return d.y }

// Start sets the state that Posterior returns copies of: an exact draw from the posterior, or a
// state used in its place.
func (d *exactDraw[S]) Start(s *S) {
	d.start = d.owner.Clone(s)
	d.owner.Refresh(d.start)
}

// Posterior implements estimators.Model: a copy of the state that Start was given. It panics if
// there is none.
func (d *exactDraw[S]) Posterior(chains.RealChooser) *S {
	if d.start == nil {
		panic(fmt.Sprintf("latent: Posterior of %s without an exact draw; call Start with one first", d.model))
	}
	return d.owner.Clone(d.start)
}

// LogStep implements estimators.Model, where the path raises the likelihood to the power b.
func (d *exactDraw[S]) LogStep(from, to chains.Place, s *S) float64 {
	return from.StepTo(to) * d.owner.LogLikelihood(chains.At(1), s)
}

// inParts is what models share whose scan is a few parts, each of which is its own time reversal.
type inParts[S any] struct {
	exactDraw[S]
	scan interface {
		parts() int
		part(c chains.RealChooser, b float64, i int, s *S) // makes part i under the likelihood to the power b
	}
}

// Scan makes all parts of a move in turn. It leaves the prior times the likelihood to the power b
// invariant.
func (m *inParts[S]) Scan(c chains.RealChooser, b float64, s *S) {
	for i := range m.scan.parts() {
		m.scan.part(c, b, i, s)
	}
}

// ScanBack is the time reversal of Scan: it makes the parts in reverse order.
func (m *inParts[S]) ScanBack(c chains.RealChooser, b float64, s *S) {
	for i := m.scan.parts() - 1; i >= 0; i-- {
		m.scan.part(c, b, i, s)
	}
}

// Move implements estimators.Model.
func (m *inParts[S]) Move(c chains.RealChooser, at chains.Place, s *S) *S {
	m.Scan(c, at.Beta, s)
	return s
}

// Back implements estimators.Model.
func (m *inParts[S]) Back(c chains.RealChooser, at chains.Place, s *S) *S {
	m.ScanBack(c, at.Beta, s)
	return s
}

// mustBeValid panics with an error, if there is one.
func mustBeValid(err error) {
	if err != nil {
		panic("latent: " + err.Error())
	}
}
