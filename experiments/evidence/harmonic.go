package evidence

import (
	"context"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/chains/selector"
	"breadboard/exact/laws"
)

// chainOnly reads the arguments of a form that may have the word "chain" and no other.
func chainOnly(args selector.Args) (bool, error) {
	return hasWord(args, "chain", "way to draw states", " for independent exact draws")
}

func harmonicForm() form {
	return form{
		Syntax: "hme[:chain]", Source: paper + ", section 3.2; Newton and Raftery 1994", Example: "hme",
		Doc: "harmonic mean of K likelihoods, at exact draws or along a chain from one",
		Parse: func(args selector.Args, _ selector.Nothing) (Choice, error) {
			chain, err := chainOnly(args)
			if err != nil {
				return Choice{}, err
			}
			if chain {
				return Choice{"hme:chain", "HME (chain)", family{
					smallest: 1, letter: "K", settings: draws,
					make: func(_ context.Context, _ *target, m finite, k int) (estimators.Estimator[chains.Chooser], error) {
						return estimators.NewHarmonicChain(m, k)
					},
					law: func(ctx context.Context, t *target, k, workers int) (laws.Law, error) {
						return laws.NewHarmonicChain(ctx, t.Target, k, workers)
					},
				}}, nil
			}
			return Choice{"hme", "HME", family{
				smallest: 1, letter: "K", settings: draws, pooled: true,
				make: func(_ context.Context, _ *target, m finite, k int) (estimators.Estimator[chains.Chooser], error) {
					return estimators.NewHarmonicMean(m, k)
				},
				law: func(_ context.Context, t *target, k, _ int) (laws.Law, error) { return laws.NewHarmonic(t.Target, k) },
			}}, nil
		},
	}
}
