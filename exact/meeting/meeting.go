package meeting

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/exact/averages"
	"breadboard/exact/internal/linear"
)

// Solved is the mean number of moves until pairs have met, and the data for other questions about
// this time.
type Solved struct {
	pairs   *Pairs // with one number for (x, y) and (y, x) if they are alike
	ordered *Pairs // with a number for each
	// V is the mean number of moves until each pair has met: +Inf for a pair that may never meet,
	// and if it is too large for float64.
	V []float64
	// Off bounds the relative error of V if it comes from an iteration, by its residual; 0 if it
	// comes from an elimination.
	Off float64
	// Lost bounds the relative error of V, and of results that follow from it, by lost digits of
	// small probabilities of the coupling. It is that of rounding unless the kernel chooses by
	// probabilities near one.
	Lost float64
	// Border is the relative error that each move adds to the mean number of moves; see
	// couplings.Border.
	Border   float64
	systems  systems
	sets     *sets     // of the chain
	spectrum *spectrum // of the chain, if it is reversible
	lock     sync.Mutex
	gap      float64 // see TailGap; 0 while it is not known
	modes    *modes  // see slowest
}

// Solve finds the mean numbers of moves. Up to MaxSolved pairs it does so by elimination, in
// O(pairs^3 / 3) time and 16 bytes for each two of them. Beyond that it iterates, in some seconds
// for 65,536 pairs, with a bound on the error of V; it fails if chains meet so seldom that this
// does not converge.
func (p *Pairs) Solve(ctx context.Context) (*Solved, error) {
	ordered := p
	if p.folded != nil {
		p = p.folded
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s := &Solved{pairs: p, ordered: ordered}
	var err error
	s.sets, err = setsOf(ctx, p.Chain)
	if err != nil {
		return nil, err
	}
	s.spectrum, err = spectrumOf(ctx, p.Chain, s.rowError())
	if err != nil {
		return nil, err
	}
	s.systems, s.V, s.Off, err = p.systems(ctx)
	if err != nil {
		return nil, err
	}
	if len(p.states) <= MaxSolved {
		s.Off = 0
	}
	s.Lost, err = s.lostDigits(ctx)
	return s, err
}

// TailGap returns one minus the spectral radius of Q, the fraction by which P(tau > t) falls in
// each move in the end. A small gap keeps its digits. It is NaN if a pair may never meet. It is
// computed on demand.
func (s *Solved) TailGap(ctx context.Context) (gap float64, err error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.gap == 0 {
		s.gap, err = s.findTailGap(ctx)
	}
	return s.gap, err
}

// findTailGap finds one minus the largest eigenvalue of Q by inverse iteration: it has all its
// digits if I - Q is solved without a subtraction, and eight of them otherwise.
func (s *Solved) findTailGap(ctx context.Context) (float64, error) {
	if iteration, is := s.systems.(*iteration); is {
		return iteration.tailGap(ctx, s.V)
	}
	const most, enough = 10_000, 3
	v := s.V
	last := 0.0
	calm := 0
	if len(v) == 0 {
		return 1, nil
	}
	for range most {
		largest := 0.0
		for _, x := range v {
			largest = max(largest, x)
		}
		if math.IsInf(largest, 1) {
			return math.NaN(), nil
		}
		scaled := make([]float64, len(v))
		for i, x := range v {
			scaled[i] = x / largest
		}
		if math.Abs(largest-last) <= 4e-16*largest {
			calm++
			if calm == enough {
				break
			}
		} else {
			calm = 0
		}
		last = largest
		v, _, _ = s.systems.solve(ctx, scaled) // an elimination, which does not fail
	}
	return 1 / last, ctx.Err()
}

// Never returns a pair of states that may never meet, and false if all pairs meet.
func (s *Solved) Never() (x, y int, exists bool) {
	return s.pair(s.systems.never())
}

// pair returns the states of the first pair that is marked, and false if none is.
func (s *Solved) pair(marked []bool) (x, y int, exists bool) {
	at := slices.Index(marked, true)
	if at < 0 {
		return 0, 0, false
	}
	return int(s.pairs.states[at][0]), int(s.pairs.states[at][1]), true
}

// TooLate returns a pair of states whose chains meet with probability one, after a mean number of
// moves that is too large for float64, and false if there is none.
func (s *Solved) TooLate() (x, y int, exists bool) {
	late := make([]bool, len(s.V))
	for at, never := range s.systems.never() {
		late[at] = !never && math.IsInf(s.V[at], 1)
	}
	return s.pair(late)
}

// Law is the distribution of the meeting time of chains from a start with a lag.
type Law struct {
	Lag  int
	Mean float64 // E tau, in moves of the chain X; +Inf if chains may never meet
	// Off bounds the relative error of Mean and of bounds if they come from an iteration, by its
	// residual; 0 if they come from an elimination.
	Off float64
	// Floor is a lower bound on the distance from the target at all times from this start, because
	// the chain never leaves some states, or goes through sets of them in turn: then meeting times
	// give no bound on the distance. It is 0 if the distribution tends to the target.
	Floor    float64
	solved   *Solved
	start    []float64 // nu
	at       []float64 // a_L
	tail     []float64 // (I - Q^L)^-1 1
	systems  systems   // of I - Q^L
	boundAt0 float64
	lock     sync.Mutex
	ordered  systems // of I - Q^L with a number for each order of a pair; see orderedSystems
}

// Meet returns the distribution of the meeting time of chains that begin from a distribution nu,
// with a lag of 1 or more. A lag above one takes O(pairs^3) time.
func (s *Solved) Meet(ctx context.Context, nu []float64, lag int) (*Law, error) {
	if lag < 1 {
		return nil, errs.New("lag %d; a lag is 1 or more", lag)
	}
	if err := s.pairs.Chain.CheckLaw(nu); err != nil {
		return nil, err
	}
	law, err := s.pairs.Chain.After(ctx, nu, lag)
	if err != nil {
		return nil, err
	}
	m := &Law{
		Lag:     lag,
		Mean:    float64(lag),
		Off:     s.Off,
		Floor:   s.sets.floor(s.pairs.Chain, nu),
		solved:  s,
		start:   nu,
		at:      s.pairs.independentPairs(law, nu),
		tail:    s.V,
		systems: s.systems,
	}
	for at, mass := range m.at {
		if mass > 0 {
			m.Mean += mass * s.V[at]
		}
	}
	if lag > 1 {
		var off float64
		m.systems, m.tail, off, err = s.pairs.lagged(ctx, lag, s.systems)
		if err != nil {
			return nil, err
		}
		m.Off = max(m.Off, off)
	}
	m.boundAt0 = dot(m.at, m.tail)
	return m, ctx.Err()
}

// ones returns a vector of n ones.
func ones(n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = 1
	}
	return v
}

// sweep is the distribution of pairs that have not met, moved one move at a time.
type sweep struct {
	pairs   *Pairs
	a, next []float64
}

// newSweep begins when both chains begin to move.
func (m *Law) newSweep() *sweep {
	return &sweep{m.solved.pairs, slices.Clone(m.at), make([]float64, len(m.at))}
}

// movePairs moves all pairs by one move.
func (s *sweep) movePairs() {
	s.pairs.push(s.next, s.a)
	s.a, s.next = s.next, s.a
}

// checkInterval returns the number of moves between two checks of the context: some milliseconds.
func (s *sweep) checkInterval() int64 { return 1 + int64(1<<22/(len(s.pairs.to)+1)) }

// apartMass returns the probability that the chains have not met.
func (s *sweep) apartMass() (apart float64) {
	for _, mass := range s.a {
		apart += mass
	}
	return apart
}

// dot returns the sum of a v, where v may be infinite if a is zero.
func dot(a, v []float64) (sum float64) {
	for i, x := range a {
		if x > 0 {
			sum += x * v[i]
		}
	}
	return sum
}

// Point holds the results after t moves.
type Point struct {
	T        int64
	Survival float64 // P(tau > L + t)
	// d_L(t); NaN if it is finite but not a bound, since the distribution does not tend to the
	// target
	Bound float64
	// D_L(t), the bound of the best coupling with this lag; NaN if it takes more than some seconds,
	// or if Bound is NaN
	LagTV float64
	// why there is no LagTV though the distribution tends to the target; empty if there is one
	LagNote string
	TV      float64 // the total variation distance of the distribution after t moves from the target
}

// maxSweep is the largest work of a sweep, in products: some seconds.
const maxSweep = 5e9

// Points returns the distribution of the meeting time, the bound and the distance after ascending
// numbers of moves. Time is O(t times the entries of Q).
func (m *Law) Points(ctx context.Context, ts []int64) ([]Point, error) {
	if last := ts[len(ts)-1]; float64(last)*float64(len(m.solved.pairs.to)) > maxSweep {
		return nil, errs.New("t = %d takes %.3g products; give a t of at most %.0f", last,
			float64(last)*float64(len(m.solved.pairs.to)),
			maxSweep/float64(len(m.solved.pairs.to)))
	}
	points := make([]Point, len(ts))
	lagged, lagNote, err := m.lagTV(ctx, ts)
	if err != nil {
		return nil, err
	}
	law := m.newSweep()
	t := int64(0)
	beyond := m.solved.sets.differ(m.solved.pairs.Chain, m.start, m.solved.pairs.Chain.Target)
	for i, want := range ts {
		for ; t < want; t++ {
			if t%law.checkInterval() == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			law.movePairs()
			beyond.moveBoth()
		}
		points[i] = Point{
			T:        want,
			Survival: law.apartMass(),
			Bound:    dot(law.a, m.tail),
			LagTV:    lagged[i],
			LagNote:  lagNote,
			TV:       beyond.totalVariation(),
		}
		if points[i].LagTV < points[i].TV*(1-1e-9) {
			points[i].LagTV, points[i].LagNote = math.NaN(),
				"D is not given: rounding makes it smaller than the distance"
		}
		if m.Floor > 0 && !math.IsInf(points[i].Bound, 1) {
			points[i].Bound = math.NaN()
		}
	}
	return points, nil
}

// maxPowers is the largest number of pairs of which powers are taken to find a time.
const maxPowers = 600

// ErrSlow is the error for a time that takes too many moves to find.
var ErrSlow = errs.New(
	"the bound falls so slowly that its mixing time takes too many moves; take a target with fewer " +
		"states, or one less steep",
)

// Time returns the least t with d_L(t) <= bound: +Inf if the chains may never meet, and NaN if d_L
// is not a bound (see Law.Floor). It moves the distribution of the pair, and if that takes long it
// expands d in the slowest modes of Q. If these are not accurate enough, it moves on while that is
// cheap, and then takes powers of Q. With too many pairs for powers it fails with ErrSlow.
func (m *Law) Time(ctx context.Context, bound float64) (averages.Time, error) {
	switch {
	case math.IsInf(m.boundAt0, 1):
		return averages.Time{Moves: math.Inf(1)}, nil
	case m.Floor > 0:
		return averages.Time{Moves: math.NaN()}, nil
	}
	law := m.newSweep()
	most := int64(maxSweep / 5 / float64(len(m.solved.pairs.to)+1))
	if len(law.a) <= maxPowers {
		most = min(most, 1<<12)
	}
	tie := bound * (64*0x1p-53 + m.rounding())
	near := false
	var slow []float64 // the distribution after movesBeforeModes or movesBeforeSlowModes moves
	for t := int64(0); t <= most; t++ {
		d := dot(law.a, m.tail)
		near = near || math.Abs(d-bound) <= tie // now or a move before, since d falls
		if d <= bound {
			time := averages.Time{Moves: float64(t)}
			if near {
				time.Error, time.Note = 1, tied(bound)
			}
			return time, nil
		}
		if t%law.checkInterval() == 0 && ctx.Err() != nil {
			return averages.Time{}, ctx.Err()
		}
		switch t {
		case movesBeforeModes, movesBeforeSlowModes:
			slow = slices.Clone(law.a)
		case 2 * movesBeforeModes, 2 * movesBeforeSlowModes:
			decline, err := m.declines(ctx, slow, t/2)
			if err != nil {
				return averages.Time{}, err
			}
			if decline == nil {
				break
			}
			if time, known := decline.time(m, bound); known {
				return time, nil
			}
		}
		law.movePairs()
	}
	if len(law.a) > maxPowers {
		return averages.Time{Moves: math.NaN()}, ErrSlow
	}
	return m.timeOfBound(ctx, law.a, float64(most)+1, bound)
}

// tied says that rounding decides a time.
func tied(bound float64) string {
	return fmt.Sprintf("d comes so near to %v that rounding may have changed the mixing time by d by one", bound)
}

// timeOfBound finds the time of a bound from t on, where the distribution of the pair is a: the
// distribution is moved by Q, Q^2, Q^4, ... until the bound is met, and the time is put together
// from the largest of these powers on.
func (m *Law) timeOfBound(ctx context.Context, a []float64, t, bound float64) (averages.Time, error) {
	tail := append(slices.Clone(m.tail), 0) // of chains that have met
	a = append(slices.Clone(a), 0)
	next := make([]float64, len(a))
	if dot(a, tail) <= bound {
		return averages.Time{Moves: t}, nil
	}
	squares := []*linear.Stochastic{m.solved.pairs.absorbing()}
	for {
		last := squares[len(squares)-1]
		last.Push(next, a)
		if dot(next, tail) <= bound {
			break
		}
		if float64(len(squares))*float64(8*len(last.V)) > maxSquaresBytes || len(squares) > maxSquares {
			return averages.Time{Moves: math.NaN()}, ErrSlow
		}
		square := last.Empty()
		if err := square.Multiply(ctx, last, last); err != nil {
			return averages.Time{}, err
		}
		squares = append(squares, square)
	}
	moved := 0.0
	for i, square := range slices.Backward(squares) {
		square.Push(next, a)
		if dot(next, tail) > bound {
			a, next, moved = next, a, moved+math.Exp2(float64(i))
		}
	}
	survival := 0.0
	for _, mass := range a[:len(a)-1] {
		survival += mass
	}
	many := bound * float64(m.Lag) / survival
	return m.rounded(t+moved+1, linear.PowerRounding(len(a), 2*len(squares))*(many+t+moved+1), many), nil
}

const (
	// maxSquaresBytes is the most memory that powers of Q take, two gigabytes, and maxSquares the
	// most of them: the numbers of moves are below 2^1024.
	maxSquaresBytes = 2 << 30
	maxSquares      = 1023
)

// Bounded returns a mean number of moves, or a value of d, with the error from the residual of an
// iteration and from the rows of the coupling.
func (m *Law) Bounded(v float64) number.Bounded {
	if math.IsInf(v, 1) {
		return number.Exactly(v)
	}
	return number.Within(v, m.Off+m.solved.Lost+m.solved.Border*m.Mean)
}

// rounding is about the relative error of probabilities and of d.
func (m *Law) rounding() float64 { return m.solved.rowError() + m.Off + m.solved.Lost }

// rounded returns a time with its rounding error: a number of moves, and the effect of the rounding
// of probabilities, given the number of moves in which d would fall to zero at its present rate. A
// common relative error of all probabilities changes the speed of the chains by the same factor.
func (m *Law) rounded(moves, off, zero float64) averages.Time {
	t := averages.Time{Moves: moves, Error: off + m.rounding()*(zero+moves)}
	if t.Error >= 0.5 {
		t.Note = fmt.Sprintf(
			"rounding may have changed the mixing time by d by about %.2g; some %.0f of its digits are right",
			t.Error,
			max(0, math.Floor(number.Log10(moves/t.Error))),
		)
	}
	return t
}

// rowError is about the relative error of the probabilities of the rows, which are made from log f.
func (s *Solved) rowError() float64 {
	largest := 0.0
	for _, v := range s.pairs.Chain.LogF {
		if !math.IsInf(v, 0) {
			largest = max(largest, math.Abs(v))
		}
	}
	return 0x1p-53 * (8 + largest)
}

// MeanTime returns the mean number of moves until chains at two states have met.
func (s *Solved) MeanTime(x, y int) float64 {
	at := s.pairs.number[x*s.pairs.Chain.States()+y]
	if at < 0 {
		return 0
	}
	return s.V[at]
}
