package ranks

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/integrate/quad"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/exact/internal/lanes"
)

// ties breaks ties at random. The true state has a number u that is uniformly drawn, and a draw of
// its level counts as below it with probability u, by itself. Given the numbers of draws below and
// equal, all ranks that are possible are then equally likely. A probability of ranks among L draws
// is a polynomial in u of degree L, which the quadrature of Gauss and Legendre integrates exactly.
//
// It holds, for eight values of u at a time, the probabilities of each state as the last draw with
// each number of draws below the true state: a number that is always zero, and then those of none
// below, of one and so on.
type ties struct {
	draws, stride int
	// negligible bounds the sum of the errors of all ranks, for a level: by the quadrature, and by
	// what is left out of each run.
	negligible float64
	unit       *lanes.Unit
	states     []chains.Entry // the first number of each state
	now, next  []eight
	low, high  int // numbers from low up to high may be positive
}

// eight are numbers for eight values of u.
type eight = [lanes.Width]float64

func newTies(states, draws, levels int) *ties {
	t := &ties{draws: draws, stride: draws + 5, negligible: 0x1p-53 / float64(levels), unit: lanes.Widest()}
	for x := range states {
		t.states = append(t.states, chains.Entry{To: x * t.stride, P: 1})
	}
	t.now = make([]eight, states*t.stride)
	t.next = make([]eight, states*t.stride)
	return t
}

// columns returns the entries of rows by the state that they lead to.
func (t *ties) columns(rows [][]chains.Entry) [][]chains.Entry {
	out := make([][]chains.Entry, len(rows))
	for x, row := range rows {
		for _, e := range row {
			out[e.To] = append(out[e.To], chains.Entry{To: x * t.stride, P: e.P})
		}
	}
	return out
}

// Nodes returns the points at which to evaluate a polynomial of a degree, and the weights of these
// values in its integral from 0 to 1.
func Nodes(degree int) (u, weights []float64) {
	n := degree/2 + 1
	if n == 26 { // of the table of 26 gonum 0.17 lacks the last weight
		n++
	}
	u = make([]float64, n)
	weights = make([]float64, n)
	quad.Legendre{}.FixedLocations(u, weights, 0, 1)
	return u, weights
}

// eights makes the number of the nodes for a degree a multiple of eight.
const eights = 2*lanes.Width - 1

// enough returns a degree whose nodes suffice for a level, given the distribution of the first
// state and of a true state of that level. Given e equal draws the probabilities of the ranks are
// polynomials in u, whose sum with any signs is at most (|u| + |1 - u|)^e = cosh(h)^e on the
// ellipse with the foci 0 and 1 and the axes cosh(h) and sinh(h). So n nodes are off by at most
// 32/15 cosh(h)^e exp(-2 n h)/(1 - exp(-2 h)), all ranks together, for any h > 0. The mean of
// cosh(h)^e takes no count of the draws.
//
// Source: Trefethen, Approximation Theory and Approximation Practice, 2013, theorem 19.3.
func (t *ties) enough(law []float64, l level, columns [][]chains.Entry) (degree int) {
	widths := eight{0.25, 0.5, 0.75, 1, 1.5, 2, 2.5, 3}
	factors := eight{}
	for i, h := range widths {
		factors[i] = math.Cosh(h)
	}
	t.takeLaw(law)
	for range t.draws {
		for y, column := range columns {
			mean := &t.next[y*t.stride+1]
			t.unit.Gather(mean, t.now[1:], column)
			for i, f := range factors {
				if l.equal[y] {
					mean[i] *= f
				}
			}
		}
		t.now, t.next = t.next, t.now
	}
	degree = t.draws
	for i, mean := range t.sumsAfter(0)[0] {
		h := widths[i]
		if twice := number.Log(32./15/t.negligible*mean/-math.Expm1(-2*h)) / h; twice < float64(degree) {
			degree = int(max(0, twice))
		}
	}
	return degree
}

// drawAll makes all draws.
func (t *ties) drawAll(ctx context.Context, law []float64, l level, u eight, columns [][]chains.Entry) {
	t.takeLaw(law)
	for k := 0; k < t.draws && ctx.Err() == nil; k++ {
		t.nextDraw(l, u, columns)
	}
}

// takeLaw takes a distribution of the state, of which no draw has been made.
func (t *ties) takeLaw(law []float64) {
	clear(t.now)
	clear(t.next)
	t.low, t.high = 1, 2
	for x, p := range law {
		for i := range t.now[x*t.stride+1] {
			t.now[x*t.stride+1][i] = p
		}
	}
}

// nextDraw makes the next draw.
func (t *ties) nextDraw(l level, u eight, columns [][]chains.Entry) {
	for c := t.low; c <= t.high; c += 4 {
		for y, column := range columns {
			from := c
			if l.below[y] {
				from--
			}
			t.unit.GatherFour(t.next[y*t.stride+c:], t.now[from:], 1, 1, column)
		}
	}
	t.now, t.next = t.next, t.now
	for y, equal := range l.equal {
		if !equal {
			continue
		}
		v := t.now[y*t.stride:]
		for c := t.high - 1; c >= t.low; c-- {
			for i, u := range u {
				v[c+1][i] += float64(u * v[c][i])
				v[c][i] *= 1 - u
			}
		}
	}
	for t.high++; t.rare(t.low); t.low++ {
	}
	for ; t.rare(t.high - 1); t.high-- {
	}
}

// rare reports whether a number of draws below is so rare that it is left out, and does so.
func (t *ties) rare(c int) bool {
	var total eight
	t.unit.Gather(&total, t.now[c:], t.states)
	if t.low == t.high-1 || slices.Max(total[:]) > t.negligible/float64(2*t.draws) {
		return false
	}
	for _, e := range t.states {
		t.now[e.To+c], t.next[e.To+c] = eight{}, eight{}
	}
	return true
}

// sumsAfter returns the sums over the states after k draws.
func (t *ties) sumsAfter(k int) []eight {
	out := make([]eight, k+1)
	for c := range out {
		t.unit.Gather(&out[c], t.now[c+1:], t.states)
	}
	return out
}

// add adds the ranks of numbers of draws below, of u with some weights, to the ranks.
func add(ranks []float64, below []eight, weights []float64, p float64) {
	for c, v := range below {
		for i, w := range weights {
			ranks[c] += p * w * v[i]
		}
	}
}
