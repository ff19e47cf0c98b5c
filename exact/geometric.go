package exact

import (
	"context"
	"math"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/paths"
	"breadboard/chains/work"
	"breadboard/exact/internal/crew"
	"breadboard/exact/internal/lanes"
	"breadboard/exact/internal/stage"
)

const (
	// geometricRange is the range of log f, in nats, within which f, 1/f and their products stay
	// inside float64.
	geometricRange = 600
	// classesRange is the same for the classes of a quotient, whose kernels multiply f only by
	// numbers from 0 to 1. The log f of 1000 free spins, in classes by their sum, spans 690 nats.
	classesRange = 700
	// geometricLeast is the least range of log f, in nats, of the wider end. Between anchors f is
	// known to some 1e-14, and so are the differences between the f of two states, which are the
	// probabilities of refusals. If the ends are flatter, only these may keep a chain from being
	// periodic, and J and B would have their error.
	geometricLeast = 0.01
	// anchorEvery is the number of steps for which f is updated by a factor before it is computed
	// afresh. Each step rounds f by half a unit in the last place for the product and by as much
	// for the factor, so that f is off by anchorEvery units at most by then.
	anchorEvery = 128
	// seriesRange is the largest change of log f, in nats, whose exponential is summed as a series.
	seriesRange = 0.25
)

// geometric is the path side of a solver: the distributions f_b = f_0 exp(b d), with d = log f_1 -
// log f_0, of a geometric path without zeros and of moderate range, stage after stage. Any other
// path without zeros is bent: between two stages it is taken as a geometric path of step one, with
// d = log f_t - log f_{t-1}. It does not depend on the kernel. A solver carries q_t/p_t - 1 and the
// adjoint A (see doc.go) in its own arrays, and takes each stage t = 2..T in four operations: load,
// advance, rebase, and a move by its kernel.
//
// States stand in slots, row after row: state x is in slot x/cols pitch + x mod cols. A slot
// without a state has f = 0. The number of slots is a multiple of lanes.Width.
type geometric struct {
	annealing    *chains.Annealing
	unit         *lanes.Unit
	crew         *crew.Crew // shares work that is done in parts; see inParts
	n            int        // states
	cols, pitch  int        // states and slots of a row
	slots        int        // of all rows
	difference   []float64  // d
	logf         []float64  // memory
	framed       []float64  // f with margins
	f, inverse   []float64  // f_t and 1/f_t, up to a constant that an anchor may change
	centred      []float64  // d minus mean
	shift        []float64  // step centred
	rise, back   []float64  // exp(step centred) - 1 and exp(-step centred) - 1
	grow         []float64  // 1 + rise
	bent         bool       // see above
	span         float64    // range of d, in nats
	balance      float64    // the factor of f at an anchor
	mean, spread float64    // mean and standard deviation of d under p at the last anchor
	anchored     int        // the stage after the last anchor
	computed     int        // the last stage at which f was computed afresh
	step         float64    // the step b_t - b_{t-1} of rise and back
	zBefore, z   float64    // sums of f at t-1 and at t
	zBack        float64    // sum of f times back at t

	adds          bool       // f is advanced by adding to it, which cancels where f falls far in a step
	largestChange float64    // see setResolution
	forward       number.Sum // E_fwd of the sum over the stages of step times d
	slack         number.Sum // B
	// about the sum of the absolute values of the terms of B, in leaps of applied times their
	// roundings
	size float64

	totals   []float64       // of the parts
	rebased  []lanes.Rebased // by the parts
	rebasing rebasing
}

// rebasing holds the numbers that all parts of a rebase use.
type rebasing struct {
	u, a           []float64
	factor, offset float64
}

// geometricApplies reports whether the path of an annealing has no zeros, and is such that log f
// spans no more than a range at both ends and where it has kinks, and so between them, and at least
// geometricLeast at one of these.
func geometricApplies(a *chains.Annealing, widestRange float64) bool {
	path := a.Path()
	if path.Zeros() {
		return false
	}
	logf := make([]float64, path.States())
	widest := 0.0
	for _, beta := range append([]float64{0, 1}, path.Kinks()...) {
		path.LogF(logf, chains.At(beta))
		low, high := number.Bounds(logf)
		widest = max(widest, high-low)
	}
	return widest >= geometricLeast && widest <= widestRange
}

// newGeometric returns the path side of an annealing to which geometricApplies, at t = 1. Rows have
// cols states in pitch slots, and cols divides the number of states. Before the first slot and
// after the last f has margin more numbers, all zero.
func newGeometric(a *chains.Annealing, cols, pitch, margin int) *geometric {
	n := a.States()
	slots := (n/cols*pitch + lanes.Width - 1) / lanes.Width * lanes.Width
	s := &geometric{
		annealing: a,
		unit:      lanes.Widest(),
		n:         n,
		cols:      cols,
		pitch:     pitch,
		slots:     slots,
		logf:      work.Slice[float64](n),
	}
	s.framed = work.Slice[float64](slots + 2*margin)
	s.f = s.framed[margin : margin+slots]
	for _, v := range []*[]float64{
		&s.difference, &s.inverse, &s.centred, &s.shift, &s.rise, &s.grow, &s.back} {
		*v = make([]float64, slots)
	}
	for x := range s.grow {
		s.grow[x] = 1
	}
	s.totals, s.rebased = make([]float64, partsOf(slots)), make([]lanes.Rebased, partsOf(slots))
	if path, ok := a.Path().(*paths.Geometric); ok {
		s.differ(path.Difference())
	} else {
		s.bent = true
	}
	return s
}

// differ sets d.
func (s *geometric) differ(d []float64) {
	low, high := number.Bounds(d)
	s.span = high - low
	s.spreadOut(s.difference, d)
}

const (
	// divided is the number of states or slots from which loops are done in parts, which all
	// workers share.
	divided = 1 << 16
	// partSlots is the number of slots of such a part.
	partSlots = 1 << 13
)

// partsOf returns the number of parts of n states or slots. It depends on n alone, so that sums
// over the parts do not depend on the workers.
func partsOf(n int) int {
	if n < divided {
		return 1
	}
	return (n + partSlots - 1) / partSlots
}

// inParts calls do with every part of n states or slots, from first to end without the latter.
// Several calls may be made at the same time.
func (s *geometric) inParts(n int, do func(s *geometric, part, first, end int)) {
	parts := partsOf(n)
	if parts == 1 {
		do(s, 0, 0, n)
		return
	}
	s.crew.Run(parts, func(i int) { do(s, i, i*partSlots, min((i+1)*partSlots, n)) })
}

// sumParts returns the sum of what do returns for all parts of the slots.
func (s *geometric) sumParts(do func(s *geometric, first, end int) float64) float64 {
	if len(s.totals) == 1 { // nothing is allocated: allocation takes longer than a step on a small space
		return do(s, 0, s.slots)
	}
	s.inParts(s.slots, func(s *geometric, part, first, end int) { s.totals[part] = do(s, first, end) })
	return number.Total(s.totals)
}

// slot returns the slot of a state.
func (s *geometric) slot(x int) int { return x/s.cols*s.pitch + x%s.cols }

// spreadOut writes one number for each state to its slot.
func (s *geometric) spreadOut(dst, src []float64) {
	for row := range s.n / s.cols {
		copy(dst[row*s.pitch:], src[row*s.cols:(row+1)*s.cols])
	}
}

// anchors reports whether f is computed afresh, and d centred again, before the step to t: after
// anchorEvery steps, and before the mean of d under p has moved further than a fourth of its
// standard deviation, since sums over uncentred numbers cancel. A bent path has a d of its own at
// each step.
func (s *geometric) anchors(t int) bool {
	if s.bent {
		return true
	}
	since := t - s.anchored
	return s.anchored == 0 || since == 0 || since >= anchorEvery || s.drifts(t, s.annealing.Step(t))
}

// reach is the range, in nats, of the change of log f in the step that is loaded.
func (s *geometric) reach() float64 { return s.step * s.span }

// drifts reports whether the mean of d under p may have moved too far since the last anchor for a
// step to t.
func (s *geometric) drifts(t int, step float64) bool {
	return float64(t-s.anchored)*step*s.spread > 0.25
}

// prepareStep prepares the step from t-1 to t. The stages are loaded one after another, from t = 2
// on. On millions of states it may take a second.
func (s *geometric) prepareStep(ctx context.Context, t int) error {
	step := s.annealing.Step(t)
	if s.bent {
		path := s.annealing.Path()
		path.LogRatio(s.logf, s.annealing.Place(t-1), s.annealing.Place(t), step)
		s.differ(s.logf)
		step = 1
	}
	if s.anchors(t) || s.adds && step*s.span > seriesRange {
		s.anchored = t
		if err := s.anchor(ctx, t-1); err != nil {
			return err
		}
	} else if step == s.step {
		return nil
	}
	s.setStep(step)
	return ctx.Err()
}

// anchor centres d under p_t, so that log f changes little in a step where most of the mass is, and
// computes f_t afresh, on a bent path only now and then.
func (s *geometric) anchor(ctx context.Context, t int) error {
	if s.computed != t &&
		(!s.bent || s.computed == 0 || t-s.computed >= anchorEvery || s.adds && s.span > seriesRange) {
		if err := s.compute(ctx, t); err != nil {
			return err
		}
	}
	s.mean = s.sumParts((*geometric).sumDifferences) / s.z
	s.spread = math.Sqrt(s.sumParts((*geometric).centre) / s.z)
	return ctx.Err()
}

// compute computes f_t and its sum.
func (s *geometric) compute(ctx context.Context, t int) error {
	s.computed = t
	s.annealing.LogF(s.logf, t)
	low, high := number.Bounds(s.logf)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	s.inParts(s.n, (*geometric).raise)
	s.balance = math.Ldexp(1, int(math.Round(-(low+high)/2/math.Ln2))) // a power of two: nothing is rounded
	s.spreadOut(s.f, s.logf)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	s.z = s.sumParts((*geometric).invert)
	return ctx.Err()
}

// raise replaces log f of some states by f.
func (s *geometric) raise(_, first, end int) {
	var known recalled[float64]
	for x, v := range s.logf[first:end] {
		s.logf[first+x] = known.valueAt(v, math.Exp)
	}
}

// invert scales f of some slots, computes 1/f and returns the sum of f.
func (s *geometric) invert(first, end int) float64 {
	var z number.BlockSum
	for x, f := range s.f[first:end] {
		if f == 0 {
			continue
		}
		f *= s.balance
		s.f[first+x], s.inverse[first+x] = f, 1/f
		z.Add(f)
	}
	return z.Value()
}

// sumDifferences returns the sum of f d over some slots.
func (s *geometric) sumDifferences(first, end int) float64 {
	var sum number.BlockSum
	for x, f := range s.f[first:end] {
		if f != 0 {
			sum.Add(f * s.difference[first+x])
		}
	}
	return sum.Value()
}

// centre subtracts the mean of d for some slots, and returns the sum of f times the squares of the
// differences.
func (s *geometric) centre(first, end int) float64 {
	var second number.BlockSum
	for x, f := range s.f[first:end] {
		if f == 0 {
			continue
		}
		c := s.difference[first+x] - s.mean
		s.centred[first+x] = c
		second.Add(f * c * c)
	}
	return second.Value()
}

// setStep computes the factors of one step.
func (s *geometric) setStep(step float64) {
	s.step = step
	s.largestChange = max(s.largestChange, step*s.spread)
	s.inParts(s.slots, (*geometric).factor)
}

// factor computes the factors of a step for some slots.
func (s *geometric) factor(_, first, end int) {
	var known *recalled[factors]
	if end-first > len(known) { // else clearing it takes longer than it saves
		known = new(recalled[factors])
	}
	for x := first; x < end; x++ {
		c := s.centred[x] * s.step
		var f factors
		if known == nil {
			f = factorsOf(c)
		} else {
			f = known.valueAt(c, factorsOf)
		}
		s.shift[x], s.rise[x], s.grow[x], s.back[x] = c, f.rise, f.grow, f.back
	}
}

// factors are exp(c) - 1, exp(c) and exp(-c) - 1.
type factors struct{ rise, grow, back float64 }

func factorsOf(c float64) factors {
	if math.Abs(c) > seriesRange {
		grow := math.Exp(c)
		return factors{grow - 1, grow, 1/grow - 1}
	}
	rise := expm1(c)
	return factors{rise, 1 + rise, -rise / (1 + rise)}
}

// recalled remembers what has been computed of numbers of which many are the same, such as log f of
// spins. The zero value remembers nothing.
type recalled[T any] [256]struct {
	of    float64
	known bool
	value T
}

// valueAt returns what compute returns of v.
func (a *recalled[T]) valueAt(v float64, compute func(v float64) T) T {
	k := &a[math.Float64bits(v)*0x9e3779b97f4a7c15>>56]
	if !k.known || k.of != v {
		k.of, k.known, k.value = v, true, compute(v)
	}
	return k.value
}

// expm1 returns exp(v) - 1 to the last digit or two, faster than math.Expm1 for small v.
func expm1(v float64) float64 {
	if math.Abs(v) > seriesRange {
		return math.Expm1(v)
	}
	total := 1.0               // Horner's scheme for v + v^2/2 (1 + v/3 (1 + v/4 (...)))
	if math.Abs(v) >= 1./512 { // else these terms are below the last digit
		total = 1 + float64(v*(1./13))
		total = 1 + float64(float64(v*(1./12))*total)
		total = 1 + float64(float64(v*(1./11))*total)
		total = 1 + float64(float64(v*(1./10))*total)
		total = 1 + float64(float64(v*(1./9))*total)
		total = 1 + float64(float64(v*(1./8))*total)
	}
	total = 1 + float64(float64(v*(1./7))*total)
	total = 1 + float64(float64(v*(1./6))*total)
	total = 1 + float64(float64(v*(1./5))*total)
	total = 1 + float64(float64(v*(1./4))*total)
	total = 1 + float64(float64(v*(1./3))*total)
	return v + float64(float64(v*v/2)*total)
}

// advance brings f from t-1 to t, and sums it. It adds f rise to f, whose rounding errors have
// random signs. Those of a factor 1 + rise would be the same at every step, and would affect
// kernels that compare sums of f, such as Suwa and Todo's.
func (s *geometric) advance() {
	s.zBack = s.sumParts((*geometric).advanceSome)
	// f_{t-1} is f_t (1 + back)
	s.zBefore = s.z
	s.z -= s.zBack
}

// advanceSome advances some slots, and returns the sum of f back over them.
func (s *geometric) advanceSome(first, end int) float64 {
	return s.unit.Advance(s.f[first:end], s.inverse[first:end], s.rise[first:end], s.back[first:end])
}

// change returns factor and offset such that p_{t-1}/p_t - 1 is back factor + offset, without the
// cancellation of that difference.
func (s *geometric) change() (factor, offset float64) { return s.z / s.zBefore, -s.zBack / s.zBefore }

// rebase changes the reference of both directions from p_{t-1} to p_t: u becomes w = q_{t-1}/p_t -
// 1, and A becomes A + step c with c = centred. With e = p_{t-1}/p_t - 1 it adds step sum p_t (1+w)
// c to E_fwd[log w], and -sum p_t (step w c + e A) to B. In slots without a state u and a stay
// finite and have no meaning.
func (s *geometric) rebase(u, a []float64) {
	factor, offset := s.change()
	s.rebasing = rebasing{u, a, factor, offset}
	s.inParts(len(u), (*geometric).rebaseSome)
	s.addRebased()
}

// addRebased adds what the parts of a rebase have summed.
func (s *geometric) addRebased() {
	sums := s.rebased[0]
	for _, v := range s.rebased[1:] {
		sums.C += v.C
		sums.CW += v.CW
		sums.EA += v.EA
	}
	s.forward.Add(s.step*s.mean + (sums.C+sums.CW)/s.z)
	s.slack.Add(-(sums.CW + sums.EA) / s.z)
}

// rebaseSome changes the reference in some slots.
func (s *geometric) rebaseSome(part, first, end int) {
	r := &s.rebasing
	s.rebased[part] = s.unit.Rebase(r.u[first:end], r.a[first:end], s.f[first:end], s.shift[first:end],
		s.back[first:end], r.factor, r.offset)
}

// geometricRoundings is the rounding error of the deviations q/p - 1 in units of that of a single
// step: the f of a kernel has gone through the roundings of up to anchorEvery steps. Each move of a
// sequence adds one.
const geometricRoundings = 16

// solution returns the solution after the last step, without the bounds on errors that only the
// solver knows. The function ratio returns q/p_T and q/p_T - 1 in a slot. It also returns the
// summed divergences.
func (s *geometric) solution(method Method,
	ratio func(slot int) (h, u number.Wide)) (*Solution, *stage.Divergences) {
	initial := s.logf
	target := make([]float64, s.n)
	s.annealing.LogF(initial, 1)
	s.annealing.LogF(target, s.annealing.Distributions())
	logZ := number.LogSumExp(target)
	d := &stage.Divergences{}
	sol := &Solution{Method: method, B: s.slack.Value(), Target: target, Output: make([]float64, s.n)}
	sol.setLogZ(logZ, number.LogSumExp(initial))
	for x, v := range target {
		logp := v - logZ
		p := math.Exp(logp)
		h, u := ratio(s.slot(x))
		d.Add(p, logp, h, u)
		sol.Output[x], target[x] = number.WideExp(logp).Mul(h).Float(), p
	}
	sol.setDivergences(d)
	sol.noteInfinities(infinities{Divergences: d}, "") // the advice does not apply to a path without zeros
	sol.setResolution(float64(geometricRoundings+chains.MovesOf(s.annealing.Kernel())) * s.largestChange)
	sol.MeanLogWForward = s.forward.Value()
	sol.MeanLogWReverse = sol.MeanLogWForward + sol.B
	return sol, d
}
