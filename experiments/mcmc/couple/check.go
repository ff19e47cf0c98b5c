package couple

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"breadboard/chains"
	"breadboard/chains/couplings"
	"breadboard/chains/number"
	"breadboard/chains/paths"
	"breadboard/chains/simulate"
	"breadboard/exact/averages"
	"breadboard/exact/meeting"
	"breadboard/experiments/columns"
	"breadboard/experiments/programs"
	"breadboard/experiments/study"
	"breadboard/experiments/study/check"
	"breadboard/experiments/subject"
	"breadboard/experiments/verdicts"
	"breadboard/toys"
)

// CheckOptions are the options of CheckPlan.
type CheckOptions struct {
	Coupling string   // one of couplings.Names, Rejection, or exec:COMMAND
	Kernel   string   // the selector of the kernel by which each chain alone should move, for programs.ParseKernel
	Toys     []string // the selectors of the toys, for toys.Parse
	Betas    []float64
	Programs *programs.Programs // holds the started programs; if nil, couplings and kernels in programs are errors
	Seed     uint64             // of the moves of couplings that make their own choices
	Alpha    float64            // the probability of a false alarm among the tests of these
	Moves    int                // the number of moves of each pair by such a coupling under each distribution, from MinMoves to MaxMoves
}

// Rejection is the name of the coupling by rejection, which can be sampled but not enumerated.
const Rejection = "rejection"

// CheckBetas are the default inverse temperatures of checks: two, to find a coupling that keeps
// using the distribution before.
func CheckBetas() []float64 { return []float64{0.5, 1} }

// Finding is one result about a coupling, or about its output.
type Finding struct {
	Toy   string
	About string // which distribution, or which column
	check.Finding
}

// FindingColumns lists the columns of findings.
func FindingColumns() columns.List {
	return append(columns.List{
		columns.Of("toy", "toy", columns.MeansRows, func(f *Finding) string { return f.Toy }),
		columns.Of("about", "about", "the inverse temperature of the distribution, or the column of the file", func(f *Finding) string { return f.About }),
	}, check.Columns[Finding]()...)
}

// target is a toy with the kernel and the coupling on it.
type target struct {
	toy    *toys.Toy
	kernel chains.Kernel
	couple couplings.Coupling
}

// CheckPlan fails for options that cannot be checked. It starts the program of the coupling, if
// that is one: a program that fails is a finding. The steps of the plan are pairs of states.
func CheckPlan(ctx context.Context, o CheckOptions) (p study.Plan[Finding], err error) {
	switch {
	case len(o.Toys) == 0 || len(o.Betas) == 0:
		return p, errors.New("no toy, or no distribution; give at least one of each")
	case o.Moves < MinMoves || o.Moves > MaxMoves:
		return p, fmt.Errorf("%d moves; a coupling that makes its own random choices is tested with %d to %d from each pair", o.Moves, MinMoves, MaxMoves)
	}
	if err := check.ValidateAlpha(o.Alpha); err != nil {
		return p, err
	}
	for _, b := range o.Betas {
		if !(b >= 0 && b <= 1) {
			return p, fmt.Errorf("beta %v; inverse temperatures are from 0 to 1", b)
		}
	}
	var targets []target
	var failures []Finding
	var refused subject.Failures
	for _, selector := range o.Toys {
		toy, err := subject.ParseToy(ctx, selector)
		if err != nil {
			return p, err
		}
		t, err := o.on(ctx, toy)
		if err == nil {
			t.couple, err = couplingOf(o.Coupling, o.Programs, t.kernel, toy)
			if _, is := errors.AsType[programs.ProgramError](err); is {
				failures = append(failures, Finding{toy.Name, "", failed(err.Error())})
				continue
			}
		}
		if fatal := refused.Keep(ctx, subject.NewFailure(subject.Params{{Name: "toy", Value: toy.Name}}, err)); fatal != nil {
			return p, fatal
		}
		if err == nil {
			targets = append(targets, t)
			n := toy.Space.States()
			p.Steps += n * n * len(o.Betas)
		}
	}
	if len(targets)+len(failures) == 0 {
		return p, refused
	}
	p.Run = func(ctx context.Context, h study.How) ([]Finding, error) {
		found, err := subject.Rows(ctx, len(targets), h.Workers, func(ctx context.Context, i int) ([]Finding, error) {
			return o.examine(ctx, &targets[i], h)
		})
		found = slices.Concat(failures, found)
		return found, refused.With(ctx, len(found), err)
	}
	return p, nil
}

// on returns a toy with the kernel on it, without a coupling.
func (o *CheckOptions) on(ctx context.Context, toy *toys.Toy) (t target, err error) {
	if err := subject.NeedsStates(toy, "a coupling of chains"); err != nil {
		return t, err
	}
	if n := toy.Space.States(); n > meeting.MaxStates {
		return t, fmt.Errorf("toy %s has %d states and %d pairs of them; the limit for checking couplings is %d states", toy.Name, n, n*n, meeting.MaxStates)
	}
	moves, err := subject.ParseKernel(ctx, o.Kernel, toy, o.Programs)
	if err == nil && moves.Kernel() == nil {
		err = fmt.Errorf("kernel %v has a file for each stage of an annealing; the two chains need one kernel", moves)
	}
	if err == nil {
		err = subject.CheckExact(moves)
	}
	if err != nil {
		return t, err
	}
	return target{toy: toy, kernel: moves.Kernel()}, nil
}

// couplingOf returns the coupling of a name: one of couplings.Names, Rejection, or exec:COMMAND.
func couplingOf(name string, held *programs.Programs, k chains.Kernel, toy *toys.Toy) (couplings.Coupling, error) {
	if command, is := programs.CommandOf(name); is {
		if held == nil {
			return nil, errors.New("programs cannot be run here")
		}
		return held.Start(command, toy.Space)
	}
	if name == Rejection {
		return couplings.NewRejection(k)
	}
	return couplings.New(name, k)
}

// examine makes the findings on one toy.
func (o *CheckOptions) examine(ctx context.Context, t *target, h study.How) (out []Finding, err error) {
	path, err := paths.NewGeometric(t.toy.Members, t.toy.G)
	if err != nil {
		return nil, err
	}
	centred, _ := path.Centred()
	e := Examination{Space: t.toy.Space, Name: t.toy.State, Pair: func() { h.Add(1) }}
	for _, beta := range o.Betas {
		logf := make([]float64, path.States())
		centred.LogF(logf, chains.At(beta))
		e.Before = e.Chain
		if e.Chain, err = averages.New(ctx, t.kernel, logf); err != nil {
			return nil, fmt.Errorf("toy %s, beta %v, kernel %s: %w", t.toy.Name, beta, o.Kernel, t.toy.Explain(err))
		}
		found, err := o.findings(ctx, &e, t, beta)
		if err != nil {
			return nil, fmt.Errorf("toy %s, beta %v: %w", t.toy.Name, beta, err)
		}
		for _, f := range found {
			out = append(out, Finding{t.toy.Name, fmt.Sprintf("beta %v", beta), f})
		}
		if found[0].Name == PairMoves {
			return out, nil // a program that has gone wrong is not asked again
		}
	}
	return out, nil
}

func (o *CheckOptions) findings(ctx context.Context, e *Examination, t *target, beta float64) ([]check.Finding, error) {
	var move Mover
	if p, is := t.couple.(*programs.Program); is && p.Samples() {
		move = p.SampleCoupled
	} else if o.Coupling == Rejection {
		move = Sampling(t.couple)
	} else {
		return e.Exact(ctx, t.couple)
	}
	rng := rand.New(simulate.NewStream(o.Seed, fmt.Sprintf("couple %s %s %v", t.toy.Name, o.Kernel, beta), 0))
	return e.Sampled(ctx, move, o.Moves, rng, o.Alpha/float64(2*len(o.Toys)*len(o.Betas)))
}

// The limits of the number of moves of each pair by a coupling that makes its own choices.
const (
	MinMoves     = 64
	DefaultMoves = 1 << 10
	MaxMoves     = 1 << 15
)

// Mover moves two chains together a number of times, each time from the states x and y, and counts
// the ends of the moves.
type Mover func(logf []float64, x, y, moves int, rng *rand.Rand) ([]programs.Ends, error)

// Sampling returns the Mover of a coupling that cannot be enumerated.
func Sampling(c couplings.Coupling) Mover {
	return func(logf []float64, x, y, moves int, rng *rand.Rand) (ends []programs.Ends, err error) {
		chooser := chains.NewSampler(rng)
		for range moves {
			x2, y2 := c.Couple(chooser, logf, x, y)
			ends = append(ends, programs.Ends{X: x2, Y: y2, Moves: 1})
		}
		return ends, nil
	}
}

// Sampled tests moves of every pair. The moves of each chain alone are compared with the kernel by
// e-values, one for each chain, the average over all pairs: a correct coupling reaches 1/alpha on
// either with a probability of at most 2 alpha. Chains that have met must not part in any move.
func (e *Examination) Sampled(ctx context.Context, move Mover, moves int, rng *rand.Rand, alpha float64) ([]check.Finding, error) {
	n := e.Chain.States()
	b := &behaviour{Examination: e, rows: make([][]chains.Entry, n*n), moves: moves}
	var tests [2]pairTest
	counts, p := make([]int, n), make([]float64, n)
	for pair := range b.rows {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		x, y := pair/n, pair%n
		ends, err := move(e.Chain.LogF, x, y, moves, rng)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			return []check.Finding{failed(err.Error())}, nil
		}
		sums := map[int]float64{}
		for _, end := range ends {
			sums[end.X*n+end.Y] += float64(end.Moves) / float64(moves)
		}
		b.rows[pair] = sorted(sums)
		for second := range tests {
			clear(counts)
			for _, end := range ends {
				counts[[2]int{end.X, end.Y}[second]] += end.Moves
			}
			row(p, e.Chain, [2]int{x, y}[second])
			tests[second].add(pair, counts, p)
		}
		e.Pair()
	}
	power := e.power(moves, alpha)
	var out []check.Finding
	for second, name := range [2]string{firstMarginal, secondMarginal} {
		t := &tests[second]
		chain := [2]string{"first", "second"}[second]
		looked := fmt.Sprintf("%d moves of each of %d pairs; %s", moves, n*n, power)
		f := check.EValue(name, number.LogMean(t.logE), -number.Log(alpha), looked, func() string {
			return fmt.Sprintf("the %s chain alone does not move by the kernel: from states %s and %s it goes to %s", chain, e.Name(t.worst/n), e.Name(t.worst%n),
				verdicts.WorstCell(t.counts, t.p, func(z int) string { return "state " + e.Name(z) }))
		})
		out = append(out, f)
	}
	together := b.faithful()
	if together.Verdict == check.Pass {
		together.Where = fmt.Sprintf(
			"in %d moves of each state; if chains parted in more than %.2g of the moves from one state, this would have been seen with probability %v", moves,
			1-math.Pow(1-verdicts.DetectionProbability, 1/float64(moves)), verdicts.DetectionProbability)
	}
	return append(out, together, b.reaches()), nil
}

// pairTest is the test of the moves of one chain alone from every pair.
type pairTest struct {
	logE   []float64 // by pair
	worst  int       // the pair with the largest
	counts []int     // where its moves ended
	p      []float64 // the row of the kernel there
}

func (t *pairTest) add(pair int, counts []int, p []float64) {
	logE := number.LogMean([]float64{verdicts.CountsLogE(counts, p), verdicts.CellsLogE(counts, p)})
	t.logE = append(t.logE, logE)
	if logE > t.logE[t.worst] || t.counts == nil {
		t.worst, t.counts, t.p = pair, append([]int(nil), counts...), append([]float64(nil), p...)
	}
}

// power says what that many moves of each pair would have found of a chain.
func (e *Examination) power(moves int, alpha float64) string {
	n, most := e.Chain.States(), 0.0
	p := make([]float64, n)
	for x := range n {
		row(p, e.Chain, x)
		most = math.Max(most, verdicts.SpreadDivergence(p, moves, number.Log(float64(2*n*n)/alpha))) // NaN if one is
	}
	if math.IsNaN(most) {
		return "too few for a statement of what would have been found"
	}
	return fmt.Sprintf(
		"a row of any pair that is more than %.2g nats (KL) from the kernel's would have been found with probability %v, if it changes every probability by a small factor",
		most, verdicts.DetectionProbability)
}
