// Package rank answers: which kernel is best on which target? It compares kernels at equal work,
// counted in evaluations of log f, by the exact real effective sample sizes (RESS) of their
// estimates. It never prints, draws or reads flags.
//
// An example is a target with a start and a function. NESS is RESS divided by the median number of
// samples of the competitors on the same example, so that examples of different cost can be
// averaged. Work does not include the time of an evaluation or a move.
//
//	$ breadboard samplers rank --toy easy,hard,barrier --kernel metropolis,jump:0.1,heatbath-scan
//	 kernel        │ examples │ mean rank │ wins │ NESS mean │ its median │ NESS variance │ NESS CvM │ P(success) │ of variance │  RESS/N │ warm-up pays
//	───────────────┼──────────┼───────────┼──────┼───────────┼────────────┼───────────────┼──────────┼────────────┼─────────────┼─────────┼──────────────
//	 heatbath-scan │        3 │      1.33 │    2 │    0.0285 │     0.0232 │        0.0289 │   0.0348 │      0.679 │       0.679 │   0.278 │        0.333
//	 jump:0.1      │        3 │      1.67 │    1 │    0.0116 │     0.0122 │         0.012 │   0.0209 │      0.971 │       0.975 │  0.0122 │            0
//	 metropolis    │        3 │         3 │    0 │  0.000658 │    3.18e-5 │       0.00174 │ 0.000835 │      0.293 │       0.492 │ 3.18e-5 │            0
//	 toy     │ best kernel   │     N │  RESS │     NESS │ P(success) │ by       │ best dropped │ its gain │ next best     │ its RESS
//	─────────┼───────────────┼───────┼───────┼──────────┼────────────┼──────────┼──────────────┼──────────┼───────────────┼──────────
//	 easy    │ heatbath-scan │   834 │   232 │   0.0232 │          1 │ Gaussian │            0 │        1 │ jump:0.1      │      122
//	 hard    │ jump:0.1      │ 10000 │ 20.72 │ 0.002072 │     0.9133 │ Gaussian │            0 │        1 │ heatbath-scan │    3.715
//	 barrier │ heatbath-scan │   834 │   620 │    0.062 │          1 │ Gaussian │            0 │        1 │ jump:0.1      │    206.8
//
// Source: Turner and Neal 2017, sections 4.6 and 5, Eqs. 4 to 7, Table 1 and Figure 2.
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
	"breadboard/experiments/columns"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
)

// Estimate is the estimated property of a function: its mean, its variance, or its whole
// distribution.
type Estimate int

// The estimates. The distribution is scored by the Cramer-von Mises distance, whose exact error is
// known at every N. The Kolmogorov-Smirnov distance of Turner and Neal (2017) has only bounds if N
// is large.
const (
	Mean Estimate = iota
	Variance
	Distribution
	estimates
)

// Estimates returns all estimates.
func Estimates() []Estimate { return []Estimate{Mean, Variance, Distribution} }

// Score is the accuracy of an estimate.
type Score struct {
	RESS float64 // the real effective sample size
	NESS float64 // RESS over the median number of samples of the competitors on the same example (Eq. 7)
	Rank float64 // by RESS among the competitors, from one, the best; equal ones share their mean rank
}

// Row is the exact answer for one kernel on one example, which is a target with a start and a
// function.
type Row struct {
	samplers.Setting              // N is the number of samples within the budget
	Contest          *Contest     // in which the kernel competes
	Budget           float64      // the largest number of evaluations of log f of a chain
	Work             float64      // evaluations of log f
	Competitors      int          // on the example, this one among them
	Median           float64      // the median number of samples of the competitors on the example
	Scores           [3]Score     // by Estimate
	Success          float64      // the probability that the RESS of all chains is at least samplers.SuccessRESS
	SuccessBy        SuccessRoute // how Success was computed
	// SuccessVariance is the same of the variance, and SuccessKS that of the distribution by its
	// Kolmogorov-Smirnov distance, which is NaN unless the distribution of how many samples are at
	// each level is small enough.
	SuccessVariance, SuccessKS float64
	SuccessVarianceBy          SuccessRoute // how SuccessVariance was computed
	// Dropped is the best of the tried numbers of first samples to drop as warm-up, and DropGain
	// the RESS of the mean of the others over that of all. They are zero and one if dropping none
	// is best.
	Dropped  int64
	DropGain float64
}

// SuccessRoute is a way to compute a probability of success.
type SuccessRoute string

// The routes to a probability of success.
const (
	ByLaw    SuccessRoute = "law"      // from the exact distribution of the mean
	ByBounds SuccessRoute = "bounds"   // the middle of two proven bounds, which are at most boundsWidth apart
	ByNormal SuccessRoute = "Gaussian" // the probability for Gaussian errors of the exact RESS
)

// Options are the options of the study.
type Options struct {
	Budget float64   // the largest number of evaluations of log f of a chain
	Chains int       // the number of chains whose success is computed
	Drop   []float64 // the shares of the samples that are tried as warm-up, from 0 on and below 1
}

func (o *Options) check() error {
	if o.Chains < 1 || o.Chains > samplers.MaxChains {
		return chains.NewAdvice("{chains} %d; give a number of chains from 1 to %d", o.Chains, samplers.MaxChains)
	}
	for _, share := range o.Drop {
		if !(share >= 0 && share < 1) {
			return chains.NewAdvice("{drop} %v; give shares of the samples from 0 to below 1, as in {drop} 0.1,0.5", share)
		}
	}
	return nil
}

// plan scores every chain of each contest. The rows are ordered by target, start and function;
// those of one example are in the order of the kernels.
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
				if err := able(&c.Problems[j], o.Budget); err != nil {
					return nil, err
				}
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
		if !subject.Usable(err) && !chains.Ended(ctx, err) {
			return nil, err
		}
		return ranked(rows, err != nil), err
	}
	return p, nil
}

// ranked sets the rows of each example beside one another. Where some are not finished it leaves
// out examples that are not complete: a rank among those that were finished would be none among
// all.
func ranked(rows []Row, unfinished bool) (out []Row) {
	for _, example := range Examples(rows) {
		competitors := 0
		for _, p := range example[0].Contest.Problems {
			if p.Toy.Name == example[0].Toy.Name {
				competitors++
			}
		}
		if unfinished && len(example) < competitors {
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

// tied is the relative difference up to which two scores are equal: what rounding may leave of
// equal ones.
const tied = 1e-9

// Ranks returns the rank of each score, from one for the highest. Scores equal to the highest up to
// rounding share the mean of their ranks.
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
	trials := []trial{{r.Start.Law, r.N}} // the chain without a warm-up, and those with the warm-ups that are tried
	for _, share := range o.Drop {
		if dropped := int64(share * float64(r.N)); dropped > 0 {
			law, err := r.Chain.After(ctx, r.Start.Law, int(dropped))
			if err != nil {
				return err
			}
			trials = append(trials, trial{law, r.N - dropped})
		}
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

// trial is a number of samples from a distribution, with the others dropped before.
type trial struct {
	law []float64
	n   int64
}

// total holds the sums over coordinates of the mean squared errors, and of R of independent draws
// (Eqs. 4 and 5).
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
	n = slices.Compact(slices.Sorted(slices.Values(n)))
	errors, err := c.FastestErrors(ctx, question(f, starts, n))
	if err != nil {
		return err
	}
	for i, t := range trials {
		at, _ := slices.BinarySearch(n, t.n)
		e := errors[i][at]
		for k, v := range [estimates]struct{ r, mse float64 }{
			Mean: {1, e.MSE.Float()}, Variance: {f.IndependentVariance(t.n), e.MSEVariance.Float()}, Distribution: {f.IndependentCvM(), e.CvM.Float()},
		} {
			sums[i].r[k] += v.r
			sums[i].mse[k] += v.mse
		}
	}
	return nil
}

const (
	// lawCost is the largest number of multiplications for the distribution of a mean, about a
	// second's worth.
	lawCost = 3e8
	// boundsWidth is how far the bounds of a probability of success may be apart for their middle
	// to stand for it.
	boundsWidth = 1e-3
)

// succeed computes the probability of success, from the distribution of the mean where that takes
// about a second or less.
func (o *Options) succeed(ctx context.Context, r *Row) error {
	r.Success, r.SuccessBy = samplers.GaussianSuccess(r.Scores[Mean].RESS, o.Chains), ByNormal
	if err := o.succeedOthers(ctx, r); err != nil || !r.Function.Whole() {
		return err
	}
	f := r.Function.Parts[0]
	if work, err := r.Chain.SumLawWork(f, r.Start.Law, int(r.N)); err != nil || work > lawCost {
		return nil
	}
	sum, err := r.Chain.SumLaw(ctx, f, r.Start.Law, int(r.N))
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

// Study declares the study of kernels at equal work. Its subjects are contests.
func Study() *study.Study[Contest, Options, Row] {
	return study.New(Options{Budget: 1e4, Chains: 8, Drop: []float64{0.1, 0.5}}, plan, study.Declaration{
		Name: "samplers rank",
		Cost: func(s subject.Size) subject.Cost { return s.General }, // of rows
		Asks: "Which kernel is best on which target? An exact leaderboard at equal work",
		Help: `rank compares kernels on a corpus of targets at equal work, with exact scores. Every
chain takes as many samples as --work evaluations of log f pay for: one
evaluation for the start, then those of each move. The scores are the real
effective sample sizes (RESS) of the mean, the variance and the distribution of a
function; the latter is by the Cramer-von Mises distance, CvM.

  NESS         RESS divided by the median number of samples of the competitors on
               the same target (Turner and Neal 2017, Eq. 7); the leaderboard has
               its mean and median over the targets, like their Table 1
  rank         by RESS; 1 is best, equal kernels share a rank, and a shared win
               counts as a fraction
  RESS/N       the median efficiency (Eq. 6)
  P(success)   the probability that --chains chains have a RESS of at least 12.
               It comes from the exact distribution of the mean if that is small
               enough ("law", or "bounds" if two bounds agree to 0.001), else
               from Gaussian errors with the exact RESS ("Gaussian"). The same
               for the variance; and for the distribution, by the
               Kolmogorov-Smirnov distance (KS), if bounds are known, that is
               for functions of few values and small budgets
  Warm-up pays the share of the targets on which dropping samples at the start,
               at the same budget, raises the RESS of the mean by more than one
               percent; --drop gives the shares of the samples to try

A second table gives the best kernel for each target. A note lists the kernels
that cannot move on a target's space or whose work per move is unknown; they are
omitted there. Your own corpus is FILE.toml (breadboard samplers corpus --help).

With --out it also writes the scores of every kernel on every target. It draws box
plots of NESS and efficiency, for all targets and for those with RESS of at least
12, and a map of NESS by kernel and target.`,
		Examples: `  breadboard samplers rank
  breadboard samplers rank --corpus standard --work 1e4 --out results
  breadboard samplers rank --toy easy,barrier --kernel metropolis,heatbath,lazy:0.5 --start uniform,target --work 1000
  breadboard samplers rank --function all --format json`,
		Counts: "chains", Workers: true,
		Options: study.OptionsOf(func(o *Options) []study.Option {
			return []study.Option{
				{Name: "work", Doc: "of a chain",
					To: study.Number(&o.Budget)},
				study.CountOption("chains", "for P(success)", &o.Chains, nil),
				{Name: "drop",
					To: study.Numbers(&o.Drop)},
			}
		}),
		Columns: fields(),
		Unswept: "a row means nothing without those of the competing kernels",
	})
}

// Name returns the name of the estimate in columns for machines.
func (e Estimate) Name() string { return [estimates]string{"mean", "var", "cvm"}[e] }

// Title returns the name of the estimate in columns for people.
func (e Estimate) Title() string { return [estimates]string{"mean", "variance", "CvM"}[e] }

func fields() columns.List {
	fields := samplers.SettingColumns((*Row).TheSetting, "toy", "kernel", "start", "warmup", "function", "N")
	add := func(name string, kind columns.Type, title, meaning string, of func(*Row) any) {
		fields = append(fields, columns.Any(name, title, kind, meaning, of).Digits(4))
	}
	add("work", columns.Float, "work", "the evaluations of log f of a chain", func(r *Row) any { return r.Work })
	add("median_N", columns.Float, "", "the median number of samples of the competitors on the same example", func(r *Row) any { return r.Median })
	add("competitors", columns.Int, "", "the number of competitors on the example, including this one", func(r *Row) any { return r.Competitors })
	for e := range estimates {
		add("ress_"+e.Name(), columns.Float, "RESS "+e.Title(), "the real effective sample size of the "+e.Title(), func(r *Row) any { return r.Scores[e].RESS })
		add("ness_"+e.Name(), columns.Float, "", "ress_"+e.Name()+" divided by median_N", func(r *Row) any { return r.Scores[e].NESS })
		add("rank_"+e.Name(), columns.Float, "", "the rank by ress_"+e.Name()+" among the competitors; 1 is best, equal ones share the mean rank",
			func(r *Row) any { return r.Scores[e].Rank })
	}
	add("eff", columns.Float, "", "the real effective sample size of the mean divided by N", func(r *Row) any { return r.Scores[Mean].RESS / float64(r.N) })
	add("p_success", columns.Float, "P(success)", "the probability that the real effective sample size of all chains is enough",
		func(r *Row) any { return r.Success })
	add("p_success_by", columns.String, "by", "how p_success is computed: law (from the exact distribution), bounds or Gaussian",
		func(r *Row) any { return string(r.SuccessBy) })
	add("p_success_var", columns.Float, "P(var)", "the probability that the real effective sample size of the variance of all chains is enough",
		func(r *Row) any { return r.SuccessVariance })
	add("p_success_var_by", columns.String, "", "how p_success_var is computed: bounds or Gaussian", func(r *Row) any { return string(r.SuccessVarianceBy) })
	add("p_success_ks", columns.Float, "P(KS)",
		"the same probability for the distribution, by the Kolmogorov-Smirnov distance; NaN unless the distribution of the number of samples at each level is small",
		func(r *Row) any { return r.SuccessKS })
	add("dropped", columns.Int, "best dropped", "the best number of samples to drop at the start", func(r *Row) any { return int(r.Dropped) })
	add("drop_gain", columns.Float, "gain", "the factor by which dropping them raises RESS of the mean", func(r *Row) any { return r.DropGain })
	return columns.Answers(fields, "ress_mean", "ress_var", "p_success")
}
