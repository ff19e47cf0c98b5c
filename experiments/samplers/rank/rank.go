package rank

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/diagnostics"
	"breadboard/exact/averages"
	"breadboard/experiments"
	"breadboard/experiments/samplers"
	"breadboard/experiments/study"
)

// Estimate is what chains estimate of a function: its mean, its variance, or its whole distribution.
type Estimate int

// The estimates. The distribution is scored by the Cramer-von Mises distance, of which the exact error is known at every N. That of
// Kolmogorov and Smirnov, which the paper takes, has bounds only where N is large.
const (
	Mean Estimate = iota
	Variance
	Distribution
	estimates
)

// Estimates returns all estimates.
func Estimates() []Estimate { return []Estimate{Mean, Variance, Distribution} }

// Score is how well a chain estimates something.
type Score struct {
	RESS float64 // the real effective sample size
	NESS float64 // RESS over the median number of samples of the competitors on the same example (Eq. 7)
	Rank float64 // by RESS among the competitors, from one, the best; those that are equal share the mean of their ranks
}

// Row is the exact answer for one kernel on one example, which is a target with a start and a function.
type Row struct {
	samplers.Setting              // N is the number of samples that the budget pays for
	Contest          *Contest     // in which the kernel competes
	Budget           float64      // the largest number of evaluations of log f of a chain
	Work             float64      // evaluations of log f
	Competitors      int          // on the example, this one among them
	Median           float64      // the median number of samples of the competitors on the example
	Scores           [3]Score     // by Estimate
	Success          float64      // the probability that the RESS of all chains is at least samplers.SuccessRESS
	SuccessBy        SuccessRoute // how Success was computed
	// SuccessVariance is the same of the variance, and SuccessKS that of the distribution by its Kolmogorov-Smirnov distance, which is NaN
	// unless the law of how many samples are at each level is small enough.
	SuccessVariance, SuccessKS float64
	SuccessVarianceBy          SuccessRoute // how SuccessVariance was computed
	// Dropped is how many of the first samples are best dropped as warm-up, of the numbers that were tried, and DropGain the RESS of the
	// mean of the others over that of all. They are zero and one where dropping none is best.
	Dropped  int64
	DropGain float64
}

// SuccessRoute is a way to compute a probability of success.
type SuccessRoute string

// The routes to a probability of success.
const (
	ByLaw    SuccessRoute = "law"      // from the exact law of the mean
	ByBounds SuccessRoute = "bounds"   // the middle of two proven bounds, which are at most boundsWidth apart
	ByNormal SuccessRoute = "Gaussian" // what Gaussian errors of the exact RESS give
)

// Options says what the study asks.
type Options struct {
	Budget float64   // the largest number of evaluations of log f of a chain
	Chains int       // of which success is asked
	Drop   []float64 // the shares of the samples that are tried as warm-up, from 0 on and below 1
}

// check fails where the options say something that no contest can answer.
func (o *Options) check() error {
	if o.Chains < 1 || o.Chains > samplers.MaxChains {
		return chains.NewAdvice("{chains} %d; give a number of chains from 1 to %d", o.Chains, samplers.MaxChains)
	}
	for _, share := range o.Drop {
		if !(share >= 0 && share < 1) {
			return chains.NewAdvice("{drop} %v; give shares of the samples from 0 on and below 1, as in {drop} 0.1,0.5", share)
		}
	}
	return nil
}

// plan scores every chain of each contest. The rows are ordered by target, start and function; those of one example are in the order of the
// kernels.
func plan(_ context.Context, contests []Contest, o *Options) (p study.Plan[Row], err error) {
	if err := o.check(); err != nil {
		return p, err
	}
	var jobs []study.Job[Row]
	for i := range contests {
		c := &contests[i]
		if err := c.check(o.Budget); err != nil {
			return p, err
		}
		for j := range c.Problems {
			jobs = append(jobs, study.Job[Row]{Steps: 1, Rows: func(ctx context.Context, h study.How) ([]Row, error) {
				rows, err := o.solve(ctx, c, &c.Problems[j])
				h.Add(1)
				return rows, err
			}})
		}
	}
	p = study.Jobs(jobs)
	scored := p.Run
	p.Run = func(ctx context.Context, h study.How) ([]Row, error) {
		rows, err := scored(ctx, h)
		if err != nil && !experiments.Ended(ctx, err) {
			return nil, err
		}
		return ranked(rows, err != nil), err
	}
	return p, nil
}

// ranked sets the rows of each example beside one another. Where some are not finished it leaves out examples that are not complete: a
// rank among those that were finished would be none among all.
func ranked(rows []Row, unfinished bool) (out []Row) {
	for _, example := range Examples(rows) {
		if unfinished && len(example) < example[0].Contest.competitors(example[0].Toy.Name) {
			continue
		}
		compare(example)
		for _, r := range example {
			out = append(out, *r)
		}
	}
	return out
}

// Examples splits rows into those of each example, in the order in which the examples first appear.
func Examples(rows []Row) (examples [][]*Row) {
	type example struct {
		contest              *Contest
		toy, start, function string
	}
	places := map[example]int{}
	for i := range rows {
		r := &rows[i]
		key := example{r.Contest, r.Toy.Name, r.Start.Name, r.Function.Name}
		at, known := places[key]
		if !known {
			at = len(examples)
			places[key], examples = at, append(examples, nil)
		}
		examples[at] = append(examples[at], r)
	}
	return examples
}

// compare fills in what a row has from its competitors on the same example.
func compare(example []*Row) {
	var samples []float64
	for _, r := range example {
		samples = append(samples, float64(r.N))
	}
	middle := diagnostics.Median(samples)
	for _, r := range example {
		r.Median, r.Competitors = middle, len(example)
		for e := range r.Scores {
			r.Scores[e].NESS = r.Scores[e].RESS / middle
		}
	}
	for e := range estimates {
		scores := make([]float64, len(example))
		for i, r := range example {
			scores[i] = r.Scores[e].RESS
		}
		for i, rank := range Ranks(scores) {
			example[i].Scores[e].Rank = rank
		}
	}
}

// tied is the relative difference up to which two scores are equal: what rounding may leave of equal ones.
const tied = 1e-9

// Ranks returns the rank of each score, from one for the highest. Those that are equal to the highest of them but for rounding share the
// mean of their ranks.
func Ranks(scores []float64) []float64 {
	order, ranks := make([]int, len(scores)), make([]float64, len(scores))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	for from := 0; from < len(order); {
		to, least := from+1, scores[order[from]]*(1-tied)
		for to < len(order) && scores[order[to]] >= least {
			to++
		}
		for _, i := range order[from:to] {
			ranks[i] = float64(from+1+to) / 2
		}
		from = to
	}
	return ranks
}

// solve scores the chains of a problem, for each start and function.
func (o *Options) solve(ctx context.Context, c *Contest, p *samplers.Problem) (rows []Row, err error) {
	n := p.Samples(o.Budget)
	for i := range p.Starts {
		for _, f := range p.Functions {
			r := Row{Setting: samplers.Setting{Problem: p, Start: p.Starts[i], Function: f, N: n}, Contest: c, Budget: o.Budget, Work: p.Work(n), DropGain: 1}
			if err := o.score(ctx, &r); err != nil {
				return nil, fmt.Errorf("%v: %w", &r.Setting, err)
			}
			rows = append(rows, r)
		}
	}
	return rows, nil
}

// score computes the numbers of a row that need no competitors.
func (o *Options) score(ctx context.Context, r *Row) error {
	trials, err := o.trials(ctx, r)
	if err != nil {
		return err
	}
	sums := make([]total, len(trials))
	for _, part := range r.Function.Parts {
		if err := add(ctx, r.Chain, part, trials, sums); err != nil {
			return err
		}
	}
	r.Scores = sums[0].scores()
	for i := range sums {
		gain := sums[i].scores()[Mean].RESS / r.Scores[Mean].RESS
		if gain > r.DropGain {
			r.Dropped, r.DropGain = r.N-trials[i].n, gain
		}
	}
	return o.succeed(ctx, r)
}

// trial is a number of samples from a law, with the others dropped before.
type trial struct {
	law []float64
	n   int64
}

// trials returns the chain without a warm-up, and then those with the warm-ups that are tried.
func (o *Options) trials(ctx context.Context, r *Row) ([]trial, error) {
	all := []trial{{r.Start.Law, r.N}}
	for _, share := range o.Drop {
		dropped := int64(share * float64(r.N))
		if dropped == 0 {
			continue
		}
		law, err := r.Chain.After(ctx, r.Start.Law, int(dropped))
		if err != nil {
			return nil, err
		}
		all = append(all, trial{law, r.N - dropped})
	}
	return all, nil
}

// total holds the sums over coordinates of the mean squared errors, and of R of independent draws (Eqs. 4 and 5).
type total struct{ r, mse [estimates]float64 }

func (t *total) scores() (s [3]Score) {
	for e := range s {
		s[e].RESS = t.r[e] / t.mse[e]
	}
	return s
}

// add adds the errors of one coordinate in each trial to the sums.
func add(ctx context.Context, c *averages.Chain, f *averages.Function, trials []trial, sums []total) error {
	var starts [][]float64
	var n []int64
	for _, t := range trials {
		starts, n = append(starts, t.law), append(n, t.n)
	}
	slices.Sort(n)
	n = slices.Compact(n)
	errors, err := c.FastestErrors(ctx, question(f, starts, n))
	if err != nil {
		return err
	}
	for i, t := range trials {
		at, _ := slices.BinarySearch(n, t.n)
		e := errors[i][at]
		for k, v := range [estimates]struct{ r, mse float64 }{
			Mean: {1, e.MSE}, Variance: {f.IndependentVariance(t.n), e.MSEVariance}, Distribution: {f.IndependentCvM(), e.CvM},
		} {
			sums[i].r[k] += v.r
			sums[i].mse[k] += v.mse
		}
	}
	return nil
}

const (
	// lawCost is the largest number of multiplications for the law of a mean, about a second's worth.
	lawCost = 3e8
	// boundsWidth is how far the bounds of a probability of success may be apart for their middle to stand for it.
	boundsWidth = 1e-3
)

// succeed computes the probability of success, from the law of the mean where it is not too large.
func (o *Options) succeed(ctx context.Context, r *Row) error {
	r.Success, r.SuccessBy = samplers.GaussianSuccess(r.Scores[Mean].RESS, o.Chains), ByNormal
	if err := o.succeedOthers(ctx, r); err != nil || !r.lawful() {
		return err
	}
	sum, err := r.Chain.SumLaw(ctx, r.Function.Parts[0], r.Start.Law, int(r.N))
	if err != nil {
		return err
	}
	s, err := sum.Success(ctx, o.Chains, samplers.SuccessRESS)
	switch {
	case err != nil:
		return err
	case !math.IsNaN(s.P):
		r.Success, r.SuccessBy = s.P, ByLaw
	case s.High-s.Low <= boundsWidth:
		r.Success, r.SuccessBy = s.Low+(s.High-s.Low)/2, ByBounds
	}
	return nil
}

// succeedOthers computes the probabilities of success of the variance and of the distribution.
func (o *Options) succeedOthers(ctx context.Context, r *Row) error {
	r.SuccessVariance, r.SuccessVarianceBy = samplers.GaussianSuccess(r.Scores[Variance].RESS, o.Chains), ByNormal
	r.SuccessKS = math.NaN()
	if len(r.Function.Parts) > 1 {
		return nil
	}
	f := r.Function.Parts[0]
	if work, err := r.Chain.KSWork(f, r.Start.Law, int(r.N)); err != nil || work > lawCost {
		return nil
	}
	s, err := r.Chain.CountSuccess(ctx, f, r.Start.Law, int(r.N), o.Chains, samplers.SuccessRESS)
	if err != nil {
		return ctx.Err() // a chain may come to a state of probability zero, and the distance of independent draws take too long
	}
	if s.Variance.High-s.Variance.Low <= boundsWidth {
		r.SuccessVariance, r.SuccessVarianceBy = s.Variance.Low+(s.Variance.High-s.Variance.Low)/2, ByBounds
	}
	if s.KS.High-s.KS.Low <= boundsWidth {
		r.SuccessKS = s.KS.Low + (s.KS.High-s.KS.Low)/2
	}
	return nil
}

// lawful reports whether the law of the mean can be computed in about a second.
func (r *Row) lawful() bool {
	if !r.Function.Whole() {
		return false
	}
	work, err := r.Chain.SumLawWork(r.Function.Parts[0], r.Start.Law, int(r.N))
	return err == nil && work <= lawCost
}

// competitors returns how many chains there are on a toy.
func (c *Contest) competitors(toy string) (n int) {
	for i := range c.Problems {
		if c.Problems[i].Toy.Name == toy {
			n++
		}
	}
	return n
}
