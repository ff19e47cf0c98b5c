package experiments

import (
	"context"
	"fmt"

	"breadboard/chains"
	"breadboard/experiments/crosscheck"
)

// CrossCheckOptions says how far to test the simulations against the exact laws.
type CrossCheckOptions struct {
	Alpha    float64 // probability of a false alarm in the whole run; for mutants, in each battery
	Chains   int     // largest sample of chains in each direction; single moves go to twice as many
	Beside   []Case  // cases that are run with an eighth of the chains, after the others
	Seed     uint64
	Workers  int
	Progress func(batteries int) // three a case at most, or one a mutant
}

// Validate says what is wrong with the options.
func (o CrossCheckOptions) Validate() error {
	if !(o.Alpha >= minAlpha && o.Alpha < 1) {
		return fmt.Errorf("alpha %v; the probability of a false alarm is from %v to below 1", o.Alpha, minAlpha)
	}
	return AISOptions{Chains: o.Chains, Workers: o.Workers}.Validate(1)
}

// minAlpha bounds what the 53 bits of a uniform draw can do: an event that should never happen in a run, as a move with
// probability 1e-60, happens with probability 2^-53 = 1.1e-16 a draw, because a draw may be zero. It is a fault at once.
// In 10^7 draws that comes to 1e-9, which is well below this bound, and was not below 1e-12.
const minAlpha = 1e-8

func (o CrossCheckOptions) battery(tests int) crosscheck.Options {
	return crosscheck.Options{Alpha: o.Alpha, Tests: tests, Seed: o.Seed, Draws: o.Chains, Moves: 2 * o.Chains}
}

// Uneven returns the same toys and kernel in annealings of which no two stages are alike: under the linear schedule of
// a geometric path all increments are, and what belongs to one stage could be used at another unseen.
func (s Selection) Uneven() Selection {
	s.Distributions, s.Path, s.Initial, s.Schedule = []int{5}, "q:0.5", "", "power:2"
	return s
}

// besidePart divides the draws of the cases beside: what they are for shows at once.
const besidePart = 8

// CrossCheck is the outcome of the batteries of one run.
type CrossCheck struct {
	Cases     []Case
	Batteries []crosscheck.Battery // of the cases without an exact solution first, then in their order
	Skipped   [][]string           // by case: what is not tested, and why
}

// Fault reports whether any test found a fault.
func (c *CrossCheck) Fault() bool {
	for _, b := range c.Batteries {
		if b.Fault() {
			return true
		}
	}
	return false
}

// RunCrossCheck tests every simulation of every case. A false alarm in the whole run has probability at most
// o.Alpha. The same seed gives the same results for any number of workers, and of a case whatever stands beside it
// (see Case.Key), but that the alarm is rarer where there are more tests.
func RunCrossCheck(ctx context.Context, cases []Case, o CrossCheckOptions) (*CrossCheck, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	first := len(cases)
	cases = append(cases[:first:first], o.Beside...)
	named := make([]crosscheck.Case, len(cases))
	for i, c := range cases {
		named[i] = crosscheck.Case{Name: c.Key(), Annealing: c.Annealing}
		if i >= first {
			named[i].Part = besidePart
		}
	}
	jobs, failed, err := crosscheck.Jobs(ctx, named)
	if err != nil {
		return nil, err
	}
	batteries := make([]crosscheck.Battery, len(jobs))
	options := o.battery(crosscheck.Tests(jobs))
	err = parallel(ctx, len(jobs), o.Workers, func(ctx context.Context, i int) (err error) {
		batteries[i], err = jobs[i].Run(ctx, options)
		o.report()
		return err
	})
	skipped := make([][]string, len(cases))
	for _, j := range jobs {
		skipped[j.Case] = j.Laws.Skipped()
	}
	return &CrossCheck{cases, append(failed, batteries...), skipped}, err
}

func (o CrossCheckOptions) report() {
	if o.Progress != nil {
		o.Progress(1)
	}
}

// RunMutants runs the battery on implementations with a planted bug, and on harmless variants, of one case. It
// fails where the case is not one that they are written for.
func RunMutants(ctx context.Context, c Case, o CrossCheckOptions) ([]crosscheck.MutantResult, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	centred, _ := c.Annealing.Centred()
	mutants, err := crosscheck.MutantJobs(centred)
	if err != nil {
		return nil, err
	}
	laws := map[*chains.Annealing]*crosscheck.Laws{}
	for _, m := range mutants {
		if laws[m.Annealing] == nil {
			if laws[m.Annealing], err = crosscheck.NewLaws(ctx, m.Annealing); err != nil {
				return nil, err
			}
		}
	}
	options := o.battery(0)
	options.Stream = c.Key()
	out := make([]crosscheck.MutantResult, len(mutants))
	err = parallel(ctx, len(mutants), o.Workers, func(ctx context.Context, i int) (err error) {
		out[i], err = mutants[i].Run(ctx, laws[mutants[i].Annealing], options)
		o.report()
		return err
	})
	return out, err
}
