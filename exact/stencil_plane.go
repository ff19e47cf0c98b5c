package exact

import (
	"context"
	"math"

	"breadboard/chains"
	"breadboard/exact/internal/lanes"
	"breadboard/exact/internal/stage"
)

// planeMover takes steps on a line or a plane. A chunk turns and moves its rows in one pass, in place. Of its neighbours, who
// may be a step ahead or behind, it needs a row each: they leave copies of these rows at the end of every step.
type planeMover struct {
	division
	*stencil
	plane   lanes.Plane
	walkers []*lanes.Walker // of each chunk
	// now are the borders that chunks need in this step, and next those that they leave for the next one.
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

func (m *planeMover) begin() {
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

func (m *planeMover) passes() []func(chunk int) { return []func(int){m.step} }

func (m *planeMover) end() { m.now, m.next = m.next, m.now }

// step takes a step with the rows of a chunk.
func (m *planeMover) step(chunk int) {
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

// narrow is stencil on a line or a plane of at most seven columns. Its rows hold all that a step needs, and it takes as many
// steps at a time as have the same factors. It also moves to the eight neighbours of Moore's kernel, each of which shares an edge then.
type narrow struct {
	stencil
	rows  []lanes.Row
	out   []lanes.Turned
	steps func(rows []lanes.Row, out []lanes.Turned)
}

// narrowRows is the number of rows of the largest plane that narrow takes: it is to stay in the nearest cache.
const narrowRows = 64

// newNarrow returns the stencil of an annealing at t = 1, and nil where it is no narrow plane. The share of a direction
// is a power of two, so that multiplying by it rounds nothing.
func newNarrow(a *chains.Annealing, unit *lanes.Unit) *narrow {
	b, _ := boxOf(a.Kernel())
	if !b.narrow() {
		return nil
	}
	l := b.layout()
	s := &narrow{rows: make([]lanes.Row, l.rows), out: make([]lanes.Turned, anchorEvery), steps: unit.Steps}
	if b.around {
		s.steps = unit.StepsAround
	}
	s.geometric, s.share = newGeometric(a, l.cols, l.pitch, 0), b.share
	s.unit = unit
	return s
}

// narrow reports whether a box is a plane that narrow takes.
func (b box) narrow() bool {
	l := b.layout()
	part, _ := math.Frexp(b.share)
	return l.plane && l.pitch == lanes.Width && l.rows <= narrowRows && part == 0.5
}

// solve takes the steps, many at a time.
func (s *narrow) solve(ctx context.Context, p *stage.Problem) (*Solution, bool, error) {
	for t := 2; t <= s.annealing.Distributions(); {
		if s.anchors(t) || s.fresh >= s.lasting() {
			s.renew()
		}
		step := s.step
		if !s.fine(t) {
			return nil, false, nil
		}
		if err := s.load(ctx, t); err != nil {
			return nil, false, err
		}
		if s.anchors(t) {
			s.placePath()
			s.begin()
			for i := range s.rows {
				s.weigh(s.rows[i].F[:], s.rows[i].A[:])
			}
		}
		if s.anchors(t) || s.step != step {
			s.placeStep()
		}
		out := s.out[:s.run(t)]
		if err := p.Steps(ctx, len(out)); err != nil {
			return nil, false, err
		}
		s.steps(s.rows, out)
		for i := range out {
			s.gather(out[i])
		}
		s.settle()
		t += len(out)
	}
	s.renew()
	dev := make([]float64, 0, s.slots)
	for i := range s.rows {
		dev = append(dev, s.rows[i].U[:]...)
	}
	return s.solution(dev)
}

// run returns how many steps can be taken from stage t on before the sums are to be settled.
func (s *narrow) run(t int) int {
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
		r, start := &s.rows[i], i*lanes.Width
		copy(r.F[:], s.f[start:])
		for lane := range r.Inverse {
			r.Inverse[lane] = s.inverse[start+lane] * s.share
		}
	}
}

// placeStep writes the factors of a step to the rows.
func (s *narrow) placeStep() {
	for i := range s.rows {
		r, start := &s.rows[i], i*lanes.Width
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
		k, k1 := (s.scale+s.rise)/s.scale, s.rise/s.scale
		for i := range s.rows {
			r := &s.rows[i]
			for x, v := range r.U[:s.cols] {
				r.U[x] = float64(v*k) + k1
			}
		}
	}
	s.scale, s.rise, s.fresh = s.scale+s.rise, 0, 0
}
