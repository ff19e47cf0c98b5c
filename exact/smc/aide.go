package smc

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/number"
)

// Estimate is the exact distribution of AIDE for one number of traces on either side, in nats. AIDE
// takes one run of each algorithm,
//
//	log q_a(x)/q_b(x) + log S_a - log S_b at the output x of the target, and
//	log q_b(y)/q_a(y) + log S_b - log S_a at the output y of the gold standard,
//
// and adds them up. In each half the trace of the run is the first of its own algorithm's traces;
// all others are from meta-inference (see Traces).
//
// Source: Cusumano-Towner and Mansinghka 2017, Eq. 8, and in the supplement Eqs. 25, 26 and 37.
type Estimate struct {
	Meta, GoldMeta int // the numbers of traces of the target and of the gold standard

	// the symmetric divergence of the outputs and its halves, KL(q_a||q_b) and KL(q_b||q_a)
	J, KLQP, KLPQ float64
	Mean          float64 // of AIDE; it is at least J
	Variance      float64 // of AIDE from one run of either algorithm, in nats^2
	Bias          float64 // Mean - J

	// UpperHalf and LowerHalf are the contributions of the target's traces to the bias: the mean of
	// -log S_a at the gold's outputs (Eq. 25) and of log S_a at its own (Eq. 26).
	UpperHalf, LowerHalf float64

	KLQPUpper float64 // the mean of the first half, at least KLQP
	KLPQUpper float64 // the mean of the second half, at least KLPQ
	// KLQPLower is KLQP plus the mean of log S_a at the target's outputs with all traces from
	// meta-inference, and at most KLQP. It is NaN unless the density of the gold standard is known.
	KLQPLower float64

	// MeanWithoutFirst and VarianceWithoutFirst are those of the variant in which the trace of the
	// run is omitted and all traces are from meta-inference. Its mean is not a bound.
	MeanWithoutFirst, VarianceWithoutFirst float64

	Error float64  // bounds the error of Mean from the moments of both sides
	Notes []string // what is infinite, and why
}

// SD returns the standard deviation of AIDE from one run of either algorithm.
func (e *Estimate) SD() float64 { return math.Sqrt(max(0, e.Variance)) }

// AIDE returns the exact mean and variance of AIDE for each number of traces of the target and,
// within it, each number of traces of the gold standard. Both sides have the same outputs, and are
// relative to the same distribution p, given by its probabilities. Time and memory are those of the
// sides' moments, and O(outputs) for each estimate.
//
// Extinct runs have no output. AIDE is then infinite, and J is that of the runs with an output.
func AIDE(ctx context.Context, target, gold Side, p []float64, metas, goldMetas []int) ([]Estimate, error) {
	a, err := newHalf(ctx, target, p, metas)
	if err != nil {
		return nil, err
	}
	b, err := newHalf(ctx, gold, p, goldMetas)
	if err != nil {
		return nil, err
	}
	_, known := gold.(*Density)
	var out []Estimate
	for _, ta := range a.traces {
		for _, tb := range b.traces {
			e := Estimate{Meta: ta.M, GoldMeta: tb.M, Error: 2 * (ta.Error + tb.Error)}
			e.computeEstimate(p, sided{a, ta}, sided{b, tb}, known)
			out = append(out, e)
		}
	}
	return out, nil
}

// half holds the data of one side.
type half struct {
	logRatio []float64
	q        []float64 // the distribution of the outputs, among the runs that have one
	extinct  float64
	traces   []Traces
	// outside are the outputs of the algorithm to which p gives no mass; their total probability is
	// outsideMass.
	outside     []int
	outsideMass float64
}

func newHalf(ctx context.Context, s Side, p []float64, ms []int) (*half, error) {
	if n := len(s.LogRatio()); n != len(p) {
		return nil, errs.New(
			"an algorithm has %d outputs and the target distribution %d; compare algorithms over the same outputs",
			n,
			len(p),
		)
	}
	h := newLaw(s, p)
	var err error
	h.traces, err = s.Traces(ctx, ms)
	return h, err
}

// newLaw returns the distribution of one side's outputs. Mass outside the support of p is not in q.
func newLaw(s Side, p []float64) *half {
	h := &half{logRatio: s.LogRatio(), q: make([]float64, len(p))}
	for x := range p {
		if p[x] > 0 {
			h.q[x] = p[x] * math.Exp(h.logRatio[x])
		} else if math.IsInf(h.logRatio[x], 1) {
			h.outside = append(h.outside, x)
		}
	}
	var rest float64
	h.extinct, rest = extinction(s, h.q)
	if len(h.outside) > 0 {
		h.outsideMass = rest
	} else if h.extinct == 0 {
		h.extinct = rest
	}
	if h.extinct > 0 {
		rest := 1 - h.extinct
		h.logRatio = append([]float64(nil), h.logRatio...)
		for x := range p {
			h.q[x] /= rest
			h.logRatio[x] -= number.Log(rest)
		}
	}
	return h
}

// Mortal is a Side whose runs may be extinct.
type Mortal interface {
	// Extinct returns the probability that a run is extinct.
	Extinct() float64
}

// extinction returns the probability that a run has no output, as far as a side states it, and the
// mass that the distribution of the outputs lacks beyond rounding.
func extinction(s Side, q []float64) (stated, missing float64) {
	if m, ok := s.(Mortal); ok {
		stated = m.Extinct()
	}
	if rest := 1 - stated - number.Total(q); rest > lawTolerance {
		missing = rest
	}
	return stated, missing
}

// sided is one side of an estimate, with a number of traces.
type sided struct {
	*half
	Traces
}

// given are the means and the second moments of a number at each output.
type given struct{ mean, square []float64 }

func (t *Traces) run() given  { return given{t.Run, t.Run2} }
func (t *Traces) meta() given { return given{t.Meta, t.Meta2} }

// computeEstimate computes an estimate.
func (e *Estimate) computeEstimate(p []float64, a, b sided, known bool) {
	e.divergences(p, a.half, b.half)
	first := mixture(a.half, b.half, a.run(), b.meta())
	second := mixture(b.half, a.half, b.run(), a.meta())
	e.LowerHalf, e.UpperHalf = average(a.q, a.Run), -average(b.q, a.Meta)
	e.Bias = e.LowerHalf + e.UpperHalf + average(b.q, b.Run) - average(a.q, b.Meta)
	e.KLQPUpper = first.mean
	e.KLPQUpper = second.mean
	e.Mean = e.J + e.Bias
	e.Variance = first.variance + second.variance
	if math.IsNaN(e.Bias) {
		e.Mean = first.mean + second.mean // infinite, since J is
	}
	e.KLQPLower = math.NaN()
	if known {
		e.KLQPLower = e.KLQP + average(a.q, a.Meta)
	}
	first = mixture(a.half, b.half, a.meta(), b.meta())
	second = mixture(b.half, a.half, b.meta(), a.meta())
	e.MeanWithoutFirst = first.mean + second.mean
	e.VarianceWithoutFirst = first.variance + second.variance
	e.explain(a, b)
}

// Divergences returns KL(q_a||q_b), KL(q_b||q_a) and their sum J in nats, of the runs that have an
// output, for two sides relative to one distribution p. Each is a sum of nonnegative terms that
// keep their digits if both distributions are nearly the same.
func Divergences(p []float64, a, b Side) (klab, klba, both float64) {
	var e Estimate
	e.divergences(p, newLaw(a, p), newLaw(b, p))
	return e.KLQP, e.KLPQ, e.J
}

// divergences computes J and its halves from the logarithms of the ratios, so that they keep their
// digits if the distributions of the outputs are nearly the same.
func (e *Estimate) divergences(p []float64, a, b *half) {
	var forward, backward, both number.Sum
	add := func(f, b, j float64) {
		forward.Add(f)
		backward.Add(b)
		both.Add(j)
	}
	inf := math.Inf(1)
	for x := range p {
		if p[x] == 0 {
			continue
		}
		qa, qb := a.q[x], b.q[x]
		none := math.IsInf(a.logRatio[x], -1)
		noneOfB := math.IsInf(b.logRatio[x], -1)
		switch d := a.logRatio[x] - b.logRatio[x]; {
		case none && noneOfB:
		case noneOfB:
			add(inf, qa, inf)
		case none:
			add(qb, inf, inf)
		default:
			add(excess(qb, qa, d), excess(qa, qb, -d), separation(qa, qb, d))
		}
	}
	// As excess assumes that both distributions sum to one, the mass that one of them lacks is
	// added to the other divergence.
	if len(a.outside) > 0 {
		add(inf, a.outsideMass, inf)
	}
	if len(b.outside) > 0 {
		add(b.outsideMass, inf, inf)
	}
	if slices.ContainsFunc(a.outside, func(x int) bool { return slices.Contains(b.outside, x) }) {
		add(math.NaN(), math.NaN(), math.NaN())
	}
	e.KLQP, e.KLPQ, e.J = forward.Value(), backward.Value(), both.Value()
}

// excess returns one output's share r log r/s - r + s of KL(r||s), where d = log r/s. It is not
// negative.
func excess(s, r, d float64) float64 {
	if math.Abs(d) < 0.5 {
		return s * shares(d)
	}
	return r*d - r + s
}

// shares returns e^d d - e^d + 1, which is d^2/2 + d^3/3 + ... + d^k (k-1)/k! + ..., for a small d,
// to all digits.
func shares(d float64) float64 {
	sum := 0.0
	term := 1.0
	for k := 1; k < 24; k++ {
		term *= d / float64(k)
		sum += term * float64(k-1)
	}
	return sum
}

// separation returns (r - s) log r/s, where d = log r/s.
func separation(r, s, d float64) float64 {
	if d > 0 {
		return r * -math.Expm1(-d) * d
	}
	return s * math.Expm1(d) * d
}

// moments are the mean and the variance of one half of AIDE.
type moments struct{ mean, variance float64 }

// mixture returns the moments of log q_a/q_b + U - V over the distribution q_a of outputs, where U
// and V are independent of each other given the output and have these means and second moments
// there. Outputs of no mass do not count.
func mixture(a, b *half, u, v given) moments {
	mean := make([]float64, len(a.q))
	for x := range mean {
		mean[x] = a.logRatio[x] - b.logRatio[x]
		if !math.IsInf(mean[x], 0) { // the moments of an algorithm that never returns x are undefined there
			mean[x] += u.mean[x] - v.mean[x]
		}
	}
	m := moments{mean: average(a.q, mean)}
	if math.IsInf(m.mean, 0) || math.IsNaN(m.mean) {
		m.variance = math.NaN()
		return m
	}
	spread := make([]float64, len(mean))
	for x := range mean {
		d := mean[x] - m.mean
		spread[x] = d*d + (u.square[x] - u.mean[x]*u.mean[x]) + (v.square[x] - v.mean[x]*v.mean[x])
	}
	m.variance = average(a.q, spread)
	return m
}

// average returns the mean of a function of the output, to which outputs of no mass add nothing. It
// is NaN if a mass is not known.
func average(q, f []float64) float64 {
	var sum number.Sum
	for x := range q {
		if q[x] != 0 {
			sum.Add(q[x] * f[x])
		}
	}
	return sum.Value()
}

// explain notes which numbers are infinite, and why. If runs may be extinct AIDE is infinite.
func (e *Estimate) explain(a, b sided) {
	e.Notes = append(e.Notes, missingOutputs("the target", a.half, "the gold standard", b.half)...)
	e.Notes = append(e.Notes, missingOutputs("the gold standard", b.half, "the target", a.half)...)
	for _, s := range []struct {
		name string
		half *half
	}{{"the target", a.half}, {"the gold standard", b.half}} {
		if len(s.half.outside) > 0 {
			e.Notes = append(e.Notes, fmt.Sprintf(
				"%s returns %s, to which the target distribution gives no mass, with probability %.6g",
				s.name,
				list(s.half.outside),
				s.half.outsideMass,
			))
		}
		if s.half.extinct > 0 {
			e.Notes = append(e.Notes,
				fmt.Sprintf("runs of %s are extinct with probability %.6g, so that AIDE is infinite; J is that of "+
					"the runs that have an output",
					s.name, s.half.extinct))
		}
	}
	if a.extinct > 0 || b.extinct > 0 {
		e.Mean = math.Inf(1)
		e.Bias = math.Inf(1)
		e.Variance = math.NaN()
		e.MeanWithoutFirst = math.Inf(1)
		e.VarianceWithoutFirst = math.NaN()
		return
	}
	e.Notes = append(e.Notes, infiniteTraces("the target", a.half, b.half, a.Traces)...)
	e.Notes = append(e.Notes, infiniteTraces("the gold standard", b.half, a.half, b.Traces)...)
}

// missingOutputs notes the outputs of one algorithm that the other never returns, and their total
// probability.
func missingOutputs(name string, a *half, other string, b *half) []string {
	mass := 0.0
	var outputs []int
	for x := range a.q {
		if a.q[x] > 0 && math.IsInf(b.logRatio[x], -1) {
			mass += a.q[x]
			outputs = append(outputs, x)
		}
	}
	if len(outputs) == 0 {
		return nil
	}
	return []string{
		fmt.Sprintf("%s never returns %s, which %s returns with probability %.6g, so that J is infinite; the "+
			"divergence of %s from %s may be finite",
			other,
			list(outputs), name, mass, other, name)}
}

// infiniteTraces notes the outputs at which the traces of an algorithm make AIDE infinite.
func infiniteTraces(name string, own, other *half, t Traces) []string {
	var notes []string
	if at := infinite(own.q, t.Run); at != nil {
		notes = append(notes, fmt.Sprintf(
			"runs of %s have traces that its meta-inference never draws, at %s, so that AIDE is infinite",
			name,
			list(at),
		))
	}
	if at := infinite(other.q, t.Meta); at != nil {
		notes = append(notes,
			fmt.Sprintf("meta-inference of %s draws traces that no run has, at %s, so that AIDE is infinite",
				name, list(at)))
	}
	return notes
}

// infinite returns the outputs of positive mass at which a function is infinite.
func infinite(q, f []float64) []int {
	var at []int
	for x := range q {
		if q[x] > 0 && math.IsInf(f[x], 0) {
			at = append(at, x)
		}
	}
	return at
}

// list names outputs, the first few of them.
func list(outputs []int) string {
	const most = 5
	word := "output"
	if len(outputs) > 1 {
		word = "outputs"
	}
	var names []string
	for i, x := range outputs {
		if i == most {
			names = append(names, fmt.Sprintf("and %d more", len(outputs)-most))
			break
		}
		names = append(names, fmt.Sprint(x))
	}
	return word + " " + strings.Join(names, ", ")
}

// Density is the Side of an algorithm whose density is known, such as exact draws from the target,
// or a variational approximation. It has no traces.
type Density struct{ logRatio []float64 }

// NewDensity returns the side of an algorithm of which log q(x)/p(x) is given for every output, in
// nats. It keeps the slice.
func NewDensity(logRatio []float64) *Density { return &Density{logRatio} }

// NewExact returns the side of exact draws from a target with n outputs.
func NewExact(n int) *Density { return &Density{make([]float64, n)} }

// LogRatio implements Side.
func (d *Density) LogRatio() []float64 { return d.logRatio }

// Traces implements Side. All moments are zero for any number of traces, since S is one.
func (d *Density) Traces(_ context.Context, ms []int) ([]Traces, error) {
	return newTraces(ms, len(d.logRatio), 0)
}
