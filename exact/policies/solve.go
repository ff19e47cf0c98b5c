package policies

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"sync"

	"breadboard/chains/number"
	"breadboard/exact/internal/crew"
	"breadboard/exact/internal/stage"
)

// Solution holds the exact numbers of a pair of policies, in nats. A number that is zero to within
// its rounding is 0.
type Solution struct {
	J, KLQP, KLPQ number.Bounded // of the end of forward paths (q) and the target (p)
	// B = KLForward + KLReverse, which are KL(path_fwd || path_rev) and KL(path_rev || path_fwd).
	B, KLForward, KLReverse          number.Bounded
	LogZ                             float64        // log of the sum of f
	MeanLogWForward, MeanLogWReverse float64        // LogZ - KLForward and LogZ + KLReverse, between which LogZ is
	ESS                              number.Bounded // E[w]^2/E[w^2] of forward paths: the effective sample size of one path
	Layers                           []LayerGap     // by layer from 1 on
	Visits                           []float64      // the probability that a forward path visits each state, which is q where it ends; nil unless wanted
	States                           int            // of all layers
	ForwardLost                      float64        // the probability that a forward path makes a step that no backward path makes
	ReverseLost                      float64        // the probability that a backward path makes a step that no forward path makes
}

// LayerGap is the contribution of the steps into a layer to B - J, in nats.
type LayerGap struct{ Forward, Reverse float64 }

// Options control how Solve works, and do not change its results.
type Options struct {
	Workers  int            // zero is one for each processor
	Progress func(step int) // called for each layer in each of two passes; may be nil
	Visits   bool           // whether Solution.Visits is wanted
}

// Steps returns to how much the calls of Options.Progress add up.
func Steps(m Model) int { return 2 * m.Layers() }

// Solve computes the numbers of a pair of policies in two passes over all steps, one in each
// direction. It takes three exponentials for each step and 24 bytes for each state. It fails if f
// is zero everywhere, and if the context ends.
func Solve(ctx context.Context, m Model, o Options) (*Solution, error) {
	s := newSweep(ctx, m, o)
	defer s.crew.Dismiss()
	if err := s.backward(true); err != nil {
		return nil, err
	}
	return s.forward(o.Visits)
}

// sweep carries the marginals of both policies over the states of all layers.
type sweep struct {
	m    Model
	ctx  context.Context
	crew *crew.Crew
	step func(int)
	logZ float64
	logR []float64 // log of the marginals of backward paths
	logW []float64 // log E_rev[w of the steps from a state on], in units of its mean under forward paths
	c    []float64 // log(q/r), and log q where r is zero
	free sync.Pool // of *work
}

func newSweep(ctx context.Context, m Model, o Options) *sweep {
	workers := o.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	s := &sweep{m: m, ctx: ctx, crew: crew.New(crew.Share(m.Size(), workers)), step: o.Progress, logR: make([]float64, m.Size())}
	if s.step == nil {
		s.step = func(int) {}
	}
	return s
}

// partSize is the number of states of a part of a layer. Sums are added up part by part in a fixed
// order, so that no number depends on the number of workers.
const partSize = 1 << 13

// each calls do for all states of a layer, with the number of their part.
func (s *sweep) each(layer int, do func(part, x int, w *work)) error {
	from, to := s.m.Span(layer)
	s.crew.Run(parts(from, to), func(part int) {
		if s.ctx.Err() != nil {
			return
		}
		w, _ := s.free.Get().(*work)
		if w == nil {
			w = &work{}
		}
		defer s.free.Put(w)
		for x := from + part*partSize; x < min(to, from+(part+1)*partSize); x++ {
			if s.m.Layer(x) == layer {
				do(part, x, w)
			}
		}
	})
	s.step(1)
	return s.ctx.Err()
}

func parts(from, to int) int { return max(1, (to-from+partSize-1)/partSize) }

// work is memory for the steps of one state.
type work struct {
	edges           []Edge
	weights, values []float64
}

func (w *work) reset() { w.edges, w.weights, w.values = w.edges[:0], w.weights[:0], w.values[:0] }

// logMean returns the logarithm of the mean of exp(values) under weights that sum to one.
func (w *work) logMean() float64 {
	most := math.Inf(-1)
	for i, v := range w.values {
		if w.weights[i] > 0 {
			most = max(most, v)
		}
	}
	if math.IsInf(most, 0) {
		return most
	}
	sum := 0.0
	for i, v := range w.values {
		if w.weights[i] > 0 {
			sum += float64(w.weights[i] * math.Exp(v-most))
		}
	}
	return most + number.Log(sum)
}

// logSum returns the logarithm of the sum of exp(values), and makes weights the shares of the
// terms.
func (w *work) logSum() float64 {
	most := math.Inf(-1)
	for _, v := range w.values {
		most = max(most, v)
	}
	if math.IsInf(most, -1) {
		return most
	}
	sum := 0.0
	for _, v := range w.values {
		share := math.Exp(v - most)
		w.weights = append(w.weights, share)
		sum += share
	}
	for i := range w.weights {
		w.weights[i] /= sum
	}
	return most + math.Log(sum)
}

// normalize finds log Z.
func (s *sweep) normalize() error {
	var z number.LogSum
	for x := range s.m.Size() {
		if logf, ends := s.m.Target(x); ends {
			z.Add(logf)
		}
	}
	if s.logZ = z.Log(); math.IsInf(s.logZ, 0) || math.IsNaN(s.logZ) {
		return fmt.Errorf("the log of the sum of f over the states where paths end is %v", s.logZ)
	}
	return nil
}

// backward finds the marginals of backward paths, and with weighted also logW.
func (s *sweep) backward(weighted bool) error {
	if err := s.normalize(); err != nil {
		return err
	}
	if weighted {
		s.logW = make([]float64, s.m.Size())
	}
	for layer := s.m.Layers() - 1; layer >= 0; layer-- {
		if err := s.each(layer, func(_, x int, w *work) {
			if logf, ends := s.m.Target(x); ends {
				s.logR[x] = logf - s.logZ
				return
			}
			w.reset()
			w.edges = s.m.Out(w.edges, x)
			for _, e := range w.edges {
				w.values = append(w.values, s.logR[e.State]+e.Backward)
			}
			s.logR[x] = w.logSum()
			if weighted && s.logR[x] > math.Inf(-1) {
				s.logW[x] = s.weightFrom(x, w)
			}
		}); err != nil {
			return err
		}
	}
	return nil
}

// weightFrom returns logW of a state: the mean over the steps of backward paths, whose shares are
// the weights, of exp(log share - log P_F + logW of the next state).
func (s *sweep) weightFrom(x int, w *work) float64 {
	for i, e := range w.edges {
		if w.values[i] > math.Inf(-1) {
			w.values[i] += s.logW[e.State] - s.logR[x] - e.Forward
		}
	}
	return w.logMean()
}

// sums are the sums over the states of a part.
type sums struct {
	forward, reverse, qp, pq number.BlockSum
	spreadQ, spreadR         float64 // the changes of forward and reverse for a change of one in every log rho
	condition, conditionQ    float64 // the change of KL(p||q) and KL(q||p) for a change of one in every c
	roundingR, roundingQ     float64 // the mean rounding of a under both kinds of path
	massR, massQ             float64
	forwardLost, reverseLost number.BlockSum
	states                   int
	weight, initial          []float64 // of the states of layer 0: log r/q + logW, and r
}

// loseForward counts steps of forward paths that no backward path makes, given the log of their
// probability, which may underflow.
func (a *sums) loseForward(flow float64) {
	if flow > math.Inf(-1) {
		a.forward.Add(math.Inf(1))
		a.forwardLost.Add(math.Exp(flow))
	}
}

// loseReverse counts steps of backward paths that no forward path makes.
func (a *sums) loseReverse(flow float64) {
	if flow > math.Inf(-1) {
		a.reverse.Add(math.Inf(1))
		a.reverseLost.Add(math.Exp(flow))
	}
}

// epsilon is the rounding of float64.
const epsilon = 0x1p-53

// forward finds log(q/r), and with it all numbers.
func (s *sweep) forward(visits bool) (*Solution, error) {
	s.c = make([]float64, s.m.Size())
	sol := &Solution{LogZ: s.logZ}
	var total totals
	for layer := range s.m.Layers() {
		from, to := s.m.Span(layer)
		all := make([]sums, parts(from, to))
		if err := s.each(layer, func(part, x int, w *work) {
			a := &all[part]
			a.states++
			if layer == 0 {
				s.begin(x, a)
			} else {
				s.arrive(x, w, a)
			}
			if logf, ends := s.m.Target(x); ends {
				s.end(x, logf, a)
			}
		}); err != nil {
			return nil, err
		}
		total.add(sol, all, layer)
	}
	total.finish(sol)
	if visits {
		for x := range s.c {
			sol.Visits = append(sol.Visits, math.Exp(s.logQ(x)))
		}
	}
	return sol, nil
}

// logQ returns log q of a state whose c is known.
func (s *sweep) logQ(x int) float64 {
	if math.IsInf(s.logR[x], -1) {
		return s.c[x]
	}
	return s.c[x] + s.logR[x]
}

// begin sets c of a state of layer 0.
func (s *sweep) begin(x int, a *sums) {
	q := s.m.Initial(x)
	if math.IsInf(s.logR[x], -1) {
		s.c[x] = q
		a.loseForward(q)
		return
	}
	s.c[x] = q - s.logR[x]
	a.initial, a.weight = append(a.initial, math.Exp(s.logR[x])), append(a.weight, s.logW[x]-s.c[x])
	if math.IsInf(q, -1) {
		a.loseReverse(s.logR[x])
	}
}

// arrive sets c of a state behind layer 0, and adds its brackets.
func (s *sweep) arrive(y int, w *work, a *sums) {
	w.reset()
	w.edges = s.m.In(w.edges, y)
	if math.IsInf(s.logR[y], -1) {
		for _, e := range w.edges {
			flow := s.logQ(e.State) + e.Forward
			w.values = append(w.values, flow)
			if s.logR[e.State] > math.Inf(-1) {
				a.loseForward(flow)
			}
		}
		s.c[y] = w.logSum()
		return
	}
	extra := math.Inf(-1) // log of the mass of forward steps that the backward policy does not make, over r(y)
	last, weight := math.Inf(-1), 0.0
	for _, e := range w.edges {
		if math.IsInf(e.Backward, -1) {
			extra = number.LogPlus(extra, s.logQ(e.State)+e.Forward-s.logR[y])
		}
		if e.Backward != last {
			last, weight = e.Backward, math.Exp(e.Backward)
		}
		v := math.Inf(-1)
		if weight > 0 {
			v = e.Forward + s.logR[e.State] - s.logR[y] - e.Backward + s.c[e.State]
		}
		w.weights, w.values = append(w.weights, weight), append(w.values, v)
	}
	s.c[y] = w.logMean()
	if extra > math.Inf(-1) {
		a.loseForward(extra + s.logR[y])
		s.c[y] = number.LogPlus(s.c[y], extra)
		a.reverse.Add(math.Exp(s.logR[y] + extra - s.c[y]))
	}
	s.brackets(y, w, a)
}

// brackets adds the brackets of the steps to y, whose weights are P_B and whose values are a +
// c(x).
func (s *sweep) brackets(y int, w *work, a *sums) {
	r, q := math.Exp(s.logR[y]), math.Exp(s.logR[y]+s.c[y])
	for i, e := range w.edges {
		p := w.weights[i]
		if p == 0 {
			continue
		}
		if math.IsInf(w.values[i], -1) {
			a.forward.Add(q * p)
			if s.c[e.State] > math.Inf(-1) {
				a.loseReverse(s.logR[y] + e.Backward)
			}
			continue
		}
		l := w.values[i] - s.c[y] // log rho
		rounding := epsilon * (4 - e.Forward - e.Backward - s.logR[e.State] - s.logR[y] + math.Abs(s.c[e.State]))
		var forward, reverse, shift float64 // in units of q P_B and r P_B
		if math.Abs(l) <= 1 {
			rise, above, below := stage.Expm1Excess(l)
			forward, reverse, shift = (1+rise)*below, above, rise
		} else if l < 500 {
			shift = math.Expm1(l)
			forward, reverse = (1+shift)*l-shift, shift-l
		} else { // rho itself may be out of range
			flow := math.Exp(s.logR[y] + w.values[i] + e.Backward)
			a.forward.Add(flow*(l-1) + q*p)
			a.reverse.Add(math.Exp(s.logR[y]+e.Backward+l) - r*p*(1+l))
			a.roundingQ, a.massQ = a.roundingQ+flow*rounding, a.massQ+flow
			a.spreadQ += flow * l
			continue
		}
		a.forward.Add(float64(q*p) * forward)
		a.reverse.Add(float64(r*p) * reverse)
		flow := q * p * (1 + shift)
		a.roundingR, a.massR = a.roundingR+float64(r*p*rounding), a.massR+r*p
		a.roundingQ, a.massQ = a.roundingQ+float64(flow*rounding), a.massQ+flow
		a.spreadQ += float64(flow * math.Abs(l))
		a.spreadR += float64(r * p * math.Abs(shift))
	}
}

// end adds the terms of a state where paths end.
func (s *sweep) end(x int, logf float64, a *sums) {
	c := s.c[x]
	switch {
	case math.IsInf(logf, -1):
		if c > math.Inf(-1) {
			a.qp.Add(math.Inf(1))
			a.pq.Add(math.Exp(c)) // the rest of q - p - p log(q/p)
		}
		return
	case math.IsInf(c, -1):
		a.qp.Add(math.Exp(s.logR[x])) // the rest of q log(q/p) - q + p
		a.pq.Add(math.Inf(1))
		return
	}
	p := math.Exp(s.logR[x])
	if math.Abs(c) <= 1 {
		rise, above, below := stage.Expm1Excess(c)
		a.qp.Add(p * (1 + rise) * below)
		a.pq.Add(p * above)
		a.condition += p * math.Abs(rise)
		a.conditionQ += p * (1 + rise) * math.Abs(c)
		return
	}
	q := math.Exp(s.logR[x] + c)
	a.qp.Add(q*(c-1) + p)
	a.pq.Add(q - p*(1+c))
	a.condition += math.Abs(q - p)
	a.conditionQ += q * math.Abs(c)
}

// totals are the sums over all layers.
type totals struct {
	sums
	square   float64 // the sum over the layers of the squared rounding of a, which is independent from layer to layer
	rounding float64 // of c, about
}

// add adds the parts of a layer.
func (t *totals) add(sol *Solution, all []sums, layer int) {
	var gap LayerGap
	var roundingR, massR, roundingQ, massQ, spreadQ, spreadR float64
	for i := range all {
		a := &all[i]
		gap.Forward += a.forward.Value()
		gap.Reverse += a.reverse.Value()
		t.qp.Add(a.qp.Value())
		t.pq.Add(a.pq.Value())
		t.forwardLost.Add(a.forwardLost.Value())
		t.reverseLost.Add(a.reverseLost.Value())
		spreadQ, spreadR = spreadQ+a.spreadQ, spreadR+a.spreadR
		t.condition += a.condition
		t.conditionQ += a.conditionQ
		roundingR, massR = roundingR+a.roundingR, massR+a.massR
		roundingQ, massQ = roundingQ+a.roundingQ, massQ+a.massQ
		t.initial, t.weight = append(t.initial, a.initial...), append(t.weight, a.weight...)
		sol.States += a.states
	}
	if massR > 0 && massQ > 0 {
		rounding := max(roundingR/massR, roundingQ/massQ)
		t.square += rounding * rounding
		t.rounding = 2 * math.Sqrt(t.square)
	}
	gap.Forward, gap.Reverse = positive(gap.Forward, 2*spreadQ*t.rounding).Value, positive(gap.Reverse, 2*spreadR*t.rounding).Value
	t.forward.Add(gap.Forward)
	t.reverse.Add(gap.Reverse)
	t.spreadQ, t.spreadR = t.spreadQ+spreadQ, t.spreadR+spreadR
	if layer > 0 {
		sol.Layers = append(sol.Layers, gap)
	}
}

// finish sets the numbers of a solution.
func (t *totals) finish(sol *Solution) {
	sol.ForwardLost, sol.ReverseLost = t.forwardLost.Value(), t.reverseLost.Value()
	errorQP, errorPQ := t.conditionQ*t.rounding, t.condition*t.rounding
	errorForward, errorReverse := errorQP+2*t.spreadQ*t.rounding, errorPQ+2*t.spreadR*t.rounding // log rho has two c
	qp, pq := t.qp.Value(), t.pq.Value()
	forward, reverse := qp+t.forward.Value(), pq+t.reverse.Value()
	sol.KLQP, sol.KLPQ, sol.J = positive(qp, errorQP), positive(pq, errorPQ), positive(qp+pq, errorQP+errorPQ)
	sol.KLForward, sol.KLReverse = positive(forward, errorForward), positive(reverse, errorReverse)
	sol.B = positive(forward+reverse, errorForward+errorReverse)
	sol.MeanLogWForward, sol.MeanLogWReverse = sol.LogZ-sol.KLForward.Value, sol.LogZ+sol.KLReverse.Value
	first := work{weights: t.initial, values: t.weight}
	sol.ESS = number.Within(math.Exp(-first.logMean()), 2*t.rounding)
}

// positive returns a divergence with a bound on its error: zero if it is no larger than that.
func positive(v, lost float64) number.Bounded {
	switch {
	case math.IsInf(v, 1):
		return number.Exactly(v)
	case v <= lost:
		return number.Exactly(0)
	}
	return number.Bounded{Value: v, Error: lost}
}
