package placement

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"
)

// The increments of a schedule are theta_i^2/|theta|^2, so that no constraint is left, and the
// value is the logarithm of the objective. L-BFGS (Liu and Nocedal 1989) descends in theta, if need
// be in coordinates in which the Hessian H, by differences of gradients, is the identity: half of
// g' H^-1 g is then about the distance of the value from its minimum. A gradient takes one exact
// solution, and a Hessian as many as there are increments.

// settled is the relative gradient at which a descent ends.
const settled = converged / 30

// decrement is the gradient at which a descent ends, in coordinates in which the Hessian is the
// identity. The value is then within about half its square of the minimum.
const decrement = 3e-8

// vanishing is the size of an increment, relative to the mean increment, below which the search
// tries to set it to zero.
const vanishing = 1e-4

// store is the number of steps that L-BFGS remembers.
const store = 30

// rival is the best point that other starts have reached.
type rival struct {
	theta []float64 // a unit vector; nil before the first descent
	value float64   // the logarithm of the objective there
	start string    // the name of the start that has reached it
	met   int       // the number of successive iterations that seem to lead to it
}

// sameValley is the number of successive iterations that must seem to lead to the rival before a
// descent ends.
const sameValley = 3

// meets reports whether a descent, now at theta, seems to lead to the rival: whether a quadratic
// function with the value and the gradient at theta, and with its minimum at the rival, has about
// the value of the rival there, several times in a row. Few other descents pass this by chance, and
// none that has gone below the rival.
func (r *rival) meets(theta []float64, e evaluation) bool {
	if r == nil || r.theta == nil || !(e.value > r.value) {
		return false
	}
	above := e.value - r.value
	size := floats.Norm(theta, 2)
	fall := 0.0
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
	// rounds limits how often increments are set to zero or made positive again.
	rounds = 30
	// dense is the number of increments above which the Hessian would take too many gradients, one
	// for each.
	dense = 200
	// stretch is the number of iterations after which increments are set to zero or made positive
	// again.
	stretch = 100
)

// descendToEnd descends until the search ends, and sets vanishing increments to zero on the way. If
// the Hessian is affordable, it continues in coordinates in which the Hessian is the identity: the
// objective has almost no curvature in many directions, and L-BFGS alone would not converge.
func (s *search) descendToEnd(theta []float64) (*Optimum, error) {
	reason := ""
	left := s.o.Iterations
	fresh := false
	for range rounds {
		changed := s.vanish(theta)
		changed = s.revive(theta) || changed
		before := s.evaluate(theta).value
		if s.err != nil { // the evaluations that it has cost may have left no theta
			return nil, s.err
		}
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
		theta = next
		reason = why
		left -= max(1, steps)
		if fresh && why == optimize.GradientThreshold.String() && s.settled(theta) && !s.shift(theta) ||
			!fresh && s.same(theta) {
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

// settled reports whether no increment would vanish or become positive again at theta.
func (s *search) settled(theta []float64) bool {
	e := s.evaluate(theta)
	for i, v := range theta {
		if v == 0 && e.byChange[i] < -converged ||
			v != 0 && v*v < vanishing/float64(len(theta)) && e.byChange[i] > 0 {
			return false
		}
	}
	return floats.Norm(e.byTheta, 2) <= converged
}

// ending stops a descent if nothing more is gained, or if it leads to the rival.
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

// minimize runs gonum's L-BFGS over the coordinates of v, starting at theta. It returns the best
// theta, the number of iterations, and the reason why the optimiser stopped. It ends if it seems to
// lead to the rival, unless that is nil.
func (s *search) minimize(theta []float64, v *free, iterations int,
	r *rival) (best []float64, steps int, reason string, err error) {
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
		Converger: &ending{
			optimize.FunctionConverge{Absolute: 1e-15, Iterations: 30}, func(x []float64) bool {
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

// free are the nonzero components of theta, with coordinates x for them.
type free struct {
	at        []int
	x         []float64
	theta     []float64
	threshold float64 // a descent ends if no component of the gradient by x is larger
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
	// difference is the step of the differences of gradients for the Hessian, relative to a
	// component of the mean size.
	difference = 1e-5
	// flattest is the smallest curvature by which coordinates are scaled, relative to the largest.
	flattest = 1e-11
)

// flatten returns coordinates in which the Hessian is the identity, up to a factor and the signs of
// negative curvatures, and in which the first step of L-BFGS, of length one, is the Newton step.
// Half the squared gradient, without the factor, is then about the distance of the value from its
// minimum. Unless fresh is set, it uses the last Hessian, which may be that of another start.
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
	v.origin = v.x
	v.x = make([]float64, n)
	v.threshold = decrement / math.Sqrt(float64(n)) * size
}

// frame is a set of axes along which the curvature was one.
type frame struct {
	at   []int // the components of theta
	axes *mat.Dense
}

// curvature returns the frame at v, from the Hessian by differences of gradients; nil if there is
// none.
func (s *search) curvature(v *free) *frame {
	n := len(v.x)
	here := make([]float64, n)
	v.collect(here, s.evaluate(v.expand(v.x)).byTheta)
	rows := mat.NewDense(n, n, nil)
	x := slices.Clone(v.x)
	h := difference / math.Sqrt(float64(n))
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
		for j := i; j < n; j++ {
			// the objective does not depend on the length of theta: give that direction a curvature
			hessian.SetSym(i, j, (rows.At(i, j)+rows.At(j, i))/2+stiff*v.x[i]*v.x[j])
		}
	}
	var eigen mat.EigenSym
	if s.err != nil || !eigen.Factorize(hessian, true) {
		return nil
	}
	values := eigen.Values(nil)
	axes := new(mat.Dense)
	eigen.VectorsTo(axes)
	least := flattest * floats.Norm(values, math.Inf(1))
	for j, value := range values {
		values[j] = 1 / math.Sqrt(max(math.Abs(value), least))
	}
	axes.Mul(axes, mat.NewDiagDense(n, values))
	return &frame{v.at, axes}
}

// vanish sets small increments to zero (see vanishing) if the objective is no worse.
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

// shift moves an increment to a neighbouring stage whose own has vanished, if the objective
// improves. A descent cannot do this.
func (s *search) shift(theta []float64) (changed bool) {
	lowest := s.evaluate(theta).value - 1e-12
	from := -1
	for i := range len(theta) - 1 {
		if (theta[i] == 0) == (theta[i+1] == 0) {
			continue
		}
		theta[i], theta[i+1] = theta[i+1], theta[i]
		if v := s.evaluate(theta).value; v < lowest {
			lowest = v
			from = i
		}
		theta[i], theta[i+1] = theta[i+1], theta[i]
	}
	if from < 0 {
		return false
	}
	theta[from], theta[from+1] = theta[from+1], theta[from]
	return true
}

// revive makes zero increments slightly positive if the objective improves.
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
