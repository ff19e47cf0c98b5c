package evidence

import (
	"context"
	"errors"
	"math"
	"slices"

	"breadboard/exact/internal/crew"
	"breadboard/exact/internal/number"
)

// chainTerms are the K terms of a sum along a chain: the term of a place is a function of the state there.
//
// Where tilted is set the law is not that of the chain itself, but that law times S/E S for the sum S. So S is distributed where a
// chain is placed so that a state at a uniformly drawn place is drawn with a probability in proportion to its term.
type chainTerms struct {
	k       int
	moves   *posteriorMoves
	logV    []float64 // the logarithm of the term of each state, in units of the mean over the places; -Inf for zero
	initial []float64 // the law of the first place
	tilted  bool
	workers int
}

// errNoTerms says why an estimate has no law.
var errNoTerms = errors.New("all terms of the estimate are zero with probability one, so that it is never finite")

// newChainTerms returns the terms with these values, given by their logarithms, and the logarithm of their mean over the places.
func newChainTerms(ctx context.Context, k int, m *posteriorMoves, logs, initial []float64, workers int) (terms *chainTerms, logMean float64, err error) {
	top := slices.Max(logs)
	if math.IsInf(top, -1) {
		return nil, 0, errNoTerms
	}
	scaled := make([]float64, len(logs))
	for x, l := range logs {
		scaled[x] = math.Exp(l - top)
	}
	sum, total := make([]float64, len(logs)), make([]float64, len(logs))
	for range k {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		m.averageTerms(sum, total)
		for x := range total {
			total[x] = scaled[x] + sum[x]
		}
	}
	var mean number.Sum
	for x, p := range initial {
		mean.Add(p * total[x])
	}
	if !(mean.Value() > 0) {
		return nil, 0, errNoTerms
	}
	logMean = top + math.Log(mean.Value()/float64(k))
	t := &chainTerms{k: k, moves: m, logV: make([]float64, len(logs)), initial: initial, workers: workers}
	for x, l := range logs {
		t.logV[x] = l - logMean
	}
	return t, logMean, nil
}

// zero returns the probability that all terms are zero, in the law of the chain that is not tilted. It is zero only where that is
// impossible: where float64 cannot hold it, it is the least positive number.
func (t *chainTerms) zero(ctx context.Context) (float64, error) {
	v, next := make([]float64, len(t.logV)), make([]float64, len(t.logV))
	for x := range v {
		v[x] = 1
	}
	logScale := 0.0
	for range t.k {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		t.moves.averageTerms(next, v)
		largest := 0.0
		for x := range v {
			if v[x] = 0; math.IsInf(t.logV[x], -1) {
				v[x] = next[x]
				largest = max(largest, v[x])
			}
		}
		if largest == 0 {
			return 0, nil
		}
		for x := range v {
			v[x] /= largest
		}
		logScale += math.Log(largest)
	}
	var total number.Sum
	for x, p := range t.initial {
		total.Add(p * v[x])
	}
	if total.Value() == 0 {
		return 0, nil
	}
	return max(math.SmallestNonzeroFloat64, total.Value()*math.Exp(logScale)), nil
}

// portions is the number of jobs among which the points of a transform are shared.
const portions = 16

// table returns the transform of the mean V of the terms over the places.
func (t *chainTerms) table(ctx context.Context, step float64) (*sumTable, error) {
	lowest, highest := t.bounds()
	left := float64(leftEnd)
	if t.tilted {
		left -= highest // the mean of V is then at most exp(highest), and 1 - H at most t times that
	}
	h, err := newSumTable(step, mostTrials, left, lowest)
	if err != nil {
		return nil, err
	}
	far := 0
	if !t.tilted {
		if far, err = t.firstBelowHalf(ctx, h); err != nil {
			return nil, err
		}
	}
	err = crew.Jobs(ctx, portions, t.workers, func(ctx context.Context, portion int) error {
		s := t.sweeper()
		for j := portion; j < len(h.logH); j += portions {
			u := h.u(j)
			form := formDirect
			switch {
			case math.Exp(u) <= nearLimit:
				form = formNear
			case j < far:
				form = formRise
			}
			var err error
			if h.logH[j], h.excess[j], err = s.transform(ctx, u, form); err != nil {
				return err
			}
		}
		return nil
	})
	return h, err
}

// bounds returns bounds on log V where V is not zero. The lower one is not above zero, and the upper one not below.
func (t *chainTerms) bounds() (lowest, highest float64) {
	zeros := false
	for _, l := range t.logV {
		if math.IsInf(l, -1) {
			zeros = true
			continue
		}
		lowest, highest = min(lowest, l), max(highest, l)
	}
	if zeros {
		lowest -= math.Log(float64(t.k)) // one of the terms alone
	}
	return lowest, highest
}

// firstBelowHalf returns the first point at which H is below 1/2.
func (t *chainTerms) firstBelowHalf(ctx context.Context, h *sumTable) (int, error) {
	s := t.sweeper()
	low, high := 0, len(h.logH)
	for low < high {
		middle := (low + high) / 2
		logH, _, err := s.transform(ctx, h.u(middle), formDirect)
		if err != nil {
			return 0, err
		}
		if logH < -math.Ln2 {
			high = middle
		} else {
			low = middle + 1
		}
	}
	return low, nil
}

// form is relative to what a transform is propagated, so that it keeps its digits.
type form int

const (
	formDirect form = iota // H itself, which is right relative to H
	formRise               // H - 1, which is right relative to 1 - H: for H near one
	formNear               // exp(t) H - 1, for t up to nearLimit: for V near one
)

// sweeper propagates transforms back along the chain. Only one goroutine may use it.
type sweeper struct {
	*chainTerms
	moves             *posteriorMoves
	factor, added     []float64 // of a place
	v, next, d, nextD []float64
	value, distance   []float64 // V and V - 1
}

// sweeper returns a sweeper with memory of its own.
func (t *chainTerms) sweeper() *sweeper {
	s := &sweeper{chainTerms: t, moves: t.moves.twin()}
	n := len(t.logV)
	for _, v := range []*[]float64{&s.factor, &s.added, &s.v, &s.next, &s.d, &s.nextD, &s.value, &s.distance} {
		*v = make([]float64, n)
	}
	for x, l := range t.logV {
		s.value[x], s.distance[x] = math.Exp(l), math.Expm1(l)
	}
	return s
}

// transform returns log H and log H + t at t = e^u.
//
// With tau = t/K, and v_k(x) the value of E exp(-tau (V_k + ... + V_K)) from state x at place k in one of the forms, relative to the
// reference r = 0 for formDirect and formRise and r = 1 for formNear,
//
//	v_k = a + b T v_{k+1},   b = exp(-tau (V - r)),   a = b - 1, or zero for formDirect,
//
// where v_{K+1} is one for formDirect, and else zero. The derivative by -tau, D_k, is propagated beside it where the law is tilted:
// D_k = V v_k + b T D_{k+1} for formDirect; and for formNear, as D_k is exp(-tau (K-k+1)) (K-k+1 + d_k),
//
//	d_k = (V - 1) + V v_k + a (K-k) + b T d_{k+1}.
func (s *sweeper) transform(ctx context.Context, u float64, f form) (logH, excess float64, err error) {
	s.begin(u, f)
	for k := s.k; k >= 1; k-- {
		if err := ctx.Err(); err != nil {
			return 0, 0, err
		}
		s.place(k, f)
	}
	if s.tilted {
		logH, excess = s.tiltedEnd(u, f)
		return logH, excess, nil
	}
	var total number.Sum
	for x, p := range s.initial {
		total.Add(p * s.v[x])
	}
	t, value := math.Exp(u), total.Value()
	switch f {
	case formNear:
		excess = math.Log1p(value)
		return excess - t, excess, nil
	case formRise:
		logH = math.Log1p(value)
	default:
		logH = math.Log(value)
	}
	return logH, logH + t, nil
}

// begin sets what is the same at all places, and what is behind the last one.
func (s *sweeper) begin(u float64, f form) {
	clear(s.d)
	after := 0.0
	if f == formDirect {
		after = 1
	}
	logTau := u - math.Log(float64(s.k))
	tau := math.Exp(logTau)
	for x, l := range s.logV {
		s.v[x] = after
		y := math.Exp(logTau + l)
		if f == formNear {
			y = tau * s.distance[x]
		}
		s.factor[x], s.added[x] = math.Exp(-y), 0
		if f != formDirect {
			s.added[x] = math.Expm1(-y)
		}
	}
}

// place goes from place k+1 to place k.
func (s *sweeper) place(k int, f form) {
	apply := s.moves.averageTerms
	if f != formDirect {
		apply = s.moves.average
	}
	apply(s.next, s.v)
	factor, added := s.factor[:len(s.v)], s.added[:len(s.v)]
	for x, v := range s.next[:len(s.v)] {
		s.v[x] = added[x] + factor[x]*v
	}
	if !s.tilted {
		return
	}
	apply(s.nextD, s.d)
	after := float64(s.k - k)
	for x, d := range s.nextD {
		d = s.value[x]*s.v[x] + factor[x]*d
		if f == formNear {
			d += s.distance[x] + added[x]*after
		}
		s.d[x] = d
	}
}

// tiltedEnd returns log H and log H + t of the tilted law, where H is the mean of D_1 over K. Such an H is below 1/(e t), so that no
// form of its own is needed where it is near one.
func (s *sweeper) tiltedEnd(u float64, f form) (logH, excess float64) {
	var total number.Sum
	for x, p := range s.initial {
		total.Add(p * s.d[x])
	}
	mean, t := total.Value()/float64(s.k), math.Exp(u)
	if f == formNear {
		excess = math.Log1p(mean)
		return excess - t, excess
	}
	logH = math.Log(mean)
	return logH, logH + t
}
