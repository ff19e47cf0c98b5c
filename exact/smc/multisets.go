package smc

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// multisets is the distribution of a number of particles whose order does not matter. It holds, for
// each multiset of states, the probability of the particles in one given order, which is the same
// for all orders. 20,825 multisets stand for the 117,649 triples of 49 states.
//
// Particles move one after another: after k moves the distribution is symmetric in those that have
// moved and in those that have not, so that it has an entry for each multiset of k states and each
// of P - k.
//
// There are C(n+P-1, P) multisets of P states among n. A distribution on the way, after k of P
// moves, has at most max_k C(n+k-1, k) n C(n+P-k-2, P-k-1) entries. A multiset with the counts c_x
// has P!/prod c_x! orders, all equally likely.
type multisets struct {
	n, size     int
	multinomial bool
	names       Method
	tables      []multisetTable // by size, from 0
	law         [][]float64     // by column
	next        [][]float64
	work        [][2][]float64 // by column: memory of a move
	row         [][]float64    // by column
}

// multisetTable lists the multisets of one size in the order of their sorted states, the last of
// which changes fastest.
type multisetTable struct {
	states []int32 // size states for each
	first  []int32 // by multiset: the place of the first one that has one more state, not less than its last
	with   []int32 // by multiset and state: the place of the multiset that has that state too
}

func newMultisets(n, size int, multinomial bool) *multisets {
	e := &multisets{n: n, size: size, multinomial: multinomial, names: MethodCounts}
	switch size {
	case 3:
		e.names = MethodTriples
	case 4:
		e.names = MethodQuadruples
	}
	return e
}

func (e *multisets) method() Method { return e.names }

// multisetCost is the cost of multisets: the most entries that a distribution has while it moves,
// and about how many operations a stage takes.
type multisetCost struct{ entries, operations float64 }

func multisetWork(n, size int) (c multisetCost) {
	all := Multisets(size, n)
	outcomes := 1.0
	if size > 4 {
		outcomes = all
	}
	c.operations = all * outcomes * float64(size)
	for k := range size {
		c.entries = max(c.entries, Multisets(k, n)*float64(n)*Multisets(size-k-1, n))
		c.operations += Multisets(k, n) * Multisets(size-k-1, n) * float64(n*n)
	}
	return c
}

// mostResidual and mostResidualWork bound the particles and the operations of a stage where
// residual resampling is followed by multisets on few states. Beyond 150 the number of orders of a
// multiset leaves float64.
const (
	mostResidual     = 150
	mostResidualWork = 1e9
)

func (e *multisets) drawFirst(p []float64, columns int) {
	e.tables = make([]multisetTable, e.size+1)
	e.tables[0] = multisetTable{first: []int32{0}}
	for k := 1; k <= e.size; k++ {
		before := &e.tables[k-1]
		t := &e.tables[k]
		count := int(Multisets(k, e.n))
		t.states = make([]int32, 0, count*k)
		t.first = make([]int32, 0, count)
		place := int32(0)
		for b := range before.first {
			head := before.states[b*(k-1) : (b+1)*(k-1)]
			low := 0
			if k > 1 {
				low = int(head[k-2])
			}
			for x := low; x < e.n; x++ {
				t.states = append(append(t.states, head...), int32(x))
				t.first = append(t.first, place)
				place += int32(e.n - x)
			}
		}
		before.with = make([]int32, len(before.first)*e.n)
		wider := make([]int32, k)
		for b := range before.first {
			head := before.states[b*(k-1) : (b+1)*(k-1)]
			for x := range e.n {
				at, _ := slices.BinarySearch(head, int32(x))
				copy(wider, head[:at])
				wider[at] = int32(x)
				copy(wider[at+1:], head[at:])
				before.with[b*e.n+x] = e.multisetPlace(wider)
			}
		}
	}
	e.law = make([][]float64, columns)
	e.next = make([][]float64, columns)
	e.work = make([][2][]float64, columns)
	e.row = make([][]float64, columns)
	t := &e.tables[e.size]
	most := int(multisetWork(e.n, e.size).entries)
	for j := range e.law {
		e.law[j], e.next[j] = make([]float64, len(t.first)), make([]float64, len(t.first))
		e.work[j] = [2][]float64{make([]float64, most), make([]float64, most)}
		e.row[j] = make([]float64, e.n*len(e.tables[e.size-1].first))
		if j == derivative {
			continue
		}
		for i := range e.law[j] {
			v := 1.0
			for _, x := range t.states[i*e.size : (i+1)*e.size] {
				v *= p[x]
			}
			e.law[j][i] = v
		}
	}
}

// multisetPlace returns the place of a sorted multiset among those of its size.
func (e *multisets) multisetPlace(states []int32) int32 {
	at := int32(0)
	low := int32(0)
	for k, x := range states {
		at = e.tables[k].first[at] + x - low
		low = x
	}
	return at
}

// parents are the distinct states of a multiset, with how many particles are in each.
type parents struct {
	states []int32
	counts []float64
	orders float64 // the number of orders of the particles
}

// countMultiset counts a sorted multiset.
func (f *parents) countMultiset(states []int32) {
	f.states = f.states[:0]
	f.counts = f.counts[:0]
	f.orders = 1
	for i, x := range states {
		if last := len(f.states) - 1; last >= 0 && f.states[last] == x {
			f.counts[last]++
		} else {
			f.states, f.counts = append(f.states, x), append(f.counts, 1)
		}
		f.orders *= float64(i+1) / f.counts[len(f.counts)-1]
	}
}

func (e *multisets) resample(w *weighing, c *account) {
	for j := range e.next {
		clear(e.next[j])
	}
	t := &e.tables[e.size]
	var f parents
	o := offspring{
		e:     e,
		sure:  make([]int, e.size),
		share: make([]float64, e.size),
		child: make([]int32, 0, e.size),
	}
	for i := range t.first {
		if i%1024 == 0 && c.stops() {
			return
		}
		f.countMultiset(t.states[i*e.size : (i+1)*e.size])
		total := 0.0
		rise := 0.0
		for k, x := range f.states {
			total += f.counts[k] * w.w[x]
			rise += f.counts[k] * w.rise[x]
		}
		var v [maxColumns]float64
		for j, law := range e.law {
			v[j] = law[i] * f.orders
		}
		if !c.tilt(&v, total/float64(e.size), rise/float64(e.size)) || v == [maxColumns]float64{} {
			continue
		}
		o.descend(&f, w, total, &v)
	}
	e.law, e.next = e.next, e.law
}

// offspring adds up the distributions of the offspring of multisets.
type offspring struct {
	e      *multisets
	states []int32
	sure   []int     // by distinct parent: the deterministic offspring of its particles
	share  []float64 // by distinct parent: the probability that a drawn particle is its offspring
	drawn  int       // the number of particles that are drawn
	child  []int32
	v      *[maxColumns]float64
}

// descend adds the offspring of one multiset of parents.
func (o *offspring) descend(f *parents, w *weighing, total float64, v *[maxColumns]float64) {
	size := float64(o.e.size)
	o.states = f.states
	o.v = v
	o.drawn = o.e.size
	rest := 0.0
	for k, x := range f.states {
		o.sure[k], o.share[k] = 0, f.counts[k]*w.w[x]/total
		if o.e.multinomial {
			continue
		}
		mean := size * w.w[x] / total // of each particle that is there
		o.sure[k] = int(f.counts[k]) * int(mean)
		o.drawn -= o.sure[k]
		o.share[k] = f.counts[k] * (mean - float64(int(mean)))
		rest += o.share[k]
	}
	if o.drawn < 0 { // rounding has made a sum of whole parts too large
		o.drawn = 0
	}
	if !o.e.multinomial && o.drawn > 0 {
		for k := range f.states {
			o.share[k] /= rest
		}
	}
	o.child = o.child[:0]
	o.enumerateDraws(0, o.drawn, 0, 1, 1)
}

// enumerateDraws enumerates the ways in which the remaining drawn particles fall on the parents
// from the k-th on. The distribution holds the probability of one order. orders is the number of
// orders of the particles drawn so far, over that of all particles placed so far, and p the
// probability of one such order.
func (o *offspring) enumerateDraws(k, left int, at int32, p, orders float64) {
	if k == len(o.states) {
		if left == 0 {
			for j, next := range o.e.next {
				next[at] += p * orders * o.v[j]
			}
		}
		return
	}
	x := o.states[k]
	placed := len(o.child)
	o.addParticles(x, o.sure[k], &at)
	for i := 1; i <= o.sure[k]; i++ {
		orders *= float64(i) / float64(placed+i)
	}
	for drawn := 0; ; drawn++ {
		if k < len(o.states)-1 || drawn == left {
			o.enumerateDraws(k+1, left-drawn, at, p, orders)
		}
		if drawn == left || o.share[k] == 0 {
			break
		}
		o.addParticles(x, 1, &at)
		p *= o.share[k]
		// One more of the drawn, and one more of all that are at x.
		before := float64(o.drawn - left + drawn + 1)
		orders *= before / float64(drawn+1) * float64(o.sure[k]+drawn+1) / float64(len(o.child))
	}
	o.child = o.child[:placed]
}

// addParticles adds particles in a state to the child, whose place is at.
func (o *offspring) addParticles(x int32, count int, at *int32) {
	for range count {
		low := int32(0)
		if k := len(o.child); k > 0 {
			low = o.child[k-1]
		}
		*at = o.e.tables[len(o.child)].first[*at] + x - low
		o.child = append(o.child, x)
	}
}

func (e *multisets) moveParticles(ctx context.Context, t *transition, share func(int, func(int))) {
	share(len(e.law), func(j int) {
		in := e.law[j]
		out := e.work[j][0]
		for k := range e.size {
			if k == e.size-1 {
				out = e.next[j]
			}
			e.moveOne(ctx, t, k, in, out, e.row[j])
			in = out
			out = e.work[j][(k+1)%2]
		}
		e.law[j], e.next[j] = e.next[j], e.law[j]
	})
}

// moveOne moves one more particle, after k of them. Each multiset of states after the move is made
// once: the new state is not less than the last of those that have moved.
func (e *multisets) moveOne(ctx context.Context, t *transition, k int, in, out, row []float64) {
	stay := e.tables[e.size-k-1]
	moved := e.tables[k]
	width := len(stay.first)
	before := len(e.tables[e.size-k].first)
	for a := range moved.first {
		if ctx.Err() != nil {
			return
		}
		source := in[a*before : (a+1)*before]
		low := 0
		if k > 0 {
			low = int(moved.states[(a+1)*k-1])
		}
		if width == 1 {
			for y := low; y < e.n; y++ {
				out[int(moved.first[a])+y-low] = t.arriving(y, source)
			}
			continue
		}
		for x := range e.n {
			to := row[x*width : (x+1)*width]
			for b := range to {
				to[b] = source[stay.with[b*e.n+x]]
			}
		}
		for y := low; y < e.n; y++ {
			at := (int(moved.first[a]) + y - low) * width
			to := out[at : at+width]
			clear(to)
			for i := t.start[y]; i < t.start[y+1]; i++ {
				x := int(t.from[i])
				floats.AddScaled(to, t.p[i], row[x*width:(x+1)*width])
			}
		}
	}
}

func (e *multisets) outputs() [][]float64 {
	out := make([][]float64, len(e.law))
	t := &e.tables[e.size]
	for j := range out {
		out[j] = make([]float64, e.n)
	}
	var f parents
	for i := range t.first {
		f.countMultiset(t.states[i*e.size : (i+1)*e.size])
		for k, x := range f.states {
			for j, law := range e.law {
				out[j][x] += law[i] * f.orders * (f.counts[k] / float64(e.size))
			}
		}
	}
	return out
}
