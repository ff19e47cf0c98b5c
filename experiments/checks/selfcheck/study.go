// Package selfcheck answers: does an implementation of annealed importance sampling agree with the exact answer? It runs a
// battery of sequential tests whose probability of a false alarm, over all of them and at whatever time one stops, is at
// most a given alpha. It never compares with a tolerance.
//
// Three implementations are tested: chains that are moved by the kernel's Move, chains that are drawn from alias tables of the kernel's rows, and
// occupation counts (see package simulate). The tests are of the rows of the kernel, of both ends of the chains, of log weights alone and given
// either end, of the independence of chains at several distances, of calls and of the two directions, and of the law of counts. On annealings of
// three distributions, which are run in many small calls, the whole joint law of both ends and the log weight is known path by path.
//
// Systems of particles, conditional ones and AIDE are tested too. On every annealing the runs of a system are tied to its conditional runs from
// exact draws of the target, by an identity that needs no other law than Z and holds for any number of particles. On one small case, which is part
// of every run, what can come of two and three particles is enumerated for every scheme of resampling, and so is what AIDE averages. On another
// one tempering is tested: where all replicas are after some scans, with their round trips, and how often each pair refuses a swap.
//
// Coupled chains are tested on two small cases, which are part of every run too: where a pair of states goes in one move, and when
// chains meet, for every coupling, against the exact laws of package exact/meeting.
//
// Chains that come from elsewhere, from a file say, are counted in a Tally, and in a PairTally where there are both directions. Any of x_1, x_T
// and log w may be missing: the tests that the rest allows are those of a simulation's chains, and what cannot be tested is said.
//
// # What the battery is worth
//
// RunMutants runs the battery on planted bugs in kernels, chains, random streams, tables and counts, and on harmless
// variants. It catches 48 of 49. Mutants are given more draws than the real code, and for five of the 49 the draws of a run on
// the real code are not enough; each row says which. The one that is missed is an acceptance probability in 32 bits: by its
// Kullback-Leibler divergence a test of single moves is expected to need more than 10^8 of them (Wald 1945).
package selfcheck

import (
	"context"
	"errors"
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/experiments/columns"
	"breadboard/experiments/study/check"
	"breadboard/grid"
)

// Subject is an annealing with the name from which its random numbers derive: cases of one name share them.
type Subject struct {
	Name      string
	Annealing *chains.Annealing
	// Label returns the label of a state for the messages of tests; nil where states are known by their numbers.
	Label func(x int) string
	// Part divides the number of draws for the case; 0 is 1.
	Part int
}

// Battery holds the results of the tests of one simulation of one case.
type Battery struct {
	Case       int // the index of the case
	Simulation string
	Results    []Result
}

// Fault reports whether a test found a fault.
func (b Battery) Fault() bool { return check.Faulty(b.Results) }

// Job is one battery to run: a simulation against its laws.
type Job struct {
	Case   int
	Laws   *Laws  // nil where the tests need none of the case
	Name   string // of the simulation
	tests  func(o BatteryOptions) []*test
	stream string
	part   int
}

// Jobs computes the laws of every case and lists the batteries for the project's own simulations. A case whose exact solution finds a fault
// becomes a battery with this fault as its only result, and the other cases go on. Any other case for which there are no exact laws is an error.
func Jobs(ctx context.Context, cases []Subject, solved func(steps int)) (jobs []Job, failed []Battery, err error) {
	for i, c := range cases {
		laws, err := lawsOf(ctx, c.Annealing, solved)
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if _, wrong := errors.AsType[chains.Fault](err); err != nil && !wrong {
			return nil, nil, fmt.Errorf("case %d of %d, %s: %w", i+1, len(cases), c.Name, chains.NameStates(err, c.Label))
		}
		if err != nil {
			failed = append(failed, Battery{i, "exact", []Result{{Test: "exact solution", LogE: math.Inf(1), Fault: true, Where: chains.NameStates(err, c.Label).Error()}}})
			continue
		}
		laws.Named(c.Label)
		for _, s := range Simulations(laws.a) {
			tests := func(o BatteryOptions) []*test { return laws.battery(s, o) }
			jobs = append(jobs, Job{i, laws, s.Name, tests, c.Name, max(1, c.Part)})
		}
		jobs = append(jobs, particleJob(i, laws, c))
	}
	return jobs, failed, nil
}

// mostConstant is the largest constant in log f, in nats, that simulations are tested with: beside a larger one the log
// weights would have too few digits left to tell paths apart.
const mostConstant = 1e4

// lawsOf returns the laws of an annealing as it is, or without the constant in log f where that is too large.
func lawsOf(ctx context.Context, a *chains.Annealing, solved func(steps int)) (*Laws, error) {
	centred, offset := a.Centred()
	if math.Abs(offset) <= mostConstant {
		return newLaws(ctx, a, solved)
	}
	l, err := newLaws(ctx, centred, solved)
	if err == nil {
		l.skip("log f has a constant of %.3g nats, beside which log weights lose their digits: it is taken out before the simulation, and what that makes of it is not tested", offset)
	}
	return l, err
}

// Tests returns the number of tests of all jobs, for Options.Tests.
func Tests(jobs []Job) int {
	n := 0
	for _, j := range jobs {
		n += len(j.tests(BatteryOptions{}))
	}
	return n
}

// Run runs the battery of a job.
func (j Job) Run(ctx context.Context, o BatteryOptions) (Battery, error) {
	o.Stream = j.stream
	o.Draws, o.Moves = (o.Draws+j.part-1)/j.part, (o.Moves+j.part-1)/j.part
	results, err := runTests(ctx, j.tests(o), o)
	return Battery{j.Case, j.Name, results}, err
}

// Detection says whether a battery has found a planted bug, and with how many draws. It is the first fault, where there is one, named by its test.
type Detection struct {
	check.Finding
	Draws int // the draws of the test that found the bug, or else the largest number of draws of any test
	// Default reports whether the bug was found within the number of draws that an ordinary run makes. Mutants get more.
	Default bool
	// Needs is the expected number of single moves that a test of single moves needs to find the bug, where it is in a kernel; else 0.
	Needs float64
}

// Judgement is what the batteries say of a mutant.
type Judgement = check.Judgement[Detection]

// MutantColumns lists the columns of planted bugs and harmless variants.
func MutantColumns() []columns.Field[Judgement] {
	return check.MutantColumns(nil, []columns.Field[Judgement]{
		{Column: columns.Column{Name: "default", Type: columns.Bool, Title: "by default", Meaning: "whether the draws of a run without mutants are enough to catch it"}, Of: func(j *Judgement) any { return j.Worst.Default }},
		{Column: columns.Column{Name: "draws", Type: columns.Int, Spare: 1, Title: "draws", Meaning: "the number of draws of the test that caught it, or else the largest number of any test"}, Of: func(j *Judgement) any { return j.Worst.Draws }},
		{Column: columns.Column{Name: "needs", Type: columns.Float, Spare: 1, Title: "needs", Digits: 2, Meaning: "the number of moves that a test of single moves is expected to need; empty where it is not known"}, Of: func(j *Judgement) any {
			if j.Worst.Needs > 0 {
				return j.Worst.Needs
			}
			return nil
		}},
		{Column: columns.Column{Name: "where", Type: columns.String, Title: "where", Meaning: "the test that caught it; empty where it was not caught"}, Of: func(j *Judgement) any {
			if !j.Caught {
				return ""
			}
			return j.Worst.Name + ": " + j.Worst.Where
		}},
	})
}

// VisibleMoves bounds the affordable tests of single moves: a planted bug that needs more moves counts as invisible.
const VisibleMoves = 1e8

// deepMoves is the number of moves for each chain that test a wrong kernel at the first stage. It is large because a bug may be slight.
const deepMoves = 1024

// manyCalls multiplies the calls of a mutant that only counts, because its law may be nearly right.
const manyCalls = 8

// Invisible reports whether tests of single moves need more than VisibleMoves to see the bug.
func (d *Detection) Invisible() bool { return d.Needs > VisibleMoves }

// maxMutantT is the largest T for mutants. The plain simulation keeps log f of every stage in memory.
const maxMutantT = 1000

// MutantJobs lists the mutants of an annealing that they are written for: Metropolis' kernel on a square plane
// with walls, at least 3 by 3, from a uniform start to a target without zeros.
func MutantJobs(a *chains.Annealing) ([]Mutant, error) {
	k, ok := a.Kernel().(kernels.Metropolis)
	if !ok {
		return nil, chains.NewAdvice("the mutants are variants of the metropolis kernel; leave {kernel} out")
	}
	space, ok := k.Space.(*grid.Lattice)
	if !ok || !squarePlane(space) {
		return nil, fmt.Errorf("the mutants need a square plane with walls, at least 3x3; %s is none", k.Space)
	}
	path, ok := a.Path().(*paths.Geometric)
	if !ok || !path.Uniform() {
		return nil, chains.NewAdvice("the mutants need the geometric path from the uniform distribution; leave {path} and {initial} out")
	}
	if a.Distributions() > maxMutantT {
		return nil, fmt.Errorf("%d distributions; the mutants are simulated for at most %d", a.Distributions(), maxMutantT)
	}
	for x, g := range path.Difference() {
		if math.IsInf(g, -1) {
			return nil, chains.AtStates(fmt.Errorf("the mutants need a target without zeros; state %d is one", x), x)
		}
	}
	return Mutants(a, space), nil
}

func squarePlane(l *grid.Lattice) bool {
	return l.Dims() == 2 && l.Side(0) == l.Side(1) && l.Side(0) >= 3 && !l.Wraps(0) && !l.Wraps(1)
}

// Run runs the battery on a mutant.
func (m Mutant) Run(ctx context.Context, l *Laws, o BatteryOptions) (out Detection, err error) {
	out.Verdict = check.Pass
	if m.wrong != nil && !m.Harmless {
		if out.Needs, err = m.needs(ctx, l, o.Alpha/float64(Count(l, m.Simulation))); err != nil {
			return out, err
		}
	}
	given := l.battery(m.Simulation, o) // the battery that an ordinary run has
	if m.wrong != nil && !m.Harmless && !out.Invisible() {
		o.Deep = min(VisibleMoves, deepMoves*o.Draws)
	}
	o.Calls = manyCalls
	results, err := RunBattery(ctx, l, m.Simulation, o)
	for i, r := range results {
		switch {
		case r.Fault && out.Verdict == check.Pass:
			out.Finding, out.Draws = r.Found(), r.Draws
		case out.Verdict == check.Pass:
			out.Draws = max(out.Draws, r.Draws)
		}
		out.Default = out.Default || r.Fault && r.Draws <= given[i].most()
	}
	return out, err
}
