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
	"context"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/paths"
	"breadboard/exact/kernel"
	"breadboard/experiments/programs"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/grid"
	"breadboard/reports/check"
	"breadboard/toys"
)

// Options are the options of Run.
type Options struct {
	subject.Reader
	Kernel string   // the selector of the kernel, for programs.Env.Parse
	Toys   []string // the selectors of the toys, for toys.Forms.Parse
	// Betas are the inverse temperatures for a verdict on the kernel. If there are none the verdict
	// is for all: the kernel is examined at those of Betas(), and also at those of an annealing.
	Betas []float64
	T     int     // the number of distributions of the annealing whose J and B are computed; 0 for none
	Seed  uint64  // the seed of the tests of programs that make their own choices
	Alpha float64 // the probability of a false alarm among those tests
	// Moves is the number of moves that such a program makes under each distribution, from MinMoves
	// to MaxMoves.
	Moves int
	// whether a kernel that does not join all states is wrong, although it leaves the distributions
	// invariant
	Strict bool
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
		ProgramFinding, irreducible, "rows", "order", "row_sum", "enumeration_remainder", "invariance",
		"detailed_balance", "reversal",
		"invariance_e_value", "flows_e_value", "mistake", "period", "spectral_gap", "spectral_gap_floor",
		"asymptotic_variance_*", "autocorrelation_time_*", "J_noise_floor", "annealing",
		"annealing_metropolis",
		"J", "B", "J_floor", "J_metropolis", "B_metropolis", "J_floor_metropolis",
	}
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
	Sampled []Power
	// the mistakes whose rows the kernel has had at every beta so far
	suspects []mistake
	strict   bool // see Options.Strict
	// of the numbers of a matrix file; "" if they are those of a float64
	digits string
	// whether its rows sum to 1 as written
	whole bool
	// whether a verdict is wanted at Betas alone
	Named bool
	begun func(toy string) (examined func(wrong bool, asked, more int)) // see Options.Begun
	// to which every distribution is reported under which the kernel has been examined or has moved
	how study.How
}

// Wrong reports whether a finding other than that of reducibility is a fault.
func (k *Row) Wrong() bool {
	return slices.ContainsFunc(
		k.Findings,
		func(f Finding) bool { return f.Verdict == check.Fault && f.Name != irreducible },
	)
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

// Plan examines a kernel on every toy: does it leave each distribution invariant, how fast does it
// mix, and which J and B does annealing with it have, compared with the kernel of Grosse et al.
// (2016)? It starts the program of the kernel, if that is one: a program that fails is a finding.
func (o Options) Plan(ctx context.Context) (p study.Plan[Row], err error) {
	named := o.Betas != nil
	if !named {
		o.Betas = Betas()
	}
	if len(o.Toys) == 0 {
		return p, errs.New("no toy is named; give one, as in {toy} barrier")
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
		return p, errs.New("%d moves; a program is tested with %d to %d under each distribution", o.Moves,
			MinMoves, MaxMoves)
	}
	var out []Row
	var moves []*chains.Transitions
	var refused subject.Failures
	err = subject.EachToy(ctx, o.Toys, o.ReadToy, &refused, func(_ string, toy *toys.Toy) error {
		r := Row{Kernel: o.Kernel, Toy: toy, Betas: o.Betas, Named: named, strict: o.Strict, begun: o.Begun}
		candidate, err := o.candidate(ctx, toy)
		if !r.failed(math.NaN(), err) {
			if err := refused.Keep(
				ctx,
				subject.NewFailure(subject.Params{{Name: "toy", Value: toy.Name}}, err),
			); err != nil {
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
			Err: errs.New("toy %s has %d states; the limit for checking a kernel is %d", toy.Name, n,
				kernel.MaxDiagnosisStates),
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
		if err := o.CheckSize(nil, 2, k.Kernel(), toy); err != nil {
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
		err = k.testProgram(ctx, p, o)
	} else {
		err = k.examineTransitions(ctx, candidate, o.T)
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
	return k.examineTransitions(ctx, chains.Always(candidate), T)
}

// examineTransitions does what Examine does, for transitions. Where these have a kernel of its own
// for each stage, they are examined at the betas of a linear schedule with as many stages.
func (k *Row) examineTransitions(ctx context.Context, candidate *chains.Transitions, T int) error {
	path, err := paths.NewGeometric(k.Toy.Members, k.Toy.G)
	if err != nil {
		return err
	}
	centred, _ := path.Centred()
	T, whole, err := k.planStages(centred, candidate, T)
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
	return k.addAnnealing(ctx, centred, candidate, T)
}
