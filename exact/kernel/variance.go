package kernel

import (
	"context"
	"fmt"
)

// Variance says how accurate the time average of a function of the state is under a kernel. The variance of an average
// over n moves is about Asymptotic / n.
type Variance struct {
	Stationary      float64 // the variance of the function under p
	Asymptotic      float64 // C(0) + 2 sum over k >= 1 of C(k), for C(k) the covariance at lag k
	Autocorrelation float64 // the integrated autocorrelation time, Asymptotic / Stationary; NaN for a constant
	// Error is about the relative error that solving the linear system leaves in its solution. It grows as the spectral gap
	// tends to zero. On up to DenseStates states it comes from the condition of the system. Beyond that it is Bound relative to
	// Asymptotic, a bound on
	// what the solution lacks, from its residual and from a lower bound of the spectral gap, which fails with the probability
	// MissRisk only; it is infinite where no such lower bound is known.
	Error float64
	Bound float64 // how far Asymptotic may be off, which can be more than its size where the autocorrelations cancel
}

// AsymptoticVariance returns the variances of g, which holds one value for each state. They are exact: with c = g minus
// its mean under p, and h the solution of (I - T + 1 p) h = c, the asymptotic variance is 2 <c, h> - <c, c>, where
// <.,.> is the mean of the product under p. It fails where the kernel is not irreducible. The result has no meaning
// where the kernel does not leave p invariant. Where the context ends it returns at once, as Diagnose does. On up to
// DenseStates states time is O(states^3) for the first call on a Diagnosis, and O(states^2) for others. Beyond that it is
// about entries / sqrt(gap) for a reversible kernel, and the solution is found by conjugate gradients; else it is found by
// GMRES, in up to entries / gap.
//
// Source: Kemeny and Snell 1960, theorem 4.6.3.
func (d *Diagnosis) AsymptoticVariance(ctx context.Context, g []float64) (Variance, error) {
	if d.Classes != 1 {
		return Variance{}, fmt.Errorf("the kernel has %d classes; no time average converges to the mean under all of the distribution", d.Classes)
	}
	out, centred := d.centred(g)
	if len(d.on) <= DenseStates {
		return d.denseVariance(ctx, centred, out)
	}
	return d.sparseVariance(ctx, centred, out)
}

// centred returns g less its mean for the states of positive probability, and its stationary variance.
func (d *Diagnosis) centred(g []float64) (out Variance, centred []float64) {
	mean := 0.0
	for _, x := range d.on {
		mean += d.invariantP[x] * g[x]
	}
	centred = make([]float64, len(d.on))
	for i, x := range d.on {
		c := g[x] - mean
		centred[i] = c
		out.Stationary += d.invariantP[x] * c * c
	}
	return out, centred
}

// ForVariances returns a diagnosis that knows only what AsymptoticVariance needs, of rows that leave the distribution of logf invariant.
// Time is O(entries).
func ForVariances(ctx context.Context, rows *Rows, logf []float64) (*Diagnosis, error) {
	d := newDiagnosis(rows, logf)
	if err := d.classes(ctx); err != nil {
		return nil, err
	}
	return d, nil
}

// VarianceOf returns the variances of g under rows that leave the distribution of logf invariant, as AsymptoticVariance
// does.
func VarianceOf(ctx context.Context, rows *Rows, logf, g []float64) (Variance, error) {
	d, err := ForVariances(ctx, rows, logf)
	if err != nil {
		return Variance{}, err
	}
	return d.AsymptoticVariance(ctx, g)
}
