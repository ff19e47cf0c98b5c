package weights

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/exact/internal/stage"
	"breadboard/exact/kernel"
)

// joint is the distribution of the state x of a chain together with the moments of the log weight
// so far, less about its mean: moments[k] is E[s^k; x], of the chains with a finite and positive
// weight.
//
// A move takes moments[k](y) = sum over x of moments[k](x) T(x, y), and a weight, with d = log of
// its factor at x less the change of the centre,
//
//	E[(s + d)^k; x] = sum over j <= k of C(k, j) d^(k-j) moments[j](x).
//
// Time is O(5 entries) for a move.
type joint struct {
	moments [5][]float64
	centre  number.Sum // the constant subtracted from s
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

// setStage implements carrier: nothing is to be prepared.
func (j *joint) setStage(*stage.Stage) {}

// carryMove implements carrier.
func (j *joint) carryMove(_ context.Context, moves stage.Matrix) error {
	for k := range j.scratch {
		clear(j.scratch[k])
	}
	s0, s1, s2, s3, s4 := j.scratch[0], j.scratch[1], j.scratch[2], j.scratch[3], j.scratch[4]
	for x := range j.moments[0] {
		m0, m1, m2, m3, m4 := j.moments[0][x], j.moments[1][x], j.moments[2][x], j.moments[3][x],
			j.moments[4][x]
		for _, e := range moves.Row(x) {
			y := e.To
			p := e.P
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
	total := 0.0
	mean := 0.0
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
		first := j.moments[1][x]
		second := j.moments[2][x]
		third := j.moments[3][x]
		j.moments[4][x] += d * (4*third + d*(6*second+d*(4*first+d*m)))
		j.moments[3][x] += d * (3*second + d*(3*first+d*m))
		j.moments[2][x] += d * (2*first + d*m)
		j.moments[1][x] += d * m
	}
}

// cumulants returns the probability of a finite and positive weight, and the cumulants of log w
// given one. If no weight is lost the probability is one, regardless of rounding.
func (j *joint) cumulants() (mass float64, m Cumulants) {
	var totals [5]float64
	for k := range totals {
		totals[k] = number.Total(j.moments[k])
	}
	mass = totals[0]
	if mass == 0 {
		return 0, Cumulants{}
	}
	first := totals[1] / mass
	second := totals[2] / mass
	third := totals[3] / mass
	fourth := totals[4] / mass
	square := first * first // first is rounding, but if mass was lost on the way
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

// carrier is the data that a propagation over the stages carries with the distribution of the
// state: E[w^l; x], moments of the log weight, its distribution on a lattice, or E[w^s; x] at many
// frequencies. Package exact/program has the same four on single branches of any process; these do
// whole stages at once.
type carrier interface {
	// start sets the distribution of the first state.
	start(first *stage.Density)
	// setStage is called for each stage before tilt and move.
	setStage(s *stage.Stage)
	// tilt applies the increments of the stage, by the current state.
	tilt(s *stage.Stage)
	// carryMove takes the distribution through one move of the stage. A carrier may leave out the
	// entries that float64 cannot hold.
	carryMove(ctx context.Context, moves stage.Matrix) error
	// over reports whether later stages cannot change the result any more, after a step, counted
	// from 2.
	over(step int) bool
}

// propagate takes a carrier through all stages in one direction. The increment of stage t belongs
// to x_{t-1}: forward that is the state before the move, in reverse the one after it. Before every
// stage it calls each, which may end it by an error. It takes one sweep of O(T entries) time, times
// what is carried.
func (p *problem) propagate(ctx context.Context, d chains.Direction, c carrier,
	each func(context.Context) error) error {
	s := p.newStage()
	T := p.Annealing.Distributions()
	for step := 2; step <= T; step++ {
		if err := each(ctx); err != nil {
			return err
		}
		if err := s.Load(ctx, stage.StageOf(d, step, T)); err != nil {
			return err
		}
		if step == 2 {
			c.start(s.Origin(d))
		}
		c.setStage(s)
		if d == chains.Forward {
			c.tilt(s)
		}
		for m := range s.Along(d) {
			if err := c.carryMove(ctx, m.Along(d)); err != nil {
				return err
			}
		}
		if d == chains.Reverse {
			c.tilt(s)
		}
		if c.over(step) {
			break
		}
	}
	p.stages.Put(s)
	return nil
}

// contextError is the context's error.
func contextError(ctx context.Context) error { return ctx.Err() }

// lookEvery is the number of multiplications between two checks of the context within a move, some
// ten microseconds.
const lookEvery = 1 << 14

// tiltedMasses are E[w^l; x] over the states x for several l. Transitions that float64 cannot hold
// are not left out.
type tiltedMasses struct {
	powers     []float64
	finiteOnly bool // whether it is over the chains of finite and positive weight only

	mass     [][]number.Wide // by power
	infinite []bool          // by power: whether E[w^l] is infinite
}

// start implements carrier.
func (m *tiltedMasses) start(first *stage.Density) {
	m.mass = make([][]number.Wide, len(m.powers))
	m.infinite = make([]bool, len(m.powers))
	for i := range m.mass {
		m.mass[i] = first.Masses()
	}
}

// setStage implements carrier: nothing is to be prepared.
func (m *tiltedMasses) setStage(*stage.Stage) {}

// over implements carrier: every stage counts.
func (m *tiltedMasses) over(int) bool { return false }

// carryMove implements carrier.
func (m *tiltedMasses) carryMove(_ context.Context, moves stage.Matrix) error {
	for i := range m.mass {
		m.mass[i] = moves.Push(m.mass[i])
	}
	return nil
}

// tilt implements carrier.
func (m *tiltedMasses) tilt(s *stage.Stage) {
	for i, power := range m.powers {
		m.infinite[i] = s.Tilt(m.mass[i], power, m.finiteOnly) || m.infinite[i]
	}
}

// propagateLattice propagates the joint distribution of the state and of the log weight so far.
func (p *problem) propagateLattice(ctx context.Context, d chains.Direction, v *survey,
	report func(int)) (*atoms, error) {
	n := p.Annealing.States()
	l := &ladder{
		direction: d,
		step:      v.step,
		cur:       newRungs(n, v.span+1),
		next:      newRungs(n, v.span+1),
		shift:     make([]int, n),
	}
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
	out.rounding = float64(l.moves+1)*float64(n+8)*0x1p-53 + l.dropped +
		float64(n)*float64(l.moves+1)*kernel.Tiny + l.defect
	out.sumTails()
	return out, nil
}

// ladder is the joint distribution of the state of a chain and of its log weight so far, the latter
// in steps above the least: one rung for each state.
type ladder struct {
	direction chains.Direction
	step      float64 // of the lattice
	cur, next []rung
	shift     []int // increment of the stage in steps above the least; -1 if it is infinite
	moves     int   // the moves that have been made, of which a stage has one or more
	// the number of moves after which shares move up by the increments of the stage, with the next
	// move
	shifts   int
	infinite float64
	dropped  float64
	defect   float64 // sum over the stages of how far a row of the kernel is from a sum of one, at most
}

// rung is the distribution of the log weight at one state. Outside from..to it is zero.
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

// setStage implements carrier: it finds the increments of the stage in steps.
func (l *ladder) setStage(s *stage.Stage) {
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

// tilt implements carrier. Nothing is left to do: shares move up by the increments while they move
// to other states.
func (l *ladder) tilt(*stage.Stage) {}

// over implements carrier: every stage counts.
func (l *ladder) over(int) bool { return false }

// carryMove implements carrier. The increment belongs to the state before a move in the forward
// direction, and to the one after it in reverse. It is infinite if the shift is negative.
func (l *ladder) carryMove(ctx context.Context, moves stage.Matrix) error {
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
			looked += r.to - r.from
			if looked > lookEvery {
				looked = 0
				if ctx.Err() != nil {
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

// receive adds a share of another rung, the given number of steps higher.
func (r *rung) receive(from *rung, share float64, shift int) {
	if r.from == r.to {
		r.from, r.to = from.from+shift, from.to+shift
	} else {
		r.from, r.to = min(r.from, from.from+shift), max(r.to, from.to+shift)
	}
	floats.AddScaled(r.p[from.from+shift:from.to+shift], share, from.p[from.from:from.to])
}

// trim removes negligible probabilities at both ends, and returns their sum: numbers below the
// normal range of float64 have lost digits, and are slow.
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
