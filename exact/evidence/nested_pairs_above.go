package evidence

import (
	"context"

	"breadboard/exact/internal/number"
	"breadboard/exact/kernel"
)

// pairThresholdWork is about the largest number of thresholds that are moved for one bound.
const pairThresholdWork = 1 << 27

// pairBound follows the thresholds of all pairs for one bound on P(R > e^at).
type pairBound struct {
	*rounding
	pairs  *pairs
	at     float64
	passed number.Sum
	kept   [][]*thresholds // by level and state, as pairs.lower; nil where there are none
}

// above returns bounds on P(R > e^at) for two particles from the prior. The threshold of a pair (x,y) with x at level L_j is passed
// where it is below L_j. Else R > z if and only if R(x',y) > (z - (1-r) L_j)/r, so that thresholds move from pair to pair, from the
// lowest level up. Memory is O(pairs x thresholds), and time O(pairs x states x thresholds), both bounded by fewer thresholds that
// are taken together.
func (p *pairs) above(ctx context.Context, at float64, work int) (low, high float64, err error) {
	own := *p
	p = &own // what rows need is its own, so that several goroutines may ask
	p.rows, p.within = kernel.Rows{}, make([]float64, len(p.of))
	bounds := []*pairBound{p.newBound(at, 1, work), p.newBound(at, -1, work)}
	law, next := make([]float64, len(p.of)), make([]float64, len(p.of))
	for j := range len(p.levels) - 1 {
		if err := p.fill(ctx, j); err != nil {
			return 0, 0, err
		}
		var above []int
		for y, i := range p.of {
			if i > j {
				above = append(above, y)
			}
		}
		for _, y := range above {
			if bounds[0].kept[j][y] == nil && bounds[1].kept[j][y] == nil {
				continue
			}
			if ctx.Err() != nil {
				return 0, 0, ctx.Err()
			}
			law, next = p.moved(law, next, y, above)
			for _, b := range bounds {
				b.move(j, y, law, above)
			}
		}
	}
	return bounds[0].passed.Value(), bounds[1].passed.Value(), nil
}

// newBound returns a bound with the thresholds of two particles from the prior.
func (p *pairs) newBound(at, direction float64, work int) *pairBound {
	above, products := 0.0, 1.0
	for j := len(p.states) - 1; j >= 0; j-- {
		products += above * above
		above += float64(len(p.states[j]))
	}
	b := &pairBound{rounding: newRounding(direction, -at, int(float64(work)/products)), pairs: p, at: at, kept: make([][]*thresholds, len(p.levels))}
	for j, states := range p.states {
		b.kept[j] = make([]*thresholds, len(p.of))
		mass := p.mass(states)
		b.meet(states[0], states[0], 1, mass*mass)
		for y, i := range p.of {
			if i > j {
				b.meet(states[0], y, 1, 2*mass*p.prior[y])
			}
		}
	}
	return b
}

// meet gives two particles a threshold with a probability.
func (b *pairBound) meet(x, y int, z, probability float64) {
	if b.pairs.of[x] > b.pairs.of[y] {
		x, y = y, x
	}
	j := b.pairs.of[x]
	switch {
	case b.passes(z, b.pairs.levels[j].LogL-b.at):
		b.passed.Add(probability)
	case j == b.pairs.of[y] || !b.open(z):
	default:
		if b.kept[j][y] == nil {
			b.kept[j][y] = b.none()
		}
		b.keep(b.kept[j][y], z, probability)
	}
}

// move moves the thresholds of a pair at level j on, given the law of the copy of y.
func (b *pairBound) move(j, y int, law []float64, above []int) {
	s := b.kept[j][y]
	if s == nil {
		return
	}
	step := b.step(b.pairs.levels[j].LogL-b.at, b.pairs.logKept)
	for _, bucket := range s.used {
		z := step.of(s.value[bucket])
		for _, x := range above {
			if law[x] > 0 {
				b.meet(x, y, z, s.mass[bucket]*law[x])
			}
		}
	}
	b.kept[j][y] = nil
}
