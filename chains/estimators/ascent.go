package estimators

import (
	"context"
	"math"
	"slices"
	"sync"

	"breadboard/chains"
	"breadboard/chains/errs"
)

// Ascent is what a climb has come to.
type Ascent struct {
	Value  float64 // the estimate of log Z, in nats; -Inf if no better one is in reach of the start
	Sweeps int     // how often every factor, or every parameter, was set to its best value given the others
}

// plusValue returns the ascent with something added to its value, in nats. The value of an ascent
// that has failed means nothing.
func (a Ascent) plusValue(v float64) Ascent { return Ascent{a.Value + v, a.Sweeps} }

// Ascender is a method that climbs from a start that it draws to an estimate of log Z. It is for
// models of any size; unlike those of a Climber, its starts are not enumerated. An Ascender may be
// used by one goroutine.
type Ascender interface {
	// Ascend draws a start and climbs from there. It fails if the climb does not come to an end, or
	// the context ends.
	Ascend(ctx context.Context, c chains.RealChooser) (Ascent, error)
	// Work returns the cost of a number of sweeps.
	Work(sweeps float64) Work
}

// BestAscent climbs from the given number of starts, at least one, and returns the largest estimate
// and the sweeps of all ascents together. It fails if one of them does.
//
// Source: Grosse, Ghahramani and Adams 2015, section 6.2, which runs variational Bayes this way.
func BestAscent(ctx context.Context, c chains.RealChooser, a Ascender, restarts int) (Ascent, error) {
	if err := CheckRestarts(restarts); err != nil {
		return Ascent{}, err
	}
	return bestOf(restarts, func() (Ascent, error) { return a.Ascend(ctx, c) })
}

// bestOf returns the largest estimate of the given number of ascents, and all of their sweeps.
func bestOf(restarts int, ascend func() (Ascent, error)) (Ascent, error) {
	all := Ascent{Value: math.Inf(-1)}
	for range restarts {
		a, err := ascend()
		if err != nil {
			return Ascent{}, err
		}
		all.Value = max(all.Value, a.Value)
		all.Sweeps += a.Sweeps
	}
	return all, nil
}

// HardStarts is the Ascender that starts a Climber from hard starts, which are drawn uniformly.
type HardStarts struct {
	climber Climber
	sides   []int
	start   []int
}

// NewHardStarts returns the ascents of a climber from random hard starts.
func NewHardStarts(climber Climber) *HardStarts {
	sides := climber.Sides()
	return &HardStarts{climber, sides, make([]int, len(sides))}
}

// Ascend implements Ascender.
func (h *HardStarts) Ascend(ctx context.Context, c chains.RealChooser) (Ascent, error) {
	return h.drawAndClimb(ctx, c)
}

// drawAndClimb draws a start and climbs from there.
func (h *HardStarts) drawAndClimb(ctx context.Context, c chains.Chooser) (Ascent, error) {
	for i, side := range h.sides {
		h.start[i] = c.Uniform(side)
	}
	return h.climber.Climb(ctx, h.start)
}

// Work implements Ascender.
func (h *HardStarts) Work(sweeps float64) Work { return h.climber.Work(sweeps) }

// GivenStart is the Ascender that starts a Climber from one hard start, such as the state that made
// the data.
type GivenStart struct {
	climber Climber
	start   []int
}

// NewGivenStart returns the ascents of a climber from a start, all of which are the same. It fails
// if the start is not a hard start of the climber.
func NewGivenStart(climber Climber, start []int) (*GivenStart, error) {
	sides := climber.Sides()
	if len(start) != len(sides) {
		return nil, errs.New("a start with %d choices; the ascent begins with %d", len(start), len(sides))
	}
	for i, v := range start {
		if v < 0 || v >= sides[i] {
			return nil, errs.New("choice %d of the start is %d; give one from 0 to %d", i, v, sides[i]-1)
		}
	}
	return &GivenStart{climber, slices.Clone(start)}, nil
}

// Ascend implements Ascender.
func (g *GivenStart) Ascend(ctx context.Context, _ chains.RealChooser) (Ascent, error) {
	return g.climber.Climb(ctx, g.start)
}

// Work implements Ascender.
func (g *GivenStart) Work(sweeps float64) Work { return g.climber.Work(sweeps) }

// maxSweeps bounds the sweeps of an ascent.
const maxSweeps = 100_000

// ascend makes sweeps until the value that a sweep returns, and whether it has changed anything,
// say that it was the last one. It returns the value of that one.
func ascend(ctx context.Context, sweep func() (value float64, moved bool),
	last func(value float64, moved bool) bool) (Ascent, error) {
	var a Ascent
	for a.Sweeps < maxSweeps {
		if ctx.Err() != nil {
			return Ascent{}, context.Cause(ctx)
		}
		value, moved := sweep()
		a = Ascent{value, a.Sweeps + 1}
		if math.IsNaN(value) {
			return Ascent{},
				errs.New("the ascent came to no number in sweep %d; the variances and the squares of the data "+
					"differ by too many orders of magnitude for floating-point numbers",
					a.Sweeps)
		}
		if last(value, moved) {
			return a, nil
		}
	}
	return Ascent{},
		errs.New("the ascent has not come to an end after %d sweeps; it is slow where two clusters or "+
			"attributes begin to part, at one ratio of the variances, and if the noise of a low-rank "+
			"model is small",
			maxSweeps)
}

// Climber is a deterministic method that climbs from a hard start to an estimate of log Z:
// coordinate ascent, or EM. A hard start gives every discrete latent variable one value. A Climber
// may be used by many goroutines.
type Climber interface {
	// Sides returns how many values each latent variable has. The starts are all ways to give each
	// of them one.
	Sides() []int
	// Climb climbs from a start until nothing changes any more. It fails if it does not converge,
	// or if the context ends.
	Climb(ctx context.Context, start []int) (Ascent, error)
	// Work returns the cost of a run whose ascents take the given number of sweeps in total.
	Work(sweeps float64) Work
	// Operations returns about how many multiplications one sweep takes. It is used to refuse
	// models that take too long.
	Operations() float64
}

// keep returns a climber that climbs from each start once and caches the result, for all estimators
// and distributions that use it. If there are more than 2^20 starts it is the climber itself.
func keep(climber Climber) Climber {
	starts := StartsOf(climber)
	if _, already := climber.(*kept); already || starts > keptStarts {
		return climber
	}
	return &kept{Climber: climber, sides: climber.Sides(), ascents: make([]Ascent, int(starts))}
}

// keptStarts is the largest number of starts whose ascents are kept.
const keptStarts = 1 << 20

// kept is a Climber that keeps its ascents.
type kept struct {
	Climber
	sides   []int
	mutex   sync.Mutex
	ascents []Ascent // by start, with no sweeps if it has not been climbed from
}

// Climb implements Climber.
func (k *kept) Climb(ctx context.Context, start []int) (Ascent, error) {
	x := 0
	for i, side := range k.sides {
		x = x*side + start[i]
	}
	k.mutex.Lock()
	a := k.ascents[x]
	k.mutex.Unlock()
	if a.Sweeps > 0 {
		return a, nil
	}
	a, err := k.Climber.Climb(ctx, start)
	if err != nil {
		return a, err
	}
	k.mutex.Lock()
	k.ascents[x] = a
	k.mutex.Unlock()
	return a, nil
}

// Restarts climbs from several starts that are drawn independently and uniformly from all hard
// starts, and returns the largest estimate.
//
// Source: Grosse, Ghahramani and Adams 2015, section 6.2, which runs variational Bayes this way.
type Restarts struct {
	starts *HardStarts
	n      int
}

// NewRestarts returns the best of the given number of ascents, at least one. It climbs from each
// start once, and keeps the result, for up to 2^20 starts.
func NewRestarts(climber Climber, restarts int) (*Restarts, error) {
	if err := CheckRestarts(restarts); err != nil {
		return nil, err
	}
	return &Restarts{NewHardStarts(keep(climber)), restarts}, nil
}

// CheckRestarts returns an error if n is not a valid number of restarts.
func CheckRestarts(n int) error {
	if n < 1 || n > MaxDraws {
		return errs.New("%d restarts; give a whole number from 1 to %d", n, MaxDraws)
	}
	return nil
}

// Estimate implements Estimator. It panics with the error of Climb if that fails.
func (r *Restarts) Estimate(c chains.Chooser) float64 {
	a, err := bestOf(r.n, func() (Ascent, error) { return r.starts.drawAndClimb(context.Background(), c) })
	if err != nil {
		panic(err)
	}
	return a.Value
}

// Work implements Estimator: the mean over all starts, from each of which it climbs. It is NaN if
// CheckStarts rejects the climber, or an ascent fails.
func (r *Restarts) Work() Work {
	unknown := Work{Evaluations: math.NaN()}
	climber := r.starts.climber
	if CheckStarts(climber) != nil {
		return unknown
	}
	sweeps, starts, start := 0, int(StartsOf(climber)), make([]int, len(r.starts.sides))
	for x := range starts {
		StartOf(start, r.starts.sides, x)
		a, err := climber.Climb(context.Background(), start)
		if err != nil {
			return unknown
		}
		sweeps += a.Sweeps
	}
	return climber.Work(float64(r.n) * float64(sweeps) / float64(starts))
}

// Combination implements Estimator.
func (*Restarts) Combination() Combination { return Maximum }

// StartsOf returns the number of hard starts of a climber, which may be +Inf.
func StartsOf(climber Climber) float64 {
	starts := 1.0
	for _, side := range climber.Sides() {
		starts *= float64(side)
	}
	return starts
}

// StartOf writes start number x of variables with the given numbers of values. The last variable
// runs fastest, so that on a lattice start x is state x.
func StartOf(start, sides []int, x int) {
	for i := len(sides) - 1; i >= 0; i-- {
		start[i] = x % sides[i]
		x /= sides[i]
	}
}

// maxOperations bounds the multiplications of one sweep from every start. An ascent takes some tens
// of sweeps, so that the ascents from all starts then take some seconds.
const maxOperations = 1 << 25

// CheckStarts returns an error if climbing from all starts would take too long.
func CheckStarts(climber Climber) error {
	starts := StartsOf(climber)
	if each := climber.Operations(); !(starts*each <= maxOperations) {
		return errs.New(
			"%.3g starts, from each of which a sweep takes about %.3g multiplications: %.2g together, and "+
				"at most %.2g are made; take a smaller space, as that of fewer data or fewer clusters",
			starts,
			each,
			starts*each,
			float64(maxOperations),
		)
	}
	return nil
}

// Patience is a stopping rule: an ascent stops when its value has risen by less than Gain nats over
// the last Sweeps sweeps. If the value is a lower bound, it remains one. Its distance from the
// limit is not known: an ascent that lingers at a saddle stops there. With the zero Patience the
// ascent stops after the first sweep that changes nothing by more than rounding.
type Patience struct {
	Gain   float64 // nats, above zero
	Sweeps int     // at least 1
}

// PaperPatience returns the rule of Grosse, Ghahramani and Adams (2015): less than 0.01 nats over
// 50 sweeps.
//
// Source: Grosse, Ghahramani and Adams 2015, section 6.2.
func PaperPatience() Patience { return Patience{0.01, 50} }

// Validate returns an error if the rule never stops an ascent, as with the zero Patience, or stops
// it at once.
func (p Patience) Validate() error {
	if !(p.Gain > 0 && !math.IsInf(p.Gain, 1)) {
		return errs.New(
			"an ascent that stops when it has gained less than %v nats; give a number above zero, as 0.01",
			p.Gain,
		)
	}
	if p.Sweeps < 1 || p.Sweeps > maxSweeps {
		return errs.New(
			"an ascent that stops when it has gained little over %d sweeps; give a whole number from 1 to %d, as 50",
			p.Sweeps,
			maxSweeps,
		)
	}
	return nil
}

// last returns what says of the sweeps of one ascent, by their values in turn, which is the last
// one.
func (p Patience) last() func(value float64, moved bool) bool {
	if p == (Patience{}) {
		return func(_ float64, moved bool) bool { return !moved }
	}
	past := make([]float64, p.Sweeps) // past[i%len] is the value of sweep i
	n := 0
	return func(value float64, _ bool) bool {
		at := n % p.Sweeps
		over := n >= p.Sweeps && value-past[at] < p.Gain
		past[at] = value
		n++
		return over
	}
}
