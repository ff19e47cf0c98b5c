package evidence

import (
	"context"
	"math"
	"slices"

	estimators "breadboard/chains/evidence"
)

// plan is an estimator with a setting on a target.
type plan struct {
	*target
	Choice
	setting     int
	work        estimators.Work // of one estimate
	combination estimators.Combination
}

// plans returns the estimator with the largest setting whose work is at most each of the given ones, or with the smallest setting where
// that takes more. A setting that two works have in common is there once.
func (c Choice) plans(ctx context.Context, t *target, works []float64) ([]plan, error) {
	e, err := c.estimator(ctx, t, c.smallest)
	if err != nil {
		return nil, err
	}
	first, how := e.Work(), e.Combination()
	if c.fixed {
		return []plan{{t, c, c.smallest, first, how}}, nil
	}
	if e, err = c.estimator(ctx, t, c.smallest+1); err != nil {
		return nil, err
	}
	step := estimators.Work{Evaluations: e.Work().Evaluations - first.Evaluations, Exact: e.Work().Exact - first.Exact}
	var out []plan
	for _, w := range works {
		more := 0.0
		if left := w - total(first); left > 0 {
			more = math.Floor(left / total(step) * (1 + 1e-12)) // a mean over parts of a kernel is rounded
		}
		p := plan{t, c, c.smallest + int(more), first.Plus(estimators.Work{Evaluations: more * step.Evaluations, Exact: more * step.Exact}), how}
		if !slices.ContainsFunc(out, func(q plan) bool { return q.setting == p.setting }) {
			out = append(out, p)
		}
	}
	return out, nil
}

// estimator returns the estimator with a setting, for one goroutine.
func (c Choice) estimator(ctx context.Context, t *target, n int) (estimators.Estimator, error) {
	m, err := t.model()
	if err != nil {
		return nil, err
	}
	return c.make(ctx, t, m, n)
}

// total returns how many evaluations and exact draws there are.
func total(w estimators.Work) float64 { return w.Evaluations + w.Exact }
