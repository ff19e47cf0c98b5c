package stage

import (
	"breadboard/chains/number"
)

// Weight returns (f_t/f_{t-1})^sign at x, and zero where f_t or f_{t-1} is zero.
func (s *Stage) Weight(x int, sign float64) number.Wide {
	if !s.Both(x) {
		return number.Wide{}
	}
	return number.WideExp(sign * s.Delta[x])
}

// PushBackBy returns the law r of the reverse chain after one move. Where the kernel is not of the library it does
// not use the backward rows that the solver has made. It sends mass back along the forward flows, from y to x with
// probability p(x) T(x,y) / p(y). A check that uses PushBackBy therefore finds out where the solver has made a wrong
// reversal, or has taken the rows for their own reversal and should not have.
func (s *Stage) PushBackBy(m *Move, r []number.Wide) []number.Wide {
	if !s.Outside {
		return m.Backward.Push(r)
	}
	next := make([]number.Wide, len(r))
	share := make([]number.Wide, len(r)) // r/p
	for y, mass := range r {
		if s.Here.On(y) {
			share[y] = mass.Mul(number.WideExp(-s.Here.Log[y]))
			continue
		}
		for _, e := range m.Backward.Row(y) { // p(y) is zero, so that there is no flow to send back
			next[e.To] = next[e.To].Add(mass.Mul(number.Scaled(e.P, 0)))
		}
	}
	for x := range r {
		if !s.Here.On(x) {
			continue
		}
		var back number.Wide
		for _, e := range m.Forward.Row(x) {
			back = back.Add(share[e.To].Mul(number.Scaled(e.P, 0)))
		}
		next[x] = next[x].Add(back.Mul(number.WideExp(s.Here.Log[x])))
	}
	for _, e := range m.Forward.Tiny {
		next[e.From] = next[e.From].Add(share[e.To].Mul(number.WideExp(e.LogP)).Mul(number.WideExp(s.Here.Log[e.From])))
	}
	return next
}

// Total returns the sum of the masses.
func Total(q []number.Wide) number.Wide {
	var t number.Wide
	for _, v := range q {
		t = t.Add(v)
	}
	return t
}
