package kernel

import (
	"context"

	"breadboard/chains"
)

// DiagnoseSparsely returns the diagnosis of a kernel by the methods for more than DenseStates states, for spaces of any
// size. Its AsymptoticVariance must not be called; SparseVariance does that by these methods too.
func DiagnoseSparsely(ctx context.Context, k chains.Kernel, logf []float64) (*Diagnosis, error) {
	d, err := Diagnose(ctx, k, logf)
	if err != nil || d.Classes != 1 || len(d.on) < 2 {
		return d, err
	}
	into, err := transpose(ctx, d.rows)
	if err != nil {
		return nil, err
	}
	return d, d.sparseSpectrum(ctx, into)
}

// SparseVariance returns the variances of g by the methods for more than DenseStates states.
func (d *Diagnosis) SparseVariance(ctx context.Context, g []float64) (Variance, error) {
	out, centred := d.centred(g)
	return d.sparseVariance(ctx, centred, out)
}
