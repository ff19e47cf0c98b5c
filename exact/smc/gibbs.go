package smc

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains/particle"
)

// The limits of the rows of particle Gibbs.
const (
	maxGibbsPaths   = 1 << 10 // paths: the rows have the square of that many entries
	maxGibbsSystems = 1 << 10 // what the particles may be in together, at one time
	maxGibbsWork    = 1 << 34 // products, some ten seconds
)

// GibbsRows returns the transition matrix of particle Gibbs on the whole paths of a hidden Markov model: rows[x][y] is the
// probability that particle.Gibbs moves from path x to path y. It fails where particle.CheckGibbs does, and where there are
// too many paths, or too many ways in which the particles can stand.
//
// Whether the output has the path y is a question about one lineage: the slot that is drawn in the end has a parent, which
// has one, and so on. So it is enough to carry, for every two beginnings of x and y, the law of the last states of all
// particles together with the expected number of particles whose past is the beginning of y. Multinomial resampling asks only
// how many particles are in which state; the other schemes ask for the state of each slot. Time is O(n^(2 len(y)) C^2) for C
// such systems.
func GibbsRows(ctx context.Context, h *particle.HMM, particles int, scheme particle.Scheme, ancestors bool) ([][]float64, error) {
	if err := particle.CheckGibbs(particles, scheme, ancestors); err != nil {
		return nil, err
	}
	flow, err := particle.NewHidden(h, particle.Prior)
	if err != nil {
		return nil, err
	}
	paths := flow.Outputs()
	if paths > maxGibbsPaths {
		return nil, fmt.Errorf("%d whole paths; the rows of particle Gibbs are computed for at most %d: take fewer observations", paths, maxGibbsPaths)
	}
	if systems := gibbsSystems(len(h.Pi), particles, scheme); systems > maxGibbsSystems || float64(paths)*float64(paths)*systems*systems > maxGibbsWork {
		cure := "take fewer particles or observations"
		if (scheme != particle.Multinomial{}) {
			cure += ", or multinomial resampling, which only counts particles"
		}
		return nil, fmt.Errorf("%d particles with %v resampling are in %.4g ways together, for each of %d^2 pairs of paths, which takes too long; %s", particles, scheme, systems, paths, cure)
	}
	g := &gibbs{ctx: ctx, h: h, rows: make([][]float64, paths)}
	for x := range g.rows {
		g.rows[x] = make([]float64, paths)
	}
	if (scheme == particle.Multinomial{}) {
		g.lineages = newCounted(h, particles, ancestors)
	} else if g.lineages, err = newPlaced(ctx, h, particles, scheme); err != nil {
		return nil, err
	}
	for x := range h.Pi {
		for y := range h.Pi {
			if h.Pi[x]*h.E[x][h.Y[0]] > 0 {
				g.walk(1, x, y, g.start(x, y))
			}
		}
	}
	for x := range g.rows {
		if math.IsInf(flow.LogTarget(x), -1) {
			clear(g.rows[x])
			g.rows[x][x] = 1 // as Gibbs.Move has it
		}
	}
	return g.rows, ctx.Err()
}

// gibbsSystems returns in how many ways the particles can stand.
func gibbsSystems(n, particles int, scheme particle.Scheme) float64 {
	if (scheme == particle.Multinomial{}) {
		return 2 * binomial(float64(particles-1+n-1), n-1)
	}
	return math.Pow(float64(n), float64(particles-1)) * float64(particles*particles)
}

// binomial returns n over k.
func binomial(n float64, k int) float64 {
	b := 1.0
	for i := range k {
		b *= (n - float64(i)) / float64(i+1)
	}
	return b
}

// lineages carries the law of the particles with the expected number of those whose past is the beginning of a path y, as a
// vector over the ways in which they can stand. The conditioned path has the beginning of x.
type lineages interface {
	// start returns the vector at time 1, with the first states of x and y.
	start(x, y int) []float64
	// step takes a vector from time t, where the last states are x and y, to the next time, where they are nextX and nextY.
	step(t int, v []float64, x, y, nextX, nextY int) []float64
	// end returns the probability that the output has the past y, at the last time, where x and y have these last states.
	end(v []float64, x, y int) float64
}

// gibbs fills the rows.
type gibbs struct {
	ctx context.Context
	h   *particle.HMM
	lineages
	rows [][]float64
}

// walk goes on from the beginnings x and y of length t.
func (g *gibbs) walk(t, x, y int, v []float64) {
	n := len(g.h.Pi)
	if t == len(g.h.Y) {
		g.rows[x][y] = g.end(v, x%n, y%n)
		return
	}
	if g.ctx.Err() != nil {
		return
	}
	for nextX := range n {
		if g.h.A[x%n][nextX] == 0 || g.h.E[nextX][g.h.Y[t]] == 0 {
			continue
		}
		for nextY := range n {
			g.walk(t+1, x*n+nextX, y*n+nextY, g.step(t, v, x%n, y%n, nextX, nextY))
		}
	}
}
