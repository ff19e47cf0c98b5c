package operator

import (
	"math"
	"slices"
	"sync"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/work"
	"breadboard/exact/internal/crew"
	"breadboard/exact/internal/lanes"
	"breadboard/grid"
)

// With the share s of each neighbour y of x,
//
//	(T v)(x) = v(x) + 1/f(x) sum_y s min(f(x), f(y)) (v(y) - v(x))
//	         = 1/f(x) (refused(x) v(x) + sum_y s min(f(x), f(y)) v(y)),
//	refused(x) = sum_y s max(0, f(x) - f(y)) + s f(x) (the number of moves off the space),
//
// and the first form has no cancellation between neighbours, the second none between terms. Each
// axis takes a pass over the states.

// Box is a space on which single moves along axes lead from state to state, each to a neighbour
// with probability Share. With Around they also lead along both of two axes at once.
type Box struct {
	Axes   []Axis // those of two points or more; the last coordinate moves fastest
	Share  float64
	Around bool
}

// Axis is an axis of a Box.
type Axis struct {
	Side int
	Ring bool
}

// BoxOf returns the box of a kernel with Metropolis acceptance, and false if it moves in another
// way.
func BoxOf(k chains.Kernel) (Box, bool) {
	switch k := k.(type) {
	case kernels.Metropolis:
		switch space := k.Space.(type) {
		case *grid.Lattice:
			return newBox(space, space.Directions()), true
		case *grid.Hypercube:
			b := Box{Share: 1 / float64(space.Directions())}
			for range space.Directions() {
				b.Axes = append(b.Axes, Axis{Side: 2})
			}
			return b, true
		}
	case kernels.Moore:
		b := newBox(k.Space, 8)
		b.Around = true
		return b, k.Space.Dims() == 2
	case kernels.Flip:
		for _, side := range k.Space.Sides() {
			if side > 2 {
				return Box{}, false
			}
		}
		return newBox(k.Space, k.Space.Dims()), true
	}
	return Box{}, false
}

func newBox(space *grid.Lattice, directions int) Box {
	b := Box{Share: 1 / float64(directions)}
	for k, side := range space.Sides() {
		if side > 1 {
			b.Axes = append(b.Axes, Axis{side, space.Wraps(k)})
		}
	}
	return b
}

const (
	// leastBoxed is the number of states from which the edges of a box are not listed.
	leastBoxed = 1 << 16
	// blockStates is about the number of states of a block of a box.
	blockStates = 512
	// gatedPeriod is the largest number of states between two points of a line that are next to
	// each other along the axis before it for which gates are faster than runs.
	gatedPeriod = 64
)

// boxed holds the edges of a box, without a list of them. A block of states gathers its own gains
// along one axis after another, two functions at a time. So the sums depend neither on the workers
// nor on the order of the blocks.
type boxed struct {
	axes   []stride
	share  float64
	idle   float64  // the directions that lead nowhere from any state
	walls  []stride // the axes on which another one does so at both ends
	block  int      // the states of a block: a multiple of the period of every gated axis
	zeros  []float64
	ones   []float64
	unit   *lanes.Unit
	memory sync.Pool // of gains
}

// stride is an axis whose neighbours are that many states apart, and whose lines repeat after a
// period. Gates are one for those states of a block that have a neighbour above, and else zero; nil
// if there are runs of such states.
type stride struct {
	step, period int
	ring         bool
	gates        []float64
}

// NewBoxed returns a kernel of a box on the given number of states.
func NewBoxed(b Box, states int) *metropolis {
	x := &boxed{share: b.Share, idle: math.Round(1 / b.Share), block: blockStates, unit: lanes.Widest()}
	step := 1
	for i := len(b.Axes) - 1; i >= 0; i-- {
		axis := stride{step: step, period: step * b.Axes[i].Side, ring: b.Axes[i].Ring}
		step = axis.period
		if !axis.ring && step <= gatedPeriod {
			axis.gates = []float64{}
			x.block = blockStates / step * step
		}
		x.axes = append(x.axes, axis)
		switch side := b.Axes[i].Side; {
		case side == 2:
			x.idle--
		case !axis.ring:
			x.walls = append(x.walls, axis)
			fallthrough
		default:
			x.idle -= 2
		}
	}
	for i := range x.axes {
		a := &x.axes[i]
		for y := 0; a.gates != nil && y < x.block; y++ {
			gate := 0.0
			if y%a.period < a.period-a.step {
				gate = 1
			}
			a.gates = append(a.gates, gate)
		}
	}
	x.zeros, x.ones = make([]float64, x.block), slices.Repeat([]float64{1}, x.block)
	return &metropolis{&edges{network: &network{box: x, states: states}}}
}

// up calls visit with every run of n states from x on, among those from first to end without the
// latter, that have neighbours above, from y on.
func (a *stride) up(first, end int, visit func(x, y, n int)) {
	last := a.period - a.step
	for x, n := first, 0; x < end; x += n {
		if at := x % a.period; at < last {
			n = min(last-at, end-x)
			visit(x, x+a.step, n)
		} else if n = min(a.period-at, end-x); a.ring {
			visit(x, x-last, n)
		}
	}
}

// down does the same with neighbours below.
func (a *stride) down(first, end int, visit func(x, y, n int)) {
	for x, n := first, 0; x < end; x += n {
		if at := x % a.period; at >= a.step {
			n = min(a.period-at, end-x)
			visit(x, x-a.step, n)
		} else if n = min(a.step-at, end-x); a.ring {
			visit(x, x+a.period-a.step, n)
		}
	}
}

// eachRun calls visit with all runs of n edges from the states of a block, from x on, to neighbours
// from y on, each direction by itself, with the gates of runs that have other edges too.
func (b *boxed) eachRun(first, end int, visit func(x, y, n int, gates []float64)) {
	for k := range b.axes {
		axis := &b.axes[k]
		if axis.gates == nil {
			run := func(x, y, n int) { visit(x, y, n, nil) }
			axis.up(first, end, run)
			axis.down(first, end, run)
			continue
		}
		n := end - first - axis.step
		high := first + axis.step
		visit(first, high, n, axis.gates)
		visit(high, first, n, axis.gates)
	}
}

// functions are two functions u and a on the states, or what they are at those of a block.
type functions struct{ u, a []float64 }

// addFlows adds to d, for the states from first to end without the latter, the sums over their
// neighbours of min(f(x), f(y)) (v(y) - here(x)).
func (e *edges) addFlows(first, end int, d, here, v functions) {
	f := e.f
	e.box.eachRun(first, end, func(x, y, n int, gates []float64) {
		i := x - first
		to := d.u[i : i+n]
		at := here.u[i:]
		if gates == nil {
			e.box.unit.AddFlux(to, d.a[i:], f[x:], at, here.a[i:], f[y:], v.u[y:], v.a[y:])
			return
		}
		e.box.unit.AddGatedFlux(to, d.a[i:], f[x:], at, here.a[i:], f[y:], v.u[y:], v.a[y:], gates)
	})
}

// eachBlock has the crew call do with all blocks of states.
func (e *network) eachBlock(do func(first, end int)) {
	block := func(i int) { do(i*e.box.block, min((i+1)*e.box.block, e.states)) }
	blocks := (e.states + e.box.block - 1) / e.box.block
	if e.crew != nil {
		e.crew.Run(blocks, block)
		return
	}
	for i := range blocks {
		block(i)
	}
}

// throughBox calls write with the flow f (T v - v) to each state of every block for one or two
// functions v, or with the sum of s v over the neighbours if terms alone are asked for. It computes
// refused with the terms unless it is up to date.
func (e *edges) throughBox(v [][]float64, terms bool, write func(i, first int, gain []float64)) {
	b := e.box
	of := functions{v[0], v[len(v)-1]}
	var logf []float64
	if terms && e.refusedAt != e.loads {
		e.refusedAt, logf = e.loads, e.law.LogF()
		if e.refused == nil {
			e.refused = work.Slice[float64](e.states)
		}
	}
	e.eachBlock(func(first, end int) {
		memory, _ := b.memory.Get().(*[2 * blockStates]float64)
		if memory == nil {
			memory = new([2 * blockStates]float64)
		}
		defer b.memory.Put(memory)
		clear(memory[:])
		n := end - first
		d := functions{memory[:n], memory[n : 2*n]}
		switch {
		case logf != nil:
			e.addTerms(first, end, d, logf, of)
		case terms:
			e.addFlows(first, end, d, functions{b.zeros, b.zeros}, of)
		default:
			e.addFlows(first, end, d, functions{of.u[first:], of.a[first:]}, of)
		}
		for i, gain := range [][]float64{d.u, d.a}[:len(v)] {
			for x := range gain {
				gain[x] *= b.share
			}
			write(i, first, gain)
		}
	})
}

// addTerms adds what addFlows does for the terms alone, and computes refused of a block.
func (e *edges) addTerms(first, end int, d functions, logf []float64, v functions) {
	b := e.box
	f := e.f
	refused := e.refused[first:end]
	clear(refused)
	b.eachRun(first, end, func(x, y, n int, gates []float64) {
		if gates == nil {
			gates = b.ones
		}
		i := x - first
		b.unit.AddTerms(d.u[i:i+n], d.a[i:], refused[i:], f[x:], logf[x:], f[y:], logf[y:], v.u[y:], v.a[y:],
			gates)
	})
	for x := range refused {
		refused[x] = b.share * (refused[x] + b.outside(first+x)*f[first+x])
	}
}

// averageBox is Average for one or two functions.
func (e *edges) averageBox(dst, v [][]float64) {
	e.throughBox(v, false, func(i, first int, gain []float64) {
		to := dst[i][first:][:len(gain)]
		copy(to, gain)
		average(to, v[i][first:], e.inverse[first:])
	})
}

// termsBox is AverageTerms for one or two functions.
func (e *edges) termsBox(dst, v [][]float64) {
	e.throughBox(v, true, func(i, first int, gain []float64) {
		to := dst[i][first:][:len(gain)]
		from := v[i][first:][:len(gain)]
		refused := e.refused[first:][:len(gain)]
		inverse := e.inverse[first:][:len(gain)]
		for x, terms := range gain {
			to[x] = (float64(refused[x]*from[x]) + terms) * inverse[x]
		}
	})
}

// ShareTerms is Share for operators of which AverageTerms, too, is shared: on large spaces those of
// boxes, and of sequences of heat baths.
func ShareTerms(o Operator, c *crew.Crew) bool {
	list, divides := NetworksOf(o)
	listed := func(d divided) bool { n, is := d.(*network); return is && n.box == nil }
	return divides && len(list) > 0 && !slices.ContainsFunc(list, listed) && Share(o, c)
}

// TermsOf is AverageTerms for several functions: on a box two of them are moved at once.
func TermsOf(o Averager, dst, v [][]float64) {
	several(o, dst, v, (*edges).termsBox, Averager.AverageTerms)
}

// averagesOf is Average for several functions.
func averagesOf(o Averager, dst, v [][]float64) {
	several(o, dst, v, (*edges).averageBox, Averager.Average)
}

func several(o Averager, dst, v [][]float64, two func(e *edges, dst, v [][]float64),
	one func(o Averager, dst, v []float64)) {
	m, is := o.(*metropolis)
	for i := 0; i < len(v); i++ {
		if is && m.box != nil && i+1 < len(v) {
			two(m.edges, dst[i:i+2], v[i:i+2])
			i++
			continue
		}
		one(o, dst[i], v[i])
	}
}

// outside returns how many directions lead nowhere from a state.
func (b *boxed) outside(x int) float64 {
	n := b.idle
	for k := range b.walls {
		if at := x % b.walls[k].period; at < b.walls[k].step || at >= b.walls[k].period-b.walls[k].step {
			n++
		}
	}
	return n
}

// eachBoxed calls what with every run of edges and their conductances, in pieces of at most a
// block.
func (e *edges) eachBoxed(what func(r *run, share, s []float64)) {
	b := e.box
	s := make([]float64, blockStates)
	for k := range b.axes {
		b.axes[k].up(0, e.states, func(x, y, n int) {
			for from := 0; from < n; from += blockStates {
				r := run{x + from, y + from, min(blockStates, n-from)}
				for i := range r.n {
					s[i] = b.share * min(e.f[r.x+i], e.f[r.y+i])
				}
				what(&r, nil, s[:r.n])
			}
		})
	}
}
