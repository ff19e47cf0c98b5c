package policies

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
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
type LayerGap struct{ Forward, Reverse number.Bounded }

// Options control how Solve works, and do not change its results.
type Options struct {
	Workers  int            // zero is one for each processor
	Progress func(step int) // called for each layer in each of two passes; may be nil
	Visits   bool           // whether Solution.Visits is wanted
}

// Steps returns the number of calls of Options.Progress.
func Steps(m Model) int { return 2 * m.Layers() }

// Solve computes the numbers of a pair of policies in two passes over all steps, one in each
// direction. It takes 44 bytes for each state, and an exponential for each probability of a step
// that is not in a small cache. It fails if f is zero everywhere, and if the context ends.
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
	m     Model
	ctx   context.Context
	crew  *crew.Crew
	step  func(int)
	top   float64   // the largest log f
	rest  float64   // log Z less that
	logR  []float64 // log of the marginals of backward paths
	logW  []float64 // log E_rev[w of the steps from a state on], in units of its mean under forward paths
	at    []node
	free  sync.Pool // of *work
	order []int32   // the states by layer; first has where the layers begin
	first []int
}

// node is what the fast routes look up of a state.
type node struct {
	// c is log(q/r), and log q where r is zero. Before the forward pass comes to a state, it is the
	// probability that a path of P_R from there makes no step that is impossible forward.
	c float64
	// p is exp(logR), or zero if that is below least. u is exp(logW) - 1, and from the forward pass
	// on exp(c) - 1. The fast routes multiply these, and leave to the others what is out of their
	// range.
	p, u float64
}

func newSweep(ctx context.Context, m Model, o Options) *sweep {
	workers := o.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	s := &sweep{m: m, ctx: ctx, crew: crew.New(crew.Share(m.Size(), workers)), step: o.Progress}
	if s.step == nil {
		s.step = func(int) {}
	}
	s.sort()
	return s
}

// partSize is the number of states of a part of a layer. Sums are added up part by part in a fixed
// order, so that no number depends on the number of workers.
const partSize = 1 << 13

// sort lists the states by layer.
func (s *sweep) sort() {
	s.first, s.order = make([]int, s.m.Layers()+1), make([]int32, s.m.Size())
	for x := range s.order {
		s.first[s.m.Layer(x)+1]++
	}
	for layer := range s.m.Layers() {
		s.first[layer+1] += s.first[layer]
	}
	next := slices.Clone(s.first)
	for x := range s.order {
		layer := s.m.Layer(x)
		s.order[next[layer]] = int32(x)
		next[layer]++
	}
}

// each calls do for all states of a layer, with the number of their part.
func (s *sweep) each(layer int, do func(part, x int, w *work)) error {
	states := s.order[s.first[layer]:s.first[layer+1]]
	s.crew.Run(s.parts(layer), func(part int) {
		if s.ctx.Err() != nil {
			return
		}
		w, _ := s.free.Get().(*work)
		if w == nil {
			w = &work{}
		}
		defer s.free.Put(w)
		for _, x := range states[min(part*partSize, len(states)):min((part+1)*partSize, len(states))] {
			do(part, int(x), w)
		}
	})
	s.step(1)
	return s.ctx.Err()
}

func (s *sweep) parts(layer int) int {
	return max(1, (s.first[layer+1]-s.first[layer]+partSize-1)/partSize)
}

// work is memory for the steps of one state.
type work struct {
	edges          []Edge
	values, shares []float64
	known          [512][2]float64 // numbers with their exponentials, by a hash of the number
}

// exp returns the exponential of v, which it remembers: the steps of many states have the same few
// probabilities.
func (w *work) exp(v float64) float64 {
	k := &w.known[math.Float64bits(v)*0x9e3779b97f4a7c15>>55]
	if k[0] != v || k[1] == 0 {
		*k = [2]float64{v, math.Exp(v)}
	}
	return k[1]
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
	s.logR = make([]float64, s.m.Size())
	if weighted {
		s.logW, s.at = make([]float64, s.m.Size()), make([]node, s.m.Size())
	}
	for layer := s.m.Layers() - 1; layer >= 0; layer-- {
		if err := s.each(layer, func(_, x int, w *work) {
			if logf, ends := s.m.Target(x); ends {
				s.logR[x] = logf - s.top - s.rest
				if weighted {
					s.at[x].c, s.at[x].p = 1, inRange(math.Exp(s.logR[x]))
				}
				return
			}
			w.reset()
			w.edges = s.m.Out(w.edges, x)
			if weighted && s.fastBackward(x, w) {
				return
			}
			for _, e := range w.edges {
				w.values = append(w.values, s.logR[e.State]+e.Backward)
			}
			s.logR[x] = w.logSum()
			if weighted && s.logR[x] > math.Inf(-1) {
				s.logW[x], s.at[x].c = s.weightFrom(x, w)
				s.at[x].p, s.at[x].u = inRange(math.Exp(s.logR[x])), math.Expm1(s.logW[x])
			}
		}); err != nil {
			return err
		}
	}
	return nil
}

// least is the smallest probability of the fast routes, whose products and ratios stay in the range
// of float64.
const least = 0x1p-400

// inRange returns p, or zero if the fast routes cannot use it.
func inRange(p float64) float64 {
	if p < least {
		return 0
	}
	return p
}

// fastBackward does what the other route does in logarithms, with the probabilities themselves. It
// returns false if one of them is out of range, or if a sum cancels.
func (s *sweep) fastBackward(x int, w *work) bool {
	r, last, backward, at, values := 0.0, math.NaN(), 0.0, s.at, w.values
	for i := range w.edges {
		e := &w.edges[i]
		if e.Backward != last {
			last, backward = e.Backward, w.exp(e.Backward)
		}
		flow := at[e.State].p * backward
		values = append(values, flow)
		r += flow
	}
	w.values = values[:0]
	sum, lost, inside := 0.0, 0.0, r >= least
	for i, flow := range values {
		e := &w.edges[i]
		to, forward := &at[e.State], w.exp(e.Forward)
		inside = inside && to.p > 0 && forward >= least
		share := flow / r
		ratio := share / forward
		sum += float64(forward*(ratio-1)*(ratio-1)) + float64(share*ratio*to.u)
		lost += float64(share * (1 - to.c))
	}
	if !(inside && -0.5 < sum && sum < largest && lost < 0.5) {
		return false
	}
	s.at[x], s.logR[x], s.logW[x] = node{p: r, u: sum, c: 1 - lost}, number.Log(r), math.Log1p(sum)
	return true
}

// weightFrom returns logW of a state: the log of the sum, over the steps that are possible forward,
// of P_R^2/P_F times W of the next state, where P_R is the forward policy of backward paths. It
// also returns the probability under P_R that all steps from there on are possible.
func (s *sweep) weightFrom(x int, w *work) (logW, possible float64) {
	var sum, lost float64
	for i, e := range w.edges {
		sum += deviation(w.shares[i], w.values[i]-s.logR[x], e.Forward, s.logW[e.State])
		next := s.at[e.State].c
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
		all := make([]sums, s.parts(layer))
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
		for x := range s.at {
			sol.Visits = append(sol.Visits, math.Exp(s.logQ(x)))
		}
	}
	return sol, nil
}

// logQ returns log q of a state whose c is known.
func (s *sweep) logQ(x int) float64 {
	if math.IsInf(s.logR[x], -1) {
		return s.at[x].c
	}
	return s.at[x].c + s.logR[x]
}

// begin sets c of a state of layer 0.
func (s *sweep) begin(x int, a *sums) {
	q := s.m.Initial(x)
	if math.IsInf(s.logR[x], -1) {
		s.at[x].c = q
		a.variance += math.Exp(q)
		a.loseForward(q)
		return
	}
	r, possible := math.Exp(s.logR[x]), s.at[x].c
	s.at[x].c = q - s.logR[x]
	s.at[x].u = math.Expm1(s.at[x].c)
	a.variance += deviation(r, s.logR[x], q, s.logW[x])
	if math.IsInf(q, -1) {
		a.loseReverse(s.logR[x])
		possible = 0
	} else {
		a.weight = append(a.weight, s.logR[x]-s.at[x].c+s.logW[x])
	}
	a.possible, a.lost = a.possible+r*possible, a.lost+r*(1-possible)
}

// arrive sets c of a state behind layer 0, and adds its brackets.
func (s *sweep) arrive(y int, w *work, a *sums) {
	w.reset()
	w.edges = s.m.In(w.edges, y)
	if s.fastForward(y, w) {
		s.brackets(y, w, a, true)
		return
	}
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
	s.at[y].c = w.logSum()
	s.at[y].u = math.Expm1(s.at[y].c)
	if !off {
		s.brackets(y, w, a, false)
	}
}

// fastForward finds c of a state from the probabilities themselves, and makes values rho - 1 for
// each step. It returns false if a probability is out of range, or if rho is below 1/2 for a step.
func (s *sweep) fastForward(y int, w *work) bool {
	here, u, last, backward, values := &s.at[y], 0.0, math.NaN(), 0.0, w.values
	inside := here.p > 0
	for i := range w.edges {
		e := &w.edges[i]
		if e.Backward != last {
			last, backward = e.Backward, w.exp(e.Backward)
		}
		from, forward := &s.at[e.State], w.exp(e.Forward)
		inside = inside && from.p > 0 && forward >= least && backward >= least && from.u > -0.5
		ratio := from.p * forward / (here.p * backward)
		rise := ratio - 1 + float64(ratio*from.u)
		values = append(values, rise)
		u += float64(backward * rise)
	}
	inside = inside && -0.5 < u && u < largest
	for i, v := range values {
		values[i] = (v - u) / (1 + u)
		inside = inside && values[i] > -0.5
	}
	if !inside {
		return false
	}
	w.values = values
	here.u, here.c = u, math.Log1p(u)
	return true
}

// brackets adds the brackets of the steps to y: rho P_B is the share of a step in all that come.
func (s *sweep) brackets(y int, w *work, a *sums, fast bool) {
	here := &s.at[y]
	r, q := here.p, here.p*(1+here.u)
	if !fast {
		r, q = math.Exp(s.logR[y]), math.Exp(s.logR[y]+here.c)
	}
	var sumForward, sumReverse, roundingR, roundingQ, spreadR, spreadQ float64
	last, p := math.NaN(), 0.0
	for i := range w.edges {
		e := &w.edges[i]
		if e.Backward != last {
			last, p = e.Backward, w.exp(e.Backward)
		}
		from := &s.at[e.State]
		var l, forward, reverse, share float64 // l is log rho
		switch {
		case fast:
			forward, reverse = stage.Excesses(w.values[i])
			l, share = w.values[i]-reverse, p*(1+w.values[i])
			forward, reverse = p*forward, p*reverse
		case math.IsInf(w.values[i], -1):
			if e.Backward > math.Inf(-1) {
				a.forward.Add(q * p)
				if from.c > math.Inf(-1) {
					a.loseReverse(s.logR[y] + e.Backward)
				}
			}
			continue
		case math.IsInf(e.Backward, -1): // rho P_B has the mean of one with this share alone
			a.reverse.Add(r * w.shares[i])
			continue
		default:
			l, share = w.values[i]-e.Backward-here.c, w.shares[i]
			forward, reverse = share*(l-1)+p, share-p*(1+l)
			if math.Abs(l) <= 1 {
				rise, above, below := stage.Expm1Excess(l)
				share = p * (1 + rise)
				forward, reverse = share*below, p*above
			}
		}
		rounding := epsilon * (4 - e.Forward - 2*(e.Backward+s.logR[y]) + math.Abs(from.c)) // r of from is at least r P_B
		sumForward, sumReverse = sumForward+forward, sumReverse+reverse
		roundingR, roundingQ = roundingR+float64(p*rounding), roundingQ+float64(share*rounding)
		spreadR, spreadQ = spreadR+math.Abs(share-p), spreadQ+float64(share*math.Abs(l))
	}
	a.forward.Add(q * sumForward)
	a.reverse.Add(r * sumReverse)
	a.roundingR, a.massR, a.spreadR = a.roundingR+float64(r*roundingR), a.massR+r, a.spreadR+float64(r*spreadR)
	a.roundingQ, a.massQ, a.spreadQ = a.roundingQ+float64(q*roundingQ), a.massQ+q, a.spreadQ+float64(q*spreadQ)
}

// end adds the terms of a state where paths end.
func (s *sweep) end(x int, logf float64, a *sums) {
	c := s.at[x].c
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
	var forward, reverse, roundingR, massR, roundingQ, massQ, spreadQ, spreadR float64
	for i := range all {
		a := &all[i]
		forward += a.forward.Value()
		reverse += a.reverse.Value()
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
	gap := LayerGap{positive(forward, 2*spreadQ*t.rounding), positive(reverse, 2*spreadR*t.rounding)}
	t.forward.Add(gap.Forward.Value)
	t.reverse.Add(gap.Reverse.Value)
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
