package experiments

import (
	"context"

	"breadboard/experiments/external"
)

// programs is the key of the programs in a context.
type programs struct{}

// WithPrograms returns a context in which kernels in other programs can be had by whoever names no Programs of its own: they are started, and
// held by these. So every study whose cases are described by parameters alone takes such kernels, and none has to know of them.
func WithPrograms(ctx context.Context, held *external.Programs) context.Context {
	return context.WithValue(ctx, programs{}, held)
}

// programsOf returns the programs of a context, and nil where it has none.
func programsOf(ctx context.Context) *external.Programs {
	held, _ := ctx.Value(programs{}).(*external.Programs)
	return held
}
