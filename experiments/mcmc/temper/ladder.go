package temper

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sort"

	"breadboard/chains"
	"breadboard/chains/tempering"
	"breadboard/exact/averages"
	"breadboard/exact/replicas"
	"breadboard/experiments"
	"breadboard/experiments/annealing/schedule/placement"
	"breadboard/experiments/study"
)

// The criteria by which ladders are chosen.
const (
	Equal    = "equal"    // all rejections are the same
	ByModel  = "formula"  // the rate is the largest by the formula, as if exploration were perfect
	ByRate   = "rate"     // the true rate is the largest
	ByErrors = "variance" // the asymptotic variance of the function is the least
)

// criteria returns the names of the criteria.
func criteria() []string { return []string{Equal, ByModel, ByRate, ByErrors} }

// LadderRow is the ladder of a criterion.
type LadderRow struct {
	experiments.Case
	Setting
	Criterion string
	Measured
	NoLadder string     // why no ladder is the best by the criterion, which then has no betas; else empty
	Local    []Point    // the rejection rate along the path; nil unless figures are drawn, and but for the first row of a ladder
	Curve    []Measured // where N = 2: what each inner beta gives; nil where Local is
}

// Measured is what a ladder gives.
type Measured struct {
	Inner                   float64  // the first inner beta
	Rate, Formula, Variance float64  // Variance is NaN where averages do not settle, or the function does not vary
	Lost                    []string // which digits are not known
}

// InnerBetas returns the betas between the ends; none where there is no ladder.
func (r *LadderRow) InnerBetas() []float64 {
	if r.Betas == nil {
		return nil
	}
	return r.Betas[1 : len(r.Betas)-1]
}

// Notes says which numbers there are not, and which have lost digits.
func (r *LadderRow) Notes() []string {
	if r.NoLadder != "" {
		return append([]string{r.NoLadder}, r.Lost...)
	}
	return r.Lost
}

// LadderOptions says what the study of ladders asks.
type LadderOptions struct {
	Scheme   string
	Function string
}

// search looks for ladders of one case.
type search struct {
	c      *experiments.Case
	scheme tempering.Scheme
	f      *averages.Function // nil where it does not vary under the target
}

// at returns the replicas on a ladder.
func (s *search) at(ctx context.Context, betas []float64) (*replicas.Replicas, error) {
	a, err := moved(s.c, betas, nil)
	if err != nil {
		return nil, err
	}
	many, _, err := replicasOn(ctx, a, s.scheme)
	return many, err
}

// loss returns what a criterion makes least; +Inf where averages do not settle.
func (s *search) loss(ctx context.Context, criterion string, betas []float64) (float64, error) {
	many, err := s.at(ctx, betas)
	if err != nil {
		return 0, err
	}
	switch criterion {
	case ByModel:
		return -replicas.Formula(s.scheme, many.Rejections()), nil
	case ByRate:
		rate, err := many.Rate(ctx)
		if err != nil {
			return 0, err
		}
		return -rate.PerScan, nil
	}
	v, err := s.variance(ctx, many)
	if loss := settled(v); !math.IsNaN(loss) {
		return loss, err
	}
	return math.Inf(1), err
}

// variance returns the variance of the function's average; nil where the function does not vary.
func (s *search) variance(ctx context.Context, many *replicas.Replicas) (*replicas.Variance, error) {
	if s.f == nil {
		return nil, nil
	}
	return many.Variance(ctx, s.f.Values)
}

// measure returns what a ladder gives.
func (s *search) measure(ctx context.Context, betas []float64) (m Measured, err error) {
	many, err := s.at(ctx, betas)
	if err != nil {
		return m, err
	}
	rate, err := many.Rate(ctx)
	if err != nil {
		return m, err
	}
	v, err := s.variance(ctx, many)
	return Measured{betas[1], rate.PerScan, replicas.Formula(s.scheme, many.Rejections()), settled(v), lost(rate, v)}, err
}

// Limits of the search of the best ladder.
const (
	ladderSweeps  = 60   // of all inner betas
	ladderSettled = 1e-7 // the largest change of a beta in a sweep after which the search ends: an optimum is flat, so that rates have twice these digits
)

// best improves a ladder, one inner beta after another, until none moves. What it finds no single beta can improve, as far as the places show that
// minimum looks at.
func (s *search) best(ctx context.Context, criterion string, from []float64) ([]float64, error) {
	betas := slices.Clone(from)
	for range ladderSweeps {
		change := 0.0
		for i := 1; i+1 < len(betas); i++ {
			was := betas[i]
			b, err := minimum(func(b float64) (float64, error) {
				betas[i] = b
				return s.loss(ctx, criterion, betas)
			}, betas[i-1], was, betas[i+1])
			if err != nil {
				return nil, err
			}
			betas[i] = b
			change = max(change, math.Abs(b-was))
		}
		if change <= ladderSettled || len(betas) == 3 {
			break
		}
	}
	return betas, nil
}

// minimum returns where a function is smallest between two places. It may have several minima, and one that is narrow near the lower end: golden sections
// begin around the best of places at equal distances and of some between the lower end and where the search stands.
//
// Source: Kiefer 1953.
func minimum(f func(float64) (float64, error), low, was, high float64) (float64, error) {
	const ratio = 0.6180339887498949
	places := []float64{low, low + (was-low)/4, low + (was-low)/2, was, high}
	for i := 1; i < 16; i++ {
		places = append(places, low+float64(i)*(high-low)/16)
	}
	sort.Float64s(places)
	places = slices.Compact(places)
	lowest, at := math.Inf(1), -1
	for i := 1; i+1 < len(places); i++ {
		v, err := f(places[i])
		if err != nil {
			return 0, err
		}
		if v < lowest {
			lowest, at = v, i
		}
	}
	if at < 0 { // there is no loss anywhere
		return was, nil
	}
	low, high = places[at-1], places[at+1]
	a, b := high-ratio*(high-low), low+ratio*(high-low)
	va, err := f(a)
	if err != nil {
		return 0, err
	}
	vb, err := f(b)
	for err == nil && high-low > ladderSettled/4 {
		if va <= vb {
			high, b, vb = b, a, va
			a = high - ratio*(high-low)
			va, err = f(a)
		} else {
			low, a, va = a, b, vb
			b = low + ratio*(high-low)
			vb, err = f(b)
		}
	}
	return (low + high) / 2, err
}

// ladderPlan finds the ladders of every case.
func ladderPlan(ctx context.Context, cases []experiments.Case, o *LadderOptions) (study.Plan[LadderRow], error) {
	if err := knownSchemes(o.Scheme); err != nil {
		return study.Plan[LadderRow]{}, err
	}
	var jobs []study.Job[LadderRow]
	for i := range cases {
		c := &cases[i]
		if c.Distributions() < 3 {
			return study.Plan[LadderRow]{}, c.Wrong(chains.NewAdvice("a ladder of two rungs has no beta to choose; give {T} 3 or more"))
		}
		if c.Annealing().Path().Zeros() {
			return study.Plan[LadderRow]{}, c.Wrong(fmt.Errorf("the path is zero somewhere, and ladders are placed where it is positive everywhere"))
		}
		if err := replicas.CheckRate(c.Toy.Space.States(), c.Distributions()); err != nil {
			return study.Plan[LadderRow]{}, c.Wrong(err)
		}
		if err := checkFunction(o.Function, c); err != nil {
			return study.Plan[LadderRow]{}, c.Wrong(err)
		}
		jobs = append(jobs, study.Job[LadderRow]{Steps: len(criteria()), Rows: func(ctx context.Context, h study.How) ([]LadderRow, error) {
			rows, err := o.rows(ctx, c, h)
			return rows, c.Wrong(err)
		}})
	}
	return study.Jobs(jobs), nil
}

// rows finds the ladders of one case, a row for each criterion.
func (o *LadderOptions) rows(ctx context.Context, c *experiments.Case, h study.How) ([]LadderRow, error) {
	m, err := tempering.New(c.Annealing(), tempering.Scheme(o.Scheme))
	if err != nil {
		return nil, err
	}
	chain, f, unvarying := functionOf(ctx, c, m, o.Function)
	if chain == nil {
		return nil, unvarying
	}
	s := &search{c, m.Scheme(), f}
	equal, err := equalLadder(ctx, c)
	if err != nil {
		return nil, err
	}
	rows := make([]LadderRow, len(criteria()))
	for i, criterion := range criteria() {
		r := LadderRow{Case: *c, Setting: Setting{m.Scheme(), o.Function, equal}, Criterion: criterion}
		if criterion != Equal && (criterion != ByErrors || f != nil) {
			if r.Betas, err = s.best(ctx, criterion, equal); err != nil {
				return nil, err
			}
		}
		if r.Measured, err = s.measure(ctx, r.Betas); err != nil {
			return nil, err
		}
		if unvarying != nil {
			r.Lost = append(r.Lost, unvarying.Error())
		}
		if criterion == ByErrors && math.IsNaN(r.Variance) {
			none := math.NaN()
			r.Betas, r.Measured = nil, Measured{none, none, none, none, r.Lost}
			r.NoLadder = "no ladder that was tried gives the average a variance, so that none is the best by it"
		}
		rows[i] = r
		h.Add(1)
	}
	if h.Figures {
		rows[0].Local = along(c.Annealing().Path())
		rows[0].Curve, err = s.curve(ctx, len(equal))
	}
	return rows, err
}

// equalLadder returns the betas at which all rejections are the same.
func equalLadder(ctx context.Context, c *experiments.Case) ([]float64, error) {
	family, err := placement.Parse("acceptance")
	if err != nil {
		return nil, err
	}
	a := c.Annealing()
	placed, err := family.On(ctx, a.Path(), a.Transitions())
	if err != nil {
		return nil, err
	}
	schedule, err := placed.Place(ctx, a.Distributions())
	if err != nil {
		return nil, err
	}
	betas := make([]float64, a.Distributions())
	for i := range betas {
		betas[i] = schedule.Beta(i+1, len(betas))
	}
	return betas, nil
}

// curve returns what a ladder of three rungs gives by its inner beta; nil for other ladders.
func (s *search) curve(ctx context.Context, rungs int) (list []Measured, err error) {
	const places = 40
	for i := 1; i < places && rungs == 3; i++ {
		m, err := s.measure(ctx, []float64{0, float64(i) / places, 1})
		if err != nil {
			return nil, err
		}
		list = append(list, m)
	}
	return list, nil
}
