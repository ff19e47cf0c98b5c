package kernel

import (
	"context"

	"breadboard/exact/internal/linear"
)

// direct is how the linear systems of a form are solved by elimination, where its states can be put into an order in which
// moves are short, as on a line, a ring or a plane. It is there for chains on which Lanczos would take too many steps,
// which are those of many states in few dimensions.
type direct struct {
	known bool
	graph linear.Graph
	order []int32
	width int
	below *linear.Factor // of I - S; nil where the states have no such order
	work  float64        // about the number of entries that one solution goes through
}

// factor finds the order, and factors I - S where that fits.
func (f *form) factor(ctx context.Context) (err error) {
	d := &f.direct
	if d.known {
		return nil
	}
	d.known, d.graph = true, linear.Graph{Start: f.start, To: f.to}
	d.order, d.width = linear.Order(d.graph)
	if len(d.order) < f.n() || !linear.Fits(f.n(), d.width) {
		return nil
	}
	d.work = float64(2 * f.n() * (d.width + 8))
	d.below, err = linear.NewBanded(d.graph, f.s, f.psi, nil, d.order, d.width, ctx.Err)
	return err
}

// solveBelow writes the solution of (I - S) h = c on the space orthogonal to sqrt(p) to dst.
func (f *form) solveBelow(dst, c []float64) {
	f.direct.below.Solve(dst, c)
	f.space().Project(dst)
}

// solverAbove returns what solves the systems of I + S by elimination, nil where that does not fit, or where some odd
// number of moves between different states leads back to where it began. Where none does, the states have two colours, and
// with the signs of all states of one colour turned, I + S is the matrix of a chain that is killed at the rate 2 T(x,x).
func (f *form) solverAbove(ctx context.Context) (linear.Operator, error) {
	d := f.direct
	if d.below == nil {
		return nil, nil
	}
	colours, two := linear.Colours(d.graph)
	if !two {
		return nil, nil
	}
	killing := make([]float64, f.n())
	for x, p := range f.stay {
		killing[x] = 2 * p
	}
	factor, err := linear.NewBanded(d.graph, f.s, f.psi, killing, d.order, d.width, ctx.Err)
	if err != nil || factor == nil {
		return nil, err
	}
	turned := make([]float64, f.n())
	return watched(ctx, func(dst, c []float64) {
		for x, v := range c {
			turned[x] = v * colours[x]
		}
		factor.Solve(dst, turned)
		for x := range dst {
			dst[x] *= colours[x]
		}
		f.space().Project(dst)
	}), nil
}
