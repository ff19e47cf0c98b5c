package aide

import (
	"context"
	"fmt"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/particle"
	"breadboard/exact/smc"
	"breadboard/exact/weights"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
)

// MaxMeta is the largest number of meta-inference runs for which the moments of AIDE keep their
// digits.
const MaxMeta = smc.MaxTraces

// Row is the result of AIDE for a pair of algorithms on one annealing, with one number of
// meta-inference runs on each side. Numbers are in nats. A number without an exact method is NaN,
// and Notes have the reason.
type Row struct {
	subject.Case
	Target, Gold   string // the algorithms that are compared, in canonical form
	Meta, GoldMeta int    // the numbers of meta-inference runs
	// WithoutFirstTrace marks a row of the faulty variant of AIDE, whose mean can be below J and
	// bounds nothing.
	WithoutFirstTrace bool
	Numbers
	Method string  // how the distribution of the target algorithm, and then of the gold standard, is computed
	Sample *Sample // the results of runs of the estimator; nil without runs
	Notes  []string
}

// Numbers are the exact values of a row, in nats.
type Numbers struct {
	J              float64 // the symmetric Kullback-Leibler divergence between the outputs
	Mean, SD, Bias float64 // of one estimate, and Mean - J
	// UpperHalf and LowerHalf are the contributions of the target's M traces to the mean:
	// Kullback-Leibler divergences of the distributions of the traces, those of Eqs. 25 and 26 of
	// Cusumano-Towner and Mansinghka 2017 (supplement), averaged over the outputs. In the first,
	// all traces are from meta-inference for outputs of the gold standard; in the second, one is
	// from the run.
	UpperHalf, LowerHalf float64
	// KLQPLower <= KL(target||gold) <= KLQPUpper and KL(gold||target) <= KLPQUpper. The lower one
	// is known if the gold standard is a density, and NaN otherwise. Without the first trace none
	// of them is a bound.
	KLQPLower, KLQPUpper, KLPQUpper float64
	// bounds the error of the means, and of moments of log S of any order
	Error float64
}

// errorJ bounds the error of a divergence between outputs, whose logarithms have the rounding of T
// stages and of the range of log f.
func (r *Row) errorJ(v float64) float64 {
	low, high := number.Bounds(r.Toy.G)
	return number.Divergence(v, 0x1p-52*(float64(r.Distributions())+max(0, high-low))).Error
}

// errorSD bounds the error of SD.
func (r *Row) errorSD() float64 { return ErrorSD(r.SD, r.Mean, r.Error) }

// ErrorSD bounds the error of a standard deviation, whose square is a sum of differences of
// moments, by that of the mean.
func ErrorSD(sd, mean, err float64) float64 {
	return number.Root(sd*sd, 4*err*(1+math.Abs(mean))).Error
}

// Sample is the result of runs of the estimator.
type Sample struct {
	Estimate, StandardError float64
	Z                       float64 // (Estimate - Mean)/StandardError; NaN if the mean is not known
}

// Options are the options of the study.
type Options struct {
	Target, Gold      string // selectors, for Parse
	Metas, GoldMetas  []int  // numbers of meta-inference runs
	WithoutFirstTrace bool   // the faulty variant, which omits the run's own trace
	Runs              int    // the number of runs of the estimator; 0 for none
	Seed              uint64 // of the runs
}

// plan refuses options that the two algorithms do not allow on a case. A case has a row for each
// number of meta-inference runs of the target and, for each of these, of the gold standard.
func plan(_ context.Context, cases []subject.Case, o *Options) (p study.Plan[Row], err error) {
	if o.Runs == 1 || o.Runs < 0 {
		return p, errs.New("{chains} %d, and one run has no standard error; give 2 or more, or leave it out",
			o.Runs)
	}
	for _, m := range slices.Concat(o.Metas, o.GoldMetas) {
		if m < 1 || m > MaxMeta {
			return p, errs.New("%d runs of meta-inference; give 1 to 1e9", m)
		}
	}
	target, err := Parse(o.Target)
	if err != nil {
		return p, err
	}
	gold, err := Parse(o.Gold)
	if err != nil {
		return p, err
	}
	jobs := make([]study.Job[Row], len(cases))
	for i := range cases {
		for _, choice := range []Choice{target, gold} {
			if err := choice.checkCase(&cases[i], o.Runs > 0); err != nil {
				return p, cases[i].Wrong(err)
			}
		}
		jobs[i] = pair{&cases[i], target, gold}.job(o)
	}
	return study.Jobs(jobs), nil
}

// pair is two algorithms on one annealing.
type pair struct {
	*subject.Case
	target, gold Choice
}

// progressSteps returns the progress that the pair counts for: the steps of the traces of its slow
// algorithms, or as many as one slow algorithm if none is slow.
func (p pair) progressSteps() int {
	slow := 0
	for _, c := range []Choice{p.target, p.gold} {
		if c.oneChain() {
			slow++
		}
	}
	return max(1, slow) * weights.LawProgress
}

// job returns the job that makes the rows of the pair.
func (p pair) job(o *Options) study.Job[Row] {
	return study.Job[Row]{Steps: p.progressSteps(),
		Rows: func(ctx context.Context, h study.How) ([]Row, error) {
			add, done := h.Share(p.progressSteps(), p.progressSteps())
			rows, err := p.computeRows(ctx, o, h.Workers, add)
			if err != nil {
				return nil, p.Wrong(err)
			}
			done() // also for algorithms whose traces take no time
			return rows, nil
		}}
}

// computeRows returns the rows of the pair.
func (p pair) computeRows(ctx context.Context, o *Options, workers int, progress func(steps int)) ([]Row,
	error) {
	target, err := p.target.ExactLaw(ctx, p.Case, workers, progress)
	if err != nil {
		return nil, err
	}
	gold := target
	if p.gold != p.target {
		gold, err = p.gold.ExactLaw(ctx, p.Case, workers, progress)
		if err != nil {
			return nil, err
		}
	}
	var rows []Row
	for _, m := range o.Metas {
		for _, g := range o.GoldMetas {
			rows = append(rows, Row{
				Case:              *p.Case,
				Target:            p.target.Name,
				Gold:              p.gold.Name,
				Meta:              m,
				GoldMeta:          g,
				WithoutFirstTrace: o.WithoutFirstTrace,
				Numbers:           Unknown(),
				Method:            target.Method,
				Notes:             target.Notes,
			})
		}
	}
	if p.gold != p.target {
		for i := range rows {
			rows[i].Notes = slices.Concat(rows[i].Notes, gold.Notes)
		}
	}
	if gold.Method != methodDensity {
		for i := range rows {
			rows[i].Method += ", " + gold.Method
		}
	}
	if target.Side != nil && gold.Side != nil {
		posterior := logF(p.Annealing(), p.Distributions())
		chains.Normalize(posterior)
		estimates, err := smc.AIDE(ctx, target.Side, gold.Side, posterior, o.Metas, o.GoldMetas)
		if err != nil {
			return nil, err
		}
		for i := range estimates {
			rows[i].Numbers = NumbersOf(&estimates[i], o.WithoutFirstTrace)
			rows[i].Notes = slices.Concat(rows[i].Notes, estimates[i].Notes)
		}
	}
	if target.Solved != nil && p.gold.Kind == Exact && !o.WithoutFirstTrace {
		for i := range rows {
			rows[i].Numbers = target.Means(rows[i].Meta)
		}
	}
	if o.Runs == 0 {
		return rows, nil
	}
	for i := range rows {
		if err := p.sampleRow(ctx, &rows[i], o, workers); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// sampleRow runs the estimator for one row.
func (p pair) sampleRow(ctx context.Context, r *Row, o *Options, workers int) error {
	e, err := Sampled(ctx, p.maker(p.target), p.maker(p.gold), EstimateOptions{
		Runs:              o.Runs,
		Meta:              r.Meta,
		GoldMeta:          r.GoldMeta,
		WithoutFirstTrace: o.WithoutFirstTrace,
		Seed:              o.Seed,
		Purpose:           fmt.Sprintf("%s %s %s %d %d", p.Key(), r.Target, r.Gold, r.Meta, r.GoldMeta),
		Workers:           workers,
	})
	if err == nil {
		r.Sample = &Sample{Estimate: e.Value, StandardError: e.StandardError, Z: e.Z(r.Mean)}
	}
	return err
}

// maker returns the Maker of an algorithm of the pair.
func (p pair) maker(c Choice) Maker {
	return func() (particle.Algorithm, error) { return c.New(p.Case) }
}

// Unknown returns numbers that are all NaN.
func Unknown() Numbers {
	nan := math.NaN()
	return Numbers{nan, nan, nan, nan, nan, nan, nan, nan, nan, nan}
}

// NumbersOf returns the numbers of an estimate. The variant without the first trace has no bounds.
func NumbersOf(e *smc.Estimate, withoutFirstTrace bool) Numbers {
	n := Numbers{
		J: e.J, Mean: e.Mean, SD: e.SD(), Bias: e.Bias, UpperHalf: e.UpperHalf, LowerHalf: e.LowerHalf,
		KLQPLower: e.KLQPLower, KLQPUpper: e.KLQPUpper, KLPQUpper: e.KLPQUpper, Error: e.Error,
	}
	if withoutFirstTrace {
		n = Unknown()
		n.J, n.Error, n.Mean, n.SD, n.Bias = e.J, e.Error, e.MeanWithoutFirst,
			math.Sqrt(e.VarianceWithoutFirst), e.MeanWithoutFirst-e.J
	}
	return n
}
