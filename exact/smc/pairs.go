package smc

import (
	"context"
	"math"
	"math/cmplx"

	"breadboard/chains"
	"breadboard/chains/particle"
	"breadboard/exact/internal/stage"
)

// pairs is the distribution of two particles: a symmetric matrix for each column. The stratified,
// the systematic and the residual scheme give two particles the same offspring.
//
// Of two particles with weights u and v, a = u/(u+v) and b = v/(u+v), the offspring in a given
// order are
//
//	multinomial: both from the first a^2, one from each a b, both from the second b^2;
//
//	all others: max(0, a-b), min(a, b), max(0, b-a).
//
// A stage takes O(n^2) time to resample, and 2 n products with the kernel to move.
type pairs struct {
	n           int
	multinomial bool
	m           [][]float64
	scratch     [][]float64
}

func buildPairs(n int, s particle.Scheme) *pairs {
	_, multinomial := s.(particle.Multinomial)
	return &pairs{n: n, multinomial: multinomial}
}

func (*pairs) method() Method { return MethodPairs }

func (e *pairs) drawFirst(p []float64, columns int) {
	e.m, e.scratch = columnsFrom(p, 2, columns)
}

// columnsFrom returns the columns of the distribution of the given number of independent draws from
// p, of which that of the derivative is zero, and as much memory.
func columnsFrom(p []float64, draws, columns int) (law, memory [][]float64) {
	for j := range columns {
		law = append(law, drawsFrom(p, draws))
		memory = append(memory, make([]float64, len(law[j])))
		if j == derivative {
			clear(law[j])
		}
	}
	return law, memory
}

// drawsFrom returns the distribution of the given number of independent draws from p, with an entry
// for each row of them; the last draw changes fastest.
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
		if c.stops() {
			return
		}
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

// offspringOfTwo returns the probabilities that two particles with the given weights have both
// offspring from the first, one from each in a given order, and both from the second.
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

func (e *pairs) moveParticles(ctx context.Context, t *transition, share func(int, func(int))) {
	share(len(e.m), func(j int) { t.both(ctx, e.m[j], e.scratch[j]) })
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

// NewPairs returns the Side of sequential Monte Carlo on an annealing with two particles that are
// resampled at every stage. Traces take one propagation of the distribution of pairs for each of
// some hundred to some thousand points of the transform, for any numbers of traces. Zero workers
// means one for each processor.
func NewPairs(ctx context.Context, a *chains.Annealing, scheme particle.Scheme,
	workers int) (*Transformed, error) {
	transform := func(ctx context.Context, powers []complex128) ([][]complex128, error) {
		return pairTransform(ctx, a, scheme, powers, workers)
	}
	// A stage multiplies by the weights, and by the rows of the kernel from both sides. No term is
	// larger than at the real power.
	rounding := float64(64+4*powersBlock+2*a.States()) * float64(a.Distributions()) * 0x1p-53
	return newPowers(ctx, a, transform, rounding, workers)
}

// pairTransform returns E_run[(Zhat/Z)^s; x_T = x] for each power s and each output x, of two
// particles that are resampled at every stage. Runs that are extinct are left out, also at s = 0.
// The powers are shared out among the given number of workers, in blocks; zero workers stand for
// one for each processor. Each power takes about four times the time of a column of the
// distribution of pairs, and memory does not depend on how many there are.
func pairTransform(ctx context.Context, a *chains.Annealing, scheme particle.Scheme, powers []complex128,
	workers int) ([][]complex128, error) {
	return inBlocks(ctx, powers, workers, func(ctx context.Context, powers []complex128) ([][]complex128, error) {
		block := newPairPowers(a.States(), scheme, powers)
		err := block.growPowers(ctx, a)
		out := make([][]complex128, len(powers))
		for j := range out {
			out[j] = block.output(j)
		}
		return out, err
	})
}

// pairPowers is the distribution of pairs tilted by a block of powers.
type pairPowers struct {
	n       int
	pairs   *pairs
	powers  []complex128
	law     []complexMatrix
	scratch []float64
	logs    []float64 // of the mean weights of each pair of states x <= y, one row after another
	sizes   []float64 // the factors at the real part of the power, which neighbours share
	// turns are the quotients of the factors of neighbours that are a step apart in their imaginary
	// part.
	step          float64
	phases, turns []complex128
	shares        [][3]float64
	factors       []complex128
}

// complexMatrix is a symmetric complex matrix. im is nil if it is real.
type complexMatrix struct{ re, im []float64 }

func newPairPowers(n int, scheme particle.Scheme, powers []complex128) *pairPowers {
	all := n * (n + 1) / 2
	return &pairPowers{
		n:       n,
		pairs:   buildPairs(n, scheme),
		powers:  powers,
		law:     make([]complexMatrix, len(powers)),
		scratch: make([]float64, n*n),
		logs:    make([]float64, all),
		shares:  make([][3]float64, all),
		sizes:   make([]float64, all),
		phases:  make([]complex128, all),
		turns:   make([]complex128, all),
		factors: make([]complex128, all),
	}
}

// growPowers takes the block through all stages.
func (e *pairPowers) growPowers(ctx context.Context, a *chains.Annealing) error {
	p := stage.NewProblem(a, nil)
	s := stage.NewStage(p.Annealing)
	for j, power := range e.powers {
		e.law[j].re = drawsFrom(s.Here.P, 2)
		if imag(power) != 0 {
			e.law[j].im = make([]float64, e.n*e.n)
		}
	}
	var w weighing
	var t transition
	for stage := 2; stage <= a.Distributions(); stage++ {
		if err := p.Load(ctx, s, stage); err != nil {
			return err
		}
		w.takeWeights(s)
		e.prepareOffspring(&w)
		for j := range e.law {
			if err := ctx.Err(); err != nil {
				return err
			}
			e.resample(j)
		}
		for m := range s.Along(chains.Forward) {
			t.setMatrix(m.Forward)
			for _, law := range e.law {
				t.both(ctx, law.re, e.scratch)
				if law.im != nil {
					t.both(ctx, law.im, e.scratch)
				}
			}
		}
	}
	return nil
}

// prepareOffspring computes the data that all powers share: the logarithm of the mean weight of
// each pair, and the probabilities of its offspring.
func (e *pairPowers) prepareOffspring(w *weighing) {
	i := 0
	for x := range e.n {
		for y := x; y < e.n; y++ {
			e.logs[i] = math.Inf(-1)
			if mean := (w.w[x] + w.w[y]) / 2; mean > 0 {
				e.logs[i] = logMean(mean, (w.rise[x]+w.rise[y])/2)
			}
			e.shares[i][0], e.shares[i][1], e.shares[i][2] = offspringOfTwo(w.w[x], w.w[y], e.pairs.multinomial)
			i++
		}
	}
}

// resample weighs and resamples the distribution of one power.
func (e *pairPowers) resample(j int) {
	law := e.law[j]
	e.computeFactors(j)
	for i, l := range e.logs {
		e.factors[i] = 0
		if !math.IsInf(l, -1) {
			e.factors[i] = complex(e.sizes[i], 0) * e.phases[i]
		}
	}
	n := e.n
	for x, i := 0, 0; x < n; x++ { // the diagonal comes first, since the pairs off it add to it
		law.multiply(x*n+x, e.factors[i])
		i += n - x
	}
	i := 0
	for x := range n {
		i++
		for y := x + 1; y < n; y++ {
			at := x*n + y
			law.multiply(at, e.factors[i])
			share := &e.shares[i]
			law.offspring(at, y*n+x, x*n+x, y*n+y, share)
			i++
		}
	}
}

// computeFactors finds the sizes and the phases of the factors of a power, from those of the one
// before it if both are on one line.
func (e *pairPowers) computeFactors(j int) {
	s := e.powers[j]
	if j == 0 || real(s) != real(e.powers[j-1]) {
		e.step = 0
		for i, l := range e.logs {
			e.sizes[i], e.phases[i] = math.Exp(real(s)*l), cmplx.Rect(1, imag(s)*l)
		}
		return
	}
	if step := imag(s) - imag(e.powers[j-1]); !(math.Abs(step-e.step) <= 0x1p-50*imag(s)) {
		// they are multiples of a step, rounded
		e.step = step
		for i, l := range e.logs {
			e.turns[i] = cmplx.Rect(1, step*l)
		}
	}
	for i, turn := range e.turns {
		e.phases[i] *= turn
	}
}

// multiply multiplies an entry.
func (m complexMatrix) multiply(at int, f complex128) {
	re := m.re[at]
	m.re[at] = re * real(f)
	if m.im != nil {
		im := m.im[at]
		m.re[at] -= float64(im * imag(f))
		m.im[at] = re*imag(f) + float64(im*real(f))
	}
}

// offspring gives the entry of a pair in either order, of which the place of the second is
// mirrored, to its offspring.
func (m complexMatrix) offspring(at, mirrored, first, second int, share *[3]float64) {
	give := func(v []float64) {
		both := 2 * v[at]
		v[first] += share[0] * both
		v[second] += share[2] * both
		v[at] = share[1] * both
		v[mirrored] = v[at]
	}
	give(m.re)
	if m.im != nil {
		give(m.im)
	}
}

// output returns the transform by output.
func (e *pairPowers) output(j int) []complex128 {
	out := make([]complex128, e.n)
	re := rowSums(e.law[j].re, e.n)
	for x := range out {
		out[x] = complex(re[x], 0)
	}
	if e.law[j].im != nil {
		for x, v := range rowSums(e.law[j].im, e.n) {
			out[x] += complex(0, v)
		}
	}
	return out
}
