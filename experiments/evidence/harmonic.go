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
		Syntax: "hme[:chain|prior]", Source: paper + ", section 3.2; Newton and Raftery 1994", Example: "hme",
		Doc: "harmonic mean of K likelihoods, at exact draws, along a chain from one, or along one from the prior, which bounds nothing",
		Parse: func(args selector.Args, _ selector.Nothing) (Choice, error) {
			if args.Given && args.Text == "prior" {
				return harmonicFromPrior(), nil
			}
			chain, err := hasWord(args, "chain", "way to draw states", " for independent exact draws; prior is a chain from a draw from the prior")
			if err != nil {
				return Choice{}, err
			}
			if chain {
				return Choice{"hme:chain", "HME (chain)", family{
					smallest: 1, letter: "K", settings: draws, pace: paceChain,
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

// harmonicFromPrior returns the harmonic mean of somebody who has no exact draw.
func harmonicFromPrior() Choice {
	return Choice{"hme:prior", "HME (prior)", family{
		smallest: 1, letter: "K", settings: draws, biased: true,
		make: func(_ context.Context, _ *target, m finite, k int) (estimators.Estimator[chains.Chooser], error) {
			return estimators.NewHarmonicPriorChain(m, k)
		},
		law: func(ctx context.Context, t *target, k, workers int) (laws.Law, error) {
			return laws.NewHarmonicPriorChain(ctx, t.Target, k, workers)
		},
	}}
}
