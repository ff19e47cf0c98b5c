package temper

import (
	"context"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/paths"
	"breadboard/chains/tempering"
	"breadboard/exact/averages"
	"breadboard/exact/replicas"
	"breadboard/exact/stages"
	"breadboard/experiments/placement"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
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
	subject.Case
	Setting
	Criterion string
	Measured
	NoLadder string // the reason why the criterion has no best ladder, and so no betas; else empty
	// the rejections per unit of beta along the path: for figures, in the first row of a ladder;
	// else nil
	Local []Point
	Curve []Measured // for N = 2: the numbers for each inner beta; nil if Local is
}

// Measured has the numbers of a ladder.
type Measured struct {
	Inner    float64 // the first inner beta
	Rate     number.Bounded
	Formula  float64
	Variance number.Bounded // NaN if averages do not settle, or the function does not vary
	Missing  []string       // the reasons for missing numbers
}

// InnerBetas returns the betas between the ends; none if there is no ladder.
func (r *LadderRow) InnerBetas() []float64 {
	if r.Betas == nil {
		return nil
	}
	return r.Betas[1 : len(r.Betas)-1]
}

// Notes returns the reasons for missing numbers.
func (r *LadderRow) Notes() []string {
	if r.NoLadder != "" {
		return append([]string{r.NoLadder}, r.Missing...)
	}
	return r.Missing
}

// LadderOptions are the options of Ladders.
type LadderOptions struct {
	Scheme   string
	Function string
}

// search looks for ladders of one case.
type search struct {
	c      *subject.Case
	scheme tempering.Scheme
	f      *averages.Function // nil if it does not vary under the target
	tried  func()             // is called after each ladder that is tried
	known  replicas.Known
	levels chains.Path            // the path by its levels
	pairs  map[[2]float64]float64 // what pairs at two betas reject, of those that were asked for
}

// rejections returns what the pairs of a ladder reject.
func (s *search) rejections(betas []float64) []float64 {
	list := make([]float64, len(betas)-1)
	for i := range list {
		pair := [2]float64{betas[i], betas[i+1]}
		r, known := s.pairs[pair]
		if !known {
			r = stages.Compare(s.levels, pair[0], pair[1]).Rejection
			s.pairs[pair] = r
		}
		list[i] = r
	}
	return list
}

// mostPlaced is the largest number of levels times inner betas for which the best ladder by the
// formula is looked for: some seconds.
const mostPlaced = 10_000

// tooLarge says why a ladder by a criterion is not looked for; nil if it is.
func (s *search) tooLarge(criterion string, rungs int) error {
	switch criterion {
	case ByRate, ByErrors:
		return together(s.c, rungs, replicas.CheckRate)
	case ByModel:
		if n := s.levels.States() * (rungs - 2); n > mostPlaced {
			return errs.New(
				"%d levels of log f times %d inner betas: the limit of the search for the best ladder by "+
					"the formula is %d; the ladder of equal rejections is close to it",
				s.levels.States(),
				rungs-2,
				mostPlaced,
			)
		}
	}
	return nil
}

// The residuals with which systems are solved, while the search looks for about the best place and
// while it looks for the place itself.
const (
	rough = 1e-8
	fine  = 0
)

// unsure is the part by which a rough answer may be off before it is found anew.
const unsure = 1e-4

// replicasOn returns the replicas on a ladder.
func (s *search) replicasOn(ctx context.Context, betas []float64) (*replicas.Replicas, error) {
	a, err := moved(s.c, betas, nil)
	if err != nil {
		return nil, err
	}
	many, _, err := replicasOn(ctx, a, s.scheme)
	if err != nil {
		return nil, err
	}
	return many.After(&s.known), nil
}

// loss returns what a criterion makes least, by systems that are solved so well; +Inf if averages
// do not settle.
func (s *search) loss(ctx context.Context, criterion string, betas []float64,
	residual float64) (float64, error) {
	defer s.tried()
	if criterion == ByModel {
		return -replicas.Formula(s.scheme, s.rejections(betas)), ctx.Err()
	}
	many, err := s.replicasOn(ctx, betas)
	if err != nil {
		return 0, err
	}
	loss, off, err := s.solvedLoss(ctx, criterion, many.Roughly(residual))
	if residual > fine && !(off <= unsure) && err == nil {
		loss, _, err = s.solvedLoss(ctx, criterion, many)
	}
	return loss, err
}

// solvedLoss returns what a criterion that asks for the solution of a system makes least, and about
// by what part of it that is off.
func (s *search) solvedLoss(ctx context.Context, criterion string,
	many *replicas.Replicas) (loss, off float64, err error) {
	if criterion == ByRate {
		rate, err := many.Rate(ctx)
		if err != nil {
			return 0, 0, err
		}
		return -rate.PerScan, rate.Lost(), nil
	}
	v, err := s.variance(ctx, many)
	if loss := settled(v); loss.Known() {
		return loss.Value, v.Error, err
	}
	return math.Inf(1), math.Inf(1), err
}

// variance returns the variance of the function's average; nil if the function does not vary.
func (s *search) variance(ctx context.Context, many *replicas.Replicas) (*replicas.Variance, error) {
	if s.f == nil {
		return nil, nil
	}
	return many.Variance(ctx, s.f.Values)
}

// measure returns what a ladder gives.
func (s *search) measure(ctx context.Context, betas []float64) (m Measured, err error) {
	formula := replicas.Formula(s.scheme, s.rejections(betas))
	if s.tooLarge(ByRate, len(betas)) != nil {
		none := number.Exactly(math.NaN())
		return Measured{betas[1], none, formula, none, nil}, nil
	}
	many, err := s.replicasOn(ctx, betas)
	if err != nil {
		return m, err
	}
	rate, err := many.Rate(ctx)
	if err != nil {
		return m, err
	}
	v, err := s.variance(ctx, many)
	return Measured{betas[1], rateOf(rate), formula, settled(v), unsettled(v)}, err
}

// Limits of the search of the best ladder.
const (
	ladderSweeps = 60 // of all inner betas
	// the largest change of a beta in a sweep after which the search ends: an optimum is flat, so
	// that rates have twice these digits
	ladderSettled = 1e-7
)

// improveLadder improves a ladder, one inner beta after another, until none moves. What it finds no
// single beta can improve, as far as the places show that minimum looks at.
func (s *search) improveLadder(ctx context.Context, criterion string, from []float64) ([]float64, error) {
	betas := slices.Clone(from)
	for range ladderSweeps {
		change := 0.0
		for i := 1; i+1 < len(betas); i++ {
			was := betas[i]
			b, err := minimum(func(b, residual float64) (float64, error) {
				betas[i] = b
				return s.loss(ctx, criterion, betas, residual)
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

// triesOf returns about how many ladders the search for the best by a criterion tries.
func triesOf(rungs int) int {
	const place, again = 32, 6 // for a beta, and how often all are moved if there are several
	if rungs == 3 {
		return place
	}
	return place * again * (rungs - 2)
}

// ladderPlan finds the ladders of every case.
func ladderPlan(ctx context.Context, cases []subject.Case, o *LadderOptions) (study.Plan[LadderRow], error) {
	if err := knownSchemes(o.Scheme); err != nil {
		return study.Plan[LadderRow]{}, err
	}
	var jobs []study.Job[LadderRow]
	for i := range cases {
		c := &cases[i]
		if c.Distributions() < 3 {
			return study.Plan[LadderRow]{}, c.Wrong(
				errs.New("a ladder of two rungs has no inner beta to choose; give {T} 3 or more"),
			)
		}
		if c.Annealing().Path().Zeros() {
			return study.Plan[LadderRow]{}, c.Wrong(errs.New(
				"the path is zero somewhere; ladders can be placed only on paths that are positive everywhere",
			))
		}
		if err := checkFunction(o.Function, c); err != nil {
			return study.Plan[LadderRow]{}, c.Wrong(err)
		}
		jobs = append(jobs, study.Job[LadderRow]{Steps: len(criteria()) * triesOf(c.Distributions()),
			Rows: func(ctx context.Context, h study.How) ([]LadderRow, error) {
				rows, err := o.findLadders(ctx, c, h)
				return rows, c.Wrong(err)
			}})
	}
	return study.Jobs(jobs), nil
}

// findLadders finds the ladders of one case, a row for each criterion.
func (o *LadderOptions) findLadders(ctx context.Context, c *subject.Case, h study.How) ([]LadderRow, error) {
	m, err := tempering.New(c.Annealing(), tempering.Scheme(o.Scheme))
	if err != nil {
		return nil, err
	}
	tries := 0 // that have been told of
	s := &search{
		c:      c,
		scheme: m.Scheme(),
		levels: paths.Levels(ctx, m.Path()),
		pairs:  map[[2]float64]float64{},
		tried: func() {
			tries++
			if tries < triesOf(c.Distributions()) {
				h.Add(1)
			}
		},
	}
	var unvarying error
	if s.tooLarge(ByRate, m.Rungs()) == nil {
		var chain *averages.Chain
		chain, s.f, unvarying = functionOf(c, coldChain(ctx, m), o.Function)
		if chain == nil {
			return nil, unvarying
		}
	}
	equal, err := equalLadder(ctx, c)
	if err != nil {
		return nil, err
	}
	rows := make([]LadderRow, len(criteria()))
	for i, criterion := range criteria() {
		r := LadderRow{Case: *c, Setting: Setting{m.Scheme(), o.Function, equal}, Criterion: criterion}
		if large := s.tooLarge(criterion, m.Rungs()); large != nil {
			rows[i] = r.without(large.Error())
			h.Add(triesOf(c.Distributions()))
			continue
		}
		if criterion != Equal && (criterion != ByErrors || s.f != nil) {
			r.Betas, err = s.improveLadder(ctx, criterion, equal)
			if err != nil {
				return nil, err
			}
		}
		r.Measured, err = s.measure(ctx, r.Betas)
		if err != nil {
			return nil, err
		}
		if unvarying != nil {
			r.Missing = append(r.Missing, unvarying.Error())
		}
		if criterion == ByErrors && !r.Variance.Known() {
			r = r.without("with none of the ladders that were tried does the average have a finite variance, so no " +
				"ladder is best")
		}
		rows[i] = r
		most := triesOf(c.Distributions())
		h.Add(most - min(tries, most-1)) // no more than that is reported while the search goes on
		tries = 0
	}
	if h.Figures {
		rows[0].Local = along(ctx, c.Annealing().Path())
		rows[0].Curve, err = s.lossCurve(ctx, len(equal))
	}
	return rows, err
}

// without returns the row of a criterion that has no ladder.
func (r LadderRow) without(why string) LadderRow {
	none := number.Exactly(math.NaN())
	r.Betas = nil
	r.Measured = Measured{math.NaN(), none, math.NaN(), none, r.Missing}
	r.NoLadder = why
	return r
}

// equalLadder returns the betas at which all rejections are the same.
func equalLadder(ctx context.Context, c *subject.Case) ([]float64, error) {
	family, err := placement.Parse("acceptance", placement.Forms())
	if err != nil {
		return nil, err
	}
	a := c.Annealing()
	on, err := family.On(ctx, a.Path(), a.Transitions())
	if err != nil {
		return nil, err
	}
	placed, err := on.Place(ctx, a.Distributions())
	if err != nil {
		return nil, err
	}
	betas := make([]float64, a.Distributions())
	for i := range betas {
		betas[i] = placed.Schedule.Beta(i+1, len(betas))
	}
	return betas, nil
}

// lossCurve returns what a ladder of three rungs gives by its inner beta; nil for other ladders.
func (s *search) lossCurve(ctx context.Context, rungs int) (list []Measured, err error) {
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
