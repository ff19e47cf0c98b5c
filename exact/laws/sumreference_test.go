package laws_test

import (
	"context"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact/laws"
	"breadboard/grid/longtest"
	"breadboard/toys/forms"
)

// sumTarget returns the target of a toy with a kernel: from its prior if it has one, and else from
// the uniform distribution.
func sumTarget(toy, kernel string) (*laws.Target, *chains.Annealing) {
	y := longtest.Sure(forms.Targets().Parse(toy))
	k := longtest.Sure(kernels.Parse(kernel, y.Space))
	path := longtest.Sure(paths.NewGeometric(y.LogPrior, y.G))
	a := longtest.Sure(chains.NewAnnealing(path, schedules.Linear{}, k, 2))
	return laws.NewTarget(a), a
}

// newSum returns the distribution of an estimator by its name in the tests.
func newSum(ctx context.Context, t *laws.Target, kind string, star, k int) (*laws.Sum, error) {
	switch kind {
	case "weighting":
		return laws.NewWeighting(t, k)
	case "harmonic":
		return laws.NewHarmonic(t, k)
	case "harmonic-chain":
		return laws.NewHarmonicChain(ctx, t, k, 1)
	case "harmonic-prior":
		return laws.NewHarmonicPriorChain(ctx, t, k, 1)
	case "chib":
		return laws.NewChib(ctx, t, star, k, 1)
	case "chib-chain":
		return laws.NewChibChain(ctx, t, star, k, 1)
	case "cms-first":
		return laws.NewCMS(ctx, t, star, k, estimators.StartFirst, 1)
	}
	return laws.NewCMS(ctx, t, star, k, estimators.StartUniform, 1)
}
