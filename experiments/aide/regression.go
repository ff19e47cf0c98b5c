package aide

import (
	"fmt"
	"slices"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/experiments"

	"breadboard/grid"
	"breadboard/toys"
)

// regressionSide is the number of values of the intercept and of the slope, from -1.5 to 1.5.
const regressionSide = 7

// regressionPoints are the points through which the line is to go, with errors of variance one.
func regressionPoints() (xs, ys []float64) {
	return []float64{-1, 0, 1, 2, 3}, []float64{-0.9, 0.3, 0.2, 1.4, 1.3}
}

// RegressionCase returns the posterior of a line through five points: its intercept b and its slope m are on a grid of 7 x 7, with
// a prior proportional to exp(-(b^2 + m^2)/2). The annealing begins with the prior and then sees one more point a stage (path
// "data"); the kernel is the paper's. The likelihood of a point is exp(-r^2/2), without its constant.
func RegressionCase() (*experiments.Case, error) {
	space, err := grid.New(regressionSide, regressionSide)
	if err != nil {
		return nil, err
	}
	xs, ys := regressionPoints()
	stages := make([][]float64, len(xs)+1)
	for i := range stages {
		stages[i] = make([]float64, space.States())
		for x := range stages[i] {
			b, m := -1.5+0.5*float64(space.Coord(x, 0)), -1.5+0.5*float64(space.Coord(x, 1))
			stages[i][x] = -(b*b + m*m) / 2
			for j := range i {
				r := ys[j] - b - m*xs[j]
				stages[i][x] -= r * r / 2
			}
		}
	}
	path, err := paths.NewStepwise("data", stages)
	if err != nil {
		return nil, err
	}
	a, err := chains.NewAnnealing(path, schedules.Linear{}, kernels.Metropolis{Space: space}, len(stages))
	if err != nil {
		return nil, err
	}
	setting := experiments.Setting{Path: "data", Initial: "prior", Schedule: "linear", Kernel: "metropolis", T: len(stages)}
	toy := &toys.Toy{Name: "regression", Space: space, G: stages[len(stages)-1]}
	return &experiments.Case{Toy: toy, Algorithm: a, Params: setting.Params()}, nil
}

// regression is the study of a line through points. After figure 2 of the paper.
func regression(Data) (*Comparison, error) {
	c, err := RegressionCase()
	if err != nil {
		return nil, err
	}
	s := &Comparison{study: "regression", p: normalised(c.Toy.G), own: string(Exact)}
	for _, f := range []family{{algorithm: string(SMC), counts: []int{1, 2, 3, 10, 100}}, {algorithm: string(MH), counts: []int{1, 10, 100}}, {algorithm: string(MeanField)}} {
		f.with = func(particles int) (contender, error) {
			name := f.algorithm
			if f.counts != nil {
				name = fmt.Sprintf("%s:%d", f.algorithm, particles)
			}
			choice, err := Parse(name)
			return onCase(c, choice), err
		}
		s.all = append(s.all, f)
	}
	return s, nil
}

// normalised returns the probabilities whose logarithms are given up to a constant.
func normalised(logs []float64) []float64 {
	p := slices.Clone(logs)
	chains.Normalize(p)
	return p
}
