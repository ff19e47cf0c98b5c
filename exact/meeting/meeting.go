package meeting

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"breadboard/exact/averages"
)

// Solved is the mean number of moves until pairs have met, and what answers other questions about the time until then.
type Solved struct {
	pairs   *Pairs // with one number for (x, y) and (y, x) where they are alike
	ordered *Pairs // with a number for each
	// V is the mean number of moves until each pair has met: +Inf for a pair that may never meet.
	V []float64
	// Off bounds the relative error of V where it comes from an iteration, by its residual; 0 where it comes from an elimination.
	Off      float64
	TailRate float64 // the spectral radius of Q: P(tau > t) falls by this factor in each move in the end; NaN where a pair may never meet
	systems  systems
}

// Solve finds the mean numbers of moves. Up to MaxSolved pairs it does so by elimination, in O(pairs^3 / 3) time and 16 bytes for each two of them.
// Beyond that it iterates, in some seconds for 65,536 pairs, and says how far V may be off; it fails where chains meet so seldom that this does not
// converge.
func (p *Pairs) Solve(ctx context.Context) (*Solved, error) {
	ordered := p
	if p.folded != nil {
		p = p.folded
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s := &Solved{pairs: p, ordered: ordered, systems: p.systems(1)}
	var err error
	if s.V, s.Off, err = s.systems.solve(ctx, ones(len(p.states))); err != nil {
		return nil, err
	}
	s.TailRate, err = s.tailRate(ctx)
	return s, err
}

// tailRate finds the largest eigenvalue of Q by inverse iteration: 1 - TailRate has all its digits where I - Q is solved without a subtraction, and
// eight of them where it is not.
func (s *Solved) tailRate(ctx context.Context) (float64, error) {
	if iteration, is := s.systems.(*iteration); is {
		return iteration.tailRate(ctx, s.V)
	}
	const most, enough = 10_000, 3
	v, last, calm := s.V, 0.0, 0
	if len(v) == 0 {
		return 0, nil
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
			if calm++; calm == enough {
				break
			}
		} else {
			calm = 0
		}
		last = largest
		v, _, _ = s.systems.solve(ctx, scaled) // an elimination, which does not fail
	}
	return 1 - 1/last, ctx.Err()
}

// Never returns a pair of states that may never meet, and false where all do.
func (s *Solved) Never() (x, y int, exists bool) {
	for at, v := range s.V {
		if math.IsInf(v, 1) {
			return int(s.pairs.states[at][0]), int(s.pairs.states[at][1]), true
		}
	}
	return 0, 0, false
}

// Law is that of the meeting time of chains from a start with a lag.
type Law struct {
	Lag  int
	Mean float64 // E tau, in moves of the chain X; +Inf where chains may never meet
	// Off bounds the relative error of Mean and of bounds where they come from an iteration, by its residual; 0 where they come from an
	// elimination.
	Off      float64
	solved   *Solved
	start    []float64 // nu
	at       []float64 // a_L
	tail     []float64 // (I - Q^L)^-1 1
	systems  systems   // of I - Q^L
	boundAt0 float64
	once     sync.Once
	ordered  systems // of I - Q^L with a number for each order of a pair; see orderedSystems
}

// Meet returns the law of the meeting time of chains that begin from a law nu, with a lag of 1 or more. A lag above one takes O(pairs^3) time.
func (s *Solved) Meet(ctx context.Context, nu []float64, lag int) (*Law, error) {
	if lag < 1 {
		return nil, fmt.Errorf("lag %d; a lag is 1 or more", lag)
	}
	if err := s.pairs.Chain.CheckLaw(nu); err != nil {
		return nil, err
	}
	law, err := s.pairs.Chain.After(ctx, nu, lag)
	if err != nil {
		return nil, err
	}
	m := &Law{Lag: lag, Mean: float64(lag), Off: s.Off, solved: s, start: nu, at: s.pairs.law(law, nu), tail: s.V, systems: s.systems}
	for at, mass := range m.at {
		if mass > 0 {
			m.Mean += mass * s.V[at]
		}
	}
	if lag > 1 {
		m.systems = s.pairs.systems(lag)
		var off float64
		if m.tail, off, err = m.systems.solve(ctx, ones(len(m.at))); err != nil {
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

// sweep is the law of pairs that have not met, moved one move at a time.
type sweep struct {
	pairs   *Pairs
	a, next []float64
}

// sweep begins when both chains begin to move.
func (m *Law) sweep() *sweep {
	return &sweep{m.solved.pairs, slices.Clone(m.at), make([]float64, len(m.at))}
}

// move moves all pairs by one move.
func (s *sweep) move() {
	s.pairs.push(s.next, s.a)
	s.a, s.next = s.next, s.a
}

// total returns the probability that the chains have not met.
func (s *sweep) total() (apart float64) {
	for _, mass := range s.a {
		apart += mass
	}
	return apart
}

// dot returns the sum of a v, where v may be infinite where a is zero.
func dot(a, v []float64) (sum float64) {
	for i, x := range a {
		if x > 0 {
			sum += x * v[i]
		}
	}
	return sum
}

// Point is what is known of a number of moves t.
type Point struct {
	T        int64
	Survival float64 // P(tau > L + t)
	Bound    float64 // d_L(t)
	LagTV    float64 // D_L(t), what the best coupling with this lag would give; NaN where it takes more than some seconds
	TV       float64 // the total variation distance of the law after t moves from the target
}

// maxSweep is the work of a sweep, in products, after which it is given up: some seconds.
const maxSweep = 5e9

// Points returns the law of the meeting time, the bound and the distance at numbers of moves that rise. Time is O(t times the entries of Q).
func (m *Law) Points(ctx context.Context, ts []int64) ([]Point, error) {
	points := make([]Point, len(ts))
	lagged, err := m.lagTV(ctx, ts)
	if err != nil {
		return nil, err
	}
	law, t := m.sweep(), int64(0)
	if last := ts[len(ts)-1]; float64(last)*float64(len(m.solved.pairs.to)) > maxSweep {
		return nil, fmt.Errorf("t = %d takes %.3g products; give a t of at most %.0f", last, float64(last)*float64(len(m.solved.pairs.to)), maxSweep/float64(len(m.solved.pairs.to)))
	}
	beyond := away(m.solved.pairs.Chain, m.start)
	for i, want := range ts {
		for ; t < want; t++ {
			if t%1024 == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			law.move()
			beyond.move()
		}
		points[i] = Point{T: want, Survival: law.total(), Bound: dot(law.a, m.tail), LagTV: lagged[i], TV: beyond.size()}
	}
	return points, nil
}

// lagTV returns D_L at numbers of moves that rise.
func (m *Law) lagTV(ctx context.Context, ts []int64) ([]float64, error) {
	chain := m.solved.pairs.Chain
	later, err := chain.After(ctx, m.start, m.Lag)
	if err != nil {
		return nil, err
	}
	between := &difference{chain: chain, values: make([]float64, len(later)), next: make([]float64, len(later))}
	for x, v := range later {
		between.values[x] = m.start[x] - v
	}
	sums := make([]float64, len(ts))
	terms := make([]float64, m.Lag) // of the last moves, by the move modulo the lag
	limit := int64(maxSweep / 25 / float64(len(chain.Rows.Entries)))
	for t := int64(0); ; t++ {
		term := between.size()
		for i, at := range ts {
			if t >= at && (t-at)%int64(m.Lag) == 0 {
				sums[i] += term
			}
		}
		before := terms[t%int64(m.Lag)]
		terms[t%int64(m.Lag)] = term
		if t > ts[len(ts)-1]+int64(m.Lag) && negligible(term, before, sums) || term < vanished {
			return sums, nil
		}
		if t >= limit || t%1024 == 0 && ctx.Err() != nil {
			for i := range sums {
				sums[i] = math.NaN()
			}
			return sums, ctx.Err()
		}
		between.move()
	}
}

// difference is that of two laws of one chain. It is moved as one vector, and what rounding puts along the target is taken off after each move, so
// that a small distance keeps its digits.
type difference struct {
	chain        *averages.Chain
	values, next []float64
}

// away returns the difference of a law from the target.
func away(chain *averages.Chain, law []float64) *difference {
	d := &difference{chain: chain, values: make([]float64, len(law)), next: make([]float64, len(law))}
	for x, p := range law {
		d.values[x] = p - chain.Target[x]
	}
	return d
}

// size returns the total variation distance of the two laws.
func (d *difference) size() (sum float64) {
	for _, v := range d.values {
		sum += math.Abs(v) / 2
	}
	return sum
}

// move moves both laws by one move of the chain.
func (d *difference) move() {
	clear(d.next)
	for x, mass := range d.values {
		for _, e := range d.chain.Rows.Row(x) {
			d.next[e.To] += mass * e.P
		}
	}
	total := 0.0
	for _, v := range d.next {
		total += v
	}
	for x := range d.next {
		d.next[x] -= total * d.chain.Target[x]
	}
	d.values, d.next = d.next, d.values
}

// vanished is the size below which a difference has no digits left.
const vanished = 1e-290

// negligible reports whether what is left of sums of terms that fall geometrically is rounding.
func negligible(term, before float64, sums []float64) bool {
	ratio := term / before
	least := math.Inf(1)
	for _, s := range sums {
		least = min(least, s)
	}
	return ratio < 1 && term*ratio/(1-ratio) < 1e-16*least
}

// maxPowers is the largest number of pairs of which powers are taken to find a time.
const maxPowers = 600

// ErrSlow says that a time takes too many moves to be found.
var ErrSlow = errors.New("the bound falls so slowly that its mixing time takes more moves than are made for it; take a target with fewer states")

// Time returns the least t with d_L(t) <= bound: +Inf where the chains may never meet. It moves the law of the pair while that is cheap, and takes
// powers of Q beyond that. It fails with ErrSlow where there are too many pairs for that.
func (m *Law) Time(ctx context.Context, bound float64) (float64, error) {
	if math.IsInf(m.boundAt0, 1) {
		return math.Inf(1), nil
	}
	law, most := m.sweep(), int64(maxSweep/5/float64(len(m.solved.pairs.to)+1))
	if len(law.a) <= maxPowers {
		most = min(most, 1<<12)
	}
	for t := int64(0); t <= most; t++ {
		if dot(law.a, m.tail) <= bound {
			return float64(t), nil
		}
		if t%1024 == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		law.move()
	}
	if len(law.a) > maxPowers {
		return math.NaN(), ErrSlow
	}
	return m.far(ctx, law.a, most+1, bound)
}

// far finds the time of a bound that is not met at t, where the law of the pair is a: tails of the bound after 1, 2, 4, ... further moves are
// Q^(2^i) (I - Q^L)^-1 1, and the time is put together from the largest on.
func (m *Law) far(ctx context.Context, a []float64, t int64, bound float64) (float64, error) {
	n := len(a)
	if dot(a, m.tail) <= bound {
		return float64(t), nil
	}
	powers := [][]float64{m.solved.pairs.dense()}
	for dot(a, apply(n, powers[len(powers)-1], m.tail)) > bound {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		if len(powers) > 60 {
			return math.Inf(1), nil
		}
		last := powers[len(powers)-1]
		powers = append(powers, product(n, last, last))
	}
	moved := 0.0
	for i := len(powers) - 1; i >= 0; i-- {
		further := pushed(n, a, powers[i])
		if dot(further, m.tail) > bound {
			a, moved = further, moved+math.Exp2(float64(i))
		}
	}
	return float64(t) + moved + 1, nil
}

// pushed returns a Q for a dense matrix.
func pushed(n int, a, q []float64) []float64 {
	out := make([]float64, n)
	for i, mass := range a {
		if mass > 0 {
			for j, w := range q[i*n : (i+1)*n] {
				out[j] += mass * w
			}
		}
	}
	return out
}

// Of returns the mean number of moves until chains at two states have met.
func (s *Solved) Of(x, y int) float64 {
	at := s.pairs.number[x*s.pairs.Chain.States()+y]
	if at < 0 {
		return 0
	}
	return s.V[at]
}
