package replicas

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains/tempering"
	"breadboard/exact/internal/linear"
)

// Variance is the asymptotic variance of an average over the cold chain.
type Variance struct {
	PerScan float64 // C(0) + 2 sum over k >= 1 of C(k), for C(k) the covariance at a lag of k scans; of DEO the mean over both parities
	// Error is about the relative error that solving the system leaves. Where replicas hardly travel it is not small.
	Error float64
}

// Variance returns the asymptotic variance of a function of the state at rung N, one value a scan. The function has mean zero and variance one
// under the target, as averages.Function.Values have, so that independent draws have one. It fails as Rate does. Time and memory are those of Rate
// with one unknown for each joint state.
func (r *Replicas) Variance(ctx context.Context, h []float64) (*Variance, error) {
	if len(h) != r.m.States() {
		return nil, fmt.Errorf("a function of %d states, for replicas on %d", len(h), r.m.States())
	}
	if err := check("the variance", r.m.States(), r.m.Rungs(), 1, MaxUnknown); err != nil {
		return nil, err
	}
	t := r.tensors(ctx, true)
	root := t.root(r)
	f := make([]float64, t.size)
	for k, v := range root {
		f[k] = v * h[k%t.n]
	}
	space := linear.Space{N: t.size, Without: [][]float64{root}}
	space.Project(f)
	// With P0 and P1 the even and the odd scans, y0 = f + P0* (f + P1* y0), and y1 = f + P1* y0. SEO has one scan, and y = f + P* y.
	var fault error
	moved := func(v []float64, first int) []float64 {
		out := append([]float64(nil), v...)
		if err := t.scan(out, first); err != nil {
			fault = err
		}
		return out
	}
	round := func(v []float64) []float64 {
		if t.scheme == tempering.DEO {
			v = moved(v, 1)
		}
		return moved(v, 0)
	}
	right := append([]float64(nil), f...)
	if t.scheme == tempering.DEO {
		plus(right, moved(f, 0))
	}
	left := func(dst, v []float64) error {
		for k, m := range round(v) {
			dst[k] = v[k] - m
		}
		return fault
	}
	y, err := linear.GMRES(left, space, right, maxScans, solved)
	if err != nil {
		return nil, err
	}
	residual := make([]float64, t.size)
	if err := left(residual, y); err != nil {
		return nil, err
	}
	for k, v := range residual {
		residual[k] = right[k] - v
	}
	out := &Variance{}
	if t.scheme == tempering.DEO {
		odd := moved(y, 1)
		out.PerScan = linear.Dot(f, y) + linear.Dot(f, odd)
	} else {
		out.PerScan = 2*linear.Dot(f, y) - linear.Dot(f, f)
	}
	out.Error = 2 * linear.Norm(residual) * linear.Norm(y) / math.Abs(out.PerScan)
	return out, fault
}

// plus adds one vector to another.
func plus(dst, v []float64) {
	for k, x := range v {
		dst[k] += x
	}
}
