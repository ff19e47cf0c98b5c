package ranks

import (
	"context"
	"math"

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
	unit          *lanes.Unit
	states        []chains.Entry // the first number of each state
	now, next     []eight
}

// eight are numbers for eight values of u.
type eight = [lanes.Width]float64

func newTies(states, draws int) *ties {
	t := &ties{draws: draws, stride: draws/4*4 + 5, unit: lanes.Widest()}
	for x := range states {
		t.states = append(t.states, chains.Entry{To: x * t.stride, P: 1})
	}
	t.now, t.next = make([]eight, states*t.stride), make([]eight, states*t.stride)
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

// Nodes returns where a polynomial of a degree is to be known, and the weights of these values in
// its integral from 0 to 1.
func Nodes(degree int) (u, weights []float64) {
	n := degree/2 + 1
	if n == 26 { // of the table of 26 gonum 0.17 lacks the last weight
		n++
	}
	u, weights = make([]float64, n), make([]float64, n)
	quad.Legendre{}.FixedLocations(u, weights, 0, 1)
	return u, weights
}

// most returns how many times eight nodes integrate all polynomials exactly.
func (t *ties) most() int { return t.draws/(2*lanes.Width) + 1 }

// nodes returns the values of u and their weights for as many times eight of them.
func nodes(eights int) (u, weights []float64) {
	if eights == 0 {
		return nil, nil
	}
	return Nodes(2*lanes.Width*eights - 1)
}

// negligible bounds the sum of the errors of all ranks by the quadrature for a level.
const negligible = 0x1p-60

// enough returns how many times eight nodes suffice for a level, given the distribution of the
// first state and of a true state of that level. Given e equal draws the probabilities of the ranks
// are polynomials in u, whose sum with any signs is at most (|u| + |1 - u|)^e = cosh(h)^e on the
// ellipse with the foci 0 and 1 and the axes cosh(h) and sinh(h). So n nodes are off by at most
// 32/15 cosh(h)^e exp(-2 n h)/(1 - exp(-2 h)), all ranks together, for any h > 0. The mean of
// cosh(h)^e takes no count of the draws.
//
// Source: Trefethen, Approximation Theory and Approximation Practice, 2013, theorem 19.3.
func (t *ties) enough(law []float64, l level, columns [][]chains.Entry) int {
	widths, factors := eight{0.25, 0.5, 0.75, 1, 1.5, 2, 2.5, 3}, eight{}
	for i, h := range widths {
		factors[i] = math.Cosh(h)
	}
	t.start(law)
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
	most, means := t.most(), t.total(0)[0]
	for i, h := range widths {
		if n := number.Log(32./15/negligible*means[i]/-math.Expm1(-2*h)) / (2 * h); n <= float64(lanes.Width*most) {
			most = max(0, int(math.Ceil(n/lanes.Width)))
		}
	}
	return most
}

// run makes all draws.
func (t *ties) run(ctx context.Context, law []float64, l level, u eight, columns [][]chains.Entry) {
	t.start(law)
	for k := 0; k < t.draws && ctx.Err() == nil; k++ {
		t.draw(k, l, u, columns)
	}
}

// start takes a distribution of the state, of which no draw has been made.
func (t *ties) start(law []float64) {
	clear(t.now)
	clear(t.next)
	for x, p := range law {
		for i := range t.now[x*t.stride+1] {
			t.now[x*t.stride+1][i] = p
		}
	}
}

// draw makes the next draw behind k of them.
func (t *ties) draw(k int, l level, u eight, columns [][]chains.Entry) {
	for c := 1; c <= k+2; c += 4 {
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
		v := t.now[y*t.stride+1:][:k+2]
		for c := k; c >= 0; c-- {
			for i, u := range u {
				v[c+1][i] += float64(u * v[c][i])
				v[c][i] *= 1 - u
			}
		}
	}
}

// total returns the sums over the states after k draws.
func (t *ties) total(k int) []eight {
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
