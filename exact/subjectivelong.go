package exact

import (
	"context"
	"math"
	"math/bits"
	"slices"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/exact/internal/linear"
	"breadboard/exact/internal/stage"
)

const (
	// steppedMoves is the number of moves that From always makes one by one.
	steppedMoves = 1000
	// maxPowerBytes is the most memory that the powers of a kernel take for many moves, one
	// gigabyte.
	maxPowerBytes = 1 << 30
	// leastPowerMass is the least probability of a state of the target, other than zero, with which
	// moves are made by powers. The ratios of a distribution to the target, and their squares, then
	// are in the range of float64.
	leastPowerMass = 1e-100
	// moveNanos and productNanosEach are about the nanoseconds that an entry takes in a move, and a
	// multiplication in a product.
	moveNanos, productNanosEach = 25, 0.5
)

// many makes large numbers of moves of T_T at once. A move of T_T applies an operator K to the
// ratios of a distribution to the target, and many applies its powers K, K^2, K^4, ..., each the
// square of the one before. K averages, and leaves the target invariant, so that neither the
// largest deviation from the target nor its root mean square under the target ever grows. From this
// lowerBound bounds all later values, so that the number of moves from which on every value is a
// bound is found without computing each of them.
type many struct {
	s       *Subjective
	squares []*linear.Stochastic // K, K^2, K^4, ...
	ratios  *stage.Ratios        // memory for value
	size    float64              // the root mean square of the adjoint under the target
}

// law is a distribution as its ratios to the target, one for each state: h is the ratio, and u is h
// - 1.
type law struct{ h, u []float64 }

// newMany returns nil if moves are better made one by one: if powers would take more time or
// memory, if a probability is too small for float64, and if the value may be infinite.
func (s *Subjective) newMany(moves int) *many {
	n := len(s.adjoint)
	entries := 0.0
	rows := make([]func(x int) []chains.Entry, len(s.moves))
	for i := range s.moves {
		if len(s.moves[i].Tiny) > 0 {
			return nil
		}
		rows[i] = s.rowOf(i)
		entries += float64(n + len(s.moves[i].Entries))
	}
	doublings := float64(bits.Len64(uint64(moves)))
	size := float64(n)
	stepping := float64(moves) * entries * moveNanos
	squaring := doublings * size * size * size * productNanosEach
	if s.anyDoomed || squaring > stepping || 8*size*size*(doublings+3) > maxPowerBytes {
		return nil
	}
	m := &many{s: s, ratios: stage.NewRatios(&s.target)}
	for x, p := range s.target.P {
		if s.target.On(x) && p < leastPowerMass {
			return nil
		}
	}
	m.size = m.rms(s.adjoint)
	// ratios are averaged over the first move first, so that the first move is the last factor of K
	slices.Reverse(rows)
	m.squares = []*linear.Stochastic{linear.NewStochastic(n, rows...)}
	return m
}

// rowOf returns the rows of a move. A state where the target is zero has none, and is kept.
func (s *Subjective) rowOf(move int) func(x int) []chains.Entry {
	return func(x int) []chains.Entry {
		if !s.target.On(x) {
			return []chains.Entry{{To: x, P: 1}}
		}
		return s.moves[move].Row(x)
	}
}

// kernelPower returns K^(2^j).
func (m *many) kernelPower(ctx context.Context, j int) (*linear.Stochastic, error) {
	for len(m.squares) <= j {
		last := m.squares[len(m.squares)-1]
		next := last.Empty()
		if err := next.Multiply(ctx, last, last); err != nil {
			return nil, err
		}
		m.squares = append(m.squares, next)
	}
	return m.squares[j], nil
}

// movedLaw returns the distribution to which moves made one by one have led.
func (m *many) movedLaw(r *stage.Ratios) law {
	l := law{make([]float64, len(r.H)), make([]float64, len(r.H))}
	for x := range r.H {
		if m.s.target.On(x) {
			l.h[x], l.u[x] = r.H[x].Float(), r.U[x].Float()
		}
	}
	return l
}

// applyMoves returns the distribution after the moves of a power. As in moved.move, a state that is
// likely to be kept changes by the mean difference from it, so that what hardly changes keeps its
// digits.
func (m *many) applyMoves(power *linear.Stochastic, l law) law {
	n := len(l.h)
	next := law{make([]float64, n), make([]float64, n)}
	for x := range n {
		if !m.s.target.On(x) {
			continue
		}
		row := power.Row(x)
		from := law{[]float64{0}, []float64{0}}
		kept := row[x] > keepAbove
		if kept {
			from.h[0], from.u[0] = l.h[x], l.u[x]
		}
		h := 0.0
		u := 0.0
		for y, p := range row {
			h += p * (l.h[y] - from.h[0])
			u += p * (l.u[y] - from.u[0])
		}
		h = from.h[0] + h
		u = from.u[0] + u
		if stage.Near(number.Scaled(h, 0)) {
			h = 1 + u
		} else {
			u = h - 1
		}
		next.h[x], next.u[x] = h, u
	}
	return next
}

// after returns the distribution after a given number of further moves.
func (m *many) after(ctx context.Context, l law, moves int) (law, error) {
	for j := 0; moves>>j > 0; j++ {
		if moves>>j&1 == 0 {
			continue
		}
		power, err := m.kernelPower(ctx, j)
		if err != nil {
			return law{}, err
		}
		l = m.applyMoves(power, l)
	}
	return l, nil
}

// setRatios writes a distribution into the memory for ratios, and returns these.
func (m *many) setRatios(l law) *stage.Ratios {
	for x := range l.h {
		if m.s.target.On(x) {
			m.ratios.Set(x, number.Scaled(l.h[x], 0), number.Scaled(l.u[x], 0))
		}
	}
	return m.ratios
}

// rms returns the root mean square of a function under the target. The function is divided by its
// largest value first, since squares of small numbers would underflow.
func (m *many) rms(v []float64) float64 {
	largest := 0.0
	for x, a := range v {
		if m.s.target.On(x) {
			largest = max(largest, math.Abs(a))
		}
	}
	if largest == 0 {
		return 0
	}
	var square number.Sum
	for x, a := range v {
		if m.s.target.On(x) {
			square.Add(m.s.target.P[x] * (a / largest) * (a / largest))
		}
	}
	return largest * math.Sqrt(square.Value())
}

// trend is a distribution with the numbers from which lowerBound bounds the values after further
// moves.
type trend struct {
	law
	value float64
	slope float64 // the change of the value at the next move
	// of the deviation, of its change at the next move, and of the change of that, all as root mean
	// squares
	size        float64
	speed, bend float64
}

// trend computes these numbers for a distribution.
func (m *many) trend(l law) *trend {
	t := &trend{law: l, value: m.s.divergenceFrom(m.setRatios(l)).Value, size: m.rms(l.u)}
	change := m.change(l.u)
	var slope number.Sum
	for x, a := range m.s.adjoint {
		if m.s.target.On(x) {
			slope.Add(m.s.target.P[x] * a * change[x])
		}
	}
	t.slope, t.speed, t.bend = slope.Value(), m.rms(change), m.rms(m.change(change))
	return t
}

// change returns (K - I) v, the change of a function by one move.
func (m *many) change(v []float64) []float64 {
	out := make([]float64, len(v))
	for x := range v {
		if !m.s.target.On(x) {
			continue
		}
		for y, p := range m.squares[0].Row(x) {
			out[x] += p * (v[y] - v[x])
		}
	}
	return out
}

const (
	// valueRounding is above the rounding of a value, and changeRounding above that of a change at
	// one move, both relative to the size of the adjoint times that of the deviation.
	valueRounding  = 0x1p-46
	changeRounding = 0x1p-48
	// leastSize is larger than what a product can lose by underflow.
	leastSize = 1e-300
)

// lowerBound returns a lower bound of the values after 0 to numbers - 1 more moves. It is the
// largest of three bounds. With a the adjoint, u the deviation, <,> the mean of a product under the
// target and || || the root mean square, the value after i more moves is base + <a, K^i u>. So it
// is
//
//   - at least base - ||a|| ||u||;
//   - at least value - i ||a|| ||(K - I) u||;
//   - and at least value + i slope - i (i-1)/2 ||a|| ||(K - I)^2 u||.
func (m *many) lowerBound(t *trend, numbers int) float64 {
	i := float64(numbers - 1)
	size := m.size * t.size
	rounded := size*(valueRounding+changeRounding*i) + math.Abs(t.value)*0x1p-52
	if size > 0 {
		size += leastSize
		rounded += leastSize
	}
	straight := t.value - i*m.size*t.speed - rounded
	curved := t.value + min(0, i*t.slope) - max(0, i*(i-1)/2)*m.size*t.bend - rounded
	return max(m.s.base-size*(1+valueRounding), straight, curved)
}

// lastBelow returns the last of the 2^j numbers of moves from the given one on at which the value
// is below J, and -1 if there is none. It divides the numbers into halves, looks at the later half
// first, and stops if lowerBound says that no value is below J. If the value crosses J once, it
// therefore computes O(log moves) distributions.
func (m *many) lastBelow(ctx context.Context, t *trend, moves, j int) (int, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	switch {
	case m.lowerBound(t, 1<<j) >= m.s.Solution.J:
		return -1, nil
	case j == 0 && t.value < m.s.Solution.J:
		return moves, nil
	case j == 0:
		return -1, nil
	}
	power, err := m.kernelPower(ctx, j-1)
	if err != nil {
		return 0, err
	}
	last, err := m.lastBelow(ctx, m.trend(m.applyMoves(power, t.law)), moves+1<<(j-1), j-1)
	if last >= 0 || err != nil {
		return last, err
	}
	return m.lastBelow(ctx, t, moves, j-1)
}

// lastBelowFrom returns the last number of moves, from the given one to last, at which the value is
// below J, and -1 for none.
func (m *many) lastBelowFrom(ctx context.Context, l law, moves, last int) (int, error) {
	found := -1
	for moves <= last {
		j := bits.Len(uint(last-moves+1)) - 1
		at, err := m.lastBelow(ctx, m.trend(l), moves, j)
		if err != nil {
			return 0, err
		}
		found = max(found, at)
		moves += 1 << j
		if moves > last {
			break
		}
		power, err := m.kernelPower(ctx, j)
		if err != nil {
			return 0, err
		}
		l = m.applyMoves(power, l)
	}
	return found, nil
}
