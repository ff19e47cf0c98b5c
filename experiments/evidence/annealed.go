package evidence

import (
	"context"
	"fmt"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/chains/selector"
	"breadboard/exact/laws"
)

func annealedForm() form {
	return annealedFormOf("ais", "AIS", chains.Forward, "annealed importance sampling over T distributions", ", section 3.3 and Algorithm 1; Neal 2001")
}

func reverseAnnealedForm() form {
	return annealedFormOf("rais", "rev. AIS", chains.Reverse, "the same in reverse, from an exact draw", ", section 4.2.1")
}

// annealedFormOf returns the form of annealing in one direction. Its setting is T, which comes from the schedule where that has a length
// of its own.
func annealedFormOf(name, legend string, d chains.Direction, doc, source string) form {
	return form{
		Syntax: name, Doc: doc, Source: paper + source, Example: name,
		Parse: func(selector.Args, selector.Nothing) (Choice, error) {
			return Choice{name, legend, family{
				smallest: 2, letter: "T", pace: paceAnnealed, fixed: func(t *target) bool { return t.ownLength > 0 },
				settings: func(t *target, T int) string { return fmt.Sprintf("T=%d", t.distributions(T)) },
				make: func(ctx context.Context, t *target, m finite, T int) (estimators.Estimator[chains.Chooser], error) {
					a, err := t.annealing(ctx, T)
					if err != nil {
						return nil, err
					}
					if d == chains.Reverse {
						return estimators.NewReverseAnnealed(m, estimators.Places(a))
					}
					return estimators.NewAnnealed(m, estimators.Places(a))
				},
				law: func(ctx context.Context, t *target, T, workers int) (laws.Law, error) {
					a, err := t.annealing(ctx, T)
					if err != nil {
						return nil, err
					}
					return laws.NewAnnealing(ctx, t.Target, a, d, workers)
				},
			}}, nil
		},
	}
}
