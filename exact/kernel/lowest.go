package kernel

import (
	"context"
	"math"

	"breadboard/exact/internal/linear"
)

const (
	// MissRisk is the probability, over random start directions of Lanczos, that an eigenvalue
	// violates the lower bound Diagnosis.GapFloor. The directions are fixed by the code, so that
	// the bound for a given kernel is either always right or, with this probability, always wrong.
	MissRisk = 1e-12
	// inverseTrust is the residual, relative to the eigenvalue, above which a result of the inverse
	// is discarded.
	inverseTrust = 1e-6
	// runRisk is the share of MissRisk for one run of Lanczos: there is one for each end of the
	// spectrum, and one more for each eigenvalue that is set apart.
	runRisk = MissRisk / (2 * (mostApart + 2))
	// lowestPrecision is the residual, relative to the eigenvalue, at which an eigenvalue counts as
	// found, and lowestRounding the absolute residual from rounding.
	lowestPrecision = 1e-9
	lowestRounding  = 1e-14
	// inversePrecision is the residual, relative to the eigenvalue, at which one of an inverse
	// counts as found: a residual of the inverse is up to that many times as large for the matrix
	// itself as the eigenvalue is small.
	inversePrecision = 1e-12
	// lowestWork is about the number of entries that all products of one search may go through,
	// some twenty seconds.
	lowestWork = 1.2e10
	// patientSteps is the number of steps that are always made to show that no eigenvalue was
	// missed. If more would be needed, the eigenvalues that were found are deflated first.
	patientSteps = 1500
	// stepsPerDimension is how many steps for each dimension are made at most. Without rounding one
	// would do.
	stepsPerDimension = 20
	// mostApart is the largest number of eigenvalues that are set apart.
	mostApart = 48
)

// lowest is the smallest eigenvalue of a positive semidefinite matrix A on a space.
type lowest struct {
	value float64 // the quadratic form of a vector, an upper bound on the smallest eigenvalue
	// residual is the length of A v - value v for that unit vector v: some eigenvalue is within
	// that of the value.
	residual float64
	floor    float64 // no eigenvalue is below this, except with probability MissRisk
}

// search holds the operators of a search for the smallest eigenvalue of a matrix A with spectrum in
// [0, 2].
type search struct {
	apply   linear.Operator                 // A v
	inverse linear.Operator                 // A^-1 v on the space, to nearly all digits; nil if there is none
	energy  func(v []float64) float64       // <v, A v>, with all its digits
	space   func(...[]float64) linear.Space // the space, without more vectors
	work    float64                         // about the number of entries that one step goes through
	// plainWork is the same of a step without the inverse.
	plainWork float64
	// enough is a number above which the smallest eigenvalue need not be known: the search may end
	// as soon as no eigenvalue is below it.
	enough float64
}

// lowest finds the smallest eigenvalue. It runs Lanczos until the eigenvalue is found and no
// eigenvalue is below half of it, except with probability MissRisk (see linear.Missed). If the
// eigenvalue is so small that this takes too many steps, it deflates the eigenvector that was found
// and searches the orthogonal space. This gives an isolated eigenvalue accurately: with f a lower
// bound of the other eigenvalues, a the quadratic form of the vector and r its residual, a lower
// bound of all eigenvalues is the smaller one of the matrix with the rows (a, r) and (r, f), which
// is about a - r^2/(f-a).
func (s search) lowest() (lowest, error) {
	var apart found
	budget := lowestWork
	for {
		space := s.space(apart.vectors...)
		if space.Dim() < 1 {
			return apart.result(math.Inf(1)), nil
		}
		enough := min(s.enough, apart.smallest())
		run, last, err := s.smallestEigenvalue(space, uint64(len(apart.vectors)+1), &budget, enough)
		if err != nil {
			return lowest{}, err
		}
		if last.floor >= enough { // the rest of the space does not matter
			if len(apart.vectors) == 0 {
				return lowest{value: last.value, residual: last.value, floor: last.floor}, nil
			}
			return apart.result(last.floor), nil
		}
		vector, err := run.Vector(last.ritz)
		if err != nil {
			return lowest{}, err
		}
		if s.inverse != nil { // one more multiplication removes most of the other eigenvectors
			better := make([]float64, len(vector))
			if err := s.inverse(better, vector); err != nil {
				return lowest{}, err
			}
			space.Project(better)
			scaleTo(better, 1/linear.Norm(better))
			vector = better
		}
		if err := apart.addVector(s, vector); err != nil {
			return lowest{}, err
		}
		if s.inverse != nil && linear.Norm(apart.residuals[len(apart.residuals)-1]) >
			inverseTrust*apart.values[len(apart.values)-1]+lowestRounding {
			s.inverse = nil
			s.work = s.plainWork
			apart = found{}
			continue
		}
		if !last.hopeless || budget <= 0 || len(apart.vectors) > mostApart {
			return apart.ofLast(last.floor), nil
		}
	}
}

// state is what a run of Lanczos knows.
type state struct {
	ritz      linear.Ritz
	value     float64
	floor     float64 // no eigenvalue of the run's space is below
	converged bool    // the residual is small
	hopeless  bool    // the value was found, but the floor needs far more steps
}

// smallestEigenvalue makes steps until the smallest eigenvalue of a space is found and the floor is
// near it, or above all that matters. It ends early if the floor would take too many steps, and if
// the budget is spent.
func (s search) smallestEigenvalue(space linear.Space, seed uint64, budget *float64,
	enough float64) (*linear.Lanczos, state, error) {
	operator := s.apply
	if s.inverse != nil {
		operator = s.inverse
	}
	l := linear.NewLanczos(operator, space, seed)
	var best state
	for until := 4; ; until += until/8 + 1 {
		for l.Steps() < until {
			if err := l.Step(); err != nil {
				return nil, state{}, err
			}
			*budget -= s.work
		}
		now := s.estimate(l, space.Dim())
		// A vector is taken from the first step at which its eigenvalue was found.
		if best.converged && now.value >= best.value*(1-lowestPrecision)-lowestRounding {
			best.floor = max(0, now.floor)
		} else {
			best = now
		}
		settled := best.converged && best.floor >= best.value/2 || best.floor >= enough
		needed := s.stepsFor(space.Dim(), best.value)
		best.hopeless = best.converged && !settled && needed > patientSteps && needed > 4*float64(l.Steps())
		if settled || best.hopeless || *budget <= 0 ||
			l.Steps() > patientSteps+stepsPerDimension*space.Dim() {
			return l, best, nil
		}
	}
}

// estimate returns the estimate of the smallest eigenvalue after the steps so far.
func (s search) estimate(l *linear.Lanczos, dim int) state {
	missed := linear.Missed(dim, l.Steps(), runRisk)
	var e state
	if s.inverse != nil { // the largest eigenvalue of the inverse is at most that of T divided by 1 - missed
		e.ritz = l.Largest()
		e.value = 1 / e.ritz.Value
		e.floor = e.value * (1 - missed)
		e.converged = e.ritz.Residual <= inversePrecision*e.ritz.Value
	} else { // the largest eigenvalue of 2 - A is at most that of 2 - T divided by 1 - missed
		e.ritz = l.Smallest()
		e.value = max(0, e.ritz.Value)
		e.floor = max(0, e.value-2*missed)
		e.converged = e.ritz.Residual <= max(lowestPrecision*e.value, lowestRounding)
	}
	return e
}

// stepsFor returns the number of steps after which the floor is half the value.
func (s search) stepsFor(dim int, value float64) float64 {
	if s.inverse != nil {
		return linear.StepsFor(dim, 0.5, runRisk)
	}
	return linear.StepsFor(dim, value/4, runRisk)
}

// found holds vectors that were found, which are orthogonal to each other.
type found struct {
	vectors   [][]float64
	values    []float64
	residuals [][]float64 // A v - value v
}

// smallest returns the smallest value so far, infinity if there is none.
func (f *found) smallest() float64 {
	least := math.Inf(1)
	for _, v := range f.values {
		least = min(least, v)
	}
	return least
}

func (f *found) addVector(s search, v []float64) error {
	value := s.energy(v)
	image := make([]float64, len(v))
	if err := s.apply(image, v); err != nil {
		return err
	}
	for i, a := range v {
		image[i] -= value * a
	}
	f.vectors, f.values, f.residuals = append(f.vectors, v), append(f.values, value),
		append(f.residuals, image)
	return nil
}

// result returns the smallest of the values, and a lower bound of all eigenvalues, given the floor
// of those on the rest of the space.
func (f *found) result(rest float64) lowest {
	at := 0
	for i, v := range f.values {
		if v < f.values[at] {
			at = i
		}
	}
	out := lowest{value: f.values[at], residual: linear.Norm(f.residuals[at])}
	// On the span of the vectors, A has the values as its diagonal. Its off-diagonal part there is
	// at most beside in norm, and its part between the span and the rest at most across.
	across := 0.0
	beside := 0.0
	for i, r := range f.residuals {
		across += linear.Dot(r, r)
		row := 0.0
		for j, v := range f.vectors {
			if i != j {
				row += math.Abs(linear.Dot(r, v))
			}
		}
		beside = max(beside, row)
	}
	out.floor = max(0, smallerOf(out.value-beside, math.Sqrt(across), rest))
	return out
}

// ofLast returns the result if the last vector was not deflated: no eigenvalue of the space in
// which it was found is below the floor.
func (f *found) ofLast(floor float64) lowest {
	out := f.result(math.Inf(1))
	last := len(f.values) - 1
	if last == 0 {
		out.floor = floor
		return out
	}
	before := found{f.vectors[:last], f.values[:last], f.residuals[:last]}
	out.floor = before.result(floor).floor
	return out
}

// smallerOf returns the smaller eigenvalue of the matrix with the rows (a, r) and (r, f), without
// losing digits if r is small.
func smallerOf(a, r, f float64) float64 {
	if math.IsInf(f, 1) {
		return a
	}
	half := (f - a) / 2
	if half > 0 {
		return a - r*r/(half+math.Hypot(half, r))
	}
	return f - r*r/(-half+math.Hypot(half, r))
}

// spectralEnds returns the smallest eigenvalues of I - S and of I + S on the space orthogonal to
// sqrt(p), for a reversible kernel whose second largest eigenvalue is one minus the first, and
// whose smallest one is the second minus one. A kernel of period two has the eigenvalue -1.
func (f *form) spectralEnds(ctx context.Context, period int) (up, down lowest, err error) {
	up, err = f.up(ctx)
	if err != nil || period == 2 {
		return up, lowest{}, err
	}
	s := f.search(watched(ctx, f.applyPlus), f.energyAbove)
	s.enough = up.value
	s.inverse, err = f.solverAbove(ctx)
	if err != nil {
		return up, lowest{}, err
	}
	if s.inverse != nil {
		s.work = f.direct.work
	}
	down, err = s.lowest()
	return up, down, err
}

// up returns the smallest eigenvalue of I - S on the space orthogonal to sqrt(p), for a reversible
// kernel, or else that of its additive reversibilisation.
func (f *form) up(ctx context.Context) (lowest, error) {
	if !f.reversible {
		return f.search(watched(ctx, f.belowBoth), func(v []float64) float64 {
			image := make([]float64, len(v))
			f.belowBoth(image, v)
			return linear.Dot(v, image)
		}).lowest()
	}
	s := f.search(watched(ctx, f.applyMinus), f.energy)
	if err := f.factor(ctx); err != nil {
		return lowest{}, err
	}
	if f.direct.below != nil {
		s.inverse = watched(ctx, f.solveBelow)
		s.work = f.direct.work
	}
	return s.lowest()
}

func (f *form) search(apply linear.Operator, energy func([]float64) float64) search {
	return search{
		apply:     apply,
		energy:    energy,
		space:     f.space,
		work:      f.stepEntries(),
		plainWork: f.stepEntries(),
		enough:    math.Inf(1),
	}
}

// stepEntries is about the number of entries that one step of Lanczos goes through, those of its
// vectors among them.
func (f *form) stepEntries() float64 { return float64(len(f.s) + 8*f.n()) }
