package diagnose

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"breadboard/chains/diagnostics"
	"breadboard/chains/errs"
	"breadboard/exact/averages"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/experiments/study"
)

// CalibrateOptions are the options of Calibrate.
type CalibrateOptions struct {
	N        []int  // the numbers of samples
	Chains   int    // K, the number of simulated chains; 0 simulates none
	Seed     uint64 // of the simulated chains
	MeanOnly bool   // whether the errors of the variance and of the distribution are omitted
}

// CalibrateRow has the diagnostics of the chains of a setting, and their errors.
type CalibrateRow struct {
	samplers.Setting
	Chains int // K, the number of simulated chains
	// Exact has the numbers from exact expectations, and exact RESS.
	Exact *Scores
	// Simulated has the numbers of K simulated chains; nil if none are simulated.
	Simulated *Scores
}

// Scores are the diagnostics of chains, and the real effective sample sizes (RESS) that these
// diagnostics should predict. A number that does not exist is NaN.
type Scores struct {
	// ESS is that of a single chain: from the expectations of its autocovariances, or the mean over
	// simulated chains.
	ESS float64
	// All is the effective sample size of all chains: for simulated chains the bulk ESS, for
	// expectations that of K chains, and NaN if none are simulated.
	All                       float64
	RHat, RHatSplit, RHatRank float64 // expectations have only the first
	// Geweke is the root mean square of Geweke's score by the expectations, or the largest |z| of
	// the simulated chains with a score; GewekeMedian is the same by the expectations, or the
	// median |z|.
	Geweke, GewekeMedian float64
	// RESS of a chain's mean, variance and distribution (Cramer-von Mises), Eq. 4
	Mean, Variance, Distribution float64
	// KSLow and KSHigh bound RESS of the distribution by the Kolmogorov-Smirnov distance; they are
	// equal for simulated chains.
	KSLow, KSHigh float64
	ESSD          float64 // Eq. 8 for the mean, of simulated chains
}

const (
	// minSamples is the least number of samples, from which Geweke's test is defined.
	minSamples = diagnostics.MinGeweke
	// maxSamples is the largest one.
	maxSamples = averages.MaxExpectations
)

func (o *CalibrateOptions) checkProblems(problems []samplers.Problem) error {
	if o.Chains < 0 || o.Chains == 1 || o.Chains > samplers.MaxChains {
		return errs.New("{chains} %d, and R-hat compares chains; give 2 to %d", o.Chains, samplers.MaxChains)
	}
	for _, n := range o.N {
		if n < minSamples || n > maxSamples {
			return errs.New(
				"{N} %d; give %d to %d samples: Geweke's test needs some in the first tenth, and the rounding of "+
					"expected autocovariances grows with N",
				n,
				minSamples,
				maxSamples,
			)
		}
		for _, p := range problems {
			if err := averages.CheckExpectations(p.Chain.States(), n); err != nil {
				return fmt.Errorf("toy %s: %w", p.Toy.Name, err)
			}
		}
	}
	if err := checkDraws(problems, o.N, o.Chains); err != nil {
		return err
	}
	if len(samplers.Settings(problems, o.N)) == 0 {
		return errs.New(
			"there are no starts or no functions; give one of each, as in {start} uniform {function} x0",
		)
	}
	return nil
}

// task is a problem with one of its functions, whose errors are found in one pass for all starts
// and numbers of samples.
type task struct {
	*samplers.Problem
	function samplers.Function
	free     *independents
}

// independents has what is known, in one run, of independent draws from targets, which all kernels
// share.
type independents struct {
	mu sync.Mutex
	// by the number of draws and the distribution of the function, on which all else depends
	known map[string]func() (averages.KS, error)
}

// squaredKS returns E[KS^2] of that many independent draws. The first caller computes it, and
// others wait for that.
func (i *independents) squaredKS(ctx context.Context, f *averages.Function, n int) (float64, error) {
	i.mu.Lock()
	key := fmt.Sprint(n, f.Masses)
	find := i.known[key]
	if find == nil {
		find = sync.OnceValues(func() (averages.KS, error) { return f.IndependentKS(ctx, n, nil) })
		i.known[key] = find
	}
	i.mu.Unlock()
	ks, err := find()
	return ks.Square, err
}

// calibratePlan finds what the diagnostics of every setting say, and how far its chains are off.
// The rows go by problem, function, start and N, which rises.
func calibratePlan(_ context.Context, problems []samplers.Problem,
	o *CalibrateOptions) (study.Plan[CalibrateRow], error) {
	var jobs []study.Job[CalibrateRow]
	free := &independents{known: make(map[string]func() (averages.KS, error))}
	for i := range problems {
		p := &problems[i]
		for _, f := range p.Functions {
			t := task{p, f, free}
			steps := t.progressSteps(o)
			jobs = append(jobs, study.Job[CalibrateRow]{
				Steps: steps,
				Rows: func(ctx context.Context, h study.How) ([]CalibrateRow, error) {
					add, done := h.Share(steps, steps)
					defer done()
					return t.calibrate(ctx, o, add)
				},
			})
		}
	}
	return study.Jobs(jobs), o.checkProblems(problems)
}

// progressSteps returns what the task counts for in progress.
func (t task) progressSteps(o *CalibrateOptions) (steps int) {
	if !t.function.IsScalar() {
		return 0 // it will be refused
	}
	for _, n := range o.N {
		steps += len(t.Starts) * averages.ExpectationSteps(n)
	}
	q := t.question(o)
	if method, err := t.Chain.Fastest(q); err == nil {
		steps += t.Chain.Steps(q, method)
	}
	return steps
}

// question asks for the errors of all rows.
func (t task) question(o *CalibrateOptions) averages.Question {
	f := t.function.Parts[0]
	q := averages.Question{Function: f, Variance: !o.MeanOnly, Distribution: !o.MeanOnly}
	for _, n := range slices.Sorted(slices.Values(o.N)) {
		q.N = append(q.N, int64(n))
	}
	for _, s := range t.Starts {
		q.Starts = append(q.Starts, s.Law)
	}
	return q
}

func (t task) calibrate(ctx context.Context, o *CalibrateOptions,
	progress func(steps int)) ([]CalibrateRow, error) {
	f := t.function.Parts[0]
	q := t.question(o)
	q.Progress = progress
	errors, err := t.Chain.FastestErrors(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("%s, function %s: %w", t.Name(), t.function.Name, err)
	}
	var rows []CalibrateRow
	free := make([]float64, len(q.N)) // R of the Kolmogorov-Smirnov distance
	for j, n := range q.N {
		free[j] = math.NaN()
		if o.MeanOnly {
			continue
		}
		if square, err := t.free.squaredKS(ctx, f, int(n)); err == nil { // else it takes too long
			free[j] = float64(n) * square
		} else if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	for i, s := range t.Starts {
		for j, n := range q.N {
			r := CalibrateRow{Setting: samplers.Setting{
				Problem:  t.Problem,
				Start:    s,
				Function: t.function,
				N:        n,
			}, Chains: o.Chains}
			if err := r.scoreRow(ctx, errors[i][j], free[j], o, progress); err != nil {
				return nil, fmt.Errorf("%v: %w", &r.Setting, err)
			}
			rows = append(rows, r)
		}
	}
	return rows, nil
}

// scoreRow finds the scores of a row, given R of the Kolmogorov-Smirnov distance.
func (r *CalibrateRow) scoreRow(ctx context.Context, e averages.Errors, free float64, o *CalibrateOptions,
	progress func(steps int)) error {
	f := r.Function.Parts[0]
	expected, err := r.Chain.Expectations(ctx, f, r.Start.Law, int(r.N), max(o.Chains, 1), progress)
	if err != nil {
		return err
	}
	r.Exact = exact(expected, r.N)
	if o.Chains == 0 {
		r.Exact.All = math.NaN()
	}
	r.Exact.Mean, r.Exact.Variance, r.Exact.Distribution = 1/e.MSE.Float(),
		f.IndependentVariance(r.N)/e.MSEVariance.Float(), f.IndependentCvM()/e.CvM.Float()
	r.Exact.KSLow, r.Exact.KSHigh = free/e.KS2High.Float(), free/e.KS2Low.Float()
	if o.Chains == 0 {
		return nil
	}
	draws, err := Simulate(ctx, r.Setting, o.Chains, o.Seed, 1)
	if err != nil {
		return err
	}
	r.Simulated, err = simulated(ctx, draws, f, free)
	return err
}

// exact returns the diagnostics that the expectations of N samples give.
func exact(e *averages.Expectations, n int64) *Scores {
	nan := math.NaN()
	s := &Scores{ESS: e.ESSSingle, All: e.ESS, RHat: e.RHat, RHatSplit: nan, RHatRank: nan, ESSD: nan}
	// A window has as much of the effective sample size as it has of the samples.
	first, last := diagnostics.Windows(int(n))
	square := e.MeanVariance / e.ESSSingle * float64(n) * (1/float64(first) + 1/float64(last))
	s.Geweke = math.Sqrt(e.GewekeDifference2 / square)
	s.GewekeMedian = s.Geweke
	return s
}

// simulated returns the diagnostics of the draws of a function, and the RESS of their chains, given
// R of the Kolmogorov-Smirnov distance.
func simulated(ctx context.Context, draws diagnostics.Draws, f *averages.Function,
	free float64) (*Scores, error) {
	s := &Scores{}
	byOrder := ordered(draws)
	err := findAll(ctx, nil, []finding{
		{"", setNumber(&s.RHat, draws, diagnostics.RHat)},
		{"", setNumber(&s.RHatSplit, draws, diagnostics.RHatSplit)},
		{"", byOrder(&s.All, (*diagnostics.Ordered).ESSBulk)},
		{"", byOrder(&s.RHatRank, (*diagnostics.Ordered).RHatRank)},
	})
	if err != nil {
		return nil, err
	}
	_, each, err := diagnostics.ESSEach(draws)
	if err != nil {
		return nil, err
	}
	var scores []float64
	for i, chain := range draws {
		z, err := diagnostics.Geweke(chain)
		if err != nil {
			return nil, err
		}
		s.ESS += each[i] / float64(len(draws))
		if !math.IsNaN(z) {
			scores = append(scores, math.Abs(z))
		}
	}
	s.Geweke, s.GewekeMedian = math.NaN(), diagnostics.Median(scores)
	if len(scores) > 0 {
		s.Geweke = slices.Max(scores)
	}
	s.Mean, s.Variance, s.Distribution, s.KSLow = real(draws, f, free)
	s.KSHigh = s.KSLow
	s.ESSD = diagnostics.ESSD(s.ESS, s.Mean, len(draws))
	return s, nil
}

// Estimate is an estimated quantity with its RESS.
type Estimate struct {
	Name string
	RESS func(s *Scores) (low, high float64) // bounds, which are the same if it is known
}

// Estimates returns the estimates of the study. All are compared with the same effective sample
// size.
func Estimates() []Estimate {
	return []Estimate{
		{"mean", func(s *Scores) (low, high float64) { return s.Mean, s.Mean }},
		{"variance", func(s *Scores) (low, high float64) { return s.Variance, s.Variance }},
		{"distribution", func(s *Scores) (low, high float64) { return s.Distribution, s.Distribution }},
		{"KS", func(s *Scores) (low, high float64) { return s.KSLow, s.KSHigh }},
	}
}

// level is the probability of the region of Eq. 9.
const level = 0.95

// Shares count where RESS lies relative to the region in which it would be with probability Level
// if the chains were as good as the effective sample size says (Eq. 9). The share below the region
// should then be (1 - Level)/2.
type Shares struct {
	Estimate             string
	Kind                 Kind
	Below, Within, Above int // numbers of settings
}

// Settings returns how many settings there are.
func (s *Shares) Settings() int { return s.Below + s.Within + s.Above }

// BelowRate, WithinRate and AboveRate return the shares of the settings; NaN if there are none.
func (s *Shares) BelowRate() float64  { return share(s.Below, s.Settings()) }
func (s *Shares) WithinRate() float64 { return share(s.Within, s.Settings()) }
func (s *Shares) AboveRate() float64  { return share(s.Above, s.Settings()) }

// count returns the shares of each estimate and kind, for K chains. It omits settings without RESS
// or ESS, and those where the bounds of RESS are on different sides of an end of the region.
func count(rows []CalibrateRow, chains int) (out []Shares) {
	low, high := diagnostics.Region(chains, level)
	for _, k := range kinds(rows) {
		for _, e := range Estimates() {
			s := Shares{Estimate: e.Name, Kind: k}
			for i := range rows {
				scores := rows[i].Scores(k)
				least, most := e.RESS(scores)
				least, most = least/scores.ESS, most/scores.ESS
				switch {
				case math.IsNaN(least) || math.IsNaN(most):
				case most < low:
					s.Below++
				case least > high:
					s.Above++
				case least >= low && most <= high:
					s.Within++
				}
			}
			if s.Settings() > 0 {
				out = append(out, s)
			}
		}
	}
	return out
}
