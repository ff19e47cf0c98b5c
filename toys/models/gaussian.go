package models

import (
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/paths"
)

// Gaussian is what clustering and binary attributes have in common: N rows of D columns of data are
// Y = Z A + noise, where the state gives the N by K matrix Z, the parameters A are independent N(0,
// s_A) and are integrated out, and the noise is N(0, s_N). For a clustering, row i of Z is one at
// the cluster of datum i and zero elsewhere.
//
// Let l_k be the eigenvalues of Z'Z that are not zero, w_k the orthonormal vectors of length N that
// belong to them, q_k the sum over the columns y of Y of (w_k'y)^2, R the sum of squares of what is
// left of Y without these components, r = s_A/s_N, and u_k(b) = 1 + b l_k r. Then the log
// likelihood with power b (see Model.LogLikelihood) and its derivative by b are
//
//	-b N D/2 log(2 pi s_N) - sum_k D/2 log u_k(b) - b/(2 s_N) (R + sum_k q_k/u_k(b)),
//	-N D/2 log(2 pi s_N) - sum_k D/2 l_k r/u_k(b) - 1/(2 s_N) (R + sum_k q_k/u_k(b)^2).
//
// In the brackets nothing is subtracted, so that no digits are lost where signal and noise have
// very different variances. The error of a log likelihood is a few units in the last place of its
// largest term.
type Gaussian struct {
	Rows, Columns int
	Noise         float64 // s_N
	Signal        float64 // r = s_A/s_N
}

// Fit is what the log likelihood of a state depends on: R, and l_k and q_k of each component.
// Components with l_k = 0 have q_k = 0.
type Fit struct {
	Rest              float64
	Eigenvalues, Size []float64
}

// NewFit returns room for k components.
func NewFit(k int) Fit { return Fit{Eigenvalues: make([]float64, k), Size: make([]float64, k)} }

// LogLikelihood returns the log likelihood with power b, in nats.
func (g Gaussian) LogLikelihood(b float64, f Fit) float64 {
	var logs logs
	return b*g.constant() + g.poweredLikelihood(b, f, &logs)
}

// logs has log u_k(b) for one b by l_k, of which states have few: those of whole numbers below its
// length all find room.
type logs [32]struct{ l, log float64 }

// logAxis returns log u_k(b).
func (t *logs) logAxis(b, l, signal float64) float64 {
	at := &t[uint64(l)%uint64(len(t))]
	if at.l != l {
		at.l, at.log = l, math.Log1p(b*l*signal)
	}
	return at.log
}

// LogStep returns the log likelihood at to minus that at from, in nats. It has the digits that a
// subtraction of the two would lose.
func (g Gaussian) LogStep(from, to chains.Place, f Fit) float64 {
	step := from.StepTo(to)
	return step*g.constant() + g.difference(from.Beta, to.Beta, step, f)
}

// constant returns the term of the derivative that all states share.
func (g Gaussian) constant() float64 {
	return -float64(g.Rows*g.Columns) / 2 * number.Log(2*math.Pi*g.Noise)
}

// poweredLikelihood returns the log likelihood with power b, without the constant.
func (g Gaussian) poweredLikelihood(b float64, f Fit, known *logs) float64 {
	logs := 0.0
	squares := f.Rest
	for k, l := range f.Eigenvalues {
		logs += known.logAxis(b, l, g.Signal)
		squares += f.Size[k] / (1 + b*l*g.Signal)
	}
	return 0 - float64(g.Columns)/2*logs - b*squares/(2*g.Noise) // at b = 0 it is 0, and not -0
}

// difference returns the log likelihood with power to minus that with power from, without the
// constant. The step to - from is given apart and keeps its digits, since log u_k and b/u_k change
// by log(1 + step l_k r/u_k(from)) and step/(u_k(from) u_k(to)).
func (g Gaussian) difference(from, to, step float64, f Fit) float64 {
	if step < 0 {
		return -g.difference(to, from, -step, f) // the logarithm of a number above one keeps its digits
	}
	logs := 0.0
	squares := f.Rest
	for k, l := range f.Eigenvalues {
		before, after := 1+from*l*g.Signal, 1+to*l*g.Signal
		logs += math.Log1p(step * l * g.Signal / before)
		squares += f.Size[k] / before / after
	}
	return -float64(g.Columns)/2*logs - step*squares/(2*g.Noise)
}

// slope returns the derivative of the log likelihood by the power b, without the constant.
func (g Gaussian) slope(b float64, f Fit) float64 {
	sum := 0.0
	squares := f.Rest
	for k, l := range f.Eigenvalues {
		u := 1 + b*l*g.Signal
		sum += l * g.Signal / u
		squares += f.Size[k] / u / u
	}
	return -float64(g.Columns)/2*sum - squares/(2*g.Noise)
}

// logLikelihoodsOf returns the log likelihood of n states with power b. The function writes the fit
// of a state with k components.
func (g Gaussian) logLikelihoodsOf(b float64, n, k int, of func(x int, f *Fit)) []float64 {
	out := make([]float64, n)
	f := NewFit(k)
	constant := b * g.constant()
	var logs logs
	for x := range out {
		of(x, &f)
		out[x] = constant + g.poweredLikelihood(b, f, &logs)
	}
	return out
}

// tempered holds the fits of all states, which do not depend on the power. It implements
// paths.Likelihood.
type tempered struct {
	Gaussian
	shift             float64   // the constant per unit of the power, or what centring has left of it
	components        int       // of each state
	rest              []float64 // R of each state
	eigenvalues, size []float64 // l_k and q_k, state by state
}

// newTempered gathers the fits of n states with k components each. It takes 8 (2k + 1) bytes a
// state.
func newTempered(g Gaussian, n, k int, of func(x int, f *Fit)) *tempered {
	t := &tempered{Gaussian: g, shift: g.constant(), components: k}
	t.rest = make([]float64, n)
	t.eigenvalues = make([]float64, n*k)
	t.size = make([]float64, n*k)
	for x := range n {
		f := t.fit(x)
		of(x, &f)
		t.rest[x] = f.Rest
	}
	return t
}

// fit returns the fit of a state, which shares its numbers with t.
func (t *tempered) fit(x int) Fit {
	low, high := x*t.components, (x+1)*t.components
	return Fit{t.rest[x], t.eigenvalues[low:high:high], t.size[low:high:high]}
}

// LogL implements paths.Likelihood.
func (t *tempered) LogL(dst []float64, at chains.Place) {
	var logs logs
	for x := range dst {
		dst[x] = at.Beta*t.shift + t.poweredLikelihood(at.Beta, t.fit(x), &logs)
	}
}

// LogRatio implements paths.Likelihood.
func (t *tempered) LogRatio(dst []float64, from, to chains.Place, step float64) {
	for x := range dst {
		dst[x] = step*t.shift + t.difference(from.Beta, to.Beta, step, t.fit(x))
	}
}

// Slope implements paths.Likelihood.
func (t *tempered) Slope(dst []float64, at chains.Place) {
	for x := range dst {
		dst[x] = t.shift + t.slope(at.Beta, t.fit(x))
	}
}

// Centred implements paths.Likelihood. It takes out the constant, and the part of R that all states
// share.
func (t *tempered) Centred() (paths.Likelihood, float64) {
	c := *t
	least := slices.Min(t.rest)
	c.shift = 0
	c.rest = make([]float64, len(t.rest))
	for x, r := range t.rest {
		c.rest[x] = r - least
	}
	return &c, t.shift - least/(2*t.Noise)
}
