package kernel

import (
	"context"
	"iter"
	"math"
	"math/cmplx"

	"gonum.org/v1/gonum/mat"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/work"
	"breadboard/exact/internal/linear"
)

// form is a transition matrix T on the states of positive probability as a similar matrix S. S acts
// on vectors v = h sqrt(p) with the Euclidean norm, where T acts on functions h with the mean
// square <h, h>: S(x,y) = sqrt(p(x)/p(y)) T(x,y). The known vector psi = sqrt(p) has S psi = psi.
// If T is reversible S is symmetric, and its entries are sqrt(T(x,y) T(y,x)), which neither
// overflow nor need p. It takes O(entries of T) time and memory.
//
// Source: Levin, Peres and Wilmer 2009, Lemma 12.2.
type form struct {
	reversible bool
	psi        []float64
	leave      []float64 // the probability to leave each state, as the sum of the entries off the diagonal
	stay       []float64 // the diagonal
	start      []int     // the entries off the diagonal of row x are those from start[x] up to start[x+1]
	to         []int32
	s          []float64 // S off the diagonal
	root       []float64 // the square roots of T off the diagonal
	// imbalance is the largest difference of log(p(x) T(x,y)) and log(p(y) T(y,x)) if T is
	// reversible. The entries of S, and so all quadratic forms, differ by no more than a part of
	// that size from those of a kernel whose rounded entries these are.
	imbalance float64
	direct    direct
}

// newForm returns the form of the rows on the states of positive probability. The columns are those
// of the rows (see transpose). It finds out whether T is reversible (see reversible).
func (d *Diagnosis) newForm(ctx context.Context, into *columns) (*form, error) {
	rows, logf, on := d.rows, d.logf, d.on
	imbalance, reversible, err := imbalanceOf(ctx, rows, into, logf, on)
	if err != nil {
		return nil, err
	}
	if !reversible {
		imbalance = 0 // without a meaning if the flows need not be equal
	}
	n := len(on)
	place := make([]int32, len(logf))
	for x := range place {
		place[x] = -1
	}
	for i, x := range on {
		place[x] = int32(i)
	}
	f := &form{
		reversible: reversible,
		imbalance:  imbalance,
		psi:        make([]float64, n),
		leave:      make([]float64, n),
		stay:       make([]float64, n),
		start:      make([]int, 1, n+1),
		to:         make([]int32, 0, len(rows.Entries)),
		s:          make([]float64, 0, len(rows.Entries)),
		root:       make([]float64, 0, len(rows.Entries)),
	}
	back := make([]float64, len(logf))
	for i, x := range on {
		if i%looks == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		f.psi[i] = math.Exp((logf[x] - d.logZ) / 2)
		into.scatter(back, x)
		for _, e := range rows.Row(x) {
			j := place[e.To]
			switch {
			case e.To == x:
				f.stay[i] += e.P
			case j >= 0:
				f.leave[i] += e.P
				root := math.Sqrt(e.P)
				s := root * math.Sqrt(back[e.To])
				if !reversible {
					s = sizedExp(e.P, (logf[x]-logf[e.To])/2)
				}
				f.to, f.s, f.root = append(f.to, j), append(f.s, s), append(f.root, root)
			}
		}
		into.clearColumn(back, x)
		f.start = append(f.start, len(f.to))
	}
	scaleTo(f.psi, 1/linear.Norm(f.psi))
	return f, nil
}

// looks is the number of rows after which a loop over rows checks its context.
const looks = 1 << 10

// sizedExp returns p exp(d) for a product that is in range even if exp(d) is not.
func sizedExp(p, d float64) float64 {
	if math.Abs(d) < 300 {
		return p * math.Exp(d)
	}
	return math.Exp(number.Log(p) + d)
}

func scaleTo(v []float64, s float64) {
	for i := range v {
		v[i] *= s
	}
}

// n returns the number of states of positive probability.
func (f *form) n() int { return len(f.psi) }

// longest returns the largest number of entries off the diagonal of a row.
func (f *form) longest() (entries int) {
	for x := range f.psi {
		entries = max(entries, f.start[x+1]-f.start[x])
	}
	return entries
}

// space returns the space of vectors orthogonal to sqrt(p), and to all others of a list.
func (f *form) space(others ...[]float64) linear.Space {
	return linear.Space{N: f.n(), Without: append([][]float64{f.psi}, others...)}
}

// applyMinus writes (I - S) v to dst.
func (f *form) applyMinus(dst, v []float64) {
	for x := range dst {
		total := float64(f.leave[x] * v[x])
		first := f.start[x]
		end := f.start[x+1]
		s := f.s[first:end]
		for i, y := range f.to[first:end] {
			total -= float64(s[i] * v[y])
		}
		dst[x] = total
	}
}

// applyPlus writes (I + S) v to dst.
func (f *form) applyPlus(dst, v []float64) {
	f.applyMinus(dst, v)
	for x, a := range v {
		dst[x] = 2*a - dst[x]
	}
}

// belowBoth writes (I - (S + S')/2) v to dst, where S' is the transpose: that is the form of the
// additive reversibilisation (T + R)/2, for R the time reversal of T.
func (f *form) belowBoth(dst, v []float64) {
	for x, a := range v {
		dst[x] = float64(f.leave[x] * a)
	}
	for x, a := range v {
		half := a / 2
		total := 0.0
		for i := f.start[x]; i < f.start[x+1]; i++ {
			y := f.to[i]
			total += float64(f.s[i] * v[y])
			dst[y] -= float64(f.s[i] * half)
		}
		dst[x] -= total / 2
	}
}

// energy returns <v, (I - S) v> for a reversible T, and energyAbove <v, (I + S) v>. Both are sums
// of squares, and so have all their digits even if they are small: (I - S) is the sum over pairs of
// states of the squares of sqrt(T(x,y)) v(x) - sqrt(T(y,x)) v(y), the Dirichlet form.
func (f *form) energy(v []float64) float64 { return f.squares(v, -1) }

func (f *form) energyAbove(v []float64) float64 {
	total := f.squares(v, 1)
	for x, a := range v {
		total += 2 * f.stay[x] * a * a
	}
	return total
}

func (f *form) squares(v []float64, sign float64) float64 {
	var total number.Sum
	for x, a := range v {
		row := 0.0
		for i := f.start[x]; i < f.start[x+1]; i++ {
			root := f.root[i]
			d := float64(root*a) + sign*(f.s[i]/root)*v[f.to[i]]
			part := d * d
			if f.s[i] != 0 {
				part /= 2 // the entry of the way back has the other half
			}
			row += part
		}
		total.Add(row)
	}
	return total.Value()
}

// watched returns an operator that checks a context before each product.
func watched(ctx context.Context, apply func(dst, v []float64)) linear.Operator {
	return func(dst, v []float64) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		apply(dst, v)
		return nil
	}
}

// columns holds the entries of a matrix by the state that they lead to.
type columns struct {
	start []int
	from  []int32   // for column y: the states x that its entries come from
	p     []float64 // and T(x,y)
}

// transpose returns the columns of rows. Time and memory are O(entries).
func transpose(ctx context.Context, rows *Rows) (*columns, error) {
	n := rows.States()
	c := &columns{make([]int, n+1), make([]int32, len(rows.Entries)), make([]float64, len(rows.Entries))}
	for _, e := range rows.Entries {
		c.start[e.To+1]++
	}
	for y := range n {
		c.start[y+1] += c.start[y]
	}
	place := append([]int(nil), c.start[:n]...)
	for x := range n {
		if x%looks == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for _, e := range rows.Row(x) {
			c.from[place[e.To]], c.p[place[e.To]] = int32(x), e.P
			place[e.To]++
		}
	}
	return c, nil
}

// column yields the entries that lead to y.
func (c *columns) column(y int) iter.Seq[chains.Entry] {
	return func(yield func(chains.Entry) bool) {
		for i := c.start[y]; i < c.start[y+1] && yield(chains.Entry{To: int(c.from[i]), P: c.p[i]}); i++ {
		}
	}
}

// scatter writes T(x,y) for the given y to dense[x], for every x, and clear makes these numbers
// zero again.
func (c *columns) scatter(dense []float64, y int) {
	for e := range c.column(y) {
		dense[e.To] = e.P
	}
}

func (c *columns) clearColumn(dense []float64, y int) {
	for e := range c.column(y) {
		dense[e.To] = 0
	}
}

// reversibleTolerance is the largest relative difference of a flow and the flow back of a kernel
// whose eigenvalues are taken to be real. An absolute tolerance would let any kernel on a sharply
// peaked distribution pass as reversible.
const reversibleTolerance = 1e-9

// imbalanceOf returns the largest absolute difference of the logarithms of a flow and the flow back
// between two states of a list, and whether the kernel is reversible: no difference is above
// reversibleTolerance. An entry without an entry back counts as reversible only if the entry back
// is below Tiny, so that float64 may not hold it.
func imbalanceOf(ctx context.Context, rows *Rows, into *columns, logf []float64,
	on []int) (largest float64, reversible bool, err error) {
	back := make([]float64, len(logf))
	for i, x := range on {
		if i%looks == 0 && ctx.Err() != nil {
			return 0, false, ctx.Err()
		}
		into.scatter(back, x)
		for _, e := range rows.Row(x) {
			if e.To == x || e.P == 0 {
				continue
			}
			there := back[e.To]
			if there == 0 {
				if number.Log(e.P)+logf[x]-logf[e.To] >= number.Log(Tiny) {
					return math.Inf(1), false, nil
				}
				continue
			}
			off := math.Abs(number.LogRatio(e.P, there) + logf[x] - logf[e.To])
			if !(off <= reversibleTolerance) {
				return off, false, nil
			}
			largest = max(largest, off)
		}
		into.clearColumn(back, x)
	}
	return largest, true, nil
}

// Reversible reports whether rows are reversible under the distribution of logf: whether every flow
// p(x) T(x,y) equals the reverse flow to a relative 1e-9. Flows that float64 cannot hold count as
// balanced. Time is O(entries).
func Reversible(ctx context.Context, rows *Rows, logf []float64) (bool, error) {
	into, err := transpose(ctx, rows)
	if err != nil {
		return false, err
	}
	var on []int
	for x, v := range logf {
		if !math.IsInf(v, -1) {
			on = append(on, x)
		}
	}
	_, reversible, err := imbalanceOf(ctx, rows, into, logf, on)
	return reversible, err
}

// symmetric returns the rows up to the diagonal of sqrt(p(x)/p(y)) T(x,y), for a reversible T on
// the states of positive probability.
func (d *Diagnosis) symmetric(into *columns) [][]float64 {
	n := len(d.on)
	rows := make([][]float64, n)
	entries := make([]float64, n*(n+1)/2)
	place := make([]int, d.States)
	back := make([]float64, d.States)
	for i, x := range d.on {
		place[x] = i + 1
		rows[i], entries = entries[:i+1], entries[i+1:]
		into.scatter(back, x)
		for _, e := range d.rows.Row(x) {
			if j := place[e.To]; j > 0 { // states that come later have no place yet
				rows[i][j-1] = math.Sqrt(e.P * back[e.To]) // = sqrt(p_i/p_j) T_ij
			}
		}
		into.clearColumn(back, x)
	}
	return rows
}

// matrix returns T restricted to the states of positive probability.
func (d *Diagnosis) matrix() *mat.Dense {
	index := make(map[int]int, len(d.on))
	for i, x := range d.on {
		index[x] = i
	}
	m := mat.NewDense(len(d.on), len(d.on), nil)
	for i, x := range d.on {
		for _, e := range d.rows.Row(x) {
			if j, ok := index[e.To]; ok {
				m.Set(i, j, e.P)
			}
		}
	}
	return m
}

// denseSpectrum finds the second eigenvalue from all eigenvalues. If T is reversible it computes
// those of the symmetric matrix sqrt(p(x)/p(y)) T(x,y), which has the same ones, because these are
// accurate; else those of T.
func (d *Diagnosis) denseSpectrum(ctx context.Context, into *columns) error {
	_, reversible, err := imbalanceOf(ctx, d.rows, into, d.logf, d.on)
	if err != nil {
		return err
	}
	values, err := d.eigenvalues(ctx, into, reversible)
	if err != nil {
		return err
	}
	// The eigenvalue nearest to one belongs to p; the largest of the others is the second.
	first := 0
	for i, v := range values {
		if cmplx.Abs(v-1) < cmplx.Abs(values[first]-1) {
			first = i
		}
	}
	second := complex(0, 0)
	for i, v := range values {
		if i != first && cmplx.Abs(v) > cmplx.Abs(second) {
			second = v
		}
	}
	d.SecondEigen, d.SpectralGap = second, 1-cmplx.Abs(second)
	if reversible { // the rounding of the entries and of a symmetric solver is some 2^-52 for each row
		d.GapError = float64(len(d.on)+1) * 0x1p-51
		d.GapFloor = max(0, d.SpectralGap-d.GapError)
	}
	return nil
}

// eigenvalues returns the eigenvalues of T on the states of positive probability, given whether it
// is reversible.
func (d *Diagnosis) eigenvalues(ctx context.Context, into *columns,
	reversible bool) (values []complex128, err error) {
	if !reversible {
		m := d.matrix()
		e := mat.Eigen{}
		found := false
		err = work.Unless(ctx, func() { found = e.Factorize(m, mat.EigenNone) })
		if err != nil {
			return nil, err
		}
		if !found {
			return nil, linear.ErrEigenvalues
		}
		return e.Values(nil), nil
	}
	real, err := linear.Eigenvalues(d.symmetric(into), ctx.Err)
	for _, v := range real {
		values = append(values, complex(v, 0))
	}
	return values, err
}
