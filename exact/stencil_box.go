package exact

import (
	"breadboard/chains"
	"breadboard/exact/internal/lanes"
	"breadboard/exact/internal/operator"
)

// box is the space of a kernel whose single moves the stencil can take.
type box struct{ operator.Box }

// edges returns the number of edges of a state, each of which it shares with another one.
func (b box) edges() int {
	if b.Around {
		return 4
	}
	return len(b.Axes)
}

// boxOf returns the box of a kernel, and false if it moves in another way.
func boxOf(k chains.Kernel) (box, bool) {
	in, ok := operator.BoxOf(k)
	b := box{in}
	return b, ok && (!b.Around || b.narrow()) // wider ones are applied by their edges
}

const (
	// longRow is the length of the last axis from which the rows of slots run along that axis
	// alone. Shorter axes share a row.
	longRow = lanes.Width
	// sharedRow is the number of states that a row of several axes has at most.
	sharedRow = 64
	// chunkSlots is about the number of slots of a chunk.
	chunkSlots = 1 << 13
)

// layout is how the states of a box stand in slots. The last axes share a row; each point of the
// others has a row.
type layout struct {
	near, far           []operator.Axis
	cols, pitch, margin int
	// every row ends with an empty slot, and near has one axis and far no more than one, without
	// rings
	plane bool
	rows  int
}

// layout returns the layout of a box.
func (b box) layout() layout {
	l := layout{cols: 1, rows: 1}
	for i := len(b.Axes) - 1; i >= 0; i-- {
		axis := b.Axes[i]
		if len(l.near) == 0 || len(l.far) == 0 && l.shares(axis) && len(b.Axes) > 2 {
			l.near = append([]operator.Axis{axis}, l.near...)
			l.cols *= axis.Side
			continue
		}
		l.far = append([]operator.Axis{axis}, l.far...)
		l.rows *= axis.Side
	}
	l.plane = len(l.near) <= 1 && len(l.far) <= 1
	for _, axis := range b.Axes {
		l.plane = l.plane && !axis.Ring
	}
	gap := 0
	if len(l.near) == 1 && !l.near[0].Ring || l.plane {
		gap = 1 // the wall at the ends of a row
	}
	l.pitch = (l.cols + gap + lanes.Width - 1) / lanes.Width * lanes.Width
	if !l.plane {
		l.margin = l.pitch
	}
	return l
}

// shares reports whether an axis can share the rows that the near axes have so far.
func (l layout) shares(axis operator.Axis) bool {
	short := l.near[len(l.near)-1].Side < longRow && l.cols*axis.Side <= sharedRow
	return short && !axis.Ring && !l.near[0].Ring
}

// mover returns the moves of a stencil that has this layout.
func (l layout) mover(s *stencil) mover {
	parts := max(1, l.rows*l.pitch/chunkSlots)
	d := division{rows: l.rows, pitch: l.pitch, each: (l.rows + parts - 1) / parts}
	if l.plane {
		return newPlaneMover(d, s)
	}
	return newBoxMover(l, d, s)
}

// division divides the rows of a layout into chunks.
type division struct{ rows, pitch, each int }

func (d division) chunks() int { return (d.rows + d.each - 1) / d.each }

// span returns the first row of a chunk and the one behind its last.
func (d division) span(chunk int) (first, end int) {
	return chunk * d.each, min((chunk+1)*d.each, d.rows)
}

func (d division) slots(chunk int) (first, end int) {
	first, end = d.span(chunk)
	return first * d.pitch, end * d.pitch
}

// boxMover moves on any box.
type boxMover struct {
	division
	*stencil
	layout layout
	steps  []int // the distance between neighbours along each near axis
	// for each near axis the gates between a slot and the next one; nil if f = 0 is the wall
	gates   [][]float64
	strides []int       // the rows between neighbours along each far axis
	memory  [][]float64 // for each chunk
	block   int         // the number of rows that are moved together

	nextU, nextA []float64 // what U and A become
}

// newBoxMover returns the moves of a stencil that has this layout.
func newBoxMover(l layout, d division, s *stencil) *boxMover {
	m := &boxMover{division: d, stencil: s, layout: l, strides: make([]int, len(l.far))}
	m.nextU, m.nextA = make([]float64, len(s.u)), make([]float64, len(s.a))
	stride := 1
	for k := len(l.far) - 1; k >= 0; k-- {
		m.strides[k] = stride
		stride *= l.far[k].Side
	}
	step := 1
	for k := len(l.near) - 1; k >= 0; k-- {
		m.steps = append(m.steps, step)
		m.gates = append(m.gates, l.gates(l.near[k], step))
		step *= l.near[k].Side
	}
	m.block = l.block()
	for range d.chunks() {
		m.memory = append(m.memory, make([]float64, (2*m.block+6)*l.pitch))
	}
	return m
}

// blockSlots is about the number of slots of a block: it takes long enough to begin a loop that
// short rows are moved together.
const blockSlots = 512

// block returns the number of rows that are moved together: one if the rows are rings, whose ends
// meet.
func (l layout) block() int {
	if l.near[0].Ring {
		return 1
	}
	return max(1, blockSlots/l.pitch)
}

// gates returns for each slot of the rows of a block whether it has a next one along a near axis,
// step slots away. Before the first slot there are as many zeros as a row has slots. It returns nil
// if the row ends with an empty slot or is a ring.
func (l layout) gates(axis operator.Axis, step int) []float64 {
	if len(l.near) == 1 {
		return nil
	}
	gates := make([]float64, (1+l.block())*l.pitch)
	for row := l.pitch; row < len(gates); row += l.pitch {
		for x := range l.cols {
			if x/step%axis.Side < axis.Side-1 {
				gates[row+x] = 1
			}
		}
	}
	return gates
}

func (m *boxMover) beginScale() {}

// passes are two: the kernel is applied to a chunk when its neighbours are reweighted, too.
func (m *boxMover) passes() []func(chunk int) { return []func(int){m.reweight, m.applyKernel} }

func (m *boxMover) end() { m.u, m.a, m.nextU, m.nextA = m.nextU, m.nextA, m.u, m.a }

// reweight takes f of a chunk from t-1 to t, and changes the reference of both directions from
// p_{t-1} to p_t.
func (m *boxMover) reweight(chunk int) {
	all := m.stage()
	part := all.Part(m.slots(chunk))
	m.sums[chunk] = m.unit.Reweight(&part)
}

// applyKernel writes the new U and A of a chunk to nextU and nextA.
func (m *boxMover) applyKernel(chunk int) {
	first, end := m.span(chunk)
	for row := first; row < end; row += m.block {
		m.applyRows(row, min(row+m.block, end), m.memory[chunk])
	}
}

// applyRows applies the kernel to the rows from first to end, without the latter: it adds up the
// fluxes from the neighbours along one axis after another.
func (m *boxMover) applyRows(first, end int, memory []float64) {
	s := m.stencil
	pitch := m.layout.pitch
	start := m.layout.margin + first*pitch
	n := (end - first) * pitch
	here := m.slotFlow(start, n)
	clear(memory[:2*n])
	du := memory[:n:n]
	da := memory[n : 2*n : 2*n]
	spare := memory[2*n:]
	add := func(from flow) { s.unit.AddFlux(du, da, here.f, here.u, here.a, from.f, from.u, from.a) }
	for k, step := range m.steps {
		switch gates := m.gates[k]; {
		case gates != nil:
			up, down := m.slotFlow(start+step, n), m.slotFlow(start-step, n)
			s.unit.AddGatedFlux(du, da, here.f, here.u, here.a, up.f, up.u, up.a, gates[pitch:])
			s.unit.AddGatedFlux(du, da, here.f, here.u, here.a, down.f, down.u, down.a, gates[pitch-step:])
		case m.layout.near[0].Ring:
			add(here.rotated(1, m.layout.cols, spare))
			add(here.rotated(m.layout.cols-1, m.layout.cols, spare[3*n:]))
		default:
			add(m.slotFlow(start+1, n))
			add(m.slotFlow(start-1, n))
		}
	}
	for k, stride := range m.strides {
		for row := first; row < end; { // rows that are alike along the axis
			alike := min(end-row, stride-row%stride)
			m.addFarFluxes(k, row, alike, du[(row-first)*pitch:], da[(row-first)*pitch:])
			row += alike
		}
	}
	s.unit.ApplyFlux(m.nextU[start:][:n], m.nextA[start:], here.u, here.a, du, da, s.inverse[first*pitch:],
		s.back[first*pitch:], s.share)
}

// addFarFluxes adds the fluxes from the neighbours along a far axis, by its number, to several
// rows, which follow one another at one place of the axis.
func (m *boxMover) addFarFluxes(k, row, rows int, du, da []float64) {
	axis := m.layout.far[k]
	stride := m.strides[k]
	pitch := m.layout.pitch
	start := m.layout.margin + row*pitch
	n := rows * pitch
	here := m.slotFlow(start, n)
	add := func(away int) {
		from := m.slotFlow(start+away*pitch, n)
		m.unit.AddFlux(du[:n], da, here.f, here.u, here.a, from.f, from.u, from.a)
	}
	c := row / stride % axis.Side
	around := (axis.Side - 1) * stride
	if c < axis.Side-1 {
		add(stride)
	} else if axis.Ring {
		add(-around)
	}
	if c > 0 {
		add(-stride)
	} else if axis.Ring {
		add(around)
	}
}

// flow holds the arrays of the slots of a row for a move.
type flow struct{ f, u, a []float64 }

// slotFlow returns the flow of n slots that begin at a place of the arrays with frames.
func (m *boxMover) slotFlow(start, n int) flow {
	return flow{m.framed[start:][:n], m.u[start:][:n], m.a[start:][:n]}
}

// rotated returns the flow rotated round a ring of n states by a number of places, in the given
// memory.
func (r flow) rotated(by, cols int, memory []float64) flow {
	n := len(r.f)
	out := flow{memory[:n], memory[n : 2*n], memory[2*n : 3*n]}
	for i, v := range [][]float64{r.f, r.u, r.a} {
		to := [][]float64{out.f, out.u, out.a}[i]
		copy(to, v[by:cols])
		copy(to[cols-by:], v[:by])
	}
	return out
}
