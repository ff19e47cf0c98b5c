package selfcheck

import (
	"context"
	"fmt"
	"slices"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/simulate"
	"breadboard/exact/weights"
	"breadboard/experiments/annealing/ais"
	"breadboard/experiments/study"
	"breadboard/experiments/study/check"
	"breadboard/experiments/subject"
	"breadboard/experiments/verdicts"
	"breadboard/toys"
)

// Options says how far to test the simulations against the exact distributions.
type Options struct {
	Alpha    float64 // the probability of a false alarm in the whole run
	Chains   int     // the largest sample of chains in each direction; there are up to twice as many single moves
	Seed     uint64
	Workers  int
	Progress func(batteries int) // called by Run with the number of batteries done
	// Tabulated is called where the rows of kernels are asked for one by one, before any chain is
	// drawn, as a program is: with the number of rows that are there, and that of all. It may be
	// nil.
	Tabulated func(rows, of int)
	// Solved is called now and then while Prepare computes the distributions of log weights, which
	// takes most of its time on large spaces, with the number of steps since the last call. All
	// calls add up to LawSteps. It may be nil.
	Solved func(steps int)
}

// Validate returns an error that says what is wrong with the options, and nil if they are valid.
func (o Options) Validate() error {
	if err := check.ValidateAlpha(o.Alpha); err != nil {
		return err
	}
	if err := (study.How{Workers: o.Workers}).Validate(); err != nil {
		return err
	}
	return ais.Options{Chains: o.Chains}.Validate(1)
}

func (o Options) battery(tests int) BatteryOptions {
	return BatteryOptions{Alpha: o.Alpha, Tests: tests, Seed: o.Seed, Draws: o.Chains, Moves: 2 * o.Chains}
}

// besidePart divides the number of draws for the cases beside. They need fewer, because the faults
// for which they are there show with few draws.
const besidePart = 8

// Outcome is the outcome of the batteries of one run.
type Outcome struct {
	Cases     []subject.Case
	Batteries []Battery  // those of cases without an exact solution come first, then the others in the order of the cases
	Skipped   [][]string // for each case, what is not tested, and why
}

// Fault reports whether any test found a fault.
func (c *Outcome) Fault() bool { return slices.ContainsFunc(c.Batteries, Battery.Fault) }

// Prepared is a run whose exact distributions are known, and whose simulations have not been tested
// yet.
type Prepared struct {
	cases  []subject.Case
	jobs   []Job
	failed []Battery // of the cases without an exact solution
	o      Options
}

// LawSteps returns the number of steps that Prepare reports for a number of cases, those beside
// included.
func LawSteps(cases int) int { return weights.LawProgress * cases }

// Batteries returns the number of batteries that Run reports.
func (p *Prepared) Batteries() int { return len(p.jobs) }

// Run prepares a run and does it: see Prepare and Prepared.Run.
func Run(ctx context.Context, cases, beside []subject.Case, o Options) (*Outcome, error) {
	p, err := Prepare(ctx, cases, beside, o)
	if err != nil {
		return nil, err
	}
	return p.Run(ctx, o.Progress)
}

// Prepare computes the exact distributions of every case, and of the cases beside them, as
// Prepared.Run needs them. It fails if the options are not valid, if a case has no exact
// distributions and if the context ends.
func Prepare(ctx context.Context, cases, beside []subject.Case, o Options) (*Prepared, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	first := len(cases)
	cases, err := withTables(ctx, append(cases[:first:first], beside...), o.Tabulated)
	if err != nil {
		return nil, err
	}
	named := make([]Subject, len(cases))
	for i, c := range cases {
		named[i] = Subject{Name: c.Key(), Annealing: c.Annealing(), Label: labels(c.Toy)}
		if i >= first {
			named[i].Part = besidePart
		}
	}
	jobs, failed, err := jobs(ctx, named, o.Solved)
	if err != nil {
		return nil, err
	}
	for _, s := range smallCases() {
		c, err := s.load(ctx)
		if err != nil {
			return nil, err
		}
		jobs, cases = append(jobs, s.job(len(cases), c)), append(cases, c)
	}
	return &Prepared{cases, jobs, failed, o}, nil
}

// smallCase is a case, part of every run, on which all that can happen is enumerated.
type smallCase struct {
	toy    string
	T      int
	kernel string
	job    func(i int, c subject.Case) Job // the battery on the case of an index
}

func smallCases() []smallCase {
	return []smallCase{
		{"random:2:0:3", fewStages, "metropolis", fewJob},          // three states on a line, with weights that differ enough for thresholds to bite
		{"random:1:7:3x2", 2, "metropolis", coupledJob},            // a kernel that proposes and accepts
		{"random:1:7:3x2", 2, "heatbath", coupledJob},              // and one that draws from a heat bath
		{"random:2:7:3", temperedRungs, "metropolis", temperedJob}, // its distributions are the rungs on which both schemes of tempering are tested
	}
}

func (s smallCase) load(ctx context.Context) (subject.Case, error) {
	cases, err := subject.Selection{Toys: []string{s.toy}, Distributions: []int{s.T}, Path: "geometric", Schedule: "linear", Kernel: s.kernel}.Cases(ctx)
	if err != nil {
		return subject.Case{}, err
	}
	return cases[0], nil
}

// Run tests every simulation of every case, and then of the cases beside them with an eighth of the
// chains. Last it tests systems of few particles on a small case of its own, on which all that can
// happen is enumerated, the couplings of two kernels on two more, and tempering on another one;
// these cases are added to those of the outcome. A false alarm in the whole run has probability at
// most o.Alpha. The same seed gives the same results for any number of workers. The draws of a case
// do not depend on the other cases (see Case.Key), but with more tests in the run the threshold for
// a fault is higher. Progress is called with the number of batteries done, of Batteries, from
// several goroutines; it may be nil.
func (p *Prepared) Run(ctx context.Context, progress func(batteries int)) (*Outcome, error) {
	cases, jobs, o := p.cases, p.jobs, p.o
	batteries := make([]Battery, len(jobs))
	options := o.battery(Tests(jobs))
	err := subject.Parallel(ctx, len(jobs), o.Workers, func(ctx context.Context, i int) (err error) {
		batteries[i], err = jobs[i].Run(ctx, options)
		if progress != nil {
			progress(1)
		}
		return err
	})
	skipped := make([][]string, len(cases))
	for _, j := range jobs {
		if j.Laws != nil {
			skipped[j.Case] = j.Laws.Skipped()
		}
	}
	return &Outcome{cases, append(p.failed[:len(p.failed):len(p.failed)], batteries...), skipped}, err
}

// labels returns the function that labels the states of a toy; nil if states are known by their
// numbers.
func labels(toy *toys.Toy) func(x int) string {
	if toy.InWords() {
		return toy.Label
	}
	return nil
}

// Running tests the chains of both directions while they accumulate. Its tests are those that a
// Tally has for either direction by the distributions that it is given. All of them together raise
// a false alarm with a probability of at most alpha, however often one looks.
type Running struct {
	tallies [2]*Tally // by direction
	drawn   [2]int
	tests   [2][]*verdicts.Watch
	results [2][]Result
}

// NewRunning returns the tests of chains of which both ends and the log weight are known.
// NewEndLaws has distributions for it that are soon there. It fails for an alpha outside 0 to 1.
func NewRunning(l *ChainLaws, alpha float64) (*Running, error) {
	if !(alpha > 0 && alpha < 1) {
		return nil, fmt.Errorf("probability of a false alarm %v; give one above 0 and below 1, such as %v", alpha, check.DefaultAlpha)
	}
	r := &Running{}
	for d := range r.tallies {
		r.tallies[d] = NewTally(l, chains.Direction(d), Columns{First: true, Last: true, LogW: true})
		for _, t := range r.tallies[d].Tests() {
			r.tests[d] = append(r.tests[d], &verdicts.Watch{Name: t.Name, Value: t.Value})
		}
	}
	threshold := float64(len(r.tests[0])+len(r.tests[1])) / alpha
	for d, tests := range r.tests {
		for _, w := range tests {
			w.LogThreshold = number.Log(threshold)
			r.results[d] = append(r.results[d], Result{Test: w.Name, Threshold: threshold})
		}
	}
	return r, nil
}

// Add counts chains that have come.
func (r *Running) Add(forward, reverse *simulate.Batch) {
	for d, b := range []*simulate.Batch{forward, reverse} {
		r.tallies[d].Add(b.First, b.Last, b.LogW)
		r.drawn[d] += len(b.LogW)
	}
}

// EValues returns the e-values of all tests on the chains so far, those of the forward chains
// first. A test that has found a fault at an earlier call keeps it, with what it said then.
func (r *Running) EValues() []Result {
	for d, tests := range r.tests {
		for i, w := range tests {
			w.Look(r.drawn[d])
			r.results[d][i].judge(w)
		}
	}
	return slices.Concat(r.results[0], r.results[1])
}

// chainTests returns the chains of a simulation in both directions, each round in one block of
// random numbers, with the tests that chains from anywhere have.
func (l *Laws) chainTests(s Simulation, o BatteryOptions) *source {
	block := Block{Seed: o.Seed, Purpose: "crosscheck " + o.Stream + " " + s.Name}
	all := Columns{First: true, Last: true, LogW: true}
	tallies, pairs := [2]*Tally{}, NewPairTally(l.ChainLaws, all, all)
	out := newSource(o.Draws, 1, func(ctx context.Context, k int) error {
		for d, t := range tallies {
			d := chains.Direction(d)
			if s.Chains == nil {
				counts, err := s.occupation(ctx, l.a, d, block, k)
				if err != nil {
					return err
				}
				t.addCounts(counts, k)
				continue
			}
			b, err := s.batch(ctx, l.a, d, block, k)
			if err != nil {
				return err
			}
			t.Add(b.First, b.Last, b.LogW)
			pairs.Add(d, b.First, b.Last)
		}
		block.Number++
		return nil
	})
	var named []NamedTest
	for d := range tallies {
		tallies[d] = NewTally(l.ChainLaws, chains.Direction(d), all)
		if s.Chains == nil {
			named = append(named, tallies[d].ofCounts()...)
		} else {
			named = append(named, tallies[d].allowed(tallies[d].battery())...)
		}
	}
	if s.Chains != nil {
		named = append(named, pairs.Tests()...)
	}
	for _, n := range named {
		out.add(n.Name, n.Value)
	}
	return out
}
