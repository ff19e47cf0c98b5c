package laws

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/chains/number"
)

// For K independent terms V with E V = 1, and H(t) = E exp(-t V), the sum of the terms has the
// transform H(t)^K, from which its moments and tails follow (see Sum). H is kept as log H and as
// log H + t, each with its digits: exp(t) H(t) - 1 = E[exp(-y) - 1 + y], y = t (V - 1). A point t
// takes O(values).

// NewWeighting returns the distribution of likelihood weighting with K draws from the prior: S is
// the sum of their likelihoods. It fails for a K below 1 or above estimators.MaxDraws, and if the
// likelihoods span some thousand nats.
//
// Source: Grosse, Ghahramani and Adams 2015, section 3.1 and Eq. 4.
func NewWeighting(t *Target, k int) (*Sum, error) {
	if err := estimators.CheckDraws(k); err != nil {
		return nil, err
	}
	terms, logMean, err := newIndependentTerms(k, t.LogL, t.logLaw(chains.At(0)))
	if err != nil {
		return nil, err
	}
	s := &Sum{
		shift:       t.shiftOf(math.Inf(1), logMean),
		sign:        1,
		logMean:     logMean,
		combination: estimators.ArithmeticMean,
		work:        estimators.Work{Evaluations: float64(k)},
	}
	if missed := massWhere(t.Posterior, t.LogL, math.Inf(1)); missed > 0 {
		s.note = fmt.Sprintf(
			"E Z-hat lacks %.6g of Z, which is the posterior probability of states of prior probability zero",
			missed,
		)
	}
	return s, s.setIndependent(terms, "the likelihood is zero at all draws")
}

// atom is a value of a term and its probability.
type atom struct{ logV, p float64 }

// independentTerms are the K terms of a sum over independent draws.
type independentTerms struct {
	k     float64
	atoms []atom  // the values that are not zero, each once, in units of the mean, in ascending order
	zero  float64 // the probability of a value that is zero
}

// newIndependentTerms returns the terms with these values, and the logarithm of their mean. The
// values and the probabilities of the states are given by their logarithms: a large value may
// matter even if its probability underflows.
func newIndependentTerms(k int, logs, logP []float64) (terms *independentTerms, logMean float64, err error) {
	weighted := make([]float64, 0, len(logs))
	t := &independentTerms{k: float64(k)}
	var zero number.Sum
	for x, l := range logs {
		switch {
		case math.IsInf(logP[x], -1):
		case math.IsInf(l, -1):
			zero.Add(math.Exp(logP[x]))
		default:
			t.atoms = append(t.atoms, atom{l, math.Exp(logP[x])})
			weighted = append(weighted, l+logP[x])
		}
	}
	t.zero = zero.Value()
	if len(t.atoms) == 0 {
		return nil, 0, errNoTerms
	}
	logMean = number.LogSumExp(weighted)
	t.atoms = merged(t.atoms)
	for i := range t.atoms {
		t.atoms[i].logV -= logMean
	}
	return t, logMean, nil
}

// merged returns atoms in ascending order, each value once. It overwrites them.
func merged(atoms []atom) []atom {
	slices.SortFunc(atoms, func(a, b atom) int { return cmp.Compare(a.logV, b.logV) })
	out := atoms[:0]
	for _, a := range atoms {
		if n := len(out); n > 0 && out[n-1].logV == a.logV {
			out[n-1].p += a.p
			continue
		}
		out = append(out, a)
	}
	return out
}

// transformTable returns the transform of one term, on the points that the sum of K terms needs.
func (t *independentTerms) transformTable() (*sumTable, error) {
	lowest := t.atoms[0].logV
	if t.zero == 0 {
		lowest += number.Log(t.k) // the sum of K terms is at least K times the least
	}
	h, err := newSumTable(sumStep, t.k*mostTrials, leftEnd, lowest)
	if err != nil {
		return nil, err
	}
	for j := range h.logH {
		h.logH[j], h.excess[j] = t.transform(h.u(j))
	}
	return h, nil
}

const (
	// nearLimit is the t up to which transforms are computed relative to exp(-t). They also are
	// wherever t (V - 1) is small.
	nearLimit = 16
	// farValue is the log V from which on they are not, since V is too large for it.
	farValue = 300
)

// transform returns log H and log H + t for one term at t = e^u.
//
// As E V = 1, exp(t) H(t) - 1 is the mean of exp(-y) - 1 + y with y = t (V - 1), whose terms are
// not negative: however near one V is, no digits cancel. If V may be zero log V has no moments, and
// no such digits are needed.
func (t *independentTerms) transform(u float64) (logH, excess float64) {
	tau := math.Exp(u)
	var phi, rise, gain number.Sum
	lowest := t.atoms[0].logV
	highest := t.atoms[len(t.atoms)-1].logV
	flat := tau*max(math.Expm1(highest), -math.Expm1(lowest)) <= 1
	near := (tau <= nearLimit || flat) && t.zero == 0 && highest < farValue
	for _, a := range t.atoms {
		y := math.Exp(u + a.logV)
		phi.Add(a.p * math.Exp(-y))
		rise.Add(-a.p * math.Expm1(-y))
		if near {
			gain.Add(a.p * curvature(tau*math.Expm1(a.logV)))
		}
	}
	logH = number.Log(phi.Value() + t.zero)
	if rise.Value() < 0.5 {
		logH = math.Log1p(-rise.Value())
	}
	if near {
		return logH, math.Log1p(gain.Value())
	}
	return logH, logH + tau
}

// curvature returns exp(-y) - 1 + y to full relative accuracy.
func curvature(y float64) float64 {
	if math.Abs(y) > 0.5 {
		return math.Expm1(-y) + y
	}
	sum := 0.0
	term := y * y / 2
	for n := 3.0; n < 20; n++ {
		sum += term
		term *= -y / n
	}
	return sum
}

// setIndependent sets the terms of independent draws. zeroMeans explains in a note what it means
// that all of them are zero.
func (s *Sum) setIndependent(terms *independentTerms, zeroMeans string) (err error) {
	s.runs = terms.k
	s.tail = terms
	s.draws = terms
	s.zero = math.Pow(terms.zero, terms.k)
	s.digits = math.Inf(1)
	if terms.zero > 0 {
		s.zero = max(s.zero, math.SmallestNonzeroFloat64) // a power that underflows is still not zero
		s.note = joined(s.note, fmt.Sprintf("with probability %.6g %s", s.zero, zeroMeans))
	}
	s.table, err = terms.transformTable()
	return err
}
