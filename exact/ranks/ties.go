package ranks

import (
	"context"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/integrate/quad"

	"breadboard/chains"
	"breadboard/chains/number"
)

// ties breaks ties at random. The true state has a number u that is uniformly drawn, and a draw of
// its level counts as below it with probability u, by itself. Given the numbers of draws below and
// equal, all ranks that are possible are then equally likely. A probability of ranks among L draws
// is a polynomial in u of degree L, which the quadrature of Gauss and Legendre integrates exactly.
type ties struct {
	draws      int
	u, weights []float64
}

func newTies(draws int) *ties {
	u, weights := Nodes(draws)
	return &ties{draws, u, weights}
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

// counted has, for each state, the probabilities of each number of draws below the true state with
// that state as the last draw: first those of all u with none below.
type counted [][]float64

// start writes a distribution of the state, of which no draw has been made.
func (t *ties) start(out counted, law []float64) {
	for x, p := range law {
		clear(out[x])
		for i := range t.u {
			out[x][i] = p
		}
	}
}

func (t *ties) empty(states int) counted {
	width := (t.draws + 1) * len(t.u)
	all, out := make([]float64, states*width), make(counted, states)
	for x := range out {
		out[x] = all[x*width : (x+1)*width]
	}
	return out
}

// drawn makes the next draw behind k of them, into memory for it, unless the context ends.
func (t *ties) drawn(ctx context.Context, out, now counted, k int, l level, rows [][]chains.Entry) {
	n := len(t.u)
	length := (k + 1) * n
	for _, v := range out {
		clear(v[:length+n])
	}
	for x, row := range rows {
		if ctx.Err() != nil {
			return
		}
		from := blas64.Vector{N: length, Inc: 1, Data: now[x]}
		for _, e := range row {
			to := out[e.To]
			if l.below[e.To] {
				to = to[n:]
			}
			blas64.Axpy(e.P, from, blas64.Vector{N: length, Inc: 1, Data: to})
		}
	}
	for x, v := range out {
		if !l.equal[x] {
			continue
		}
		for c := length - 1; c >= 0; c-- {
			u := t.u[c%n]
			v[c+n] += float64(u * v[c])
			v[c] *= 1 - u
		}
	}
}

// total returns the sum over the states after k draws.
func (t *ties) total(c counted, k int) []float64 {
	out := make([]float64, len(c[0]))
	for at := range (k + 1) * len(t.u) {
		var sum number.Sum
		for _, v := range c {
			sum.Add(v[at])
		}
		out[at] = sum.Value()
	}
	return out
}

// add adds the ranks of numbers of draws below, by u, to the ranks.
func (t *ties) add(ranks, below []float64, p float64) {
	for at, v := range below {
		ranks[at/len(t.u)] += p * t.weights[at%len(t.u)] * v
	}
}
