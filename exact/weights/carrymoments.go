package weights

import (
	"context"

	"breadboard/chains/number"
	"breadboard/exact/internal/stage"
)

// joint is the law of the state x of a chain together with the moments of the log weight so far, less about its
// mean: moments[k] is E[s^k; x], of the chains with a finite and positive weight.
type joint struct {
	moments [5][]float64
	centre  number.Sum // what has been taken from s
	defect  float64    // sum over the stages of how far a row of the kernel is from a sum of one, at most
	lost    bool       // whether a weight is zero or infinite with positive probability
	moves   int        // the moves that have been made, of which a stage has one or more
	scratch [5][]float64
}

// start implements carrier.
func (j *joint) start(first *stage.Density) {
	for k := range j.moments {
		j.moments[k], j.scratch[k] = make([]float64, len(first.P)), make([]float64, len(first.P))
	}
	copy(j.moments[0], first.P)
}

// enter implements carrier: nothing is to be prepared.
func (j *joint) enter(*stage.Stage) {}

// move implements carrier.
func (j *joint) move(_ context.Context, moves stage.Operator) error {
	for k := range j.scratch {
		clear(j.scratch[k])
	}
	s0, s1, s2, s3, s4 := j.scratch[0], j.scratch[1], j.scratch[2], j.scratch[3], j.scratch[4]
	for x := range j.moments[0] {
		m0, m1, m2, m3, m4 := j.moments[0][x], j.moments[1][x], j.moments[2][x], j.moments[3][x], j.moments[4][x]
		for _, e := range moves.Row(x) {
			y, p := e.To, e.P
			s0[y] += m0 * p
			s1[y] += m1 * p
			s2[y] += m2 * p
			s3[y] += m3 * p
			s4[y] += m4 * p
		}
	}
	j.moments, j.scratch = j.scratch, j.moments
	j.defect += moves.Defect()
	j.moves++
	return nil
}

// over implements carrier: every stage counts.
func (j *joint) over(int) bool { return false }

// tilt implements carrier: it adds the increment of the stage to s, and takes its mean out.
func (j *joint) tilt(s *stage.Stage) {
	total, mean := 0.0, 0.0
	for x, m := range j.moments[0] {
		if m == 0 {
			continue
		}
		if !s.Both(x) {
			j.lost = true
			for k := range j.moments {
				j.moments[k][x] = 0
			}
			continue
		}
		total += m
		mean += m * s.Delta[x]
	}
	if total == 0 {
		return
	}
	mean /= total
	j.centre.Add(mean)
	for x, m := range j.moments[0] {
		if m == 0 {
			continue
		}
		d := s.Delta[x] - mean
		first, second, third := j.moments[1][x], j.moments[2][x], j.moments[3][x]
		j.moments[4][x] += d * (4*third + d*(6*second+d*(4*first+d*m)))
		j.moments[3][x] += d * (3*second + d*(3*first+d*m))
		j.moments[2][x] += d * (2*first + d*m)
		j.moments[1][x] += d * m
	}
}

// cumulants returns the probability of a finite and positive weight, and the cumulants of log w given one.
// Where no weight is lost the probability is one, whatever rounding says.
func (j *joint) cumulants() (mass float64, m Cumulants) {
	var totals [5]float64
	for k := range totals {
		totals[k] = number.Total(j.moments[k])
	}
	if mass = totals[0]; mass == 0 {
		return 0, Cumulants{}
	}
	first, second, third, fourth := totals[1]/mass, totals[2]/mass, totals[3]/mass, totals[4]/mass
	square := first * first // first is rounding, but where mass was lost on the way
	variance := second - square
	if !j.lost {
		mass = 1
	}
	return mass, Cumulants{
		Mean:     j.centre.Value() + first,
		Variance: variance,
		Third:    third - 3*first*second + 2*first*square,
		Fourth:   fourth - 4*first*third + 6*square*second - 3*square*square - 3*variance*variance,
	}
}
