package evidence

import (
	"context"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/chains/selector"
	"breadboard/exact/laws"
)

func chibForm() form {
	return form{
		Syntax: "chib[:chain]", Source: paper + ", section 5.2; Chib 1995", Example: "chib",
		Doc: "Chib's estimator from K exact draws, or from a chain that starts at a draw from the prior",
		Parse: func(args selector.Args, _ selector.Nothing) (Choice, error) {
			chain, err := chainOnly(args)
			if err != nil {
				return Choice{}, err
			}
			c := Choice{"chib", "Chib", family{
				fits:     singleStates("chib"),
				smallest: 1, letter: "K", settings: draws, pooled: !chain,
				make: func(_ context.Context, _ *target, m finite, k int) (estimators.Estimator[chains.Chooser], error) {
					star := m.Likeliest()
					return estimators.NewChib(m, star, m.LogPosterior(star), k)
				},
				law: func(ctx context.Context, t *target, k, workers int) (laws.Law, error) {
					return laws.NewChib(ctx, t.Target, t.star, k, workers)
				},
			}}
			if chain {
				c.Name, c.Legend, c.pace, c.biased = "chib:chain", "Chib (chain)", paceChain, true // its chain begins at the prior
				c.make = func(_ context.Context, _ *target, m finite, k int) (estimators.Estimator[chains.Chooser], error) {
					star := m.Likeliest()
					return estimators.NewChibChain(m, star, m.LogPosterior(star), k)
				}
				c.law = func(ctx context.Context, t *target, k, workers int) (laws.Law, error) {
					return laws.NewChibChain(ctx, t.Target, t.star, k, workers)
				}
			}
			return c, nil
		},
	}
}

func murraySalakhutdinovForm() form {
	return form{
		Syntax: "cms[:first|uniform]", Source: paper + ", section 5.2 and Eq. 44; Murray and Salakhutdinov 2009", Example: "cms:uniform",
		Doc: "Chib-Murray-Salakhutdinov: the same from a chain with its start at the first place, or at a uniformly drawn one (default)",
		Parse: func(args selector.Args, _ selector.Nothing) (Choice, error) {
			start, name, legend := estimators.StartUniform, "cms", "CMS"
			switch args.Text {
			case estimators.StartFirst.String():
				start, name, legend = estimators.StartFirst, "cms:first", "CMS (first)"
			case estimators.StartUniform.String():
			default:
				if args.Given {
					return Choice{}, args.Errorf("%q is no place to start; write first or uniform", args.Text)
				}
			}
			return Choice{name, legend, family{
				fits:     singleStates("cms"),
				smallest: 1, letter: "K", settings: draws, pace: paceChain, biased: start == estimators.StartFirst, // its chain then does not begin in equilibrium
				make: func(_ context.Context, _ *target, m finite, k int) (estimators.Estimator[chains.Chooser], error) {
					star := m.Likeliest()
					return estimators.NewMurraySalakhutdinov(m, star, m.LogPosterior(star), k, start)
				},
				law: func(ctx context.Context, t *target, k, workers int) (laws.Law, error) {
					return laws.NewCMS(ctx, t.Target, t.star, k, start, workers)
				},
			}}, nil
		},
	}
}
