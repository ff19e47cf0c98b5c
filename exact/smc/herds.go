package smc

import (
	"context"
	"errors"
	"math"

	"breadboard/chains"
	"breadboard/exact/program"
)

// mostHerds bounds the number of joint states of the particles at a time, of some 300 bytes each,
// and mostSteps the number of runs of steps, some five seconds.
const (
	mostHerds = 1 << 18
	mostSteps = 1 << 23
)

// errTooMany is the error of an enumeration with too many joint states of the particles, or too
// many steps.
var errTooMany = errors.New("there are too many ways to enumerate")

// enumerateParticles propagates a process of particles whose increments are those of log Zhat. Its
// error is errTooMany if that takes too much.
func enumerateParticles[S comparable](ctx context.Context,
	p chains.Ender[S]) (*program.Propagated[S, tally], error) {
	ends, err := program.Propagate(
		ctx,
		&bounded[S]{Ender: p},
		tally{program.NewMoments(), program.NewTilted(1), program.NewTilted(2)},
		program.Options{Cut: math.SmallestNonzeroFloat64, Branches: mostHerds},
	)
	var large *program.Error
	if errors.As(err, &large) &&
		(large.Kind == program.TooManyBranches || large.Kind == program.TooManyOutcomes) {
		return nil, errTooMany
	}
	return ends, err
}

// bounded is the process that panics with errTooMany if it would take too long.
type bounded[S comparable] struct {
	chains.Ender[S]
	taken int
}

// Step implements chains.Process.
func (b *bounded[S]) Step(c chains.Chooser, t int, s S) (S, float64) {
	b.taken++
	if b.taken > mostSteps {
		panic(errTooMany)
	}
	return b.Ender.Step(c, t, s)
}

// tally is the carrier: the moments of log Zhat, and E[Zhat] and E[Zhat^2].
type tally struct {
	log      program.Moments
	one, two program.Tilted
}

// Along implements program.Carrier.
func (c tally) Along(p, increment float64) tally {
	return tally{c.log.Along(p, increment), c.one.Along(p, increment), c.two.Along(p, increment)}
}

// Plus implements program.Carrier.
func (c tally) Plus(other tally) tally {
	return tally{c.log.Plus(other.log), c.one.Plus(other.one), c.two.Plus(other.two)}
}
