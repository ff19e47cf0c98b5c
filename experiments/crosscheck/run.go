package crosscheck

import (
	"context"
	"slices"

	"breadboard/chains"
	"breadboard/exact/weights"
	"breadboard/experiments"
	"breadboard/experiments/ais"
	"breadboard/experiments/study"
	"breadboard/experiments/study/check"
	"breadboard/toys"
)

// Options says how far to test the simulations against the exact laws.
type Options struct {
	Alpha    float64 // the probability of a false alarm in the whole run; for mutants, in each battery
	Chains   int     // the largest sample of chains in each direction; there are up to twice as many single moves
	Seed     uint64
	Workers  int
	Progress func(batteries int) // called by Run with the number of batteries done, and by RunMutants with that of mutants
	// Asked is called where the rows of kernels are asked for one by one, before any chain is drawn, as a program is: with the number of
	// rows that are there, and that of all. It may be nil.
	Asked func(rows, of int)
	// Solved is called now and then while Prepare computes the laws of log weights, which takes most of its time on large spaces,
	// with the number of steps since the last call. All calls add up to LawSteps. It may be nil.
	Solved func(steps int)
}

// Validate returns an error that says what is wrong with the options, and nil where they are valid.
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

// besidePart divides the number of draws for the cases beside. They need fewer, because the faults for which they are
// there show with few draws.
const besidePart = 8

// Mutable returns an error that says why there are no mutants of the cases, and nil where there are some.
func Mutable(cases []experiments.Case) error {
	if len(cases) != 1 {
		return chains.NewAdvice("{mutants|the mutants} with %d annealings; give one {toy} and one {T}", len(cases))
	}
	_, err := MutantJobs(cases[0].Annealing())
	return err
}

// Outcome is the outcome of the batteries of one run.
type Outcome struct {
	Cases     []experiments.Case
	Batteries []Battery  // those of cases without an exact solution come first, then the others in the order of the cases
	Skipped   [][]string // for each case, what is not tested, and why
}

// Fault reports whether any test found a fault.
func (c *Outcome) Fault() bool { return slices.ContainsFunc(c.Batteries, Battery.Fault) }

// Prepared is a run whose exact laws are known, and whose simulations have not been tested yet.
type Prepared struct {
	cases  []experiments.Case
	jobs   []Job
	failed []Battery // of the cases without an exact solution
	o      Options
}

// LawSteps returns the number of steps that Prepare reports for a number of cases, those beside included.
func LawSteps(cases int) int { return weights.LawProgress * cases }

// Batteries returns the number of batteries that Run reports.
func (p *Prepared) Batteries() int { return len(p.jobs) }

// Run prepares a run and does it: see Prepare and Prepared.Run.
func Run(ctx context.Context, cases, beside []experiments.Case, o Options) (*Outcome, error) {
	p, err := Prepare(ctx, cases, beside, o)
	if err != nil {
		return nil, err
	}
	return p.Run(ctx, o.Progress)
}

// Prepare computes the exact laws of every case, and of the cases beside them, as Prepared.Run needs them. It fails where the
// options are not valid, where a case has no exact laws and where the context ends.
func Prepare(ctx context.Context, cases, beside []experiments.Case, o Options) (*Prepared, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	first := len(cases)
	cases, err := withTables(ctx, append(cases[:first:first], beside...), o.Asked)
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
	jobs, failed, err := Jobs(ctx, named, o.Solved)
	if err != nil {
		return nil, err
	}
	few, err := fewCase(ctx)
	if err != nil {
		return nil, err
	}
	coupled, err := coupledCases(ctx)
	if err != nil {
		return nil, err
	}
	jobs = append(jobs, fewJob(len(cases), few))
	cases = append(cases, few)
	for _, c := range coupled {
		jobs, cases = append(jobs, coupledJob(len(cases), c)), append(cases, c)
	}
	return &Prepared{cases, jobs, failed, o}, nil
}

// Run tests every simulation of every case, and then of the cases beside them with an eighth of the chains. Last it tests systems
// of few particles on a small case of its own, on which all that can happen is enumerated, and the couplings of two kernels on
// two more; these cases are added to those of the outcome. A false alarm in the whole run has probability at most
// o.Alpha. The same seed gives the same results for any number of workers. The draws of a case do not depend on the other
// cases (see Case.Key), but with more tests in the run the threshold for a fault is higher. Progress is called with the number of
// batteries done, of Batteries, from several goroutines; it may be nil.
func (p *Prepared) Run(ctx context.Context, progress func(batteries int)) (*Outcome, error) {
	cases, jobs, o := p.cases, p.jobs, p.o
	batteries := make([]Battery, len(jobs))
	options := o.battery(Tests(jobs))
	err := experiments.Parallel(ctx, len(jobs), o.Workers, func(ctx context.Context, i int) (err error) {
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

// labels returns the function that labels the states of a toy; nil where states are known by their numbers.
func labels(toy *toys.Toy) func(x int) string {
	if toy.InWords() {
		return toy.Label
	}
	return nil
}

// RunMutants runs the battery on implementations with a planted bug, and on harmless variants, of one case. It
// fails where the case is not one that they are written for.
func RunMutants(ctx context.Context, c experiments.Case, o Options) ([]Judgement, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	centred, _ := c.Annealing().Centred()
	mutants, err := MutantJobs(centred)
	if err != nil {
		return nil, err
	}
	options := o.battery(0)
	options.Stream = c.Key()
	laws := map[*chains.Annealing]*Laws{}
	var list []check.Mutant[Detection]
	for _, m := range mutants {
		if laws[m.Annealing] == nil {
			if laws[m.Annealing], err = NewLaws(ctx, m.Annealing); err != nil {
				return nil, err
			}
		}
		list = append(list, check.Mutant[Detection]{Name: m.Name, Harmless: m.Harmless, Setting: c.Toy.Name, Examine: func(ctx context.Context) ([]Detection, error) {
			found, err := m.Run(ctx, laws[m.Annealing], options)
			return []Detection{found}, err
		}})
	}
	return check.RunMutants(ctx, list, o.Workers, o.Progress)
}
