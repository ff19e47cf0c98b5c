package placement

import (
	"context"
	"errors"
	"strconv"

	"breadboard/chains"
	"breadboard/chains/schedules"
	"breadboard/exact/gradient"
)

const (
	// mostPoints is the largest number of points of a best curve: up to so many distributions it is any schedule that never decreases.
	mostPoints = 9
	// coarsest is the number of distributions up to which the search for a best curve is that of Optimize.
	coarsest = 64
	// refined is the largest number of distributions with which the search goes on.
	refined = 1024
	// finer is by how many times there are more distributions from one part of the search to the next.
	finer = 4
	// refining is the number of quasi-Newton steps of each part but the first.
	refining = 8
	// written is the number of digits of the betas of a best curve, so that its selector is short.
	written = 5
)

// BestCurve finds a curve with which an objective is small at T distributions. Up to 9 distributions it is the best of all schedules, as Optimize
// finds it, with betas of 5 digits, and up to 64 the best of all curves through 9 points. With more, the search goes on from the best curve at 64,
// some steps with ever more distributions, up to 1024 of them. So it takes a fraction of a second on small spaces, and what it finds is a
// good curve, which need not be the best. It is never worse than the linear schedule, and is that where the objective is zero but for rounding.
func BestCurve(ctx context.Context, path chains.Path, kernel chains.Kernel, T int, objective gradient.Objective, o Options) (*schedules.Curve, error) {
	s := newSearch(ctx, path, kernel, objective, o)
	linear, err := s.linear(T)
	if errors.Is(err, ErrNothingToGain) {
		return straight()
	}
	if err != nil {
		return nil, err
	}
	s.over = min(T, coarsest)
	n := min(T, mostPoints)
	best, err := s.best(n)
	if err != nil {
		return nil, err
	}
	theta := roots(best.Points, n)
	for last := min(T, refined); s.over < last; {
		s.over, s.at = min(last, finer*s.over), nil
		v := newFree(theta)
		s.flatten(v, false)
		if theta, _, _, err = s.minimize(theta, v, refining, nil); err != nil {
			return nil, err
		}
	}
	curve, err := short(betas(theta))
	if err != nil {
		return nil, err
	}
	value, err := s.solve(curve, T)
	if err == nil && !(value <= linear) {
		return straight()
	}
	return curve, err
}

// straight returns the curve that is the linear schedule.
func straight() (*schedules.Curve, error) { return schedules.NewCurve([]float64{0, 1}) }

// short returns the curve through betas that are rounded to few digits.
func short(betas []float64) (*schedules.Curve, error) {
	for i, b := range betas {
		rounded, err := strconv.ParseFloat(strconv.FormatFloat(b, 'g', written, 64), 64)
		if err != nil {
			return nil, err
		}
		betas[i] = rounded
	}
	return schedules.NewCurve(betas)
}

// scheduleOf returns the schedule that betas stand for, the betas themselves or the curve through them, and how many distributions it has.
func (s *search) scheduleOf(points *schedules.Points) (chains.Schedule, int, error) {
	n := points.Len()
	if s.over <= n {
		return points, n, nil
	}
	betas := make([]float64, n)
	for i := range betas {
		betas[i] = points.Beta(i+1, n)
	}
	curve, err := schedules.NewCurve(betas)
	return curve, s.over, err
}

// differentiate returns the derivatives by betas. Those by the betas on a line of a curve are those by its two ends, in the parts to which
// each end makes them.
func (s *search) differentiate(points *schedules.Points) (*gradient.Gradient, error) {
	schedule, T, err := s.scheduleOf(points)
	if err != nil {
		return nil, err
	}
	a, err := chains.NewAnnealing(s.path, schedule, s.kernel, T)
	if err != nil {
		return nil, err
	}
	g, err := gradient.Differentiate(s.ctx, a, s.objective, gradient.Options{Workers: s.o.Workers, Memory: &s.memory})
	curve, is := schedule.(*schedules.Curve)
	if err != nil || !is {
		return g, err
	}
	ends := make([]float64, curve.Points()+1)
	for t, by := range g.ByBeta {
		at, rest := curve.Place(t+1, T)
		part := float64(rest) / float64(T-1)
		ends[at] += (1 - part) * by
		ends[at+1] += part * by
	}
	g.ByBeta = ends[:curve.Points()]
	return g, nil
}
