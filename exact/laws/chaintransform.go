package laws

import (
	"context"
	"math"

	"breadboard/chains/number"
	"breadboard/exact/internal/crew"
	"breadboard/exact/internal/operator"
)

// batchSize returns how many points of a transform go back along the chain together, so that they
// share common work, and fit in a few megabytes.
func batchSize(states int) int { return max(1, min(24, 1<<18/states)) }

// transformTable returns the transform of the mean V of the terms over the places.
//
//	H(t) = E exp(-t (V_1 + ... + V_K)/K) = initial' D T D T ... T D 1, D = diag(exp(-t V(x)/K)),
//
// from the right, if the distribution is not tilted: a point takes K - 1 moves of a function on the
// states.
func (t *chainTerms) transformTable(ctx context.Context) (*sumTable, error) {
	lowest, highest := t.bounds()
	left := float64(leftEnd)
	if t.tilted {
		left -= highest // the mean of V is then at most exp(highest), and 1 - H at most t times that
	}
	h, err := newSumTable(sumStep, mostTrials, left, lowest)
	if err != nil {
		return nil, err
	}
	all := number.Range(len(h.logH))
	return h, t.computePoints(ctx, h, all)
}

// refined returns a table with half the step of another one.
func (t *chainTerms) refined(ctx context.Context, h *sumTable) (*sumTable, error) {
	n := 2*len(h.logH) - 1
	fine := &sumTable{low: h.low, step: h.step / 2, logH: make([]float64, n), excess: make([]float64, n)}
	var between []int
	for j := range n {
		if j%2 == 1 {
			between = append(between, j)
			continue
		}
		fine.logH[j], fine.excess[j] = h.logH[j/2], h.excess[j/2]
	}
	return fine, t.computePoints(ctx, fine, between)
}

// computePoints computes the transform at some points of a table, which are in ascending order.
func (t *chainTerms) computePoints(ctx context.Context, h *sumTable, points []int) error {
	central, err := t.centralMoments(ctx)
	if err != nil {
		return err
	}
	_, highest := t.bounds()
	for len(points) > 0 && h.u(points[0])+highest < seriesEnd {
		j := points[0]
		h.logH[j], h.excess[j] = central.transform(h.u(j), t.tilted)
		points = points[1:]
	}
	far, err := t.firstBelowHalf(ctx, h)
	if err != nil {
		return err
	}
	size := batchSize(len(t.logV))
	batches := (len(points) + size - 1) / size
	return crew.Jobs(ctx, batches, t.workers, func(ctx context.Context, i int) error {
		b := t.newBatch()
		for _, j := range points[i*size : min((i+1)*size, len(points))] {
			b.queuePoint(h.u(j), j < far, &h.logH[j], &h.excess[j])
		}
		return b.solveBack(ctx)
	})
}

// firstBelowHalf returns the first point at which H is below 1/2; zero for tilted distributions,
// which do not need it (see formRise).
func (t *chainTerms) firstBelowHalf(ctx context.Context, h *sumTable) (int, error) {
	low, high := 0, len(h.logH)
	if t.tilted {
		high = 0
	}
	for low < high {
		middle := (low + high) / 2
		var logH, excess float64
		b := t.newBatch()
		b.queuePoint(h.u(middle), false, &logH, &excess)
		if err := b.solveBack(ctx); err != nil {
			return 0, err
		}
		if logH < -math.Ln2 {
			high = middle
		} else {
			low = middle + 1
		}
	}
	return low, nil
}

// seriesEnd is log t V, for the largest V, up to which transforms are summed as series in t. The
// remainder after the second power is at most (t V)^3/6, which adds up to 1e-18 over all points.
const seriesEnd = -14

// centralMoments are E D^2 and E D^3 of D = V - 1, in the distribution that is not tilted. E D is
// zero.
type centralMoments struct{ second, third float64 }

// centralMoments propagates the moments of D back along the chain.
func (t *chainTerms) centralMoments(ctx context.Context) (centralMoments, error) {
	n := len(t.logV)
	var m, ahead [3][]float64
	for i := range m {
		m[i], ahead[i] = make([]float64, n), make([]float64, n)
	}
	for range t.k {
		if err := ctx.Err(); err != nil {
			return centralMoments{}, err
		}
		for i := range m {
			t.moves.Average(ahead[i], m[i])
		}
		for x, l := range t.logV {
			d := math.Expm1(l) / float64(t.k)
			first := ahead[0][x]
			second := ahead[1][x]
			third := ahead[2][x]
			m[0][x], m[1][x], m[2][x] = d+first, d*d+2*d*first+second, d*d*d+3*d*(d*first+second)+third
		}
	}
	return centralMoments{number.Dot(t.initial, m[1]), number.Dot(t.initial, m[2])}, nil
}

// transform returns log H and log H + t for a small t = e^u: exp(t) H(t) is E exp(-t D), and E (1 +
// D) exp(-t D) for a tilted distribution.
func (m centralMoments) transform(u float64, tilted bool) (logH, excess float64) {
	t := math.Exp(u)
	excess = t * t / 2 * m.second
	if tilted {
		excess += t * (t/2*m.third - m.second)
	}
	excess = math.Log1p(excess)
	return excess - t, excess
}

// form is the reference relative to which a transform is propagated, so that it keeps its digits.
type form int

// Tilted distributions take no formRise: their H is below 1/(e t), which is far from one for all t
// above nearLimit.
const (
	formDirect form = iota // H itself, which is right relative to H
	formRise               // H - 1, which is right relative to 1 - H: for H near one
	// exp(t) H - 1, for t up to nearLimit, and beyond if t (V - 1) is small: for V near one
	formNear
)

// batch propagates transforms back along the chain, at some points together. Only one goroutine may
// use it.
//
// With tau = t/K, and v_k(x) the mean of exp(-tau (V_k + ... + V_K)) from state x at place k in one
// of the forms, relative to the reference r = 0 for formDirect and formRise and r = 1 for formNear,
//
//	v_k = a + b T v_{k+1},   b = exp(-tau (V - r)),   a = b - 1, or zero for formDirect,
//
// where v_{K+1} is one for formDirect, and else zero. If the distribution is tilted, the mean D_k
// of the same with a factor of S_k = V_k + ... + V_K is propagated beside it. For formDirect, D_k =
// V v_k + b T D_{k+1}. For formNear d_k is the mean of S_k (exp(tau (K-k+1 - S_k)) - 1) instead, so
// that it vanishes with t:
//
//	d_k = V v_k + a T A_{k+1} + b T d_{k+1},
//
// with A_k the mean of S_k.
type batch struct {
	*chainTerms
	moves           *operator.Fixed
	value, distance []float64 // V and V - 1
	farthest        float64   // the largest |V - 1|
	mean, ahead     []float64 // A_{k+1} and T A_{k+1}
	next            []float64
	points          []*point
}

// point is one t.
type point struct {
	u             float64
	form          form
	factor, added []float64 // b and a
	v, d          []float64
	logH, excess  *float64 // the result
}

// newBatch returns a batch without points.
func (t *chainTerms) newBatch() *batch {
	n := len(t.logV)
	b := &batch{chainTerms: t, moves: t.moves.Twin()}
	for _, v := range []*[]float64{&b.value, &b.distance, &b.mean, &b.ahead, &b.next} {
		*v = make([]float64, n)
	}
	for x, l := range t.logV {
		b.value[x], b.distance[x] = math.Exp(l), math.Expm1(l)
		b.farthest = max(b.farthest, math.Abs(b.distance[x]))
	}
	return b
}

// queuePoint adds the point t = e^u, whose log H and log H + t are to be written to the given
// places. nearOne says whether H is near one.
func (b *batch) queuePoint(u float64, nearOne bool, logH, excess *float64) {
	n := len(b.logV)
	p := &point{
		u:      u,
		logH:   logH,
		excess: excess,
		factor: make([]float64, n),
		added:  make([]float64, n),
		v:      make([]float64, n),
	}
	if b.tilted {
		p.d = make([]float64, n)
	}
	switch {
	case nearOne && u > 0: // exp(t) H is then far from one
		b.addPoint(p, formRise)
	case math.Exp(u) <= nearLimit || math.Exp(u)*b.farthest <= 1:
		b.addPoint(p, formNear)
	default:
		b.addPoint(p, formDirect)
	}
}

// addPoint puts a point after the last place, and adds it to those that go back.
func (b *batch) addPoint(p *point, f form) {
	p.form = f
	clear(p.d)
	logTau := p.u - number.Log(float64(b.k))
	tau := math.Exp(logTau)
	for x, l := range b.logV {
		y := math.Exp(logTau + l)
		if f == formNear {
			y = tau * b.distance[x]
		}
		p.factor[x], p.added[x], p.v[x] = math.Exp(-y), math.Expm1(-y), 0
		if f == formDirect {
			p.added[x], p.v[x] = 0, 1
		}
	}
	b.points = append(b.points, p)
}

// solveBack goes back along the chain, and writes the results. Points at which the form keeps no
// digits go back once more in another one.
func (b *batch) solveBack(ctx context.Context) error {
	for len(b.points) > 0 {
		if err := b.passBack(ctx); err != nil {
			return err
		}
		done := b.points
		b.points = nil
		for _, p := range done {
			if !b.writePoint(p) {
				b.addPoint(p, formDirect)
			}
		}
	}
	return nil
}

// passBack goes back along the chain.
func (b *batch) passBack(ctx context.Context) error {
	clear(b.mean)
	for range b.k {
		if err := ctx.Err(); err != nil {
			return err
		}
		if b.tilted {
			b.moves.AverageTerms(b.ahead, b.mean)
			for x, ahead := range b.ahead {
				b.mean[x] = b.value[x] + ahead
			}
		}
		for _, p := range b.points {
			b.stepBack(p)
		}
	}
	return nil
}

// stepBack takes a point one place back.
func (b *batch) stepBack(p *point) {
	apply := b.moves.AverageTerms
	if p.form != formDirect {
		apply = b.moves.Average
	}
	apply(b.next, p.v)
	v := p.v
	next := b.next[:len(v)]
	factor := p.factor[:len(v)]
	added := p.added[:len(v)]
	for x := range v {
		v[x] = added[x] + factor[x]*next[x]
	}
	if !b.tilted {
		return
	}
	apply(b.next, p.d)
	d := p.d[:len(v)]
	value := b.value[:len(v)]
	ahead := b.ahead[:len(v)]
	for x := range d {
		d[x] = value[x]*v[x] + added[x]*ahead[x] + factor[x]*next[x]
	}
}

// writePoint writes the results of a point. It returns false if these have no digits: if exp(t) H
// is less than 1/2, which is possible only for a tilted distribution, formNear has the difference
// of two nearly equal numbers.
func (b *batch) writePoint(p *point) bool {
	from := p.v
	scale := 1.0
	if b.tilted {
		// the mean of S
		from = p.d
		scale = float64(b.k)
	}
	value := number.Dot(b.initial, from) / scale
	t := math.Exp(p.u)
	switch p.form {
	case formNear:
		if value < -0.5 {
			return false
		}
		*p.excess = math.Log1p(value)
		*p.logH = *p.excess - t
		return true
	case formRise:
		*p.logH = math.Log1p(value)
	default:
		*p.logH = number.Log(value)
	}
	*p.excess = *p.logH + t
	return true
}
