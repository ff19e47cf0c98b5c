package exact

import (
	"context"

	"breadboard/chains"
)

// WithReversalIn is WithReversal with another limit on its memory, in bytes.
func WithReversalIn(ctx context.Context, a *chains.Annealing, limit float64) (*chains.Annealing, error) {
	return withReversal(ctx, a, limit)
}
