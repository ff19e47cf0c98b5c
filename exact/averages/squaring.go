package averages

import (
	"context"
	"math"
	"math/bits"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/exact/internal/linear"
)

// squaring answers a question by powers of a transition matrix whose entries are truncated power
// series.
//
// With the sums S = sum h(x_i) and Q = sum r(x_i), r = h^2 - 1, over N samples, let u_N(x) = E[e^{s
// S + q Q} | x_1 = x]. Each sample multiplies by e^{s h(x) + q r(x)} and the chain then moves, so
// that u_N = M^N 1 with M = diag(e^{s h + q r}) T (the move after the last sample changes nothing,
// as T 1 = 1). Of the series in s and q only terms up to weight four are kept, where s weighs 1 and
// q weighs 2; for the mean alone, up to weight two. All powers of M commute, so that M^N 1 needs
// the squares of M only, one for each binary digit.
//
// Functions are held as a constant, which is their mean under p, and a function of mean zero: M has
// a first row and column for the constant. Its coefficient of order zero is then 1 and T - 1p with
// exact zeros beside them, the means of h and r are exactly zero, and a power of T - 1p tends to
// zero if the chain forgets. Only the constants grow with N, by sums of bounded terms. Therefore
// rounding does not grow with N. The powers of T are those of stochastic, which keep a small
// spectral gap.
//
// Time is O(squaringProducts states^3 log2 N), and memory squaringBytes.
func (c *Chain) squaring(ctx context.Context, q Question) ([][]Errors, error) {
	if err := c.checkSquaring(q); err != nil {
		return nil, err
	}
	return c.squared(ctx, q)
}

// squared is squaring of as many samples as an int64 holds.
func (c *Chain) squared(ctx context.Context, q Question) ([][]Errors, error) {
	from, readings := c.readings(q)
	s := newSeries(c, momentsOf(q.Function.Values, q.Variance))
	err := s.powers(ctx, q, func(at int, w [][]float64) {
		for i := range from {
			r := &readings[i][at]
			r.rounding = s.relativeError(r.n)
			r.addMoments(meansOf(from[i], w[1:]))
		}
	})
	if err != nil || !q.Distribution {
		return allErrors(readings), err
	}
	if q.Function.twoValued() {
		twoLevels(q.Function, readings)
		return allErrors(readings), nil
	}
	levels := q.Function.indicators()
	for first := 0; first < len(levels); first += levelsAtOnce(c.States()) {
		block := levels[first:min(first+levelsAtOnce(c.States()), len(levels))]
		s := newSeries(c, levelsOf(block))
		err := s.powers(ctx, q, func(at int, w [][]float64) {
			for i := range from {
				for k, square := range meansOf(from[i], w[1+len(block):]) {
					readings[i][at].addLevel(block[k].mass, block[k].variance, square.times(2))
				}
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return allErrors(readings), nil
}

// meansOf returns the means from a start of functions, each of which is a constant, its mean under
// the target, and then a function of mean zero.
func meansOf(from deviation, functions [][]float64) []part {
	out := make([]part, len(functions))
	for i, w := range functions {
		out[i] = from.shiftedMean(part{w[0], math.Abs(w[0])}, 0, func(x int) float64 { return w[1+x] })
	}
	return out
}

// maxSquaringBytes is the most memory that squaring takes, one gigabyte.
const maxSquaringBytes = 1 << 30

func (c *Chain) checkSquaring(q Question) error {
	if largest := q.N[len(q.N)-1]; largest > MaxSquaring {
		return errs.New("%d samples; errors by squaring are for up to %d", largest, int64(MaxSquaring))
	}
	if need := c.squaringBytes(q); need > maxSquaringBytes {
		return errs.New(
			"errors by squaring on %d states take %s, and the limit is %.2g GB; ask for "+
				"errors by recursion, or of a smaller target",
			c.States(),
			errs.Memory(need),
			maxSquaringBytes/1e9,
		)
	}
	return nil
}

// squaringProducts returns the number of products of two states x states matrices in a squaring.
func squaringProducts(q Question) int {
	products := 3
	if q.Variance {
		products = 16
	}
	if q.Distribution && !q.Function.twoValued() {
		products += 1 + 2*len(q.Function.Levels.Values)
	}
	return products
}

// squaringBytes returns about how many bytes of memory squaring takes.
func (c *Chain) squaringBytes(q Question) float64 {
	n := float64(c.States() + 1)
	matrices := 2 + 2 + 1 // the power of T and memory for the next; the parts of a mean; memory for a product
	if q.Variance {
		matrices += 4
	}
	if q.Distribution && !q.Function.twoValued() {
		matrices = max(matrices, 2+1+1+min(levelsAtOnce(c.States()), len(q.Function.Levels.Values)))
	}
	return 8 * (n*n*float64(matrices) + n*9*float64(len(q.N)))
}

// levelsAtOnce returns the number of levels of a function whose matrices are kept at a time.
func levelsAtOnce(states int) int {
	n := float64(states + 1)
	return max(1, int(maxSquaringBytes/2/(8*n*n)))
}

// coefficient is one of the series: that of a product of powers of variables, each of which stands
// for a sum over the samples.
type coefficient struct {
	// products are the pairs of parts of lower weight, none of weight zero, whose product is of
	// this part's powers.
	products [][2]int
	factor   []float64 // of what one sample multiplies by, at each state
	centred  bool      // whether the mean of factor under p is exactly zero
	// top says that the part is only applied to constants. This holds for parts of the greatest
	// weight, as products with other parts are dropped.
	top bool

	matrix []float64 // of the current power, of order states + 1; nil for a top part
	ones   []float64 // the matrix times the constant one
}

// The places of the parts of a mean and of a variance in the lists that momentsOf returns. Part
// zero is the one of order zero.
const (
	partS = iota + 1
	partSS
	partQ
	partSSS
	partSQ
	partSSSS
	partSSQ
	partQQ
)

// momentsOf returns the parts for the moments of S and Q of a standardised function: up to the
// second of S, or with variance up to weight four of both. Parts are in the order of their weights.
func momentsOf(h []float64, variance bool) []coefficient {
	term := func(weight int, factor func(h, r float64) float64, products ...[2]int) coefficient {
		p := coefficient{
			products: products,
			factor:   make([]float64, len(h)),
			top:      weight == 4 || !variance && weight == 2,
		}
		for x, v := range h {
			p.factor[x] = factor(v, (v-1)*(v+1))
		}
		return p
	}
	parts := []coefficient{
		{},
		term(1, func(h, _ float64) float64 { return h }),
		term(2, func(h, _ float64) float64 { return h * h / 2 }, [2]int{partS, partS}),
	}
	parts[partS].centred = true
	if !variance {
		return parts
	}
	parts = append(parts,
		term(2, func(_, r float64) float64 { return r }),
		term(3, func(h, _ float64) float64 { return h * h * h / 6 }, [2]int{partS, partSS},
			[2]int{partSS, partS}),
		term(3, func(h, r float64) float64 { return h * r }, [2]int{partS, partQ}, [2]int{partQ, partS}),
		term(4, func(h, _ float64) float64 { return h * h * h * h / 24 },
			[2]int{partS, partSSS}, [2]int{partSSS, partS}, [2]int{partSS, partSS}),
		term(4, func(h, r float64) float64 { return h * h * r / 2 },
			[2]int{partS, partSQ}, [2]int{partSQ, partS}, [2]int{partSS, partQ}, [2]int{partQ, partSS}),
		term(4, func(_, r float64) float64 { return r * r / 2 }, [2]int{partQ, partQ}))
	parts[partQ].centred = true
	return parts
}

// levelsOf returns the parts for the second moments of the sums of indicators: the first powers of
// all, and then the squares of all.
func levelsOf(levels []indicator) []coefficient {
	parts := []coefficient{{}}
	for _, l := range levels {
		parts = append(parts, coefficient{factor: l.values, centred: true})
	}
	for i, l := range levels {
		square := make([]float64, len(l.values))
		for x, v := range l.values {
			square[x] = v * v / 2
		}
		parts = append(parts, coefficient{factor: square, top: true, products: [][2]int{{1 + i, 1 + i}}})
	}
	return parts
}

// series is a power of M.
type series struct {
	p           []float64
	power, next *linear.Stochastic // the power of T, and memory for the next one
	squares     int                // how often T has been squared
	parts       []coefficient
	memory      []float64 // of a matrix
	vector      []float64 // of a function
}

// newSeries returns M itself with the given parts.
func newSeries(c *Chain, parts []coefficient) *series {
	n := c.States()
	s := &series{p: c.Target, power: linear.NewStochastic(c.Rows.States(), c.Rows.Row), parts: parts}
	s.next = s.power.Empty()
	s.memory = make([]float64, (n+1)*(n+1))
	s.vector = make([]float64, n+1)
	parts[0].matrix, parts[0].ones = make([]float64, (n+1)*(n+1)), make([]float64, n+1)
	parts[0].ones[0], parts[0].matrix[0] = 1, 1
	s.orderZero()
	for i := range parts[1:] {
		s.firstPower(&parts[1+i])
	}
	return s
}

// orderZero writes T - 1p, with T the current power, into the part of order zero. If the chain has
// forgotten its start so far that all entries are rounding, they are set to zero: otherwise this
// noise would shrink other parts with each square until they are subnormal, and products of those
// take many times as long.
func (s *series) orderZero() {
	n := len(s.p)
	rounding := linear.PowerRounding(n, s.squares)
	forgotten := true
	for x := range n {
		row := s.parts[0].matrix[(x+1)*(n+1)+1:][:n]
		for y, v := range s.power.Row(x) {
			row[y] = v - s.p[y]
			forgotten = forgotten && math.Abs(row[y]) <= rounding*s.p[y]
		}
	}
	if forgotten {
		clear(s.parts[0].matrix[n+1:])
	}
}

// firstPower makes a part that of M itself. If d is its factor, the part takes a constant 1 to the
// constant p d and the function d - p d, and a function f of mean zero to the constant b f and the
// function d (T - 1p) f - b f, with b = (p d) T - (p d) p. The multiples of p in both do not affect
// f, and keep the numbers small.
func (s *series) firstPower(a *coefficient) {
	n := len(s.p)
	a.ones = make([]float64, n+1)
	if !a.centred {
		var mean number.Sum
		for x, p := range s.p {
			if p > 0 {
				mean.Add(p * a.factor[x])
			}
		}
		a.ones[0] = mean.Value()
	}
	for x, d := range a.factor {
		a.ones[1+x] = d - a.ones[0]
	}
	if a.top {
		return
	}
	a.matrix = make([]float64, (n+1)*(n+1))
	b := a.matrix[1 : n+1]
	for x, p := range s.p {
		if p == 0 {
			continue
		}
		for y, v := range s.power.Row(x) {
			b[y] += p * a.factor[x] * v
		}
	}
	for y, p := range s.p {
		b[y] -= a.ones[0] * p
	}
	for x, d := range a.factor {
		row := a.matrix[(x+1)*(n+1)+1:][:n]
		zero := s.parts[0].matrix[(x+1)*(n+1)+1:][:n]
		for y := range row {
			row[y] = d*zero[y] - b[y]
		}
	}
	for i, v := range a.ones {
		a.matrix[i*(n+1)] = v
	}
}

// squarePower replaces the power of M by its square.
func (s *series) squarePower(ctx context.Context) error {
	n := len(s.p) + 1
	for i := len(s.parts) - 1; i > 0; i-- {
		// parts of greater weight first, because they need the others as they were
		a := &s.parts[i]
		if a.top {
			s.applyPart(a.ones, i, func(b int) []float64 { return s.parts[b].ones })
			continue
		}
		clear(s.memory)
		for _, pair := range append([][2]int{{0, i}, {i, 0}}, a.products...) {
			if err := linear.AddProduct(
				ctx,
				s.memory,
				s.parts[pair[0]].matrix,
				s.parts[pair[1]].matrix,
				n,
			); err != nil {
				return err
			}
		}
		dropTiny(s.memory)
		a.matrix, s.memory = s.memory, a.matrix
		for x := range n {
			a.ones[x] = a.matrix[x*n]
		}
	}
	if err := s.next.Multiply(ctx, s.power, s.power); err != nil {
		return err
	}
	s.power, s.next = s.next, s.power
	s.squares++
	s.orderZero()
	return nil
}

// dropTiny sets subnormal entries to zero, since arithmetic with them is slow: products would take
// forty times as long. They are remainders of what the chain has forgotten. Larger entries stay,
// however small they are relative to others: a state of probability 1e-250 has entries of 1e-125
// beside those of 1e125 that they are multiplied by.
func dropTiny(matrix []float64) {
	for i, v := range matrix {
		if math.Abs(v) < 0x1p-1022 {
			matrix[i] = 0
		}
	}
}

// applyPart replaces w, which is part i of a series of functions, by part i of M times that series.
// Its part zero is one, and the others are those that partOf returns.
func (s *series) applyPart(w []float64, i int, partOf func(b int) []float64) {
	copy(s.vector, s.parts[i].ones)
	s.addApplied(0, w)
	for _, pair := range s.parts[i].products {
		s.addApplied(pair[0], partOf(pair[1]))
	}
	copy(w, s.vector)
}

// addApplied adds part a of M times a function to the current vector.
func (s *series) addApplied(a int, w []float64) {
	n := len(w)
	blas64.Gemv(blas.NoTrans, 1, blas64.General{Rows: n, Cols: n, Stride: n, Data: s.parts[a].matrix},
		blas64.Vector{N: n, Inc: 1, Data: w}, 1, blas64.Vector{N: n, Inc: 1, Data: s.vector})
}

// powers squares M as often as the largest number of samples has binary digits and calls found with
// the parts of M^N 1 for each N of the question, given its place. Each N keeps a series of
// functions, to which a square is applied if N has that binary digit.
func (s *series) powers(ctx context.Context, q Question, found func(at int, w [][]float64)) error {
	all := make([][][]float64, len(q.N))
	for at := range all {
		all[at] = make([][]float64, len(s.parts))
		for i := range s.parts {
			all[at][i] = make([]float64, len(s.p)+1)
		}
	}
	digits := bits.Len64(uint64(q.N[len(q.N)-1]))
	for digit := range digits {
		for at, n := range q.N {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if n>>digit&1 == 0 {
				continue
			}
			for i := len(s.parts) - 1; i > 0; i-- {
				s.applyPart(all[at][i], i, func(b int) []float64 { return all[at][b] })
			}
		}
		if digit == digits-1 {
			break
		}
		if err := s.squarePower(ctx); err != nil {
			return err
		}
		if q.Progress != nil {
			q.Progress(1)
		}
	}
	for at := range all {
		found(at, all[at])
	}
	return nil
}

// relativeError returns about the relative error of the parts of M^N 1.
func (s *series) relativeError(samples int64) float64 {
	return linear.PowerRounding(len(s.p), bits.Len64(uint64(samples)))
}
