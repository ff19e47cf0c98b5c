package evidence

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/chains/number"
	"breadboard/experiments/columns"
	"breadboard/experiments/study/check"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
)

// TestPlanted: each planted bug is found by the runs, and what has none is not. The seed is fixed;
// something without a bug is called wrong with probability 1e-6 in all.
func TestPlanted(t *testing.T) {
	longtest.Only(t)
	about := func(j *check.Judgement[Finding]) *Finding { return &j.Worst }
	fields := check.MutantColumns[Finding](
		columns.Lift(slices.Concat(aboutEstimator(), subject.CaseColumns((*Finding).TheCase, "toy")), about),
		columns.List{check.CaughtBy[Finding](), check.CaughtWhere[Finding]()})
	judged := longtest.Must(runMutants(longtest.Times(firstLook, mutantRuns)))(t)
	check.ReportPlanted(t, fields, judged)
	for _, name := range Standard() {
		if strings.Contains(name, "vb:") {
			continue // it is variational Bayes with a constant added
		}
		if !slices.ContainsFunc(judged, func(j check.Judgement[Finding]) bool {
			return j.Caught && (j.Setting == name || strings.HasPrefix(j.Setting, name+":"))
		}) {
			t.Errorf("no bug of %s is caught", name)
		}
	}
}

// mutant is an estimator with a planted bug, or without one, in a setting in which the bug shows.
type mutant struct {
	name       string
	toy        string
	estimator  string // the selector of what it should be, to whose distribution it is held
	setting    int    // of that estimator, as K or T
	enumerated bool   // whether the distribution of what it should be is enumerated, as no other route to it is known
	plant      planting
}

// mutants returns planted bugs, each in a setting in which it shows, and beside them the estimators
// without a bug in the same settings.
func mutants() []mutant {
	const data, plain, uneven, along = "clu4", "random:1:0:2x2", "clu6", "bin4"
	var list []mutant
	add := func(toy, estimator string, setting int, enumerated bool, bugs ...bug) {
		for _, b := range append(bugs, bug{"none", nil}) {
			list = append(list, mutant{b.name, toy, estimator, setting, enumerated, b.plant})
		}
	}
	add(uneven, "lw", 2, false,
		inModel("states drawn uniformly, and not from the prior", priorUniform),
		inModel("draws from the posterior, and not from the prior", posteriorForPrior),
		shifted("the sum for the mean", number.Log(2)))
	add(plain, "hme", 2, false, inModel("draws from the prior, and not from the posterior", priorForPosterior))
	add(plain, "hme:chain", 3, false,
		inModel("a chain that starts at a draw from the prior", priorForPosterior),
		shifted("the sum for the mean", -number.Log(3)))
	add(plain, "ais", 4, false, otherSide("weight after move", chains.Forward))
	add(plain, "rais", 4, false,
		otherSide("weight before the reversal of the move", chains.Reverse),
		inModel("T for its reversal", moveForReversal))
	add(along, "smc:posterior:1", 0, false, sequentialOtherSide("weight after move", estimators.ProposePosterior, chains.Forward))
	add(along, "smc:prior:1", 0, false, sequentialOtherSide("weight after move", estimators.ProposePrior, chains.Forward))
	add(along, "shme:posterior:1", 0, false,
		sequentialOtherSide("weight before the reversal of the moves", estimators.ProposePosterior, chains.Reverse),
		inData("reverse scan not reversed", estimators.ProposePosterior, scanNotReversed))
	add("hmm:wear", "pf", 2, false, shifted("the sum of the weights of the last stage, and not their mean", number.Log(2)))
	add(plain, "chib", 3, false,
		shifted("the sum of the probabilities, without 1/K", -number.Log(3)),
		inModel("draws from the prior, and not from the posterior", priorForPosterior))
	add(plain, "chib:chain", 3, false, inModel("a chain that starts at a draw from the posterior", posteriorForPrior))
	add(plain, "cms:first", 1, false,
		inModel("start by T, and not by its reversal", moveForReversal),
		inModel("start at z*, and not one move back from it", noReversal))
	add(plain, "cms", 3, false,
		inModel("T for its reversal", moveForReversal),
		shifted("the sum of the probabilities, without 1/K", -number.Log(3)))
	add(plain, "ns", 2, false, shifted("what is left of the volume counted twice", number.Log(2)))
	add(plain, "ns:2:together", 1, false,
		inNested("volume shrinks by log K, and not by log((K+1)/K)", 2, 1, volumeByK),
		inNested("copies that move under the whole prior", 2, 1, noFloor),
		inNested("moves of the copies left out", 2, 1, movesOut))
	add(plain, "ns:3:together", 0, true, inNested("copies of the likeliest survivor, and not of one drawn uniformly", 3, 0, copyOfLikeliest))
	add(data, "vb", 1, false, climbing("log K! added to the bound of one naming", func(t *target) (estimators.Climber, error) {
		return estimators.NewVariationalBayes(t.clustering().Y, t.clustering().Clusters, estimators.LogFactorial, estimators.Patience{})
	}))
	add(data, "mf", 1, false, climbing("log K! added to the bound of one naming", func(t *target) (estimators.Climber, error) {
		return estimators.NewMeanField(t.on.Toy.Lattice(), t.LogJoint(), estimators.LogFactorial)
	}))
	add(data, "mf:sym", 1, false, climbing("log K! in place of the mixture of all namings", func(t *target) (estimators.Climber, error) {
		return estimators.NewMeanField(t.on.Toy.Lattice(), t.LogJoint(), estimators.LogFactorial)
	}))
	add(data, "bic", 1, false, climbing("the whole of log N for each parameter, and not half of it", func(t *target) (estimators.Climber, error) {
		b, err := estimators.NewBIC(t.clustering().Y, t.clustering().Clusters, estimators.Patience{})
		if err != nil {
			return nil, err
		}
		return estimators.Less(b, b.Penalty()), nil
	}))
	return list
}

// bug is a bug with its name; plant is nil if there is none.
type bug struct {
	name  string
	plant planting
}

// planting makes an estimator with a bug, of what a subject on a model should be.
type planting func(ctx context.Context, s *checked, m *estimators.Finite) (runner, error)

// runner is what makes estimates: an estimator, or a program that should be one.
type runner interface {
	Estimate(c chains.Chooser) float64
}

// shifted returns the bug that all estimates are off by a constant, in nats.
func shifted(name string, by float64) bug {
	return bug{name, func(ctx context.Context, s *checked, m *estimators.Finite) (runner, error) {
		e, err := s.make(ctx, s.target, m, s.setting)
		return shiftedEstimator{Estimator: e, By: by}, err
	}}
}

// inModel returns a bug in what the estimator asks of its model.
func inModel(name string, plant func(*buggyModel)) bug {
	return bug{name, func(ctx context.Context, s *checked, m *estimators.Finite) (runner, error) {
		with := newBuggyModel(m)
		plant(with)
		return s.make(ctx, s.target, with, s.setting)
	}}
}

// otherSide returns the bug that annealing takes each increment at the other side of the move.
func otherSide(name string, d chains.Direction) bug {
	return bug{name, func(ctx context.Context, s *checked, m *estimators.Finite) (runner, error) {
		a, err := s.annealing(ctx, s.setting)
		return otherSideAnnealed{Of: m, Places: estimators.Places(a), Direction: d}, err
	}}
}

// sequentialOtherSide returns the bug that sequential Monte Carlo with one scan weighs at the other
// side of the moves.
func sequentialOtherSide(name string, q estimators.Proposal, d chains.Direction) bug {
	return bug{name, func(_ context.Context, s *checked, _ *estimators.Finite) (runner, error) {
		data, err := s.growing()
		return otherSideSequential{Of: data, Proposal: q, Scans: 1, Direction: d}, err
	}}
}

// inData returns a bug in what sequential Monte Carlo in reverse, with one scan, asks of its data.
func inData(name string, q estimators.Proposal, plant func(*buggyData)) bug {
	return bug{name, func(_ context.Context, s *checked, _ *estimators.Finite) (runner, error) {
		data, err := s.growing()
		if err != nil {
			return nil, err
		}
		with := newBuggyData(data)
		plant(with)
		return estimators.NewReverseSequential[chains.Chooser, int](with, q, 1)
	}}
}

// inNested returns a bug in nested sampling in which ties leave together, with the paper's volumes.
func inNested(name string, particles, moves int, plant func(*buggyNested)) bug {
	return bug{name, func(_ context.Context, _ *checked, m *estimators.Finite) (runner, error) {
		e := newBuggyNested(m, estimators.NestedOptions{Particles: particles, Moves: moves})
		plant(e)
		return e, nil
	}}
}

// climbing returns the bug that another method climbs.
func climbing(name string, of func(*target) (estimators.Climber, error)) bug {
	return bug{name, func(_ context.Context, s *checked, _ *estimators.Finite) (runner, error) {
		c, err := of(s.target)
		if err != nil {
			return nil, err
		}
		return estimators.NewRestarts(c, s.setting)
	}}
}

// mutantRuns is the largest number of runs of a mutant.
const mutantRuns = 1 << 15

// runMutants holds every mutant to the distribution of what it should be, by e-processes alone, and
// runs what has no bug that many times.
func runMutants(harmless int) ([]check.Judgement[Finding], error) {
	var list []check.Mutant[Finding]
	all := mutants()
	threshold := number.Log(float64(testsEach*len(all)) / check.DefaultAlpha)
	for i, m := range all {
		options := CheckOptions{Runs: mutantRuns, Seed: 1}
		if m.plant == nil {
			options.Runs = harmless
		}
		list = append(list, check.Mutant[Finding]{Name: m.name, Harmless: m.plant == nil, Setting: m.estimator,
			Examine: func(ctx context.Context) ([]Finding, error) {
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
	return check.RunMutants(context.Background(), list, 0, nil)
}

// subject returns the estimator with the bug, and the distribution that it should have. The number
// of the mutant is for its random numbers.
func (m *mutant) subject(ctx context.Context, number int) (*checked, error) {
	cases, err := Cases(ctx, subject.Selection{Toys: []string{m.toy}, Path: subject.Default("path"), Schedule: DefaultSchedule})
	if err != nil {
		return nil, err
	}
	s, err := newSubject(ctx, &cases[0], m.estimator, m.setting)
	if err != nil {
		return nil, err
	}
	s.purpose = fmt.Sprintf("mutant %d", number)
	if m.plant != nil {
		s.runs = func(ctx context.Context) (func(chains.Sampler) float64, error) {
			with, err := s.model()
			if err != nil {
				return nil, err
			}
			r, err := m.plant(ctx, s, with)
			offset := 0.0
			if s.whole {
				offset = s.Offset
			}
			return func(c chains.Sampler) float64 { return r.Estimate(c) - offset }, err
		}
	}
	if m.enumerated {
		law, err := s.enumerate(ctx)
		if err != nil {
			return nil, err
		}
		s.law = law
	}
	return s, nil
}
