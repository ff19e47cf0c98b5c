package exact

import "breadboard/exact/internal/lanes"

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
