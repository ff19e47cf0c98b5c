package estimators

import (
	"context"
	"slices"

	"breadboard/chains"
)

// particles are the K states of nested sampling, with the level of each.
type particles[C chains.Chooser, S any] struct {
	model     Constrained[C, S]
	at        []S
	logs      []float64 // the level's log likelihood of each particle
	survivors []S
}

// draw draws k particles from the prior, in place of those that are there.
func (p *particles[C, S]) draw(c C, k int) {
	if len(p.at) != k {
		p.at, p.logs = make([]S, k), make([]float64, k)
	}
	for i := range p.at {
		p.put(i, p.model.Prior(c))
	}
}

// put makes x the state of particle i.
func (p *particles[C, S]) put(i int, x S) { p.at[i], p.logs[i] = x, p.model.Level(x) }

// floor returns the level of the least likely particles, which are to die.
func (p *particles[C, S]) floor() float64 { return slices.Min(p.logs) }

// tied reports whether all particles are at one level.
func (p *particles[C, S]) tied() bool { return slices.Max(p.logs) == slices.Min(p.logs) }

// dead returns the number of particles at a floor.
func (p *particles[C, S]) dead(floor float64) int {
	n := 0
	for _, l := range p.logs {
		if l == floor {
			n++
		}
	}
	return n
}

// copySurvivors replaces each particle at a floor by a copy of one above it, which is drawn uniformly and makes so many moves that leave
// the prior above the floor invariant. There must be one above it. It returns the number of moves, and the cause of a context that
// ends between them.
func (p *particles[C, S]) copySurvivors(ctx context.Context, c C, floor float64, moves int) (made int, err error) {
	p.survivors = p.survivors[:0]
	for i, l := range p.logs {
		if l > floor {
			p.survivors = append(p.survivors, p.at[i])
		}
	}
	for i, l := range p.logs {
		if l > floor {
			continue
		}
		x := p.model.Clone(p.survivors[c.Uniform(len(p.survivors))])
		for range moves {
			if ctx.Err() != nil {
				return made, context.Cause(ctx)
			}
			x = p.model.Within(c, floor, x)
			made++
		}
		p.put(i, x)
	}
	return made, nil
}
