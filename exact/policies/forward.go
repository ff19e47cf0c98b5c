package policies

import (
	"context"
	"math"

	"breadboard/chains/number"
	"breadboard/exact/internal/stage"
)

// The marginals of forward paths q(y) = sum_x q(x) P_F(y|x) are carried as c = log(q/r), with the r
// of backward.go; the package comment has the recursion of c, and J and B as sums of nonnegative
// terms in it. Time is O(steps).

// sums are the sums over the states of a part.
type sums struct {
	forward, reverse, qp, pq number.BlockSum
	// the changes of forward and reverse for a change of one in every log rho
	spreadQ, spreadR         float64
	condition, conditionQ    float64 // the change of KL(p||q) and KL(q||p) for a change of one in every c
	roundingR, roundingQ     float64 // the mean rounding of a under both kinds of path
	massR, massQ             float64
	forwardLost, reverseLost number.BlockSum
	states                   int
	weight                   []float64 // of the states of layer 0: log of r^2/q W
	// the mean square of w/Z, less one, from the same states; not used if it overflows or cancels
	variance       float64
	possible, lost float64 // the mean of w/Z, and one less that, from the same states
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
func (s *sweep) forward(ctx context.Context, visits bool) (*Solution, error) {
	sol := &Solution{LogZ: s.top + s.rest}
	var total totals
	for layer := range s.m.Layers() {
		all := make([]sums, s.parts(layer))
		if err := s.eachState(ctx, layer, func(part, x int, w *scratch) {
			a := &all[part]
			a.states++
			if layer == 0 {
				s.setFirst(x, a)
			} else {
				s.arrive(x, w, a)
			}
			if logf, ends := s.m.Target(x); ends {
				s.addEnd(x, logf, a)
			}
		}); err != nil {
			return nil, err
		}
		total.addLayer(sol, all, layer)
	}
	total.setSolution(sol)
	if visits {
		for x := range s.at {
			sol.Visits = append(sol.Visits, math.Exp(s.logQ(x)))
		}
	}
	return sol, nil
}

// logQ returns log q of a state whose c is known.
func (s *sweep) logQ(x int) float64 {
	if math.IsInf(s.at[x].logR, -1) {
		return s.at[x].c
	}
	return s.at[x].c + s.at[x].logR
}

// setFirst sets c of a state of layer 0.
func (s *sweep) setFirst(x int, a *sums) {
	q := s.m.Initial(x)
	if math.IsInf(s.at[x].logR, -1) {
		s.at[x].c = q
		a.variance += math.Exp(q)
		a.loseForward(q)
		return
	}
	r := math.Exp(s.at[x].logR)
	possible := s.at[x].c
	s.at[x].c = q - s.at[x].logR
	s.at[x].u = math.Expm1(s.at[x].c)
	a.variance += deviation(r, s.at[x].logR, q, s.logW[x])
	if math.IsInf(q, -1) {
		a.loseReverse(s.at[x].logR)
		possible = 0
	} else {
		a.weight = append(a.weight, s.at[x].logR-s.at[x].c+s.logW[x])
	}
	a.possible, a.lost = a.possible+r*possible, a.lost+r*(1-possible)
}

// arrive sets c of a state behind layer 0, and adds its brackets.
func (s *sweep) arrive(y int, w *scratch, a *sums) {
	w.reset()
	w.edges = s.m.In(w.edges, y)
	if s.fastForward(y, w) {
		s.brackets(y, w, a, true)
		return
	}
	base := s.at[y].logR
	off := math.IsInf(s.at[y].logR, -1)
	if off {
		base = 0
	}
	for _, e := range w.edges {
		flow := s.logQ(e.State) + e.Forward
		if math.IsInf(e.Backward, -1) && !off || off && s.at[e.State].logR > math.Inf(-1) {
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
//
// With u = exp(c) - 1 and r the backward marginals, for the steps from x to y,
//
//	u(y) = sum over x of P_B(x|y) v(x), v(x) = r(x) P_F(y|x)/(r(y) P_B(x|y)) (1 + u(x)) - 1,
//
// and rho - 1 = (v(x) - u(y))/(1 + u(y)). Nothing of the order of one is subtracted where q is near
// r.
func (s *sweep) fastForward(y int, w *scratch) bool {
	here := &s.at[y]
	u := 0.0
	last := math.NaN()
	backward := 0.0
	values := w.values
	inside := here.p > 0
	for i := range w.edges {
		e := &w.edges[i]
		if e.Backward != last {
			last, backward = e.Backward, w.exp(e.Backward)
		}
		from := &s.at[e.State]
		forward := w.exp(e.Forward)
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
func (s *sweep) brackets(y int, w *scratch, a *sums, fast bool) {
	here := &s.at[y]
	r := here.p
	q := here.p * (1 + here.u)
	if !fast {
		r = math.Exp(s.at[y].logR)
		q = math.Exp(s.at[y].logR + here.c)
	}
	var sumForward, sumReverse, roundingR, roundingQ, spreadR, spreadQ float64
	last := math.NaN()
	p := 0.0
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
			l = w.values[i] - reverse
			share = p * (1 + w.values[i])
			forward, reverse = p*forward, p*reverse
		case math.IsInf(w.values[i], -1):
			if e.Backward > math.Inf(-1) {
				a.forward.Add(q * p)
				if from.c > math.Inf(-1) {
					a.loseReverse(s.at[y].logR + e.Backward)
				}
			}
			continue
		case math.IsInf(e.Backward, -1): // rho P_B has the mean of one with this share alone
			a.reverse.Add(r * w.shares[i])
			continue
		default:
			l = w.values[i] - e.Backward - here.c
			share = w.shares[i]
			forward, reverse = share*(l-1)+p, share-p*(1+l)
			if math.Abs(l) <= 1 {
				rise, above, below := stage.Expm1Excess(l)
				share = p * (1 + rise)
				forward, reverse = share*below, p*above
			}
		}
		// r of from is at least r P_B
		rounding := epsilon * (4 - e.Forward - 2*(e.Backward+s.at[y].logR) + math.Abs(from.c))
		sumForward += forward
		sumReverse += reverse
		roundingR, roundingQ = roundingR+float64(p*rounding), roundingQ+float64(share*rounding)
		spreadR, spreadQ = spreadR+math.Abs(share-p), spreadQ+float64(share*math.Abs(l))
	}
	a.forward.Add(q * sumForward)
	a.reverse.Add(r * sumReverse)
	a.roundingR += float64(r * roundingR)
	a.massR += r
	a.spreadR += float64(r * spreadR)
	a.roundingQ += float64(q * roundingQ)
	a.massQ += q
	a.spreadQ += float64(q * spreadQ)
}

// addEnd adds the terms of a state where paths end.
func (s *sweep) addEnd(x int, logf float64, a *sums) {
	c := s.at[x].c
	switch {
	case math.IsInf(logf, -1):
		if c > math.Inf(-1) {
			a.qp.Add(math.Inf(1))
			a.pq.Add(math.Exp(c)) // the rest of q - p - p log(q/p)
		}
		return
	case math.IsInf(c, -1):
		a.qp.Add(math.Exp(s.at[x].logR)) // the rest of q log(q/p) - q + p
		a.pq.Add(math.Inf(1))
		return
	}
	p := math.Exp(s.at[x].logR)
	if math.Abs(c) <= 1 {
		rise, above, below := stage.Expm1Excess(c)
		a.qp.Add(p * (1 + rise) * below)
		a.pq.Add(p * above)
		a.condition += p * math.Abs(rise)
		a.conditionQ += p * (1 + rise) * math.Abs(c)
		return
	}
	q := math.Exp(s.at[x].logR + c)
	a.qp.Add(q*(c-1) + p)
	a.pq.Add(q - p*(1+c))
	a.condition += math.Abs(q - p)
	a.conditionQ += q * math.Abs(c)
}
