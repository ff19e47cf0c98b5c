package experiments

import (
	"context"
	"fmt"

	"breadboard/experiments/crosscheck"
)

// CrossCheckOptions says how far to test the simulations against the exact laws.
type CrossCheckOptions struct {
	Alpha    float64 // probability of a false alarm in the whole run; for mutants, in each battery
	Chains   int     // largest sample of chains in each direction; single moves go to four times as many
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

// minAlpha is far above what the 53 bits of a uniform draw could be blamed for.
const minAlpha = 1e-12

func (o CrossCheckOptions) battery(tests int) crosscheck.Options {
	return crosscheck.Options{Alpha: o.Alpha, Tests: tests, Seed: o.Seed, Draws: o.Chains, Moves: 4 * o.Chains}
}

// CrossCheck is the outcome of the batteries of one run.
type CrossCheck struct {
	Cases     []Case
	Batteries []crosscheck.Battery // of the cases without an exact solution first, then in their order
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
	named := make([]crosscheck.Case, len(cases))
	for i, c := range cases {
		named[i] = crosscheck.Case{Name: c.Key(), Annealing: c.Annealing}
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
	return &CrossCheck{cases, append(failed, batteries...)}, err
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
	laws, err := crosscheck.NewLaws(ctx, centred)
	if err != nil {
		return nil, err
	}
	out, key := make([]crosscheck.MutantResult, len(mutants)), c.Key()
	err = parallel(ctx, len(mutants), o.Workers, func(ctx context.Context, i int) (err error) {
		options := o.battery(0)
		options.Stream = key
		out[i], err = mutants[i].Run(ctx, laws, options)
		o.report()
		return err
	})
	return out, err
}
