package tuning

import (
	"breadboard/exact/stages"
	"breadboard/experiments"
)

// Shape says where the distributions of a case sit on its path: beta at some of the stages.
type Shape struct {
	experiments.Case
	Stages []int     // t, from 1 to T
	Betas  []float64 // b_t of these
}

// ShapeOf returns the shape of the schedule of a case, at up to so many stages, at least two, of which the first is 1 and the last T.
func ShapeOf(c experiments.Case, most int) (Shape, error) {
	at, err := stages.Spread(c.Distributions(), most)
	if err != nil {
		return Shape{}, err
	}
	s := Shape{Case: c, Stages: at}
	for _, t := range at {
		s.Betas = append(s.Betas, c.Annealing().Beta(t))
	}
	return s, nil
}
