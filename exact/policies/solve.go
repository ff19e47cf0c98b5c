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
	MeanLogWForward, MeanLogWReverse number.Bounded // LogZ - KLForward and LogZ + KLReverse, between which LogZ is
	ESS                              number.Bounded // E[w]^2/E[w^2] of forward paths: the effective sample size of one path; NaN if w is always zero
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
// direction. It takes four exponentials for each step and 24 bytes for each state. It fails if f
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
	top  float64   // the largest log f
	rest float64   // log Z less that
	logR []float64 // log of the marginals of backward paths
	logW []float64 // log E_rev[w of the steps from a state on], in units of its mean under forward paths
	// c is log(q/r), and log q where r is zero. Before the forward pass comes to a state, it is the
	// probability that a path of P_R from there makes no step that is impossible forward.
	c    []float64
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
	edges          []Edge
	values, shares []float64
}

func (w *work) reset() { w.edges, w.values = w.edges[:0], w.values[:0] }

// logSum returns the logarithm of the sum of exp(values), and makes weights the shares of the
// terms.
func (w *work) logSum() float64 {
	most := math.Inf(-1)
	for _, v := range w.values {
		most = max(most, v)
	}
	if math.IsInf(most, 0) {
		return most
	}
	sum := 0.0
	w.shares = w.shares[:0]
	for _, v := range w.values {
		share := math.Exp(v - most)
		w.shares = append(w.shares, share)
		sum += share
	}
	for i := range w.shares {
		w.shares[i] /= sum
	}
	return most + number.Log(sum)
}

// normalize finds log Z. A constant in log f costs no digits: what is left of log Z without the
// largest log f is kept apart.
func (s *sweep) normalize() error {
	s.top = math.Inf(-1)
	for x := range s.m.Size() {
		if x%partSize == 0 && s.ctx.Err() != nil {
			return s.ctx.Err()
		}
		if logf, ends := s.m.Target(x); ends {
			s.top = max(s.top, logf)
		}
	}
	var z number.LogSum
	for x := range s.m.Size() {
		if x%partSize == 0 && s.ctx.Err() != nil {
			return s.ctx.Err()
		}
		if logf, ends := s.m.Target(x); ends {
			z.Add(logf - s.top)
		}
	}
	if s.rest = z.Log(); math.IsInf(s.top, 0) || math.IsNaN(s.rest) {
		return fmt.Errorf("the largest log f of the states where paths end is %v", s.top)
	}
	return nil
}

// backward finds the marginals of backward paths, and with weighted also logW.
func (s *sweep) backward(weighted bool) error {
	if err := s.normalize(); err != nil {
		return err
	}
	if weighted {
		s.logW, s.c = make([]float64, s.m.Size()), make([]float64, s.m.Size())
	}
	for layer := s.m.Layers() - 1; layer >= 0; layer-- {
		if err := s.each(layer, func(_, x int, w *work) {
			if logf, ends := s.m.Target(x); ends {
				s.logR[x] = logf - s.top - s.rest
				if weighted {
					s.c[x] = 1
				}
				return
			}
			w.reset()
			w.edges = s.m.Out(w.edges, x)
			for _, e := range w.edges {
				w.values = append(w.values, s.logR[e.State]+e.Backward)
			}
			s.logR[x] = w.logSum()
			if weighted && s.logR[x] > math.Inf(-1) {
				s.logW[x], s.c[x] = s.weightFrom(x, w)
			}
		}); err != nil {
			return err
		}
	}
	return nil
}

// weightFrom returns logW of a state: the log of the sum, over the steps that are possible forward,
// of P_R^2/P_F times W of the next state, where P_R is the forward policy of backward paths. It
// also returns the probability under P_R that all steps from there on are possible.
func (s *sweep) weightFrom(x int, w *work) (logW, possible float64) {
	var sum, lost float64
	for i, e := range w.edges {
		sum += deviation(w.shares[i], w.values[i]-s.logR[x], e.Forward, s.logW[e.State])
		next := s.c[e.State]
		if math.IsInf(e.Forward, -1) {
			next = 0
		}
		lost, possible = lost+w.shares[i]*(1-next), possible+w.shares[i]*next
	}
	if lost < 0.5 { // exact if nothing is lost
		possible = 1 - lost
	}
	if -0.5 < sum && sum < largest {
		return math.Log1p(sum), possible
	}
	for i, e := range w.edges {
		if step := w.values[i] - s.logR[x]; math.IsInf(e.Forward, -1) || math.IsInf(step, -1) {
			w.values[i] = math.Inf(-1)
		} else {
			w.values[i] = 2*step - e.Forward + s.logW[e.State]
		}
	}
	return w.logSum(), possible
}

// largest bounds the sums of deviations, which otherwise overflow.
const largest = 1e250

// deviation returns the part of a step in the variance of w/Z, given its probability under P_R,
// the logarithms of that and of P_F, and the log of the mean square behind it: the sum of these
// parts is that of P_R^2/P_F W, less one. The first case loses no digits to the one.
func deviation(p, logP, forward, logW float64) float64 {
	l := logP - forward
	switch {
	case math.IsInf(logP, -1):
		return math.Exp(forward)
	case math.IsInf(forward, -1):
		return -2 * p
	case math.Abs(l) <= 1 && logW <= 1:
		rise := math.Expm1(l)
		return p * (rise*rise/(1+rise) + (1+rise)*math.Expm1(logW))
	}
	return math.Exp(logP+l+logW) - 2*p + math.Exp(forward)
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
	weight                   []float64 // of the states of layer 0: log of r^2/q W
	variance                 float64   // the mean square of w/Z, less one, from the same states; not used if it overflows or cancels
	possible, lost           float64   // the mean of w/Z, and one less that, from the same states
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
	sol := &Solution{LogZ: s.top + s.rest}
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
		a.variance += math.Exp(q)
		a.loseForward(q)
		return
	}
	r, possible := math.Exp(s.logR[x]), s.c[x]
	s.c[x] = q - s.logR[x]
	a.variance += deviation(r, s.logR[x], q, s.logW[x])
	if math.IsInf(q, -1) {
		a.loseReverse(s.logR[x])
		possible = 0
	} else {
		a.weight = append(a.weight, s.logR[x]-s.c[x]+s.logW[x])
	}
	a.possible, a.lost = a.possible+r*possible, a.lost+r*(1-possible)
}

// arrive sets c of a state behind layer 0, and adds its brackets.
func (s *sweep) arrive(y int, w *work, a *sums) {
	w.reset()
	w.edges = s.m.In(w.edges, y)
	base, off := s.logR[y], math.IsInf(s.logR[y], -1)
	if off {
		base = 0
	}
	for _, e := range w.edges {
		flow := s.logQ(e.State) + e.Forward
		if math.IsInf(e.Backward, -1) && !off || off && s.logR[e.State] > math.Inf(-1) {
			a.loseForward(flow)
		}
		w.values = append(w.values, flow-base)
	}
	s.c[y] = w.logSum()
	if !off {
		s.brackets(y, w, a)
	}
}

// brackets adds the brackets of the steps to y: rho P_B is the share of a step in all that come.
func (s *sweep) brackets(y int, w *work, a *sums) {
	r, q := math.Exp(s.logR[y]), math.Exp(s.logR[y]+s.c[y])
	last, p := math.Inf(-1), 0.0
	for i, e := range w.edges {
		if e.Backward != last {
			last, p = e.Backward, math.Exp(e.Backward)
		}
		switch {
		case math.IsInf(w.values[i], -1):
			if e.Backward > math.Inf(-1) {
				a.forward.Add(q * p)
				if s.c[e.State] > math.Inf(-1) {
					a.loseReverse(s.logR[y] + e.Backward)
				}
			}
			continue
		case math.IsInf(e.Backward, -1): // rho P_B has the mean of one with this share alone
			a.reverse.Add(r * w.shares[i])
			continue
		}
		l := w.values[i] - e.Backward - s.c[y] // log rho
		var forward, reverse, share float64
		if math.Abs(l) <= 1 {
			rise, above, below := stage.Expm1Excess(l)
			share = p * (1 + rise)
			forward, reverse = share*below, p*above
		} else {
			share = w.shares[i]
			forward, reverse = share*(l-1)+p, share-p*(1+l)
		}
		a.forward.Add(q * forward)
		a.reverse.Add(r * reverse)
		rounding := epsilon * (4 - e.Forward - e.Backward - s.logR[e.State] - s.logR[y] + math.Abs(s.c[e.State]))
		a.roundingR, a.massR = a.roundingR+float64(r*p*rounding), a.massR+r*p
		a.roundingQ, a.massQ = a.roundingQ+float64(q*share*rounding), a.massQ+q*share
		a.spreadQ += float64(q * share * math.Abs(l))
		a.spreadR += float64(r * math.Abs(share-p))
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
		t.weight, t.variance = append(t.weight, a.weight...), t.variance+a.variance
		t.possible, t.lost = t.possible+a.possible, t.lost+a.lost
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
	sol.MeanLogWForward, sol.MeanLogWReverse = sol.aside(-sol.KLForward.Value, sol.KLForward.Error), sol.aside(sol.KLReverse.Value, sol.KLReverse.Error)
	if t.lost < 0.5 {
		t.possible = 1 - t.lost
	}
	ess := t.possible * t.possible / (1 + t.variance)
	if !(-0.5 < t.variance && t.variance < largest) {
		ess = math.Exp(2*number.Log(t.possible) - number.LogSumExp(t.weight))
	}
	sol.ESS = number.Within(ess, 2*t.rounding)
}

// aside returns log Z plus a number with a bound on its error.
func (sol *Solution) aside(by, lost float64) number.Bounded {
	if lost > 0 { // the rounding of log Z counts where the sum cancels
		lost += 2 * epsilon * math.Abs(sol.LogZ)
	}
	return number.Bounded{Value: sol.LogZ + by, Error: lost}
}

// promised is the error below which a divergence that is not larger counts as zero.
const promised = 1e-12

// positive returns a divergence with a bound on its error: zero if it is no larger than that and
// the error is as small as promised.
func positive(v, lost float64) number.Bounded {
	switch {
	case math.IsInf(v, 1):
		return number.Exactly(v)
	case v <= lost && lost < promised:
		return number.Bounded{Value: 0, Error: lost + max(0, v)}
	}
	return number.Bounded{Value: v, Error: lost}
}
