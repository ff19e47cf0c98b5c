package laws

import (
	"context"
	"math"

	"breadboard/chains/number"
)

// thresholdWork is about the largest number of thresholds that are moved for one bound.
const thresholdWork = 1 << 23

// Above implements Law. R_j > z if and only if R_(j+1) > (z - L_j (1 - r^n))/r^n, where n particles die at the level: the threshold
// is random, and never gets smaller. Those that are below L_(j+1) are passed for certain, and those from L_J on never. The others
// are kept with their probabilities, from the lowest level up. Thresholds that nearly agree are taken together at the largest of
// them for the lower bound, and at the least for the upper one. Where nothing had to be taken together the two are equal but for
// rounding; they are not where an atom of the estimate is so near that rounding does not tell on which side it is.
func (e *NestedExact) Above(ctx context.Context, at float64) (Bracket, error) {
	if err := checkThreshold(at); err != nil {
		return Bracket{}, err
	}
	switch {
	case at >= e.top:
		return Bracket{}, ctx.Err()
	case math.IsInf(at, -1), len(e.deaths) == 0: // no estimate is zero, and where there is one level it is L_J
		return Bracket{Low: 1, High: 1}, ctx.Err()
	case e.grid == nil:
		return Bracket{math.NaN(), math.NaN(), e.tooMany()}, ctx.Err()
	}
	low, err := e.above(ctx, at-e.top, 1, thresholdWork)
	if err != nil {
		return Bracket{}, err
	}
	high, err := e.above(ctx, at-e.top, -1, thresholdWork)
	return Bracket{Low: min(low, 1), High: min(max(low, high), 1)}, err
}

// above returns a lower bound of P(R_1 > e^at) where the direction is 1, and an upper one where it is -1. At
// most about so many thresholds are moved.
func (e *NestedExact) above(ctx context.Context, at, direction float64, work int) (float64, error) {
	if at < e.levels[0].LogL {
		return 1, nil
	}
	ways := 0
	for _, d := range e.deaths {
		ways += len(d.P)
	}
	var passed number.Sum
	r := newRounding(direction, -at, work/max(1, ways))
	now, then := r.newThresholds(), r.newThresholds()
	r.keep(now, r.bucket(1), 1, 1)
	for j, d := range e.deaths {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		now, then = then, now
		now.clear()
		level, next := e.levels[j].LogL-at, r.limit(e.levels[j+1].LogL-at)
		for i, p := range d.P {
			step := r.step(level, float64(d.First+i)*e.logKept)
			for _, b := range then.used {
				z, mass := step.of(then.value[b]), p*then.mass[b]
				if r.passes(z, next) {
					passed.Add(mass)
				} else if r.open(z) {
					r.keep(now, r.bucket(z), z, mass)
				}
			}
		}
	}
	return passed.Value(), nil
}
