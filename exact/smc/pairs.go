package smc

import "breadboard/chains/particle"

// pairs is the law of two particles: a symmetric matrix for each column. The stratified, the systematic and the residual
// scheme give two particles the same offspring.
type pairs struct {
	n           int
	multinomial bool
	m           [][]float64
	scratch     [][]float64
}

func newPairs(n int, s particle.Scheme) *pairs {
	_, multinomial := s.(particle.Multinomial)
	return &pairs{n: n, multinomial: multinomial}
}

func (*pairs) method() Method { return MethodPairs }

func (e *pairs) begin(p []float64, columns int) {
	e.m, e.scratch = make([][]float64, columns), make([][]float64, columns)
	for j := range e.m {
		e.m[j], e.scratch[j] = drawsFrom(p, 2), make([]float64, e.n*e.n)
		if j == derivative {
			clear(e.m[j])
		}
	}
}

// drawsFrom returns the law of so many independent draws from p, with an entry for each row of them; the last draw changes fastest.
func drawsFrom(p []float64, draws int) []float64 {
	law := []float64{1}
	for range draws {
		longer := make([]float64, 0, len(law)*len(p))
		for _, q := range law {
			for _, v := range p {
				longer = append(longer, q*v)
			}
		}
		law = longer
	}
	return law
}

func (e *pairs) resample(w *weighing, c *account) {
	n := e.n
	for x := range n { // the diagonal comes first, since the pairs off it add to it
		i := x*n + x
		var v [maxColumns]float64
		for j, m := range e.m {
			v[j] = m[i]
		}
		if !c.tilt(&v, w.w[x], w.rise[x]) {
			clear(v[:])
		}
		for j, m := range e.m {
			m[i] = v[j]
		}
	}
	for x := range n {
		for y := x + 1; y < n; y++ {
			e.resamplePair(x, y, w, c)
		}
	}
}

// resamplePair resamples two particles in different states.
func (e *pairs) resamplePair(x, y int, w *weighing, c *account) {
	n := e.n
	var v [maxColumns]float64
	for j, m := range e.m {
		v[j] = 2 * m[x*n+y]
	}
	if !c.tilt(&v, (w.w[x]+w.w[y])/2, (w.rise[x]+w.rise[y])/2) {
		clear(v[:])
	}
	xx, xy, yy := offspringOfTwo(w.w[x], w.w[y], e.multinomial)
	for j, m := range e.m {
		m[x*n+x] += xx * v[j]
		m[y*n+y] += yy * v[j]
		m[x*n+y] = xy * v[j]
		m[y*n+x] = xy * v[j]
	}
}

// offspringOfTwo returns the probabilities that two particles with the given weights have both offspring from the first, one
// from each in a given order, and both from the second.
func offspringOfTwo(u, v float64, multinomial bool) (first, each, second float64) {
	total := u + v
	if total == 0 {
		return 0, 0, 0
	}
	a, b := u/total, v/total
	if multinomial {
		return a * a, a * b, b * b
	}
	return max(0, a-b), min(a, b), max(0, b-a)
}

func (e *pairs) move(t *transition, share func(int, func(int))) {
	share(len(e.m), func(j int) { t.both(e.m[j], e.scratch[j]) })
}

func (e *pairs) outputs() [][]float64 {
	out := make([][]float64, len(e.m))
	for j, m := range e.m {
		out[j] = rowSums(m, e.n)
	}
	return out
}

// rowSums returns the sums of the rows of a square matrix.
func rowSums(m []float64, n int) []float64 {
	out := make([]float64, n)
	for x := range out {
		for _, v := range m[x*n : (x+1)*n] {
			out[x] += v
		}
	}
	return out
}
