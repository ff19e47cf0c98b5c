package evidence

import (
	"context"
	"fmt"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/chains/selector"
	"breadboard/exact/laws"
)

// draws says what a row with K draws has as its settings.
func draws(_ *target, k int) string { return fmt.Sprintf("K=%d", k) }

func weightingForm() form {
	return form{
		Syntax: "lw", Doc: "likelihood weighting: the mean likelihood of K draws from the prior", Source: paper + ", section 3.1", Example: "lw",
		Parse: func(selector.Args, selector.Nothing) (Choice, error) {
			return Choice{"lw", "LW", family{
				smallest: 1, letter: "K", settings: draws, pooled: true,
				make: func(_ context.Context, _ *target, m finite, k int) (estimators.Estimator[chains.Chooser], error) {
					return estimators.NewLikelihoodWeighting(m, k)
				},
				law: func(_ context.Context, t *target, k, _ int) (laws.Law, error) { return laws.NewWeighting(t.Target, k) },
			}}, nil
		},
	}
}
