package evidence

import (
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/chains/number"
)

// buggyModel is a finite model for estimators of Z, with places for bugs. newBuggyModel sets each
// field to what is right.
type buggyModel struct {
	*estimators.Finite
	// FromPrior and FromPosterior draw a state.
	FromPrior, FromPosterior func(c chains.Chooser) int
	// makes one transition by the time reversal of a move
	Reversed func(c chains.Chooser, at chains.Place, x int) int
}

// newBuggyModel returns a model without a bug.
func newBuggyModel(m *estimators.Finite) *buggyModel {
	return &buggyModel{m, m.Prior, m.Posterior, m.Back}
}

// Prior implements estimators.Model.
func (m *buggyModel) Prior(c chains.Chooser) int { return m.FromPrior(c) }

// Posterior implements estimators.Model.
func (m *buggyModel) Posterior(c chains.Chooser) int { return m.FromPosterior(c) }

// Back implements estimators.Model.
func (m *buggyModel) Back(c chains.Chooser, at chains.Place, x int) int { return m.Reversed(c, at, x) }

// priorForPosterior takes draws from the prior for draws from the posterior.
func priorForPosterior(m *buggyModel) { m.FromPosterior = m.Finite.Prior }

// posteriorForPrior takes draws from the posterior for draws from the prior.
func posteriorForPrior(m *buggyModel) { m.FromPrior = m.Finite.Posterior }

// moveForReversal takes a move for its time reversal.
func moveForReversal(m *buggyModel) { m.Reversed = m.Move }

// noReversal leaves out every time reversal of a move.
func noReversal(m *buggyModel) {
	m.Reversed = func(_ chains.Chooser, _ chains.Place, x int) int { return x }
}

// shiftedEstimator is an estimator whose estimates are all off by a constant, in nats.
type shiftedEstimator struct {
	estimators.Estimator[chains.Chooser]
	By float64
}

// Estimate implements estimators.Estimator.
func (e shiftedEstimator) Estimate(c chains.Chooser) float64 { return e.Estimator.Estimate(c) + e.By }

// otherSideAnnealed is annealed importance sampling with increments at the state after the move
// forward, and before it in reverse.
type otherSideAnnealed struct {
	Of        estimators.Model[chains.Chooser, int]
	Places    []chains.Place
	Direction chains.Direction
}

// Estimate returns the log weight of one chain.
func (e otherSideAnnealed) Estimate(c chains.Chooser) float64 {
	total := 0.0
	if e.Direction == chains.Reverse {
		x := e.Of.Posterior(c)
		for t := len(e.Places) - 1; t > 0; t-- {
			total += e.Of.LogStep(e.Places[t-1], e.Places[t], x)
			x = e.Of.Back(c, e.Places[t], x)
		}
		return total
	}
	x := e.Of.Prior(c)
	for t, place := range e.Places[1:] {
		x = e.Of.Move(c, place, x)
		total += e.Of.LogStep(e.Places[t], place, x)
	}
	return total
}

// otherSideSequential is one-particle sequential Monte Carlo along the data that weighs after the
// scans forward, and before them in reverse.
type otherSideSequential struct {
	Of        estimators.Data[chains.Chooser, int]
	Proposal  estimators.Proposal
	Scans     int
	Direction chains.Direction
}

// Estimate returns the log weight of one run.
func (e otherSideSequential) Estimate(c chains.Chooser) float64 {
	n := e.Of.Data()
	total := 0.0
	increment := 0.0
	if e.Direction == chains.Reverse {
		s := e.Of.Posterior(c, n)
		for t := n; t > 0; t-- {
			_, increment = e.Of.Drop(t, e.Proposal, s)
			total += increment
			s, _ = e.Of.Drop(t, e.Proposal, e.back(c, t, s))
		}
		return total
	}
	s := 0
	for t := 1; t <= n; t++ {
		s, _ = e.Of.Extend(c, t, e.Proposal, s)
		s = e.scan(c, t, s)
		_, increment = e.Of.Drop(t, e.Proposal, s)
		total += increment
	}
	return total
}

// scan makes the scans after datum t.
func (e otherSideSequential) scan(c chains.Chooser, t, s int) int {
	if t == 1 {
		return s
	}
	for range e.Scans {
		for i := range e.Of.Moves(t) {
			s = e.Of.Move(c, t, i, s)
		}
	}
	return s
}

// back makes the time reversals of the scans after datum t.
func (e otherSideSequential) back(c chains.Chooser, t, s int) int {
	if t == 1 {
		return s
	}
	for range e.Scans {
		for i := e.Of.Moves(t) - 1; i >= 0; i-- {
			s = e.Of.Back(c, t, i, s)
		}
	}
	return s
}

// buggyNested is nested sampling in which all particles at the lowest level die together, and are
// replaced by copies of survivors that move. Each field below Of is the place of a bug;
// newBuggyNested sets them to what is right.
type buggyNested struct {
	Of        estimators.Constrained[chains.Chooser, int]
	Particles int
	Moves     int // how many moves a copy makes
	// the logarithm of the factor by which the volume shrinks where that many particles die
	LogKept func(dead int) float64
	// draws which of the survivors is copied, given their levels
	Survivor func(c chains.Chooser, levels []float64) int
	// the level above which copies move, where those at a level have died
	Floor func(level float64) float64
}

// newBuggyNested returns nested sampling without a bug.
func newBuggyNested(m estimators.Constrained[chains.Chooser, int], o estimators.NestedOptions) *buggyNested {
	return &buggyNested{
		Of:        m,
		Particles: o.Particles,
		Moves:     o.Moves,
		LogKept:   func(dead int) float64 { return o.Volume.LogKept(o.Particles, dead) },
		Survivor:  func(c chains.Chooser, levels []float64) int { return c.Uniform(len(levels)) },
		Floor:     func(level float64) float64 { return level },
	}
}

// volumeByK has the volume shrink to 1/K of what it was, where K/(K+1) of it is left.
func volumeByK(e *buggyNested) {
	e.LogKept = func(dead int) float64 { return -float64(dead) * number.Log(float64(e.Particles)) }
}

// copyOfLikeliest copies the survivor at the highest level, and not one that is drawn uniformly.
func copyOfLikeliest(e *buggyNested) {
	e.Survivor = func(_ chains.Chooser, levels []float64) int {
		return slices.Index(levels, slices.Max(levels))
	}
}

// noFloor has the copies move under the whole prior.
func noFloor(e *buggyNested) { e.Floor = func(float64) float64 { return math.Inf(-1) } }

// movesOut leaves out the moves of the copies.
func movesOut(e *buggyNested) { e.Moves = 0 }

// mostSteps ends runs of a bug that lets particles fall below the floor, so that they may go on for
// ever.
const mostSteps = 1000

// Estimate returns log Z-hat of one run.
func (e *buggyNested) Estimate(c chains.Chooser) float64 {
	at := make([]int, e.Particles)
	levels := make([]float64, e.Particles)
	for i := range at {
		at[i] = e.Of.Prior(c)
		levels[i] = e.Of.Level(at[i])
	}
	sum := math.Inf(-1)
	volume := 0.0
	for range mostSteps {
		floor := slices.Min(levels)
		if slices.Max(levels) == floor {
			break
		}
		var survivors []int
		var above []float64
		for i, l := range levels {
			if l > floor {
				survivors, above = append(survivors, at[i]), append(above, l)
			}
		}
		kept := e.LogKept(e.Particles - len(survivors))
		sum = number.LogPlus(sum, volume+number.Log(-math.Expm1(kept))+floor)
		volume += kept
		for i, l := range levels {
			if l > floor {
				continue
			}
			x := survivors[e.Survivor(c, above)]
			for range e.Moves {
				x = e.Of.Within(c, e.Floor(floor), x)
			}
			at[i], levels[i] = x, e.Of.Level(x)
		}
	}
	return number.LogPlus(sum, volume+slices.Min(levels))
}
