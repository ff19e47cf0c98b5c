package aide

import (
	"context"
	"fmt"
	"math"
	"slices"

	"breadboard/chains/errs"
	"breadboard/chains/particle"
	"breadboard/exact"
	"breadboard/exact/smc"
	"breadboard/experiments/subject"
	"breadboard/reports/check"
	"breadboard/reports/columns"
)

// checkTolerance is the tolerance of an identity, for rounding, in nats or as a probability.
const checkTolerance = 1e-10

// Finding is one result about an algorithm on one case.
type Finding struct {
	Case      subject.Case
	Algorithm string
	check.Finding
}

// FindingColumns lists the columns of findings.
func FindingColumns() columns.List {
	var names []string
	for _, f := range new(smc.Joint).Violations() {
		names = append(names, f.Name)
	}
	for _, id := range identitiesOfAIDE() {
		names = append(names, id.name)
	}
	return slices.Concat(subject.WholeCase(func(f *Finding) *subject.Case { return &f.Case }),
		columns.List{columns.Of("algorithm", "", "the algorithm to check, with its meta-inference",
			func(f *Finding) string { return f.Algorithm })},
		check.Columns[Finding](names...))
}

// CheckToys returns the selectors of the default targets of checks: two states, and three in a
// line.
func CheckToys() []string { return []string{"random:1:0:2", "random:1:0:3"} }

// CheckDistributions is the default number of distributions of checks: the smallest with a stage
// between two others.
const CheckDistributions = 3

// maxChecked is the largest number of particles or of kernel steps of an algorithm that is checked.
const maxChecked = 1000

// Check enumerates an algorithm with its meta-inference on every case, and checks the identities
// between xi, the runs and meta-inference: trace by trace, output by output and in the mean of
// AIDE. It fails if the algorithm has too many outcomes; the error has their approximate number.
// Progress is called for every enumeration that is done.
func Check(ctx context.Context, choice Choice, cases []subject.Case, progress func(int)) ([]Finding, error) {
	if choice.Particles > maxChecked || choice.Moves > maxChecked {
		return nil, errs.New("%s has far too many outcomes to enumerate; give at most %d particles or steps",
			choice.Name, maxChecked)
	}
	var out []Finding
	for i := range cases {
		c := cases[i]
		a, err := exact.WithReversal(ctx, c.Annealing())
		if err != nil {
			return nil, c.Wrong(err)
		}
		c.Algorithm = a
		alg, err := choice.New(&c)
		if err != nil {
			return nil, c.Wrong(err)
		}
		logTarget := logF(a, a.Distributions())
		options := smc.EnumerateOptions{Progress: progress}
		if s, ok := alg.(*particle.SMC); ok {
			logTarget = particle.LogTargets(s.Flow())
			options.Constant = 1
		}
		list, err := Examine(ctx, alg, logTarget, options)
		if err != nil {
			return nil, c.Wrong(err)
		}
		for _, f := range list {
			out = append(out, Finding{c, choice.Name, f})
		}
	}
	return out, nil
}

// Examine makes the findings for any algorithm, also one of the caller. If enumeration loses
// traces, a violated identity may result from the loss and is no fault.
func Examine(ctx context.Context, alg particle.Algorithm, logTarget []float64,
	o smc.EnumerateOptions) ([]check.Finding, error) {
	j, err := smc.Enumerate(ctx, alg, logTarget, o)
	if err != nil {
		return nil, err
	}
	out, err := findings(ctx, j)
	lost := check.Faulty(out) && j.Underflows()
	for i, f := range out {
		if lost && f.Verdict != check.Pass && f.Verdict != check.Note {
			out[i] = check.Undecided(f.Name, underflow)
		}
	}
	return out, err
}

// findings makes the findings about a joint distribution.
func findings(ctx context.Context, j *smc.Joint) ([]check.Finding, error) {
	var out []check.Finding
	for _, f := range j.Violations() {
		if f.Property {
			out = append(out, check.Finding{Name: f.Name, Value: f.Value, Tolerance: math.NaN(), Verdict: check.Note})
		} else {
			out = append(out, check.Held(f.Name, f.Value, checkTolerance, where(f)))
		}
	}
	switch {
	case check.Faulty(out):
		return append(out, open("the mean of AIDE was not checked, since the traces are wrong")...), nil
	case j.Extinct() > 0:
		return append(out, open("the mean of AIDE is infinite, since a run may be extinct")...), nil
	}
	more, err := ofAIDE(ctx, j)
	return append(out, more...), err
}

// underflow is the reason why nothing can be judged.
const underflow = "enumeration loses traces whose probabilities are too small for floating point although " +
	"their weights are as large; give a target whose log f has a smaller range"

// where names the outputs at which an identity does not hold.
func where(f smc.Violation) string {
	if f.Output < 0 {
		return "this is violated: " + f.Says
	}
	var others []int
	for x, v := range f.ByOutput {
		if !(v <= checkTolerance) && x != f.Output {
			others = append(others, x)
		}
	}
	text := fmt.Sprintf("this is violated: %s; most at output %d", f.Says, f.Output)
	if len(others) > 0 {
		text += fmt.Sprintf(", and at %d others", len(others))
	}
	return text
}

// checkMetas are the numbers of traces for which AIDE is checked.
func checkMetas() []int { return []int{1, 2, 4, 100} }

// ofAIDE makes the findings about AIDE with exact draws as the gold standard, and with the
// algorithm itself.
func ofAIDE(ctx context.Context, j *smc.Joint) ([]check.Finding, error) {
	p := j.Target()
	list, err := smc.AIDE(ctx, j, smc.NewExact(len(p)), p, checkMetas(), []int{1})
	if err != nil {
		return nil, err
	}
	own, err := smc.AIDE(ctx, j, j, p, []int{1}, checkMetas())
	if err != nil {
		return nil, err
	}
	var below, order float64
	for _, e := range slices.Concat(list, own) {
		below = max(below, e.J-e.Mean)
		order = max(order, e.KLQP-e.KLQPUpper, e.KLPQ-e.KLPQUpper)
		if !math.IsNaN(e.KLQPLower) {
			order = max(order, e.KLQPLower-e.KLQP)
		}
	}
	values := []float64{
		math.Abs(list[0].Mean - j.B()), below, order, largestIncrease(list), largestIncrease(own)}
	out := make([]check.Finding, 0, len(values))
	for i, id := range identitiesOfAIDE() {
		out = append(out, check.Held(id.name, values[i], checkTolerance, id.otherwise))
	}
	return out, nil
}

// identity is the name of an identity, with the statement of its violation.
type identity struct{ name, otherwise string }

// identitiesOfAIDE lists the findings about AIDE.
func identitiesOfAIDE() []identity {
	return []identity{
		{"one_trace_is_gap",
			"the mean of AIDE with one trace is not E log Zhat given an output of the target, minus that of a run"},
		{"mean_below_J", "the mean of AIDE is below J"},
		{"kl_out_of_order", "a bound of a KL divergence is on the wrong side of it"},
		{"rises_with_meta", "the mean of AIDE increases with the number of the target's traces"},
		{"rises_with_gold_meta", "the mean of AIDE increases with the number of the gold standard's traces"},
	}
}

// open returns the findings about AIDE if nothing could be compared.
func open(why string) (out []check.Finding) {
	for _, id := range identitiesOfAIDE() {
		out = append(out, check.Undecided(id.name, why))
	}
	return out
}

// largestIncrease returns the largest increase of the mean from one estimate to the next.
func largestIncrease(list []smc.Estimate) float64 {
	most := 0.0
	for i := 1; i < len(list); i++ {
		most = max(most, list[i].Mean-list[i-1].Mean)
	}
	return most
}
