package stage

import (
	"breadboard/chains"
	"breadboard/chains/number"
)

// The functions of this file take what is carried through a stage through all of its moves.

// MoveForward replaces the law of a chain at t-1 by that at t, as ratios to p_t in both.
func (s *Stage) MoveForward(r *Ratios) {
	for m := range s.Along(chains.Forward) {
		r.Move(&s.Here, m.Forward, m.Backward)
	}
}

// MoveBack replaces the law of x_t in the reverse chain by that of x_{t-1}, as ratios to p_{t-1}.
func (s *Stage) MoveBack(r *Ratios) {
	for m := range s.Along(chains.Reverse) {
		r.Move(&s.Here, m.Backward, m.Forward)
	}
	s.RebaseBack(r)
}

// RebaseBack changes the reference of the law of x_{t-1} in the reverse chain from p_t to p_{t-1}.
func (s *Stage) RebaseBack(r *Ratios) {
	back := make([]float64, len(s.Lambda))
	for x, l := range s.Lambda {
		back[x] = -l
	}
	r.Rebase(&s.Here, &s.Before, back)
}

// Average replaces v by E[v(x_{t-1}) | x_t] in the reverse chain: it is averaged over the rows of the reversals. scratch is
// memory of the same length.
func (s *Stage) Average(v, scratch []float64) {
	for m := range s.Along(chains.Forward) { // the last move of the reverse chain is averaged over first
		copy(scratch, v)
		for x := range v {
			own, total := 0.0, 0.0
			if m.Backward.whole {
				own = scratch[x]
			}
			for _, e := range m.Backward.Row(x) {
				total += e.P * (scratch[e.To] - own)
			}
			v[x] = own + total
		}
	}
}

// Expect replaces a function v of the state after the stage, in a chain of direction d, by its expectation given the state before
// the stage: E[v(x_t) | x_{t-1}] forward, E[v(x_{t-1}) | x_t] in reverse.
func (s *Stage) Expect(d chains.Direction, v *Ratios) {
	for m := range s.Along(opposite(d)) { // the last move of the chain is averaged over first
		v.Average(m.Along(d))
	}
}

// opposite returns the direction that is not d.
func opposite(d chains.Direction) chains.Direction {
	if d == chains.Forward {
		return chains.Reverse
	}
	return chains.Forward
}

// Spread replaces marked states by those from which the moves of the reverse chain may lead to a marked one.
func (s *Stage) Spread(marked []bool) {
	next := make([]bool, len(marked))
	for m := range s.Along(chains.Forward) {
		for x := range next {
			next[x] = false
			for _, e := range m.Backward.Row(x) {
				next[x] = next[x] || (e.P > 0 && marked[e.To])
			}
		}
		for _, e := range m.Backward.Tiny {
			next[e.From] = next[e.From] || marked[e.To]
		}
		copy(marked, next)
	}
}

// Push returns the law q of the forward chain after the moves of the stage.
func (s *Stage) Push(q []number.Wide) []number.Wide {
	for m := range s.Along(chains.Forward) {
		q = m.Forward.Push(q)
	}
	return q
}

// PushBack returns the law r of the reverse chain after the moves of the stage.
func (s *Stage) PushBack(r []number.Wide) []number.Wide {
	for m := range s.Along(chains.Reverse) {
		r = s.PushBackBy(m, r)
	}
	return r
}
