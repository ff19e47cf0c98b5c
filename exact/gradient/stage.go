package gradient

import (
	"context"
	"math"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/exact/internal/operator"
)

// tangent holds the arrays of stage t for the derivative with respect to b_t.
type tangent struct {
	*workspace
	t       int
	beta    float64
	p, perP []float64 // p_t and 1/p_t
	lambda  []float64 // log(p_{t-1}/p_t)
	back    []float64 // p_t/p_{t-1} - 1
	w, u, a []float64 // see Differentiate
}

// workspace is the memory that the stages of an annealing share. Its arrays belong to the last
// stage that used them.
type workspace struct {
	annealing *chains.Annealing
	ratio, e  []float64 // p_{t-1}/p_t, and that less one
	slope     []float64 // the derivative of log f_b by b
	logfT     []float64 // log f_t
	logfAt    int       // the t that it belongs to; 0 for none
}

// arraysOfStage is the number of arrays in a tangent.
const arraysOfStage = 7

// newStages returns the memory of the given number of stages of an annealing.
func newStages(a *chains.Annealing, count int, m *Memory) []tangent {
	n := a.States()
	shared := &workspace{
		annealing: a,
		ratio:     make([]float64, n),
		e:         make([]float64, n),
		slope:     make([]float64, n),
		logfT:     make([]float64, n),
	}
	all := m.numbers(arraysOfStage * n * count) // a stage writes all of its arrays before it reads them
	stages := make([]tangent, count)
	for i := range stages {
		s := &stages[i]
		s.workspace = shared
		for _, v := range []*[]float64{&s.p, &s.perP, &s.lambda, &s.back, &s.w, &s.u, &s.a} {
			*v, all = all[:n:n], all[n:]
		}
	}
	return stages
}

// anchorEvery is the number of stages for which p_t is found from p_{t-1} and their ratio before it
// is computed afresh. A stage adds a few roundings to it.
const anchorEvery = 64

// load computes the distributions of stage t. If before is not nil it is the stage before.
func (s *tangent) load(t int, before *tangent) {
	a := s.annealing
	s.t, s.beta = t, a.Beta(t)
	a.LogRatio(s.lambda, t)
	if before == nil || (t-2)%anchorEvery == 0 {
		s.loadDensity()
		s.compareStages(mean(s.p, s.lambda))
	} else {
		s.followStage(before)
	}
	for x, p := range s.p {
		s.perP[x] = 1 / p
	}
}

// mean returns the mean of v under p.
func mean(p, v []float64) float64 {
	total := 0.0
	for x, v := range v {
		total += p[x] * v
	}
	return total
}

// logF returns log f_t.
func (s *tangent) logF() []float64 {
	if s.logfAt != s.t {
		s.annealing.LogF(s.logfT, s.t)
		s.logfAt = s.t
	}
	return s.logfT
}

// loadSlope computes slope at this stage, and returns its mean under p_t.
func (s *tangent) loadSlope() float64 {
	s.annealing.Path().Slope(s.slope, s.annealing.Place(s.t))
	return mean(s.p, s.slope)
}

// loadDensity computes p_t afresh.
func (s *tangent) loadDensity() {
	logf := s.logF()
	_, high := number.Bounds(logf)
	z := 0.0
	for x, v := range logf {
		s.p[x] = math.Exp(v - high)
		z += s.p[x]
	}
	for x := range s.p {
		s.p[x] /= z
	}
}

// compareStages replaces log f_t - log f_{t-1} in lambda, whose mean under p_t is given, by
// log(p_{t-1}/p_t). It also computes the ratio p_{t-1}/p_t, and the deviations of that ratio and of
// its inverse from one.
func (s *tangent) compareStages(mean float64) {
	total := 0.0
	for x, delta := range s.lambda {
		s.e[x] = math.Expm1(mean - delta)
		total += s.p[x] * s.e[x]
	}
	shift := math.Log1p(total)
	for x, delta := range s.lambda {
		s.lambda[x] = mean - delta - shift
		if e := s.e[x]; e > -0.5 {
			s.back[x], s.ratio[x] = (total-e)/(1+e), (1+e)/(1+total)
		} else {
			s.back[x], s.ratio[x] = math.Expm1(-s.lambda[x]), math.Exp(s.lambda[x])
		}
		s.e[x] = (s.e[x] - total) / (1 + total)
	}
}

// followStage computes p_t from p_{t-1} and their ratio, like compare, but from the other end: it
// takes means under p_{t-1}.
func (s *tangent) followStage(before *tangent) {
	middle := mean(before.p, s.lambda)
	total := 0.0
	for x, delta := range s.lambda {
		s.back[x] = math.Expm1(delta - middle)
		total += before.p[x] * s.back[x]
	}
	shift := math.Log1p(total)
	per := 1 / (1 + total)
	for x, delta := range s.lambda {
		s.lambda[x] = middle - delta + shift
		b := s.back[x]
		if b > -0.5 {
			s.e[x], s.ratio[x] = (total-b)/(1+b), (1+total)/(1+b)
			s.p[x] = before.p[x] * ((1 + b) * per)
		} else {
			s.e[x], s.ratio[x] = math.Expm1(s.lambda[x]), math.Exp(s.lambda[x])
			s.p[x] = before.p[x] * math.Exp(-s.lambda[x])
		}
		s.back[x] = (b - total) * per
	}
}

// moves are the kernel T_t of any stage and its time reversal T~_t, which are applied to functions
// and differentiated. A stage must be prepared by load, and again by derive, before its other
// methods are called. After that forward and parts, which use T_t, may run at the same time as back
// and twin, which use T~_t.
type moves struct {
	loader
	forward, back side
	twin          operator.Averager   // T_t, with memory of its own
	parts         []operator.Averager // the parts of T~_t in order, with memory of their own
}

// side is T_t or T~_t at the stage that is prepared.
type side interface {
	operator.Averager
	// Derived returns the sum over x of p_t(x) measure(x) (T' v)(x), for the derivative T' by beta,
	// and whether it jumps there. It is then the derivative from above, or from below at beta = 1.
	Derived(measure, v []float64, along operator.Direction) (total float64, kinked bool)
}

// loader prepares stages. There are two: appliedMoves, for kernels that are applied without their
// rows, and rowMoves for all others.
type loader interface {
	// load computes the kernel at a stage whose distributions have been computed.
	load(ctx context.Context, s *tangent) error
	// derive returns to a stage that has been loaded, and prepares its derivatives.
	derive(ctx context.Context, s *tangent) error
}

// newMoves returns the moves of an annealing with one kernel. It fails if the context ends and if
// the operator would take too much memory, before it takes any.
func newMoves(ctx context.Context, a *chains.Annealing) (*moves, error) {
	k := a.Kernel()
	n := a.States()
	o, err := operator.New(ctx, k, n)
	if err != nil {
		return nil, err
	}
	forward, known := operator.Derivative(o)
	if !known {
		rows := newRowMoves(k)
		return &moves{
			rows, rows.forward, rows.backward, rows.forward, []operator.Averager{rows.backward}}, nil
	}
	applied := &appliedMoves{kernel: o}
	applied.law.LogF = func() []float64 { return applied.stage.logF() }
	back := o.Reversal().Twin()
	m := &moves{loader: applied, forward: forward, twin: o.Twin()}
	m.back, _ = operator.Derivative(back.Twin())
	for _, part := range operator.Sequence(back) {
		m.parts = append(m.parts, part)
	}
	return m, nil
}

// appliedMoves are those of a kernel that is applied without its rows (see package operator).
type appliedMoves struct {
	kernel operator.Operator
	law    operator.Distribution
	stage  *tangent // that which is loaded
}

// load implements loader.
func (m *appliedMoves) load(_ context.Context, s *tangent) error {
	m.stage = s
	m.law.F = s.p
	m.law.Inverse = s.perP
	m.kernel.Load(&m.law)
	return nil
}

// derive implements loader: it loads the kernel, unless it is loaded already.
func (m *appliedMoves) derive(ctx context.Context, s *tangent) error {
	if m.stage == s {
		return nil
	}
	return m.load(ctx, s)
}

// along is the direction in which log f changes with beta. At the end of the path beta can only
// fall.
func along(s *tangent) operator.Direction {
	return operator.Direction{Slope: s.slope, Below: s.beta == 1}
}
