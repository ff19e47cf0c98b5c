package kernel

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/exact/internal/linear"
)

const (
	// mostEntries is the largest number of entries of a matrix that is diagnosed, and
	// diagnosedBytes the memory that one of them takes, as an entry of its row, of its column and
	// of the form S.
	mostEntries    = 1 << 26
	diagnosedBytes = 16 + 12 + 20
)

// checkMatrix fails if the matrix of a kernel would have too many entries, before memory for them
// is allocated. It makes the rows of three states, and assumes that all rows are as long as the
// longest of them.
func checkMatrix(ctx context.Context, k chains.Kernel, logf []float64) error {
	n := len(logf)
	if n <= DenseStates {
		return nil
	}
	longest := 0.0
	for _, x := range []int{0, n / 2, n - 1} {
		if rower, closed := k.(chains.Rower); closed {
			w := chains.RowWorkOf(rower, logf, x)
			longest = max(longest, w.Entries+w.Parts/float64(n))
			continue
		}
		row, _, err := Row(ctx, k, logf, x)
		if err != nil {
			return err
		}
		longest = max(longest, float64(len(row)))
	}
	return checkSize(k, n, size{"rows", "entries", longest * float64(n), diagnosedBytes, mostEntries * diagnosedBytes})
}

// Proven reports whether GapFloor, if it is a number, is certain; otherwise it may fail with
// probability MissRisk.
func (d *Diagnosis) Proven() bool { return d.large == nil }

// sparseSpectrum finds the second eigenvalue of a reversible kernel by Lanczos.
func (d *Diagnosis) sparseSpectrum(ctx context.Context, into *columns) (err error) {
	if d.large == nil {
		d.large, err = d.newForm(ctx, into)
		if err != nil {
			return err
		}
	}
	d.SpectralGap, d.SecondEigen, d.GapError, d.GapFloor = unknown()
	if !d.large.reversible {
		d.GapMissing = fmt.Sprintf(
			"not computed above %d states, because the kernel is not reversible; a smaller space or a "+
				"reversible kernel has one",
			DenseStates,
		)
		return nil
	}
	up, down, err := d.large.spectralEnds(ctx, d.Period)
	if err != nil {
		return err
	}
	d.upper = up
	d.known = true
	gap := up
	d.SecondEigen = complex(1-up.value, 0)
	if down.value < up.value {
		gap = down
		d.SecondEigen = complex(down.value-1, 0)
	}
	d.SpectralGap = gap.value
	if gap == (lowest{}) { // of period two
		d.GapError = 0
		d.GapFloor = 0
		return nil
	}
	// The entries of the rows are rounded, and the gap of a reversible kernel changes by no larger
	// part than they do. The residual is itself rounded in every term of a row.
	rounded := gap.value*d.large.imbalance + float64(d.large.longest()+4)*0x1p-52
	d.GapError = gap.residual + rounded
	d.GapFloor = max(0, min(up.floor, down.floor)-rounded)
	return nil
}

// prepareLarge makes the data for sparseVariance that sparseSpectrum has not made.
func (d *Diagnosis) prepareLarge(ctx context.Context) error {
	if d.large == nil {
		into, err := transpose(ctx, d.rows)
		if err != nil {
			return err
		}
		d.large, err = d.newForm(ctx, into)
		if err != nil {
			return err
		}
	}
	if d.known {
		return nil
	}
	upper, err := d.large.up(ctx)
	if err != nil {
		return err
	}
	d.upper = upper
	d.known = true
	return nil
}

// sparseVariance adds the asymptotic variance of a function, less its mean, to its stationary one.
// With c and h turned into vectors by a factor of sqrt(p), h solves (I - S) h = c, and the
// asymptotic variance is 2 <c, h> - <c, c>. For any approximate h, and its residual r = c - (I - S)
// h:
//
//   - if S is symmetric, <c, (I - S)^-1 c> = 2 <c, h> - <h, (I - S) h> + <r, (I - S)^-1 r>, where
//     the last term is from 0 to |r|^2 / m, for m the smallest eigenvalue of I - S. So a lower and
//     an upper bound are known for any h. (In exact arithmetic the lower one is Gauss quadrature,
//     see linear.Conjugate.)
//   - else the error of <c, h> is <c, (I - S)^-1 r>, at most |c| |r| / m, for m the smallest eigenvalue of the symmetric
//     part of I - S, because |u| |(I - S) u| >= <u, (I - S) u> >= m |u|^2.
func (d *Diagnosis) sparseVariance(ctx context.Context, c []float64, out Variance) (Variance, error) {
	if err := d.prepareLarge(ctx); err != nil {
		return Variance{}, err
	}
	f := d.large
	v := make([]float64, len(c))
	for i, a := range c {
		v[i] = f.psi[i] * a
	}
	f.space().Project(v)
	out.Stationary = number.Dot(v, v) // sums over many states lose digits in the probabilities themselves
	solve := d.conjugate
	if !f.reversible {
		solve = d.gmres
	}
	value, left, err := solve(ctx, v)
	if err != nil {
		return Variance{}, err
	}
	out.Asymptotic = 2*value - out.Stationary
	rounded := (f.imbalance + 0x1p-50) * (2*math.Abs(value) + out.Stationary)
	out.Bound = 2*left + rounded
	out.Error = over(out.Bound, math.Abs(out.Asymptotic))
	out.Autocorrelation = out.Asymptotic / out.Stationary
	return out, nil
}

// variancePrecision is the relative error of a variance at which its system counts as solved.
const variancePrecision = 1e-14

// conjugate returns a lower bound of <c, (I - S)^-1 c> for a symmetric S, and a bound on its error.
func (d *Diagnosis) conjugate(ctx context.Context, c []float64) (value, lacks float64, err error) {
	f := d.large
	apply := watched(ctx, f.applyMinus)
	h := make([]float64, len(c))
	if f.direct.below != nil {
		f.solveBelow(h, c)
	} else {
		rate := max(d.upper.floor, d.upper.value/4)
		h, err = linear.Conjugate(
			apply,
			f.space(),
			c,
			int(lowestWork/f.stepEntries()),
			func(square, product float64) bool {
				return square <= variancePrecision*rate*product
			},
		)
		if err != nil {
			return 0, 0, err
		}
	}
	square, err := residualOf(apply, f.space(), c, h)
	if err != nil {
		return 0, 0, err
	}
	return 2*number.Dot(c, h) - f.energy(h), over(square, d.upper.floor), nil
}

// gmres returns <c, (I - S)^-1 c> for an S that is not symmetric, and a bound on its error.
func (d *Diagnosis) gmres(ctx context.Context, c []float64) (value, off float64, err error) {
	f := d.large
	apply := watched(ctx, f.applyMinus)
	length := linear.Norm(c)
	rate := max(d.upper.floor, d.upper.value/4)
	work := f.stepEntries() + 160*float64(f.n()) // each step is made orthogonal to up to forty vectors, twice
	h, err := linear.GMRES(apply, f.space(), c, int(lowestWork/work), length*max(0x1p-50, 1e-12*rate))
	if err != nil {
		return 0, 0, err
	}
	square, err := residualOf(apply, f.space(), c, h)
	if err != nil {
		return 0, 0, err
	}
	return number.Dot(c, h), length * over(math.Sqrt(square), d.upper.floor), nil
}

// residualOf returns the square of the length of c - A h.
func residualOf(apply linear.Operator, space linear.Space, c, h []float64) (float64, error) {
	r := make([]float64, len(h))
	if err := apply(r, h); err != nil {
		return 0, err
	}
	for i, v := range c {
		r[i] = v - r[i]
	}
	space.Project(r)
	return linear.Dot(r, r), nil
}

// over returns a/b, which is zero if a is.
func over(a, b float64) float64 {
	if a == 0 {
		return 0
	}
	return a / b
}

// direct solves the linear systems of a form by elimination, if its states have an order in which
// moves are short, as on a line, a ring or a plane. It is for chains on which Lanczos would take
// too many steps: those of many states in few dimensions.
type direct struct {
	known bool
	graph linear.Graph
	order []int32
	width int
	below *linear.Factor // of I - S; nil if the states have no such order
	work  float64        // about the number of entries that one solution processes
}

// factor finds the order, and factors I - S if that fits.
func (f *form) factor(ctx context.Context) (err error) {
	d := &f.direct
	if d.known {
		return nil
	}
	d.known = true
	d.graph = linear.Graph{Start: f.start, To: f.to}
	d.order, d.width = linear.Order(d.graph)
	if len(d.order) < f.n() || !linear.Fits(f.n(), d.width) {
		return nil
	}
	d.work = float64(2 * f.n() * (d.width + 8))
	d.below, err = linear.NewBanded(d.graph, f.s, f.psi, nil, d.order, d.width, ctx.Err)
	return err
}

// solveBelow writes the solution of (I - S) h = c on the space orthogonal to sqrt(p) to dst.
func (f *form) solveBelow(dst, c []float64) {
	f.direct.below.Solve(dst, c)
	f.space().Project(dst)
}

// solverAbove returns a solver of the systems of I + S by elimination, nil if that does not fit, or
// if the graph of moves between different states is not bipartite. If it is bipartite, flipping the
// signs of the states of one colour makes I + S the matrix of a chain that is killed at the rate 2
// T(x,x).
func (f *form) solverAbove(ctx context.Context) (linear.Operator, error) {
	d := f.direct
	if d.below == nil {
		return nil, nil
	}
	colours, two := linear.Colours(d.graph)
	if !two {
		return nil, nil
	}
	killing := make([]float64, f.n())
	for x, p := range f.stay {
		killing[x] = 2 * p
	}
	factor, err := linear.NewBanded(d.graph, f.s, f.psi, killing, d.order, d.width, ctx.Err)
	if err != nil || factor == nil {
		return nil, err
	}
	turned := make([]float64, f.n())
	return watched(ctx, func(dst, c []float64) {
		for x, v := range c {
			turned[x] = v * colours[x]
		}
		factor.Solve(dst, turned)
		for x := range dst {
			dst[x] *= colours[x]
		}
		f.space().Project(dst)
	}), nil
}
