package averages

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/exact/internal/linear"
)

// The two times are the least k with I_k <= bound, or D_k <= bound:
//
//	I_k = sum_x p(x) KL(T^k(x,.) || p),    D_k = 1/2 sum_y |(q T^k)(y) - p(y)|.
//
// Neither grows with k. So k is doubled until it is enough, and its binary digits are then found
// from the highest on, with the powers T^(2^j) that the doubling has made: O(states^3 log k). A
// short time is found move by move (march, push).
//
// Source: Turner and Neal 2017, section 4.4.

// Time is the number of moves in which a chain forgets its start.
type Time struct {
	// Moves is the least number of moves, a whole number. It is +Inf if no number is enough, and
	// NaN if it could not be determined; Note gives the reason.
	Moves float64
	// Error is about the rounding error, in moves. If it is well below a half all digits are right.
	Error float64
	Note  string // a remark about Moves; may be empty
}

const (
	// maxPowerStates is the largest number of states for which powers of the full transition matrix
	// are made.
	maxPowerStates = 1024
	// maxSquaresBytes is the most memory that the squares of a transition matrix take, two
	// gigabytes.
	maxSquaresBytes = 2 << 30
	// maxDoublings is the largest number of times that a number of moves is doubled.
	maxDoublings = 1000
)

// MixingTime returns the least k with I(x_k; x_0) <= bound nats, where x_0 has the distribution of
// the target and x_k is k moves later. The mutual information is sum_x p(x) KL(T^k(x,.) || p) and
// never grows with k. It fails for a bound that is not positive and for more states than
// MaxPowerStates. Time is O(states^3 log k), and memory O(states^2 log k).
//
// Source: Turner and Neal 2017, section 4.4.
func (c *Chain) MixingTime(ctx context.Context, bound float64) (Time, error) {
	squares, err := c.squares("the mixing time")
	if err != nil {
		return Time{}, err
	}
	if !(bound > 0) {
		return Time{}, errs.New("the bound of the mutual information is %v nats; give one above zero", bound)
	}
	limit, err := c.remembered(ctx)
	if err != nil {
		return Time{}, err
	}
	// sum p q |log q/p| is at most this, with Pinsker's inequality
	noise := func(v float64) float64 { return v + math.Sqrt(2*v) }
	s := search{chain: c, what: "the mutual information", bound: bound, noise: noise, never: limit.String()}
	if limit.information() <= bound {
		if t, found, err := s.march(ctx, squares.identity()); found || err != nil {
			return t, err
		}
	}
	return s.double(ctx, squares, &transitions{c, limit.information(), squares.identity(), squares.identity()})
}

// BurnIn returns the least k for which the total variation distance between the target and the
// distribution after k moves from a start is at most the bound, 0 < bound < 1. The distance never
// grows with k. BurnIn moves the distribution while that is cheap, and then takes powers of the
// transition matrix, in O(states^3 log k) time and O(states^2 log k) memory. For more states than
// MaxPowerStates it fails if the moves would take longer than some minutes.
//
// Source: Turner and Neal 2017, section 4.4.
func (c *Chain) BurnIn(ctx context.Context, start []float64, bound float64) (Time, error) {
	if err := c.CheckLaw(start); err != nil {
		return Time{}, fmt.Errorf("start: %w", err)
	}
	if !(bound > 0 && bound < 1) {
		return Time{}, errs.New("the bound of the total variation distance is %v; give one between 0 and 1", bound)
	}
	limit, err := c.remembered(ctx)
	if err != nil {
		return Time{}, err
	}
	noise := func(v float64) float64 { return v + 0.5 } // half of sum q
	s := search{chain: c, what: "the distance", bound: bound, noise: noise, never: limit.String()}
	if low := limit.distance(start); low > bound {
		return s.neverTime(low), nil
	}
	t, found, err := s.pushToTime(ctx, start)
	if found || err != nil {
		return t, err
	}
	squares, err := c.squares("the burn-in")
	if err != nil {
		return Time{}, err
	}
	return s.double(ctx, squares, &startLaw{c, limit, start, slices.Clone(start), make([]float64, len(start))})
}

// MI returns the mutual information of x_0 and x_k, in nats, for each number of moves k (see
// MixingTime). It fails for more states than MaxPowerStates. A power of two needs only the squares
// of the transition matrix; another k takes a product for each of its binary digits.
func (c *Chain) MI(ctx context.Context, ks []int64) ([]float64, error) {
	squares, err := c.squares("the mutual information")
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(ks))
	for i, k := range ks {
		at, err := squares.power(ctx, k)
		if err != nil {
			return nil, err
		}
		out[i] = c.information(at)
	}
	return out, nil
}

// TV returns the total variation distance between the target and the distribution after k moves
// from a start, for each number of moves k (see BurnIn). For more states than MaxPowerStates it
// fails if the moves would take longer than some minutes.
func (c *Chain) TV(ctx context.Context, start []float64, ks []int64) ([]float64, error) {
	if err := c.CheckLaw(start); err != nil {
		return nil, fmt.Errorf("start: %w", err)
	}
	out := make([]float64, len(ks))
	order := make([]int, len(ks))
	for i, k := range ks {
		order[i] = i
		if k < 0 {
			return nil, errs.New("%d moves; give a number from 0 on", k)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(ks[a], ks[b]) })
	if len(ks) == 0 || float64(ks[order[len(order)-1]]) <= c.mostPushed() {
		return out, c.pushAlong(ctx, start, ks, order, out)
	}
	squares, err := c.squares("the distance after many moves")
	if err != nil {
		return nil, err
	}
	for i, k := range ks {
		at, err := squares.lawAfter(ctx, start, k)
		if err != nil {
			return nil, err
		}
		out[i] = c.distance(at)
	}
	return out, nil
}

// pushAlong writes the distances after each number of moves in ks into out, given the order of the
// ks.
func (c *Chain) pushAlong(ctx context.Context, law []float64, ks []int64, order []int, out []float64) error {
	made := int64(0)
	for _, i := range order {
		var err error
		law, err = c.After(ctx, law, int(ks[i]-made))
		if err != nil {
			return err
		}
		made, out[i] = ks[i], c.distance(law)
	}
	return nil
}

// search finds the least number of moves after which a value that never grows is at most a bound.
type search struct {
	chain *Chain
	what  string // the value
	bound float64
	// the error of a value v, in units of the relative error of all probabilities
	noise func(v float64) float64
	never string // the reason if the value stays above the bound, for a note
}

// double returns the least number of moves. It doubles the moves until they are enough, and then
// finds the binary digits of the largest number that is not enough, from the highest on. It fails
// if the context ends.
func (s *search) double(ctx context.Context, squares *squares, f forgetting) (Time, error) {
	// the values after the most moves that are known to be too few, and the fewest that are enough
	above, below := f.start(), 0.0
	if above <= s.bound {
		return Time{}, nil
	}
	j := 0
	for ; ; j++ {
		square, err := squares.squaredMatrix(ctx, j)
		if err != nil {
			return Time{}, err
		}
		if square == nil {
			return Time{Moves: math.NaN(), Note: fmt.Sprintf(
				"%s is still %.3g after %.3g moves, the largest number that is tried",
				s.what,
				above,
				math.Ldexp(1, j-1),
			)}, nil
		}
		v, limit := f.after(square)
		if v <= s.bound {
			below = v
			break
		}
		if limit > s.bound {
			return s.neverTime(limit), nil
		}
		if j > 0 && unchanged(squares.kept[j-1], square) {
			return s.settledTime(v, limit+f.outside(), linear.PowerRounding(square.N, j)), nil
		}
		above = v
	}
	if j == 0 {
		return s.foundTime(1, above, below, above-below, linear.PowerRounding(squares.kept[0].N, 0)), nil
	}
	f.setSquare(squares.kept[j-1])
	moves := math.Ldexp(1, j-1)
	decline := (above - below) / moves // how much the value falls in a move
	for i := j - 2; i >= 0; i-- {
		v, err := f.further(ctx, squares.kept[i])
		if err != nil {
			return Time{}, err
		}
		if v > s.bound {
			f.accept()
			moves += math.Ldexp(1, i)
			above = v
		} else {
			below = v
		}
		if i >= j-coarse {
			decline = (above - below) / math.Ldexp(1, i)
		}
	}
	return s.foundTime(moves+1, above, below, decline, linear.PowerRounding(squares.kept[0].N, 2*j)), nil
}

// march returns the least number of moves until the mutual information is at most the bound, by
// single moves. A move takes as many products for each state as the matrix has entries, an eighth
// of a squaring or less on a lattice. The logarithm of the information falls ever more slowly, more
// or less, so that two earlier values give a safe number of moves to make next. If that was too
// many, the earlier matrix is still there. It gives up if powers would take less time, and fails if
// the context ends.
func (s *search) march(ctx context.Context, at *linear.Stochastic) (t Time, found bool, err error) {
	c := s.chain
	low := 0
	above := s.chain.information(at)
	if above <= s.bound {
		return Time{}, true, nil
	}
	next := at.Empty()
	l := newLanes8(at.N)
	most := marchProducts * at.N * at.N / c.factored().Size()
	// the fewest moves that are enough, once some are known
	high := 0
	below := 0.0
	for step := 1; ; {
		if high == 0 && low+step > most {
			return Time{}, false, nil
		}
		if err := l.further(ctx, c, next, at, step); err != nil {
			return Time{}, false, err
		}
		v := c.information(next)
		rate := number.Log(above/v) / float64(step)
		if v <= s.bound {
			high = low + step
			below = v
		} else {
			low += step
			above = v
			at, next = next, at
		}
		if high == low+1 {
			return s.foundTime(
				float64(high),
				above,
				below,
				above-below,
				linear.PowerRounding(c.longest(), high),
			), true, nil
		}
		if high == 0 {
			step = min(4*(low+1), moves(above, s.bound, rate))
			continue
		}
		step = moves(above, s.bound, number.Log(above/below)/float64(high-low))
		// the first fall does not predict the next
		step = max(1, min(max(step, (high-low)/4), 3*(high-low)/4))
	}
}

// moves returns in how many moves a value falls to a bound at a rate, which may be anything.
func moves(above, bound, rate float64) int {
	if all := number.Log(above/bound) / rate; all < math.MaxInt32 {
		return max(1, int(all))
	}
	return math.MaxInt32
}

// marchProducts bounds the work of a march, in products of matrices.
const marchProducts = 8

// further multiplies a power of the transition matrix by the given number of moves and writes it to
// dst, eight columns at a time.
func (l *lanes8) further(ctx context.Context, c *Chain, dst, from *linear.Stochastic, moves int) error {
	n := from.N
	for low := 0; low < n; low += 8 {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		some := min(8, n-low)
		for x := range n {
			l.at[x] = [8]float64{}
			copy(l.at[x][:some], from.Row(x)[low:])
		}
		for range moves {
			l.applyRows(l.multiplyFactors(c))
		}
		for x := range n {
			copy(dst.Row(x)[low:low+some], l.at[x][:])
		}
	}
	dst.Complete()
	return nil
}

// coarse is the number of leading binary digits of the number of moves that set the interval for
// the decline of the value. Over a single one of very many moves the value would change by less
// than rounding.
const coarse = 6

// pushToTime returns the least number of moves from a start, by pushing the distribution from move
// to move, if that is cheap. If powers of the transition matrix cannot be made, it fails as soon as
// it estimates too many moves. It fails if the context ends.
func (s *search) pushToTime(ctx context.Context, start []float64) (t Time, found bool, err error) {
	c := s.chain
	squared := c.States() <= maxPowerStates
	most := c.mostPushed()
	at := append([]float64(nil), start...)
	next := make([]float64, len(start))
	v := c.distance(at)
	before := 0.0
	// the distance after about half as many moves
	marked := v
	mark := 0
	for k := 0; v > s.bound; k++ {
		if float64(k) >= most && squared {
			return Time{}, false, nil
		}
		if k >= max(firstEstimate, 2*mark) && !squared {
			if all := float64(k) +
				float64(k-mark)*number.Log(v/s.bound)/number.Log(marked/v); !(all <= most) {
				return Time{}, false,
					errs.New("burn-in on %d states takes about %.2g moves, and distributions on so many states "+
						"are pushed through %.2g at most; take a smaller target, a start nearer to "+
						"it, or a kernel that moves farther",
						c.States(), all, most)
			}
			marked = v
			mark = k
		}
		if k*c.factored().Size()%linear.ProductBlock < c.factored().Size() && ctx.Err() != nil {
			return Time{}, false, ctx.Err()
		}
		c.factored().Push(next, at)
		at, next = next, at
		if k%centring == centring-1 {
			c.keepTotal(at, 1, centring)
		}
		before, v = v, c.distance(at)
		t.Moves++
	}
	if t.Moves == 0 {
		return t, true, nil
	}
	return s.foundTime(t.Moves, before, v, before-v, pushRounding*math.Sqrt(t.Moves)), true, nil
}

const (
	// maxPushed is the largest number of row entries that a distribution is pushed through, some
	// minutes' work.
	maxPushed = 1e11
	// firstEstimate is the number of moves after which the remaining moves are first estimated.
	firstEstimate = 1 << 10
	// pushRounding is about the relative error of a distribution that one move adds. The errors of
	// many moves partly cancel.
	pushRounding = 4 * unit
)

// mostPushed returns the largest number of moves that a distribution is pushed. If powers of the
// transition matrix can be made, pushing ends when a squaring would cost less.
func (c *Chain) mostPushed() float64 {
	n := float64(c.States())
	entries := float64(c.factored().Size())
	if n > maxPowerStates {
		return maxPushed / entries
	}
	return n * n * n / entries
}

// neverTime returns an infinite time, whose note has the limit above the bound that the value never
// falls below.
func (s *search) neverTime(limit float64) Time {
	return Time{
		Moves: math.Inf(1),
		Note:  fmt.Sprintf("%s stays at %.3g or more, because %s", s.what, limit, s.never),
	}
}

// settledTime returns the time if the powers of the transition matrix have settled with the value
// above the bound. It is given a lower bound on the value that holds as long as no mass comes from
// states where the target is zero, and about the relative error of powers. If the value would fall
// further, the note gives the reason why that is not visible.
func (s *search) settledTime(v, least, inPowers float64) Time {
	switch {
	case v-s.bound <= (inPowers+s.chain.givenRounding())*s.noise(v):
		return Time{Moves: math.NaN(), Note: fmt.Sprintf(
			"%s tends to about %.3g, and rounding hides whether it reaches %v",
			s.what,
			v,
			s.bound,
		)}
	case least > s.bound:
		return Time{Moves: math.Inf(1), Note: fmt.Sprintf("%s stays at %.3g", s.what, v)}
	}
	return Time{Moves: math.NaN(),
		Note: fmt.Sprintf("%s stays at %.3g as far as floating point can tell: the chain continues by moves of a "+
			"probability below %.1g, so that more than 1e300 moves are needed",
			s.what, v, math.SmallestNonzeroFloat64)}
}

// givenRounding returns about the relative error of the probabilities in the rows and the target,
// which are made from log f. The few roundings of given count twice, in the rows and in the target.
func (c *Chain) givenRounding() float64 { return unit * (fewRoundings + c.roundingsOf()) }

// foundTime returns the least number of moves, given the values at one less and at itself, the
// decline of the value in a move, and about the relative error of the probabilities after that many
// moves.
func (s *search) foundTime(moves, above, below, decline, inPowers float64) Time {
	rounding := inPowers + s.chain.givenRounding()
	// A common relative error of all probabilities to move changes the speed of the chain by the
	// same factor; the rest is in the probabilities after the moves.
	off := rounding * (s.noise(s.bound) + decline*moves)
	t := Time{Moves: moves, Error: off / decline}
	switch {
	case above-s.bound > off && s.bound-below > off:
	case t.Error < 1:
		t.Note = fmt.Sprintf("%s comes so near to %v that rounding may have changed the moves by one", s.what, s.bound)
	default:
		t.Note = fmt.Sprintf("rounding may have changed the moves by about %.2g; some %.0f digits are right", t.Error,
			max(0, math.Floor(number.Log10(moves/t.Error))))
	}
	return t
}
