package kernel

import (
	"context"
	"fmt"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
)

const (
	// MaxDiagnosisStates is the largest number of states that Diagnose accepts.
	MaxDiagnosisStates = 1 << 16
	// DenseStates is the largest number of states for which Diagnose computes all eigenvalues of
	// the full matrix and solves linear systems by elimination, which take O(states^3). Beyond it
	// Diagnose uses methods that only multiply by the entries of the matrix, and bounds their
	// errors.
	DenseStates = 1024
	// cancelled is the bound of an asymptotic variance, relative to the stationary one, up to which
	// it counts as zero if the bound reaches zero.
	cancelled = 1e-9
)

// Diagnosis is the result of Diagnose for a kernel T under one distribution p. Each largest
// violation comes with its state or pair of states.
type Diagnosis struct {
	States int // the number of states

	Remainder float64 // the largest probability that enumeration left out of a row (see Row)
	// the mean under p of the probability that enumeration left out: the sum of all flows is too
	// small by at most that
	Missing float64

	RowSum   float64 // largest |sum_y T(x,y) - 1|
	RowSumAt int     // the x where it is
	// Invariance is the largest |(p T)(y) - p(y)|.
	Invariance   float64
	InvarianceAt int       // the y where it is
	Defect       []float64 // (p T)(y) - p(y) for every y
	// Balance is the largest |p(x) T(x,y) - p(y) T(y,x)|, which is zero for a reversible kernel. It
	// must be zero for a kernel of the library that states no time reversal R. If a kernel states
	// R, Reversal must be zero, the largest |p(x) T(x,y) - p(y) R(y,x)|. If a kernel from elsewhere
	// states none, its reversal is found from its rows, and neither need be zero.
	Balance     float64
	BalanceAt   [2]int // the x and y where it is
	OfLibrary   bool   // whether the kernel is of the library
	HasReversal bool   // whether the kernel states its time reversal
	Reversal    float64
	ReversalAt  [2]int // the x and y where it is
	// the number of communicating classes of states of positive probability; 1 is irreducible
	Classes int
	// the number of the class of each state, in the order of their first states; -1 for a state of
	// probability zero
	ClassOf     []int32
	ClassMasses []float64  // the probability of each class, the largest first
	Period      int        // the period of the class that holds the likeliest state
	SpectralGap float64    // 1 - |SecondEigen|; NaN if T is not irreducible, or for the reason in GapMissing
	SecondEigen complex128 // the eigenvalue of largest modulus apart from the eigenvalue one of p
	// GapError is a bound for SpectralGap: some eigenvalue other than that of p is within GapError
	// of SecondEigen. On up to DenseStates states it is a bound on the rounding of the eigenvalues
	// of a symmetric matrix, and so on the error of the gap itself. Beyond that it is the residual
	// of the eigenvector that was found. This proves that there is such an eigenvalue, but not that
	// there is none of larger modulus. It is NaN for kernels that are not reversible, whose
	// eigenvalues have no general bound.
	GapError float64
	// GapFloor is a lower bound of the gap. On up to DenseStates states it is SpectralGap -
	// GapError. Beyond that no eigenvalue leaves a smaller gap, except with the probability
	// MissRisk over the directions in which the search may start; see linear.Missed in the internal
	// packages for the bound. NaN if GapError is.
	GapFloor   float64
	GapMissing string // why there is no spectral gap of an irreducible kernel; else empty

	question
	memory
}

// question is what is diagnosed: the rows of a kernel and a distribution.
type question struct {
	rows       *Rows
	logf       []float64
	logZ       float64
	invariantP []float64 // p
	on         []int     // the states of positive probability
}

// memory is what a diagnosis keeps between the calls of AsymptoticVariance, once it is needed.
type memory struct {
	poisson *poisson // on up to DenseStates states
	large   *form    // beyond them, or for a quick diagnosis
	upper   lowest   // the smallest eigenvalue of I - S, or of its symmetric part
	known   bool     // whether upper is known
}

// Option changes how Diagnose finds the spectral gap.
type Option int

// Quick is for the spectral gaps of many kernels: above 128 states the gap of a reversible kernel
// is computed as on a large space, in milliseconds. GapError, GapFloor and Proven describe its
// error. Small gaps keep more of their digits. For a kernel that is not reversible the option saves
// no time.
const Quick Option = 1

// quickStates is the largest number of states for which a quick diagnosis computes all eigenvalues
// of a reversible kernel, which takes about a millisecond there.
const quickStates = 128

// Diagnose examines a kernel under logf. It fails if the rows of the kernel cannot be found (see
// NewRows), for spaces of more than MaxDiagnosisStates, and for matrices of more than some 67
// million entries. Rows that do not sum to one are not an error, but part of the result.
//
// On up to DenseStates states time is O(states^3). If the context ends Diagnose returns at once;
// for a kernel that is not reversible an abandoned goroutine may then continue to compute the
// eigenvalues for some seconds, because that computation cannot be interrupted. Beyond that, time
// is O(entries) for all but the spectral gap of a reversible kernel, and for that some entries /
// sqrt(gap), at most about a minute; it checks the context at every product of matrix and vector.
// The spectral gap of a kernel that is not reversible is not computed there.
func Diagnose(ctx context.Context, k chains.Kernel, logf []float64, options ...Option) (*Diagnosis, error) {
	d, into, err := examineRows(ctx, k, logf)
	if err != nil {
		return nil, err
	}
	dense := DenseStates
	if slices.Contains(options, Quick) {
		dense = quickStates
	}
	return d, d.spectrum(ctx, into, dense)
}

// examineRows computes everything but the spectrum of a kernel, and returns the columns of its
// rows.
func examineRows(ctx context.Context, k chains.Kernel, logf []float64) (*Diagnosis, *columns, error) {
	if len(logf) > MaxDiagnosisStates {
		return nil, nil, errs.New("%d states; a diagnosis takes at most %d", len(logf), MaxDiagnosisStates)
	}
	if err := checkMatrix(ctx, k, logf); err != nil {
		return nil, nil, err
	}
	d := newDiagnosis(&Rows{tolerance: math.Inf(1)}, logf)
	if err := d.rows.readKernel(ctx, k, logf); err != nil {
		return nil, nil, err
	}
	for x, r := range d.rows.remainders {
		d.Remainder = max(d.Remainder, r)
		d.Missing += r * d.invariantP[x]
	}
	d.findWorstSum()
	d.invariance()
	into, err := transpose(ctx, d.rows)
	if err != nil {
		return nil, nil, err
	}
	d.OfLibrary = chains.OfLibrary(k)
	reversal := d.rows
	intoReversal := into
	stated, ok := chains.ReversalOf(k)
	_, d.HasReversal = k.(chains.Reverser)
	if d.HasReversal && ok {
		reversal = &Rows{tolerance: math.Inf(1)}
		if err := reversal.readKernel(ctx, stated, logf); err != nil {
			return nil, nil, fmt.Errorf("time reversal: %w", err)
		}
		intoReversal, err = transpose(ctx, reversal)
		if err != nil {
			return nil, nil, err
		}
	} else {
		d.HasReversal = false // it is a combination, and one of its parts states no reversal
	}
	d.Balance, d.BalanceAt, err = d.flows(ctx, d.rows, into, into)
	if err != nil {
		return nil, nil, err
	}
	d.Reversal = d.Balance
	d.ReversalAt = d.BalanceAt
	if d.HasReversal {
		d.Reversal, d.ReversalAt, err = d.flows(ctx, reversal, into, intoReversal)
		if err != nil {
			return nil, nil, err
		}
	}
	if err := d.classes(ctx, into); err != nil {
		return nil, nil, err
	}
	d.SpectralGap, d.SecondEigen, d.GapError, d.GapFloor = unknown()
	return d, into, nil
}

// newDiagnosis returns a diagnosis with only the distribution set.
func newDiagnosis(rows *Rows, logf []float64) *Diagnosis {
	d := &Diagnosis{
		States:   len(logf),
		question: question{rows: rows, logf: slices.Clone(logf), logZ: number.LogSumExp(logf)},
	}
	d.invariantP = make([]float64, len(logf))
	for x, v := range logf {
		d.invariantP[x] = math.Exp(v - d.logZ)
		if !math.IsInf(v, -1) { // also if p underflows
			d.on = append(d.on, x)
		}
	}
	return d
}

// spectrum finds the second eigenvalue and the spectral gap of an irreducible kernel. The columns
// are those of its rows. On up to DenseStates states it computes all eigenvalues, of a reversible
// kernel only on up to the given number of states.
func (d *Diagnosis) spectrum(ctx context.Context, into *columns, dense int) error {
	n := len(d.on)
	if d.Classes != 1 || n < 2 {
		return nil
	}
	if n > dense && n <= DenseStates {
		_, reversible, err := imbalanceOf(ctx, d.rows, into, d.logf, d.on)
		if err != nil {
			return err
		}
		if !reversible {
			dense = DenseStates
		}
	}
	if n <= dense {
		return d.denseSpectrum(ctx, into)
	}
	return d.sparseSpectrum(ctx, into)
}

// unknown returns the values for an unknown spectral gap.
func unknown() (gap float64, second complex128, off, floor float64) {
	nan := math.NaN()
	return nan, complex(nan, 0), nan, nan
}

// Row returns the entries of row x, which must not be changed.
func (d *Diagnosis) Row(x int) []chains.Entry { return d.rows.Row(x) }

// findWorstSum finds the row with the sum farthest from one.
func (d *Diagnosis) findWorstSum() {
	for x := range d.States {
		total := 0.0
		for _, e := range d.rows.Row(x) {
			total += e.P
		}
		if off := math.Abs(total - 1); off > d.RowSum {
			d.RowSum = off
			d.RowSumAt = x
		}
	}
}

// invariance finds by how much one move changes the probability of each state.
func (d *Diagnosis) invariance() {
	moved := make([]number.Sum, d.States)
	for x, p := range d.invariantP {
		for _, e := range d.rows.Row(x) {
			moved[e.To].Add(p * e.P)
		}
	}
	d.Defect = make([]float64, d.States)
	for y, p := range d.invariantP {
		d.Defect[y] = moved[y].Value() - p
		if off := math.Abs(d.Defect[y]); off > d.Invariance {
			d.Invariance = off
			d.InvarianceAt = y
		}
	}
}

// LargestShare returns the largest |Defect| relative to the probability of its state.
func (d *Diagnosis) LargestShare() (share float64) {
	for y, p := range d.invariantP {
		if off := math.Abs(d.Defect[y]); off > 0 {
			share = max(share, off/p)
		}
	}
	return share
}

// flows returns the largest difference between the flow from x to y and the flow back by the given
// reversal, and where it is. The columns are those of the rows and of the reversal. Time is
// O(entries).
func (d *Diagnosis) flows(ctx context.Context, reversal *Rows,
	into, intoReversal *columns) (worst float64, at [2]int, err error) {
	check := func(x, y int, there, back float64) {
		if off := math.Abs(there - back); off > worst {
			worst = off
			at = [2]int{x, y}
		}
	}
	dense := make([]float64, d.States)
	for x, p := range d.invariantP {
		if x%looks == 0 && ctx.Err() != nil {
			return 0, at, ctx.Err()
		}
		intoReversal.scatter(dense, x)
		for _, e := range d.rows.Row(x) {
			check(x, e.To, p*e.P, d.invariantP[e.To]*dense[e.To])
		}
		intoReversal.clearColumn(dense, x)
		into.scatter(dense, x)
		for _, e := range reversal.Row(x) { // this also finds flows back without a forward flow
			check(e.To, x, d.invariantP[e.To]*dense[e.To], p*e.P)
		}
		into.clearColumn(dense, x)
	}
	return worst, at, nil
}

// Variance describes the accuracy of the time average of a function of the state under a kernel.
// The variance of an average over n moves is about Asymptotic / n.
type Variance struct {
	Stationary float64 // the variance of the function under p
	Asymptotic float64 // C(0) + 2 sum over k >= 1 of C(k), for C(k) the covariance at lag k
	// the integrated autocorrelation time, Asymptotic / Stationary; NaN for a constant
	Autocorrelation float64
	// Error is Bound relative to Asymptotic, and 0 if that is 0.
	Error float64
	// Bound is a bound on the error of Asymptotic, which can exceed its size if the
	// autocorrelations cancel. On up to DenseStates states it bounds the rounding error, given that
	// the off-diagonal entries of the matrix are right up to their last place; a small spectral gap
	// costs no digits. Beyond that it bounds the error of the solution, from its residual and from
	// a lower bound of the spectral gap, which fails with probability at most MissRisk; it is
	// infinite if no such lower bound is known.
	Bound float64
}

// AsymptoticVariance returns the variances of g, which holds one value for each state. They are
// exact: with c = g minus its mean under p, and h a solution of (I - T) h = c, the asymptotic
// variance is 2 <c, h> - <c, c>, where <.,.> is the mean of the product under p. It fails if the
// kernel is not irreducible. The result has no meaning if the kernel does not leave p invariant. If
// the context ends it returns at once, as Diagnose does. On up to DenseStates states time is
// O(states^3) for the first call on a Diagnosis, and O(states^2) for others. Beyond that it is
// about entries / sqrt(gap) for a reversible kernel, and the solution is found by conjugate
// gradients; else it is found by GMRES, in up to entries / gap.
//
// Source: Kemeny and Snell 1960, theorem 4.6.3.
func (d *Diagnosis) AsymptoticVariance(ctx context.Context, g []float64) (Variance, error) {
	if d.Classes != 1 {
		return Variance{}, errs.New(
			"the kernel has %d classes; time averages do not converge to the mean under the whole distribution",
			d.Classes,
		)
	}
	out, centred := d.centred(g)
	var err error
	if len(d.on) <= DenseStates {
		out, err = d.denseVariance(ctx, g, centred, out)
	} else {
		out, err = d.sparseVariance(ctx, centred, out)
	}
	// The asymptotic variance of an alternating chain may be zero, and rounding may make it
	// negative.
	if math.Abs(out.Asymptotic) <= out.Bound && out.Bound <= cancelled*out.Stationary {
		out.Asymptotic = 0
		out.Autocorrelation = 0
		out.Error = 0
	}
	return out, err
}

// centred returns g less its mean for the states of positive probability, and its stationary
// variance.
func (d *Diagnosis) centred(g []float64) (out Variance, centred []float64) {
	var sum number.Sum
	for _, x := range d.on {
		sum.Add(d.invariantP[x] * g[x])
	}
	mean := sum.Value()
	centred = make([]float64, len(d.on))
	for i, x := range d.on {
		c := g[x] - mean
		centred[i] = c
		out.Stationary += d.invariantP[x] * c * c
	}
	return out, centred
}

// ForVariances returns a diagnosis for AsymptoticVariance only, of rows that leave the distribution
// of logf invariant. Time is O(entries).
func ForVariances(ctx context.Context, rows *Rows, logf []float64) (*Diagnosis, error) {
	d := newDiagnosis(rows, logf)
	into, err := transpose(ctx, rows)
	if err != nil {
		return nil, err
	}
	return d, d.classes(ctx, into)
}

// VarianceOf is AsymptoticVariance of g for rows that leave the distribution of logf invariant.
func VarianceOf(ctx context.Context, rows *Rows, logf, g []float64) (Variance, error) {
	d, err := ForVariances(ctx, rows, logf)
	if err != nil {
		return Variance{}, err
	}
	return d.AsymptoticVariance(ctx, g)
}
