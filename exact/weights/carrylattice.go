package weights

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"

	"breadboard/chains"
	"breadboard/exact/internal/stage"
	"breadboard/exact/kernel"
)

// propagateLattice propagates the joint law of the state and of the log weight so far.
func (p *problem) propagateLattice(ctx context.Context, d chains.Direction, v *survey, report func(int)) (*atoms, error) {
	n := p.Annealing.States()
	l := &ladder{direction: d, step: v.step, cur: newRungs(n, v.span+1), next: newRungs(n, v.span+1), shift: make([]int, n)}
	err := p.propagate(ctx, d, l, func(ctx context.Context) error {
		report(1)
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	out := &atoms{low: v.low, high: v.high, step: v.step, p: make([]float64, v.span+1), infinite: l.infinite}
	for _, r := range l.cur {
		floats.Add(out.p[r.from:r.to], r.p[r.from:r.to])
	}
	out.rounding = float64(l.moves+1)*float64(n+8)*0x1p-53 + l.dropped + float64(n)*float64(l.moves+1)*kernel.Tiny + l.defect
	out.finish()
	return out, nil
}

// ladder is the joint law of the state of a chain and of its log weight so far, the latter in steps above the
// least: one rung for each state.
type ladder struct {
	direction chains.Direction
	step      float64 // of the lattice
	cur, next []rung
	shift     []int // increment of the stage in steps above the least; -1 where it is infinite
	moves     int   // the moves that have been made, of which a stage has one or more
	shifts    int   // the number of moves after which shares move up by the increments of the stage, with the next move
	infinite  float64
	dropped   float64
	defect    float64 // sum over the stages of how far a row of the kernel is from a sum of one, at most
}

// rung is the law of the log weight at one state. Outside from..to it is zero.
type rung struct {
	p        []float64
	from, to int
}

func newRungs(n, points int) []rung {
	r := make([]rung, n)
	for x := range r {
		r[x].p = make([]float64, points)
	}
	return r
}

// start implements carrier.
func (l *ladder) start(first *stage.Density) {
	for x, v := range first.P {
		if v > 0 {
			l.cur[x].p[0], l.cur[x].to = v, 1
		}
	}
}

// enter implements carrier: it finds the increments of the stage in steps.
func (l *ladder) enter(s *stage.Stage) {
	l.shifts = l.moves // the increment belongs to the state before the first move of the forward chain,
	if l.direction == chains.Reverse {
		l.shifts += len(s.Moves) - 1 // which is that after the last move of the reverse chain
	}
	least := math.Inf(1)
	for x, d := range s.Delta {
		if s.Both(x) {
			least = min(least, d)
		}
	}
	for x, d := range s.Delta {
		switch {
		case !s.Both(x):
			l.shift[x] = -1
		case l.step > 0:
			l.shift[x] = int(math.Round((d - least) / l.step))
		default:
			l.shift[x] = 0
		}
	}
}

// tilt implements carrier. Nothing is left to do: shares move up by the increments while they move to other states.
func (l *ladder) tilt(*stage.Stage) {}

// over implements carrier: every stage counts.
func (l *ladder) over(int) bool { return false }

// move implements carrier. The increment belongs to the state before a move in the forward direction, and to the one
// after it in reverse. It is infinite where the shift is negative.
func (l *ladder) move(ctx context.Context, moves stage.Operator) error {
	l.defect += moves.Defect()
	shifted := l.moves == l.shifts
	l.moves++
	looked := 0
	for x := range l.cur {
		r := &l.cur[x]
		if r.from == r.to {
			continue
		}
		for _, e := range moves.Row(x) {
			if looked += r.to - r.from; looked > lookEvery {
				if looked = 0; ctx.Err() != nil {
					return ctx.Err()
				}
			}
			shift := 0
			switch {
			case e.P == 0:
				continue
			case shifted && l.direction == chains.Forward:
				shift = l.shift[x]
			case shifted:
				shift = l.shift[e.To]
			}
			if shift < 0 {
				l.infinite += e.P * floats.Sum(r.p[r.from:r.to])
				continue
			}
			l.next[e.To].receive(r, e.P, shift)
		}
	}
	for x := range l.cur {
		r := &l.cur[x]
		clear(r.p[r.from:r.to])
		r.from, r.to = 0, 0
		l.dropped += l.next[x].trim()
	}
	l.cur, l.next = l.next, l.cur
	return nil
}

// receive adds a share of another rung, so many steps higher.
func (r *rung) receive(from *rung, share float64, shift int) {
	if r.from == r.to {
		r.from, r.to = from.from+shift, from.to+shift
	} else {
		r.from, r.to = min(r.from, from.from+shift), max(r.to, from.to+shift)
	}
	floats.AddScaled(r.p[from.from+shift:from.to+shift], share, from.p[from.from:from.to])
}

// trim takes negligible probabilities off both ends, and returns what they were: numbers below the normal range of
// float64 have lost digits, and are slow.
func (r *rung) trim() (dropped float64) {
	for r.from < r.to && r.p[r.from] < negligible {
		dropped += r.p[r.from]
		r.p[r.from] = 0
		r.from++
	}
	for r.from < r.to && r.p[r.to-1] < negligible {
		dropped += r.p[r.to-1]
		r.p[r.to-1] = 0
		r.to--
	}
	return dropped
}
