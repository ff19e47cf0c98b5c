package latent

import (
	"math"

	"breadboard/chains"
)

// discreteState is a state of latent variables that are numbers.
type discreteState[S any] interface {
	*S
	set(x *S)       // makes the state equal to x
	latents() []int // the variables, in the order of a scan
}

// discrete is what models share whose latent variables are numbers, each of which a scan draws
// given all else.
type discrete[S any, P discreteState[S]] struct {
	exactDraw[S]
	self interface {
		// drawHyperparameters draws those that are unknown
		drawHyperparameters(c chains.RealChooser, b float64, s *S)
		scan(d decider, b float64, s *S)
		ScanBack(c chains.Chooser, b float64, s *S)
		ScanWithin(c chains.Chooser, floor float64, s *S)
		scanWork(t int) float64 // of a scan over the first t rows
	}
	latents  string // what the variables are, for messages
	k        int
	inferred bool
	drawn    drawn
	given    given
	replay   P // where LogTransition makes its moves
}

// Inferred reports whether the hyperparameters are part of the state.
func (m *discrete[S, P]) Inferred() bool { return m.inferred }

// Scan draws each latent variable given all else with the power b, in turn. A binary attribute
// takes some K^2 + 2 K D + 4 D operations, and the cluster of a row 3 K D. What a state keeps of
// its variables is computed anew at the start, so that rounding does not grow with the number of
// scans.
//
// Source: Doshi-Velez and Ghahramani 2009 for attributes, where the distribution of the features
// given the other rows is found once a row.
func (m *discrete[S, P]) Scan(c chains.Chooser, b float64, s *S) {
	m.drawn.c = c
	m.self.scan(&m.drawn, b, s)
}

// Move implements estimators.Model: if the hyperparameters are unknown it draws them first.
func (m *discrete[S, P]) Move(c chains.RealChooser, at chains.Place, s *S) *S {
	m.self.drawHyperparameters(c, at.Beta, s)
	m.Scan(c, at.Beta, s)
	return s
}

// Back implements estimators.Model.
func (m *discrete[S, P]) Back(c chains.RealChooser, at chains.Place, s *S) *S {
	m.self.ScanBack(c, at.Beta, s)
	m.self.drawHyperparameters(c, at.Beta, s)
	return s
}

// MoveWork implements estimators.Model: a scan evaluates the other values of each latent variable,
// and each hyperparameter counts as one evaluation, the probabilities of the clusters together as
// one.
func (m *discrete[S, P]) MoveWork() float64 { return m.self.scanWork(len(m.y)) }

// LogTransition implements estimators.Transitional. It is NaN if the hyperparameters are unknown:
// the features or centres that a move draws with them would have to be integrated out.
func (m *discrete[S, P]) LogTransition(x, y *S) float64 {
	if m.inferred {
		return math.NaN()
	}
	m.replay.set(x)
	m.given = given{values: P(y).latents()}
	m.self.scan(&m.given, 1, m.replay)
	return m.given.logP
}

// Level implements estimators.Constrained. States have the same level if their log likelihoods at b
// = 1 agree in 40 binary digits. So a state and the same state with its clusters renamed, or its
// attributes in another order, have the same level in spite of rounding.
func (m *discrete[S, P]) Level(s *S) float64 { return levelOf(m.owner.LogLikelihood(chains.At(1), s)) }

// Within implements estimators.Constrained: it draws each latent variable in turn from its prior
// among the values with which the level is above the floor. The level of s must be above the floor.
// It panics if the hyperparameters are unknown.
func (m *discrete[S, P]) Within(c chains.RealChooser, floor float64, s *S) *S {
	if m.inferred {
		panic("latent: Within of " + m.latents + " with unknown hyperparameters, which it does not draw")
	}
	m.self.ScanWithin(c, floor, s)
	return s
}

// decider decides which value a latent variable takes, given its distribution. A scan asks one, so
// that drawing its moves and finding how likely they are is the same code.
type decider interface {
	category(law *Categorical) int
	bit(law Bernoulli) int
}

// drawn decides by a draw.
type drawn struct{ c chains.Chooser }

func (d *drawn) category(law *Categorical) int { return law.Sample(d.c) }

func (d *drawn) bit(law Bernoulli) int { return law.Sample(d.c) }

// given decides as it has been told to, in the order of the scan, and adds up the log probability
// of all that.
type given struct {
	values []int // those that are left
	logP   float64
}

func (g *given) next() int {
	v := g.values[0]
	g.values = g.values[1:]
	return v
}

func (g *given) category(law *Categorical) int {
	v := g.next()
	g.logP += law.LogDensity(v)
	return v
}

func (g *given) bit(law Bernoulli) int {
	v := g.next()
	g.logP += law.LogDensity(v)
	return v
}

// levelDigits is how many binary digits of a log likelihood make a level. The rest is left to
// rounding, by which states whose likelihoods are equal, as those with their clusters renamed, may
// differ.
const levelDigits = 40

// levelOf returns the least number with so many digits that is not above a log likelihood.
func levelOf(logL float64) float64 {
	fraction, exponent := math.Frexp(logL)
	return math.Ldexp(math.Floor(math.Ldexp(fraction, levelDigits)), exponent-levelDigits)
}
