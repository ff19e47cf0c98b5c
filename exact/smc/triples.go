package smc

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"

	"breadboard/chains/particle"
)

// triples is the distribution of three particles in the order of their slots, n^3 numbers for each
// column, for the schemes that depend on that order: after them the slots are not exchangeable.
//
// Point k of resampling is (k + u_k)/3 for k = 0, 1, 2, with one u for the systematic scheme and
// independent u_k for the stratified one. It has the parent j with C_(j-1) <= point < C_j, C the
// sums of the normalised weights. So with c_j = 3 C_j
//
//	systematic: the parents change only where u passes the fractional part of c_1 or of c_2;
//
//	stratified: P(parent of k is j) = the length of [k, k+1) within [c_(j-1), c_j), for each k alone.
//
// A stage takes O(n^3) time to resample, and n^2 products with the kernel for each of the three
// slots that move.
//
// Source: Kitagawa 1996 (stratified); Carpenter, Clifford and Fearnhead 1999 (systematic).
type triples struct {
	n          int
	systematic bool
	law, next  [][]float64
}

func newTriples(n int, s particle.Scheme) *triples {
	_, systematic := s.(particle.Systematic)
	return &triples{n: n, systematic: systematic}
}

func (*triples) method() Method { return MethodTriples }

func (e *triples) drawFirst(p []float64, columns int) {
	e.law, e.next = columnsFrom(p, 3, columns)
}

func (e *triples) resample(w *weighing, c *account) {
	n := e.n
	for j := range e.next {
		clear(e.next[j])
	}
	for x := range n {
		if c.stops() {
			return
		}
		for y := range n {
			for z := range n {
				e.resampleTriple([3]int{x, y, z}, w, c)
			}
		}
	}
	e.law, e.next = e.next, e.law
}

// resampleTriple adds the offspring of three particles.
func (e *triples) resampleTriple(at [3]int, w *weighing, c *account) {
	i := (at[0]*e.n+at[1])*e.n + at[2]
	var v [maxColumns]float64
	for j, law := range e.law {
		v[j] = law[i]
	}
	u := [3]float64{w.w[at[0]], w.w[at[1]], w.w[at[2]]}
	total := u[0] + u[1] + u[2]
	rise := (w.rise[at[0]] + w.rise[at[1]] + w.rise[at[2]]) / 3
	if !c.tilt(&v, total/3, rise) || v == [maxColumns]float64{} {
		return
	}
	ends := [3]float64{3 * (u[0] / total), 3 * ((u[0] + u[1]) / total), 3}
	add := func(parents [3]int, p float64) {
		to := (at[parents[0]]*e.n+at[parents[1]])*e.n + at[parents[2]]
		for j, next := range e.next {
			next[to] += p * v[j]
		}
	}
	if e.systematic {
		systematicOfThree(ends, add)
	} else {
		stratifiedOfThree(ends, add)
	}
}

// systematicOfThree calls add with each outcome of systematic resampling, given 3 times the sums of
// the weights.
func systematicOfThree(ends [3]float64, add func(parents [3]int, p float64)) {
	a, b := ends[0]-math.Floor(ends[0]), ends[1]-math.Floor(ends[1])
	if a > b {
		a, b = b, a
	}
	low := 0.0
	for _, high := range [3]float64{a, b, 1} {
		if p := high - low; p > 0 {
			var parents [3]int
			for i := range parents {
				point := float64(i) + (low+high)/2
				for parents[i] < 2 && point >= ends[parents[i]] {
					parents[i]++
				}
			}
			add(parents, p)
		}
		low = high
	}
}

// stratifiedOfThree does the same for stratified resampling, in which the slots are independent.
func stratifiedOfThree(ends [3]float64, add func(parents [3]int, p float64)) {
	var p [3][3]float64
	for i := range p {
		low := float64(i)
		for j := range ends {
			high := max(low, min(ends[j], float64(i+1)))
			p[i][j] = high - low
			low = high
		}
	}
	for i, a := range p[0] {
		for j, b := range p[1] {
			for k, c := range p[2] {
				if product := a * b * c; product > 0 {
					add([3]int{i, j, k}, product)
				}
			}
		}
	}
}

func (e *triples) moveParticles(ctx context.Context, t *transition, share func(int, func(int))) {
	n := e.n
	share(len(e.law), func(c int) {
		a, b := e.law[c], e.next[c]
		t.moveRows(ctx, b, a, n*n, false)
		for x := range n {
			t.moveRows(ctx, a[x*n*n:(x+1)*n*n], b[x*n*n:(x+1)*n*n], n, false)
		}
		for i := 0; i < n*n*n; i += n {
			t.push(b[i:i+n], a[i:i+n])
		}
		e.law[c], e.next[c] = b, a
	})
}

func (e *triples) outputs() [][]float64 {
	n := e.n
	out := make([][]float64, len(e.law))
	for j, law := range e.law {
		out[j] = make([]float64, n)
		for x := range n {
			for y := range n {
				row := law[(x*n+y)*n : (x*n+y+1)*n]
				sum := floats.Sum(row)
				out[j][x] += sum
				out[j][y] += sum
				floats.Add(out[j], row)
			}
		}
		floats.Scale(1./3, out[j])
	}
	return out
}
