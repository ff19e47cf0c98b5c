package kernel

import (
	"context"

	"breadboard/chains"
)

// DiagnoseSparsely returns the diagnosis of a kernel by the methods for more than DenseStates states, for spaces of any
// size. Iterated leaves elimination out. The variances of the result are those of SparseVariance.
func DiagnoseSparsely(ctx context.Context, k chains.Kernel, logf []float64, iterated bool) (*Diagnosis, error) {
	d, into, err := examine(ctx, k, logf)
	if err != nil || d.Classes != 1 || len(d.on) < 2 {
		return d, err
	}
	if d.large, err = newForm(ctx, d.rows, into, d.logf, d.on, d.logZ); err != nil {
		return nil, err
	}
	d.large.direct.known = iterated
	return d, d.sparseSpectrum(ctx, into)
}

// SparseVariance returns the variances of g by the methods for more than DenseStates states.
func (d *Diagnosis) SparseVariance(ctx context.Context, g []float64) (Variance, error) {
	out, centred := d.centred(g)
	return d.sparseVariance(ctx, centred, out)
}
