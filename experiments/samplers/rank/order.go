package rank

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/exact/averages"
	"breadboard/experiments"
	"breadboard/experiments/samplers"
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
	N        []int64   // the numbers of samples, ascending
	Lazy     []float64 // probabilities of staying, above 0 and below 1
	Thin     []int     // one of how many samples is kept, 2 or more
	Workers  int       // the number of comparisons at once; 0 is one for each processor
	Progress func(n int)
}

// MaxThin is the largest number of samples of which one is kept.
const MaxThin = 10_000

// Result is what the study has found.
type Result struct {
	Rows    []OrderRow // of each comparison the limit, and then each number of samples
	Omitted []string   // pairs of kernels that no theorem puts in an order, and why
}

// Fault returns an error that names the first theorem that is violated, and nil where all hold.
func (r *Result) Fault() error {
	for i := range r.Rows {
		if row := &r.Rows[i]; row.Verdict == Faulty {
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

// Forms returns the lazy and the thinned forms of a kernel. Run takes the problems that a samplers.Selection with these forms has.
func (o OrderOptions) Forms() []samplers.Form {
	var all []samplers.Form
	for _, p := range o.Lazy {
		all = append(all, samplers.Form{
			Prefix: "lazy:" + strconv.FormatFloat(p, 'g', -1, 64) + ":",
			Of:     func(k chains.Kernel) chains.Kernel { return kernels.Lazy(p, k) },
		})
	}
	for _, m := range o.Thin {
		all = append(all, samplers.Form{
			Prefix: fmt.Sprintf("repeat:%d:", m),
			Of:     func(k chains.Kernel) chains.Kernel { return kernels.Repeat(m, k) },
		})
	}
	return all
}

// each returns the number of problems for each kernel.
func (o OrderOptions) each() int { return 1 + len(o.Lazy) + len(o.Thin) }

// Check returns an error that says what is wrong with the options, and nil where nothing is.
func (o OrderOptions) Check() error {
	switch {
	case o.Workers < 0:
		return chains.NewAdvice("{workers} %d; give a number of comparisons, or 0 for one on each core", o.Workers)
	case len(o.N) == 0 || o.N[0] < 1 || !slices.IsSorted(o.N):
		return chains.NewAdvice("{N} %v; give numbers of samples from 1 on, ascending", o.N)
	}
	for _, p := range o.Lazy {
		if !(p > 0 && p < 1) {
			return chains.NewAdvice("{lazy} %v; give probabilities of staying above 0 and below 1", p)
		}
	}
	for _, m := range o.Thin {
		if m < 2 || m > MaxThin {
			return chains.NewAdvice("{thin} %d; one of how many samples is kept: give numbers from 2 to %d", m, MaxThin)
		}
		if last := o.N[len(o.N)-1]; last > averages.MaxSquaring/int64(m) {
			return chains.NewAdvice("{thin} %d with {N} %d takes %.3g samples; the limit is %.3g: give a smaller {N}", m, last, float64(m)*float64(last), float64(averages.MaxSquaring))
		}
	}
	return nil
}

// Validate returns an error that says why Run would refuse the problems, and nil where it would not.
func (o OrderOptions) Validate(problems []samplers.Problem) error {
	if err := o.Check(); err != nil {
		return err
	}
	if len(problems)%o.each() != 0 {
		return fmt.Errorf("%d problems are not of the kernels and their forms (Options.Forms), %d for each", len(problems), o.each())
	}
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

// Steps returns the number of steps that Run reports to Progress: one for each kernel and function.
func (o OrderOptions) Steps(problems []samplers.Problem) (steps int) {
	for i := 0; i < len(problems); i += o.each() {
		steps += len(problems[i].Functions)
	}
	return steps
}

// samples returns the numbers of samples of a kernel whose thinned forms are compared: those of Options.N and all multiples of them.
func (o OrderOptions) samples() []int64 {
	all := slices.Clone(o.N)
	for _, m := range o.Thin {
		for _, n := range o.N {
			all = append(all, int64(m)*n)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// RunOrder makes all comparisons: for every kernel those with its lazy and thinned forms, and of every two kernels on a target the one in
// Peskun's order. The problems are those of kernels with the forms that Options.Forms returns behind each. It does not fail where a theorem
// is violated: see Result.Fault.
func RunOrder(ctx context.Context, problems []samplers.Problem, o OrderOptions) (*Result, error) {
	if err := o.Validate(problems); err != nil {
		return nil, err
	}
	families := o.families(problems)
	out := &Result{}
	var jobs []job
	for i := range families {
		for f := range families[i].plain.Functions {
			jobs = append(jobs, job{&families[i], f})
		}
	}
	err := experiments.Parallel(ctx, len(jobs), o.Workers, func(ctx context.Context, i int) error {
		if err := o.measure(ctx, jobs[i].family, jobs[i].function); err != nil {
			return fmt.Errorf("%s: %w", jobs[i].plain.Name(), err)
		}
		if o.Progress != nil {
			o.Progress(1)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for i := range families {
		a := &families[i]
		for j := range families[:i] {
			b := &families[j]
			if a.plain.Toy != b.plain.Toy {
				continue
			}
			if err := o.peskun(ctx, out, b, a); err != nil {
				return nil, err
			}
		}
		for f := range a.plain.Functions {
			o.lazy(out, a, f)
			o.thinning(out, a, f)
		}
	}
	return out, nil
}

// family is a kernel on a target, with its lazy and its thinned forms and what has been found of them, by function.
type family struct {
	plain      *samplers.Problem
	lazy, thin []*samplers.Problem
	errors     []map[int64]number // mean squared errors of the kernel by number of samples
	thinned    [][]map[int64]number
	tau        []number
	lazyTau    [][]number
	thinTau    [][]number
}

// job is one function of a family.
type job struct {
	*family
	function int
}

// number is a computed number, with about its relative error.
type number struct{ value, rounding float64 }

// families groups problems by kernel.
func (o OrderOptions) families(problems []samplers.Problem) []family {
	var all []family
	for i := 0; i < len(problems); i += o.each() {
		f := family{plain: &problems[i]}
		for j := range o.Lazy {
			f.lazy = append(f.lazy, &problems[i+1+j])
		}
		for j := range o.Thin {
			f.thin = append(f.thin, &problems[i+1+len(o.Lazy)+j])
		}
		k := len(f.plain.Functions)
		f.errors, f.tau = make([]map[int64]number, k), make([]number, k)
		f.thinned, f.lazyTau, f.thinTau = make([][]map[int64]number, k), make([][]number, k), make([][]number, k)
		all = append(all, f)
	}
	return all
}

// measure computes the errors and the tau of one function of a family.
func (o OrderOptions) measure(ctx context.Context, a *family, f int) (err error) {
	if a.errors[f], err = meanSquares(ctx, a.plain, f, o.samples()); err != nil {
		return err
	}
	if a.tau[f], err = tau(ctx, a.plain, f); err != nil {
		return err
	}
	for _, p := range a.lazy {
		t, err := tau(ctx, p, f)
		if err != nil {
			return err
		}
		a.lazyTau[f] = append(a.lazyTau[f], t)
	}
	for _, p := range a.thin {
		e, err := meanSquares(ctx, p, f, o.N)
		if err != nil {
			return err
		}
		t, err := tau(ctx, p, f)
		if err != nil {
			return err
		}
		a.thinned[f], a.thinTau[f] = append(a.thinned[f], e), append(a.thinTau[f], t)
	}
	return nil
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
			out[e.N] = number{sum.value + e.MSE/float64(len(parts)), max(sum.rounding, e.Rounding)}
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
