package exact_test

import (
	"math"
	"math/big"

	"breadboard/chains"
	"breadboard/chains/schedules"
	"breadboard/grid"
)

// The annealing of this file is computed once more in 240 bits, which is 72 decimal digits, in the
// plainest form there is: dense matrices, probabilities pushed through them, divergences by their
// definitions. Nothing of package exact is used, and of package chains nothing but the numbers that
// were given to it.

// num is a number of that arithmetic; operations return new ones.
type num struct{ v *big.Float }

const digitBits = 240

func wideNum() *big.Float { return new(big.Float).SetPrec(digitBits + 64) }

func toNum(v float64) num { return num{wideNum().SetFloat64(v)} }

func (a num) add(b num) num       { return num{wideNum().Add(a.v, b.v)} }
func (a num) sub(b num) num       { return num{wideNum().Sub(a.v, b.v)} }
func (a num) mul(b num) num       { return num{wideNum().Mul(a.v, b.v)} }
func (a num) quo(b num) num       { return num{wideNum().Quo(a.v, b.v)} }
func (a num) less(b num) bool     { return a.v.Cmp(b.v) < 0 }
func (a num) zero() bool          { return a.v.Sign() == 0 }
func (a num) float() float64      { f, _ := a.v.Float64(); return f }
func (a num) scale(k float64) num { return a.mul(toNum(k)) }

// exp halves its argument until a power series is short, and squares as often.
func (a num) exp() num {
	if a.zero() {
		return toNum(1)
	}
	halvings := max(0, a.v.MantExp(nil)+12)
	x := num{wideNum().SetMantExp(a.v, -halvings)}
	sum := toNum(1)
	term := toNum(1)
	for k := 1.0; term.v.MantExp(nil) > -(digitBits + 64); k++ {
		term = term.mul(x).quo(toNum(k))
		if term.zero() {
			break
		}
		sum = sum.add(term)
	}
	for range halvings {
		sum = sum.mul(sum)
	}
	return sum
}

// log takes Halley's steps, each of which triples the digits, from the logarithm in float64.
func (a num) log() num {
	mantissa := wideNum()
	k := a.v.MantExp(mantissa)
	m, _ := mantissa.Float64()
	y := toNum(math.Log(m) + float64(k)*math.Ln2)
	for range 3 {
		e := y.exp()
		y = y.add(a.sub(e).scale(2).quo(a.add(e)))
	}
	return y
}

// pow returns a to the power k; zero stays zero, or is infinite, which the caller knows.
func (a num) pow(k num) num { return a.log().mul(k).exp() }

func sumOf(v []num) num {
	total := toNum(0)
	for _, x := range v {
		total = total.add(x)
	}
	return total
}

// normal returns v over its sum.
func normal(v []num) []num {
	z := sumOf(v)
	out := make([]num, len(v))
	for x := range v {
		out[x] = v[x].quo(z)
	}
	return out
}

// plainMatrix is a transition matrix.
type plainMatrix [][]num

func newPlainMatrix(n int) plainMatrix {
	m := make(plainMatrix, n)
	for x := range m {
		m[x] = make([]num, n)
		for y := range m[x] {
			m[x][y] = toNum(0)
		}
	}
	return m
}

func (m plainMatrix) times(k plainMatrix) plainMatrix {
	out := newPlainMatrix(len(m))
	for x := range m {
		for y := range m {
			if m[x][y].zero() {
				continue
			}
			for z := range m {
				out[x][z] = out[x][z].add(m[x][y].mul(k[y][z]))
			}
		}
	}
	return out
}

// blend returns the sum of matrices with weights.
func blend(weights []num, parts ...plainMatrix) plainMatrix {
	out := newPlainMatrix(len(parts[0]))
	for i, m := range parts {
		for x := range m {
			for y := range m {
				out[x][y] = out[x][y].add(m[x][y].mul(weights[i]))
			}
		}
	}
	return out
}

// reversed returns the flows of m under p turned round; a state of probability zero stays where it
// is.
func (m plainMatrix) reversed(p []num) plainMatrix {
	out := newPlainMatrix(len(m))
	for x := range m {
		if p[x].zero() {
			out[x][x] = toNum(1)
			continue
		}
		for y := range m {
			out[x][y] = p[y].mul(m[y][x]).quo(p[x])
		}
	}
	return out
}

func (m plainMatrix) push(q []num) []num {
	out := make([]num, len(q))
	for y := range q {
		out[y] = toNum(0)
		for x := range q {
			if !q[x].zero() && !m[x][y].zero() {
				out[y] = out[y].add(q[x].mul(m[x][y]))
			}
		}
	}
	return out
}

// The kernels by their definitions, as matrices under the distribution p.

// acceptRule is the probability to accept a move from a state with f = from to one with f = to.
type acceptRule func(from, to num) num

func metropolisRule(from, to num) num {
	if to.zero() {
		return toNum(0)
	}
	if !to.less(from) {
		return toNum(1)
	}
	return to.quo(from)
}

func barkerRule(from, to num) num {
	if to.zero() {
		return toNum(0)
	}
	return to.quo(from.add(to))
}

// proposing returns the kernel that proposes y from x with the probability propose(x)[y]. If these
// sum to less than one it proposes nothing with the rest of the probability.
func proposing(p []num, propose func(x int) map[int]num, accept acceptRule) plainMatrix {
	m := newPlainMatrix(len(p))
	for x := range p {
		m[x][x] = toNum(1)
		for y, share := range propose(x) {
			if y != x {
				moves := share.mul(accept(p[x], p[y]))
				m[x][y] = m[x][y].add(moves)
				m[x][x] = m[x][x].sub(moves)
			}
		}
	}
	return m
}

// nearest proposes each of the 2d directions alike.
func nearest(l *grid.Lattice) func(x int) map[int]num {
	return func(x int) map[int]num {
		out := map[int]num{}
		for d := range l.Directions() {
			if y, inside := l.Neighbour(x, d); inside {
				addTo(out, y, toNum(1).quo(toNum(float64(l.Directions()))))
			}
		}
		return out
	}
}

func addTo(m map[int]num, y int, v num) {
	if old, ok := m[y]; ok {
		v = v.add(old)
	}
	m[y] = v
}

// around proposes each of the 3^d - 1 points around x alike.
func around(l *grid.Lattice) func(x int) map[int]num {
	points := int(math.Pow(3, float64(l.Dims())))
	return func(x int) map[int]num {
		out := map[int]num{}
		for i := range points {
			coords := l.Coords(x)
			at := 0
			inside := true
			rest := i
			for axis := range coords {
				step := rest%3 - 1
				rest /= 3
				coords[axis] += step
				if side := l.Side(axis); coords[axis] < 0 || coords[axis] >= side {
					inside = inside && l.Wraps(axis)
					coords[axis] = (coords[axis] + side) % side
				}
			}
			at = l.Index(coords...)
			if inside && i != points/2 {
				addTo(out, at, toNum(1).quo(toNum(float64(points-1))))
			}
		}
		return out
	}
}

// line returns the states that differ from x on one axis only, in order, and the place of x among
// them.
func line(l *grid.Lattice, axis, x int) (states []int, at int) {
	coords := l.Coords(x)
	at = coords[axis]
	for i := range l.Side(axis) {
		coords[axis] = i
		states = append(states, l.Index(coords...))
	}
	return states, at
}

func heatBath(l *grid.Lattice, axis int, p []num) plainMatrix {
	m := newPlainMatrix(len(p))
	for x := range p {
		states, _ := line(l, axis, x)
		total := toNum(0)
		for _, y := range states {
			total = total.add(p[y])
		}
		if total.zero() {
			m[x][x] = toNum(1)
			continue
		}
		for _, y := range states {
			m[x][y] = p[y].quo(total)
		}
	}
	return m
}

// plainSolution holds the results of the plain computation, which are rounded to float64 only at
// its end.
type plainSolution struct{ j, b, qp, pq, forward, reverse, logZ float64 }

// solvePlainly pushes the distributions of both chains through all stages. Both slices have an
// entry for each stage from 1: p holds the distributions on the path and increments log f_t - log
// f_{t-1}, which has no meaning if f_t or f_{t-1} is zero. The function kernel returns the matrix
// under a distribution.
func solvePlainly(p [][]num, kernel func(p []num) plainMatrix, increments [][]num) plainSolution {
	T := len(p) - 1
	matrices := make([]plainMatrix, T+1)
	q := p[1]
	forward, reverse := toNum(0), toNum(0)
	zeroWeight := false
	infiniteWeight := false
	for t := 2; t <= T; t++ {
		for x := range q {
			switch {
			case q[x].zero() || p[t-1][x].zero():
			case p[t][x].zero():
				zeroWeight = true
			default:
				forward = forward.add(q[x].mul(increments[t][x]))
			}
		}
		matrices[t] = kernel(p[t])
		q = matrices[t].push(q)
	}
	r := p[T]
	for t := T; t >= 2; t-- {
		r = matrices[t].reversed(p[t]).push(r)
		for x := range r {
			switch {
			case r[x].zero():
			case p[t-1][x].zero():
				infiniteWeight = true
			default:
				reverse = reverse.add(r[x].mul(increments[t][x]))
			}
		}
	}
	qp := relativeEntropy(q, p[T])
	pq := relativeEntropy(p[T], q)
	out := plainSolution{
		qp:      qp,
		pq:      pq,
		forward: forward.float(),
		reverse: reverse.float(),
		b:       reverse.sub(forward).float(),
	}
	if zeroWeight {
		out.forward = math.Inf(-1)
		out.b = math.Inf(1)
	}
	if infiniteWeight {
		out.reverse = math.Inf(1)
		out.b = math.Inf(1)
	}
	out.j = qp + pq
	return out
}

// relativeEntropy returns KL(q || p) as the sum of q log(q/p) - q + p, which hardly feels a total
// mass that is not quite one.
func relativeEntropy(q, p []num) float64 {
	total := toNum(0)
	for x := range q {
		total = total.add(p[x]).sub(q[x])
		if q[x].zero() {
			continue
		}
		if p[x].zero() {
			return math.Inf(1)
		}
		total = total.add(q[x].mul(q[x].quo(p[x]).log()))
	}
	return total.float()
}

// plainBetas returns b_t and 1 - b_t by the formula of a schedule, or the given numbers for
// schedules.Points.
func plainBetas(s chains.Schedule, T int) [][2]num {
	out := make([][2]num, T+1)
	ratio := func(i, j int) num { return toNum(float64(i)).quo(toNum(float64(j))) }
	logistic := func(a num) num { return toNum(1).quo(toNum(1).add(toNum(0).sub(a).exp())) }
	for t := 1; t <= T; t++ {
		var b num
		switch s := s.(type) {
		case schedules.Linear:
			b = ratio(t-1, T-1)
		case schedules.Power:
			b = toNum(0)
			if t > 1 {
				b = ratio(t-1, T-1).pow(toNum(s.P))
			}
		case schedules.Sigmoid:
			at := func(t int) num { return logistic(toNum(s.Delta).mul(ratio(2*t-T, T))) }
			b = at(t).sub(at(1)).quo(at(T).sub(at(1)))
		case schedules.Spaced:
			switch t {
			case 1:
				b = toNum(0)
			case T:
				b = toNum(1)
			default:
				b = toNum(s.First).pow(ratio(T-t, T-2))
			}
		default:
			b = toNum(s.Beta(t, T))
		}
		out[t] = [2]num{b, toNum(1).sub(b)}
	}
	return out
}
