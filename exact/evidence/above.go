package evidence

import (
	"context"
	"fmt"
	"math"
)

// tie is the relative difference below which a sum and a threshold may be equal but for rounding.
const tie = 1e-12

// wide is the width above which a bracket says why it is so wide.
const wide = 1e-9

// Above implements Law. The probability lies within the bracket for certain, but for roundings below 1e-12. Sums of independent draws
// are exact where there are few of them. Otherwise each term is rounded to a lattice, once up and once down. The bounds of Markov, by
// E Z-hat, and of Chernoff, by the transform, hold in any case. Sums within a relative 1e-12 of the threshold may count or not.
func (s *Sum) Above(ctx context.Context, at float64) (Bracket, error) {
	if math.IsNaN(at) {
		return Bracket{}, fmt.Errorf("the threshold of log Z-hat is NaN; give a number")
	}
	logV := s.sign * (at - s.shift)
	if math.IsInf(logV, 0) {
		return s.extreme(at), nil
	}
	lowAbove, highAbove, err := s.atLeast(ctx, logV)
	if err != nil {
		return Bracket{}, err
	}
	b := Bracket{Low: lowAbove, High: highAbove}
	if s.sign < 0 {
		b = Bracket{Low: 1 - highAbove, High: min(1-lowAbove, math.Exp(s.table.logBelow(logV, s.runs))*(1+wide))}
	}
	b.High = min(b.High, math.Exp(s.logMean-at)*(1+wide))
	b.Low = min(b.Low, b.High)
	if b.High-b.Low > wide {
		b.Note = s.tail.limits()
	}
	return b, nil
}

// extreme returns the probability that log Z-hat is above minus infinity, or above infinity.
func (s *Sum) extreme(at float64) Bracket {
	switch {
	case at > 0:
		return Bracket{}
	case s.sign > 0:
		return Bracket{Low: 1 - s.zero, High: 1 - s.zero}
	}
	return Bracket{Low: 1, High: 1}
}

// atLeast returns bounds on the probability that V is at or above a threshold that may be off by a tie.
func (s *Sum) atLeast(ctx context.Context, logV float64) (low, high float64, err error) {
	slack := tie * max(1, math.Abs(logV))
	low, _, err = s.tail.atLeast(ctx, logV+slack)
	if err != nil {
		return 0, 0, err
	}
	_, high, err = s.tail.atLeast(ctx, logV-slack)
	return low, high, err
}
