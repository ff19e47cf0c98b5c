package sandwich_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/experiments/marginal/evidence"
	"breadboard/experiments/marginal/sandwich"
	"breadboard/experiments/study/check"
	"breadboard/experiments/subject"
	"breadboard/grid/longtest"
	"breadboard/toys/latent"
	"breadboard/toys/models"
)

// TestCheckPasses: the samplers have the exact distributions. That a test of right code fails has
// the probability 1e-6, and the seed is fixed.
func TestCheckPasses(t *testing.T) {
	longtest.Only(t)
	pass := func(estimators []string, toys ...string) {
		findings := longtest.Must(sandwich.Check(context.Background(),
			sandwich.CheckOptions{Toys: toys, Estimators: estimators, Runs: 512, Seed: 1, Alpha: check.DefaultAlpha}))(t)
		for _, f := range findings {
			if f.Verdict != check.Pass {
				t.Errorf("%s %s %s: %s is %g: %s", f.Toy.Name, f.Estimator, f.Settings, f.Name, f.Value, f.Where)
			}
		}
	}
	if longtest.More() {
		pass(sandwich.CheckEstimators(), sandwich.DefaultCheckToys()...)
		return
	}
	pass([]string{"lw", "ais", "rais", "smc", "shme"}, "bin4", "clu8") // hme is in TestBugsAreFound
}

// TestCheckIsTheSameForAnyWorkers: the findings do not depend on who makes them, and all estimators
// are counted.
func TestCheckIsTheSameForAnyWorkers(t *testing.T) {
	longtest.Only(t)
	var first []evidence.Finding
	for _, workers := range []int{1, 3} {
		counted := make(chan int, 100)
		o := sandwich.CheckOptions{Toys: []string{"bin4"}, Estimators: []string{"shme", "lw", "smc"}, Runs: 512, Seed: 2, Alpha: check.DefaultAlpha,
			Workers: workers, Progress: func(n int) { counted <- n }}
		findings := longtest.Must(sandwich.Check(context.Background(), o))(t)
		if first == nil {
			first = findings
		}
		if len(counted) != o.Claims() || o.Claims() != 3 || len(findings) != len(first) {
			t.Errorf("%d estimators counted of %d, %d findings", len(counted), o.Claims(), len(findings))
		}
		for i, f := range findings {
			if math.Float64bits(f.Value) != math.Float64bits(first[i].Value) || f.Name != first[i].Name || f.Estimator != first[i].Estimator {
				t.Errorf("%d workers: %s %s is %v, and %v with one", workers, f.Estimator, f.Name, f.Value, first[i].Value)
			}
		}
	}
}

// TestOptionsAreRefused: each option that makes no sense, with words that say which.
func TestOptionsAreRefused(t *testing.T) {
	for want, o := range map[string]sandwich.CheckOptions{
		"no toy is given":           {},
		"did you mean clu6?":        {Toys: []string{"clu7"}},
		"has no model at full siz":  {Toys: []string{"hyper"}},
		"choose a clustering":       {Toys: []string{"easy"}},
		"unknown estimator \"bic\"": {Toys: []string{"clu6"}, Estimators: []string{"bic"}},
		"chains 255;":               {Toys: []string{"clu6"}, Runs: 255, Alpha: 0.1},
		"alpha 1;":                  {Toys: []string{"clu6"}, Runs: 256, Alpha: 1},
	} {
		longtest.Refused(t, o.Validate(context.Background()), want)
	}
}

// TestEstimatesAreUnbiased: on three points in two clusters, whose Z is the sum of eight terms, the
// mean of Z-hat is Z forward, and that of 1/Z-hat is 1/Z in reverse from exact draws. Each mean is
// within six standard errors, outside of which it is with the probability 2e-9 where the seed is
// not fixed.
func TestEstimatesAreUnbiased(t *testing.T) {
	longtest.Only(t)
	small := &models.Clustering{Y: [][]float64{{2.3}, {-1.7}, {0.6}}, Clusters: estimators.Clusters{Pi: []float64{0.6, 0.4}, CentreVariance: 4, NoiseVariance: 1}}
	logZ := logSum(small)
	m := longtest.Must(sandwich.Clustering(small))(t)
	const runs = 4000
	for _, c := range []struct {
		name  string
		knobs []int
		sign  float64
	}{
		{"lw", []int{1, 4}, 1}, {"ais", []int{2, 5}, 1}, {"smc", []int{0, 1, 3}, 1}, {"cms", []int{1, 4}, 1},
		{"hme", []int{1, 4}, -1}, {"rais", []int{2, 5}, -1}, {"shme", []int{0, 1, 3}, -1},
	} {
		by := longtest.Must(sandwich.ChoiceNamed(c.name))(t)
		for _, knob := range c.knobs {
			trials := longtest.Must(sandwich.TrialsOn(by, knob, m.Model, m.Along))(t)
			random := chains.NewSampler(rand.NewPCG(5, uint64(knob)))
			sum, squares := 0.0, 0.0
			for range runs {
				e := longtest.Must(trials(context.Background(), random))(t)
				w := math.Exp(c.sign * (e.LogZ - logZ))
				sum, squares = sum+w, squares+w*w
			}
			mean := sum / runs
			se := math.Sqrt((squares/runs - mean*mean) / runs)
			if off := (mean - 1) / se; !(math.Abs(off) < 6 || math.Abs(mean-1) < 1e-9) {
				t.Errorf("%s with %s = %d: the mean is %v of what it should be, %.2g standard errors off", c.name, by.Knob, knob, mean, off)
			}
		}
	}
}

// logSum returns log Z of a small model.
func logSum(m models.Model) float64 {
	joint := m.LogPrior()
	total := 0.0
	for x, l := range m.LogLikelihood(1) {
		total += math.Exp(joint[x] + l)
	}
	return math.Log(total)
}

// TestBugsAreFound: bugs that are planted in the samplers of a clustering are found within that
// many runs, and the same estimators without a bug are not taken for wrong. A test looks at 256
// runs, 512 and so on, and the numbers are where seed 1 finds the bug, times two. That a run
// without a bug fails has the probability 1e-6. The bugs that take the most runs are planted with
// -long.
func TestBugsAreFound(t *testing.T) {
	longtest.Only(t)
	for _, bug := range []struct {
		name string
		setting
		runs    int
		program maker
	}{
		{"noise 5% too large in a scan", annealed("ais", 10), 1 << 14, inMoves(noiseTooLarge)},
		{"noise 5% too large in the reversal of a scan", annealed("rais", 10), 1 << 14, inMoves(noiseTooLarge)},
		{"a scan for its reversal", annealed("rais", 4), 1 << 17, inMoves(scanForReversal)},
		{"the scans of sequential Monte Carlo in reverse made in forward order", setting{"shme", 1, "shme:posterior:1", 0}, 1 << 17, inMoves(orderNotReversed)},
		{"a draw from the prior as the exact start", setting{"hme", 3, "hme:chain", 3}, 1 << 10, inMoves(startFromPrior)},
		{"the increment after the move", annealed("ais", 10), 1 << 9, onOtherSide(chains.Forward)},
		{"the increment before the reversal of the move", annealed("rais", 10), 1 << 9, onOtherSide(chains.Reverse)},
	} {
		if bug.runs > 1<<10 && !longtest.More() {
			continue // some seconds each
		}
		right := held(t, bug.setting, min(bug.runs, 1<<12), inMoves(nothing))
		if check.Faulty(right) {
			t.Errorf("%s without a bug: %+v", bug.estimator, right)
		}
		wrong := held(t, bug.setting, bug.runs, bug.program)
		if !check.Faulty(wrong) {
			t.Errorf("%s, %s: not found", bug.estimator, bug.name)
		}
		for _, f := range wrong {
			t.Logf("%s, %s: %s is %g (%s)", bug.estimator, bug.name, f.Name, f.Value, f.Where)
		}
	}
}

// setting is an estimator of the sandwich with its knob, and that whose distribution it is held to.
type setting struct {
	estimator string
	knob      int
	law       string
	lawKnob   int
}

// annealed is annealing over T distributions.
func annealed(estimator string, T int) setting { return setting{estimator, T, estimator, T} }

// maker makes a program of a model, which it may change.
type maker func(*clustering, setting) (evidence.Program, error)

// held holds a program on the data of clu8 to the distribution of an estimator.
func held(t *testing.T, with setting, runs int, program maker) []evidence.Finding {
	t.Helper()
	cases := longtest.Must(evidence.Cases(context.Background(),
		subject.Selection{Toys: []string{"clu8"}, Path: "tempered", Schedule: sandwich.Schedule().String()}))(t)
	of := longtest.Must(sandwich.Clustering(models.Clu8()))(t)
	claim := evidence.Claim{Case: cases[0], Estimator: with.law, Setting: with.lawKnob, New: func() (evidence.Program, error) {
		return program(&clustering{of.Model, of.Along, of.Model.Move, of.Model.Back, of.Model.Posterior, of.Along.Back}, with)
	}}
	return longtest.Must(evidence.CheckClaims(context.Background(), []evidence.Claim{claim},
		evidence.CheckOptions{Runs: runs, Seed: 1, Alpha: check.DefaultAlpha}))(t)
}

type (
	state = *latent.ClusteringState
	// move is how a state is moved at a place, and part how by a part of a scan over the first
	// data.
	move func(c chains.RealChooser, at chains.Place, s state) state
	part func(c chains.RealChooser, t, i int, s state) state
)

// clustering is a model with places for bugs.
type clustering struct {
	sandwich.Sampled[state]
	along  estimators.Data[chains.RealChooser, state]
	moved  move
	back   move
	start  func(c chains.RealChooser) state
	backBy part
}

// Move implements estimators.Model.
func (m *clustering) Move(c chains.RealChooser, at chains.Place, s state) state {
	return m.moved(c, at, s)
}

// Back implements estimators.Model.
func (m *clustering) Back(c chains.RealChooser, at chains.Place, s state) state {
	return m.back(c, at, s)
}

// Posterior implements estimators.Model.
func (m *clustering) Posterior(c chains.RealChooser) state { return m.start(c) }

// alongData is the same along the data.
type alongData struct {
	view
	back part
}

// view is a model along its data, under a name that its method Data leaves free.
type view estimators.Data[chains.RealChooser, state]

// Back implements estimators.Data.
func (a alongData) Back(c chains.RealChooser, t, i int, s state) state { return a.back(c, t, i, s) }

// nothing plants no bug.
func nothing(*clustering) {}

// noiseTooLarge has all moves draw as if the variance of the noise were 5% larger.
func noiseTooLarge(m *clustering) {
	with := func(right move) move {
		return func(c chains.RealChooser, at chains.Place, s state) state {
			variance := s.Hyper.NoiseVariance
			s.Hyper.NoiseVariance *= 1.05
			s = right(c, at, s)
			s.Hyper.NoiseVariance = variance
			return s
		}
	}
	m.moved, m.back = with(m.moved), with(m.back)
}

// scanForReversal makes scans in forward order where their time reversals are due.
func scanForReversal(m *clustering) { m.back = m.moved }

// orderNotReversed makes the parts of a scan along the data in forward order where the opposite one
// is due.
func orderNotReversed(m *clustering) {
	right := m.backBy
	m.backBy = func(c chains.RealChooser, t, i int, s state) state { return right(c, t, m.along.Moves(t)-1-i, s) }
}

// startFromPrior starts in reverse at a draw from the prior.
func startFromPrior(m *clustering) { m.start = m.Prior }

// inMoves returns the estimator of the sandwich on a model with a bug.
func inMoves(plant func(*clustering)) maker {
	return func(m *clustering, with setting) (evidence.Program, error) {
		by, err := sandwich.ChoiceNamed(with.estimator)
		if err != nil {
			return nil, err
		}
		plant(m)
		trials, err := sandwich.TrialsOn[state](by, with.knob, m, alongData{m.along, m.backBy})
		return trial(trials), err
	}
}

// trial makes estimates by trials.
type trial sandwich.Trials

// Estimate implements evidence.Program.
func (p trial) Estimate(c chains.RealChooser) float64 {
	e, err := p(context.Background(), c)
	if err != nil {
		panic(err)
	}
	return e.LogZ
}

// otherSide is annealing that takes each increment at the state after the move forward, and before
// it in reverse.
type otherSide struct {
	of     *clustering
	places []chains.Place
	d      chains.Direction
}

// Estimate implements evidence.Program.
func (e otherSide) Estimate(c chains.RealChooser) float64 {
	total := 0.0
	if e.d == chains.Reverse {
		x := e.of.Posterior(c)
		for t := len(e.places) - 1; t > 0; t-- {
			total += e.of.LogStep(e.places[t-1], e.places[t], x)
			x = e.of.Back(c, e.places[t], x)
		}
		return total
	}
	x := e.of.Prior(c)
	for t, place := range e.places[1:] {
		x = e.of.Move(c, place, x)
		total += e.of.LogStep(e.places[t], place, x)
	}
	return total
}

// onOtherSide makes annealing with that bug.
func onOtherSide(d chains.Direction) maker {
	return func(m *clustering, with setting) (evidence.Program, error) {
		e, schedule := otherSide{of: m, d: d}, sandwich.Schedule()
		for t := 1; t <= with.knob; t++ {
			e.places = append(e.places, chains.Place{Beta: schedule.Beta(t, with.knob), Rest: schedule.Rest(t, with.knob)})
		}
		return e, nil
	}
}
