package exact

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/work"
	"breadboard/exact/internal/stage"
	"breadboard/exact/kernel"
)

// Subjective holds an annealing that has been propagated once, and gives its subjective divergence
// from any reference distribution r. That is the expectation of the bidirectional Monte Carlo
// bound, in nats, if its reverse chains start from r instead of the target:
//
//	E_{r, reverse}[log w] - E_fwd[log w] = B + sum over x of (r(x) - p_T(x)) A(x),
//
// with A(x) = E_rev[log w | x_T = x]. For r = p_T it is B, and so bounds J. For any other r it is
// KL(path_fwd || path_rev) + KL(path_r || path_fwd) - KL(r || p_T), which is not a bound and may be
// negative.
//
// Source: Cusumano-Towner and Mansinghka 2016; Grosse, Ancha and Roy 2016, sections 3.2 and 4.
type Subjective struct {
	Solution *Solution // by the general method

	p      *stage.Problem
	target stage.Density
	// the moves of the time reversal of T_T, in the order in which ratios are averaged over them
	moves []keepingMove
	// A(x) minus a constant, for states that are not doomed: its mean under p_T if none is doomed
	adjoint []float64
	// base is the part that does not depend on r: B if no state is doomed, else the value without
	// its terms in r (see value).
	base      float64
	doomed    []bool // states from which the reverse chain's log weight may be infinite
	anyDoomed bool
}

// SubjectivePoint is the subjective divergence from a reference after some moves of T_T.
type SubjectivePoint struct {
	Moves int     // S, the number of moves of T_T
	Value float64 // the subjective divergence, in nats
	KL    float64 // KL(r_S || p_T) in nats, for r_S the distribution of the reference after S moves
	// ErrorValue and ErrorKL are about the errors that rounding leaves, if they are above a
	// relative error of 1e-12, and else zero.
	ErrorValue, ErrorKL float64
}

// NewSubjective propagates both directions of an annealing, in O(T entries) time and O(entries)
// memory. It fails if Solve does. Progress is as in Options, and may be nil.
func NewSubjective(ctx context.Context, a *chains.Annealing, progress func(steps int)) (*Subjective, error) {
	if err := Validate(a); err != nil {
		return nil, err
	}
	p := stage.NewProblem(a, progress)
	g, err := sweepGeneral(ctx, p)
	if err != nil {
		return nil, err
	}
	p.Flush()
	s := &Subjective{
		p:         p,
		target:    g.stage.Here,
		adjoint:   g.adjoint,
		doomed:    g.doomed,
		anyDoomed: slices.Contains(g.doomed, true),
	}
	s.Solution, err = g.solution()
	if err != nil {
		return nil, err
	}
	for m := range g.stage.Along(chains.Forward) {
		s.moves = append(s.moves, newKeepingMove(m.Backward))
	}
	s.base = s.Solution.B
	if s.anyDoomed {
		s.base = s.Solution.LogZRatio - s.Solution.MeanLogWForward + g.reverse.Value()
	}
	s.Solution.shift(p.Offset)
	return s, nil
}

// From returns the subjective divergence with reverse chains that start at a draw from the
// reference followed by S moves of T_T, for each S in moves, in the order given. It also returns
// boundFrom, the least S such that the value is at least J from S moves up to the largest number in
// moves; it is -1 if there is no such S. The reference holds one probability for each state. From
// fails if CheckReference does, if the context ends, and if rounding has changed the reference's
// total mass by more than 1e-12.
//
// The reference is carried as its deviation from the target, so that the value's difference from B
// keeps its digits, however small. Up to a thousand moves are made one by one. More are made by
// powers of the kernel's matrix, each the square of the one before, if that takes less time:
// O(states^3 log S) for the largest S, and O(states^2 log S) memory. The values then have an error
// of some 1e-14 of the reference's distance from the target after a thousand moves. Else time is
// O(S entries). Progress counts the moves. From must not be called from several goroutines at once.
func (s *Subjective) From(ctx context.Context, reference []float64,
	moves []int) (points []SubjectivePoint, boundFrom int, err error) {
	if err := CheckReference(s.p.Annealing, reference); err != nil {
		return nil, 0, err
	}
	if len(moves) == 0 || slices.Min(moves) < 0 {
		return nil, 0, errors.New("exact: the numbers of moves must be 0 or more")
	}
	r := s.newMoved(reference)
	last := slices.Max(moves)
	asked := &askedMoves{moves: moves, points: make([]SubjectivePoint, len(moves))}
	stepped := last
	var long *many
	if last > steppedMoves {
		long = s.newMany(last)
		if long != nil {
			stepped = steppedMoves
		}
	}
	boundFrom = -1
	for S := 0; S <= stepped; S++ {
		if S > 0 {
			if err := s.p.Step(ctx); err != nil {
				return nil, 0, err
			}
			s.applyLast(r)
		}
		asked.kept.followDeviations(S, r.Ratios, &s.target)
		value := s.divergenceFrom(r.Ratios)
		if value.Value < s.Solution.J {
			boundFrom = -1
		} else if boundFrom < 0 {
			boundFrom = S
		}
		if err := s.setPoints(asked, S, value, r.Ratios); err != nil {
			return nil, 0, err
		}
	}
	if long != nil {
		boundFrom, err = s.further(ctx, long, long.movedLaw(r.Ratios), asked, boundFrom)
		if err != nil {
			return nil, 0, err
		}
	}
	s.p.Flush()
	return asked.points, boundFrom, nil
}

// further does what From does beyond steppedMoves, from the distribution after these moves on.
// boundFrom is the result of From up to there.
func (s *Subjective) further(ctx context.Context, m *many, l law, asked *askedMoves,
	boundFrom int) (int, error) {
	last := slices.Max(asked.moves)
	next, err := m.after(ctx, l, 1)
	if err != nil {
		return 0, err
	}
	switch below, err := m.lastBelowFrom(ctx, next, steppedMoves+1, last); {
	case err != nil:
		return 0, err
	case below == last:
		boundFrom = -1
	case below >= 0:
		boundFrom = below + 1
	case boundFrom < 0:
		boundFrom = steppedMoves + 1
	}
	at := steppedMoves
	for _, S := range slices.Compact(slices.Sorted(slices.Values(asked.moves))) {
		if S <= at {
			continue
		}
		l, err = m.after(ctx, l, S-at)
		if err != nil {
			return 0, err
		}
		at = S
		r := m.setRatios(l)
		if err := s.setPoints(asked, S, s.divergenceFrom(r), r); err != nil {
			return 0, err
		}
	}
	return boundFrom, s.p.Steps(ctx, last-steppedMoves)
}

// askedMoves are the numbers of moves that are asked for, with their points.
type askedMoves struct {
	moves  []int
	points []SubjectivePoint
	kept   keptDigits
}

// setPoints sets the points with S moves, if there are some. It fails if rounding has changed the
// mass of the distribution.
func (s *Subjective) setPoints(asked *askedMoves, S int, value number.Bounded, r *stage.Ratios) error {
	if !slices.Contains(asked.moves, S) {
		return nil
	}
	d := r.Divergences(&s.target)
	if math.Abs(d.Drift()) > driftTolerance {
		return errs.New("after %d moves the reference's total mass is off by %.3g, beyond %g, by rounding: the "+
			"numbers cannot be trusted; give fewer moves",
			S, d.Drift(),
			driftTolerance)
	}
	_, kl, _ := d.Values()
	for i, at := range asked.moves {
		if at == S {
			asked.points[i] = SubjectivePoint{Moves: S, Value: value.Value, KL: kl, ErrorValue: value.Error,
				ErrorKL: bounded(kl, 2*asked.kept.lost*number.Finite(kl), promise*kl).Error}
		}
	}
	return nil
}

// keptDigits tracks the rounding error of the deviations r_S/p_T - 1; KL(r_S || p_T) is of second
// order in them. The first ones have the rounding of r_0/p_T, and a move adds a rounding of those
// before it. Later moves contract both alike.
type keptDigits struct {
	lost float64 // about the relative error of the deviations
	size float64 // about their root mean square
}

// mostFollowed is the number of moves that are followed: a kernel that forgets all at once has done
// so by then.
const mostFollowed = 64

// followDeviations takes over the deviations after S moves, in ascending order of S.
func (k *keptDigits) followDeviations(S int, r *stage.Ratios, target *stage.Density) {
	if S > mostFollowed {
		return
	}
	d := r.Divergences(target)
	_, kl, _ := d.Values()
	before := k.size
	k.size = math.Sqrt(2 * kl)
	if S == 0 {
		before = 1 + k.size
	}
	if k.size > 0 && !math.IsInf(before, 1) { // deviations of exactly zero are those of the target itself
		k.lost += rounding * before / k.size
	}
}

// moved is a distribution after moves of T_T, as its ratio to the target.
type moved struct {
	*stage.Ratios
	// lostH and lostU are the rounding errors of the last additions to H and U.
	lostH, lostU []number.Wide
}

// newMoved returns the given distribution as it is before the first move. The distribution has no
// mass where the target is zero.
func (s *Subjective) newMoved(law []float64) *moved {
	n := len(law)
	r := &moved{stage.NewRatios(&s.target), make([]number.Wide, n), make([]number.Wide, n)}
	for x, m := range law {
		if s.target.On(x) {
			r.SetRatio(x, number.Scaled(m, 0).Mul(number.WideExp(-s.target.Log[x])))
		}
	}
	return r
}

// keepAbove is the probability to stay at a state above which move computes the change of the
// state's ratio, and not the new ratio itself. The new ratio is then at least a tenth of the old
// one, so that adding the change to the old ratio loses little if the two cancel.
const keepAbove = 0.1

// keepingMove is one move of the time reversal of T_T, which has several if T_T is a sequence.
type keepingMove struct {
	stage.Matrix
	keeps []bool // states at which it stays with a probability above keepAbove
}

func newKeepingMove(o stage.Matrix) keepingMove {
	k := keepingMove{o, make([]bool, o.States())}
	for x := range k.keeps {
		k.keeps[x] = o.EntryAt(x, x) > keepAbove
	}
	return k
}

// applyLast applies T_T to a distribution.
func (s *Subjective) applyLast(r *moved) {
	for i := range s.moves {
		r.applyKeeping(&s.moves[i], &s.target)
	}
}

// applyKeeping makes one move of T_T. It does the same as Ratios.Move with more digits. If a state
// is likely to be kept (see keepAbove) it adds the mean difference from that state to the state's
// own ratio, and keeps what each addition rounds away. Otherwise two errors would add up over
// millions of moves: that of rows in float64, which do not sum to exactly one, and the rounding of
// ratios that hardly change.
func (r *moved) applyKeeping(m *keepingMove, target *stage.Density) {
	for x := range r.H {
		r.NextH[x], r.NextU[x] = number.Wide{}, number.Wide{}
	}
	add := func(x, y int, p number.Wide) {
		h := r.H[y]
		u := r.U[y]
		if m.keeps[x] {
			h, u = h.Sub(r.H[x]), u.Sub(r.U[x])
		}
		r.NextH[x], r.NextU[x] = r.NextH[x].Add(p.Mul(h)), r.NextU[x].Add(p.Mul(u))
	}
	for x := range r.H {
		for _, e := range m.Row(x) {
			add(x, e.To, number.Scaled(e.P, 0))
		}
	}
	for _, e := range m.Tiny {
		add(e.From, e.To, number.WideExp(e.LogP))
	}
	for x := range r.H {
		h := r.NextH[x]
		u := r.NextU[x]
		if m.keeps[x] {
			h, u = increase(r.H[x], h, &r.lostH[x]), increase(r.U[x], u, &r.lostU[x])
		} else {
			r.lostH[x], r.lostU[x] = number.Wide{}, number.Wide{}
		}
		if target.On(x) {
			r.Set(x, h, u)
		}
		if stage.Near(h) {
			r.lostH[x] = number.Wide{} // h follows from u
		} else {
			r.lostU[x] = number.Wide{}
		}
	}
}

// increase returns v + d + lost, and sets lost to the rounding error of that sum (Kahan's
// summation).
func increase(v, d number.Wide, lost *number.Wide) number.Wide {
	d = d.Add(*lost)
	t := v.Add(d)
	*lost = d.Sub(t.Sub(v))
	return t
}

// CheckReference returns an error if the reverse chains of an annealing cannot start from the given
// distribution. The distribution needs one probability of zero or more for each state, zero if the
// target is zero, with a sum within 1e-12 of one.
func CheckReference(a *chains.Annealing, reference []float64) error {
	if len(reference) != a.States() {
		return errs.New("the reference has %d states and the target %d; give one probability for each",
			len(reference), a.States())
	}
	logf := make([]float64, a.States())
	a.LogF(logf, a.Distributions())
	var total number.Sum
	for x, m := range reference {
		if !(m >= 0) {
			return work.AtStates(fmt.Errorf("the reference has probability %v at state %d", m, x), x)
		}
		if m > 0 && math.IsInf(logf[x], -1) {
			return work.AtStates(errs.New(
				"the reference has probability %v at state %d, where the target is zero: no reverse chain "+
					"can start there; leave such states out",
				m,
				x,
			), x)
		}
		total.Add(m)
	}
	if math.Abs(total.Value()-1) > kernel.RowTolerance {
		return fmt.Errorf("the probabilities of the reference sum to %v, not to 1", total.Value())
	}
	return nil
}

// divergenceFrom returns the subjective divergence B + sum (r - p_T) A from the distribution r, or
// +Inf if a reverse chain that starts from r may have an infinite weight. If some states are
// doomed, B is infinite while this value need not be, and A does not have mean zero. The value is
// then base + sum r A over the states that are not doomed.
func (s *Subjective) divergenceFrom(r *stage.Ratios) number.Bounded {
	var v number.Sum
	size := math.Abs(s.base)
	for x, a := range s.adjoint {
		mass := r.Mass(x, &s.target).Float()
		size += (mass + s.target.P[x]) * math.Abs(a)
		switch {
		case !s.target.On(x) || s.doomed[x] && r.H[x].M == 0:
		case s.doomed[x]:
			return number.Exactly(math.Inf(1))
		case s.anyDoomed:
			v.Add(mass * a)
		case stage.Near(r.H[x]):
			v.Add(s.target.P[x] * r.U[x].Float() * a)
		default:
			v.Add((mass - s.target.P[x]) * a)
		}
	}
	sum := s.base + v.Value()
	return bounded(sum, s.Solution.ErrorB+rounding*size, promise*math.Abs(sum))
}
