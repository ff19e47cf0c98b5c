package operator

import "breadboard/chains/kernels"

// suwaTodo is Suwa and Todo's kernel on one axis: the flows between the states of every line.
type suwaTodo struct {
	kernel   kernels.SuwaTodoAxis
	flows    *flows
	average  []float64 // memory
	backward bool      // whether this is the time reversal of the kernel that flows belong to
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
		perFrom: make([]float64, states), perTo: make([]float64, states), weights: make([]float64, k.Space.Side(k.Axis)),
	}}
}

// Load implements Operator.
func (k *suwaTodo) Load(d *Distribution) {
	w := k.flows
	w.from, w.to, w.amount = w.from[:0], w.to[:0], w.amount[:0]
	clear(w.perFrom)
	clear(w.perTo)
	side, stride := k.kernel.Space.Side(k.kernel.Axis), k.kernel.Space.Stride(k.kernel.Axis)
	logf := d.LogF()
	for x := range d.F {
		if k.kernel.Space.Coord(x, k.kernel.Axis) == 0 {
			w.addLine(k.kernel, d.F, logf, x, side, stride)
		}
	}
	for x := range w.perFrom {
		w.perFrom[x], w.perTo[x] = 1/w.perFrom[x], 1/w.perTo[x]
	}
}

// addLine adds the flows of the line that begins with state first. Which state is the likeliest one is found from log f as
// the kernel's rows find it, because the flows between two states that are nearly alike depend on it, and f has been
// rounded many times.
func (w *flows) addLine(k kernels.SuwaTodoAxis, f, logf []float64, first, side, stride int) {
	top := logf[first]
	for i := range side {
		w.weights[i] = f[first+i*stride]
		top = max(top, logf[first+i*stride])
	}
	largest := 0
	for 1+(logf[first+largest*stride]-top) < 1 { // which is where exp(log f - top) is less than one
		largest++
	}
	k.Flows(w.weights, largest, func(from, to int, amount float64) {
		from, to = first+from*stride, first+to*stride
		w.from, w.to, w.amount = append(w.from, int32(from)), append(w.to, int32(to)), append(w.amount, amount)
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
	from, to, per := w.from, w.to, w.perFrom
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
