package aide

import (
	"context"
	"fmt"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/particle"
	"breadboard/exact"
	"breadboard/exact/smc"
	"breadboard/experiments"
	"breadboard/experiments/columns"
	"breadboard/experiments/study/check"
)

// checkTolerance is what rounding may add up to in an identity, in nats or as a probability.
const checkTolerance = 1e-10

// Finding is one thing found out about an algorithm on one case.
type Finding struct {
	Case      experiments.Case
	Algorithm string
	check.Finding
}

// FindingColumns lists the columns of findings.
func FindingColumns() columns.List {
	return slices.Concat(
		experiments.WholeCase(func(f *Finding) *experiments.Case { return &f.Case }),
		columns.List{columns.Of("algorithm", "", "the algorithm that is checked, with its meta-inference", func(f *Finding) string { return f.Algorithm })},
		check.Columns[Finding]())
}

// CheckToys returns the selectors of the targets on which algorithms are checked by default: two states, and three in a line.
func CheckToys() []string { return []string{"random:1:0:2", "random:1:0:3"} }

// CheckDistributions is the number of distributions that annealings have by default where an algorithm is checked: the fewest
// with a stage between two others.
const CheckDistributions = 3

// maxChecked is the largest number of particles or of moves of an algorithm whose ways to come out are counted at all.
const maxChecked = 1000

// Check enumerates an algorithm with its meta-inference on every case, and says how far the identities are from holding that
// xi, the runs and meta-inference must have: trace by trace, output by output and in AIDE's mean. It fails if there are too many
// ways for the algorithm to come out, with an error that says about how many. Progress is called for every walk that is done.
func Check(ctx context.Context, choice Choice, cases []experiments.Case, progress func(int)) ([]Finding, error) {
	if choice.Particles > maxChecked || choice.Moves > maxChecked {
		return nil, chains.NewAdvice("%s has far too many ways to come out for all of them to be run; give at most %d particles or moves", choice.Name, maxChecked)
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
		logTarget, options := logF(a, a.Distributions()), smc.EnumerateOptions{Progress: progress}
		if s, ok := alg.(*particle.SMC); ok {
			logTarget, options.Constant = particle.LogTargets(s.Flow()), 1
		}
		list, err := examine(ctx, alg, logTarget, options)
		if err != nil {
			return nil, c.Wrong(err)
		}
		for _, f := range list {
			out = append(out, Finding{c, choice.Name, f})
		}
	}
	return out, nil
}

// examine makes the findings for any algorithm. Where enumeration loses traces a fault may be what is lost, and is none.
func examine(ctx context.Context, alg particle.Algorithm, logTarget []float64, o smc.EnumerateOptions) ([]check.Finding, error) {
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

// findings makes the findings about a joint law.
func findings(ctx context.Context, j *smc.Joint) ([]check.Finding, error) {
	var out []check.Finding
	for _, f := range j.Findings() {
		if f.Property {
			out = append(out, check.Finding{Name: f.Name, Value: f.Value, Tolerance: math.NaN(), Verdict: check.Note})
		} else {
			out = append(out, check.Held(f.Name, f.Value, checkTolerance, where(f)))
		}
	}
	switch {
	case check.Faulty(out):
		return append(out, open("AIDE's mean was not looked at, since it is of traces that are not right")...), nil
	case j.Extinct() > 0:
		return append(out, open("AIDE's mean is infinite, since a run may be extinct")...), nil
	}
	more, err := ofAIDE(ctx, j)
	return append(out, more...), err
}

// underflow says why nothing can be judged.
const underflow = "some traces have probabilities too small for floating point beside weights that are as large, so that enumeration loses them; give a target whose log f has a smaller range"

// where says at which outputs an identity does not hold.
func where(f smc.Finding) string {
	if f.Output < 0 {
		return "it is not so that " + f.Says
	}
	var others []int
	for x, v := range f.ByOutput {
		if !(v <= checkTolerance) && x != f.Output {
			others = append(others, x)
		}
	}
	text := fmt.Sprintf("it is not so that %s: most at output %d", f.Says, f.Output)
	if len(others) > 0 {
		text += fmt.Sprintf(", and at %d others", len(others))
	}
	return text
}

// checkMetas are the numbers of traces at which AIDE is looked at.
func checkMetas() []int { return []int{1, 2, 4, 100} }

// ofAIDE makes the findings about AIDE with exact draws as the gold standard, and with the algorithm itself.
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
	values := []float64{math.Abs(list[0].Mean - j.B()), below, order, rise(list), rise(own)}
	out := make([]check.Finding, 0, len(values))
	for i, id := range identitiesOfAIDE() {
		out = append(out, check.Held(id.name, values[i], checkTolerance, id.otherwise))
	}
	return out, nil
}

// identity is a name, and what is so where it does not hold.
type identity struct{ name, otherwise string }

// identitiesOfAIDE lists the findings about AIDE.
func identitiesOfAIDE() []identity {
	return []identity{
		{"one_trace_is_gap", "AIDE's mean with one trace is not E log Zhat given an output of the target, less that of a run"},
		{"mean_below_J", "AIDE's mean is below J"},
		{"kl_out_of_order", "a bound of a KL divergence is on the wrong side of it"},
		{"rises_with_meta", "AIDE's mean rises with the number of the target's traces"},
		{"rises_with_gold_meta", "AIDE's mean rises with the number of the gold standard's traces"},
	}
}

// open returns the findings about AIDE where nothing could be compared.
func open(why string) (out []check.Finding) {
	for _, id := range identitiesOfAIDE() {
		out = append(out, check.Undecided(id.name, why))
	}
	return out
}

// rise returns by how much the mean rises at most from one estimate to the next.
func rise(list []smc.Estimate) float64 {
	most := 0.0
	for i := 1; i < len(list); i++ {
		most = max(most, list[i].Mean-list[i-1].Mean)
	}
	return most
}
