// Package selfcheck answers: does an implementation of annealed importance sampling agree with the
// exact answer? It runs a battery of sequential tests whose probability of a false alarm, over all
// of them and at whatever time one stops, is at most a given alpha. It never compares with a
// tolerance.
//
// Three implementations are tested: chains that are moved by the kernel's Move, chains that are
// drawn from alias tables of the kernel's rows, and occupation counts (see package simulate). The
// tests are of the rows of the kernel, of both ends of the chains, of log weights alone and given
// either end, of the independence of chains at several distances, of calls and of the two
// directions, and of the distribution of counts. On annealings of three distributions, which are
// run in many small calls, the whole joint distribution of both ends and the log weight is known
// path by path.
//
// Systems of particles, conditional ones and AIDE are tested too. On every annealing the runs of a
// system are tied to its conditional runs from exact draws of the target, by an identity that needs
// no other distribution than Z and holds for any number of particles. On one small case, which is
// part of every run, what can come of two and three particles is enumerated for every scheme of
// resampling, and so is what AIDE averages. On another one tempering is tested: where all replicas
// are after some scans, with their round trips, and how often each pair refuses a swap.
//
// Coupled chains are tested on two small cases, which are part of every run too: where a pair of
// states goes in one move, and when chains meet, for every coupling, against the exact
// distributions of package exact/meeting.
//
// Chains that come from elsewhere, from a file say, are counted in a Tally, and in a PairTally if
// there are both directions. Any of x_1, x_T and log w may be missing: the tests that the rest
// allows are those of a simulation's chains, and a note says what cannot be tested.
//
// Everything that is drawn is a source with its tests, and verdicts.Sequential looks at them while
// the draws become more. Chains are counted in the tallies that chains from elsewhere have. What
// falls into cells is a kind with its distribution: a new one is a value of kind, in a line of
// smallCases.
//
// TestPlanted shows what the battery is worth: it finds 48 of 49 planted bugs in kernels, chains,
// random streams, tables and counts, and none of the harmless variants.
package selfcheck

import (
	"context"
	"errors"
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/experiments/study/check"
)

// Subject is an annealing with the name from which its random numbers derive: cases of one name
// share them.
type Subject struct {
	Name      string
	Annealing *chains.Annealing
	// Label returns the label of a state for the messages of tests; nil if states are known by
	// their numbers.
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

// Job is one battery to run: a simulation against its distributions.
type Job struct {
	Case   int
	Laws   *Laws  // nil if the tests need none of the case
	Name   string // of the simulation
	tests  func(o BatteryOptions) []*source
	stream string
	part   int
}

// jobs computes the distributions of every case and lists the batteries for the project's own
// simulations. A case whose exact solution finds a fault becomes a battery with this fault as its
// only result, and the other cases go on. Any other case for which there are no exact distributions
// is an error.
func jobs(ctx context.Context, cases []Subject, solved func(steps int)) (jobs []Job, failed []Battery, err error) {
	for i, c := range cases {
		laws, err := lawsOf(ctx, c.Annealing, solved)
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if _, wrong := errors.AsType[chains.Fault](err); err != nil && !wrong {
			return nil, nil, fmt.Errorf("case %d of %d, %s: %w", i+1, len(cases), c.Name, chains.NameStates(err, c.Label))
		}
		if err != nil {
			failed = append(failed, Battery{i, "exact", []Result{{Test: "exact solution", LogE: math.Inf(1), Fault: true,
				Where: chains.NameStates(err, c.Label).Error()}}})
			continue
		}
		laws.Named(c.Label)
		for _, s := range simulations(laws.a) {
			tests := func(o BatteryOptions) []*source { return laws.battery(s, o) }
			jobs = append(jobs, Job{i, laws, s.Name, tests, c.Name, max(1, c.Part)})
		}
		jobs = append(jobs, particleJob(i, laws, c))
	}
	return jobs, failed, nil
}

// mostConstant is the largest constant in log f, in nats, that simulations are tested with: beside
// a larger one the log weights would have too few digits left to tell paths apart.
const mostConstant = 1e4

// lawsOf returns the distributions of an annealing as it is, or without the constant in log f where
// that is too large.
func lawsOf(ctx context.Context, a *chains.Annealing, solved func(steps int)) (*Laws, error) {
	centred, offset := a.Centred()
	if math.Abs(offset) <= mostConstant {
		return newLaws(ctx, a, solved)
	}
	l, err := newLaws(ctx, centred, solved)
	if err == nil {
		l.skip("log f has a constant of %.3g nats, next to which log weights lose digits: it is removed before the simulation, so its effect is not tested", offset)
	}
	return l, err
}

// Tests returns the number of tests of all jobs, for Options.Tests.
func Tests(jobs []Job) int {
	n := 0
	for _, j := range jobs {
		n += tests(j.tests(BatteryOptions{}))
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
