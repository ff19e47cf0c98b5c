package climb

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"breadboard/chains"
	"breadboard/chains/frames"
	"breadboard/chains/number"
	"breadboard/chains/work"
	"breadboard/exact/internal/crew"
	"breadboard/exact/internal/operator"
	"breadboard/exact/internal/stage"
)

// With w(x) the mass at x over f(x), and T~ the time reversal of T for f, a move is
//
//	w'(y) = sum_x T~(y,x) w(x) = (T~ w)(y),
//
// the mean of w after a move of T~: no row is needed, and it takes as long as a move of a function.
// If f changes between stages, w is multiplied by the ratio of both.

const (
	// flattest is the range of log f, in nats, below which values of f may round to the same number
	// although those of log f differ.
	flattest = 1e-12
	// far is the range of log f, in nats, above which a mass may underflow in a stage although a
	// large one remains for the same time.
	far = 200
	// faint is the mass below which the underflow of a stage may matter.
	faint = 0x1p-960
	// widest is the largest range of log f, in nats, at which frames.Values hold f and 1/f.
	widest = 500
	// raise is the factor by which the masses of a rank are multiplied if they have become so small
	// that they might lose digits. It is the unit of number.Wide.
	raise = 0x1p512
)

// lifted moves the masses of climber as quotients by f, one array for each rank, by a kernel that
// is applied without rows.
type lifted struct {
	order      []int // the states of a rank above 0, those of the highest first
	above      []int // how many states have a rank above 0, 1, ...
	f, inverse []float64
	columns    []column
	kernel     operator.Operator   // is loaded with each distribution
	logf       []float64           // of the stage
	operators  []operator.Operator // one for each worker, all of the time reversal
	crew       *crew.Crew
	shared     bool    // whether all workers share each column, else each has columns of its own
	least      float64 // see rescaling
}

// column is the mass that has never been above a rank; the last one is all mass.
type column struct {
	w, next    []float64 // mass over f
	seen       number.BlockSum
	rescalings int  // how often it has been multiplied by raise
	lost       bool // whether the remaining mass may have lost digits
}

// applied returns the result, and nil if masses have to be moved by rows.
func applied(ctx context.Context, p *stage.Problem, rank []int32, ranks int, o Options) (*found, error) {
	a := p.Annealing
	logf := work.Slice[float64](a.States())
	span, moderate := spanOf(a, logf)
	if a.Kernel() == nil || !moderate {
		return nil, nil
	}
	op, err := operator.New(ctx, a.Kernel(), a.States())
	if op == nil || err != nil {
		return nil, err
	}
	least := 0.0
	if span > far {
		least = 1 / raise
	} else if len(operator.Sequence(op)) > 1 {
		least = faint
	}
	var m mover
	if sources := operator.SourcesOf(op); sources != nil && ranks+1 >= leastGrouped {
		m = newGrouped(sources, rank, ranks, o.Workers, least)
	} else {
		m = newLifted(op, rank, ranks, o.Workers, least)
	}
	defer m.dismiss()
	var values frames.Values
	for t := 1; t <= a.Distributions(); t++ {
		a.LogF(logf, t)
		if t > 1 {
			if err := p.Step(ctx); err != nil {
				return nil, err
			}
		}
		if !values.Begin(logf) {
			return nil, nil
		}
		m.load(&values)
		if t == 1 {
			m.setLaw(o.firstLaw())
		} else if m.applyMove() {
			return nil, nil
		}
	}
	p.Flush()
	return m.result(), nil
}

// mover moves the masses that have never been at a rank or above by a kernel that is applied
// without rows.
type mover interface {
	// load takes over the distribution of a stage, given what Values.Begin finds.
	load(v *frames.Values)
	// setLaw puts the distribution of x_1 in place: a given one, or that of f.
	setLaw(law []float64)
	// applyMove moves all masses, and reports whether the remaining masses may have lost digits.
	applyMove() (lost bool)
	// result returns the result at the end.
	result() *found
	dismiss()
}

// spanOf returns the range of log f of an annealing, and whether no distribution is zero somewhere,
// or spans more than a number can hold: this follows from the ends of the path.
func spanOf(a *chains.Annealing, logf []float64) (span float64, moderate bool) {
	for _, t := range []int{1, a.Distributions()} {
		a.LogF(logf, t)
		low, high := number.Bounds(logf)
		span = max(span, high-low)
	}
	return span, !a.Path().Zeros() && span <= widest && (span == 0 || span >= flattest)
}

// rescaling reports whether a remaining mass is to be rescaled, and whether it may have lost digits
// by underflow, given the least mass that has none lost. If no state is below the rank, no mass is
// left at any time.
func rescaling(left, least float64, below bool) (small, lost bool) {
	return left > 0 && left < 1/raise, below && left < least
}

func newLifted(op operator.Operator, rank []int32, ranks, workers int, least float64) *lifted {
	n := len(rank)
	l := newColumns(rank, ranks)
	l.least, l.kernel, l.operators = least, op, []operator.Operator{op.Reversal()}
	l.crew = crew.New(crew.Share(n, workers))
	l.shared = operator.ShareTerms(l.operators[0], l.crew)
	if l.shared {
		return l
	}
	l.crew.Dismiss()
	for range max(1, min(crew.Share(n*len(l.columns), workers), len(l.columns))) - 1 {
		l.operators = append(l.operators, l.operators[0].Twin())
	}
	l.crew = crew.New(len(l.operators))
	return l
}

// newColumns returns the columns alone, of which nothing moves the masses.
func newColumns(rank []int32, ranks int) *lifted {
	n := len(rank)
	l := &lifted{above: make([]int, ranks+1), columns: make([]column, ranks+1)}
	for x, r := range rank {
		if r > 0 {
			l.order = append(l.order, x)
		}
		for j := range int(r) {
			l.above[j]++
		}
	}
	slices.SortStableFunc(l.order, func(x, y int) int { return cmp.Compare(rank[y], rank[x]) })
	for j := range l.columns {
		l.columns[j].w, l.columns[j].next = work.Slice[float64](n), work.Slice[float64](n)
	}
	return l
}

func (l *lifted) dismiss() { l.crew.Dismiss() }

// partStates is the number of states of a part of a loop over all of them.
const partStates = 1 << 13

// inParts has the crew call do with all parts of the states, from first to end without the latter.
func (l *lifted) inParts(do func(first, end int)) {
	n := len(l.f)
	l.crew.Run((n+partStates-1)/partStates, func(i int) { do(i*partStates, min((i+1)*partStates, n)) })
}

// load implements mover. It loads the distribution under which the operator moves, and divides the
// masses by it instead of that of the stage before.
func (l *lifted) load(v *frames.Values) {
	begun := l.f != nil
	l.logf = v.LogF
	l.f = v.F
	l.inverse = v.Inverse
	l.inParts(func(first, end int) {
		var memory [partStates]float64
		ratio := memory[:end-first]
		copy(ratio, v.F[first:end])
		v.Part(first, end)
		if !begun {
			return
		}
		floats.Mul(ratio, v.Inverse[first:end])
		for i := range l.columns {
			floats.Mul(l.columns[i].w[first:end], ratio)
		}
	})
}

// setLaw implements mover.
func (l *lifted) setLaw(law []float64) {
	total := number.Total(l.f)
	for j := range l.columns {
		c := &l.columns[j]
		for x := range c.w {
			c.w[x] = 1 / total
			if law != nil {
				c.w[x] = law[x] * l.inverse[x]
			}
		}
		l.arrive(c, j)
	}
}

// applyMove implements mover. No term of a mass is negative.
func (l *lifted) applyMove() (lost bool) {
	l.kernel.Load(&operator.Distribution{F: l.f, Inverse: l.inverse, LogF: func() []float64 { return l.logf }})
	if l.shared {
		l.moveTogether()
	} else {
		l.crew.Run(len(l.operators), l.moveShare)
	}
	return slices.ContainsFunc(l.columns, func(c column) bool { return c.lost })
}

// moveShare has worker i move its columns.
func (l *lifted) moveShare(i int) {
	for j := i; j < len(l.columns); j += len(l.operators) {
		c := &l.columns[j]
		l.operators[i].AverageTerms(c.next, c.w)
		c.w, c.next = c.next, c.w
		l.arrive(c, j)
	}
}

// moveTogether has all workers move all columns.
func (l *lifted) moveTogether() {
	var from, to [][]float64
	for _, c := range l.columns {
		from, to = append(from, c.w), append(to, c.next)
	}
	operator.TermsOf(l.operators[0], to, from)
	l.crew.Run(len(l.columns), func(j int) {
		c := &l.columns[j]
		c.w, c.next = c.next, c.w
		l.arrive(c, j)
	})
}

// arrive removes and sums the mass at ranks above j, and rescales the remaining mass if it has
// become small.
func (l *lifted) arrive(c *column, j int) {
	for _, x := range l.order[:l.above[j]] {
		if w := c.w[x]; w != 0 {
			c.seen.Add(number.Wide{M: w * l.f[x], E: -c.rescalings}.Float())
			c.w[x] = 0
		}
	}
	rescale, lost := rescaling(floats.Dot(c.w, l.f), l.least, l.above[j] < len(c.w))
	c.lost = lost
	if rescale {
		floats.Scale(raise, c.w)
		c.rescalings++
	}
}

// result implements mover.
func (l *lifted) result() *found {
	ranks := len(l.columns) - 1
	last := l.columns[ranks].w
	out := newFound(ranks, func(x int) number.Wide { return number.Scaled(last[x]*l.f[x], 0) })
	for j := range ranks {
		c := &l.columns[j]
		var left number.BlockSum
		for x, w := range c.w {
			left.Add(w * l.f[x])
		}
		out.seen[j], out.left[j] = number.Scaled(c.seen.Value(), 0),
			number.Scaled(left.Value(), -c.rescalings)
	}
	return out
}

// firstLaw returns the distribution of x_1, and nil if it is p_1.
func (o *Options) firstLaw() []float64 {
	if o.LogStart == nil {
		return nil
	}
	p := make([]float64, len(o.LogStart))
	for x, v := range o.LogStart {
		p[x] = math.Exp(v)
	}
	return p
}
