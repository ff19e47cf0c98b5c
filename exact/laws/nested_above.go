package laws

import (
	"context"
	"math"

	"breadboard/chains/number"
)

// pairThresholdWork is about the largest number of thresholds that are moved for one bound.
const pairThresholdWork = 1 << 25

// pairBound follows the thresholds of all pairs for one bound on P(R > e^at).
type pairBound struct {
	*rounding
	pairs  *pairs
	at     float64
	passed number.Sum
	limits []float64 // by level: the limit below which a level is above a threshold (see rounding.limit)
	moving []movingThreshold
	kept   [][]*thresholds // by level and state, as pairs.lower; nil if there are none
}

// movingThreshold is a threshold on its way from pair to pair, with its bucket and its probability.
type movingThreshold struct {
	z      float64
	bucket int
	mass   float64
}

// boundAbove returns bounds on P(R > e^at) for two particles from the prior. The threshold of a
// pair (x,y) with x at level L_j is passed if it is below L_j. Else R > z if and only if R(x',y) >
// (z - (1-r) L_j)/r, so that thresholds move from pair to pair, from the lowest level up. Memory is
// O(pairs x thresholds), and time O(pairs x states x thresholds), both bounded by fewer thresholds
// that are taken together.
func (p *pairs) boundAbove(ctx context.Context, at float64, work int) (low, high float64, err error) {
	own := *p // the rows are its own, so that several goroutines may ask
	p = &own
	bounds := []*pairBound{p.newBound(at, 1, work), p.newBound(at, -1, work)}
	memory := p.newLaws()
	for j := range len(p.levels) - 1 {
		if err := p.makeRows(ctx, j); err != nil {
			return 0, 0, err
		}
		var above []int
		for y, i := range p.levelOf {
			if i > j {
				above = append(above, y)
			}
		}
		for _, y := range above {
			if bounds[0].kept[j][y] == nil && bounds[1].kept[j][y] == nil {
				continue
			}
			law, err := p.moved(ctx, memory, y, above)
			if err != nil {
				return 0, 0, err
			}
			for _, b := range bounds {
				b.raiseThresholds(j, y, law, above)
			}
		}
	}
	return bounds[0].passed.Value(), bounds[1].passed.Value(), nil
}

// newBound returns a bound with the thresholds of two particles from the prior.
func (p *pairs) newBound(at, direction float64, work int) *pairBound {
	above := 0.0
	products := 1.0
	for j := len(p.states) - 1; j >= 0; j-- {
		products += above * above
		above += float64(len(p.states[j]))
	}
	b := &pairBound{
		rounding: newRounding(direction, -at, int(float64(work)/products)),
		pairs:    p,
		at:       at,
		kept:     make([][]*thresholds, len(p.levels)),
	}
	for _, l := range p.levels {
		b.limits = append(b.limits, b.limit(l.LogL-at))
	}
	for j, states := range p.states {
		b.kept[j] = make([]*thresholds, len(p.levelOf))
		mass := p.mass(states)
		b.priorPair(j, states[0], mass*mass)
		for y, i := range p.levelOf {
			if i > j {
				b.priorPair(j, y, 2*mass*p.prior[y])
			}
		}
	}
	return b
}

// priorPair gives two particles from the prior, x at a level j and y at that level or above, the
// first threshold with a probability.
func (b *pairBound) priorPair(j, y int, probability float64) {
	b.moving = append(b.moving[:0], movingThreshold{z: 1, bucket: b.bucket(1), mass: probability})
	b.meet(j, y, 1)
}

// raiseThresholds moves the thresholds of a pair at level j on, given the distribution of the copy
// of y.
func (b *pairBound) raiseThresholds(j, y int, law []float64, above []int) {
	s := b.kept[j][y]
	if s == nil {
		return
	}
	b.kept[j][y] = nil
	step := b.stepAt(b.pairs.levels[j].LogL-b.at, b.pairs.logKept)
	b.moving = b.moving[:0]
	for _, bucket := range s.used {
		switch z := step.after(s.value[bucket]); {
		case b.hasLevelsAbove(z):
			b.moving = append(b.moving, movingThreshold{z, b.bucket(z), s.mass[bucket]})
		case b.passes(z, 0): // it is too far to be followed
			b.passed.Add(s.mass[bucket])
		}
	}
	for _, x := range above {
		switch {
		case law[x] == 0:
		case b.pairs.levelOf[x] < b.pairs.levelOf[y]:
			b.meet(b.pairs.levelOf[x], y, law[x])
		default:
			b.meet(b.pairs.levelOf[y], x, law[x])
		}
	}
}

// meet adds the moving thresholds, with a probability, to a particle at level j and one at state y,
// which is at that level or above. If both are at one level the run ends, and thresholds that are
// not passed are dropped.
func (b *pairBound) meet(j, y int, probability float64) {
	passed := 0.0
	limit := b.limits[j]
	apart := b.pairs.levelOf[y] > j
	for _, m := range b.moving {
		switch {
		case m.z < limit:
			passed += m.mass
		case apart:
			if b.kept[j][y] == nil {
				b.kept[j][y] = b.newThresholds()
			}
			b.addThreshold(b.kept[j][y], m.bucket, m.z, probability*m.mass)
		}
	}
	b.passed.Add(probability * passed)
}

// thresholdWork is about the largest number of thresholds that are moved for one bound.
const thresholdWork = 1 << 23

// Above implements Law. R_j > z if and only if R_(j+1) > (z - L_j (1 - r^n))/r^n, where n particles
// die at the level: the threshold is random, and never gets smaller. Thresholds below L_(j+1) are
// certainly passed, and those from L_J on never. The others are kept with their probabilities, from
// the lowest level up. Thresholds that nearly agree are merged: into the largest of them for the
// lower bound, and into the smallest for the upper one. Without merging the bounds are equal up to
// rounding, unless an atom of the estimate is so near that rounding decides its side.
func (e *NestedExact) Above(ctx context.Context, at float64) (Bracket, error) {
	if err := checkThreshold(at); err != nil {
		return Bracket{}, err
	}
	switch {
	case at >= e.top:
		return Bracket{}, ctx.Err()
	case math.IsInf(at, -1), len(e.deaths) == 0: // no estimate is zero, and if there is one level it is L_J
		return Bracket{Low: 1, High: 1}, ctx.Err()
	case e.grid == nil:
		return Bracket{math.NaN(), math.NaN(), e.tooMany()}, ctx.Err()
	}
	low, err := e.boundAbove(ctx, at-e.top, 1, thresholdWork)
	if err != nil {
		return Bracket{}, err
	}
	high, err := e.boundAbove(ctx, at-e.top, -1, thresholdWork)
	return Bracket{Low: min(low, 1), High: min(max(low, high), 1)}, err
}

// boundAbove returns a lower bound of P(R_1 > e^at) if the direction is 1, and an upper one if it
// is -1. It moves at most about the given number of thresholds.
func (e *NestedExact) boundAbove(ctx context.Context, at, direction float64, work int) (float64, error) {
	if at < e.levels[0].LogL {
		return 1, nil
	}
	ways := 0
	for _, d := range e.deaths {
		ways += len(d.P)
	}
	var passed number.Sum
	r := newRounding(direction, -at, work/max(1, ways))
	now := r.newThresholds()
	then := r.newThresholds()
	r.addThreshold(now, r.bucket(1), 1, 1)
	for j, d := range e.deaths {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		now, then = then, now
		now.clear()
		level := e.levels[j].LogL - at
		next := r.limit(e.levels[j+1].LogL - at)
		for i, p := range d.P {
			step := r.stepAt(level, float64(d.First+i)*e.logKept)
			for _, b := range then.used {
				z := step.after(then.value[b])
				mass := p * then.mass[b]
				if r.passes(z, next) {
					passed.Add(mass)
				} else if r.hasLevelsAbove(z) {
					r.addThreshold(now, r.bucket(z), z, mass)
				}
			}
		}
	}
	return passed.Value(), nil
}
