package exact

import (
	"context"
	"math"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/paths"
	"breadboard/exact/internal/crew"
	"breadboard/exact/internal/lanes"
	"breadboard/exact/internal/stage"
)

// maxCondition is the amplification of the rounding of u (see sweep.Divergences) above which the
// general method takes over.
const maxCondition = 64

// maxCancelled is the largest ratio of the sum of the absolute values of the steps' terms in B to
// B. Beyond it another method takes over. If nearly every proposal is accepted, as for flips of
// nearly free spins, the chain nearly returns every other step, the terms have alternating signs,
// and the rounding of f, a few 1e-15, is amplified by that ratio.
const maxCancelled = 16

// stencilApplies reports whether the annealing is one that stencil can solve: single moves on a
// lattice (see boxOf), on a path that geometric can follow.
func stencilApplies(a *chains.Annealing) bool {
	_, ok := boxOf(a.Kernel())
	return ok && geometricApplies(a, geometricRange) && !leaps(a)
}

// leaps reports whether a large space has a step that is too far for a stencil, which a small one
// finds while it solves.
func leaps(a *chains.Annealing) bool {
	path, known := a.Path().(*paths.Geometric)
	if !known || a.States() < divided {
		return false
	}
	longest := 0.0
	for t := 2; t <= a.Distributions(); t++ {
		longest = max(longest, a.Step(t))
	}
	low, high := number.Bounds(path.Difference())
	return longest*(high-low) > stencilStep
}

// stencil propagates both directions of an annealing in one sweep, on the distributions of a
// path without zeros.
//
// One move adds L v to the values v that either direction carries, where (L v)(x) = 1/f(x) sum over
// edges xy of s_xy (v(y) - v(x)), with the conductance s_xy = share min(f(x), f(y)). A wall is a
// slot with f = 0, or a gate that is zero.
//
// The forward distribution is carried as U = q scale/f - 1, where scale is the sum of f at a recent
// stage. A constant factor does not affect the move, so that no sum over all states is needed
// before a step. It would be u = q/p - 1 if scale were the sum of f now, from which it differs by K
// = sum of f over scale: 1 + u = (1 + U) K. Before K - 1 becomes larger than the change of one
// step, U is replaced by u. The sums over U are corrected for K as well.
type stencil struct {
	*geometric
	boost float64 // 1, or farBoost
	share float64 // probability of one direction
	moves mover
	sums  []lanes.StageSums // of each chunk
	u, a  []float64         // U and the adjoint A (see doc.go), in frames like f

	gathered lanes.StageSums // the sums of the steps since the last call of settle
	gathers  int             // the number of these steps
	scale    float64         // see above
	// sum of f minus scale, where the sums were settled last, and so are fresh and weight
	rise   float64
	fresh  int     // the steps that have been taken with this scale
	weight float64 // sum of f times A
}

// stencilStep is the largest range, in nats, of the change of log f in a step of the stencil.
// Beyond it the differences between the ratios of neighbours cancel too far for KL(p||q). There are
// few such steps.
const stencilStep = 10

// farBoost is what the ratios q/p are multiplied by where some of them are far from one, so that 1
// + U is U but for rounding, and small ratios keep their digits. They may be as small as exp(-88),
// and as large as the range of f allows.
const farBoost = 0x1p128

// farLeast is the least divergence, in nats, for which boosted ratios keep the digits.
const farLeast = 0.01

// mover takes the steps of a kernel on the slots of a stencil.
type mover interface {
	// chunks returns into how many chunks the slots are divided. They depend on the space alone, so
	// that the partial sums of the chunks do not depend on the workers.
	chunks() int
	// beginScale is called before a step where f or U has changed since the last one.
	beginScale()
	// passes returns what is done for every chunk in a step, one after another. They leave the sums
	// of the chunk.
	passes() []func(chunk int)
	// end is called after the passes.
	end()
}

// newStencil returns the stencil of an annealing at t = 1. It works on a crew of the given number
// of workers, which is to be dismissed.
func newStencil(a *chains.Annealing, workers int, unit *lanes.Unit, boost float64) *stencil {
	b, _ := boxOf(a.Kernel())
	l := b.layout()
	s := &stencil{geometric: newGeometric(a, l.cols, l.pitch, l.margin), share: b.Share, boost: boost}
	s.unit = unit
	frame := len(s.framed)
	s.u = make([]float64, frame)
	s.a = make([]float64, frame)
	for x := range s.u {
		s.u[x] = boost - 1
	}
	s.moves = l.mover(s)
	s.sums = make([]lanes.StageSums, s.moves.chunks())
	s.crew = crew.New(min(workers, max(len(s.sums), partsOf(s.slots))))
	return s
}

// solveStencil returns the solution, and false if another method is needed to keep the digits.
func solveStencil(ctx context.Context, p *stage.Problem, o Options) (*Solution, bool, error) {
	return solveBoosted(ctx, p, o, 1)
}

// solveFar is solveStencil where ratios q/p are far from one.
func solveFar(ctx context.Context, p *stage.Problem, o Options) (*Solution, bool, error) {
	return solveBoosted(ctx, p, o, farBoost)
}

// solveBoosted is solveStencil for ratios q/p that are multiplied by a boost.
func solveBoosted(ctx context.Context, p *stage.Problem, o Options, boost float64) (*Solution, bool, error) {
	if !stencilApplies(p.Annealing) {
		return nil, false, nil
	}
	if s := newNarrow(p.Annealing, lanes.Widest(), boost); s != nil {
		return s.solve(ctx, p)
	}
	s := newStencil(p.Annealing, o.Workers, lanes.Widest(), boost)
	defer s.crew.Dismiss()
	return s.solve(ctx, p)
}

// solve takes the steps one by one.
func (s *stencil) solve(ctx context.Context, p *stage.Problem) (*Solution, bool, error) {
	passes := s.moves.passes()
	for t := 2; t <= p.Annealing.Distributions(); t++ {
		if err := p.Step(ctx); err != nil {
			return nil, false, err
		}
		if s.ends(t) {
			s.addSteps()
		}
		ends := s.anchors(t) || s.fresh >= s.lasting()
		if ends {
			s.renew()
		}
		if err := s.prepareStep(ctx, t); err != nil || s.reach() > stencilStep {
			return nil, false, err
		}
		if s.anchors(t) {
			s.beginScale()
			s.addWeight(s.f, s.a[s.margin():])
		}
		if ends {
			s.moves.beginScale()
		}
		for _, pass := range passes {
			if p.Pulse == 1 && ctx.Err() != nil { // on a large space every pass takes long
				return nil, false, ctx.Err()
			}
			s.crew.Run(len(s.sums), pass)
		}
		s.moves.end()
		var sums lanes.StageSums
		for _, v := range s.sums {
			sums.Add(v)
		}
		s.keepSums(sums)
	}
	s.addSteps()
	s.renew()
	return s.solution(s.u[s.margin():])
}

// margin is the number of slots in front of the first in the arrays with frames.
func (s *stencil) margin() int { return (len(s.framed) - s.slots) / 2 }

// ends reports whether the steps before the one to t are settled before it is taken: where f is
// computed afresh, the scale or the factors change.
func (s *stencil) ends(t int) bool {
	return s.anchors(t) || s.fresh+s.gathers >= s.lasting() || s.annealing.Step(t) != s.step
}

// lasting returns the number of steps for which a scale lasts. After m of them K - 1 is about (m
// step spread)^2 / 2, which is then no more than half the change step spread of one step.
func (s *geometric) lasting() int { return int(min(anchorEvery, max(1, 1/math.Sqrt(s.step*s.spread)))) }

// renew replaces U by u, with K = 1.
func (s *stencil) renew() {
	if s.fresh > 0 {
		k := (s.scale + s.rise) / s.scale
		k1 := s.rise / s.scale
		margin := s.margin()
		for row := range s.n / s.cols {
			for x, v := range s.u[margin+row*s.pitch:][:s.cols] {
				s.u[margin+row*s.pitch+x] = float64(v*k) + k1
			}
		}
	}
	s.scale += s.rise
	s.rise = 0
	s.fresh = 0
}

// beginScale begins a scale at an anchor.
func (s *stencil) beginScale() {
	s.scale = s.z
	s.rise = 0
	s.fresh = 0
	s.weight = 0
}

// addWeight adds f times A to the weight.
func (s *stencil) addWeight(f, a []float64) {
	for x, f := range f {
		s.weight += float64(f * a[x])
	}
}

// stage is the slots on which a step works.
func (s *stencil) stage() lanes.Stage {
	margin := s.margin()
	return lanes.Stage{
		F:     s.f,
		Grow:  s.grow,
		Back:  s.back,
		Shift: s.shift,
		U:     s.u[margin:][:s.slots],
		A:     s.a[margin:][:s.slots],
	}
}

// keepSums keeps the sums of a step until they are settled.
func (s *stencil) keepSums(sums lanes.StageSums) {
	if s.boost > 1 {
		sums.ShiftU = (sums.Shift+sums.ShiftU)/s.boost - sums.Shift
		s.size += math.Abs(sums.Shift) / s.scale
	}
	s.gathered.Add(sums)
	s.gathers++
	s.size += (math.Abs(sums.ShiftU) + math.Abs(sums.BackA)) / s.scale
}

// addSteps adds what the steps since it was last called contribute to both sums. They have the same
// scale and the same factors. E_fwd[log w] gains step sum q_{t-1} d with each of them, where
// q_{t-1} is f (1+U) over scale. B is E_rev[log w] minus that, and of E_rev[log w] the part that is
// not the mean is the sum of p A, which is weight over the sum of f: a step changes weight by sum f
// shift - sum f back A. What is common to both is taken out before anything is subtracted.
func (s *stencil) addSteps() {
	if s.gathers == 0 {
		return
	}
	sums := s.gathered
	before := s.scale + s.rise
	s.rise -= sums.Back // f_{t-1} is f_t (1 + back)
	s.z = s.scale + s.rise
	s.forward.Add(float64(float64(s.gathers)*float64(s.step*s.mean)) + (sums.Shift+sums.ShiftU)/s.scale)
	common := float64(s.rise/s.scale*sums.Shift) - float64(sums.Back/before*s.weight)
	s.slack.Add(-(sums.ShiftU/s.scale + (sums.BackA+common)/s.z))
	s.weight += sums.Shift - sums.BackA
	s.fresh += s.gathers
	s.gathered = lanes.StageSums{}
	s.gathers = 0
}

// solution returns the solution, and false if another method is needed to keep the digits.
func (s *stencil) solution(dev []float64) (*Solution, bool, error) {
	least := math.Inf(1)
	sol, d := s.geometric.solution(MethodStencil, func(slot int) (h, u number.Wide) {
		v := dev[slot]
		if s.boost == 1 {
			return number.Scaled(1+v, 0), number.Scaled(v, 0)
		}
		least = min(least, 1+v)
		h = number.Scaled((1+v)/s.boost, 0)
		return h, h.Sub(number.Scaled(1, 0))
	})
	keeps := d.Condition <= maxCondition*sol.KLPQ
	if s.boost > 1 {
		keeps = least*maxCondition >= 1 && min(sol.J, sol.KLPQ, sol.KLQP) > farLeast
	}
	if !keeps || !(math.Abs(sol.Drift) <= driftTolerance) || d.Missing > 0 ||
		s.size > maxCancelled*math.Abs(sol.B) {
		return nil, false, nil
	}
	return sol, true, sol.checkMass()
}

// planeMover takes steps on a line or a plane. A chunk reweights its rows and applies the kernel in
// one pass, in place. It needs a row of each neighbour, which may be a step ahead or behind: chunks
// leave copies of these rows at the end of every step.
type planeMover struct {
	division
	*stencil
	plane   lanes.Plane
	walkers []*lanes.Walker // of each chunk
	// now are the borders that chunks need in this step, and next those that they leave for the
	// next one.
	now, next []borders
}

// borders are the first and the last row of a chunk.
type borders struct{ first, last lanes.Border }

func newPlaneMover(d division, s *stencil) *planeMover {
	m := &planeMover{division: d, stencil: s}
	m.plane = lanes.Plane{Stage: s.stage(), Inverse: s.inverse, Pitch: d.pitch, Share: s.share}
	for range d.chunks() {
		m.walkers = append(m.walkers, lanes.NewWalker(d.pitch))
		for _, v := range []*[]borders{&m.now, &m.next} {
			*v = append(*v, borders{lanes.NewBorder(d.pitch), lanes.NewBorder(d.pitch)})
		}
	}
	return m
}

func (m *planeMover) beginScale() {
	for chunk := range m.now {
		m.copyTo(m.now, chunk)
	}
}

// copyTo copies the borders of a chunk.
func (m *planeMover) copyTo(to []borders, chunk int) {
	first, end := m.span(chunk)
	to[chunk].first.Copy(&m.plane, first)
	to[chunk].last.Copy(&m.plane, end-1)
}

func (m *planeMover) passes() []func(chunk int) { return []func(int){m.moveChunk} }

func (m *planeMover) end() { m.now, m.next = m.next, m.now }

// moveChunk takes a step with the rows of a chunk.
func (m *planeMover) moveChunk(chunk int) {
	first, end := m.span(chunk)
	var before, behind lanes.Border
	if chunk > 0 {
		before = m.now[chunk-1].last
	}
	if chunk+1 < len(m.now) {
		behind = m.now[chunk+1].first
	}
	m.sums[chunk] = m.unit.Step(&m.plane, first, end, before, behind, m.walkers[chunk])
	m.copyTo(m.next, chunk)
}

// narrow is stencil on a line or a plane of at most seven columns. Its rows hold all that a step
// needs, and it takes as many steps at a time as have the same factors. It also moves to the eight
// neighbours of Moore's kernel, each of which shares an edge then.
type narrow struct {
	stencil
	rows  []lanes.Row
	out   []lanes.StageSums
	steps func(rows []lanes.Row, out []lanes.StageSums)
}

// narrowRows is the number of rows of the largest plane that narrow takes: it should fit the
// nearest cache.
const narrowRows = 64

// newNarrow returns the stencil of an annealing at t = 1, and nil if it is not a narrow plane. The
// share of a direction is a power of two, so that multiplying by it rounds nothing.
func newNarrow(a *chains.Annealing, unit *lanes.Unit, boost float64) *narrow {
	b, _ := boxOf(a.Kernel())
	if !b.narrow() {
		return nil
	}
	l := b.layout()
	s := &narrow{
		rows:  make([]lanes.Row, l.rows),
		out:   make([]lanes.StageSums, anchorEvery),
		steps: unit.Steps,
	}
	if b.Around {
		s.steps = unit.StepsAround
	}
	s.geometric = newGeometric(a, l.cols, l.pitch, 0)
	s.share = b.Share
	s.boost = boost
	for i := range s.rows {
		for lane := range s.rows[i].U {
			s.rows[i].U[lane] = boost - 1
		}
	}
	s.unit = unit
	return s
}

// narrow reports whether a box is a plane that narrow takes.
func (b box) narrow() bool {
	l := b.layout()
	part, _ := math.Frexp(b.Share)
	return l.plane && l.pitch == lanes.Width && l.rows <= narrowRows && part == 0.5
}

// solve takes the steps, many at a time.
func (s *narrow) solve(ctx context.Context, p *stage.Problem) (*Solution, bool, error) {
	for t := 2; t <= s.annealing.Distributions(); {
		if s.anchors(t) || s.fresh >= s.lasting() {
			s.renew()
		}
		step := s.step
		if err := s.prepareStep(ctx, t); err != nil || s.reach() > stencilStep {
			return nil, false, err
		}
		if s.anchors(t) {
			s.placePath()
			s.beginScale()
			for i := range s.rows {
				s.addWeight(s.rows[i].F[:], s.rows[i].A[:])
			}
		}
		if s.anchors(t) || s.step != step {
			s.placeStep()
		}
		out := s.out[:s.stepsFrom(t)]
		if err := p.Steps(ctx, len(out)); err != nil {
			return nil, false, err
		}
		s.steps(s.rows, out)
		for i := range out {
			s.keepSums(out[i])
		}
		s.addSteps()
		if s.bent { // the next step is centred with this f
			s.takePath()
		}
		t += len(out)
	}
	s.renew()
	dev := make([]float64, 0, s.slots)
	for i := range s.rows {
		dev = append(dev, s.rows[i].U[:]...)
	}
	return s.solution(dev)
}

// stepsFrom returns how many steps can be taken from stage t on before the sums are to be settled.
func (s *narrow) stepsFrom(t int) int {
	if s.bent {
		return 1
	}
	limit := min(s.lasting()-s.fresh, s.anchored+anchorEvery-t, s.annealing.Distributions()+1-t)
	for steps := 1; steps < limit; steps++ {
		if s.annealing.Step(t+steps) != s.step || s.drifts(t+steps, s.step) {
			return steps
		}
	}
	return max(1, limit)
}

// placePath writes f and its inverse to the rows.
func (s *narrow) placePath() {
	for i := range s.rows {
		r := &s.rows[i]
		start := i * lanes.Width
		copy(r.F[:], s.f[start:])
		for lane := range r.Inverse {
			r.Inverse[lane] = s.inverse[start+lane] * s.share
		}
	}
}

// takePath reads f and its inverse from the rows.
func (s *narrow) takePath() {
	for i := range s.rows {
		r := &s.rows[i]
		start := i * lanes.Width
		copy(s.f[start:], r.F[:])
		for lane, v := range r.Inverse {
			s.inverse[start+lane] = v / s.share
		}
	}
}

// placeStep writes the factors of a step to the rows.
func (s *narrow) placeStep() {
	for i := range s.rows {
		r := &s.rows[i]
		start := i * lanes.Width
		copy(r.Grow[:], s.grow[start:])
		copy(r.Back[:], s.back[start:])
		copy(r.Shift[:], s.shift[start:])
		for lane, back := range r.Back {
			r.Fall[lane] = 1 + back
		}
	}
}

// renew replaces U by u, with K = 1.
func (s *narrow) renew() {
	if s.fresh > 0 {
		k := (s.scale + s.rise) / s.scale
		k1 := s.rise / s.scale
		for i := range s.rows {
			r := &s.rows[i]
			for x, v := range r.U[:s.cols] {
				r.U[x] = float64(v*k) + k1
			}
		}
	}
	s.scale += s.rise
	s.rise = 0
	s.fresh = 0
}
