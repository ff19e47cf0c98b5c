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

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/schedules"
	"breadboard/exact"
	"breadboard/exact/climb"
	"breadboard/exact/gradient"
)

// Options are the limits, the starts and the observers of Optimize.
type Options struct {
	// the largest number from the best start (for B) or from each, after up to 100 from each; 0 is
	// DefaultIterations
	Iterations int
	// called with the progress of the search; the calls add up to Parts; nil for none
	Progress func(steps int)
	Also     []Start // starts in addition to the usual ones
	// that of the path and the kernel, with what it has already computed; nil for a new one
	Ground *Ground
	// the number of goroutines that share one solve or gradient on a large space; 0 is one
	Workers int
	// Better is called with each schedule that is better than all before it, from the goroutine
	// that searches; nil for none. The linear schedule comes first.
	Better func(Step)
}

// Step is the best schedule so far, on the way to an Optimum.
type Step struct {
	Points *schedules.Points
	Value  float64 // the value of the objective, in nats
	Start  string  // the start from which the search reached it
	Runs   int     // the number of gradients that were computed
}

// Start is a schedule to begin from.
type Start struct {
	Name     string
	Schedule chains.Schedule
}

// defaultIterations is enough for the toys of Grosse, Ancha and Roy (2016) up to T = 1000.
const defaultIterations = 5000

// Optimum is the best schedule that was found.
type Optimum struct {
	Objective gradient.Objective
	Points    *schedules.Points
	Value     float64        // the value of the objective, by exact.Solve (nats)
	Lost      float64        // the relative error of Value by rounding; zero if it has the promised digits
	Linear    number.Bounded // the value of the objective on the linear schedule (nats)
	// Gradient is the norm of the derivative by the unit vector whose squares are the increments;
	// Relative is this norm divided by the value. Both are zero at an optimum.
	Gradient, Relative float64
	Vanished           []int // the stages t with b_t = b_{t-1}
	Kinks              []int // the stages at which the objective has no derivative
	Start              string
	Runs               int // the number of gradients that were computed, over all starts
	// Converged reports that Relative is below 1e-6, and that a positive increment at one of the
	// vanished stages does not improve the objective.
	Converged bool
	Reason    string // why the search did not converge
}

// converged is the relative gradient below which a search has converged. The relative distance of
// the value from the optimum is then about its square.
const converged = 1e-6

// Optimize finds the schedule with T distributions that minimises an objective over all schedules
// that never decrease. It writes the increments of beta as the squares of a unit vector, and
// minimises the logarithm of the objective over this vector by quasi-Newton steps (gonum's L-BFGS)
// with the gradient of gradient.Differentiate. It starts from the linear schedule, from equal steps
// in KL and from constant friction speed. Increments that shrink towards zero are set to zero if
// the objective is no worse, and change places with others if that is better. The objective may
// have several local minima; Optimize returns the best of those that it reaches.
func Optimize(ctx context.Context, path chains.Path, kernel chains.Kernel, T int,
	objective gradient.Objective, o Options) (*Optimum, error) {
	if T < 2 {
		return nil, schedules.Linear{}.Validate(T)
	}
	s := newSearch(ctx, path, kernel, objective, o)
	linear, err := s.linear(ctx, T)
	if err != nil {
		return nil, err
	}
	best, err := s.bestOptimum(ctx, T)
	if err != nil {
		return nil, err
	}
	s.descent = s.descents
	s.report(1)
	best.Linear = linear
	best.Runs = s.runs
	least, err := s.solveSchedule(ctx, best.Points, T)
	best.Value, best.Lost = least.Value, least.Lost()
	return best, err
}

func newSearch(ctx context.Context, path chains.Path, kernel chains.Kernel, objective gradient.Objective,
	o Options) *search {
	if o.Iterations == 0 {
		o.Iterations = defaultIterations
	}
	if o.Ground == nil {
		o.Ground = NewGround(path, chains.Always(kernel), o.Workers)
	}
	s := &search{path: path, kernel: kernel, objective: objective, o: o, lowest: math.Inf(1)}
	s.differentiate = func(points *schedules.Points) (*gradient.Gradient, error) {
		a, err := chains.NewAnnealing(path, points, kernel, points.Len())
		if err != nil {
			return nil, err
		}
		return gradient.Differentiate(ctx, a, objective, gradient.Options{Workers: o.Workers, Memory: &s.memory})
	}
	return s
}

// linear returns the objective on the linear schedule, and ErrNothingToGain if it is zero.
func (s *search) linear(ctx context.Context, T int) (number.Bounded, error) {
	linear, err := s.solveSchedule(ctx, schedules.Linear{}, T)
	if err == nil && linear.Value < nothing {
		err = fmt.Errorf("%s is %.2g on the linear schedule: %w", s.objective, linear.Value, ErrNothingToGain)
	}
	return linear, err
}

// ErrNothingToGain is the error for an objective that is zero on the linear schedule, apart from
// rounding.
var ErrNothingToGain = errors.New("zero but for rounding, so that no schedule is better")

// nothing is the largest objective, in nats, that counts as zero: about the square of a rounding
// error.
const nothing = 1e-28

// search is the state of Optimize.
type search struct {
	// returns the derivatives by betas
	differentiate func(*schedules.Points) (*gradient.Gradient, error)

	path      chains.Path
	kernel    chains.Kernel
	objective gradient.Objective
	o         Options

	at     []float64 // the theta at which the last gradient was computed
	last   evaluation
	err    error
	runs   int
	start  string // the name of the current start
	memory gradient.Memory
	ends   [][]float64 // the ends of the starts, each a unit vector
	frame  *frame      // of the last Hessian
	lowest float64     // the least value of an evaluation so far

	descents int     // the number of descents; descent is the current one, from 1
	descent  int     // 0 before the first
	begun    float64 // the relative gradient at its start; 0 before its first evaluation
	told     int     // the progress reported so far
}

// evaluation is the logarithm of the objective and its derivatives at a point.
type evaluation struct {
	value    float64
	byTheta  []float64
	byChange []float64 // the derivative by each increment, minus the mean of these over the increments
	kinks    []int
}

func (s *search) solveSchedule(ctx context.Context, schedule chains.Schedule, T int) (v number.Bounded, err error) {
	a, err := chains.NewAnnealing(s.path, schedule, s.kernel, T)
	if err != nil {
		return v, err
	}
	v, _, err = Value(ctx, a, s.objective, s.o.Workers)
	if math.IsInf(v.Value, 0) {
		err = fmt.Errorf("%s is %v on the %v schedule: schedules cannot be compared", s.objective, v.Value, schedule)
	}
	return v, err
}

// Value returns an objective of an annealing, with the notes of its solution.
func Value(ctx context.Context, a *chains.Annealing, o gradient.Objective,
	workers int) (number.Bounded, []string, error) {
	if o == gradient.ObjectiveTTS {
		logf := make([]float64, a.States())
		rank := make([]int32, a.States())
		a.LogF(logf, a.Distributions())
		for _, x := range exact.Best(logf) {
			rank[x] = 1
		}
		law, err := climb.LawOf(ctx, a, rank, 1, climb.Options{Workers: workers})
		if err != nil {
			return number.Bounded{}, nil, err
		}
		seen := law.Seen[0]
		unseen := law.Unseen[0]
		if seen.Value < 0.5 {
			return number.Bounded{Value: -number.Log(seen.Value), Error: seen.Error / seen.Value}, nil, nil
		}
		return number.Bounded{Value: -math.Log1p(-unseen.Value), Error: unseen.Error / seen.Value}, nil, nil
	}
	s, err := exact.Solve(ctx, a, exact.Options{Workers: workers})
	if err != nil {
		return number.Bounded{}, nil, err
	}
	return o.BoundedOf(s), s.Notes, nil
}

// scouting is the number of iterations from each start before the search continues from the best of
// them alone, or sets increments to zero.
const scouting = 100

// bestOptimum returns the best optimum that the starts lead to. For B only the best start is
// followed to its end. The other objectives have local minima close to each other, so that every
// start is followed.
func (s *search) bestOptimum(ctx context.Context, T int) (*Optimum, error) {
	s.descents = 3 + min(s.some(), len(s.o.Also))
	if s.objective == gradient.ObjectiveB {
		s.descents++ // from the best point that was reached
		return s.fromBest(ctx, T)
	}
	var best *Optimum
	for start := range s.starts(ctx, T) {
		s.startProgress()
		end, err := s.descend(start, T)
		if err != nil {
			return nil, err
		}
		if best == nil || better(end, best) {
			best = end
		}
	}
	return best, nil
}

// fromBest descends from every start for a limited number of iterations, or until it seems to lead
// where another one has been, and then from the best point until the descent ends.
func (s *search) fromBest(ctx context.Context, T int) (*Optimum, error) {
	r := &rival{value: math.Inf(1)}
	for start := range s.starts(ctx, T) {
		s.startProgress()
		s.start = start.Name
		r.met = 0
		theta, err := s.scout(roots(start.Schedule, T), r)
		if err != nil {
			return nil, err
		}
		if v := s.evaluate(theta).value; v < r.value-1e-12 {
			r.theta = theta
			r.value = v
			r.start = start.Name
		}
	}
	s.start = r.start
	s.descent = s.descents - 1
	s.startProgress()
	return s.descendToEnd(r.theta)
}

// scout makes some iterations from a point, and returns the point it reaches; it ends early if it
// seems to lead to the rival.
func (s *search) scout(theta []float64, r *rival) ([]float64, error) {
	theta, _, _, err := s.minimize(theta, newFree(theta), min(scouting, s.o.Iterations), r)
	return theta, err
}

// better reports whether one optimum is lower than another by more than rounding, or equal and
// converged while the other is not.
func better(a, b *Optimum) bool {
	if math.Abs(a.Value-b.Value) > 1e-13*b.Value {
		return a.Value < b.Value
	}
	return a.Converged && !b.Converged
}

// descend goes from a start to its end.
func (s *search) descend(start Start, T int) (*Optimum, error) {
	s.start = start.Name
	theta, err := s.scout(roots(start.Schedule, T), nil)
	if err != nil {
		return nil, err
	}
	end, err := s.descendToEnd(theta)
	if err == nil {
		s.ends = append(s.ends, roots(end.Points, end.Points.Len()))
	}
	return end, err
}

// starts yields the linear schedule, those of equal steps and of constant friction speed if they
// are defined, and the best of the schedules that the options add. The two are placed only when
// needed, since that may take longer than a descent.
func (s *search) starts(ctx context.Context, T int) iter.Seq[Start] {
	return func(yield func(Start) bool) {
		var used []string
		next := func(start Start) bool {
			used = append(used, start.Name)
			return yield(start)
		}
		if !next(Start{"linear", schedules.Linear{}}) {
			return
		}
		names := []string{"step-kl", "friction"}
		if s.objective == gradient.ObjectiveSuccess || s.objective == gradient.ObjectiveTTS {
			// whose best schedules hurry: friction says nothing of them, and takes long
			names[1] = "power:0.5"
		}
		for _, name := range names {
			if start, defined := s.placed(ctx, name, T); defined && !next(start) {
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

// promising returns those of the added schedules with the smallest objective: the best one, and
// some more.
func (s *search) promising(T int) []Start {
	list := slices.Clone(s.o.Also)
	values := map[string]float64{}
	for _, a := range list {
		values[a.Name] = s.evaluate(roots(a.Schedule, T)).value
	}
	slices.SortStableFunc(list, func(a, b Start) int { return cmp.Compare(values[a.Name], values[b.Name]) })
	return list[:min(s.some(), len(list))]
}

// some returns the number of added schedules that are starts.
func (s *search) some() int {
	if s.objective == gradient.ObjectiveB {
		return 3
	}
	return 1 // each is followed to its end
}

// placed returns the schedule of a family that depends on the path, and false if it is not defined,
// for example without friction.
func (s *search) placed(ctx context.Context, name string, T int) (Start, bool) {
	if i := slices.IndexFunc(s.o.Also, func(o Start) bool { return o.Name == name }); i >= 0 {
		return s.o.Also[i], true // already computed by the caller
	}
	family, err := Parse(name, Forms())
	if err != nil {
		panic(err) // both names are among the forms that Parse reads
	}
	p, err := family.OnGround(ctx, s.o.Ground)
	if err != nil {
		return Start{}, false
	}
	placed, err := p.Place(ctx, T)
	return Start{name, placed.Schedule}, err == nil
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
	for last > 0 && theta[last-1] == 0 { // if the last increments are zero, all later betas are 1
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
	s.last = evaluation{
		value:    math.Inf(1),
		byTheta:  make([]float64, len(theta)),
		byChange: make([]float64, len(theta)),
	}
	if s.err != nil {
		return s.last
	}
	points, err := schedules.NewPoints("optimised", betas(theta))
	if err != nil {
		return s.last // a component of theta is NaN
	}
	g, err := s.differentiate(points)
	if err != nil {
		s.err = err
		return s.last
	}
	s.runs++
	s.last.value = number.Log(max(g.Value, nothing))
	s.last.kinks = g.Kinks
	s.reportBest(points, g.Value)
	if g.Value > nothing { // otherwise the objective is zero apart from rounding
		s.chain(theta, g)
	}
	s.nearer(floats.Norm(s.last.byTheta, 2) * floats.Norm(theta, 2))
	return s.last
}

// reportBest reports a schedule that is better than all before it.
func (s *search) reportBest(points *schedules.Points, value float64) {
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

// kinksNear returns the stages at which the derivative by beta differs slightly above and slightly
// below the beta. At such a kink a descent ends with a nonzero gradient.
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
		sides[i], err = s.differentiate(shifted)
		if err != nil {
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

// chain applies the chain rule: from the derivatives by beta to those by the increments and by
// theta. An increment moves its own beta and all later ones.
func (s *search) chain(theta []float64, g *gradient.Gradient) {
	norm := floats.Dot(theta, theta)
	above := 0.0
	mean := 0.0
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

// optimum describes the theta at which a descent has ended.
func (s *search) optimum(theta []float64, reason string) (*Optimum, error) {
	e := s.evaluate(theta)
	if s.err != nil {
		return nil, s.err
	}
	points, err := schedules.NewPoints("optimised", betas(theta))
	if err != nil {
		return nil, errors.Join(errors.New("the optimiser failed"), err)
	}
	out := &Optimum{
		Objective: s.objective,
		Points:    points,
		Value:     math.Exp(e.value),
		Kinks:     e.kinks,
		Start:     s.start,
	}
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
		out.Reason = fmt.Sprintf("%d vanished increments should be positive", returns)
	case out.Relative <= converged:
		out.Converged = true
	default:
		out.Kinks = s.kinksNear(points)
		if len(out.Kinks) > 0 {
			out.Reason = fmt.Sprintf(
				"the objective has kinks, one at stage t = %d; the gradient stays at %.2g of the value",
				out.Kinks[0],
				out.Relative,
			)
			break
		}
		out.Reason = fmt.Sprintf("the gradient stays at %.2g of the value: %s", out.Relative, reason)
	}
	return out, nil
}
