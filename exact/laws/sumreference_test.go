package laws

import (
	"context"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/grid/longtest"
	"breadboard/toys"
)

// sumTarget returns the target of a toy with a kernel: from its prior if it has one, and else from
// the uniform distribution.
func sumTarget(toy, kernel string) (*Target, *chains.Annealing) {
	y := longtest.Sure(toys.Parse(toy))
	k := longtest.Sure(kernels.Parse(kernel, y.Space))
	path := longtest.Sure(paths.NewGeometric(y.LogPrior, y.G))
	a := longtest.Sure(chains.NewAnnealing(path, schedules.Linear{}, k, 2))
	return NewTarget(a), a
}

// newSum returns the distribution of an estimator by its name in the tests.
func newSum(ctx context.Context, t *Target, kind string, star, k int) (*Sum, error) {
	switch kind {
	case "weighting":
		return NewWeighting(t, k)
	case "harmonic":
		return NewHarmonic(t, k)
	case "harmonic-chain":
		return NewHarmonicChain(ctx, t, k, 1)
	case "harmonic-prior":
		return NewHarmonicPriorChain(ctx, t, k, 1)
	case "chib":
		return NewChib(ctx, t, star, k, 1)
	case "chib-chain":
		return NewChibChain(ctx, t, star, k, 1)
	case "cms-first":
		return NewCMS(ctx, t, star, k, estimators.StartFirst, 1)
	}
	return NewCMS(ctx, t, star, k, estimators.StartUniform, 1)
}
