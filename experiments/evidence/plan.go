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
	work        estimators.Work // of one estimate; its Evaluations are NaN where only the law knows it
	combination estimators.Combination
	last        bool // the setting is the largest
}

// plans returns the estimator with the largest setting whose work is at most each of the given ones, or with the smallest setting where
// that takes more. A setting that two works have in common is there once.
func (c Choice) plans(ctx context.Context, t *target, works []float64, workers int) ([]plan, error) {
	e, err := c.estimator(ctx, t, c.smallest)
	if err != nil {
		return nil, err
	}
	first := plan{t, c, c.smallest, estimators.Work{Evaluations: math.NaN()}, e.Combination(), true}
	if !c.byLaw {
		first.work = e.Work()
	}
	if c.fixed != nil && c.fixed(t) {
		return []plan{first}, nil
	}
	larger := c.affine
	if c.byLaw {
		larger = c.search
	}
	var out []plan
	for _, w := range works {
		p, err := larger(ctx, first, w, workers)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(out, func(q plan) bool { return q.setting == p.setting }) {
			out = append(out, p)
		}
	}
	largest := slices.MaxFunc(out, func(a, b plan) int { return a.setting - b.setting })
	for i := range out {
		out[i].last = out[i].setting == largest.setting
	}
	return out, nil
}

// affine returns the plan for a work where the work is affine in the setting.
func (c Choice) affine(ctx context.Context, first plan, w float64, _ int) (plan, error) {
	e, err := c.estimator(ctx, first.target, c.smallest+1)
	if err != nil {
		return plan{}, err
	}
	step := estimators.Work{Evaluations: e.Work().Evaluations - first.work.Evaluations, Exact: e.Work().Exact - first.work.Exact}
	left := w - total(first.work)
	if !(left > 0) {
		return first, nil
	}
	more := math.Floor(left / total(step) * (1 + 1e-12)) // a mean over the parts of a kernel is rounded
	first.setting += int(more)
	first.work = first.work.Plus(estimators.Work{Evaluations: more * step.Evaluations, Exact: more * step.Exact})
	return first, nil
}

// search returns the plan for a work that is known from the law alone, and grows with the setting: it doubles the setting while the work
// allows, and then halves the interval. Where there is no law it is the smallest setting.
func (c Choice) search(ctx context.Context, first plan, w float64, workers int) (plan, error) {
	fits := func(n int) (bool, error) {
		law, err := c.law(ctx, first.target, n, workers)
		if err != nil {
			return false, ctx.Err()
		}
		return total(law.Work()) <= w, nil
	}
	low, high := c.smallest, c.smallest+1
	for high <= int(w) { // a move that costs nothing, or is never made, would be taken without end
		fit, err := fits(high)
		if err != nil {
			return plan{}, err
		}
		if !fit {
			break
		}
		low, high = high, 2*high
	}
	high = min(high, int(w)+1)
	for high-low > 1 {
		mid := low + (high-low)/2
		fit, err := fits(mid)
		if err != nil {
			return plan{}, err
		}
		if fit {
			low = mid
		} else {
			high = mid
		}
	}
	first.setting = low
	return first, nil
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
