package aide

import (
	"context"
	"fmt"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/particle"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact"
	"breadboard/exact/program"
	"breadboard/exact/smc"
	"breadboard/experiments"
	"breadboard/experiments/checks/planted"
	"breadboard/experiments/columns"
	"breadboard/experiments/study/check"
	"breadboard/grid"
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
func FindingColumns() []columns.Field[Finding] {
	return slices.Concat(
		experiments.WholeCase(func(f *Finding) *experiments.Case { return &f.Case }),
		[]columns.Field[Finding]{{Column: columns.Column{Name: "algorithm", Type: columns.String, Meaning: "the algorithm that is checked, with its meta-inference"}, Of: func(f *Finding) any { return f.Algorithm }}},
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
// xi, the runs and meta-inference must have: trace by trace, output by output and in AIDE's mean. It fails where there are too many
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

// Judgement is what the check says of an algorithm or an estimator of AIDE with a planted bug, or without one.
type Judgement = check.Judgement[check.Finding]

// MutantColumns lists the columns of planted bugs.
func MutantColumns() []columns.Field[Judgement] {
	return check.MutantColumns(
		[]columns.Field[Judgement]{{Column: columns.Column{Name: "setting", Type: columns.String, Title: "setting", Meaning: "the algorithm and its setting"}, Of: func(j *Judgement) any { return j.Setting }}},
		[]columns.Field[Judgement]{
			check.CaughtBy[check.Finding](),
			{Column: columns.Column{Name: "value", Type: columns.Float, Title: "value", Digits: 3, Meaning: "how far the check is off by the bug, in the units of the finding"}, Of: func(j *Judgement) any {
				if !j.Caught {
					return 0.
				}
				return j.Worst.Value
			}},
		})
}

// mutants returns planted bugs, each in a setting in which it shows, and beside them algorithms without a bug in the same settings.
func mutants() ([]check.Mutant[check.Finding], error) {
	line, err := small([]float64{0, 1.5, -1}, 3, func(s *grid.Lattice) chains.Kernel { return kernels.Metropolis{Space: s} })
	if err != nil {
		return nil, err
	}
	turning, err := small([]float64{0, 1, -0.7}, 3, func(s *grid.Lattice) chains.Kernel { return kernels.SuwaTodoAxis{Space: s} })
	if err != nil {
		return nil, err
	}
	drawn := particle.NewProposed([]float64{0, 0, 0}, []float64{0, 1.5, -1})
	var list []check.Mutant[check.Finding]
	add := func(setting string, flow particle.Flow, scheme particle.Scheme, threshold float64, bugs ...bug) {
		for _, b := range append(bugs, bug{"none", nil}) {
			list = append(list, check.Mutant[check.Finding]{Name: b.name, Harmless: b.plant == nil, Setting: setting, Examine: func(ctx context.Context) ([]check.Finding, error) {
				s := planted.NewParticles(flow, 2, threshold)
				if scheme != nil {
					s = s.By(scheme)
				}
				if b.plant != nil {
					b.plant(s)
				}
				return examine(ctx, s, particle.LogTargets(flow), smc.EnumerateOptions{Constant: 1})
			}})
		}
	}
	add("two particles, systematic at every stage", line, nil, 1,
		bug{"path always in slot 1, systematic resampling of the others", planted.PathFirst},
		bug{"conditional outcome not size-biased", planted.NotSizeBiased},
		bug{"weights of the new particle with the old parent", planted.OldParent},
		bug{"conditional SMC's Zhat without the path's own weight", planted.PathOut})
	add("two particles, systematic below an ESS of 0.9 P", line, nil, 0.9,
		bug{"weights not carried when the ESS is high", planted.NotCarried},
		bug{"log Zhat without the steps that did not resample", planted.StepsOut})
	add("two particles, residual at every stage", line, particle.Residual{}, 1,
		bug{"residual resampling on W - floor(P W)", planted.ResidualOfWeights})
	add("two particles, never resampled", line, nil, 0, bug{"output drawn uniformly, weights carried", planted.UniformOutput})
	add("two particles, weighed once before the output", drawn, nil, 1, bug{"output drawn uniformly, last weights", planted.UniformOutput})
	add("two particles, a kernel that is not reversible", turning, nil, 1, bug{"reverse path by T_t instead of its reversal", planted.ForwardPath})
	for _, m := range []struct {
		name  string
		plant func(*planted.Estimator)
	}{{"first trace left out", planted.FirstOut}, {"mean of logs for log of mean", planted.MeanOfLogs}, {"none", nil}} {
		list = append(list, check.Mutant[check.Finding]{Name: m.name, Harmless: m.plant == nil, Setting: "AIDE of two particles weighed once, two traces", Examine: func(ctx context.Context) ([]check.Finding, error) {
			return examineEstimator(ctx, drawn, m.plant)
		}})
	}
	return list, nil
}

// bug is a bug with its name; plant is nil where there is none.
type bug struct {
	name  string
	plant func(*planted.Particles)
}

// small returns the flow of an annealing on a line of states.
func small(g []float64, T int, kernel func(*grid.Lattice) chains.Kernel) (particle.Flow, error) {
	space, err := grid.New(len(g))
	if err != nil {
		return nil, err
	}
	path, err := paths.NewGeometric(nil, g)
	if err != nil {
		return nil, err
	}
	a, err := chains.NewAnnealing(path, schedules.Linear{}, kernel(space), T)
	if err != nil {
		return nil, err
	}
	return particle.NewAnnealed(a)
}

// examineEstimator compares the exact mean of a program that estimates AIDE with the mean that AIDE has.
func examineEstimator(ctx context.Context, flow particle.Flow, plant func(*planted.Estimator)) ([]check.Finding, error) {
	s, err := particle.NewSMC(flow, 2, particle.Multinomial{}, 1)
	if err != nil {
		return nil, err
	}
	logTarget := particle.LogTargets(flow)
	e := planted.NewEstimator(s, particle.NewDensity(logTarget), 2, 1)
	if plant != nil {
		plant(e)
	}
	mean := 0.0
	for _, turned := range []bool{false, true} {
		law, err := program.Enumerate(ctx, func(c chains.Chooser) float64 { return e.Half(c, turned) }, program.Options{})
		if err != nil {
			return nil, err
		}
		mean += law.Mean(func(v float64) float64 { return v })
	}
	j, err := smc.Enumerate(ctx, s, logTarget, smc.EnumerateOptions{Constant: 1})
	if err != nil {
		return nil, err
	}
	want, err := smc.AIDE(ctx, j, smc.NewExact(len(logTarget)), j.Target(), []int{2}, []int{1})
	if err != nil {
		return nil, err
	}
	off := math.Abs(mean - want[0].Mean)
	return []check.Finding{check.Held("mean_of_estimator", off, checkTolerance, fmt.Sprintf("the estimator's mean is %.6g, and AIDE's %.6g", mean, want[0].Mean))}, nil
}

// RunMutants checks every mutant. Progress is called after each of them; it may be nil.
func RunMutants(ctx context.Context, progress func(int)) ([]Judgement, error) {
	list, err := mutants()
	if err != nil {
		return nil, err
	}
	return check.RunMutants(ctx, list, 1, progress)
}
