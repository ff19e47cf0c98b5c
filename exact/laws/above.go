package laws

import (
	"context"
	"math"
)

// tie is the relative difference below which a sum and a threshold may be equal but for rounding.
const tie = 1e-12

// wide is the width above which a bracket says why it is so wide, and the relative rounding that is allowed for in bounds.
const wide = 1e-9

// Above implements Law. The probability lies within the bracket for certain, but for roundings below 1e-12. Sums of independent draws
// are exact where there are few of them. Otherwise each term is rounded to a lattice, once up and once down. The bounds of Markov, by
// E Z-hat, and of Chernoff, by the transform or the law of a draw, hold in any case. Sums within a relative 1e-12 of the threshold may count or not.
func (s *Sum) Above(ctx context.Context, at float64) (Bracket, error) {
	if err := checkThreshold(at); err != nil {
		return Bracket{}, err
	}
	logV := s.sign * (at - s.shift)
	if math.IsInf(logV, 0) {
		return s.extreme(at), nil
	}
	slack := tie * max(1, math.Abs(logV))
	lowest, highest := s.tail.support()
	switch never, always := logV-slack > highest, logV+slack <= lowest; { // V reaches the threshold
	case never && s.sign > 0, always && s.sign < 0:
		return Bracket{}, nil
	case always && s.sign > 0, never && s.sign < 0:
		return Bracket{Low: 1, High: 1}, nil
	}
	most := math.Exp(s.logMean-at) * (1 + wide)
	if s.sign < 0 {
		most = min(most, math.Exp(s.table.logBelow(logV, s.runs))*(1+wide))
	} else if s.draws != nil {
		most = min(most, math.Exp(s.draws.logAtLeast(logV))*(1+wide))
	}
	if most <= wide && !s.tail.exact() {
		return Bracket{High: most}, nil
	}
	low, high, err := s.tail.atLeast(ctx, logV, slack)
	if err != nil {
		return Bracket{}, err
	}
	if s.sign < 0 {
		low, high = 1-high, 1-low
	}
	b := Bracket{Low: min(low, most), High: min(high, most)}
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
