package experiments_test

import (
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact"
	"breadboard/exact/gradient"
	"breadboard/experiments/placement"
	"breadboard/grid/longtest"
	"breadboard/toys"
)

// TestBestCurves: up to nine distributions the best curve is the best schedule, but for the digits
// of its betas; with more it is a curve, and never worse than the linear schedule.
func TestBestCurves(t *testing.T) {
	toy := longtest.Must(toys.Parse("barrier"))(t)
	path := longtest.Must(paths.NewGeometric(nil, toy.G))(t)
	kernel := longtest.Must(kernels.Parse("metropolis", toy.Space))(t)
	const mostPoints = 9
	for _, objective := range []gradient.Objective{gradient.ObjectiveJ, gradient.ObjectiveB} {
		p := longtest.Must(placement.BestCurves("best", objective).On(t.Context(), path, chains.Always(kernel)))(t)
		for _, T := range []int{2, 9, 12, 100, 300} {
			s := longtest.Must(p.Place(t.Context(), T))(t)
			value := func(s chains.Schedule) float64 {
				a := longtest.Must(chains.NewAnnealing(path, s, kernel, T))(t)
				return objective.Of(longtest.Must(exact.Solve(t.Context(), a, exact.Options{}))(t))
			}
			best, linear := value(s), value(schedules.Linear{})
			if T > 2 && !(best < linear) || best > linear || s.(*schedules.Curve).Points() > mostPoints {
				t.Errorf("T = %d: %s is %v on %v, and %v on the linear schedule", T, objective, best, s, linear)
			}
			if T > 12 {
				continue // Optimize takes long
			}
			if optimum := longtest.Must(placement.Optimize(t.Context(), path, kernel, T, objective, placement.Options{}))(t).Value; T <= mostPoints &&
				best > optimum*(1+1e-7) ||
				best < optimum*(1-1e-6) {
				t.Errorf("T = %d: %s is %v, and the least %v", T, objective, best, optimum)
			}
		}
	}
	flat := longtest.Must(paths.NewGeometric(nil, make([]float64, toy.Space.States())))(t)
	p := longtest.Must(placement.BestCurves("best", gradient.ObjectiveJ).On(t.Context(), flat, chains.Always(kernel)))(t)
	if s := longtest.Must(p.Place(t.Context(), 50))(t); s.(*schedules.Curve).String() != "curve:0:1" {
		t.Errorf("where nothing is gained: %v", s)
	}
}
