package exact

import (
	"context"
	"math"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/exact/internal/number"
	"breadboard/exact/internal/sweep"
	"breadboard/grid"
)

const (
	// stencilRange is the range of log f within which the stencil's ratios and fluxes stay inside float64.
	stencilRange = 600
	// anchorEvery is the number of steps for which f is updated by a factor before it is computed afresh. Each step
	// rounds f by half a unit in the last place for the product and by as much for the factor, so that f is off by
	// anchorEvery units at most by then.
	anchorEvery = 128
	// coarse is the largest range, in nats, of the change of log f in one step. Beyond it differences between neighbours
	// are too large to be subtracted. There are then few steps, and the general method takes them.
	coarse = 0.25
	// maxCondition is the amplification of the rounding of u (see sweep.Divergences) above which the general method takes
	// over.
	maxCondition = 64
)

// stencilApplies reports whether the annealing is one that stencil can solve: the paper's kernel on a line or
// a plane with walls, on the geometric path from a uniform start to a target without zeros and of moderate range.
func stencilApplies(a *chains.Annealing) bool {
	k, ok := a.Kernel().(kernels.Metropolis)
	if !ok {
		return false
	}
	space, ok := k.Space.(*grid.Lattice)
	if !ok || space.Dims() > 2 {
		return false
	}
	path, ok := a.Path().(*paths.Geometric)
	if !ok || !path.Uniform() {
		return false
	}
	for axis := range space.Dims() {
		if space.Wraps(axis) {
			return false
		}
	}
	low, high := number.Bounds(path.Difference())
	return high-low <= stencilRange && !path.Zeros()
}

// stencil propagates both directions of the paper's annealing in one sweep, in place. Where the schedule is linear it
// computes exponentials only at anchors, which are anchorEvery steps apart.
//
// One move adds L v to the values v that either direction carries, where (L v)(x) = 1/f(x) sum over edges xy of s_xy
// (v(y) - v(x)), with the conductance s_xy = min(f(x), f(y)) / directions. The pass over the states x overwrites v.
// When it comes to x, the states to the right and below still have their old values, and the fluxes along the edges
// from the left and from above have been kept, so that each edge is computed once.
type stencil struct {
	nodes         []node // row-major, followed by a row of empty nodes, which the last states have below them
	n, cols       int
	share         float64 // probability of one direction
	middle        float64 // middle of the range of the target's log f
	span          float64 // width of that range, in nats
	mean          float64 // mean of g under p at the last anchor
	spread        float64 // standard deviation of g under p at the last anchor
	largestChange float64 // see noteResolution
	step          float64 // the step b_t - b_{t-1} that the factors in the nodes are for
	zBefore       float64 // sum of f at t-1
	z             float64 // sum of f at t
	zBack         float64 // sum of f times back at t

	forward number.Sum // E_fwd of the sum over the stages of step times g
	slack   number.Sum // B
}

// node is what the stencil holds for one state.
type node struct {
	u, a    float64 // q/p - 1 and the adjoint A (see doc.go)
	g       float64 // log f of the target minus stencil.middle
	centred float64 // g minus stencil.mean

	f, inverse float64 // exp(b centred), exp(-b centred)
	rise, fall float64 // the factors by which one step multiplies f and inverse
	back       float64 // exp(-step centred) - 1

	right, down         float64 // conductances to the state on the right and below, zero where there is none
	riseRight, riseDown float64 // the factors by which one step multiplies right and down
	aboveU, aboveA      float64 // fluxes of u and a along the edge from above
}

// newStencil returns the stencil of an annealing at t = 1, before the first anchor.
func newStencil(a *chains.Annealing) *stencil {
	space := a.Kernel().(kernels.Metropolis).Space.(*grid.Lattice)
	n, cols := space.States(), space.Side(space.Dims()-1)
	s := &stencil{
		nodes: make([]node, n+cols), n: n, cols: cols,
		share: 1 / float64(space.Directions()),
	}
	g := a.Path().(*paths.Geometric).Difference()
	low, high := number.Bounds(g)
	s.middle, s.span = (low+high)/2, high-low
	for x, v := range g {
		s.nodes[x].g = v - s.middle
	}
	return s
}

// solveStencil returns the solution, and false where the general method is needed to keep the digits.
func solveStencil(ctx context.Context, p *sweep.Problem) (*Solution, bool, error) {
	s := newStencil(p.Annealing)
	for t := 2; t <= p.Annealing.Distributions(); t++ {
		if err := p.Step(ctx); err != nil {
			return nil, false, err
		}
		step := p.Annealing.Step(t)
		if step*s.span > coarse {
			return nil, false, nil
		}
		if (t-2)%anchorEvery == 0 {
			if err := s.anchor(ctx, p.Annealing.Beta(t-1), step); err != nil {
				return nil, false, err
			}
		} else if step != s.step {
			s.setStep(step)
		}
		s.advance()
		if p.Pulse == 1 && ctx.Err() != nil { // on a large space advance, rebase and move each take long
			return nil, false, ctx.Err()
		}
		s.rebase()
		if p.Pulse == 1 && ctx.Err() != nil {
			return nil, false, ctx.Err()
		}
		s.move()
	}
	return s.solution()
}

// lower returns the end of an edge with the smaller f.
func lower(x, y *node) *node {
	if y.g < x.g {
		return y
	}
	return x
}

// edges calls right with the two ends of every edge along a row, and down with the two ends of every edge between rows.
func (s *stencil) edges(right, down func(x, y *node)) {
	for x := range s.n {
		if x%s.cols < s.cols-1 {
			right(&s.nodes[x], &s.nodes[x+1])
		}
		if x+s.cols < s.n {
			down(&s.nodes[x], &s.nodes[x+s.cols])
		}
	}
}

// anchor centres g under p at beta, so that log f changes little in a step where most of the mass is, and computes f,
// the conductances and the factors of a step afresh. On millions of states that is seconds of work.
func (s *stencil) anchor(ctx context.Context, beta, step float64) error {
	nodes := s.nodes[:s.n]
	var z, first, second float64
	for x := range nodes {
		c := &nodes[x]
		p := math.Exp(beta * c.g)
		z += p
		first += p * c.g
		second += p * c.g * c.g
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	s.mean = first / z
	s.spread = math.Sqrt(max(0, second/z-s.mean*s.mean))
	s.z = 0
	for x := range nodes {
		c := &nodes[x]
		c.centred = c.g - s.mean
		c.f = math.Exp(beta * c.centred)
		c.inverse = 1 / c.f
		s.z += c.f
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	s.edges(
		func(x, y *node) { x.right = s.share * lower(x, y).f },
		func(x, y *node) { x.down = s.share * lower(x, y).f })
	if ctx.Err() != nil {
		return ctx.Err()
	}
	s.setStep(step)
	return nil
}

// setStep computes the factors of one step.
func (s *stencil) setStep(step float64) {
	s.step = step
	s.largestChange = max(s.largestChange, step*s.spread)
	for x := range s.n {
		c := &s.nodes[x]
		c.back = math.Expm1(-step * c.centred)
		c.fall = math.Exp(-step * c.centred)
		c.rise = 1 / c.fall
	}
	s.edges(
		func(x, y *node) { x.riseRight = lower(x, y).rise },
		func(x, y *node) { x.riseDown = lower(x, y).rise })
}

// advance brings f from t-1 to t, and sums it.
func (s *stencil) advance() {
	z, zBack := 0.0, 0.0
	nodes := s.nodes[:s.n]
	for x := range nodes {
		c := &nodes[x]
		f := c.f * c.rise
		c.f = f
		c.inverse *= c.fall
		z += f
		zBack += f * c.back
	}
	s.zBefore, s.z, s.zBack = s.z, z, zBack
}

// rebase changes the reference of both directions from p_{t-1} to p_t: u becomes w = q_{t-1}/p_t - 1, and A becomes
// A + step c with c = centred. With e = p_{t-1}/p_t - 1 it adds step sum p_t (1+w) c to E_fwd[log w], and
// -sum p_t (step w c + e A) to B.
func (s *stencil) rebase() {
	perZ, step := 1/s.z, s.step
	// factor is such that factor exp(-step c) = p_{t-1}/p_t; shift is factor - 1, computed without its cancellation.
	factor, shift := s.z/s.zBefore, -s.zBack/s.zBefore
	var meanC, fromW, fromA float64
	nodes := s.nodes[:s.n]
	for x := range nodes {
		c := &nodes[x]
		e := c.back*factor + shift
		w := c.u + (e + c.u*e)
		fromA += c.f * e * c.a
		c.u = w
		c.a += step * c.centred
		weighted := c.f * c.centred
		meanC += weighted
		fromW += weighted * w
	}
	s.forward.Add(step * (s.mean + (meanC+fromW)*perZ))
	s.slack.Add(-(step*fromW + fromA) * perZ)
}

// move applies T_t to both directions.
func (s *stencil) move() {
	var leftU, leftA float64
	nodes := s.nodes[:s.n+1]
	below := s.nodes[s.cols:][:s.n]
	for x := range below {
		c, right, down := &nodes[x], &nodes[x+1], &below[x]
		u, a := c.u, c.a
		sRight, sDown := c.right*c.riseRight, c.down*c.riseDown
		c.right, c.down = sRight, sDown
		rightU, rightA := sRight*(right.u-u), sRight*(right.a-a)
		downU, downA := sDown*(down.u-u), sDown*(down.a-a)
		c.u = u + (rightU-leftU+downU-c.aboveU)*c.inverse
		c.a = a + (rightA-leftA+downA-c.aboveA)*c.inverse
		leftU, leftA = rightU, rightA
		down.aboveU, down.aboveA = downU, downA
	}
}

// solution returns the solution, and false where the general method is needed to keep the digits.
func (s *stencil) solution() (*Solution, bool, error) {
	g := make([]float64, s.n)
	for x := range g {
		g[x] = s.nodes[x].g
	}
	logZ := number.LogSumExp(g)
	d := sweep.Divergences{}
	sol := &Solution{Method: MethodStencil, LogZRatio: s.middle + logZ - math.Log(float64(s.n)), B: s.slack.Value()}
	for x, g := range g {
		logp := g - logZ
		p, u := math.Exp(logp), s.nodes[x].u
		d.Add(p, logp, number.Scaled(1+u, 0), number.Scaled(u, 0))
		sol.Output = append(sol.Output, p*(1+u))
		sol.Target = append(sol.Target, p)
	}
	sol.setDivergences(&d)
	sol.noteResolution(s.largestChange)
	sol.MeanLogWForward = s.middle + s.forward.Value()
	sol.MeanLogWReverse = sol.MeanLogWForward + sol.B
	if !(math.Abs(sol.Drift) <= driftTolerance && d.Condition <= maxCondition*sol.KLPQ) || d.Missing > 0 {
		return nil, false, nil
	}
	return sol, true, sol.validate()
}
