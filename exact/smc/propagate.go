package smc

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/particle"
	"breadboard/exact"
	"breadboard/exact/internal/crew"
	"breadboard/exact/internal/stage"
)

// widest is the largest range of log p at a stage, in nats, for which distributions of particles
// are propagated: masses are plain numbers, and those of two particles in the least likely state
// are to be more than the least of them.
const widest = 300

// leastOutput is the probability of an output below which terms may be missing that were too small
// for a plain number.
const leastOutput = 1e-250

// propagation holds the data of a distribution that is propagated through the stages.
type propagation struct {
	stage    *stage.Stage
	engine   engine
	weighing weighing
	moves    transition
	crew     *crew.Crew
	forward  number.Sum
	extinct  number.Sum
	// E[w; x] of a chain, relative to Z: the required mean of every estimate of Z at each output
	chain     []float64
	scratch   []float64
	reachable []bool // the states in which a chain of positive weight can be
	doomed    []bool // the states from which meta-inference can draw a path that no run has
	anyDoomed bool
}

// outOfRange is the error of a distribution whose numbers leave the range of float64.
type outOfRange struct{ why string }

func (e outOfRange) Error() string { return e.why }

// propagate returns the distribution computed by an engine. It fails with outOfRange if its numbers
// leave the range of float64.
//
// A column is E[g(Zhat/Z); x_1, ..., x_P] for g(z) = 1, z, z log z and z^2. With w the mean weight
// of the particles at a stage
//
//	the columns become v_1, w v_z, w (v_zlogz + log(w) v_z), w^2 v_zz,
//
// and then the particles are resampled and moved as the engine has them, in the same way for all
// columns. J and B follow from the columns of the outputs.
func propagate(ctx context.Context, a *chains.Annealing, s Setting, e engine, o Options) (*Law, error) {
	p := stage.NewProblem(a, o.Progress)
	p.Pulse = 1 // a stage may take seconds
	g := &propagation{stage: stage.NewStage(p.Annealing), engine: e, crew: crew.New(o.Workers)}
	defer g.crew.Dismiss()
	first := g.stage.Here.LogZ
	columns := maxColumns
	if _, multinomial := s.Scheme.(particle.Multinomial); multinomial {
		columns-- // the relative variance has a recursion of its own, which keeps more digits
	}
	g.drawFirst(columns)
	for t := 2; t <= a.Distributions(); t++ {
		if err := p.Load(ctx, g.stage, t); err != nil {
			return nil, err
		}
		if wide(&g.stage.Here) || wide(&g.stage.Before) {
			return nil, outOfRange{fmt.Sprintf(
				"log f spans more than %d nats at t = %d, which is too much for the distribution of several particles",
				widest,
				t,
			)}
		}
		g.step(ctx)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	p.Flush()
	l := &Law{Method: e.method(), LogZRatio: g.stage.Here.LogZ - first + p.Offset}
	if x := g.lost(); x >= 0 {
		return nil, outOfRange{
			fmt.Sprintf("output %d is so unlikely that its probability has lost digits", x)}
	}
	g.writeLaw(l, a)
	if columns <= square {
		var err error
		l.RelativeVariance, err = relativeVariance(ctx, a, s.Particles, o)
		if err != nil {
			return nil, err
		}
	}
	return l, nil
}

// wide reports whether the logarithm of a distribution spans more than distributions of particles
// hold.
func wide(d *stage.Density) bool {
	low, high := number.Bounds(d.Log)
	return high-low > widest
}

// drawFirst makes the distribution at t = 1.
func (g *propagation) drawFirst(columns int) {
	s := g.stage
	n := len(s.Here.P)
	g.engine.drawFirst(s.Here.P, columns)
	g.chain = slices.Clone(s.Here.P)
	g.scratch = make([]float64, n)
	g.reachable = make([]bool, n)
	g.doomed = make([]bool, n)
	for x := range n {
		g.reachable[x] = s.Here.On(x)
	}
}

// step takes the distribution through the stage that is loaded.
func (g *propagation) step(ctx context.Context) {
	s := g.stage
	g.weighing.takeWeights(s)
	c := account{ended: ctx.Err}
	g.engine.resample(&g.weighing, &c)
	g.forward.Add(c.mean.Value())
	g.extinct.Add(c.extinct.Value())
	for x, w := range g.weighing.w {
		g.chain[x] *= w
		g.reachable[x] = g.reachable[x] && s.Both(x)
		gained := s.Here.On(x) && !s.Before.On(x)
		g.doomed[x] = gained || g.doomed[x] && s.Here.On(x)
		g.anyDoomed = g.anyDoomed || gained
	}
	for m := range s.Along(chains.Forward) {
		g.moves.setMatrix(m.Forward)
		g.engine.moveParticles(ctx, &g.moves, g.crew.Run)
		g.moves.push(g.scratch, g.chain)
		g.chain, g.scratch = g.scratch, g.chain
		g.reach()
	}
	if g.anyDoomed {
		s.Spread(g.doomed)
	}
}

// reach moves the states that can be reached.
func (g *propagation) reach() {
	next := make([]bool, len(g.reachable))
	for y := range next {
		for _, x := range g.moves.from[g.moves.start[y]:g.moves.start[y+1]] {
			next[y] = next[y] || g.reachable[x]
		}
	}
	g.reachable = next
}

// lost returns an output whose probability in runs underflows, and -1 if there is none.
func (g *propagation) lost() int {
	for x, q := range g.engine.outputs()[run] {
		if g.reachable[x] && !(q > leastOutput) {
			return x
		}
	}
	return -1
}

// writeLaw writes the distribution.
func (g *propagation) writeLaw(l *Law, a *chains.Annealing) {
	s := g.stage
	columns := g.engine.outputs()
	q := columns[run]
	l.Extinct = max(0, g.extinct.Value())
	l.LogRatio = nans(len(q))
	deviation := make([]float64, len(q))
	var mass, mean, slope, squares number.Sum
	worst := 0
	for x, v := range q {
		mass.Add(v)
		mean.Add(columns[meta][x])
		slope.Add(columns[derivative][x])
		if len(columns) > square {
			squares.Add(columns[square][x])
		}
		if math.Abs(columns[meta][x]-g.chain[x]) > math.Abs(columns[meta][worst]-g.chain[worst]) {
			worst = x
		}
		if s.Here.On(x) {
			p := s.Here.P[x]
			deviation[x] = (v - p) / p
			l.LogRatio[x] = logMean(v/p, deviation[x])
		}
	}
	l.diverge(l.LogRatio, deviation, s.Here.Log)
	l.MeanLogZForward = l.LogZRatio + g.forward.Value()
	l.MeanLogZConditional = l.LogZRatio + slope.Value()
	l.B = slope.Value() - g.forward.Value()
	l.round(rounding(a))
	if len(columns) > square {
		l.ErrorVariance = 4 * l.ErrorMean
		l.RelativeVariance = squares.Value()/(mean.Value()*mean.Value()) - 1
	}
	g.infinities(l)
	tolerance := 4 * exact.IdentityTolerance(a.Distributions())
	expected := number.Sum{}
	for _, v := range g.chain {
		expected.Add(v)
	}
	l.Identities = []exact.Identity{
		exact.NewIdentity("total mass", mass.Value()+l.Extinct, 1, tolerance),
		exact.NewIdentity("E Zhat = Z", mean.Value(), expected.Value(), tolerance),
		exact.NewIdentity(fmt.Sprintf("E[Zhat; x] = Z p(x), worst at output %d", worst), columns[meta][worst],
			g.chain[worst], tolerance),
	}
	if !g.anyDoomed {
		l.Identities = append(l.Identities, exact.NewIdentity("E[Zhat; x] = Z p(x), p by its formula",
			columns[meta][worst], s.Here.P[worst], tolerance))
	}
}

// infinities sets the means that are infinite, with a note on the reason.
func (g *propagation) infinities(l *Law) {
	if l.Extinct > 0 {
		l.MeanLogZForward = math.Inf(-1)
		l.B = math.Inf(1)
		l.noteExtinct("all particles are where a later distribution is zero")
	}
	lost := 0
	mass := 0.0
	for x, d := range g.doomed {
		if d && g.stage.Here.On(x) {
			lost++
			mass += g.stage.Here.P[x]
		}
	}
	if lost > 0 {
		l.MeanLogZConditional = math.Inf(1)
		l.B = math.Inf(1)
		l.note("the mean of log Zhat is +Inf in meta-inference, and B too: the reverse path of %d outputs, "+
			"with mass %.6g under the target, may come to states where an earlier distribution is zero",
			lost, mass)
	}
}

// transition is a transition matrix by destination: which states lead to each state, and how
// likely.
type transition struct {
	start []int32
	from  []int32
	p     []float64
	next  []int32 // memory: where the next entry of a destination goes
}

// setMatrix sets the matrix of a move. Entries that are too small for its rows are given by their
// logarithms.
func (c *transition) setMatrix(o stage.Matrix) {
	n := o.States()
	c.start = append(c.start[:0], make([]int32, n+1)...)
	each := func(do func(from, to int, p float64)) {
		for x := range n {
			for _, e := range o.Row(x) {
				if e.P > 0 {
					do(x, e.To, e.P)
				}
			}
		}
		for _, e := range o.Tiny {
			do(e.From, e.To, math.Exp(e.LogP))
		}
	}
	entries := 0
	each(func(_, to int, _ float64) {
		c.start[to+1]++
		entries++
	})
	for y := range n {
		c.start[y+1] += c.start[y]
	}
	c.next = append(c.next[:0], c.start[:n]...)
	if cap(c.from) < entries {
		c.from = make([]int32, entries)
		c.p = make([]float64, entries)
	}
	c.from = c.from[:entries]
	c.p = c.p[:entries]
	each(func(from, to int, p float64) {
		i := c.next[to]
		c.from[i], c.p[i] = int32(from), p
		c.next[to]++
	})
}

// states returns the number of states.
func (c *transition) states() int { return len(c.start) - 1 }

// push writes the distribution after a transition to dst.
func (c *transition) push(dst, law []float64) {
	for y := range dst {
		dst[y] = c.arriving(y, law)
	}
}

// arriving returns what arrives at a state.
func (c *transition) arriving(y int, law []float64) (total float64) {
	first := c.start[y]
	end := c.start[y+1]
	p := c.p[first:end]
	for i, x := range c.from[first:end] {
		total += p[i] * law[x]
	}
	return total
}

// moveRows moves the first index of a matrix that has a row of some width for each state: row y of
// dst is the sum of the rows x of m, times the probability to go from x to y. Of a
// symmetric matrix what stands before the diagonal is left out.
func (c *transition) moveRows(ctx context.Context, dst, m []float64, width int, symmetric bool) {
	for y := range c.states() {
		if ctx.Err() != nil {
			return
		}
		low := 0
		if symmetric {
			low = y
		}
		row := dst[y*width+low : (y+1)*width]
		clear(row)
		for i := c.start[y]; i < c.start[y+1]; i++ {
			x := int(c.from[i])
			floats.AddScaled(row, c.p[i], m[x*width+low:(x+1)*width])
		}
	}
}

// both moves both indices of a symmetric matrix. It takes two operations for each entry of the
// transition matrix and each state, less a quarter for the symmetry. scratch is memory of the same
// length.
func (c *transition) both(ctx context.Context, m, scratch []float64) {
	n := c.states()
	c.moveRows(ctx, scratch, m, n, false)
	if ctx.Err() != nil {
		return
	}
	transpose(scratch, n)
	c.moveRows(ctx, m, scratch, n, true)
	mirror(m, n)
}

// transpose transposes a square matrix, by tiles that stay in the cache.
func transpose(m []float64, n int) {
	const tile = 32
	for r := 0; r < n; r += tile {
		for c := r; c < n; c += tile {
			for x := r; x < min(n, r+tile); x++ {
				for y := max(c, x+1); y < min(n, c+tile); y++ {
					m[x*n+y], m[y*n+x] = m[y*n+x], m[x*n+y]
				}
			}
		}
	}
}

// mirror makes a matrix symmetric from what stands above its diagonal.
func mirror(m []float64, n int) {
	const tile = 32
	for r := 0; r < n; r += tile {
		for c := r; c < n; c += tile {
			for x := r; x < min(n, r+tile); x++ {
				for y := max(c, x+1); y < min(n, c+tile); y++ {
					m[y*n+x] = m[x*n+y]
				}
			}
		}
	}
}
