package placement

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/exact/stages"
)

// Ground is a path with the transitions of its annealings, on which distributions are placed. It keeps the lengths of the path that have
// been asked for, each of which takes a metric at hundreds of betas, so that families, limits and searches share them. Only one
// goroutine may use it.
type Ground struct {
	path    chains.Path
	moves   *chains.Transitions
	workers int                      // how many betas are looked at together
	lengths map[string]*stages.Curve // by the name of the metric
}

// NewGround returns the ground of a path with transitions. So many goroutines look at betas of a kernel of the library, the same answers
// for any number; zero is one. A kernel from elsewhere is asked for one beta after another.
func NewGround(path chains.Path, moves *chains.Transitions, workers int) *Ground {
	if k := moves.Kernel(); k == nil || !chains.OfLibrary(k) {
		workers = 1
	}
	return &Ground{path, moves, max(1, workers), map[string]*stages.Curve{}}
}

// metric is the squared speed of a path at a beta. A schedule of constant speed has db/du proportional to one over its square root.
type metric struct {
	name string
	at   func(ctx context.Context, path chains.Path, moves *chains.Transitions, beta float64) (float64, error)
}

// length returns the square root of a metric as a curve over beta, whose integral is the length of the path.
func (g *Ground) length(ctx context.Context, m metric) (*stages.Curve, error) {
	if c := g.lengths[m.name]; c != nil {
		return c, nil
	}
	c, err := stages.NewCurve(func(beta float64) (float64, error) {
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
		v, err := m.at(ctx, g.path, g.moves, beta)
		if err == nil && !(v >= 0) {
			err = fmt.Errorf("a variance at beta %v came out as %v", beta, v)
		}
		return math.Sqrt(v), err
	}, g.path.Kinks(), g.workers)
	if err != nil {
		return nil, err
	}
	if !(c.Total() > 0) {
		return nil, errFlat
	}
	g.lengths[m.name] = c
	return c, nil
}
