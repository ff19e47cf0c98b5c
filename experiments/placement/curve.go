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
	// mostPoints is the largest number of points of a best curve. Up to that many distributions it
	// can be any schedule that never decreases.
	mostPoints = 9
	// finer is the ratio of the numbers of distributions of successive parts of the search.
	finer = 4
	// refining is the largest number of quasi-Newton steps of each part but the first.
	refining = 5
	// written is the number of digits of the betas of a best curve; few digits keep its selector
	// short.
	written = 5
)

// effort limits the search for a best curve: the largest number of distributions of the first part,
// the number of quasi-Newton steps from the best start, and the largest number of kernel steps of a
// run with which the search continues.
type effort struct{ coarsest, roughly, refined int }

// effortFor returns the effort for a kernel. It is smaller if rows of the kernel are
// differentiated, which takes a hundred times as long.
func effortFor(byRows bool) effort {
	if byRows {
		return effort{32, 30, 128}
	}
	return effort{64, 100, 4096}
}

// BestCurves returns the family of the curves that are found for an objective. Up to 9
// distributions the curve is the best schedule that Optimize finds, with betas of 5 digits. With
// more it is a curve through 9 points: a good one for up to 64 distributions, improved by some
// steps each with 256, 1024 and 4096 distributions, or fewer if a stage has several kernel steps.
// This takes a fraction of a second on small spaces; better curves may exist. It is never worse
// than the linear schedule, and equals it if the objective is zero but for rounding.
//
// For a kernel whose rows are differentiated the numbers are 32 and 128 distributions, and the
// curve for one step also serves kernels that repeat it. This takes some seconds.
func BestCurves(name string, objective gradient.Objective) Family {
	return Family{Name: name, OfKernel: true, on: func(ctx context.Context, g *Ground) (Placement, error) {
		byRows, err := gradient.ByRows(ctx, g.moves.Kernel(), g.path.States())
		c := &curves{g, objective, byRows, map[int]*rough{}}
		return Placement{Place: c.place}, err
	}}
}

// curves are the best curves on a ground. All curves with more than coarsest distributions share
// the first part of the search.
type curves struct {
	ground    *Ground
	objective gradient.Objective
	byRows    bool           // whether the rows of the kernel are differentiated
	coarse    map[int]*rough // the ends of the first parts of searches, by number of distributions
}

// rough is the end of a part of a search, with its last Hessian.
type rough struct {
	theta []float64
	frame *frame
}

func (c *curves) place(ctx context.Context, T int) (chains.Schedule, error) {
	on := func(kernel chains.Kernel) *search {
		return newSearch(ctx, c.ground.path, kernel, c.objective, Options{Ground: c.ground, Workers: c.ground.workers})
	}
	kernel := c.ground.moves.Kernel()
	s := on(kernel)
	linear, err := s.linear(T)
	if errors.Is(err, ErrNothingToGain) {
		return straight()
	}
	if err != nil {
		return nil, err
	}
	looks := s
	if parts, _ := chains.PartsOf(kernel); c.byRows && parts.Sequential && len(parts.Kernels) == 1 {
		looks = on(parts.Kernels[0]) // products of rows take too long, and a good curve for one step is good for several
	}
	theta, err := c.search(looks, effortFor(c.byRows), T)
	if err != nil {
		return nil, err
	}
	curve, err := short(betas(theta))
	if err != nil {
		return nil, err
	}
	value, err := s.solve(curve, T)
	if err == nil && !(value.Value <= linear) {
		return straight()
	}
	return curve, err
}

// search returns the square roots of the increments of the best curve that is found.
func (c *curves) search(s *search, does effort, T int) ([]float64, error) {
	n, first := min(T, mostPoints), min(T, does.coarsest)
	if T == n {
		best, err := s.best(n)
		if err != nil {
			return nil, err
		}
		return roots(best.Points, n), nil
	}
	s.over = first
	if c.coarse[first] == nil {
		s.descents, s.o.Iterations = 4, does.roughly
		best, err := s.fromBest(n) // one start is enough, since the search continues from there
		if err != nil {
			return nil, err
		}
		c.coarse[first] = &rough{roots(best.Points, n), s.frame}
	}
	theta, err := c.coarse[first].theta, error(nil)
	s.frame = c.coarse[first].frame
	for last := min(T, max(does.coarsest, does.refined/chains.MovesOf(s.kernel))); s.over < last; {
		s.over, s.at = min(last, finer*s.over), nil
		v := newFree(theta)
		s.flatten(v, false)
		if theta, _, _, err = s.minimize(theta, v, refining, nil); err != nil {
			return nil, err
		}
	}
	return theta, nil
}

// straight returns the curve that is the linear schedule.
func straight() (*schedules.Curve, error) { return schedules.NewCurve([]float64{0, 1}) }

// short returns the curve through betas rounded to few digits.
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

// scheduleOf returns the schedule of some betas, the betas themselves or the curve through them,
// and its number of distributions.
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

// differentiate returns the derivatives by betas. The derivative by a beta on a line segment of a
// curve is split between the two ends of the segment, by their weights in it.
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
