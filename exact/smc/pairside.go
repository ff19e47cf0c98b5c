package smc

import (
	"context"

	"breadboard/chains"
	"breadboard/chains/particle"
)

// NewPairs returns the Side of sequential Monte Carlo on an annealing with two particles that are resampled at every stage.
// Traces take one propagation of the law of pairs for each point of the transform, some hundred to some thousand, whatever
// the numbers of traces. Zero workers stand for one for each processor.
func NewPairs(ctx context.Context, a *chains.Annealing, scheme particle.Scheme, workers int) (*Transformed, error) {
	of := func(ctx context.Context, powers []complex128) ([][]complex128, error) {
		return pairTransform(ctx, a, scheme, powers, workers)
	}
	// A stage multiplies by the weights, and by the rows of the kernel from both sides. No term is larger than at the real power.
	rounding := float64(64+2*a.States()) * float64(a.Distributions()) * 0x1p-53
	return newPowers(ctx, a, of, rounding, workers)
}
