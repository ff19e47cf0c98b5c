package operator

import (
	"breadboard/exact/internal/crew"
)

const (
	// partStates is the number of states of a part, whose gains fit the nearest cache.
	partStates = 1 << 12
	// mostSegments is the number of segments, of 32 bytes, above which edges are not divided. Their
	// runs are then as short as an edge.
	mostSegments = 1 << 25
)

// Share makes an operator, its twins and its reversal share the work of each call with a crew. It
// returns false if the operator contains one that cannot be divided. Only one of them may then be
// called at a time. Results are the same to the last bit for any number of workers, and without a
// crew.
func Share(o Operator, c *crew.Crew) bool {
	networks, divides := NetworksOf(o)
	for _, n := range networks {
		divides = divides && n.Divide(partStates)
	}
	for _, n := range networks {
		n.sharedBy(c, divides)
	}
	return divides
}

// divided is what operators and their twins share, and whose work a crew can share.
type divided interface {
	// Divide divides it into parts of the given number of states, if it can be.
	Divide(size int) bool
	// sharedBy sets the crew if it is to be shared, and else undoes the division.
	sharedBy(c *crew.Crew, divides bool)
}

// sharedBy implements divided.
func (e *network) sharedBy(c *crew.Crew, divides bool) {
	e.crew = c
	if !divides {
		e.crew = nil
		e.parts = nil
	}
}

// Divide implements divided: tiles are.
func (m *means) Divide(int) bool { return m.Unsummed }

// sharedBy implements divided.
func (m *means) sharedBy(c *crew.Crew, divides bool) {
	m.crew = c
	if !divides {
		m.crew = nil
	}
}

// NetworksOf returns the networks of an operator, and false if it has other parts.
func NetworksOf(o Operator) (list []divided, only bool) {
	switch o := o.(type) {
	case *metropolis:
		return []divided{o.network}, true
	case *barker:
		return []divided{o.network}, true
	case *lumpedMetropolis:
		return []divided{o.network}, true
	case *lumpedBarker:
		return []divided{o.network}, true
	case *lines:
		return []divided{o.means}, true
	case *sequence:
		return networksOfAll(o.parts)
	case *mixture:
		return networksOfAll(o.parts)
	case stay:
		return nil, true
	}
	return nil, false
}

func networksOfAll(parts []Operator) (list []divided, only bool) {
	for _, part := range parts {
		networks, divides := NetworksOf(part)
		if !divides {
			return nil, false
		}
		list = append(list, networks...)
	}
	return list, true
}

// part is the states from first to end, without the latter, with all edges that have an end there.
// An edge between two parts belongs to both: each computes the gain of its own state.
type part struct {
	first, end int
	segments   []segment
}

// segment is edges of a run: those from x+i to y+i for 0 <= i < n, which are number first+i of the
// network.
type segment struct {
	x, y, n int32
	ends    ends
	edge    int
}

// ends say which ends of the edges of a segment are in the part.
type ends int32

const (
	both  ends = iota
	upper      // y alone
	lower      // x alone
	along      // the states follow one another, and the segment is the whole run; see flowAlong
)

// Divide divides the network into parts of the given number of states. It returns false if that
// would take too much memory.
//
// The gains of a state are added in the order of the runs, and in a run first from below and then
// from above, as without parts. So the rounding is the same.
func (e *network) Divide(size int) bool {
	if e.scattered != nil || e.box != nil {
		return true // its workers take blocks of states
	}
	if 2*len(e.runs) > mostSegments {
		return false
	}
	states := e.states
	e.parts = nil
	for first := 0; first < states; first += size {
		e.parts = append(e.parts, part{first: first, end: min(first+size, states)})
	}
	edge := 0
	for _, r := range e.runs {
		last := (r.x + r.n - 1) / size
		for i := r.x / size; i <= last; i++ {
			e.parts[i].addEdges(r, edge)
		}
		for i := max(last+1, r.y/size); i <= (r.y+r.n-1)/size; i++ {
			e.parts[i].addEdges(r, edge)
		}
		edge += r.n
	}
	return true
}

// addEdges adds the edges of a run that have an end in the part; the first of the run has the given
// number.
func (p *part) addEdges(r run, edge int) {
	if r.y == r.x+1 {
		p.segments = append(p.segments, segment{int32(r.x), int32(r.y), int32(r.n), along, edge})
		return
	}
	add := func(ends ends, from, to int) {
		from, to = max(from, 0), min(to, r.n)
		if from < to {
			p.segments = append(p.segments,
				segment{int32(r.x + from), int32(r.y + from), int32(to - from), ends, edge + from})
		}
	}
	add(upper, p.first-r.y, min(p.end-r.y, p.first-r.x))
	add(both, p.first-r.x, p.end-r.y)
	add(lower, max(p.first-r.x, p.end-r.y), p.end-r.x)
}

// clip returns which edges of a segment begin in the part: from x+from to x+to, without the latter.
func (p *part) clip(s *segment) (from, to int) {
	switch s.ends {
	case upper:
		return 0, 0
	case along:
		return max(0, p.first-int(s.x)), min(int(s.n), p.end-int(s.x))
	}
	return 0, int(s.n)
}

// conduct computes the conductances of all edges, a row of them at a time: by writes those of edges
// with these shares, there and back, between states with the f of x and y, to s.
func (e *edges) conduct(by func(s, share, back, x, y []float64)) {
	switch {
	case e.box != nil:
		return
	case e.parts != nil:
		e.conductInParts(by)
		return
	}
	first := 0
	for _, r := range e.runs {
		by(e.conductance[first:][:r.n], e.share[first:][:r.n], e.back[first:][:r.n], e.f[r.x:][:r.n],
			e.f[r.y:][:r.n])
		first += r.n
	}
}

func (e *edges) conductInParts(by func(s, share, back, x, y []float64)) {
	e.inParts(func(p *part) {
		for j := range p.segments {
			s := &p.segments[j]
			if from, to := p.clip(s); from < to {
				x := int(s.x) + from
				y := int(s.y) + from
				n := to - from
				edge := s.edge + from
				by(e.conductance[edge:][:n], e.share[edge:][:n], e.back[edge:][:n], e.f[x:][:n], e.f[y:][:n])
			}
		}
	})
}

// inParts has the crew call do with all parts.
func (e *edges) inParts(do func(p *part)) { e.crew.Run(len(e.parts), func(i int) { do(&e.parts[i]) }) }

// averageInParts is Average for a divided network.
func (e *edges) averageInParts(dst, v []float64) {
	e.inParts(func(p *part) {
		e.gainAt(p, dst, v)
		average(dst[p.first:p.end], v[p.first:p.end], e.inverse[p.first:p.end])
	})
}

// addChangeInParts is AddChange for a divided network.
func (e *edges) addChangeInParts(dst, v []float64, weight float64) {
	e.inParts(func(p *part) {
		e.gainAt(p, e.gain, v)
		addChange(dst[p.first:p.end], e.gain[p.first:p.end], e.inverse[p.first:p.end], weight)
	})
}

// gainAt writes the flow to each state of a part, f (T v - v), to dst. It is gains for a part.
func (e *edges) gainAt(p *part, dst, v []float64) {
	clear(dst[p.first:p.end])
	for j := range p.segments {
		s := &p.segments[j]
		n := int(s.n)
		c := e.conductance[s.edge:][:n]
		if s.ends == along {
			p.flowAlong(s, dst, v, c)
			continue
		}
		gainX, gainY := dst[s.x:][:n], dst[s.y:][:n]
		x, y := v[s.x:][:n], v[s.y:][:n]
		switch s.ends {
		case both:
			flow(gainX, gainY, x, y, c)
		case upper:
			for i, c := range c {
				gainY[i] -= float64(c * (y[i] - x[i]))
			}
		case lower:
			for i, c := range c {
				gainX[i] += float64(c * (y[i] - x[i]))
			}
		}
	}
}

// flowAlong is flowAlong for the states of a run that are in the part.
func (p *part) flowAlong(s *segment, gain, v, c []float64) {
	from, to := max(0, p.first-int(s.x)), min(int(s.n), p.end-int(s.x))
	gain = gain[s.x:]
	v = v[s.x:]
	before := 0.0
	if from > 0 {
		before = float64(c[from-1] * (v[from] - v[from-1]))
	}
	here := v[from]
	for i := from; i < to; i++ {
		next := v[i+1]
		d := float64(c[i] * (next - here))
		gain[i] += d - before
		before = d
		here = next
	}
	if last := int(s.n); int(s.x)+last < p.end {
		gain[last] -= before
	}
}
