package evidence

import (
	"context"
	"fmt"
	"slices"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/chains/number"
	"breadboard/experiments"
	"breadboard/experiments/checks/planted"
	"breadboard/experiments/columns"
	"breadboard/experiments/study/check"
)

// Judgement is what the check says of an estimator with a planted bug, or without one.
type Judgement = check.Judgement[Finding]

// MutantColumns lists the columns of planted bugs.
func MutantColumns() []columns.Field[Judgement] {
	about := func(j *Judgement) *Finding { return &j.Worst }
	return check.MutantColumns(
		columns.Lift(slices.Concat(aboutEstimator(), experiments.CaseColumns(func(f *Finding) *experiments.Case { return &f.Case }, "toy")), about),
		[]columns.Field[Judgement]{check.CaughtBy[Finding](), check.CaughtWhere[Finding]()})
}

// mutant is an estimator with a planted bug, or without one, in a setting in which the bug shows.
type mutant struct {
	name       string
	toy        string
	estimator  string // the selector of what it should be, to whose law it is held
	setting    int    // of that estimator, as K or T
	enumerated bool   // whether the law of what it should be is enumerated, as no other route to it is known
	plant      planting
}

// mutants returns planted bugs, each in a setting in which it shows, and beside them the estimators without a bug in the same settings.
func mutants() []mutant {
	const data, plain, uneven, along = "clu4", "random:1:0:2x2", "clu6", "bin4"
	var list []mutant
	add := func(toy, estimator string, setting int, enumerated bool, bugs ...bug) {
		for _, b := range append(bugs, bug{"none", nil}) {
			list = append(list, mutant{b.name, toy, estimator, setting, enumerated, b.plant})
		}
	}
	add(uneven, "lw", 2, false,
		inModel("states drawn uniformly, and not from the prior", planted.PriorUniform),
		inModel("draws from the posterior, and not from the prior", planted.PosteriorForPrior),
		shifted("the sum for the mean", number.Log(2)))
	add(plain, "hme", 2, false, inModel("draws from the prior, and not from the posterior", planted.PriorForPosterior))
	add(plain, "hme:chain", 3, false,
		inModel("a chain that starts at a draw from the prior", planted.PriorForPosterior),
		shifted("the sum for the mean", -number.Log(3)))
	add(plain, "ais", 4, false, otherSide("weight after move", chains.Forward))
	add(plain, "rais", 4, false,
		otherSide("weight before the reversal of the move", chains.Reverse),
		inModel("T for its reversal", planted.MoveForReversal))
	add(along, "smc:posterior:1", 0, false, sequentialOtherSide("weight after move", estimators.ProposePosterior, chains.Forward))
	add(along, "smc:prior:1", 0, false, sequentialOtherSide("weight after move", estimators.ProposePrior, chains.Forward))
	add(along, "shme:posterior:1", 0, false,
		sequentialOtherSide("weight before the reversal of the moves", estimators.ProposePosterior, chains.Reverse),
		inData("reverse scan not reversed", estimators.ProposePosterior, planted.ScanNotReversed))
	add(plain, "chib", 3, false,
		shifted("the sum of the probabilities, without 1/K", -number.Log(3)),
		inModel("draws from the prior, and not from the posterior", planted.PriorForPosterior))
	add(plain, "chib:chain", 3, false, inModel("a chain that starts at a draw from the posterior", planted.PosteriorForPrior))
	add(plain, "cms:first", 1, false,
		inModel("start by T, and not by its reversal", planted.MoveForReversal),
		inModel("start at z*, and not one move back from it", planted.NoReversal))
	add(plain, "cms", 3, false,
		inModel("T for its reversal", planted.MoveForReversal),
		shifted("the sum of the probabilities, without 1/K", -number.Log(3)))
	add(plain, "ns", 2, false, shifted("what is left of the volume counted twice", number.Log(2)))
	add(plain, "ns:2:together", 1, false,
		inNested("volume shrinks by log K, and not by log((K+1)/K)", 2, 1, planted.VolumeByK),
		inNested("copies that move under the whole prior", 2, 1, planted.NoFloor),
		inNested("moves of the copies left out", 2, 1, planted.MovesOut))
	add(plain, "ns:3:together", 0, true, inNested("copies of the likeliest survivor, and not of one drawn uniformly", 3, 0, planted.CopyOfLikeliest))
	add(data, "vb", 1, false, climbing("log K! added to the bound of one naming", func(t *target) (estimators.Climber, error) {
		return estimators.NewVariationalBayes(t.clusters(), estimators.LogFactorial)
	}))
	add(data, "mf", 1, false, climbing("log K! added to the bound of one naming", func(t *target) (estimators.Climber, error) {
		return estimators.NewMeanField(t.on.Toy.Lattice(), t.LogJoint(), estimators.LogFactorial)
	}))
	add(data, "mf:sym", 1, false, climbing("log K! in place of the mixture of all namings", func(t *target) (estimators.Climber, error) {
		return estimators.NewMeanField(t.on.Toy.Lattice(), t.LogJoint(), estimators.LogFactorial)
	}))
	add(data, "bic", 1, false, climbing("the whole of log N for each parameter, and not half of it", func(t *target) (estimators.Climber, error) {
		b, err := estimators.NewBIC(t.clusters())
		if err != nil {
			return nil, err
		}
		return estimators.Less(b, b.Penalty()), nil
	}))
	return list
}

// bug is a bug with its name; plant is nil where there is none.
type bug struct {
	name  string
	plant planting
}

// planting makes an estimator with a bug, of what a subject should be.
type planting func(ctx context.Context, s *subject) (runner, error)

// runner is what makes estimates: an estimator, or a program that should be one.
type runner interface {
	Estimate(c chains.Chooser) float64
}

// centred takes the constant that centring takes out of log Z also out of the estimates of a program.
type centred struct {
	runner
	offset float64
}

// Estimate implements runner.
func (r centred) Estimate(c chains.Chooser) float64 { return r.runner.Estimate(c) - r.offset }

// shifted returns the bug that all estimates are off by a constant, in nats.
func shifted(name string, by float64) bug {
	return bug{name, func(ctx context.Context, s *subject) (runner, error) {
		m, err := s.model()
		if err != nil {
			return nil, err
		}
		e, err := s.make(ctx, s.target, m, s.setting)
		return planted.Shifted{Estimator: e, By: by}, err
	}}
}

// inModel returns a bug in what the estimator asks of its model.
func inModel(name string, plant func(*planted.Model)) bug {
	return bug{name, func(ctx context.Context, s *subject) (runner, error) {
		m, err := s.model()
		if err != nil {
			return nil, err
		}
		with := planted.NewModel(m)
		plant(with)
		return s.make(ctx, s.target, with, s.setting)
	}}
}

// otherSide returns the bug that annealing takes each increment at the other side of the move.
func otherSide(name string, d chains.Direction) bug {
	return bug{name, func(ctx context.Context, s *subject) (runner, error) {
		m, err := s.model()
		if err != nil {
			return nil, err
		}
		a, err := s.annealing(ctx, s.setting)
		return planted.OtherSideAnnealed[chains.Chooser, int]{Of: m, Places: estimators.Places(a), Direction: d}, err
	}}
}

// sequentialOtherSide returns the bug that sequential Monte Carlo with one scan weighs at the other side of the moves.
func sequentialOtherSide(name string, q estimators.Proposal, d chains.Direction) bug {
	return bug{name, func(_ context.Context, s *subject) (runner, error) {
		data, err := s.growing()
		return planted.OtherSideSequential{Of: data, Proposal: q, Scans: 1, Direction: d}, err
	}}
}

// inData returns a bug in what sequential Monte Carlo in reverse, with one scan, asks of its data.
func inData(name string, q estimators.Proposal, plant func(*planted.Data)) bug {
	return bug{name, func(_ context.Context, s *subject) (runner, error) {
		data, err := s.growing()
		if err != nil {
			return nil, err
		}
		with := planted.NewData(data)
		plant(with)
		return estimators.NewReverseSequential[chains.Chooser, int](with, q, 1)
	}}
}

// inNested returns a bug in nested sampling in which ties leave together, with the paper's volumes.
func inNested(name string, particles, moves int, plant func(*planted.Nested)) bug {
	return bug{name, func(_ context.Context, s *subject) (runner, error) {
		m, err := s.model()
		if err != nil {
			return nil, err
		}
		e := planted.NewNested(m, estimators.NestedOptions{Particles: particles, Moves: moves})
		plant(e)
		return e, nil
	}}
}

// climbing returns the bug that another method climbs.
func climbing(name string, of func(*target) (estimators.Climber, error)) bug {
	return bug{name, func(_ context.Context, s *subject) (runner, error) {
		c, err := of(s.target)
		if err != nil {
			return nil, err
		}
		return estimators.NewRestarts(c, s.setting)
	}}
}

// MutantOptions say how mutants are run.
type MutantOptions struct {
	Seed     uint64
	Alpha    float64 // the probability of a false alarm among all mutants
	Workers  int
	Progress func(mutants int) // called from several goroutines at once; may be nil
}

// mutantRuns is the largest number of runs of a mutant.
const mutantRuns = 1 << 15

// RunMutants holds every mutant to the law of what it should be, by e-processes alone, in which it is wrong with probability at most
// o.Alpha for all mutants together.
func RunMutants(ctx context.Context, o MutantOptions) ([]Judgement, error) {
	return runMutants(ctx, o, mutantRuns)
}

// runMutants does so with another number of runs of what has no bug.
func runMutants(ctx context.Context, o MutantOptions, harmless int) ([]Judgement, error) {
	var list []check.Mutant[Finding]
	all := mutants()
	threshold := number.Log(float64(testsEach*len(all)) / o.Alpha)
	for i, m := range all {
		options := CheckOptions{Runs: mutantRuns, Seed: o.Seed}
		if m.plant == nil {
			options.Runs = harmless
		}
		list = append(list, check.Mutant[Finding]{Name: m.name, Harmless: m.plant == nil, Setting: m.estimator, Examine: func(ctx context.Context) ([]Finding, error) {
			s, err := m.subject(ctx, i)
			if err == nil {
				err = s.examineRuns(ctx, &options, threshold)
			}
			if err != nil {
				return nil, err
			}
			return s.findings, nil
		}})
	}
	return check.RunMutants(ctx, list, o.Workers, o.Progress)
}

// subject returns the estimator with the bug, and the law that it should have. The number of the mutant is for its random numbers.
func (m *mutant) subject(ctx context.Context, number int) (*subject, error) {
	cases, err := Cases(ctx, experiments.Selection{Toys: []string{m.toy}, Path: experiments.Default("path"), Schedule: DefaultSchedule})
	if err != nil {
		return nil, err
	}
	s, err := newSubject(ctx, &cases[0], m.estimator, m.setting)
	if err != nil {
		return nil, err
	}
	s.purpose, s.plant = fmt.Sprintf("mutant %d", number), m.plant
	if m.enumerated {
		law, err := s.enumerate(ctx)
		if err != nil {
			return nil, err
		}
		s.law = law
	}
	return s, nil
}
