package policies

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains/number"
	"breadboard/chains/work"
)

// From the last layer to the first, with r = f/Z at the ends of paths and W = 1 there,
//
//	r(x) = sum_y r(y) P_B(x|y),    P_R(y|x) = r(y) P_B(x|y)/r(x),
//	W(x) = sum_y P_R(y|x)^2/P_F(y|x) W(y),
//
// where r are the marginals of backward paths and P_R is their forward policy. With the r^2/q of
// layer 0, W gives E[(w/Z)^2] of forward paths. Time is O(steps).

// normalize finds log Z. A constant in log f costs no digits: what is left of log Z without the
// largest log f is kept apart.
func (s *sweep) normalize(ctx context.Context) error {
	s.top = math.Inf(-1)
	for x := range s.m.Size() {
		if x%partSize == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if logf, ends := s.m.Target(x); ends {
			s.top = max(s.top, logf)
		}
	}
	var z number.LogSum
	for x := range s.m.Size() {
		if x%partSize == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if logf, ends := s.m.Target(x); ends {
			z.Add(logf - s.top)
		}
	}
	s.rest = z.Log()
	if math.IsInf(s.top, 0) || math.IsNaN(s.rest) {
		return fmt.Errorf("the largest log f of the states where paths end is %v", s.top)
	}
	return nil
}

// backward finds the marginals of backward paths, and with weighted also logW.
func (s *sweep) backward(ctx context.Context, weighted bool) error {
	if err := s.normalize(ctx); err != nil {
		return err
	}
	s.logW, s.at = work.Slice[float64](s.m.Size()), work.Slice[node](s.m.Size())
	for layer := s.m.Layers() - 1; layer >= 0; layer-- {
		if err := s.eachState(ctx, layer, func(_, x int, w *scratch) {
			if logf, ends := s.m.Target(x); ends {
				s.at[x].logR = logf - s.top - s.rest
				if weighted {
					s.at[x].c, s.at[x].p = 1, inRange(math.Exp(s.at[x].logR))
				}
				return
			}
			w.reset()
			w.edges = s.m.Out(w.edges, x)
			if weighted && s.fastBackward(x, w) {
				return
			}
			for _, e := range w.edges {
				w.values = append(w.values, s.at[e.State].logR+e.Backward)
			}
			s.at[x].logR = w.logSum()
			if weighted && s.at[x].logR > math.Inf(-1) {
				s.logW[x], s.at[x].c = s.weightFrom(x, w)
				s.at[x].p, s.at[x].u = inRange(math.Exp(s.at[x].logR)), math.Expm1(s.logW[x])
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
func (s *sweep) fastBackward(x int, w *scratch) bool {
	r := 0.0
	last := math.NaN()
	backward := 0.0
	at := s.at
	values := w.values
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
	sum := 0.0
	lost := 0.0
	inside := r >= least
	for i, flow := range values {
		e := &w.edges[i]
		to := &at[e.State]
		forward := w.exp(e.Forward)
		inside = inside && to.p > 0 && forward >= least
		share := flow / r
		ratio := share / forward
		sum += float64(forward*(ratio-1)*(ratio-1)) + float64(share*ratio*to.u)
		lost += float64(share * (1 - to.c))
	}
	if !(inside && -0.5 < sum && sum < largest && lost < 0.5) {
		return false
	}
	s.at[x], s.logW[x] = node{p: r, u: sum, c: 1 - lost, logR: number.Log(r)}, math.Log1p(sum)
	return true
}

// weightFrom returns logW of a state: the log of the sum, over the steps that are possible forward,
// of P_R^2/P_F times W of the next state, where P_R is the forward policy of backward paths. It
// also returns the probability under P_R that all steps from there on are possible.
func (s *sweep) weightFrom(x int, w *scratch) (logW, possible float64) {
	var sum, lost float64
	for i, e := range w.edges {
		sum += deviation(w.shares[i], w.values[i]-s.at[x].logR, e.Forward, s.logW[e.State])
		next := s.at[e.State].c
		if math.IsInf(e.Forward, -1) {
			next = 0
		}
		lost += w.shares[i] * (1 - next)
		possible += w.shares[i] * next
	}
	if lost < 0.5 { // exact if nothing is lost
		possible = 1 - lost
	}
	if -0.5 < sum && sum < largest {
		return math.Log1p(sum), possible
	}
	for i, e := range w.edges {
		if step := w.values[i] - s.at[x].logR; math.IsInf(e.Forward, -1) || math.IsInf(step, -1) {
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
