package rank

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/sorts"
	"breadboard/exact/averages"
	"breadboard/experiments"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/experiments/study"
)

// Check is an order that is checked.
type Check string

const (
	Peskun   Check = "peskun"   // of two reversible kernels, the one that moves more
	Lazy     Check = "lazy"     // a kernel beside its lazy form
	Thinning Check = "thinning" // all samples beside every m-th of them
)

// Verdict is what a check says.
type Verdict string

const (
	Holds   Verdict = "holds"
	Fails   Verdict = "fails at finite N" // an order of limits that does not hold at this N, which is no fault
	Faulty  Verdict = "fault"             // a theorem is violated
	Unknown Verdict = "unknown"           // there is no limit, since the kernel is reducible
	NoOrder Verdict = "no order"          // no theorem puts the two kernels in an order: the row has no numbers, and its note says why
)

// Comparison is a pair of kernels on a target with the order in which a theorem puts their errors.
type Comparison struct {
	Check         Check
	First, Second *samplers.Problem // the error of the first is at most that of the second; for Lazy they are kernel and lazy kernel
	Function      samplers.Function
	Stay          float64 // the probability of staying, for Lazy
	Thin          int     // one of how many samples is kept, for Thinning; else 1
	// Excess is by how much relatively an entry of the second kernel is above that of the first, by rounding, for Peskun.
	Excess float64
}

// OrderRow is a comparison at one number of samples.
type OrderRow struct {
	*Comparison
	// N is the number of samples, or of those that are kept, so that Thin N have been made. It is 0 in the limit of many.
	N int64
	// First and Second are the numbers that are compared: mean squared errors of the mean, in units of the target's variance, and in the
	// limit N times them, for thinning N times Thin. For Lazy they are tau' and (tau + p)/(1 - p).
	First, Second float64
	Ratio         float64 // First / Second; 1 where both are zero
	Rounding      float64 // about how far rounding may have moved the ratio, relatively
	Verdict       Verdict
	Note          string
}

// Limit reports whether the row is of the limit of many samples.
func (r *OrderRow) Limit() bool { return r.N == 0 }

// OrderOptions say what is compared.
type OrderOptions struct {
	N    []int64   // the numbers of samples
	Lazy []float64 // probabilities of staying, above 0 and below 1
	Thin []int     // one of how many samples is kept, 2 or more
}

// maxThin is the largest number of samples of which one is kept.
const maxThin = 10_000

// Fault returns an error that names the first theorem that is violated, and nil where all hold.
func Fault(rows []OrderRow) error {
	for i := range rows {
		if row := &rows[i]; row.Verdict == Faulty {
			at := "in the limit"
			if !row.Limit() {
				at = fmt.Sprintf("at N = %d", row.N)
			}
			return chains.NewFault(fmt.Errorf("%s, toy %s, function %s, %s: kernel %s has %v and %s %v, against a theorem; the rows of one of them or a solver are wrong",
				row.Check, row.Comparison.First.Toy.Name, row.Function.Name, at, row.Comparison.First.Kernel, row.First, row.Comparison.Second.Kernel, row.Second))
		}
	}
	return nil
}

func (o OrderOptions) check() error {
	if len(o.N) == 0 || slices.Min(o.N) < 1 {
		return chains.NewAdvice("{N} %v; give numbers of samples from 1 on", o.N)
	}
	for _, p := range o.Lazy {
		if !(p > 0 && p < 1) {
			return chains.NewAdvice("{lazy} %v; give probabilities of staying above 0 and below 1", p)
		}
	}
	for _, m := range o.Thin {
		if m < 2 || m > maxThin {
			return chains.NewAdvice("{thin} %d; one of how many samples is kept: give numbers from 2 to %d", m, maxThin)
		}
		if last := slices.Max(o.N); last > averages.MaxSquaring/int64(m) {
			return chains.NewAdvice("{thin} %d with {N} %d takes %.3g samples; the limit is %.3g: give a smaller {N}", m, last, float64(m)*float64(last), float64(averages.MaxSquaring))
		}
	}
	return nil
}

// checkAll fails where the errors of a problem cannot be had.
func (o OrderOptions) checkAll(problems []samplers.Problem) error {
	for i := range problems {
		for _, f := range problems[i].Functions {
			for _, part := range f.Parts {
				if _, err := problems[i].Chain.Fastest(stationary(&problems[i], part, o.samples())); err != nil {
					return fmt.Errorf("%s: %w", problems[i].Name(), err)
				}
			}
		}
	}
	return nil
}

// samples returns the numbers of samples of a kernel whose thinned forms are compared: those of Options.N and all multiples of them.
func (o OrderOptions) samples() []int64 {
	all := slices.Clone(o.N)
	for _, m := range o.Thin {
		for _, n := range o.N {
			all = append(all, int64(m)*n)
		}
	}
	return slices.Compact(sorts.Int64s(slices.Values(all)))
}

// orderPlan makes all comparisons: for every kernel those with its lazy and thinned forms, and of every two kernels on a target the one in
// Peskun's order. The rows have of each comparison the limit, and then each number of samples. It does not fail where a theorem is violated:
// see Fault.
func orderPlan(_ context.Context, problems []samplers.Problem, options *OrderOptions) (p study.Plan[OrderRow], err error) {
	o := *options
	o.N = sorts.Int64s(slices.Values(o.N))
	if err := o.check(); err != nil {
		return p, err
	}
	for i := range problems {
		p.Steps += 1 + len(problems[i].Functions)
	}
	p.Run = func(ctx context.Context, h study.How) ([]OrderRow, error) {
		families, err := o.families(ctx, problems, h)
		if err != nil {
			return nil, err
		}
		return o.compare(ctx, families)
	}
	return p, o.checkAll(problems)
}

// families measures every kernel and its forms: first it makes these, and then it takes each function by itself.
func (o OrderOptions) families(ctx context.Context, problems []samplers.Problem, h study.How) ([]family, error) {
	families := make([]family, len(problems))
	var jobs []func(ctx context.Context) error
	for i := range problems {
		for f := range problems[i].Functions {
			jobs = append(jobs, func(ctx context.Context) (err error) {
				if families[i].measured[f], err = o.measure(ctx, &families[i], f); err != nil {
					return fmt.Errorf("%s: %w", problems[i].Name(), err)
				}
				h.Add(1)
				return nil
			})
		}
	}
	err := experiments.Parallel(ctx, len(families), h.Workers, func(ctx context.Context, i int) (err error) {
		families[i], err = o.family(ctx, &problems[i])
		h.Add(1)
		return err
	})
	if err != nil {
		return nil, err
	}
	return families, experiments.Parallel(ctx, len(jobs), h.Workers, func(ctx context.Context, i int) error { return jobs[i](ctx) })
}

// compare makes the rows of what has been measured.
func (o OrderOptions) compare(ctx context.Context, families []family) (rows []OrderRow, err error) {
	for i := range families {
		a := &families[i]
		for j := range families[:i] {
			b := &families[j]
			if a.plain.Toy != b.plain.Toy {
				continue
			}
			if rows, err = o.peskun(ctx, rows, b, a); err != nil {
				return nil, err
			}
		}
		for f := range a.plain.Functions {
			rows = o.lazy(rows, a, f)
			rows = o.thinning(rows, a, f)
		}
	}
	return rows, nil
}

// family is a kernel on a target, with its lazy and its thinned forms and what has been found of them.
type family struct {
	plain      *samplers.Problem
	lazy, thin []*samplers.Problem
	measured   []measured // by function
}

// measured is what has been found of one function of a family.
type measured struct {
	errors           map[int64]number // mean squared errors of the kernel by number of samples
	tau              number
	lazyTau, thinTau []number           // by form
	thinned          []map[int64]number // mean squared errors by form and number of samples that are kept
}

// number is a computed number, with about its relative error.
type number struct{ value, rounding float64 }

// family makes the lazy and the thinned forms of a kernel.
func (o OrderOptions) family(ctx context.Context, plain *samplers.Problem) (family, error) {
	f := family{plain: plain, measured: make([]measured, len(plain.Functions))}
	for _, stay := range o.Lazy {
		p, err := plain.Form(ctx, "lazy:"+strconv.FormatFloat(stay, 'g', -1, 64)+":", func(k chains.Kernel) chains.Kernel { return kernels.Lazy(stay, k) })
		if err != nil {
			return f, err
		}
		f.lazy = append(f.lazy, p)
	}
	for _, m := range o.Thin {
		p, err := plain.Form(ctx, fmt.Sprintf("repeat:%d:", m), func(k chains.Kernel) chains.Kernel { return kernels.Repeat(m, k) })
		if err != nil {
			return f, err
		}
		f.thin = append(f.thin, p)
	}
	return f, nil
}

// measure computes the errors and the tau of one function of a family.
func (o OrderOptions) measure(ctx context.Context, a *family, f int) (m measured, err error) {
	if m.errors, err = meanSquares(ctx, a.plain, f, o.samples()); err != nil {
		return m, err
	}
	if m.tau, err = tau(ctx, a.plain, f); err != nil {
		return m, err
	}
	for _, p := range a.lazy {
		t, err := tau(ctx, p, f)
		if err != nil {
			return m, err
		}
		m.lazyTau = append(m.lazyTau, t)
	}
	for _, p := range a.thin {
		e, err := meanSquares(ctx, p, f, o.N)
		if err != nil {
			return m, err
		}
		t, err := tau(ctx, p, f)
		if err != nil {
			return m, err
		}
		m.thinned, m.thinTau = append(m.thinned, e), append(m.thinTau, t)
	}
	return m, nil
}

// stationary asks for the errors of the mean of a function from the target.
func stationary(p *samplers.Problem, part *averages.Function, samples []int64) averages.Question {
	return averages.Question{Function: part, Starts: [][]float64{p.Chain.Target}, N: samples}
}

// meanSquares returns the mean squared errors of the mean of a function at stationarity; of a vector, the mean over its parts.
func meanSquares(ctx context.Context, p *samplers.Problem, f int, samples []int64) (map[int64]number, error) {
	out, parts := map[int64]number{}, p.Functions[f].Parts
	for _, part := range parts {
		all, err := p.Chain.FastestErrors(ctx, stationary(p, part, samples))
		if err != nil {
			return nil, err
		}
		for _, e := range all[0] {
			sum := out[e.N]
			v := e.MSE.Float()
			if e.MSE.Value == 0 { // as of a chain that goes to and fro
				v = 0
			}
			out[e.N] = number{sum.value + v/float64(len(parts)), max(sum.rounding, e.Rounding)}
		}
	}
	return out, nil
}

// tau returns tau of a function, or the mean over the parts of a vector. It is NaN where the kernel is reducible.
func tau(ctx context.Context, p *samplers.Problem, f int) (number, error) {
	var out number
	parts := p.Functions[f].Parts
	for _, part := range parts {
		v, err := p.Chain.Variance(ctx, part)
		if ctx.Err() != nil {
			return out, ctx.Err()
		}
		if err != nil {
			return number{math.NaN(), 0}, nil
		}
		out.value += v.Autocorrelation / float64(len(parts))
		out.rounding = max(out.rounding, v.Error)
	}
	return out, nil
}
