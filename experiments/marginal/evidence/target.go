package evidence

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/estimators"
	"breadboard/chains/schedules"
	"breadboard/exact/laws"
	"breadboard/experiments/placement"
	"breadboard/experiments/subject"
)

// target is a case with what all its estimators share.
type target struct {
	*laws.Target
	on        *subject.Case
	placement placement.Placement // of the distributions between prior and posterior
	ownLength int                 // the number of distributions of a schedule that has its own, otherwise 0
	star      int                 // the most probable state
	shared    Shared              // by its rows
	within    time.Duration       // the largest estimate of the time of a distribution; zero for a minute
}

// newTarget returns the target of a case. It fails if the kernel cannot be used by estimators. The
// path ensures that the prior and the posterior have states in common, so that Z is not zero.
func newTarget(ctx context.Context, c *subject.Case) (*target, error) {
	a := c.Annealing()
	t := &target{Target: laws.NewTarget(a), on: c}
	m, err := t.model()
	if err != nil {
		return nil, err
	}
	t.star = m.Likeliest()
	family, err := placement.Parse(c.Params.Get("schedule"), c.Reader.Forms.Schedules)
	if err == nil && family.Objective != "" {
		err = errs.New(
			"schedule %s is searched at each T, of which estimators try many; give {schedule} fisher, or "+
				"file:PATH with betas of your own",
			family.Name,
		)
	}
	if err != nil {
		return nil, err
	}
	t.placement, err = family.On(ctx, a.Path(), a.Transitions())
	if err != nil {
		return nil, err
	}
	if family.OwnLength {
		t.ownLength = a.Distributions()
	}
	return t, nil
}

// singleStates returns the fits of an estimator that needs the density of one state, or the number
// of states with the same likelihood.
func singleStates(name string) func(*target) error {
	return func(t *target) error { return subject.NeedsStates(t.on.Toy, "the estimator "+name) }
}

// model returns a model for one goroutine.
func (t *target) model() (*estimators.Finite, error) { return estimators.NewFinite(t.Annealing) }

// distributions returns the number of distributions for a setting T: that of the schedule if it has
// its own.
func (t *target) distributions(T int) int {
	if t.ownLength > 0 {
		return t.ownLength
	}
	return T
}

// annealing returns the annealing over T distributions, on the path as it was given.
func (t *target) annealing(ctx context.Context, T int) (*chains.Annealing, error) {
	given := t.on.Annealing()
	if t.ownLength > 0 {
		return given, nil
	}
	placed, err := t.placement.Place(ctx, T)
	if err != nil {
		return nil, err
	}
	if points, own := placed.Schedule.(*schedules.Points); own {
		T = points.Len()
	}
	return chains.NewAnnealingBy(given.Path(), placed.Schedule, given.Transitions(), T)
}

// aboutToy prefixes an error about a target with the name of its toy.
func aboutToy(c *subject.Case, err error) error {
	if c.Toy == nil {
		return fmt.Errorf("toy %s: %w", c.Param("toy"), err)
	}
	return fmt.Errorf("toy %s: %w", c.Toy.Name, c.Toy.Explain(err))
}

// The defaults of a selection: the targets, the schedule of annealing, and the kernels on a grid
// and elsewhere.
const (
	DefaultSchedule = "sigmoid:4"
	gridKernel      = "heatbath-scan"
	graphKernel     = "metropolis"
)

// DefaultToys are the selectors of a model and of a toy without one.
func DefaultToys() []string { return []string{"clu8", "easy"} }

// AnnealingsOf returns the annealings of a selection, one for each toy. The default kernel is
// heatbath-scan on a grid, which draws one axis after another, and metropolis elsewhere. The
// numbers of distributions depend on the work, not on the selection.
func AnnealingsOf(ctx context.Context, s subject.Selection) ([]subject.Case, error) {
	s.Distributions = nil
	s.Default = []int{2}
	if s.Kernel != "" || len(s.Toys) == 0 {
		return s.Cases(ctx)
	}
	var cases []subject.Case
	var failed subject.Failures
	kept, err := s.Affordable(s.Toys, []string{gridKernel}, s.Default)
	if err := failed.Keep(ctx, err); err != nil {
		return nil, err
	}
	for _, selector := range kept {
		one := s
		one.Toys = []string{selector}
		one.Kernel = gridKernel
		many, err := s.TooMany(ctx, selector)
		if err != nil {
			return nil, err
		}
		if !many || !s.Factored {
			toy, err := s.ReadToy(ctx, strings.TrimSpace(selector))
			if err == nil && toy.Lattice() == nil { // else its cases say so
				one.Kernel = graphKernel
			}
		}
		its, err := one.Cases(ctx)
		if err := failed.Keep(ctx, err); err != nil {
			return nil, err
		}
		cases = append(cases, its...)
	}
	return cases, failed.OrNil()
}

// Bound is the side of log Z on which the mean of log Z-hat lies for certain, on every target.
type Bound string

// These are the bounds.
const (
	Lower   Bound = "lower" // E log Z-hat <= log Z
	Upper   Bound = "upper" // E log Z-hat >= log Z
	NoBound Bound = "none"  // neither is known
)

// jensenBound returns the bound that follows, by Jensen's inequality, from how estimates are
// combined: Z-hat is unbiased, or its reciprocal is, or Z-hat itself is a lower bound.
func (p *plan) jensenBound() Bound {
	switch {
	case p.unbiased:
		return Lower
	case p.biased || p.combination == estimators.MeanOfLogs:
		return NoBound
	case p.combination == estimators.HarmonicMean:
		return Upper
	}
	return Lower
}

// orInfinite returns a number, or infinity if it is not known.
func orInfinite(v float64) float64 {
	if math.IsNaN(v) {
		return math.Inf(1)
	}
	return v
}

// ByTarget splits rows into those of each target, which are adjacent.
func ByTarget(rows []Row) (lists [][]Row) {
	for len(rows) > 0 {
		n := slices.IndexFunc(rows, func(r Row) bool { return r.Algorithm != rows[0].Algorithm })
		if n < 0 {
			n = len(rows)
		}
		lists = append(lists, rows[:n])
		rows = rows[n:]
	}
	return lists
}

// Usable returns the row with the smallest root mean squared error among those of one target that
// need no exact draws and cost no more than a work. It is nil if there is none.
func Usable(rows []Row, work float64) *Row {
	var best *Row
	for i := range rows {
		r := &rows[i]
		if r.NeedsExactDraw || !(r.Work <= work*(1+1e-9)) || math.IsInf(orInfinite(r.RMSE), 1) {
			continue
		}
		if best == nil || r.RMSE < best.RMSE {
			best = r
		}
	}
	return best
}
