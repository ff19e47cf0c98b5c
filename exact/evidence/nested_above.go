package evidence

import (
	"context"
	"math"

	estimators "breadboard/chains/evidence"
	"breadboard/exact/internal/number"
)

const (
	// thresholdWork is about the number of thresholds that are moved for one bound.
	thresholdWork = 1 << 23
	// mostBuckets and fewestBits bound the number of thresholds that are kept at a level.
	mostBuckets = 1 << 17
	fewestBits  = 6
	// farThreshold is the threshold, relative to the first, from which on thresholds are not followed.
	farThreshold = 0x1p1000
)

// Above implements Law. R_j > z if and only if R_(j+1) > (z - L_j (1 - r^n))/r^n, where n particles die at the level: the threshold
// is random, and never gets smaller. Those that are below L_(j+1) are passed for certain, and those from L_J on never. The others
// are kept with their probabilities, from the lowest level up. Thresholds that nearly agree are taken together at the largest of
// them for the lower bound, and at the least for the upper one. Where nothing had to be taken together the two are equal but for
// rounding; they are not where an atom of the estimate is so near that rounding does not tell on which side it is.
func (e *NestedExact) Above(ctx context.Context, at float64) (Bracket, error) {
	if math.IsInf(e.top, -1) || at >= e.top {
		return Bracket{}, ctx.Err()
	}
	if e.grid == nil {
		return Bracket{math.NaN(), math.NaN(), e.tooMany()}, ctx.Err()
	}
	low, err := e.above(ctx, at-e.top, 1)
	if err != nil {
		return Bracket{}, err
	}
	high, err := e.above(ctx, at-e.top, -1)
	return Bracket{Low: min(low, 1), High: min(max(low, high), 1)}, err
}

// above returns a lower bound of P(R_1 > e^at) where the direction is 1, and an upper one where it is -1.
func (e *NestedExact) above(ctx context.Context, at, direction float64) (float64, error) {
	if at < e.levels[0].LogL {
		return 1, nil
	}
	var passed number.Sum
	s := newThresholds(direction, -at, e.deaths)
	for j, d := range e.deaths {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		s.next()
		level, next := e.levels[j].LogL-at, e.levels[j+1].LogL-at
		for i, p := range d.P {
			passed.Add(p * s.move(p, level, float64(d.First+i)*e.logKept, next))
		}
	}
	return passed.Value(), nil
}

// thresholds are the random thresholds at a level, relative to the first one, with their probabilities. Those in one bucket are
// taken together. A bucket is given by the exponent of a threshold and the first bits of its fraction.
type thresholds struct {
	direction float64
	top       float64 // the highest level
	bits      uint
	now, then bucketed // of the level at hand, and of the one below
}

// bucketed are thresholds by bucket.
type bucketed struct {
	used  []int
	value []float64 // zero where the bucket has none
	mass  []float64
}

// newThresholds returns the one threshold of the lowest level, given the highest one that can be passed, and the laws of deaths, on
// which the work depends.
func newThresholds(direction, logTop float64, deaths []estimators.Deaths) *thresholds {
	ways := 0
	for _, d := range deaths {
		ways += len(d.P)
	}
	octaves := 4 + int(min(logTop/math.Ln2, 1000))
	s := &thresholds{direction: direction, top: math.Exp(logTop), bits: fewestBits}
	for octaves<<(s.bits+1) <= min(mostBuckets, thresholdWork/max(1, ways)) {
		s.bits++
	}
	for _, b := range []*bucketed{&s.now, &s.then} {
		b.value, b.mass = make([]float64, octaves<<s.bits), make([]float64, octaves<<s.bits)
	}
	s.keep(1, 1)
	return s
}

// next goes to the next level, at which there are no thresholds yet.
func (s *thresholds) next() {
	s.now, s.then = s.then, s.now
	for _, b := range s.now.used {
		s.now.value[b], s.now.mass[b] = 0, 0
	}
	s.now.used = s.now.used[:0]
}

// keep adds a threshold of at least a quarter.
func (s *thresholds) keep(z, p float64) {
	b := int((math.Float64bits(z) - math.Float64bits(0.25)) >> (52 - s.bits))
	if s.now.value[b] == 0 {
		s.now.used = append(s.now.used, b)
		s.now.value[b] = z
	}
	if (z-s.now.value[b])*s.direction > 0 {
		s.now.value[b] = z
	}
	s.now.mass[b] += p
}

// move moves the thresholds where, with probability p, the volume shrinks by a factor at a level, and keeps those that the next level
// leaves open. It returns the probability that the next level passes the threshold, given that. Levels are given by their
// logarithms, relative to the first threshold. Rounding is taken outward.
func (s *thresholds) move(p, logLevel, logKept, logNext float64) (passed float64) {
	outward := s.direction * (8 + min(math.Abs(logLevel), 1000) + min(math.Abs(logNext), 1000)) * 0x1p-52
	level, kept, next := math.Exp(logLevel)*-math.Expm1(logKept), math.Exp(logKept), math.Exp(logNext)
	for _, b := range s.then.used {
		z, mass := s.then.value[b], s.then.mass[b]
		if logKept < 0 {
			z = (z*(1+outward) - level) / kept
		}
		switch {
		case z < next*(1-outward):
			passed += mass
		case !(z < farThreshold) && s.top > farThreshold:
			if s.direction < 0 {
				passed += mass
			}
		case z < s.top*(1+outward):
			s.keep(z, p*mass)
		}
	}
	return passed
}
