// Package kernel answers: is this kernel correct, and how fast does it mix? It examines a kernel of
// the library, of another program or of a file, under distributions on the way to each target. It
// trusts no property that a kernel declares if its rows can show it.
//
// It also compares kernels: on BARRIER at T = 100, drawing one coordinate at a time (heatbath)
// reduces J from 1.65, with the Metropolis kernel of Grosse et al. (2016), to 0.000695.
//
// A kernel that adapts a parameter is a Markov chain on positions and parameters: give it a grid
// with one more axis, for the parameter, and a target that does not depend on it. The example of
// Row.Examine shows a correct one, and naive adaptation.
package kernel

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/number"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact"
	"breadboard/exact/kernel"
	"breadboard/exact/stages"
	"breadboard/experiments/checks/planted"
	"breadboard/experiments/columns"
	"breadboard/experiments/programs"
	"breadboard/experiments/study"
	"breadboard/experiments/study/check"
	"breadboard/experiments/subject"
	"breadboard/grid"
	"breadboard/toys"
)

// Options are the options of Run.
type Options struct {
	subject.Reader
	Kernel string   // the selector of the kernel, for programs.ParseKernel
	Toys   []string // the selectors of the toys, for toys.Parse
	// Betas are the inverse temperatures for a verdict on the kernel. If there are none the verdict
	// is for all: the kernel is examined at those of Betas(), and also at those of an annealing.
	Betas []float64
	T     int     // the number of distributions of the annealing whose J and B are computed; 0 for none
	Seed  uint64  // the seed of the tests of programs that make their own choices
	Alpha float64 // the probability of a false alarm among those tests
	// Moves is the number of moves that such a program makes under each distribution, from MinMoves
	// to MaxMoves.
	Moves  int
	Strict bool // whether a kernel that does not join all states is wrong, although it leaves the distributions invariant
	// Begun is called, from several goroutines, when the examination of a program on a toy begins.
	// The function that it returns is called after the rows at the betas, before an annealing that
	// may take long: with whether the rows have a fault, the number of betas so far, and the number
	// of stages to come. Begun may be nil.
	Begun func(toy string) (examined func(wrong bool, asked, more int))
}

// Betas returns the inverse temperatures at which kernels are examined by default.
func Betas() []float64 { return []float64{0, 0.25, 0.5, 0.75, 1} }

// ProgramFinding is the name of the finding that the program of a kernel has failed, for example
// with an exception or by a time limit. It gives no verdict on the kernel.
const ProgramFinding = "program"

// names lists the names of all findings; those that end in * name a variable or g.
func names() []string {
	return []string{
		ProgramFinding, Irreducible, "rows", "order", "row_sum", "enumeration_remainder", "invariance", "detailed_balance", "reversal",
		"invariance_e_value", "flows_e_value", "mistake", "period", "spectral_gap", "spectral_gap_floor",
		"asymptotic_variance_*", "autocorrelation_time_*", "J_noise_floor", "annealing", "annealing_metropolis",
		"J", "B", "J_floor", "J_metropolis", "B_metropolis", "J_floor_metropolis",
	}
}

// Finding is one result about a kernel.
type Finding struct {
	Kernel, Toy string
	Beta        float64 // the beta of the distribution; NaN for a finding about a whole annealing
	check.Finding
	Bound float64 // a bound on the error of the value, in its unit; NaN if there is none (see kernel.Diagnosis)
}

// FindingColumns lists the columns of findings.
func FindingColumns() columns.List {
	found := check.Columns[Finding](names()...)
	found[1] = found[1].Digits(0)
	bound := columns.Of("error_bound", "+/-", "a bound on the error of value; empty if it is exact up to rounding",
		func(f *Finding) float64 { return f.Bound }).OrEmpty().Digits(2)
	return slices.Concat(columns.List{
		columns.Of("kernel", "", columns.MeansKernel, func(f *Finding) string { return f.Kernel }),
		columns.Of("toy", "toy", columns.MeansRows, func(f *Finding) string { return f.Toy }),
		columns.Of("beta", "beta", "the inverse temperature of the distribution; empty for a finding about all of them",
			func(f *Finding) float64 { return f.Beta }).OrEmpty(),
	}, found[:2], columns.List{bound}, found[2:])
}

// Row is the examination of a kernel on one toy.
type Row struct {
	Kernel       string
	Toy          *toys.Toy
	Findings     []Finding
	Betas        []float64
	SpectralGaps []float64 // the spectral gap at each beta, NaN if there is none
	// Defect is (p T)(x) - p(x) of every state x, at the beta where the largest of these is
	// largest.
	Defect     []float64
	DefectBeta float64
	// Other is the distribution that a wrong kernel leaves invariant at that beta; nil if there is
	// no such fault.
	Other *Other
	// Sampled is the power of the tests of a program that makes its own choices; nil for any other
	// kernel.
	Sampled  []Power
	suspects []mistake                                                     // the mistakes whose rows the kernel has had at every beta so far
	strict   bool                                                          // see Options.Strict
	decimals int                                                           // of the numbers of a matrix file; 0 if they are binary
	whole    bool                                                          // whether its rows sum to 1 as written
	Named    bool                                                          // whether a verdict is wanted at Betas alone
	begun    func(toy string) (examined func(wrong bool, asked, more int)) // see Options.Begun
	// to which every distribution is reported under which the kernel has been examined or has moved
	how study.How
}

// Wrong reports whether a finding other than that of reducibility is a fault.
func (k *Row) Wrong() bool {
	return slices.ContainsFunc(k.Findings, func(f Finding) bool { return f.Verdict == check.Fault && f.Name != Irreducible })
}

// Open reports whether a finding is open.
func (k *Row) Open() bool { return check.Count(k.Findings).Open > 0 }

// stepsEach returns how many steps of progress the examination of transitions at a beta counts for,
// of which a stage of an annealing is one. A program takes as long for the one as for the other. Of
// a kernel of the library, the eigenvalues take far longer than its rows.
func stepsEach(moves *chains.Transitions) int {
	if moves != nil {
		switch moves.Kernel().(type) {
		case nil, *programs.Program, *programs.Matrix:
		default:
			return 300
		}
	}
	return 1
}

// steps returns the steps for a kernel of the library, all toys and annealings together. Kernels
// that are made for stages of their own have other ones, and programs that make their own choices
// are in no annealing.
func (o *Options) steps(moves []*chains.Transitions) (steps int) {
	for _, m := range moves {
		steps += len(o.Betas) * stepsEach(m)
		if o.T > 0 {
			steps += 2 * (o.T - 1)
		}
	}
	return steps
}

// Run examines a kernel on every toy: does it leave each distribution invariant, how fast does it
// mix, and which J and B does annealing with it have, compared with the kernel of Grosse et al.
// (2016)?
func Run(ctx context.Context, o Options, h study.How) ([]Row, error) {
	p, err := o.Plan(ctx)
	if err = cmp.Or(h.Validate(), err); err != nil {
		return nil, err
	}
	return p.Run(ctx, h)
}

// Plan fails for options that Run does not support. It starts the program of the kernel, if that is
// one: a program that fails is a finding.
func (o Options) Plan(ctx context.Context) (p study.Plan[Row], err error) {
	named := o.Betas != nil
	if !named {
		o.Betas = Betas()
	}
	if len(o.Toys) == 0 {
		return p, chains.NewAdvice("no toy is named; give one, as in {toy} barrier")
	}
	for _, b := range o.Betas {
		if err := validBeta(b); err != nil {
			return p, err
		}
	}
	if o.Moves == 0 {
		o.Moves = DefaultMoves
	}
	if o.Moves < MinMoves || o.Moves > MaxMoves {
		return p, fmt.Errorf("%d moves; a program is tested with %d to %d under each distribution", o.Moves, MinMoves, MaxMoves)
	}
	var out []Row
	var moves []*chains.Transitions
	var refused subject.Failures
	err = subject.EachToy(ctx, o.Toys, o.ReadToy, &refused, func(_ string, toy *toys.Toy) error {
		r := Row{Kernel: o.Kernel, Toy: toy, Betas: o.Betas, Named: named, strict: o.Strict, begun: o.Begun}
		candidate, err := o.candidate(ctx, toy)
		if !r.failed(math.NaN(), err) {
			if err := refused.Keep(ctx, subject.NewFailure(subject.Params{{Name: "toy", Value: toy.Name}}, err)); err != nil {
				return err
			}
			if candidate == nil {
				return nil
			}
		}
		out, moves = append(out, r), append(moves, candidate)
		return nil
	})
	if err != nil {
		return p, err
	}
	if len(out) == 0 {
		return p, refused
	}
	p.Steps = o.steps(moves)
	p.Run = func(ctx context.Context, h study.How) ([]Row, error) {
		rows, err := subject.Rows(ctx, len(out), h.Workers, func(ctx context.Context, i int) ([]Row, error) {
			k := out[i]
			k.how = h
			err := k.answer(ctx, moves[i], o)
			return []Row{k}, err
		})
		return rows, refused.With(ctx, len(rows), err)
	}
	return p, nil
}

// candidate returns the kernel on a toy, which must be small enough to examine it there.
func (o *Options) candidate(ctx context.Context, toy *toys.Toy) (*chains.Transitions, error) {
	if n := toy.Space.States(); n > kernel.MaxDiagnosisStates {
		return nil, grid.TooLarge{
			What: "states", Need: float64(n), Limit: kernel.MaxDiagnosisStates,
			Err: fmt.Errorf("toy %s has %d states; the limit for checking a kernel is %d", toy.Name, n, kernel.MaxDiagnosisStates),
		}
	}
	if err := subject.CheckRange(toy); err != nil {
		return nil, err
	}
	k, err := o.ParseKernel(ctx, o.Kernel, toy)
	if err != nil || k.Kernel() == nil {
		return k, err
	}
	for range o.Betas {
		if err := o.CheckSize(nil, 2, k.Kernel(), toy.Space); err != nil {
			return nil, err
		}
	}
	return k, nil
}

// answer examines transitions, or tests a program that makes its own choices. There are none if the
// program has failed when it was started, which is a finding already.
func (k *Row) answer(ctx context.Context, candidate *chains.Transitions, o Options) (err error) {
	if candidate == nil {
		return nil
	}
	if p, ok := candidate.Kernel().(*programs.Program); ok && p.Samples() {
		err = k.sample(ctx, p, o)
	} else {
		err = k.examine(ctx, candidate, o.T)
	}
	if err == nil {
		err = ctx.Err() // a program that has been ended is no finding
	}
	return err
}

// Examine makes the findings for any kernel on the toy's space, at every one of k.Betas and in an
// annealing with T distributions, or none if T is 0. A matrix is examined at the target. Faults of
// the kernel are findings; an error is not one.
func (k *Row) Examine(ctx context.Context, candidate chains.Kernel, T int) error {
	return k.examine(ctx, chains.Always(candidate), T)
}

// examine does what Examine does, for transitions. Where these have a kernel of its own for each
// stage, they are examined at the betas of a linear schedule with as many stages.
func (k *Row) examine(ctx context.Context, candidate *chains.Transitions, T int) error {
	path, err := paths.NewGeometric(k.Toy.Members, k.Toy.G)
	if err != nil {
		return err
	}
	centred, _ := path.Centred()
	T, whole, err := k.stages(centred, candidate, T)
	if err != nil {
		return err
	}
	examined := func(bool, int, int) {}
	if _, program := candidate.Kernel().(*programs.Program); program && k.begun != nil {
		examined = k.begun(k.Toy.Name)
	}
	if err := k.examineStages(ctx, centred, candidate); err != nil || !whole || T == 0 || k.broken() {
		return err
	}
	examined(k.Wrong(), len(k.Betas), T-1)
	return k.annealing(ctx, centred, candidate, T)
}

// stages returns the number of distributions of the annealing with the candidate, and whether J and
// B are computed, which needs a kernel for every stage with all its digits. For kernels that are
// made for certain betas it sets these betas, and refuses others.
func (k *Row) stages(path chains.Path, candidate *chains.Transitions, T int) (distributions int, whole bool, err error) {
	if m, ok := candidate.Kernel().(*programs.Matrix); ok {
		if k.Named && !slices.Equal(k.Betas, []float64{1}) {
			return 0, false, chains.NewAdvice("kernel %s is a matrix, and is checked at the target alone; leave {beta} out, or give {beta} 1", k.Kernel)
		}
		k.Betas = []float64{1}
		k.noiseFloor(m, stages.Distribution(path, 1))
		return T, false, nil
	}
	if candidate.Kernel() != nil {
		return T, true, nil
	}
	if k.Named {
		return 0, false, chains.NewAdvice("kernel %s has a matrix for each stage, checked at the beta of that stage; leave {beta} out", k.Kernel)
	}
	T = candidate.Distributions()
	k.Betas = nil
	for t := 2; t <= T; t++ {
		k.Betas = append(k.Betas, schedules.Linear{}.Beta(t, T))
	}
	return T, !k.rounded(path, candidate, T), nil
}

// rounded reports whether the kernels are matrix files with too few digits for J and B. If they are
// it adds a finding.
func (k *Row) rounded(path chains.Path, candidate *chains.Transitions, T int) bool {
	m, ok := candidate.At(T).(*programs.Matrix)
	if !ok {
		return false
	}
	k.noiseFloor(m, stages.Distribution(path, 1))
	if programs.InexactOf(candidate) <= programs.ExactRounding {
		return false
	}
	k.add(math.NaN(), "annealing", math.NaN(), math.NaN(), check.Note, "J and B are not computed: the files are rounded; write all digits, or .npy")
	return true
}

// examineStages makes the findings at every beta. Where each stage has its own kernel, that of
// stage t is examined at the beta with index t - 2.
func (k *Row) examineStages(ctx context.Context, path chains.Path, moves *chains.Transitions) error {
	logf := make([]float64, path.States())
	worst, hidden := -1.0, false // the largest violation, and whether there is one that it does not show
	var wrong *kernel.Diagnosis
	var refused []error
	for _, m := range planted.Mistakes(k.Toy.Space) {
		k.suspects = append(k.suspects, mistake{Named: m})
	}
	for i, beta := range k.Betas {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		candidate := moves.At(i + 2)
		path.LogF(logf, chains.At(beta))
		d, err := kernel.Diagnose(ctx, candidate, logf)
		k.how.Add(stepsEach(moves))
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			k.suspects = nil // the rows are not all known
			if k.failed(beta, err) {
				break // it is not asked again
			}
			k.add(beta, "rows", math.NaN(), math.NaN(), blame(err), k.Toy.Explain(err).Error())
			k.SpectralGaps = append(k.SpectralGaps, math.NaN())
			refused = append(refused, err)
			continue
		}
		if d.Invariance > worst {
			worst, k.Defect, k.DefectBeta, wrong = d.Invariance, d.Defect, beta, d
		}
		k.SpectralGaps = append(k.SpectralGaps, d.SpectralGap)
		own := k.claims(beta, d, candidate)
		if err := k.repeat(ctx, beta, d, candidate, logf); err != nil {
			return err
		}
		if own && !hidden && worst <= loose {
			hidden, k.Defect, k.DefectBeta, wrong = true, d.Defect, beta, d
		}
		if err := k.suspect(ctx, d, candidate, logf); err != nil {
			return err
		}
		if own || d.Invariance > loose || d.RowSum > loose {
			continue // the efficiency of a wrong kernel is of no use
		}
		if err := k.efficiency(ctx, beta, d); err != nil {
			return err
		}
	}
	k.name()
	if wrong != nil && (hidden || worst > loose) && k.Wrong() {
		path.LogF(logf, chains.At(k.DefectBeta))
		if err := k.other(ctx, k.DefectBeta, wrong, logf); err != nil {
			return err
		}
	}
	if len(refused) == len(k.Betas) && len(refused) > 0 && !k.Wrong() { // nothing has been found out about the kernel
		return fmt.Errorf("toy %s, beta %v: %w", k.Toy.Name, k.Betas[0], k.Toy.Explain(refused[0]))
	}
	return nil
}

// askedAgain is the most rows of a kernel that are asked for again at a beta.
const askedAgain = 512

// repeat asks a kernel of a user for rows again in a shuffled order. It is a fault if they depend
// on what was asked before.
func (k *Row) repeat(ctx context.Context, beta float64, d *kernel.Diagnosis, candidate chains.Kernel, logf []float64) error {
	if d.OfLibrary {
		return nil
	}
	order, rows := rand.New(rand.NewPCG(1, 0)).Perm(len(logf)), kernel.RowsOf(ctx, candidate, logf)
	for _, x := range order[:min(len(order), askedAgain)] {
		row, err := rows(x)
		if err != nil && k.failed(beta, err) {
			return nil
		}
		if err != nil {
			return err
		}
		if off := apart(row, d.Row(x)); off > rowTolerance+2*d.Remainder {
			k.add(beta, "order", off, rowTolerance, check.Fault,
				fmt.Sprintf("the row of state %s changes if other states are asked about before; the kernel keeps something from one move to another", k.at(x)))
			return nil
		}
	}
	return nil
}

// blame returns the verdict of an error about a kernel: Fault if a check has failed, and Note where
// the error says only that the kernel cannot be examined.
func blame(err error) check.Verdict {
	if _, wrong := errors.AsType[chains.Fault](err); wrong {
		return check.Fault
	}
	return check.Note
}

// failed adds a finding if an error says that the program of the kernel has failed, and reports
// whether it does. That is no verdict on the kernel.
func (k *Row) failed(beta float64, err error) bool {
	_, program := errors.AsType[programs.ProgramError](err)
	if program {
		k.add(beta, ProgramFinding, math.NaN(), math.NaN(), check.Fault, k.Toy.Explain(err).Error())
	}
	return program
}

// broken reports whether the program of the kernel has failed.
func (k *Row) broken() bool {
	return slices.ContainsFunc(k.Findings, func(f Finding) bool { return f.Name == ProgramFinding })
}

// noiseFloor adds a finding with the J that the rounding of a matrix file may cause by itself.
// Rounding may change every probability by half a unit of the last digit, and so each move adds up
// to the sum of (unit/2)^2/p to the divergence of the distribution from p.
func (k *Row) noiseFloor(m *programs.Matrix, p []float64) {
	if m.Rounding == 0 {
		return
	}
	floor := 0.0
	for _, v := range p {
		if v > 0 {
			floor += m.Rounding * m.Rounding / v
		}
	}
	k.add(1, "J_noise_floor", floor, math.NaN(), check.Note, fmt.Sprintf("the file's probabilities are rounded to %.1g; a smaller J is only rounding",
		2*m.Rounding))
}

// add adds a finding that is exact to rounding.
func (k *Row) add(beta float64, name string, value, tolerance float64, v check.Verdict, where string) {
	k.found(beta, check.Finding{Name: name, Value: value, Tolerance: tolerance, Verdict: v, Where: where}, math.NaN())
}

// addNumber adds a number that is no verdict, with what rounding leaves of its digits.
func (k *Row) addNumber(name string, b number.Bounded, where string) {
	if digits := columns.Digits(b); digits != "" {
		where += "; rounding leaves " + digits
	}
	if !b.Known() {
		b.Value = math.NaN()
	}
	k.add(math.NaN(), name, b.Value, math.NaN(), check.Note, where)
}

// measured adds a finding about a property that is known to within a bound.
func (k *Row) measured(beta float64, name string, value, bound float64, v check.Verdict, where string) {
	k.found(beta, check.Finding{Name: name, Value: value, Tolerance: math.NaN(), Verdict: v, Where: where}, bound)
}

func (k *Row) found(beta float64, f check.Finding, bound float64) {
	k.Findings = append(k.Findings, Finding{k.Kernel, k.Toy.Name, beta, f, bound})
}

// at returns the name of a state for messages: its number and coordinates, or its label if it has
// one.
func (k *Row) at(x int) string {
	if k.Toy.InWords() {
		return k.Toy.State(x)
	}
	return fmt.Sprintf("%d %v", x, k.Toy.Lattice().Coords(x))
}

// efficiency adds the findings about how well a right kernel mixes.
func (k *Row) efficiency(ctx context.Context, beta float64, d *kernel.Diagnosis) error {
	if d.Classes == 1 {
		k.add(beta, Irreducible, 1, math.NaN(), check.Pass, "")
	} else {
		verdict := check.Note
		if k.strict {
			verdict = check.Fault
		}
		k.add(beta, Irreducible, float64(d.Classes), math.NaN(), verdict,
			fmt.Sprintf("%d classes of states that do not reach each other; the likeliest has %.6g of the probability", d.Classes, d.ClassMasses[0]))
	}
	if d.Period == 1 {
		k.add(beta, "period", 1, math.NaN(), check.Pass, "")
	} else {
		k.add(beta, "period", float64(d.Period), math.NaN(), check.Note, "it moves in cycles of this length")
	}
	if d.Classes != 1 {
		return nil
	}
	k.gap(beta, d)
	for _, f := range k.functions() {
		v, err := d.AsymptoticVariance(ctx, f.values)
		if err != nil {
			return err
		}
		if !(v.Stationary > 0) {
			continue // the function is constant, as g is on a flat target
		}
		verdict, where := precision(min(v.Error, v.Bound/v.Stationary), d.Proven())
		k.measured(beta, "asymptotic_variance_"+f.name, v.Asymptotic, v.Bound, verdict, where)
		k.measured(beta, "autocorrelation_time_"+f.name, v.Autocorrelation, v.Bound/v.Stationary, verdict, where)
	}
	return nil
}

// precision says what an error relative to a variance means. On large spaces it is infinite if the
// gap has no lower bound.
func precision(relative float64, small bool) (check.Verdict, string) {
	switch {
	case math.IsInf(relative, 1) && !small:
		return check.Open, "no bound is known, because the spectral gap may be zero: the kernel hardly mixes"
	case relative > 1:
		return check.Open, "beyond floating point: the kernel hardly mixes"
	case relative > 1e-6:
		return check.Note, fmt.Sprintf("to about %.1g: the kernel hardly mixes", relative)
	}
	return check.Note, ""
}

// gap adds the findings about the spectral gap of an irreducible kernel. If the kernel goes round
// in cycles it is zero, whatever rounding makes of it. Otherwise it is open if its bound reaches
// zero.
func (k *Row) gap(beta float64, d *kernel.Diagnosis) {
	if d.GapMissing != "" {
		k.measured(beta, "spectral_gap", math.NaN(), math.NaN(), check.Open, d.GapMissing)
		return
	}
	verdict, where := check.Note, "second eigenvalue "+eigenvalue(d.SecondEigen)
	if d.Period > 1 {
		k.add(beta, "spectral_gap", 0, math.NaN(), verdict, fmt.Sprintf("zero, since it moves in cycles of length %d; %s", d.Period, where))
		return
	}
	if d.GapError >= d.SpectralGap {
		verdict, where = check.Open, where+"; the bound reaches zero: the kernel hardly mixes"
	}
	k.measured(beta, "spectral_gap", d.SpectralGap, d.GapError, verdict, where)
	if d.Proven() {
		return
	}
	verdict, where = check.Note, fmt.Sprintf("no eigenvalue gives a smaller gap, except with probability %.0e over the random start of the search",
		kernel.MissRisk)
	if d.GapFloor == 0 {
		verdict, where = check.Open, "an eigenvalue with a smaller gap may have been missed: the search was too short for a gap this small"
	}
	k.add(beta, "spectral_gap_floor", d.GapFloor, math.NaN(), verdict, where)
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

// functions returns the functions of the state whose time averages are judged: g, the values of the
// axes of a grid, and the indicator of the dominant mode.
func (k *Row) functions() []stateFunction {
	n := len(k.Toy.G)
	list := []stateFunction{{"g", k.Toy.MemberG()}}
	if space := k.Toy.Lattice(); space != nil {
		for axis, variable := range k.Toy.Variables() {
			f := stateFunction{variable.Name, make([]float64, n)}
			for x := range f.values {
				f.values[x] = variable.At(space.Coord(x, axis))
			}
			list = append(list, f)
		}
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

// annealing adds J and B of annealing with the kernel, and of annealing with the paper's kernel for
// comparison.
func (k *Row) annealing(ctx context.Context, path chains.Path, candidate *chains.Transitions, T int) error {
	type kernelOf struct {
		suffix string
		moves  *chains.Transitions
	}
	beside := []kernelOf{{"", candidate}}
	if paper, err := kernels.Parse(kernels.Metropolis{}.String(), k.Toy.Space); err == nil { // classes of values have no neighbours
		beside = append(beside, kernelOf{"_metropolis", chains.Always(paper)})
	}
	for _, c := range beside {
		a, err := chains.NewAnnealingBy(path, schedules.Linear{}, c.moves, T)
		if err != nil {
			return err
		}
		s, err := exact.Solve(ctx, a, exact.Options{Progress: k.how.Progress})
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if !k.Named && k.failed(math.NaN(), err) {
			continue
		}
		if err != nil {
			verdict := blame(err)
			if lost, is := errors.AsType[kernel.NotInvariant](err); is && lost.Moved <= flowTolerance {
				verdict = check.Open // each distribution keeps its probabilities to the tolerance of every finding above
			}
			where := "J and B are not computed: " + k.Toy.Explain(err).Error()
			if k.Named && verdict == check.Fault {
				verdict, where = check.Note, where+"; this is no verdict on the kernel at the betas that you asked for"
			}
			k.add(math.NaN(), "annealing"+c.suffix, math.NaN(), math.NaN(), verdict, where)
			continue
		}
		where := strings.Join(append([]string{fmt.Sprintf("T = %d", T)}, s.Notes...), "; ")
		n := s.Numbers()
		k.addNumber("J"+c.suffix, n.J, where)
		k.addNumber("B"+c.suffix, n.B, where)
		if s.Reach != nil && s.Reach.EveryT {
			k.add(math.NaN(), "J_floor"+c.suffix, s.Reach.Floor, math.NaN(), check.Note, "a lower bound on J at every T")
		}
	}
	return nil
}
