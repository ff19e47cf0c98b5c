package kernelcheck

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"breadboard/chains"
	"breadboard/exact"
	"breadboard/exact/geometry"
	"breadboard/exact/kernel"
	"breadboard/experiments"
	"breadboard/experiments/crosscheck"
	"breadboard/experiments/external"
	"breadboard/toys"
)

// Options says under what a kernel is examined.
type Options struct {
	Kernel  string   // for external.ParseKernel
	Toys    []string // for toys.Parse
	Betas   []float64
	T       int // distributions of the annealing in which its J and B are computed
	Workers int
	// Programs is where kernels in other programs are started; nil refuses them.
	Programs *external.Programs
	Seed     uint64  // of the tests of programs that make their own choices
	Alpha    float64 // the probability of a false alarm among those tests
	// Progress is called for every distribution under which a kernel has been examined or has moved, from several
	// goroutines at once; it may be nil.
	Progress func(distributions int)
}

// Betas returns the inverse temperatures at which kernels are examined by default.
func Betas() []float64 { return []float64{0, 0.25, 0.5, 0.75, 1} }

// Tolerances of a kernel's own claims. Probabilities are compared, so that they are absolute.
const (
	rowTolerance  = 1e-12
	flowTolerance = 1e-12
)

// Verdict is what a finding says of a kernel.
type Verdict string

const (
	Pass  Verdict = "pass"
	Fault Verdict = "fault" // the kernel is wrong
	Note  Verdict = "note"  // a property, neither right nor wrong
)

// Finding is one thing found out about a kernel.
type Finding struct {
	Toy       string
	Beta      float64 // NaN for what belongs to a whole annealing
	Name      string
	Value     float64
	Tolerance float64 // NaN where there is none
	Verdict   Verdict
	Where     string
}

// Row is the examination of a kernel on one toy.
type Row struct {
	Kernel       string
	Toy          *toys.Toy
	Findings     []Finding
	Betas        []float64
	SpectralGaps []float64 // spectral gap at each beta, NaN where there is none
	// Defect is (p T)(x) - p(x) of every state at the beta where it is largest.
	Defect     []float64
	DefectBeta float64
	progress   func(distributions int) // may be nil
}

// Wrong reports whether a finding is a fault.
func (k *Row) Wrong() bool {
	for _, f := range k.Findings {
		if f.Verdict == Fault {
			return true
		}
	}
	return false
}

// Run examines a kernel on every toy: does it leave each distribution invariant, how fast does it mix, and
// what J and B does annealing with it have beside the paper's kernel?
func Run(ctx context.Context, o Options) ([]Row, error) {
	if len(o.Toys) == 0 {
		return nil, chains.NewAdvice("no toy is named; give one, as in {toy} barrier")
	}
	for _, b := range o.Betas {
		if !(b >= 0 && b <= 1) {
			return nil, fmt.Errorf("beta %v; inverse temperatures are from 0 to 1", b)
		}
	}
	out := make([]Row, len(o.Toys))
	kernels := make([]chains.Kernel, len(o.Toys))
	for i, selector := range o.Toys {
		toy, err := experiments.ParseToy(ctx, selector)
		if err != nil {
			return nil, err
		}
		if n := toy.Space.States(); n > kernel.MaxDiagnosisStates {
			return nil, fmt.Errorf("toy %s has %d states; a kernel is examined on at most %d", toy.Name, n, kernel.MaxDiagnosisStates)
		}
		out[i] = Row{Kernel: o.Kernel, Toy: toy, Betas: o.Betas, progress: o.Progress}
		kernels[i], err = experiments.ParseKernel(ctx, o.Kernel, toy.Space, o.Programs)
		if err != nil && blame(err) == Fault {
			out[i].add(math.NaN(), "program", math.NaN(), math.NaN(), Fault, err.Error())
		} else if err != nil {
			return nil, err
		}
	}
	err := experiments.Parallel(ctx, len(out), o.Workers, func(ctx context.Context, i int) error {
		if kernels[i] == nil {
			return nil // its program went wrong from the start
		}
		if p, ok := kernels[i].(*external.Program); ok && p.Samples() {
			return out[i].sample(ctx, p, o)
		}
		return out[i].Examine(ctx, kernels[i], o.T)
	})
	return out, err
}

// Examine makes the findings for any kernel on the toy's space, at every one of k.Betas and in an annealing with T
// distributions. A matrix is examined at the target, and matrices for each stage at the betas of a linear schedule
// with as many stages. Faults of the kernel are findings; an error is not one.
func (k *Row) Examine(ctx context.Context, candidate chains.Kernel, T int) error {
	path, err := chains.NewGeometric(nil, k.Toy.G)
	if err != nil {
		return err
	}
	centred, _ := path.Centred()
	kernelAt, T, whole := k.stages(centred, candidate, T)
	if err := k.examineStages(ctx, centred, kernelAt); err != nil || !whole {
		return err
	}
	return k.annealing(ctx, centred, candidate, T)
}

// stages returns the kernel at each of k.Betas, the number of distributions of its annealing, and whether there is
// a whole annealing, whose J and B mean something. It sets the betas of kernels that are made for certain ones.
func (k *Row) stages(path chains.Path, candidate chains.Kernel, T int) (kernelAt func(i int) chains.Kernel, distributions int, whole bool) {
	switch m := candidate.(type) {
	case *external.Matrix:
		k.Betas = []float64{1}
		k.noiseFloor(m, geometry.Distribution(path, 1))
		return func(int) chains.Kernel { return m }, T, false
	case chains.Staged:
		if d, ok := candidate.(interface{ Distributions() int }); ok {
			T = d.Distributions()
		}
		k.Betas = nil
		for t := 2; t <= T; t++ {
			k.Betas = append(k.Betas, chains.Linear{}.Beta(t, T))
		}
		return func(i int) chains.Kernel { return m.Stage(i + 2) }, T, !k.rounded(path, candidate, T)
	}
	return func(int) chains.Kernel { return candidate }, T, true
}

// rounded reports whether a kernel is matrix files with too few digits for J and B, and says so.
func (k *Row) rounded(path chains.Path, candidate chains.Kernel, T int) bool {
	m, ok := candidate.(*external.Matrices)
	if !ok {
		return false
	}
	k.noiseFloor(m.Stage(T).(*external.Matrix), geometry.Distribution(path, 1))
	if m.Rounding() <= external.ExactRounding {
		return false
	}
	k.add(math.NaN(), "annealing", math.NaN(), math.NaN(), Note, "J and B are not computed: the files are rounded; write all digits, or .npy")
	return true
}

// examineStages makes the findings at every beta.
func (k *Row) examineStages(ctx context.Context, path chains.Path, kernelAt func(i int) chains.Kernel) error {
	logf := make([]float64, path.States())
	worst := -1.0
	var refused []error
	for i, beta := range k.Betas {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		candidate := kernelAt(i)
		path.LogF(logf, chains.At(beta))
		d, err := kernel.Diagnose(ctx, candidate, logf)
		k.examined()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			k.add(beta, "rows", math.NaN(), math.NaN(), blame(err), err.Error())
			k.SpectralGaps = append(k.SpectralGaps, math.NaN())
			refused = append(refused, err)
			continue
		}
		if d.Invariance > worst {
			worst, k.Defect, k.DefectBeta = d.Invariance, d.Defect, beta
		}
		k.SpectralGaps = append(k.SpectralGaps, d.SpectralGap)
		k.claims(beta, d, candidate)
		if d.Invariance > loose || d.RowSum > loose {
			continue // how well it does at what it should not do is of no use
		}
		if err := k.efficiency(ctx, beta, d); err != nil {
			return err
		}
	}
	if len(refused) == len(k.Betas) && len(refused) > 0 && !k.Wrong() { // then nothing is known of the kernel
		return fmt.Errorf("toy %s, beta %v: %w", k.Toy.Name, k.Betas[0], refused[0])
	}
	return nil
}

// examined reports one more distribution under which the kernel has been examined.
func (k *Row) examined() {
	if k.progress != nil {
		k.progress(1)
	}
}

// blame returns what an error says of a kernel: that it is wrong, or nothing, where it cannot be examined as it is.
func blame(err error) Verdict {
	if _, wrong := errors.AsType[chains.Fault](err); wrong {
		return Fault
	}
	return Note
}

// noiseFloor says what the digits of a matrix file leave of J: rounding may move every probability by half a unit,
// and a move so adds up to sum of (unit/2)^2/p to the divergence of the law from p.
func (k *Row) noiseFloor(m *external.Matrix, p []float64) {
	if m.Rounding == 0 {
		return
	}
	floor := 0.0
	for _, v := range p {
		if v > 0 {
			floor += m.Rounding * m.Rounding / v
		}
	}
	k.add(1, "J_noise_floor", floor, math.NaN(), Note, fmt.Sprintf("the file's probabilities are rounded to %.1g; a J below this means nothing", 2*m.Rounding))
}

// sampleDraws is the largest number of moves that a program which makes its own choices is tested with, at each beta
// of each toy.
const sampleDraws = 1 << 16

// sample tests a program that makes its own choices: from states drawn from p, the states after one move must be
// draws from p again. Each test is an e-process, so that a false alarm anywhere has probability at most o.Alpha.
func (k *Row) sample(ctx context.Context, program *external.Program, o Options) error {
	path, err := chains.NewGeometric(nil, k.Toy.G)
	if err != nil {
		return err
	}
	if !(o.Alpha > 0 && o.Alpha < 1) {
		return fmt.Errorf("alpha %v; the probability of a false alarm is above 0 and below 1", o.Alpha)
	}
	key := (&experiments.Case{Toy: k.Toy, Params: experiments.Setting{Kernel: k.Kernel}.Params()}).Key()
	threshold := float64(len(o.Toys)*len(o.Betas)) / o.Alpha
	centred, _ := path.Centred()
	logf := make([]float64, path.States())
	for _, beta := range o.Betas {
		centred.LogF(logf, chains.At(beta))
		p := geometry.Distribution(path, beta)
		counts := make([]int, len(p))
		stream := rand.New(chains.NewStream(o.Seed, fmt.Sprintf("sample %s %v", key, beta), 0))
		c := chains.NewSampler(stream)
		drawn, logE := 0, 0.0
		for total := 256; total <= sampleDraws && logE < math.Log(threshold); total *= 2 {
			starts := make([]int, len(p))
			for ; drawn < total; drawn++ {
				starts[c.Choose(p)]++
			}
			for x, n := range starts {
				if n == 0 {
					continue
				}
				if ctx.Err() != nil {
					return ctx.Err()
				}
				ends, err := program.Sample(logf, x, n, stream)
				if ctx.Err() != nil {
					return ctx.Err()
				}
				if err != nil {
					if blame(err) != Fault {
						return err
					}
					k.add(beta, "sample", math.NaN(), math.NaN(), Fault, err.Error())
					return nil
				}
				for y, m := range ends {
					counts[y] += m
				}
			}
			logE = crosscheck.CountsLogE(counts, p)
		}
		k.examined()
		where := crosscheck.WorstCell(counts, p, func(y int) string { return "state " + k.at(y) })
		verdict := Pass
		if logE >= math.Log(threshold) {
			verdict = Fault
		} else {
			where = fmt.Sprintf("%d moves", drawn)
		}
		k.add(beta, "invariance_e_value", math.Exp(logE), threshold, verdict, where)
	}
	return nil
}

func (k *Row) add(beta float64, name string, value, tolerance float64, v Verdict, where string) {
	k.Findings = append(k.Findings, Finding{k.Toy.Name, beta, name, value, tolerance, v, where})
}

// within adds a finding that passes if its value is within the tolerance.
func (k *Row) within(beta float64, name string, value, tolerance float64, otherwise Verdict, where string) {
	switch {
	case value > tolerance:
	case value > loose:
		k.add(beta, name, value, tolerance, Note, "no more than rounding or enumeration leaves open; "+where)
		return
	default:
		k.add(beta, name, value, tolerance, Pass, "")
		return
	}
	k.add(beta, name, value, tolerance, otherwise, where)
}

// loose is the value above which a finding does not pass without a word, though its tolerance be larger.
const loose = 1e-9

// claims are what makes a kernel right.
func (k *Row) claims(beta float64, d *kernel.Diagnosis, candidate chains.Kernel) {
	row, slack := rowTolerance+d.Remainder, flowTolerance+d.Missing
	if m, ok := candidate.(*external.Matrix); ok {
		row += m.Slack()
		slack += min(m.Rounding, m.Slack())
	}
	if d.Remainder > 0 {
		k.within(beta, "enumeration_remainder", d.Remainder, rowTolerance, Note, "its loops have no end; the rows are known up to this probability")
	}
	k.within(beta, "row_sum", d.RowSum, row, Fault, fmt.Sprintf("row of state %s", k.at(d.RowSumAt)))
	k.within(beta, "invariance", d.Invariance, slack, Fault, fmt.Sprintf("state %s gets %+.3g", k.at(d.InvarianceAt), d.Defect[d.InvarianceAt]))
	flow := func(at [2]int) string { return fmt.Sprintf("between states %s and %s", k.at(at[0]), k.at(at[1])) }
	switch {
	case d.HasReversal:
		k.within(beta, "detailed_balance", d.Balance, slack, Note, "not reversible, as it says; "+flow(d.BalanceAt))
		k.within(beta, "reversal", d.Reversal, slack, Fault, "what it says its time reversal is, is not; "+flow(d.ReversalAt))
	case d.OfLibrary:
		k.within(beta, "detailed_balance", d.Balance, slack, Fault, "not reversible, and it does not say what its time reversal is; "+flow(d.BalanceAt))
	case d.Invariance > slack:
		k.within(beta, "detailed_balance", d.Balance, slack, Fault, "not reversible, and no time reversal can be taken from its rows; "+flow(d.BalanceAt))
	default:
		k.within(beta, "detailed_balance", d.Balance, slack, Note, "not reversible; its time reversal is taken from its rows; "+flow(d.BalanceAt))
	}
}

// at names a state by its number and coordinates.
func (k *Row) at(x int) string { return fmt.Sprintf("%d %v", x, k.Toy.Space.Coords(x)) }

// efficiency is how well a right kernel mixes.
func (k *Row) efficiency(ctx context.Context, beta float64, d *kernel.Diagnosis) error {
	if d.Classes == 1 {
		k.add(beta, "irreducible", 1, math.NaN(), Pass, "")
	} else {
		k.add(beta, "irreducible", float64(d.Classes), math.NaN(), Note, fmt.Sprintf("%d classes of states that do not reach each other", d.Classes))
	}
	if d.Period == 1 {
		k.add(beta, "period", 1, math.NaN(), Pass, "")
	} else {
		k.add(beta, "period", float64(d.Period), math.NaN(), Note, "it goes round in cycles of that many moves")
	}
	if d.Classes != 1 {
		return nil
	}
	k.add(beta, "spectral_gap", d.SpectralGap, math.NaN(), Note, "second eigenvalue "+eigenvalue(d.SecondEigen))
	for _, f := range k.functions() {
		v, err := d.AsymptoticVariance(ctx, f.values)
		if err != nil {
			return err
		}
		if !(v.Stationary > 0) {
			continue // a constant, as g is on a flat target
		}
		where := ""
		if v.Error > 1 {
			where = "beyond floating point: the kernel hardly mixes"
		} else if v.Error > 1e-6 {
			where = fmt.Sprintf("to about %.1g: the kernel hardly mixes", v.Error)
		}
		k.add(beta, "asymptotic_variance_"+f.name, v.Asymptotic, math.NaN(), Note, where)
		k.add(beta, "autocorrelation_time_"+f.name, v.Autocorrelation, math.NaN(), Note, where)
	}
	return nil
}

func eigenvalue(v complex128) string {
	if imag(v) == 0 {
		return fmt.Sprintf("%.6g", real(v))
	}
	return fmt.Sprintf("%.6g", v)
}

type stateFunction struct {
	name   string
	values []float64
}

// functions are what time averages are judged by: g, the coordinates, and the indicator of the dominant mode.
func (k *Row) functions() []stateFunction {
	n := len(k.Toy.G)
	list := []stateFunction{{"g", k.Toy.G}}
	for axis := range k.Toy.Space.Dims() {
		f := stateFunction{fmt.Sprintf("x%d", axis), make([]float64, n)}
		for x := range f.values {
			f.values[x] = float64(k.Toy.Space.Coord(x, axis))
		}
		list = append(list, f)
	}
	if k.Toy.Mode != nil {
		f := stateFunction{"mode", make([]float64, n)}
		for _, x := range k.Toy.Mode {
			f.values[x] = 1
		}
		list = append(list, f)
	}
	return list
}

// annealing adds J and B of annealing with the kernel, and of the paper's kernel beside them.
func (k *Row) annealing(ctx context.Context, path chains.Path, candidate chains.Kernel, T int) error {
	for _, c := range []struct {
		suffix    string
		candidate chains.Kernel
	}{{"", candidate}, {"_metropolis", chains.Metropolis{Space: k.Toy.Space}}} {
		a, err := chains.NewAnnealing(path, chains.Linear{}, c.candidate, T)
		if err != nil {
			return err
		}
		s, err := exact.Solve(ctx, a, exact.Options{Progress: k.progress})
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			k.add(math.NaN(), "annealing"+c.suffix, math.NaN(), math.NaN(), blame(err), "J and B are not computed: "+err.Error())
			continue
		}
		where := strings.Join(append([]string{fmt.Sprintf("T = %d", T)}, s.Notes...), "; ")
		k.add(math.NaN(), "J"+c.suffix, s.J, math.NaN(), Note, where)
		k.add(math.NaN(), "B"+c.suffix, s.B, math.NaN(), Note, where)
	}
	return nil
}
