package verdicts

import (
	"cmp"
	"math"
	"slices"

	"breadboard/chains/errs"
	"breadboard/chains/number"
)

// A bet l multiplies an e-value by F = 1 + l (Y - 1) for each draw. By Chernoff's bound, with any a
// > 0,
//
//	P(sum of n log F < s) <= exp(a s) E[F^-a]^n,
//
// so that n = (a s - log miss)/-log E[F^-a] draws reach s with probability 1 - miss or more. The
// least n over a is found by golden-section search, in O(values) for each a.
//
// Source: Chernoff 1952.

// Law is a distribution of log Zhat on finitely many values, in nats. Values may be -Inf, for zeros
// of Zhat.
type Law struct{ Values, P []float64 }

// validate fails if the distribution is none.
func (l Law) validate() error {
	if len(l.Values) != len(l.P) || len(l.P) == 0 {
		return errs.New("a distribution of %d values with %d probabilities; give one for each value",
			len(l.Values), len(l.P))
	}
	for i, p := range l.P {
		if !(p >= 0 && p <= 1) || math.IsNaN(l.Values[i]) {
			return errs.New("value %d of the distribution is %v, with probability %v; give a number or an infinity, "+
				"and a probability from 0 to 1",
				i, l.Values[i], p)
		}
	}
	return nil
}

// DrawsToFind returns a number of draws after which LogE is at least the threshold with probability
// at least 1 - miss, for independent estimates with a given distribution, right or wrong. It is
// +Inf if the test is not certain to find this distribution, such as one that agrees with the
// claim. Estimates already added do not matter.
//
// The number is a bound, which holds for every distribution and is often within a factor of two.
// For each side and bet l it is Chernoff's: a sum of n terms log F, F = 1 + l (Y - 1), is below s
// with a probability of at most exp(a s) E[F^-a]^n for all a > 0. Time is O(values).
//
// Source: Chernoff 1952.
func (t *Test) DrawsToFind(l Law, threshold, miss float64) (float64, error) {
	if err := l.validate(); err != nil {
		return 0, err
	}
	if !(threshold > 0) || !(miss > 0 && miss < 1) {
		return 0, errs.New(
			"threshold %v and probability %v to miss the distribution; give a positive threshold and a "+
				"probability between 0 and 1",
			threshold,
			miss,
		)
	}
	return t.drawsToFindShifted(l, 0, threshold, miss), nil
}

// drawsToFindShifted is DrawsToFind for the distribution of which all values are larger by a shift.
func (t *Test) drawsToFindShifted(l Law, shift, threshold, miss float64) float64 {
	// To the threshold is added what the averages over the bets and the parts cost. What the events
	// find is left out.
	level := threshold + number.Log(bets) + number.Log(float64(t.parts()))
	fewest := math.Inf(1)
	for _, s := range t.sides {
		for _, b := range s.winning(l, shift-t.logZ) {
			if level/b.growth >= fewest {
				// by Jensen's inequality no power gives this bet, or one that grows more slowly,
				// fewer draws
				break
			}
			fewest = min(fewest, leastOverPowers(func(a float64) float64 {
				return (a*level - number.Log(miss)) / -estimatesLogMoment(b.logs, l.P, -a)
			}))
		}
	}
	return math.Ceil(fewest)
}

// winning is a bet whose log product grows under a distribution.
type winning struct {
	logs   []float64 // log F of each value of the distribution
	growth float64   // E[log F] > 0
}

// winning returns the bets whose log products grow under a distribution that is shifted, those
// first that grow the fastest.
func (s *side) winning(l Law, shift float64) (won []winning) {
	for k := range bets {
		logs, possible := s.logFactors(l, shift, k)
		if !possible {
			return nil
		}
		growth := 0.0
		for i, p := range l.P {
			if p > 0 {
				growth += p * logs[i]
			}
		}
		if growth > 0 {
			won = append(won, winning{logs, growth})
		}
	}
	slices.SortStableFunc(won, func(a, b winning) int { return cmp.Compare(b.growth, a.growth) })
	return won
}

// logFactors returns log F of each value of a distribution that is shifted, for the bet 2^-k. It
// returns false if the side is given up at some value.
func (s *side) logFactors(l Law, shift float64, k int) (logs []float64, possible bool) {
	logs = make([]float64, len(l.P))
	for i, p := range l.P {
		if p == 0 {
			continue
		}
		excess, logY := s.draw(l.Values[i] + shift)
		switch {
		case !(excess >= -1):
			return nil, false
		case k == 0:
			logs[i] = logY
		case excess > huge:
			logs[i] = logY - float64(k)*math.Ln2
		default:
			logs[i] = math.Log1p(math.Ldexp(excess, -k))
		}
	}
	return logs, true
}

// estimatesLogMoment returns log E[F^a].
func estimatesLogMoment(logs, p []float64, a float64) float64 {
	terms := make([]float64, len(logs))
	for i := range logs {
		terms[i] = number.Log(p[i])
		if p[i] > 0 {
			terms[i] += a * logs[i]
		}
	}
	return number.LogSumExp(terms)
}

// leastOverPowers returns the least positive value that f has at the powers a > 0 that are tried,
// and +Inf if it has none. Any power gives a valid bound, and a golden-section search finds the
// best one, since a linear function of a over a concave one that is positive falls to its least
// value and then rises. If the concave function is not positive f is taken for infinite.
func leastOverPowers(f func(a float64) float64) float64 {
	const smallest, largest, steps = -30.0, 10.0, 60 // of log a
	at := func(log float64) float64 {
		if v := f(math.Exp(log)); v > 0 {
			return v
		}
		return math.Inf(1)
	}
	_, least := Least(at, smallest, largest, steps)
	return least
}

// Least returns the minimum of a function that falls and then rises between two numbers, and its
// place, by the given number of steps of a golden-section search. Of two equal values it keeps the
// lower side, since infinite values may be only above the minimum.
func Least(f func(x float64) float64, low, high float64, steps int) (at, least float64) {
	golden := (math.Sqrt(5) - 1) / 2
	left, right := high-golden*(high-low), low+golden*(high-low)
	fleft := f(left)
	fright := f(right)
	for range steps {
		if fleft <= fright {
			high = right
			right = left
			fright = fleft
			left = high - golden*(high-low)
			fleft = f(left)
		} else {
			low = left
			left = right
			fleft = fright
			right = low + golden*(high-low)
			fright = f(right)
		}
	}
	if fleft <= fright {
		return left, fleft
	}
	return right, fright
}

// farthest is the largest bias, as the logarithm of a factor, that Detectable looks for.
const farthest = 700

// Detectable returns the smallest biases that the test finds. The estimates are Zhat times
// exp(bias), for Zhat of the given distribution: LogE is at least the threshold after the given
// draws, with probability at least 1 - miss, for every bias of at least high or at most low. The
// distribution should be that of a correct estimator: its own exact distribution, or, as an
// indication, the estimates themselves. Low is -Inf and high +Inf if no bias in that direction is
// found. Both are in nats, to four digits, rounded to the safe side. A bias of high or more counts
// only while the biased distribution stays within the bounds that the caller has given.
func (t *Test) Detectable(l Law, draws int, threshold, miss float64) (low, high float64, err error) {
	if draws < 1 {
		return 0, 0, errs.New("zero draws detect no bias; give one draw or more")
	}
	if _, err := t.DrawsToFind(l, threshold, miss); err != nil {
		return 0, 0, err
	}
	smallest := func(sign float64) float64 {
		found := func(bias float64) bool {
			return t.drawsToFindShifted(l, sign*bias, threshold, miss) <= float64(draws)
		}
		below := 0.0
		above := farthest * 1.0
		if !found(above) {
			return math.Inf(1)
		}
		for above-below > 1e-4*above {
			if middle := below + (above-below)/2; found(middle) {
				above = middle
			} else {
				below = middle
			}
		}
		return above
	}
	return -smallest(-1), smallest(1), nil
}
