package program

import "math"

// Moments are the mean and the central moments of the total of a process, over the paths where it is finite. In nats and
// powers of nats where the total is a log weight.
//
// Source: Pébay 2008, "Formulas for robust, one-pass parallel computation of covariances and arbitrary-order statistical
// moments", Eqs. 1.4 to 2.3, with probabilities in place of counts: nothing is taken away from a sum of squares, and the
// mean is kept to some 32 digits, so that no digits are lost where it is large beside the deviation.
type Moments struct {
	Mass              float64 // the probability of a finite total
	Mean              float64 // of a finite total; without meaning where there is none
	Variance          float64 // the second central moment
	Third, Fourth     float64 // the central moments, which are not the cumulants
	MinusInf, PlusInf float64 // the probabilities of a total of -Inf and of +Inf

	meanRest float64 // what rounding has left over of the mean
}

// mean returns the mean with all of its digits.
func (m Moments) mean() long { return long{m.Mean, m.meanRest} }

// NewMoments returns the carrier of a path of probability one and total zero.
func NewMoments() Moments { return Moments{Mass: 1} }

// Along takes the share of the branch, and moves the mean by the increment.
func (m Moments) Along(p, increment float64) Moments {
	m.MinusInf *= p
	m.PlusInf *= p
	m.Mass *= p
	if !math.IsInf(increment, 0) {
		mean := m.mean().plus(increment)
		m.Mean, m.meanRest = mean.high, mean.low
		return m
	}
	lost := Moments{MinusInf: m.MinusInf, PlusInf: m.PlusInf}
	if increment < 0 {
		lost.MinusInf += m.Mass
	} else {
		lost.PlusInf += m.Mass
	}
	return lost
}

// Plus returns the moments over the paths of both.
func (m Moments) Plus(other Moments) Moments {
	out := m.finite(other)
	out.MinusInf = m.MinusInf + other.MinusInf
	out.PlusInf = m.PlusInf + other.PlusInf
	return out
}

// finite merges what is finite.
func (m Moments) finite(other Moments) Moments {
	switch {
	case other.Mass == 0:
		return m
	case m.Mass == 0:
		return other
	}
	total := m.Mass + other.Mass
	a, b := m.Mass/total, other.Mass/total
	d := other.mean().minus(m.mean())
	mean := m.mean().plus(b * d)
	ab, d2 := a*b, d*d
	return Moments{
		Mass:     total,
		Mean:     mean.high,
		Variance: a*m.Variance + b*other.Variance + ab*d2,
		Third:    a*m.Third + b*other.Third + ab*(a-b)*d2*d + 3*ab*d*(other.Variance-m.Variance),
		Fourth: a*m.Fourth + b*other.Fourth + ab*(a*a-ab+b*b)*d2*d2 +
			6*ab*d2*(a*other.Variance+b*m.Variance) + 4*ab*d*(other.Third-m.Third),
		meanRest: mean.low,
	}
}
