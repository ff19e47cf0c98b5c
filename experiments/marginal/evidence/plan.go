package evidence

import (
	"cmp"
	"context"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/exact/laws"
)

// plan is an estimator with a setting on a target.
type plan struct {
	*target
	Choice
	setting int
	// of one estimate; its Evaluations are NaN if only the distribution determines it
	work        estimators.Work
	combination estimators.Combination
	last        bool      // the setting is the largest
	known       laws.Law  // its distribution, if it was computed while choosing the setting; otherwise nil
	note        string    // why the setting is not the one that the work pays for; empty if it is
	works       []float64 // the requested works that pay for the setting
}

// plans returns the estimator with the largest setting whose work is at most each of the given
// ones, or with the smallest setting if that takes more. A setting that several works share appears
// once, with a note.
func (c Choice) plans(ctx context.Context, t *target, works []float64, workers int) ([]plan, error) {
	e, err := c.estimator(ctx, t, c.smallest)
	if err != nil {
		return nil, err
	}
	first := plan{
		t, c, c.smallest, estimators.Work{Evaluations: math.NaN()}, e.Combination(), true, nil, "", nil}
	if !c.byLaw {
		first.work = e.Work()
	}
	if c.fixed != nil && c.fixed(t) { // also if it was chosen by the user
		first.works = works
		return []plan{first}, nil
	}
	larger := c.affine
	if c.byLaw {
		larger = (&search{c, map[int]laws.Law{}}).largest
	}
	var out []plan
	for _, w := range works {
		p, err := larger(ctx, first, w, workers)
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(out, func(q plan) bool { return q.setting == p.setting })
		if i < 0 {
			i, out = len(out), append(out, p)
		}
		out[i].works = append(out[i].works, w)
	}
	largest := slices.MaxFunc(out, func(a, b plan) int { return a.setting - b.setting })
	for i := range out {
		out[i].last = out[i].setting == largest.setting
	}
	return out, nil
}

// affine returns the plan for a work if the work is affine in the setting.
func (c Choice) affine(ctx context.Context, first plan, w float64, _ int) (plan, error) {
	e, err := c.estimator(ctx, first.target, c.smallest+1)
	if err != nil {
		return plan{}, err
	}
	step := estimators.Work{
		Evaluations: e.Work().Evaluations - first.work.Evaluations,
		Exact:       e.Work().Exact - first.work.Exact,
	}
	left := w - total(first.work)
	if !(left > 0 && total(step) > 0) {
		// on a single state kernel steps cost nothing, and larger settings change nothing
		return first, nil
	}
	more := math.Floor(left / total(step) * (1 + 1e-12)) // a mean over the parts of a kernel is rounded
	more = min(more, float64(cmp.Or(c.largest, estimators.MaxDraws)-first.setting))
	first.setting += int(more)
	first.work = first.work.Plus(estimators.Work{Evaluations: more * step.Evaluations, Exact: more * step.Exact})
	return first, nil
}

// search finds settings whose work is known only from the distribution.
type search struct {
	Choice
	laws map[int]laws.Law // by setting
}

// perWork is the largest ratio of a setting to the work. Without it, kernel steps that cost
// nothing, or are never made, would have no limit; those of a kernel that often proposes no state
// cost a fraction of an evaluation each.
const perWork = 64

// largest returns the plan for a work that grows with the setting. It interpolates as if work were
// affine in the setting, between a setting that fits and one that does not, or is too large to try,
// and so computes few distributions. Above perWork it continues only while a larger setting costs
// more. A setting without a distribution, or with unknown work, counts as one that does not fit,
// and the next one is half as far. If no other setting has a distribution, the smallest is
// returned.
func (s *search) largest(ctx context.Context, first plan, w float64, workers int) (plan, error) {
	work := func(n int) (float64, error) {
		if s.laws[n] == nil {
			law, err := s.lawOf(ctx, first.target, n, workers)
			if err != nil {
				return math.NaN(), ctx.Err()
			}
			s.laws[n] = law
		}
		return total(s.laws[n].Work()), nil
	}
	most := max(s.smallest, int(min(perWork*w, float64(cmp.Or(s.Choice.largest, estimators.MaxDraws)))))
	low, high := s.smallest, most+1 // low fits, or is the smallest; high does not fit, or is not tried
	at, err := work(low)
	if err != nil {
		return plan{}, err
	}
	// known: whether the work of high is known
	next := low + 1
	known := true
	for high-low > 1 && at < w {
		above, err := work(next)
		if err != nil {
			return plan{}, err
		}
		slope := (above - at) / float64(next-low)
		if above <= w {
			low = next
			at = above
			if slope == 0 && float64(low) >= w {
				break // larger settings change nothing
			}
		} else {
			high = next
			known = !math.IsNaN(above)
		}
		guess := float64(low) + math.Floor((w-at)/slope)
		if slope == 0 {
			guess = w
		}
		if math.IsNaN(above) {
			guess = float64(low) + float64((high-low)/2)
		}
		if !(guess > float64(low)) {
			guess = float64(low + 1)
		}
		next = int(min(guess, float64(high-1)))
	}
	if !known {
		first.note =
			"the mean cost of larger settings is not known; this is the largest setting with a known cost"
	}
	first.setting = low
	first.known = s.laws[low]
	return first, nil
}

// estimator returns the estimator with a setting, for one goroutine.
func (c Choice) estimator(ctx context.Context, t *target, n int) (estimator, error) {
	var m finite
	if !c.filter { // a filter takes the matrices, and no list of states
		var err error
		m, err = t.model()
		if err != nil {
			return nil, err
		}
	}
	e, err := c.make(ctx, t, m, n)
	if err == nil && c.whole {
		e = &wholeEstimator{e, t.Offset}
	}
	return e, err
}

// lawOf returns the distribution of the estimator with a setting.
func (c Choice) lawOf(ctx context.Context, t *target, n, workers int) (laws.Law, error) {
	l, err := c.law(ctx, t, n, workers)
	if err == nil && c.whole {
		l = &wholeLaw{l, t.Offset}
	}
	return l, err
}

// total returns the number of evaluations plus exact draws.
func total(w estimators.Work) float64 { return w.Evaluations + w.Exact }

// wholeEstimator and wholeLaw remove a constant from log Zhat: the one that centring removes from
// log Z, if estimates are made on the model itself, so that all rows treat it alike, and the one by
// which the lower sum of nested sampling is smaller.
type wholeEstimator struct {
	estimators.Estimator[chains.Chooser]
	offset float64
}

// Estimate implements estimators.Estimator.
func (e *wholeEstimator) Estimate(c chains.Chooser) float64 {
	return e.Estimator.Estimate(c) - e.offset
}

type wholeLaw struct {
	laws.Law
	offset float64
}

// Moments implements laws.Law.
func (l *wholeLaw) Moments(ctx context.Context, trials int) (laws.Moments, error) {
	m, err := l.Law.Moments(ctx, trials)
	return m.Less(l.offset), err
}

// Above implements laws.Law.
func (l *wholeLaw) Above(ctx context.Context, at float64) (laws.Bracket, error) {
	return l.Law.Above(ctx, at+l.offset)
}

// Values implements laws.Discrete.
func (l *wholeLaw) Values() []float64 {
	values := laws.Values(l.Law)
	for i := range values {
		values[i] -= l.offset
	}
	return values
}
