// Package gradient computes the exact derivatives of J, B, the one-sided divergences and the log
// probability of a best state with respect to every beta of the schedule, from one sweep forward
// and one backward. Package experiments/placement uses them to find the best schedule.
package gradient

import (
	"context"
	"fmt"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/selector"
	"breadboard/exact"
	"breadboard/exact/internal/crew"
	"breadboard/exact/internal/operator"
	"breadboard/exact/internal/stage"
	"breadboard/exact/kernel"
)

// Options control how Differentiate works, and do not change its results. The zero value is the
// default.
type Options struct {
	// Workers is the number of goroutines that share the work on a large space, the caller's among
	// them. Zero is one.
	Workers int
	// Progress is called now and then with the number of steps since the last call. All calls add
	// up to 2 (T - 1). It may be nil.
	Progress func(steps int)
	// Memory is reused from one call to the next. It may be nil.
	Memory *Memory
}

// Memory holds stages between calls, up to 64 MB and more on large spaces. Only one call at a time
// may use it.
type Memory struct{ stages []float64 }

// numbers returns n numbers, which may have any values.
func (m *Memory) numbers(n int) []float64 {
	if m == nil {
		return make([]float64, n)
	}
	if cap(m.stages) < n {
		m.stages = make([]float64, n)
	}
	return m.stages[:n]
}

// Gradient is the derivative of an objective with respect to the betas of a schedule.
type Gradient struct {
	// Value is the value of the objective in nats, to about 1e-12 relative or 1e-15 nats.
	// exact.Solve gives it with notes, and with wider numbers if ratios are large.
	Value float64
	// the derivative with respect to b_t at index t - 1; zero for both ends, which do not move
	ByBeta []float64
	// Kinks are the stages t at which the objective has no derivative, because two states that a
	// kernel compares have the same f there, or because the path has a kink there. ByBeta then
	// holds the derivative from above. Stages at beta = 0 and beta = 1 are not listed: beta can
	// leave these in one direction only, and ByBeta holds the derivative in that direction.
	Kinks []int
}

// Differentiable returns an error with the reason if Differentiate does not support an annealing.
func Differentiable(a *chains.Annealing) error {
	if a.Kernel() == nil {
		return chains.ErrByStage(a.Transitions())
	}
	if a.Path().Zeros() {
		return errs.New("the path begins, ends or passes where f is zero; derivatives need distributions that are "+
			"positive everywhere: replace -inf by a number at most %d nats below the largest",
			operator.Range)
	}
	logf := make([]float64, a.States())
	for _, beta := range append([]float64{0, 1}, a.Path().Kinks()...) {
		a.Path().LogF(logf, chains.At(beta))
		if low, high := number.Bounds(logf); !(high-low <= operator.Range) {
			return errs.New("log f spans %.6g nats at beta %v; derivatives are for at most %d", high-low,
				beta, operator.Range)
		}
	}
	return nil
}

// Differentiate returns the gradient of an objective with respect to the betas of an annealing. It
// uses the adjoint of the propagation: the forward distribution and the reverse chain's adjoint are
// carried from t = 1 to T, the forward chain's adjoint and the reverse distribution from T back to
// 1, and at every stage
//
//	dB/db_t = sum p_t s (y - z - w + u) + sum p_t (1 + z) T~_t' a - sum p_t (1 + w) T_t' V,
//	dJ/db_t = sum p_t (1 + w) T_t' v,
//
// where w and u are the deviations q_{t-1}/p_t - 1 and q_t/p_t - 1 of the forward distribution, y
// and z those of the reverse distribution, and s is the score d log p_b/db. T' is the derivative of
// the kernel along s. a is the expected log weight of the stages up to t in the reverse chain, and
// V that of the later stages in the forward chain, each minus its mean. v is the derivative of J
// with respect to q_t. Objectives other than B use the formula of J with their own v.
//
// A kernel of the library is applied and differentiated without its rows, in the time of about four
// solves by the applied method of package exact. The derivative is not known for kernels of Suwa
// and Todo, for kernels that are not of the library, and for combinations of these. Their rows are
// differentiated by a five-point formula with a relative error of about 1e-11, or 1e-5 near a kink,
// where two states differ by less than 4e-3 nats. That takes about five solves by the general
// method. Memory is O(sqrt(T) n) for n states and at most 64 MB more, and that of ten matrices of
// rows if rows are differentiated.
//
// Differentiate fails if Differentiable does: if a distribution is zero somewhere or spans more
// than 600 nats, or if the kernel is made for the stages of one annealing. It also fails if it
// takes more memory than kernel.MaxBytes, if the objective is infinite, and if the kernel is not
// valid (see exact.Solve).
func Differentiate(ctx context.Context, a *chains.Annealing, objective Objective,
	o Options) (*Gradient, error) {
	if err := Differentiable(a); err != nil {
		return nil, err
	}
	d, err := newDifferentiation(ctx, stage.NewProblem(a, o.Progress), objective, o.Memory)
	if err != nil {
		return nil, err
	}
	d.crew = crew.New(crew.Pair(a.States(), o.Workers))
	defer d.crew.Dismiss()
	if err := d.forward(ctx); err != nil {
		return nil, err
	}
	if err := d.backward(ctx); err != nil {
		return nil, err
	}
	d.problem.Flush()
	return d.out, nil
}

// differentiation holds what Differentiate works with.
type differentiation struct {
	problem   *stage.Problem
	objective Objective
	moves     *moves
	crew      *crew.Crew // applies T_t and T~_t, at the same time on a large space

	now    carried
	kept   *stage.Checkpoints[carried] // step i of the recursion is stage i + 1
	stages []tangent                   // the stages of the current stretch
	value  number.Sum                  // B
	seen   number.Sum                  // the mass that has come to a best state
	// the best states, at which all chains end if the objective is ObjectiveTTS, and those of x_T
	// if it is ObjectiveSuccess
	best  []int
	ended float64 // the adjoint at these

	// V or v of Differentiate, and the deviation z of the reverse distribution
	future, z               []float64
	y, next, measure, above []float64 // memory
	out                     *Gradient
}

// carried is the state of the forward sweep: the forward distribution as its ratios to p_t, and
// past, the reverse chain's adjoint with mean zero under p_t.
type carried struct {
	q    *operator.Ratios
	past []float64
}

// keptBytes is the memory for stages that are kept for the backward sweep instead of being computed
// again.
const keptBytes = 64e6

// newDifferentiation returns a differentiation before the first stage, with memory for the stages
// of one stretch. It fails if the context ends.
func newDifferentiation(ctx context.Context, p *stage.Problem, o Objective,
	m *Memory) (*differentiation, error) {
	n := p.Annealing.States()
	T := p.Annealing.Distributions()
	d := &differentiation{
		problem:   p,
		objective: o,
		kept:      stage.NewCheckpoints[carried](T - 1),
		now:       carried{operator.NewRatios(n), make([]float64, n)},
		future:    make([]float64, n),
		z:         make([]float64, n),
		y:         make([]float64, n),
		next:      make([]float64, n),
		measure:   make([]float64, n),
		above:     make([]float64, n),
		out:       &Gradient{ByBeta: make([]float64, T)},
	}
	var err error
	d.moves, err = newMoves(ctx, p.Annealing)
	if err != nil {
		return nil, err
	}
	if _, byRows := d.moves.loader.(*rowMoves); !byRows {
		// a stage computed again takes its rows once, beside five times for its derivative
		d.kept.Lengthen(int(keptBytes / float64(8*arraysOfStage*n)))
	}
	if err := d.checkMemory(); err != nil {
		return nil, err
	}
	d.stages = newStages(p.Annealing, d.kept.Stride, m)
	if o == ObjectiveTTS || o == ObjectiveSuccess {
		p.Annealing.LogF(d.next, T)
		d.best = exact.Best(d.next)
	}
	return d, nil
}

// The bytes that are kept of a state: of a stage, and at the start of a stretch.
const (
	stageBytes   = 8 * arraysOfStage
	carriedBytes = 8 * 3
)

// checkMemory fails if the stages of a stretch, and the checkpoints of the others, take too much
// memory.
func (d *differentiation) checkMemory() error {
	n := float64(d.problem.Annealing.States())
	steps := float64(d.problem.Annealing.Distributions() - 1)
	stride := float64(d.kept.Stride)
	what := fmt.Sprintf("gradients for %.0f distributions on %.0f states", steps+1, n)
	return kernel.CheckBytes(what, n*(stride*stageBytes+math.Ceil(steps/stride)*carriedBytes),
		"give fewer distributions, or a smaller space")
}

// forward sweeps from t = 1 to T.
func (d *differentiation) forward(ctx context.Context) error {
	T := d.problem.Annealing.Distributions()
	var s *tangent
	if d.objective == ObjectiveTTS {
		first := make([]float64, len(d.next))
		d.problem.Annealing.LogF(first, 1)
		chains.Normalize(first)
		d.arrive(first)
	}
	for t := 2; t <= T; t++ {
		if err := d.problem.Step(ctx); err != nil {
			return err
		}
		if d.kept.Begins(t - 1) {
			d.kept.Keep(carried{d.now.q.Clone(), slices.Clone(d.now.past)})
		}
		var err error
		s, err = d.loadStage(ctx, t)
		if err != nil {
			return err
		}
		d.value.Add(d.advance(s))
	}
	return d.setObjective(s)
}

// arrive ends the chains that are at a best state under the distribution p. Those of stages that
// are computed again have been counted.
func (d *differentiation) arrive(p []float64) {
	for _, x := range d.best {
		d.seen.Add(p[x] * d.now.q.Ratio(x))
	}
	d.now.q.Empty(d.best)
}

// stageMemory returns the memory of stage t, which is shared with the stages at the same place of
// other stretches.
func (d *differentiation) stageMemory(t int) *tangent { return &d.stages[(t-2)%d.kept.Stride] }

// loadStage computes stage t, with its kernel. Within a stretch the stages are loaded one after
// another.
func (d *differentiation) loadStage(ctx context.Context, t int) (*tangent, error) {
	s := d.stageMemory(t)
	var before *tangent
	if (t-2)%d.kept.Stride > 0 {
		before = d.stageMemory(t - 1)
	}
	s.load(t, before)
	return s, stage.WrapStage(d.problem.Annealing, t, d.moves.load(ctx, s))
}

// advance takes the forward distribution and the reverse chain's adjoint over a stage, and returns
// the term of the stage in B, by the sum in the documentation of package exact. The adjoint is
// moved only for B, because no other objective needs it.
func (d *differentiation) advance(s *tangent) float64 {
	slack := 0.0
	mean := 0.0
	q := d.now.q
	for x, p := range s.p {
		u := q.U[x]
		a := d.now.past[x]
		e := s.e[x]
		l := s.lambda[x]
		slack += p * (e*(l-a) + (1+e)*u*l)
		d.measure[x] = q.Ratio(x) * s.ratio[x]
		q.U[x] = u + e + u*e
		s.a[x] = a - l
		mean += p * s.a[x]
	}
	q.Settle(func(x int) float64 { return d.measure[x] })
	copy(s.w, q.U)
	if d.objective == ObjectiveB {
		for x := range s.a {
			s.a[x] -= mean
		}
	}
	d.both(func() {
		for _, part := range d.moves.parts {
			q.Move(part)
		}
	},
		func() {
			if d.objective == ObjectiveB {
				d.moves.back.Average(d.now.past, s.a)
			}
		})
	copy(s.u, q.U)
	if d.objective == ObjectiveTTS {
		d.arrive(s.p)
	}
	return slack
}

// both calls two functions, which do not depend on each other.
func (d *differentiation) both(one, other func()) {
	d.crew.Run(2, func(i int) {
		if i == 0 {
			one()
		} else {
			other()
		}
	})
}

// setObjective sets the value of the objective, and initialises future for the backward sweep.
func (d *differentiation) setObjective(last *tangent) error {
	d.out.Value = d.value.Value()
	if d.best != nil {
		d.out.Value = d.missed(last.p)
	} else if d.objective != ObjectiveB {
		d.out.Value = d.lastValue(last)
	}
	if math.IsNaN(d.out.Value) || math.IsInf(d.out.Value, 0) {
		return fmt.Errorf("%s is %v on this schedule: its derivative is undefined", d.objective, d.out.Value)
	}
	return nil
}

// lastValue returns the objective's value at the last stage, and sets future to its derivative
// with respect to q_T, up to a constant.
func (d *differentiation) lastValue(last *tangent) float64 {
	var sums stage.Divergences
	for x, p := range last.p {
		h := d.now.q.Ratio(x)
		u := d.now.q.U[x]
		sums.Add(p, number.Log(p), number.Scaled(h, 0), number.Scaled(u, 0))
		logh := math.Log1p(u)
		rise := u / h
		if u < -0.5 {
			logh = number.Log(h)
		}
		switch d.objective {
		case ObjectiveKLQP:
			d.future[x] = logh
		case ObjectiveKLPQ:
			d.future[x] = rise
		default:
			d.future[x] = logh + rise
		}
	}
	j, qp, pq := sums.Values()
	return d.objective.ValueOf(&exact.Solution{J: j, KLQP: qp, KLPQ: pq})
}

// missed returns -log of the probability of having come to a best state, and writes its derivative
// by the distribution at the end to future: that of what has come there or of what has not,
// whichever is less, so that neither loses digits.
func (d *differentiation) missed(p []float64) float64 {
	if d.objective == ObjectiveSuccess {
		d.arrive(p)
	}
	var left number.Sum
	for x, v := range p {
		left.Add(v * d.now.q.Ratio(x))
	}
	seen := d.seen.Value()
	away := 0.0
	value := -number.Log(seen)
	d.ended = -1 / seen
	if seen > 0.5 {
		value = -math.Log1p(-left.Value())
		d.ended = 0
		away = 1 / seen
	}
	for x := range d.future {
		d.future[x] = away
	}
	d.setEndAdjoint()
	return value
}

// setEndAdjoint writes the adjoint at the best states, where chains end.
func (d *differentiation) setEndAdjoint() {
	for _, x := range d.best {
		d.future[x] = d.ended
	}
}

// backward sweeps from T to t = 2, stretch by stretch. It computes the stages of a stretch again,
// except for those of the final stretch, which are still in memory.
func (d *differentiation) backward(ctx context.Context) error {
	T := d.problem.Annealing.Distributions()
	for stretch, now := range d.kept.Stretches() {
		first, last := stretch.First+1, stretch.Last+1
		if !stretch.Final {
			d.now = now
			for t := first; t <= last; t++ {
				if err := ctx.Err(); err != nil {
					return err
				}
				s, err := d.loadStage(ctx, t)
				if err != nil {
					return err
				}
				d.advance(s)
			}
		}
		for t := last; t >= first; t-- {
			if err := d.problem.Step(ctx); err != nil {
				return err
			}
			s := d.stageMemory(t)
			if err := d.moves.derive(ctx, s); err != nil {
				return err
			}
			var kinked bool
			d.out.ByBeta[t-1], kinked = d.retreat(s)
			if t < T && (kinked || slices.Contains(d.problem.Annealing.Path().Kinks(), s.beta)) &&
				s.beta > 0 && s.beta < 1 {
				d.out.Kinks = append(d.out.Kinks, t)
			}
		}
	}
	d.out.ByBeta[T-1] = 0
	slices.Reverse(d.out.Kinks)
	return nil
}

// retreat returns the derivative with respect to b_t, and whether the kernel has a kink there, and
// takes the forward chain's adjoint and the reverse distribution from t to t-1.
func (d *differentiation) retreat(s *tangent) (out float64, kinked bool) {
	meanSlope := s.loadSlope()
	var forward, back float64
	var kinkedBack bool
	ofForward := func() {
		for x, w := range s.w {
			d.measure[x] = 1 + w
		}
		forward, kinked = d.moves.forward.Derived(d.measure, d.future, along(s))
		d.moves.forward.Average(d.next, d.future)
	}
	if d.objective != ObjectiveB {
		ofForward()
		d.future, d.next = d.next, d.future
		if d.objective == ObjectiveTTS {
			d.setEndAdjoint()
		}
		return forward, kinked
	}
	d.both(ofForward, func() {
		for x, z := range d.z {
			d.above[x] = 1 + z
		}
		back, kinkedBack = d.moves.back.Derived(d.above, s.a, along(s))
		d.moves.twin.Average(d.y, d.z)
	})
	out = back - forward
	for x, y := range d.y {
		out += s.p[x] * (s.slope[x] - meanSlope) * (y - d.z[x] - s.w[x] + s.u[x])
		d.z[x] = y + s.back[x] + y*s.back[x]
		d.future[x] = d.next[x] - s.lambda[x]
	}
	return out, kinked || kinkedBack
}

// Objective is the name of a number of an exact.Solution that measures a schedule.
type Objective string

const (
	ObjectiveB    Objective = "B"      // E_rev[log w] - E_fwd[log w]
	ObjectiveJ    Objective = "J"      // the Jeffreys divergence between output and target
	ObjectiveKLQP Objective = "kl_q_p" // KL(q_fwd(x_T) || p_T)
	ObjectiveKLPQ Objective = "kl_p_q" // KL(p_T || q_fwd(x_T))

	ObjectiveSuccess Objective = "success" // -log of the probability that f_T is largest at x_T
	// ObjectiveTTS is -log of the probability that f_T is largest at any of x_1, ..., x_T, which
	// alone determines the time to solution for a T and a kernel.
	ObjectiveTTS Objective = "tts"
)

// Divergences returns the names of the objectives that are distances from the target.
func Divergences() []string {
	return []string{string(ObjectiveB), string(ObjectiveJ), string(ObjectiveKLQP), string(ObjectiveKLPQ)}
}

// Objectives returns the names of all objectives.
func Objectives() []string {
	return append(Divergences(), string(ObjectiveSuccess), string(ObjectiveTTS))
}

// ParseObjective returns the objective with the given name, and an error if there is none.
func ParseObjective(name string) (Objective, error) {
	for _, o := range Objectives() {
		if o == name {
			return Objective(o), nil
		}
	}
	return "", selector.UnknownError("objective", name, Objectives())
}

// ValueOf returns the objective's value in a solution, in nats.
func (o Objective) ValueOf(s *exact.Solution) float64 { return o.BoundedOf(s).Value }

// BoundedOf returns the value of the objective with the bound on its error. That of ObjectiveTTS is
// NaN: a Solution does not say where chains have been (see package climb).
func (o Objective) BoundedOf(s *exact.Solution) number.Bounded {
	n := s.Numbers()
	switch o {
	case ObjectiveB:
		return n.B
	case ObjectiveJ:
		return n.J
	case ObjectiveKLQP:
		return n.KLQP
	case ObjectiveSuccess:
		return s.Missed()
	case ObjectiveTTS:
		return number.Exactly(math.NaN())
	}
	return n.KLPQ
}
