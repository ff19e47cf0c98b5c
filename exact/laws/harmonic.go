package laws

import (
	"context"
	"fmt"
	"math"
	"math/cmplx"
	"sync"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/chains/number"
	"breadboard/exact/internal/mellin"
)

// NewHarmonic returns the distribution of the harmonic mean of the likelihoods of K independent
// exact draws: S is the sum of 1/L. It fails for a K below 1 or above estimators.MaxDraws, and if
// the likelihoods span some thousand nats.
//
// Source: Grosse, Ghahramani and Adams 2015, section 3.2 and Eq. 7.
//
//	1/Z-hat = (1/L(x_1) + ... + 1/L(x_K))/K, E 1/Z-hat = P(L > 0)/Z, with P the prior.
func NewHarmonic(t *Target, k int) (*Sum, error) {
	if err := estimators.CheckDraws(k); err != nil {
		return nil, err
	}
	terms, logMean, err := newIndependentTerms(k, reciprocalLikelihoods(t), t.logLaw(chains.At(1)))
	if err != nil {
		return nil, err
	}
	s := &Sum{
		shift: t.shiftOf(math.Inf(-1), -logMean), sign: -1, combination: estimators.HarmonicMean,
		work: estimators.Work{Evaluations: float64(k), Exact: float64(k)}, note: missedByPosterior(t),
	}
	if err := s.setIndependent(terms, "the prior is zero at all draws"); err != nil {
		return nil, err
	}
	s.logMean = s.logMeanHarmonic(1)
	return s, nil
}

// NewHarmonicChain returns the distribution of the harmonic mean over the K places of a chain that
// starts at an exact draw. Time is that of K moves of a function on the states, some hundred times.
func NewHarmonicChain(ctx context.Context, t *Target, k, workers int) (*Sum, error) {
	if err := estimators.CheckDraws(k); err != nil {
		return nil, err
	}
	logs := reciprocalLikelihoods(t)
	for x, p := range t.Posterior {
		if p == 0 { // the probability underflows, and no chain reaches the state
			logs[x] = math.Inf(-1)
		}
	}
	return t.harmonicChain(ctx, k, chainStart{logs, t.Posterior, 1}, workers)
}

// NewHarmonicPriorChain returns the distribution of the harmonic mean over the K places of a chain
// that starts at a draw from the prior. It fails if a state of the prior has likelihood zero: the
// reciprocal of the estimate may then be infinite.
func NewHarmonicPriorChain(ctx context.Context, t *Target, k, workers int) (*Sum, error) {
	if err := estimators.CheckDraws(k); err != nil {
		return nil, err
	}
	if missed := massWhere(t.Prior, t.LogL, math.Inf(-1)); missed > 0 {
		return nil, fmt.Errorf(
			"a draw from the prior has likelihood zero with probability %.6g, and the reciprocal of the "+
				"estimate is then infinite",
			missed,
		)
	}
	return t.harmonicChain(ctx, k, chainStart{reciprocalLikelihoods(t), t.Prior, 0}, workers)
}

// chainStart is where a chain of harmonic terms begins.
type chainStart struct {
	logs, initial []float64 // the logarithms of the terms, and the distribution of the first state
	exact         float64   // how many exact draws from the posterior the first state takes
}

// harmonicChain returns the distribution of the harmonic mean along a chain of k states.
func (t *Target) harmonicChain(ctx context.Context, k int, from chainStart, workers int) (*Sum, error) {
	moves, err := newPosteriorMoves(ctx, t)
	if err != nil {
		return nil, err
	}
	terms := &chainTerms{k: k, moves: moves, initial: from.initial, workers: workers}
	logMean, err := terms.setTerms(ctx, from.logs)
	if err != nil {
		return nil, err
	}
	s := &Sum{
		shift:       t.shiftOf(math.Inf(-1), -logMean),
		sign:        -1,
		combination: estimators.HarmonicMean,
		work:        estimators.Work{Evaluations: 1 + float64(k-1)*t.moveWork(), Exact: from.exact},
		note:        missedByPosterior(t),
	}
	if err := s.chain(ctx, terms, "the prior is zero at all places"); err != nil {
		return nil, err
	}
	s.logMean = s.logMeanHarmonic(1)
	return s, nil
}

// missedByPosterior is a note on states of the prior with likelihood zero.
func missedByPosterior(t *Target) string {
	missed := massWhere(t.Prior, t.LogL, math.Inf(-1))
	if missed == 0 {
		return ""
	}
	return fmt.Sprintf("E 1/Z-hat lacks %.6g of 1/Z, which is the prior probability of states whose likelihood is zero",
		missed)
}

// reciprocalLikelihoods returns -log L, and -Inf if L is zero, if there are no draws from the
// posterior.
func reciprocalLikelihoods(t *Target) []float64 {
	logs := make([]float64, len(t.LogL))
	for x, l := range t.LogL {
		logs[x] = -l
		if math.IsInf(l, -1) {
			logs[x] = math.Inf(-1)
		}
	}
	return logs
}

// reciprocalTable is the transform of 1/V over its mean, for the V of a chain. It is computed on
// demand.
type reciprocalTable struct {
	terms *chainTerms
	mutex sync.Mutex
	table *sumTable
}

// get returns the table, given that of V. It fails if the context ends.
func (r *reciprocalTable) get(ctx context.Context, h *sumTable) (*sumTable, error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.table != nil {
		return r.table, nil
	}
	fine, err := r.terms.refined(ctx, h) // the moments oscillate with log t, and take twice as many points
	if err != nil {
		return nil, err
	}
	_, variance, _ := h.logMeanMoments(1)
	lowest, highest := r.terms.bounds()
	r.table, err = fine.reciprocal(lowest, highest, deviation(variance, 0), float64(r.terms.k))
	return r.table, err
}

// reciprocal returns the transform of W = 1/V, divided by its mean, for the combination of runs
// whose estimates, and not the reciprocals of these, are averaged. log V is from lowest to highest,
// and has a standard deviation.
//
// The moments of V at complex z follow from its transform, and from them that of W follows by the
// integrals of package mellin:
//
//	E V^z = c^z + 1/Gamma(-z) integral of exp(-z u) (H(e^u) - exp(-c e^u)) du  for Re z < 1,
//
// for any number c, which is about as large as V, so that the two terms do not cancel. The sum over
// points has an error of about 1e-16, which 1/Gamma(-z) makes larger as |Im z| grows, and Gamma(z)
// of mellin's integral as much smaller.
func (h *sumTable) reciprocal(lowest, highest, deviation, places float64) (*sumTable, error) {
	logMean := h.logMeanReciprocal(1)
	lines := &mellin.Lines{Mean: 1, Low: -highest - logMean, High: -lowest - logMean, Rounding: 64 * 0x1p-53}
	lines.Draw(deviation)
	for i := range lines.Lines {
		h.fillLine(&lines.Lines[i], logMean, places)
	}
	w, err := newSumTable(sumStep, mostTrials, leftEnd, lines.Low)
	if err != nil {
		return nil, err
	}
	w.err = make([]float64, len(w.logH))
	for j := range w.logH {
		u := w.u(j)
		f := lines.Best(u)
		w.logH[j] = math.Log1p(-f.Rise)
		if f.Rise > 0.5 {
			w.logH[j] = number.Log(max(0, f.Phi))
		}
		w.excess[j], w.err[j] = w.logH[j]+math.Exp(u), f.Err
	}
	return w, nil
}

// fillLine sets the values of a line for 1/V over its mean.
func (h *sumTable) fillLine(l *mellin.Line, logMean, places float64) {
	n := l.Begin(logMean)
	moments := make([]complex128, n)
	terms := h.termsOn(l.C, places)
	for k := range moments {
		moments[k] = h.moment(complex(l.C, float64(k)*l.Step), terms)
	}
	first := real(moments[0])
	for k := range moments {
		moments[k] /= complex(first, 0)
	}
	l.LogScale = number.Log(first) + l.C*logMean
	l.Lose(func(y float64) float64 { return terms.err / first / cmplx.Abs(number.Gamma(complex(-l.C, -y))) })
	l.Set(0, moments, logMean)
}

// lineTerms are the terms of which the moments on a vertical line are sums, each turned by an
// angle.
type lineTerms struct {
	centre float64   // log c
	values []float64 // step exp(-Re z u) (H(t) - exp(-c t)) at all points
	err    float64   // a bound on the error of a sum of these with factors of modulus one
}

// termsOn returns the terms for a line.
func (h *sumTable) termsOn(line, places float64) lineTerms {
	w := lineTerms{values: make([]float64, len(h.logH))}
	if mean, _, _ := h.logMeanMoments(1); math.Abs(mean) > farMean {
		w.centre = mean
	}
	for j := range w.values {
		u := h.u(j)
		value, d := h.powerAndExponential(j, 1)
		if w.centre != 0 {
			d = h.against(j, 1, u+w.centre)
		}
		scale := h.step * math.Exp(-line*u)
		w.values[j] = scale * d
		w.err += scale * (math.Abs(d) + min(value, math.Exp(u+w.centre))) *
			(8 + places + math.Abs(u)) * 0x1p-52
	}
	return w
}

// anchored is the number of rotations after which an angle is computed afresh.
const anchored = 32

// moment returns E V^z. Left of the first point H - exp(-c t) is in proportion to t.
func (h *sumTable) moment(z complex128, w lineTerms) complex128 {
	if z == 0 {
		return 1
	}
	turn := cmplx.Rect(1, -imag(z)*h.step)
	var at, sum complex128
	for j, v := range w.values {
		if j%anchored == 0 {
			at = cmplx.Rect(1, -imag(z)*h.u(j))
		}
		sum += complex(v*real(at), v*imag(at))
		at *= turn
	}
	ratio := cmplx.Exp((z - 1) * complex(h.step, 0))
	sum += complex(w.values[0], 0) * cmplx.Rect(1, -imag(z)*h.low) * ratio / (1 - ratio)
	return cmplx.Exp(z*complex(w.centre, 0)) + sum/number.Gamma(-z)
}
