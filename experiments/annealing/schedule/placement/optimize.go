package placement

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/schedules"
	"breadboard/exact"
	"breadboard/exact/gradient"
)

// Options say how Optimize works.
type Options struct {
	Iterations int             // at most so many from the best start (for B) or from each, after up to 100 from each; 0 is DefaultIterations
	Progress   func(steps int) // called with how much nearer the search seems to be to its end; the calls add up to Parts; nil for none
	Also       []Start         // schedules to begin from, in addition to the usual ones
	Ground     *Ground         // that of the path and the kernel, with what is known of it already; nil for a new one
	Workers    int             // the number of goroutines that share one solve or gradient on a large space; 0 is one
	// Better is called with each schedule that is better than all before it, from the goroutine that searches; nil for none. The linear
	// schedule comes first.
	Better func(Step)
}

// Step is the best schedule so far, on the way to an Optimum.
type Step struct {
	Points *schedules.Points
	Value  float64 // the value of the objective, in nats
	Start  string  // the schedule from which the search has come here
	Runs   int     // the number of gradients that were computed
}

// Start is a schedule to begin from.
type Start struct {
	Name     string
	Schedule chains.Schedule
}

// DefaultIterations is enough for any of the paper's toys up to T = 1000.
const DefaultIterations = 5000

// Optimum is the best schedule that was found.
type Optimum struct {
	Objective gradient.Objective
	Points    *schedules.Points
	Value     float64 // the value of the objective, by exact.Solve (nats)
	Linear    float64 // the value of the objective on the linear schedule (nats)
	// Gradient is the norm of the derivative by the unit vector whose squares are the increments; Relative is this norm
	// divided by the value. Both are zero at an optimum.
	Gradient, Relative float64
	Vanished           []int // the stages t with b_t = b_{t-1}
	Kinks              []int // the stages at which the objective has no derivative
	Start              string
	Runs               int // the number of gradients that were computed, over all starts
	// Converged says that Relative is below 1e-6, and that the objective would not be better with an increment above zero
	// at one of the vanished stages.
	Converged bool
	Reason    string // why the search did not converge
}

// converged is the relative gradient below which a search has converged. The relative distance of the value from the optimum
// is then about the square of the relative gradient.
const converged = 1e-6

// settled is the relative gradient at which a descent ends.
const settled = converged / 30

// decrement is the gradient, in coordinates in which the Hessian is the identity, at which a descent ends: the value is then within about
// half its square of the minimum.
const decrement = 3e-8

// vanishing is the size of an increment, relative to the mean increment, below which the search tries to set it to zero.
const vanishing = 1e-4

// Optimize finds the schedule with T distributions that minimises an objective over all schedules that never decrease. It writes the
// increments of beta as the squares of a unit vector, and minimises the logarithm of the objective over this vector by quasi-Newton steps
// (gonum's L-BFGS) with the gradient of gradient.Differentiate. It starts from the linear schedule, from equal steps in KL and from
// constant friction speed. Increments that shrink towards zero are set to zero where the objective is no worse for it, and change places
// with others where it is better. The objective may have several local minima; Optimize returns the best of those that the starts lead to.
func Optimize(ctx context.Context, path chains.Path, kernel chains.Kernel, T int, objective gradient.Objective, o Options) (*Optimum, error) {
	if T < 2 {
		return nil, schedules.Linear{}.Validate(T)
	}
	if o.Iterations == 0 {
		o.Iterations = DefaultIterations
	}
	if o.Ground == nil {
		o.Ground = NewGround(path, chains.Always(kernel), o.Workers)
	}
	s := &search{ctx: ctx, path: path, kernel: kernel, objective: objective, o: o, lowest: math.Inf(1)}
	linear, err := s.solve(schedules.Linear{}, T)
	if err != nil {
		return nil, err
	}
	if linear < nothing {
		return nil, fmt.Errorf("%s is %.2g on the linear schedule: %w", objective, linear, ErrNothingToGain)
	}
	best, err := s.best(T)
	if err != nil {
		return nil, err
	}
	s.descent = s.descents
	s.report(1)
	best.Linear, best.Runs = linear, s.runs
	if best.Value, err = s.solve(best.Points, T); err != nil {
		return nil, err
	}
	return best, nil
}

// ErrNothingToGain is the error for an objective that is zero, apart from rounding, on the linear schedule.
var ErrNothingToGain = errors.New("zero but for rounding, so that no schedule is better")

// nothing bounds the objective, in nats, where it is zero apart from rounding: it is then about the square of a rounding error.
const nothing = 1e-28

// search is the state of Optimize.
type search struct {
	ctx       context.Context
	path      chains.Path
	kernel    chains.Kernel
	objective gradient.Objective
	o         Options

	at     []float64 // the theta at which the last gradient was computed
	last   evaluation
	err    error
	runs   int
	start  string // the name of the start from which the search goes
	memory gradient.Memory
	ends   [][]float64 // where the starts have ended, each a unit vector
	frame  *frame      // of the last Hessian
	lowest float64     // the least value of an evaluation so far

	descents int     // how many there will be, of which number descent goes on, from 1
	descent  int     // 0 before the first
	begun    float64 // the relative gradient with which it began; 0 before its first evaluation
	told     int     // what Progress has been called with
}

// Parts is what the calls of Options.Progress add up to.
const Parts = 1000

// begin begins a descent, for progress.
func (s *search) begin() {
	s.descent++
	s.begun = 0
	s.report(0)
}

// nearer reports how near a descent is to its end: the logarithm of the gradient falls about evenly from where it began to where it ends.
func (s *search) nearer(gradient float64) {
	if s.descent == 0 || !(gradient > 0) {
		return
	}
	if s.begun == 0 {
		s.begun = max(gradient, 2*settled)
	}
	s.report(max(0, number.Log(s.begun/gradient)/number.Log(s.begun/settled)))
}

// report reports which part of the descent is done. What has been reported once stays.
func (s *search) report(part float64) {
	now := int(Parts * (float64(s.descent-1) + min(part, 1)) / float64(s.descents))
	if s.o.Progress != nil && min(now, Parts) > s.told {
		s.o.Progress(min(now, Parts) - s.told)
		s.told = min(now, Parts)
	}
}

// evaluation is the logarithm of the objective and its derivatives at a point.
type evaluation struct {
	value    float64
	byTheta  []float64
	byChange []float64 // the derivative by each increment, minus the mean of these over the increments
	kinks    []int
}

func (s *search) solve(schedule chains.Schedule, T int) (float64, error) {
	a, err := chains.NewAnnealing(s.path, schedule, s.kernel, T)
	if err != nil {
		return 0, err
	}
	sol, err := exact.Solve(s.ctx, a, exact.Options{Workers: s.o.Workers})
	if err != nil {
		return 0, err
	}
	v := s.objective.Of(sol)
	if math.IsInf(v, 0) {
		return 0, fmt.Errorf("%s is %v on the %v schedule: no schedule can be told from another", s.objective, v, schedule)
	}
	return v, nil
}

// store is the number of steps that L-BFGS remembers.
const store = 30

// scouting is the number of iterations from each start, after which the search goes on from the best of them alone.
const scouting = 100

// best descends from every start for a limited number of iterations, and from the best place reached until it ends. For B a start ends
// where it seems to go where another one has been. The other objectives have local minima close to each other, so that for them every start
// is followed to its end.
func (s *search) best(T int) (*Optimum, error) {
	r := &rival{value: math.Inf(1)}
	var from string
	var out *Optimum
	s.descents = 3 + min(s.some(), len(s.o.Also))
	if s.objective == gradient.ObjectiveB {
		s.descents++ // from the best place that was reached
	}
	for start := range s.starts(T) {
		s.begin()
		s.start, r.met = start.Name, 0
		theta := roots(start.Schedule, T)
		if s.objective == gradient.ObjectiveB {
			var err error
			if theta, _, _, err = s.minimize(theta, newFree(theta), min(scouting, s.o.Iterations), r); err != nil {
				return nil, err
			}
			if v := s.evaluate(theta).value; v < r.value-1e-12 {
				r.theta, r.value, from = theta, v, start.Name
			}
			continue
		}
		end, err := s.descend(theta)
		if err != nil {
			return nil, err
		}
		if out == nil || better(end, out) {
			out = end
			out.Start = start.Name
		}
	}
	if out != nil {
		return out, nil
	}
	s.start, s.descent = from, s.descents-1
	s.begin()
	out, err := s.finish(r.theta)
	if out != nil {
		out.Start = from
	}
	return out, err
}

// better reports whether one optimum is lower than another by more than rounding, or as low and converged where the other is not.
func better(a, b *Optimum) bool {
	if math.Abs(a.Value-b.Value) > 1e-13*b.Value {
		return a.Value < b.Value
	}
	return a.Converged && !b.Converged
}

// descend goes from a start to its end.
func (s *search) descend(theta []float64) (*Optimum, error) {
	theta, _, _, err := s.minimize(theta, newFree(theta), min(scouting, s.o.Iterations), nil)
	if err != nil {
		return nil, err
	}
	end, err := s.finish(theta)
	if err == nil {
		s.ends = append(s.ends, roots(end.Points, end.Points.Len()))
	}
	return end, err
}

// starts yields the linear schedule, those of equal steps and of constant friction speed where they are defined, and the best of the
// schedules that the options add. The two are placed when their turn comes, since that may take longer than a descent.
func (s *search) starts(T int) iter.Seq[Start] {
	return func(yield func(Start) bool) {
		var used []string
		next := func(start Start) bool {
			used = append(used, start.Name)
			return yield(start)
		}
		if !next(Start{"linear", schedules.Linear{}}) {
			return
		}
		for _, name := range []string{"step-kl", "friction"} {
			if start, defined := s.placed(name, T); defined && !next(start) {
				return
			}
		}
		for _, a := range s.promising(T) {
			if !slices.Contains(used, a.Name) && !next(a) {
				return
			}
		}
	}
}

// promising returns the schedules that the options add on which the objective is least: the least of all, and some more.
func (s *search) promising(T int) []Start {
	list, values := slices.Clone(s.o.Also), map[string]float64{}
	for _, a := range list {
		values[a.Name] = s.evaluate(roots(a.Schedule, T)).value
	}
	slices.SortStableFunc(list, func(a, b Start) int { return cmp.Compare(values[a.Name], values[b.Name]) })
	return list[:min(s.some(), len(list))]
}

// some returns how many of the schedules that the options add are starts.
func (s *search) some() int {
	if s.objective == gradient.ObjectiveB {
		return 3
	}
	return 1 // each is followed to its end
}

// placed returns the schedule of a family that looks at the path, and false where it is not defined, for example without friction.
func (s *search) placed(name string, T int) (Start, bool) {
	if i := slices.IndexFunc(s.o.Also, func(o Start) bool { return o.Name == name }); i >= 0 {
		return s.o.Also[i], true // the options have this schedule already, so it is not computed again
	}
	family, err := Parse(name)
	if err != nil {
		panic(err) // both names are among the forms that Parse reads
	}
	p, err := family.OnGround(s.ctx, s.o.Ground)
	if err != nil {
		return Start{}, false
	}
	schedule, err := p.Place(s.ctx, T)
	return Start{name, schedule}, err == nil
}

// roots returns the square roots of a schedule's increments, which are theta.
func roots(schedule chains.Schedule, T int) []float64 {
	theta := make([]float64, T-1)
	for i := range theta {
		theta[i] = math.Sqrt(schedule.Step(i+2, T))
	}
	return theta
}

// betas returns the schedule of theta.
func betas(theta []float64) []float64 {
	norm := floats.Dot(theta, theta)
	out := make([]float64, len(theta)+1)
	for i, v := range theta {
		out[i+1] = min(1, out[i]+v*v/norm)
	}
	last := len(theta)
	for last > 0 && theta[last-1] == 0 { // where the last increments are zero, all betas behind them are 1
		out[last] = 1
		last--
	}
	out[last] = 1
	return out
}

// evaluate returns the objective and its gradient at theta.
func (s *search) evaluate(theta []float64) evaluation {
	if s.at != nil && floats.Equal(s.at, theta) {
		return s.last
	}
	s.at = append(s.at[:0], theta...)
	s.last = evaluation{value: math.Inf(1), byTheta: make([]float64, len(theta)), byChange: make([]float64, len(theta))}
	if s.err != nil {
		return s.last
	}
	points, err := schedules.NewPoints("optimised", betas(theta))
	if err != nil {
		return s.last // a component of theta is NaN
	}
	a, err := chains.NewAnnealing(s.path, points, s.kernel, points.Len())
	if err != nil {
		s.err = err
		return s.last
	}
	g, err := gradient.Differentiate(s.ctx, a, s.objective, gradient.Options{Workers: s.o.Workers, Memory: &s.memory})
	if err != nil {
		s.err = err
		return s.last
	}
	s.runs++
	s.last.value, s.last.kinks = number.Log(max(g.Value, nothing)), g.Kinks
	s.tell(points, g.Value)
	if g.Value > nothing { // otherwise the objective is zero apart from rounding, and no schedule is better
		s.chain(theta, g)
	}
	s.nearer(floats.Norm(s.last.byTheta, 2) * floats.Norm(theta, 2))
	return s.last
}

// tell tells of a schedule that is better than all before it.
func (s *search) tell(points *schedules.Points, value float64) {
	if !(value < s.lowest) {
		return
	}
	s.lowest = value
	if s.o.Better != nil {
		s.o.Better(Step{points, value, s.start, s.runs})
	}
}

// nudge is the relative distance from a beta at which kinksNear takes derivatives.
const nudge = 1e-6

// kinksNear returns the stages at which the derivative by beta differs a little above and a little below the beta. At such a
// kink a descent ends with a gradient that is not zero.
func (s *search) kinksNear(points *schedules.Points) (stages []int) {
	T := points.Len()
	var sides [2]*gradient.Gradient
	for i := range sides {
		moved := make([]float64, T)
		for t := range T {
			moved[t] = math.Pow(points.Beta(t+1, T), 1+nudge*float64(2*i-1))
		}
		shifted, err := schedules.NewPoints("", moved)
		if err != nil {
			return nil
		}
		a, err := chains.NewAnnealing(s.path, shifted, s.kernel, T)
		if err != nil {
			return nil
		}
		if sides[i], err = gradient.Differentiate(s.ctx, a, s.objective, gradient.Options{Workers: s.o.Workers, Memory: &s.memory}); err != nil {
			return nil
		}
	}
	largest := max(floats.Norm(sides[0].ByBeta, math.Inf(1)), floats.Norm(sides[1].ByBeta, math.Inf(1)))
	for i := range T {
		if math.Abs(sides[0].ByBeta[i]-sides[1].ByBeta[i]) > 0.01*largest {
			stages = append(stages, i+1)
		}
	}
	return stages
}

// chain computes the derivatives by the increments and by theta from those by beta, by the chain rule. An increment moves its
// own beta and all later ones.
func (s *search) chain(theta []float64, g *gradient.Gradient) {
	norm := floats.Dot(theta, theta)
	above, mean := 0.0, 0.0
	for i := len(theta) - 1; i >= 0; i-- {
		above += g.ByBeta[i+1] / g.Value
		s.last.byChange[i] = above
		mean += above * theta[i] * theta[i] / norm
	}
	for i, v := range theta {
		s.last.byChange[i] -= mean
		s.last.byTheta[i] = 2 * v / norm * s.last.byChange[i]
	}
}

// rival is the best place that other starts have led to.
type rival struct {
	theta []float64 // a unit vector; nil before the first descent
	value float64   // the logarithm of the objective there
	met   int       // the number of iterations in a row that seem to lead there
}

// sameValley is the number of iterations in a row that seem to lead to the rival after which a descent ends.
const sameValley = 3

// meets reports whether a descent, which has come to theta, goes where the rival is: whether a quadratic function with the value and the
// gradient at theta and with its minimum at the rival has about the rival's value there, again and again. Of the descents that go elsewhere
// few pass this by chance, and none of those that have gone below the rival.
func (r *rival) meets(theta []float64, e evaluation) bool {
	if r == nil || r.theta == nil || !(e.value > r.value) {
		return false
	}
	above := e.value - r.value
	size, fall := floats.Norm(theta, 2), 0.0
	for i, v := range theta {
		fall += e.byTheta[i] * (v - math.Copysign(size*r.theta[i], v))
	}
	if math.Abs(fall/2-above) > above/4 {
		r.met = 0
		return false
	}
	r.met++
	return r.met >= sameValley
}

const (
	// rounds bounds how often increments are set to zero or made positive again.
	rounds = 30
	// dense is the number of increments from which the Hessian would take too many gradients, one for each.
	dense = 200
	// stretch is the number of iterations after which increments are set to zero or made positive again.
	stretch = 100
)

// finish descends until the search ends, and sets increments that vanish to zero on the way. Where the Hessian is affordable it goes on
// in coordinates in which this is the identity: the objective has hardly any curvature in many directions, and L-BFGS would come to no end.
func (s *search) finish(theta []float64) (*Optimum, error) {
	reason := ""
	left := s.o.Iterations
	fresh := false
	for range rounds {
		changed := s.vanish(theta)
		changed = s.revive(theta) || changed
		before := s.evaluate(theta).value
		if left <= 0 {
			break
		}
		v := newFree(theta)
		if len(v.x) < dense {
			s.flatten(v, fresh)
		}
		next, steps, why, err := s.minimize(theta, v, min(left, stretch), nil)
		if err != nil {
			return nil, err
		}
		theta, reason = next, why
		left -= max(1, steps)
		if fresh && why == optimize.GradientThreshold.String() && s.settled(theta) && !s.shift(theta) || !fresh && s.same(theta) {
			break
		}
		fresh = true
		if !changed && !(s.evaluate(theta).value < before-1e-14) && !s.shift(theta) {
			break
		}
	}
	return s.optimum(theta, reason)
}

// same reports whether theta is where an earlier start has ended.
func (s *search) same(theta []float64) bool {
	return slices.ContainsFunc(s.ends, func(end []float64) bool { return floats.Distance(end, theta, 2) < 1e-5 })
}

// settled reports whether no increment would vanish or come back at theta.
func (s *search) settled(theta []float64) bool {
	e := s.evaluate(theta)
	for i, v := range theta {
		if v == 0 && e.byChange[i] < -converged || v != 0 && v*v < vanishing/float64(len(theta)) && e.byChange[i] > 0 {
			return false
		}
	}
	return floats.Norm(e.byTheta, 2) <= converged
}

// ending says when a descent ends: where nothing is gained any more, and where it goes to the rival.
type ending struct {
	optimize.FunctionConverge
	meets func(theta []float64) bool
}

// Converged implements optimize.Converger.
func (e *ending) Converged(l *optimize.Location) optimize.Status {
	if e.meets(l.X) {
		return optimize.Success
	}
	return e.FunctionConverge.Converged(l)
}

// minimize runs gonum's L-BFGS over the coordinates of v, which stands at theta. It returns the best theta, the number of iterations, and
// the reason why the optimiser stopped. It ends where it seems to go to the rival; nil is none.
func (s *search) minimize(theta []float64, v *free, iterations int, r *rival) (best []float64, steps int, reason string, err error) {
	problem := optimize.Problem{
		Func: func(x []float64) float64 { return s.evaluate(v.expand(x)).value },
		Grad: func(grad, x []float64) { v.collect(grad, s.evaluate(v.expand(x)).byTheta) },
		Status: func() (optimize.Status, error) {
			if s.err != nil {
				return optimize.Failure, s.err
			}
			return optimize.NotTerminated, nil
		},
	}
	settings := &optimize.Settings{
		GradientThreshold: v.threshold,
		MajorIterations:   iterations,
		Converger: &ending{optimize.FunctionConverge{Absolute: 1e-15, Iterations: 30}, func(x []float64) bool {
			return r.meets(v.expand(x), s.evaluate(v.theta))
		}},
	}
	before := s.evaluate(theta).value
	result, err := optimize.Minimize(problem, v.x, settings, &optimize.LBFGS{Store: store})
	switch {
	case s.err != nil:
		return nil, 0, "", s.err
	case result == nil:
		return theta, 0, err.Error(), nil
	case err != nil:
		reason = err.Error()
	default:
		reason = result.Status.String()
	}
	if !(result.F <= before) {
		return theta, result.MajorIterations, reason, nil
	}
	best = slices.Clone(v.expand(result.X))
	floats.Scale(1/floats.Norm(best, 2), best)
	return best, result.MajorIterations, reason, nil
}

// free are the components of theta that are not zero, and coordinates x of them.
type free struct {
	at        []int
	x         []float64
	theta     []float64
	threshold float64 // a descent ends where no component of the gradient by x is larger
	// The components are origin + axes x; without axes they are x.
	origin []float64
	axes   *mat.Dense
}

func newFree(theta []float64) *free {
	v := &free{theta: slices.Clone(theta)}
	for i, value := range theta {
		if value != 0 {
			v.at, v.x = append(v.at, i), append(v.x, value)
		}
	}
	v.threshold = settled / math.Sqrt(float64(len(v.x)))
	return v
}

// expand returns theta with the coordinates x; it is overwritten by the next call.
func (v *free) expand(x []float64) []float64 {
	if v.axes != nil {
		y := mat.NewVecDense(len(x), nil)
		y.MulVec(v.axes, mat.NewVecDense(len(x), x))
		floats.Add(y.RawVector().Data, v.origin)
		x = y.RawVector().Data
	}
	for i, at := range v.at {
		v.theta[at] = x[i]
	}
	return v.theta
}

// collect writes the gradient by the coordinates to dst, from that by theta.
func (v *free) collect(dst, byTheta []float64) {
	for i, at := range v.at {
		dst[i] = byTheta[at]
	}
	if v.axes != nil {
		y := mat.NewVecDense(len(dst), nil)
		y.MulVec(v.axes.T(), mat.NewVecDense(len(dst), slices.Clone(dst)))
		copy(dst, y.RawVector().Data)
	}
}

const (
	// difference is the distance at which gradients are compared for the Hessian, relative to a component of the mean size.
	difference = 1e-5
	// flattest bounds the curvatures by which coordinates are stretched, relative to the largest.
	flattest = 1e-11
)

// flatten gives coordinates in which the Hessian is the identity but for a factor and for the signs of negative curvatures, and in which
// the first step of L-BFGS, which has the length one, is the Newton step. Half the squared gradient, without the factor, is then about the
// distance of the value from its minimum. Unless it is to be fresh, the last Hessian serves, which may be that of another start.
func (s *search) flatten(v *free, fresh bool) {
	if fresh || s.frame == nil || !slices.Equal(s.frame.at, v.at) {
		s.frame = s.curvature(v)
	}
	if s.frame == nil {
		return
	}
	n := len(v.x)
	here := make([]float64, n)
	v.collect(here, s.evaluate(v.expand(v.x)).byTheta)
	slope := mat.NewVecDense(n, nil)
	slope.MulVec(s.frame.axes.T(), mat.NewVecDense(n, here))
	size := slope.Norm(2)
	if !(size > 0) || math.IsInf(size, 0) {
		return
	}
	v.axes = new(mat.Dense)
	v.axes.Scale(size, s.frame.axes)
	v.origin, v.x = v.x, make([]float64, n)
	v.threshold = decrement / math.Sqrt(float64(n)) * size
}

// frame are axes along which the curvature was one.
type frame struct {
	at   []int // the components of theta
	axes *mat.Dense
}

// curvature returns the frame at v, from the Hessian by differences of gradients; nil where there is none.
func (s *search) curvature(v *free) *frame {
	n := len(v.x)
	here := make([]float64, n)
	v.collect(here, s.evaluate(v.expand(v.x)).byTheta)
	rows := mat.NewDense(n, n, nil)
	x, h := slices.Clone(v.x), difference/math.Sqrt(float64(n))
	for i := range x {
		row := rows.RawRowView(i)
		x[i] = v.x[i] + h
		v.collect(row, s.evaluate(v.expand(x)).byTheta)
		floats.Sub(row, here)
		floats.Scale(1/h, row)
		x[i] = v.x[i]
	}
	hessian := mat.NewSymDense(n, nil)
	stiff := math.Abs(mat.Trace(rows)) / float64(n)
	for i := range n {
		for j := i; j < n; j++ { // nothing changes with the length of theta, so that a curvature is put there
			hessian.SetSym(i, j, (rows.At(i, j)+rows.At(j, i))/2+stiff*v.x[i]*v.x[j])
		}
	}
	var eigen mat.EigenSym
	if s.err != nil || !eigen.Factorize(hessian, true) {
		return nil
	}
	values, axes := eigen.Values(nil), new(mat.Dense)
	eigen.VectorsTo(axes)
	least := flattest * floats.Norm(values, math.Inf(1))
	for j, value := range values {
		values[j] = 1 / math.Sqrt(max(math.Abs(value), least))
	}
	axes.Mul(axes, mat.NewDiagDense(n, values))
	return &frame{v.at, axes}
}

// vanish sets small increments to zero (see vanishing) where the objective is no worse for it.
func (s *search) vanish(theta []float64) (changed bool) {
	now := s.evaluate(theta)
	trial := slices.Clone(theta)
	for i, v := range theta {
		if v != 0 && v*v < vanishing/float64(len(theta)) && now.byChange[i] > 0 {
			trial[i], changed = 0, true
		}
	}
	if !changed {
		return false
	}
	floats.Scale(1/floats.Norm(trial, 2), trial)
	if s.evaluate(trial).value > now.value+1e-14 {
		return false
	}
	copy(theta, trial)
	return true
}

// shift moves one increment to a neighbouring stage whose own has vanished, where the objective is best for it. No descent does so.
func (s *search) shift(theta []float64) (changed bool) {
	lowest, from := s.evaluate(theta).value-1e-12, -1
	for i := range len(theta) - 1 {
		if (theta[i] == 0) == (theta[i+1] == 0) {
			continue
		}
		theta[i], theta[i+1] = theta[i+1], theta[i]
		if v := s.evaluate(theta).value; v < lowest {
			lowest, from = v, i
		}
		theta[i], theta[i+1] = theta[i+1], theta[i]
	}
	if from < 0 {
		return false
	}
	theta[from], theta[from+1] = theta[from+1], theta[from]
	return true
}

// revive makes increments that are zero a little larger again where the objective would be better for it.
func (s *search) revive(theta []float64) (changed bool) {
	now := s.evaluate(theta)
	for i, v := range theta {
		if v == 0 && now.byChange[i] < -converged {
			theta[i], changed = math.Sqrt(vanishing/float64(len(theta))), true
		}
	}
	floats.Scale(1/floats.Norm(theta, 2), theta)
	return changed
}

// optimum returns the description of the theta at which a descent has ended.
func (s *search) optimum(theta []float64, reason string) (*Optimum, error) {
	e := s.evaluate(theta)
	if s.err != nil {
		return nil, s.err
	}
	points, err := schedules.NewPoints("optimised", betas(theta))
	if err != nil {
		return nil, errors.Join(errors.New("the optimiser lost its way"), err)
	}
	out := &Optimum{Objective: s.objective, Points: points, Value: math.Exp(e.value), Kinks: e.kinks}
	out.Relative = floats.Norm(e.byTheta, 2)
	out.Gradient = out.Relative * out.Value
	returns := 0
	for i, v := range theta {
		if points.Step(i+2, points.Len()) == 0 {
			out.Vanished = append(out.Vanished, i+2)
		}
		if v == 0 && e.byChange[i] < -converged {
			returns++
		}
	}
	switch {
	case returns > 0:
		out.Reason = fmt.Sprintf("%d increments that vanished would better come back", returns)
	case out.Relative <= converged:
		out.Converged = true
	default:
		if out.Kinks = s.kinksNear(points); len(out.Kinks) > 0 {
			out.Reason = fmt.Sprintf("the objective has kinks, one at stage t = %d; the gradient stays at %.2g of the value", out.Kinks[0], out.Relative)
			break
		}
		out.Reason = fmt.Sprintf("the gradient stays at %.2g of the value: %s", out.Relative, reason)
	}
	return out, nil
}
