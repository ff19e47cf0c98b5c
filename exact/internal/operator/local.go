package operator

import (
	"context"
	"math"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/exact/internal/lanes"
)

// metropolis is a local kernel that accepts with min(1, f(y)/f(x)): the conductance of an edge is
// share min(f(x), f(y)).
//
// The mean of v after a move is
//
//	(T v)(x) = v(x) + 1/f(x) sum_y share min(f(x), f(y)) (v(y) - v(x))
//
// over the neighbours y. Each edge is visited once.
type metropolis struct{ *edges }

// NewMetropolis returns the operator of a kernel with Metropolis acceptance.
func NewMetropolis(ctx context.Context, k chains.Rower, states int) (Operator, error) {
	e, err := newEdges(ctx, k, states)
	return &metropolis{e}, err
}

// Load implements Operator.
func (m *metropolis) Load(d *Distribution) {
	m.takeLaw(d)
	m.conduct(func(s, share, _, x, y []float64) {
		share = share[:len(s)]
		x = x[:len(s)]
		y = y[:len(s)]
		for i := range s {
			s[i] = share[i] * min(x[i], y[i])
		}
	})
}

// Twin implements Operator.
func (m *metropolis) Twin() Operator { return &metropolis{m.edges.twin()} }

// Reversal implements Operator: the kernel is reversible.
func (m *metropolis) Reversal() Operator { return m }

// AverageTerms implements Operator.
func (m *metropolis) AverageTerms(dst, v []float64) {
	if m.box != nil {
		m.termsBox([][]float64{dst}, [][]float64{v})
		return
	}
	falls := falling{law: m.law}
	m.refuse(func(r run, share, _, x, y, refusedX, refusedY []float64) {
		for i := range x {
			if d := share[i] * falls.difference(r.x+i, r.y+i); d > 0 {
				refusedX[i] += d
			} else {
				refusedY[i] -= d
			}
		}
	})
	m.terms(dst, v)
}

// closest is the relative difference of two values of f below which it is computed from the
// difference of their logarithms.
const closest = lanes.Closest

// falling computes differences of f. It loads log f at most once, if a difference is small.
type falling struct {
	law  *Distribution
	logf []float64
}

// difference returns f(x) - f(y) with its digits.
func (f *falling) difference(x, y int) float64 {
	v := f.law.F[x]
	w := f.law.F[y]
	if d := v - w; math.Abs(d) >= closest*v {
		return d
	}
	if f.logf == nil {
		f.logf = f.law.LogF()
	}
	return small(v, w, f.logf[x]-f.logf[y])
}

// small returns the difference v - w of two numbers, given that of their logarithms.
func small(v, w, rise float64) float64 {
	if rise > 0 {
		return -v * math.Expm1(-rise)
	}
	return w * math.Expm1(rise)
}

// Derived implements Operator. Only the probability of going down depends on f, so that an edge
// counts in the row of its upper end alone.
func (m *metropolis) Derived(measure, v []float64, along Direction) (total float64, kinked bool) {
	m.eachRun(func(r *run, _, s []float64) {
		x, y := m.f[r.x:][:r.n], m.f[r.y:][:r.n]
		slopeX, slopeY := along.Slope[r.x:][:r.n], along.Slope[r.y:][:r.n]
		measureX, measureY := measure[r.x:][:r.n], measure[r.y:][:r.n]
		vX, vY := v[r.x:][:r.n], v[r.y:][:r.n]
		for i, c := range s {
			d := slopeX[i] - slopeY[i]
			rise := y[i] - x[i]
			if d != 0 && math.Abs(rise) <= alike*x[i] && c > 0 {
				logf := m.law.LogF()
				rise = logf[r.y+i] - logf[r.x+i]
				if rise == 0 {
					kinked = true
					rise = -d // the steeper end is the upper one just above, and the lower one just below
					if along.Below {
						rise = d
					}
				}
			}
			// The upper end is as random as the target, so that a branch would be mispredicted half
			// of the time.
			falls := uint64(int64(math.Float64bits(rise)) >> 63) // all ones if x is the upper end
			upper := math.Float64bits(measureX[i])&falls | math.Float64bits(measureY[i])&^falls
			// Seen from either end the product of both differences is the same.
			total += c * d * (vX[i] - vY[i]) * math.Float64frombits(upper)
		}
	})
	return total, kinked
}

// barker is a local kernel that accepts with f(y)/(f(x)+f(y)): the conductance of an edge is share
// f(x) f(y)/(f(x)+f(y)).
type barker struct{ *edges }

// newBarker returns the operator of a kernel with the proposals of another kernel and Barker's
// acceptance.
func newBarker(ctx context.Context, proposes chains.Rower, states int) (Operator, error) {
	e, err := newEdges(ctx, proposes, states)
	return &barker{e}, err
}

// Load implements Operator.
func (b *barker) Load(d *Distribution) {
	b.takeLaw(d)
	b.conduct(func(s, share, _, x, y []float64) {
		share = share[:len(s)]
		x = x[:len(s)]
		y = y[:len(s)]
		for i := range s {
			s[i] = share[i] * x[i] * (y[i] / (x[i] + y[i]))
		}
	})
}

// Twin implements Operator.
func (b *barker) Twin() Operator { return &barker{b.edges.twin()} }

// Reversal implements Operator: the kernel is reversible.
func (b *barker) Reversal() Operator { return b }

// AverageTerms implements Operator.
func (b *barker) AverageTerms(dst, v []float64) {
	b.refuse(func(_ run, share, _, x, y, refusedX, refusedY []float64) {
		for i := range x {
			perSum := 1 / (x[i] + y[i])
			refusedX[i] += share[i] * x[i] * (x[i] * perSum)
			refusedY[i] += share[i] * y[i] * (y[i] * perSum)
		}
	})
	b.terms(dst, v)
}

// Derived implements Operator. With a the probability of acceptance, its derivative by log f(y) -
// log f(x) is a (1 - a).
func (b *barker) Derived(measure, v []float64, along Direction) (total float64, kinked bool) {
	b.eachRun(func(r *run, _, s []float64) {
		x, y := b.f[r.x:][:r.n], b.f[r.y:][:r.n]
		slopeX, slopeY := along.Slope[r.x:][:r.n], along.Slope[r.y:][:r.n]
		measureX, measureY := measure[r.x:][:r.n], measure[r.y:][:r.n]
		vX, vY := v[r.x:][:r.n], v[r.y:][:r.n]
		for i, c := range s {
			share := x[i] / (x[i] + y[i])
			mean := share*measureX[i] + (1-share)*measureY[i]
			total += c * (slopeY[i] - slopeX[i]) * (vY[i] - vX[i]) * mean
		}
	})
	return total, false
}

// suwaTodo is Suwa and Todo's kernel on one axis: the flows between the states of every line.
type suwaTodo struct {
	kernel   kernels.SuwaTodoAxis
	flows    *flows
	average  []float64 // memory
	backward bool      // whether this is the time reversal of the kernel of the flows
}

// flows are those of all lines, under the distribution that was loaded last.
type flows struct {
	from, to       []int32
	amount         []float64
	perFrom, perTo []float64 // by state: one over the sum of the flows from it, and to it
	weights        []float64 // of one line
}

func newSuwaTodo(k kernels.SuwaTodoAxis, states int) *suwaTodo {
	return &suwaTodo{kernel: k, average: make([]float64, states), flows: &flows{
		perFrom: make([]float64, states),
		perTo:   make([]float64, states),
		weights: make([]float64, k.Space.Side(k.Axis)),
	}}
}

// Load implements Operator.
func (k *suwaTodo) Load(d *Distribution) {
	w := k.flows
	w.from = w.from[:0]
	w.to = w.to[:0]
	w.amount = w.amount[:0]
	clear(w.perFrom)
	clear(w.perTo)
	logf := d.LogF()
	for x := range d.F {
		if k.kernel.Space.Coord(x, k.kernel.Axis) == 0 {
			w.addLine(k.kernel, d.F, logf, x)
		}
	}
	for x := range w.perFrom {
		w.perFrom[x], w.perTo[x] = 1/w.perFrom[x], 1/w.perTo[x]
	}
}

// addLine adds the flows of the line that begins with state first. The likeliest state is found
// from log f, as in the kernel's rows, because the flows between two nearly equal states depend on
// it, and f has been rounded many times.
func (w *flows) addLine(k kernels.SuwaTodoAxis, f, logf []float64, first int) {
	stride := k.Space.Stride(k.Axis)
	top := logf[first]
	for i := range w.weights {
		w.weights[i] = f[first+i*stride]
		top = max(top, logf[first+i*stride])
	}
	largest := 0
	for 1+(logf[first+largest*stride]-top) < 1 { // which is where exp(log f - top) is less than one
		largest++
	}
	k.Flows(w.weights, largest, func(from, to int, amount float64) {
		from, to = first+from*stride, first+to*stride
		w.from, w.to, w.amount = append(w.from, int32(from)), append(w.to, int32(to)),
			append(w.amount, amount)
		w.perFrom[from] += amount
		w.perTo[to] += amount
	})
}

// Reversal implements Operator: all flows turned round.
func (k *suwaTodo) Reversal() Operator {
	return &suwaTodo{k.kernel, k.flows, make([]float64, len(k.average)), !k.backward}
}

// Twin implements Operator.
func (k *suwaTodo) Twin() Operator {
	return &suwaTodo{k.kernel, k.flows, make([]float64, len(k.average)), k.backward}
}

// Average implements Operator.
func (k *suwaTodo) Average(dst, v []float64) { k.AverageTerms(dst, v) }

// AddChange implements Operator.
func (k *suwaTodo) AddChange(dst, v []float64, weight float64) {
	k.AverageTerms(k.average, v)
	for x, mean := range k.average {
		dst[x] += weight * (mean - v[x])
	}
}

// AverageTerms implements Operator.
func (k *suwaTodo) AverageTerms(dst, v []float64) {
	w := k.flows
	from := w.from
	to := w.to
	per := w.perFrom
	if k.backward {
		from, to, per = w.to, w.from, w.perTo
	}
	clear(dst)
	for i, amount := range w.amount {
		dst[from[i]] += amount * v[to[i]]
	}
	for x, p := range per[:len(dst)] {
		dst[x] *= p
	}
}
