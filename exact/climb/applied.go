package climb

import (
	"cmp"
	"context"

	"gonum.org/v1/gonum/floats"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/sorts"
	"breadboard/exact/internal/crew"
	"breadboard/exact/internal/operator"
	"breadboard/exact/internal/stage"
)

const (
	// widest is the range of log f, in nats, within which f, 1/f and what is carried stay inside float64.
	widest = 600
	// mostLost is about the relative error that applying a kernel may leave in a probability. Where a move takes all but a part of the mass that was never at
	// a rank, what is left has lost as many digits as that part is small.
	mostLost = 1e-12
	rounding = 0x1p-52
)

// lifted moves what climber does as quotients by f, one array a rank, by a kernel that is applied without rows.
type lifted struct {
	order      []int // the states, those of the highest rank first
	above      []int // how many states have a rank above 0, 1, ...
	f, inverse []float64
	ratio      []float64 // f of the stage before over f
	columns    []column
	kernel     operator.Operator   // is loaded with each distribution
	logf       []float64           // of the stage
	operators  []operator.Operator // one for each worker, all of the time reversal
	crew       *crew.Crew
}

// column is what has never been at a rank or above, or for the last one all.
type column struct {
	w, next []float64 // mass over f
	seen    number.BlockSum
	left    float64 // about the mass, as it is raised
	raised  raised
	lost    float64 // about its relative error
}

// applied returns the law, and nil where masses have to be moved by rows.
func applied(ctx context.Context, p *stage.Problem, rank []int32, ranks int, o Options) (*Law, error) {
	a := p.Annealing
	logf := make([]float64, a.States())
	if a.Kernel() == nil || !moderate(a, logf) {
		return nil, nil
	}
	op, err := operator.New(ctx, a.Kernel(), a.States())
	if op == nil || err != nil {
		return nil, err
	}
	var m mover
	if sources := operator.SourcesOf(op); sources != nil && ranks+1 >= leastGrouped {
		m = newGrouped(sources, rank, ranks, o.Workers)
	} else {
		m = newLifted(op, rank, ranks, o.Workers)
	}
	defer m.dismiss()
	var values chains.Values
	for t := 1; t <= a.Distributions(); t++ {
		if a.LogF(logf, t); t > 1 {
			if err := p.Step(ctx); err != nil {
				return nil, err
			}
		}
		if values.Load(logf); values.F == nil {
			return nil, nil
		}
		if m.load(&values, logf); t == 1 {
			m.begin(o.Start)
		} else if m.move() > mostLost {
			return nil, nil
		}
	}
	p.Flush()
	return m.found(), nil
}

// mover moves what climber does by a kernel that is applied without rows.
type mover interface {
	// load takes over the distribution of a stage.
	load(v *chains.Values, logf []float64)
	// begin puts the law of x_1 in place: a given one, or that of f.
	begin(law []float64)
	// move moves all masses, and returns about the largest relative error of what is left.
	move() float64
	// found returns what has been found at the end.
	found() *Law
	dismiss()
}

// moderate reports whether no distribution of an annealing is zero somewhere, or spans more than a number can hold: a path is between its ends, and
// Values holds the distributions on the way to it too.
func moderate(a *chains.Annealing, logf []float64) bool {
	if a.Path().Zeros() {
		return false
	}
	for _, t := range []int{1, a.Distributions()} {
		a.LogF(logf, t)
		if low, high := number.Bounds(logf); !(high-low <= widest) {
			return false
		}
	}
	return true
}

func newLifted(op operator.Operator, rank []int32, ranks, workers int) *lifted {
	n := len(rank)
	l := &lifted{order: make([]int, n), above: make([]int, ranks+1), f: make([]float64, n), ratio: make([]float64, n), columns: make([]column, ranks+1), kernel: op}
	for x, r := range rank {
		l.order[x] = x
		for j := range int(r) {
			l.above[j]++
		}
	}
	sorts.Stable(l.order, func(x, y int) int { return cmp.Compare(rank[y], rank[x]) })
	for j := range l.columns {
		l.columns[j].w, l.columns[j].next = make([]float64, n), make([]float64, n)
	}
	l.operators = []operator.Operator{op.Reversal()}
	for range max(1, min(crew.Share(n*len(l.columns), workers), len(l.columns))) - 1 {
		l.operators = append(l.operators, l.operators[0].Twin())
	}
	l.crew = crew.New(len(l.operators))
	return l
}

func (l *lifted) dismiss() { l.crew.Dismiss() }

// load implements mover. The operator takes over a distribution where it is to move.
func (l *lifted) load(v *chains.Values, logf []float64) {
	l.logf = logf
	for x, inverse := range v.Inverse {
		l.ratio[x] = l.f[x] * inverse
	}
	copy(l.f, v.F)
	l.inverse = v.Inverse
}

// begin implements mover.
func (l *lifted) begin(law []float64) {
	total := number.Total(l.f)
	for j := range l.columns {
		c := &l.columns[j]
		for x := range c.w {
			if c.w[x] = 1 / total; law != nil {
				c.w[x] = law[x] * l.inverse[x]
			}
		}
		l.arrive(c, j)
	}
}

// move implements mover.
func (l *lifted) move() (worst float64) {
	l.kernel.Load(&operator.Distribution{F: l.f, Inverse: l.inverse, LogF: func() []float64 { return l.logf }})
	l.crew.Run(len(l.operators), l.moveShare)
	for j := range l.columns {
		worst = max(worst, l.columns[j].lost)
	}
	return worst
}

// moveShare has worker i move its columns.
func (l *lifted) moveShare(i int) {
	for j := i; j < len(l.columns); j += len(l.operators) {
		c := &l.columns[j]
		floats.Mul(c.w, l.ratio)
		l.operators[i].Average(c.next, c.w)
		c.w, c.next = c.next, c.w
		before := c.left
		if l.arrive(c, j); c.left > 0 {
			c.lost += rounding * before / c.left
		}
		c.raise()
	}
}

// arrive takes off the mass at ranks above j, which is added up, and adds up what is left.
func (l *lifted) arrive(c *column, j int) {
	for _, x := range l.order[:l.above[j]] {
		if w := c.w[x]; w != 0 {
			c.seen.Add(c.raised.lower(w * l.f[x]))
			c.w[x] = 0
		}
	}
	c.left = floats.Dot(c.w, l.f)
}

// raise raises what is left of a column where it has become small.
func (c *column) raise() {
	if c.raised.due(c.left) {
		c.left *= raise
		floats.Scale(raise, c.w)
	}
}

// found implements mover.
func (l *lifted) found() *Law {
	ranks := len(l.columns) - 1
	out := newLaw(ranks, len(l.f))
	for j := range ranks {
		c := &l.columns[j]
		var left number.BlockSum
		for x, w := range c.w {
			left.Add(w * l.f[x])
		}
		out.set(j, c.seen, left, c.raised)
	}
	for x, w := range l.columns[ranks].w {
		out.Last[x] = w * l.f[x]
	}
	return out
}
