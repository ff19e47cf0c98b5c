package operator

import "slices"

// mixture draws one of its parts and applies it: T is the mean of theirs.
//
//	(T v)(x) = v(x) + sum over i of w_i ((T_i v)(x) - v(x)), at the cost of all parts.
type mixture struct {
	parts   []Operator
	weights []float64
	part    []float64 // memory
}

func newMixture(parts []Operator, weights []float64, states int) *mixture {
	return &mixture{parts, weights, make([]float64, states)}
}

// Twin implements Operator.
func (m *mixture) Twin() Operator {
	return newMixture(each(m.parts, Operator.Twin), m.weights, len(m.part))
}

// each applies a method to every part, such as Twin.
func each(parts []Operator, method func(Operator) Operator) []Operator {
	out := make([]Operator, len(parts))
	for i, part := range parts {
		out[i] = method(part)
	}
	return out
}

// Load implements Operator.
func (m *mixture) Load(d *Distribution) {
	for _, part := range m.parts {
		part.Load(d)
	}
}

// Reversal implements Operator: the mixture of the reversals.
func (m *mixture) Reversal() Operator {
	return newMixture(each(m.parts, Operator.Reversal), m.weights, len(m.part))
}

// Average implements Operator. It adds the changes by the parts, so that a constant is unchanged to
// the last digit for any rounding of the weights.
func (m *mixture) Average(dst, v []float64) {
	copy(dst, v)
	m.AddChange(dst, v, 1)
}

// AddChange implements Operator.
func (m *mixture) AddChange(dst, v []float64, weight float64) {
	for i, part := range m.parts {
		part.AddChange(dst, v, weight*m.weights[i])
	}
}

// AverageTerms implements Operator.
func (m *mixture) AverageTerms(dst, v []float64) {
	clear(dst)
	for i, part := range m.parts {
		part.AverageTerms(m.part, v)
		weight := m.weights[i]
		from := m.part[:len(dst)]
		for x := range dst {
			dst[x] += weight * from[x]
		}
	}
}

// Derived implements Operator.
func (m *mixture) Derived(measure, v []float64, along Direction) (total float64, kinked bool) {
	for i, part := range m.parts {
		d, kink := part.(Differentiable).Derived(measure, v, along)
		total += m.weights[i] * d
		kinked = kinked || kink
	}
	return total, kinked
}

// sequence applies its parts one after another. The matrix of the sequence is the product of theirs
// in that order, so that the last one is the first to be applied to a function.
type sequence struct {
	parts  []Operator
	order  []int // indices in parts
	times  int
	round  []Operator // what is applied to a function, in that order; heat baths as tiles
	states int
	spare  []float64
	whole  []float64 // the product of all parts and a function
}

// NewSequence returns the operator that applies parts in the given order, and repeats that the
// given number of times.
func NewSequence(parts []Operator, order []int, times, states int) *sequence {
	s := &sequence{parts: parts, order: order, times: times, states: states}
	for i := range order {
		s.round = append(s.round, parts[order[len(order)-1-i]])
	}
	s.round = tiled(s.round)
	return s
}

// Load implements Operator.
func (s *sequence) Load(d *Distribution) {
	for _, part := range s.parts {
		part.Load(d)
	}
}

// Reversal implements Operator: the reversals of the parts in reverse order.
func (s *sequence) Reversal() Operator {
	backward := slices.Clone(s.order)
	slices.Reverse(backward)
	return NewSequence(each(s.parts, Operator.Reversal), backward, s.times, s.states)
}

// Twin implements Operator.
func (s *sequence) Twin() Operator {
	return NewSequence(each(s.parts, Operator.Twin), s.order, s.times, s.states)
}

// Average implements Operator.
func (s *sequence) Average(dst, v []float64) { s.applyParts(dst, v, Operator.Average) }

// AddChange implements Operator. The joint change by several parts is computed from their average.
func (s *sequence) AddChange(dst, v []float64, weight float64) {
	if s.whole == nil {
		s.whole = make([]float64, len(v))
	}
	s.Average(s.whole, v)
	for x, average := range s.whole[:len(dst)] {
		dst[x] += weight * (average - v[x])
	}
}

// AverageTerms implements Operator.
func (s *sequence) AverageTerms(dst, v []float64) { s.applyParts(dst, v, Operator.AverageTerms) }

// applyParts writes the product of all parts and v to dst. Two memories alternate, such that the
// last result is in dst.
func (s *sequence) applyParts(dst, v []float64, average func(o Operator, dst, v []float64)) {
	moves := s.times * len(s.round)
	if moves == 0 {
		copy(dst, v)
		return
	}
	if s.spare == nil && moves > 1 {
		s.spare = make([]float64, s.states)
	}
	here := dst
	other := s.spare
	if moves%2 == 0 {
		here, other = other, here
	}
	for range s.times {
		for _, o := range s.round {
			average(o, here, v)
			v, here, other = here, other, here
		}
	}
}

// partCount returns how many parts are applied in all.
func (s *sequence) partCount() int { return s.times * len(s.order) }

// Derived implements Operator, by the product rule. It keeps the product of the later parts and v
// for every part.
func (s *sequence) Derived(m, v []float64, along Direction) (total float64, kinked bool) {
	n := s.partCount()
	after := make([][]float64, n+1) // after[i] is the product of parts i, i+1, ... and v
	after[n] = v
	part := func(i int) Operator { return s.parts[s.order[i%len(s.order)]] }
	for i := n - 1; i > 0; i-- {
		after[i] = make([]float64, len(v))
		part(i).Average(after[i], after[i+1])
	}
	back := each(s.parts, Operator.Reversal)
	m, next := slices.Clone(m), make([]float64, len(m))
	for i := range n {
		d, kink := part(i).(Differentiable).Derived(m, after[i+1], along)
		total += d
		kinked = kinked || kink
		back[s.order[i%len(s.order)]].Average(next, m) // the measure f m, moved by the part, is f times this
		m, next = next, m
	}
	return total, kinked
}

// Sequence returns the operators that an operator applies to a function one after another, in that
// order: those of a sequence, also within another one, and the operator itself otherwise. An
// operator may stand there many times.
func Sequence(o Operator) []Operator {
	s, ok := o.(*sequence)
	if !ok {
		return []Operator{o}
	}
	var round []Operator
	for _, o := range s.round {
		round = append(round, Sequence(o)...)
	}
	return slices.Repeat(round, s.times)
}
