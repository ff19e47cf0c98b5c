package replicas

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"breadboard/chains/number"
	"breadboard/chains/tempering"
	"breadboard/exact/internal/linear"
)

// Rate is how often replicas travel.
type Rate struct {
	PerScan float64 // completed round trips a scan of all replicas together, counted on arrival at rung 0
	// the same counted on arrival at rung N: the two differ by rounding and by the error of the
	// solution
	Top float64
}

// Lost returns about the relative error of the rate.
func (r *Rate) Lost() float64 { return math.Abs(r.PerScan-r.Top) / r.PerScan }

// maxScans bounds the scans for solving a system.
const maxScans = 4000

// solved is the length of a residual that is rounding.
const solved = 1e-15

// Known holds solutions for earlier ladders, from which those of similar ladders are found faster,
// without loss of digits. All ladders must have one target, kernel, scheme and function. The zero
// value is empty.
type Known struct{ rate, variance [][]float64 }

// mostKnown is the number of earlier solutions that start a new one.
const mostKnown = 8

func (k *Known) rates() *[][]float64 {
	if k == nil {
		return nil
	}
	return &k.rate
}

func (k *Known) variances() *[][]float64 {
	if k == nil {
		return nil
	}
	return &k.variance
}

// solveSystem solves a system by GMRES, starting from the best combination of known solutions, and
// puts its own solution first among them.
func (r *Replicas) solveSystem(apply linear.Operator, space linear.Space, c []float64,
	known *[][]float64) ([]float64, error) {
	if known == nil {
		return linear.GMRES(apply, space, c, maxScans, r.residual)
	}
	h, left, err := linear.Within(apply, space, *known, c)
	if err != nil {
		return nil, err
	}
	rest, err := linear.GMRES(apply, space, left, maxScans, r.residual)
	if err != nil {
		return nil, err
	}
	floats.Add(h, rest)
	*known = append([][]float64{append([]float64(nil), h...)}, (*known)[:min(len(*known), mostKnown-1)]...)
	return h, nil
}

// Rate returns the exact round-trip rate. It solves (N-1) n^(N+1) equations by GMRES, in some 20 to
// 100 scans and with 400 bytes of memory for each. It fails for more than MaxUnknown of them, and
// if the context ends.
func (r *Replicas) Rate(ctx context.Context) (*Rate, error) {
	if err := CheckRate(r.m.States(), r.m.Rungs()); err != nil {
		return nil, err
	}
	t := r.tensors(true)
	l := labels{tensors: t, hot: t.root(r), inner: r.m.Rungs() - 2}
	up := make([]float64, l.inner*t.size)
	if l.inner > 0 {
		err := l.twice(ctx, up, true)
		if err != nil {
			return nil, err
		}
		apply := func(dst, src []float64) error {
			copy(dst, src)
			err := l.twice(ctx, dst, false)
			for k, v := range src {
				dst[k] = v - dst[k]
			}
			return err
		}
		up, err = r.solveSystem(apply, linear.Space{N: len(up)}, up, r.known.rates())
		if err != nil {
			return nil, err
		}
	}
	if err := l.explored(ctx, up); err != nil {
		return nil, err
	}
	out := &Rate{}
	return out, l.flows(ctx, r, up, out)
}

// labels moves the probabilities of being up of the replicas at the rungs 1..N-1, one tensor after
// another, times the root of the stationary distribution.
type labels struct {
	*tensors
	hot   []float64 // of rung 0, which is up
	inner int       // N-1
	odd   []float64 // for twice
}

// rungTensor returns the tensor of rung 1..N-1.
func (l *labels) rungTensor(u []float64, rung int) []float64 { return u[(rung-1)*l.size : rung*l.size] }

// explored makes all replicas explore.
func (l *labels) explored(ctx context.Context, u []float64) error {
	for j := range l.inner {
		if err := l.explore(ctx, l.rungTensor(u, j+1)); err != nil {
			return err
		}
	}
	return nil
}

// exchanged makes the swaps of every second pair from the first on. Without fed the replica at rung
// 0 counts as never up, which is the linear part.
func (l *labels) exchanged(u []float64, first int, fed bool) {
	hot := l.hot
	if !fed {
		hot = nil
	}
	for i := first; i <= l.inner; i += 2 {
		for j := 1; j <= l.inner; j++ {
			switch {
			case j == i && i < l.inner:
				l.swap(i, l.rungTensor(u, i), l.rungTensor(u, i+1))
			case j == i: // it may go to rung N, and the replica from there is down
				l.feed(i, l.rungTensor(u, j), nil)
			case j == i+1 && i == 0:
				l.feed(i, l.rungTensor(u, j), hot)
			case j != i+1:
				l.swap(i, l.rungTensor(u, j), l.rungTensor(u, j))
			}
		}
	}
}

// twice applies two scans of DEO to u, the even one first, or one scan of SEO.
func (l *labels) twice(ctx context.Context, u []float64, fed bool) error {
	if err := l.explored(ctx, u); err != nil {
		return err
	}
	if l.scheme == tempering.SEO {
		l.odd = append(l.odd[:0], u...)
		l.exchanged(u, 0, fed)
		l.exchanged(l.odd, 1, fed)
		for k, o := range l.odd {
			u[k] = (u[k] + o) / 2
		}
		return nil
	}
	l.exchanged(u, 0, fed)
	if err := l.explored(ctx, u); err != nil {
		return err
	}
	l.exchanged(u, 1, fed)
	return nil
}

// flows computes the arrivals at both ends in a scan, given the probabilities u of being up before
// the swaps of an even scan of DEO, or of any of SEO.
func (l *labels) flows(ctx context.Context, r *Replicas, u []float64, out *Rate) error {
	last := l.inner
	if l.inner == 0 {
		out.PerScan = l.accepted(r, 0, func(k int) float64 { return l.hot[k] }) / 2
		out.Top = out.PerScan
		return nil
	}
	first := l.rungTensor(u, 1)
	out.PerScan = l.accepted(r, 0, func(k int) float64 { return l.hot[k] - first[k] }) / 2
	if l.scheme == tempering.DEO && last%2 == 1 { // the last pair is offered swaps in odd scans
		l.exchanged(u, 0, true)
		if err := l.explored(ctx, u); err != nil {
			return err
		}
	}
	top := l.rungTensor(u, last)
	out.Top = l.accepted(r, last, func(k int) float64 { return top[k] }) / 2
	return nil
}

// accepted returns the mean, over the stationary distribution, of the acceptance of the pair (i,
// i+1) times a function given in rooted coordinates.
func (l *labels) accepted(r *Replicas, i int, value func(k int) float64) float64 {
	var sum number.Sum
	s := l.stride(i + 1)
	for k := range l.size {
		pair := k / s % (l.n * l.n)
		sum.Add(l.hot[k] * value(k) * math.Exp(r.m.LogAcceptance(i, pair/l.n, pair%l.n)))
	}
	return sum.Value()
}

// Variance is the asymptotic variance of an average over the cold chain.
type Variance struct {
	// C(0) + 2 sum over k >= 1 of C(k), for C(k) the covariance at a lag of k scans; of DEO the
	// mean over both parities
	PerScan float64
	// Error is about the relative error of the solution of the system. It is not small if replicas
	// hardly travel. If they can never reach some joint states, and the function has another mean
	// there, the variance and the error are +Inf.
	Error float64
}

// Variance returns the asymptotic variance of a function of the state at rung N, one value a scan.
// The function has mean zero and variance one under the target (see averages.Function.Values), so
// that independent draws give one. It fails if Rate does. Time and memory are those of Rate with
// one unknown for each joint state.
func (r *Replicas) Variance(ctx context.Context, h []float64) (*Variance, error) {
	if len(h) != r.m.States() {
		return nil, fmt.Errorf("a function of %d states, for replicas on %d", len(h), r.m.States())
	}
	if err := check("the variance", r.m.States(), r.m.Rungs(), 1, maxUnknown); err != nil {
		return nil, err
	}
	t := r.tensors(true)
	root := t.root(r)
	f := make([]float64, t.size)
	for k, v := range root {
		f[k] = v * h[k%t.n]
	}
	space := linear.Space{N: t.size, Without: [][]float64{root}}
	space.Project(f)
	if !r.settles(root, f) {
		return &Variance{PerScan: math.Inf(1), Error: math.Inf(1)}, nil
	}
	// With P0 and P1 the even and the odd scans, y0 = f + P0* (f + P1* y0), and y1 = f + P1* y0.
	// SEO has one scan, and y = f + P* y.
	right := append([]float64(nil), f...)
	if t.scheme == tempering.DEO {
		if err := t.scan(ctx, right, 0); err != nil {
			return nil, err
		}
		floats.Add(right, f)
	}
	left := func(dst, v []float64) error {
		copy(dst, v)
		if t.scheme == tempering.DEO {
			if err := t.scan(ctx, dst, 1); err != nil {
				return err
			}
		}
		err := t.scan(ctx, dst, 0)
		for k, m := range v {
			dst[k] = m - dst[k]
		}
		return err
	}
	y, err := r.solveSystem(left, space, right, r.known.variances())
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
	out := &Variance{PerScan: 2*linear.Dot(f, y) - linear.Dot(f, f)}
	long := linear.Norm(y)
	if t.scheme == tempering.DEO {
		out.PerScan = linear.Dot(f, y)
		if err := t.scan(ctx, y, 1); err != nil {
			return nil, err
		}
		out.PerScan += linear.Dot(f, y)
	}
	out.Error = max(2*linear.Norm(residual)*long/math.Abs(out.PerScan), linear.Norm(residual)/linear.Norm(right))
	return out, nil
}
