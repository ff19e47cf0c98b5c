package evidence

import (
	"context"
	"slices"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/chains/number"
	"breadboard/experiments/forms"
	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
	"breadboard/reports/check"
)

// TestPlanted: the check finds each planted bug by running it once for every outcome of its random
// choices, and no fault in what has none.
func TestPlanted(t *testing.T) {
	longtest.Only(t)
	for _, m := range mutants() {
		casetest.Planted(
			t,
			m.estimator+" on "+m.toy+": "+m.name,
			m.plant == nil,
			longtest.Must(m.examine(t.Context()))(t),
		)
	}
	for _, name := range Standard() {
		if strings.Contains(name, "vb:") || name == "pf" {
			continue // variational Bayes with a constant added, and what has too many outcomes
		}
		if !slices.ContainsFunc(mutants(), func(m mutant) bool {
			return m.plant != nil && (m.estimator == name || strings.HasPrefix(m.estimator, name+":"))
		}) {
			t.Errorf("no bug of %s is planted", name)
		}
	}
}

// mutant is an estimator with a planted bug, or without one, in a setting in which the bug shows.
type mutant struct {
	name      string
	toy       string
	estimator string // the selector of what it should be, to whose distribution it is held
	setting   int    // of that estimator, as K or T
	plant     planting
}

// mutants returns planted bugs, each in a setting in which it shows, and beside them the estimators
// without a bug in the same settings.
func mutants() []mutant {
	const data, plain = "clu4", "random:1:0:2x2"
	var list []mutant
	add := func(toy, estimator string, setting int, bugs ...bug) {
		for _, b := range append(bugs, bug{"none", nil}) {
			list = append(list, mutant{b.name, toy, estimator, setting, b.plant})
		}
	}
	add(data, "lw", 2,
		inModel("draws from the posterior, and not from the prior", posteriorForPrior),
		shifted("the sum for the mean", number.Log(2)))
	add(plain, "hme", 2, inModel("draws from the prior, and not from the posterior", priorForPosterior))
	add(plain, "hme:chain", 3,
		inModel("a chain that starts at a draw from the prior", priorForPosterior),
		shifted("the sum for the mean", -number.Log(3)))
	add(plain, "ais", 4, otherSide("weight after move", chains.Forward))
	add(plain, "rais", 4,
		otherSide("weight before the reversal of the move", chains.Reverse),
		inModel("T for its reversal", moveForReversal))
	add(data, "smc:posterior:1",
		0, sequentialOtherSide("weight after move", estimators.ProposePosterior, chains.Forward))
	add(data, "smc:prior:1", 0,
		sequentialOtherSide("weight after move", estimators.ProposePrior, chains.Forward))
	add(data, "shme:posterior:1", 0,
		sequentialOtherSide("weight before the reversal of the moves", estimators.ProposePosterior, chains.Reverse))
	add(plain, "chib", 3,
		shifted("the sum of the probabilities, without 1/K", -number.Log(3)),
		inModel("draws from the prior, and not from the posterior", priorForPosterior))
	add(plain, "chib:chain", 3,
		inModel("a chain that starts at a draw from the posterior", posteriorForPrior))
	add(plain, "cms:first", 1,
		inModel("start by T, and not by its reversal", moveForReversal),
		inModel("start at z*, and not one move back from it", noReversal))
	add(plain, "cms", 3,
		inModel("T for its reversal", moveForReversal),
		shifted("the sum of the probabilities, without 1/K", -number.Log(3)))
	add(plain, "ns", 2, shifted("what is left of the volume counted twice", number.Log(2)))
	add(plain, "ns:2:together", 1,
		inNested("volume shrinks by log K, and not by log((K+1)/K)", 2, 1, volumeByK),
		inNested("copies that move under the whole prior", 2, 1, noFloor),
		inNested("moves of the copies left out", 2, 1, movesOut))
	add(data, "vb",
		1, climbing("log K! added to the bound of one naming", func(t *target) (estimators.Climber, error) {
			return estimators.NewVariationalBayes(
				t.clustering().Y,
				t.clustering().Clusters,
				estimators.LogFactorial,
				estimators.Patience{},
			)
		}))
	add(data, "mf",
		1, climbing("log K! added to the bound of one naming", func(t *target) (estimators.Climber, error) {
			return estimators.NewMeanField(t.on.Toy.Lattice(), t.LogJoint(), estimators.LogFactorial)
		}))
	add(data, "mf:sym", 1, climbing("log K! in place of the mixture of all namings",
		func(t *target) (estimators.Climber, error) {
			return estimators.NewMeanField(t.on.Toy.Lattice(), t.LogJoint(), estimators.LogFactorial)
		}))
	add(data, "bic", 1, climbing("the whole of log N for each parameter, and not half of it",
		func(t *target) (estimators.Climber, error) {
			b, err := estimators.NewBIC(t.clustering().Y, t.clustering().Clusters, estimators.Patience{})
			if err != nil {
				return nil, err
			}
			return less{b, b.Penalty()}, nil
		}))
	return list
}

// less is a climber whose estimates are lower by a constant, in nats.
type less struct {
	estimators.Climber
	constant float64
}

// Climb implements Climber.
func (l less) Climb(ctx context.Context, start []int) (estimators.Ascent, error) {
	a, err := l.Climber.Climb(ctx, start)
	a.Value -= l.constant
	return a, err
}

// bug is a bug with its name; plant is nil if there is none.
type bug struct {
	name  string
	plant planting
}

// planting makes an estimator with a bug, of what a subject on a model should be.
type planting func(ctx context.Context, s *plan, m *estimators.Finite) (runner, error)

// runner is what makes estimates: an estimator, or a program that should be one.
type runner interface {
	Estimate(c chains.Chooser) float64
}

// shifted returns the bug that all estimates are off by a constant, in nats.
func shifted(name string, by float64) bug {
	return bug{name, func(ctx context.Context, s *plan, m *estimators.Finite) (runner, error) {
		e, err := s.make(ctx, s.target, m, s.setting)
		return shiftedEstimator{Estimator: e, By: by}, err
	}}
}

// inModel returns a bug in what the estimator asks of its model.
func inModel(name string, plant func(*buggyModel)) bug {
	return bug{name, func(ctx context.Context, s *plan, m *estimators.Finite) (runner, error) {
		with := newBuggyModel(m)
		plant(with)
		return s.make(ctx, s.target, with, s.setting)
	}}
}

// otherSide returns the bug that annealing takes each increment at the other side of the move.
func otherSide(name string, d chains.Direction) bug {
	return bug{name, func(ctx context.Context, s *plan, m *estimators.Finite) (runner, error) {
		a, err := s.annealing(ctx, s.setting)
		return otherSideAnnealed{Of: m, Places: estimators.Places(a), Direction: d}, err
	}}
}

// sequentialOtherSide returns the bug that sequential Monte Carlo with one scan weighs at the other
// side of the moves.
func sequentialOtherSide(name string, q estimators.Proposal, d chains.Direction) bug {
	return bug{name, func(_ context.Context, s *plan, _ *estimators.Finite) (runner, error) {
		data, err := s.growing()
		return otherSideSequential{Of: data, Proposal: q, Scans: 1, Direction: d}, err
	}}
}

// inNested returns a bug in nested sampling in which ties leave together, with the paper's volumes.
func inNested(name string, particles, moves int, plant func(*buggyNested)) bug {
	return bug{name, func(_ context.Context, _ *plan, m *estimators.Finite) (runner, error) {
		e := newBuggyNested(m, estimators.NestedOptions{Particles: particles, Moves: moves})
		plant(e)
		return e, nil
	}}
}

// climbing returns the bug that another method climbs.
func climbing(name string, of func(*target) (estimators.Climber, error)) bug {
	return bug{name, func(_ context.Context, s *plan, _ *estimators.Finite) (runner, error) {
		c, err := of(s.target)
		if err != nil {
			return nil, err
		}
		return estimators.NewRestarts(c, s.setting)
	}}
}

// examine makes the findings about the estimator with the bug.
func (m *mutant) examine(ctx context.Context) ([]Finding, error) {
	cases, err := AnnealingsOf(ctx,
		subject.Selection{Reader: forms.Reader(),
			Toys: []string{m.toy}, Path: subject.Default("path"), Schedule: DefaultSchedule})
	if err != nil {
		return nil, err
	}
	p, err := planOn(ctx, &cases[0], m.estimator, m.setting)
	if err != nil {
		return nil, err
	}
	e, err := p.estimator(ctx, p.target, p.setting)
	if err != nil {
		return nil, err
	}
	estimate := e.Estimate
	if m.plant != nil {
		with, err := p.model()
		if err != nil {
			return nil, err
		}
		r, err := m.plant(ctx, p, with)
		if err != nil {
			return nil, err
		}
		offset := 0.0
		if p.whole {
			offset = p.Offset
		}
		estimate = func(c chains.Chooser) float64 { return r.Estimate(c) - offset }
	}
	law, err := enumerateEstimates(ctx, estimate, e.Work())
	s := &checked{plan: *p}
	switch {
	case err != nil:
		return nil, err
	case law == nil:
		s.addFinding(check.Undecided("enumerated", "it has too many outcomes"))
		return s.findings, nil
	}
	err = s.compareLaw(ctx, law)
	return s.findings, err
}
