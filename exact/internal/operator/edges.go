package operator

import (
	"context"
	"maps"
	"slices"

	"breadboard/chains"
	"breadboard/exact/internal/crew"
)

// proposed holds the proposals of a kernel: the pairs of states x < y that propose each other, and
// for every state the probability of a proposal that leads nowhere.
type proposed struct {
	strands map[int]*strand // by y - x
	outside []float64
}

// strand holds the pairs of states that are a certain distance apart, in the order of the smaller
// state.
type strand struct {
	runs  []run
	share []float64 // the probability with which either state is proposed from the other, by edge
	next  int       // the smaller state of the pair that would extend the last run
}

// addPair adds the pair of x and x + distance. x must be at least as large as in earlier calls.
func (s *strand) addPair(x, distance int, share float64) {
	switch {
	case len(s.runs) > 0 && x == s.next-1: // the pair once more
		s.share[len(s.share)-1] += share
		return
	case len(s.runs) == 0 || x > s.next+longestGap:
		s.runs = append(s.runs, run{x, x + distance, 0})
		s.next = x
	}
	for ; s.next < x; s.next++ {
		s.share = append(s.share, 0)
	}
	s.share = append(s.share, share)
	s.next++
	s.runs[len(s.runs)-1].n = s.next - s.runs[len(s.runs)-1].x
}

// proposals returns the proposals of a kernel with Metropolis acceptance. Under the uniform
// distribution such a kernel accepts every proposal, so that its rows there are the proposals, and
// the probability of staying is that of those that lead nowhere. A pair that several directions of
// a graph join gets the sum of their probabilities. Proposals are symmetric, so that a pair is
// taken from its smaller state only.
func proposals(ctx context.Context, k chains.Rower, states int) (proposed, error) {
	p := proposed{map[int]*strand{}, make([]float64, states)}
	alike := make([]float64, states)
	var row []chains.Entry
	for x := range states {
		if err := ctx.Err(); err != nil {
			// the row of one state may have millions of proposals, as of Moore's kernel
			return p, err
		}
		row = k.AppendRow(row[:0], alike, x)
		for _, e := range row {
			switch distance := e.To - x; {
			case distance == 0:
				p.outside[x] += e.P
			case distance > 0:
				p.strand(distance).addPair(x, distance, e.P)
			}
		}
	}
	return p, nil
}

// strand returns the strand of a distance, and makes it if there is none.
func (p *proposed) strand(distance int) *strand {
	s := p.strands[distance]
	if s == nil {
		s = &strand{}
		p.strands[distance] = s
	}
	return s
}

// edges are the pairs of states between which a local kernel moves. A conductance s = f(x) T(x,y)
// belongs to each, and
//
//	(T v)(x) = v(x) + 1/f(x) sum over the edges of s (v(y) - v(x)).
type edges struct {
	*network
	// refused is f times the probability of a refusal, by state. It is computed if it is needed
	// first.
	refused   []float64
	refusedAt int       // the load that it belongs to
	gain      []float64 // memory
	together  [][4]float64
}

// network holds the data that an operator of edges and its twins share.
type network struct {
	runs        []run
	states      int
	box         *boxed    // if not nil, the edges are those of a box, and nothing of them is listed below
	outside     []float64 // by state: the probability of a proposal that leads nowhere
	share       []float64 // by edge, in the order of the runs: the probability of the proposal of y from x
	back        []float64 // the same of x from y; it is share itself if proposals are symmetric
	conductance []float64 // by edge
	law         *Distribution
	f, inverse  []float64 // of law
	loads       int       // how often a distribution has been loaded

	scattered *scattered // if not nil, averages use it, and conductances are computed on demand
	conducted int        // the load that they belong to

	crew  *crew.Crew // works on the parts; see Share
	parts []part     // nil if the edges are not divided
}

// run is a row of edges between states next to each other: x+i and y+i for 0 <= i < n. Some of them
// only connect parts of a run, as from the end of a row of a grid to the beginning of the next;
// their share is zero.
type run struct{ x, y, n int }

// longestGap is the number of edges with a share of zero that a run may have one after another.
// They take less time than starting a new run.
const longestGap = 4

// newEdges returns the edges of what a kernel proposes, in an order that does not depend on that of
// a map. It fails if the context ends.
func newEdges(ctx context.Context, k chains.Rower, states int) (*edges, error) {
	p, err := proposals(ctx, k, states)
	if err != nil {
		return nil, err
	}
	e := edges{network: &network{outside: p.outside, states: states}}.twin()
	e.runs, e.share, err = p.collectRuns(ctx)
	if err != nil {
		return nil, err
	}
	e.back = e.share
	e.conductance = make([]float64, len(e.share))
	return e, nil
}

// collectRuns returns the runs and the shares of all strands, and deletes the strands. It fails if
// the context ends.
func (p *proposed) collectRuns(ctx context.Context) (runs []run, share []float64, err error) {
	count := 0
	for _, s := range p.strands {
		count += len(s.share)
	}
	share = make([]float64, 0, count)
	for _, distance := range slices.Sorted(maps.Keys(p.strands)) {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		s := p.strands[distance]
		runs, share = append(runs, s.runs...), append(share, s.share...)
		delete(p.strands, distance) // its memory may be needed for the others
	}
	return runs, share, nil
}

// twin returns other edges of the same network.
func (e edges) twin() *edges {
	if e.box != nil {
		return &edges{network: e.network}
	}
	return &edges{network: e.network, refused: make([]float64, e.states), gain: make([]float64, e.states)}
}

// takeLaw takes over a distribution.
func (e *edges) takeLaw(d *Distribution) {
	e.law = d
	e.f = d.F
	e.inverse = d.Inverse
	e.loads += 1
}

// eachRun calls what with every run, and with its part of the edges.
func (e *edges) eachRun(what func(r *run, share, s []float64)) {
	if e.box != nil {
		e.eachBoxed(what)
		return
	}
	first := 0
	for i := range e.runs {
		r := &e.runs[i]
		what(r, e.share[first:][:r.n], e.conductance[first:][:r.n])
		first += r.n
	}
}

// Average implements Operator.
func (e *edges) Average(dst, v []float64) {
	switch {
	case e.box != nil:
		e.averageBox([][]float64{dst}, [][]float64{v})
		return
	case e.parts != nil:
		e.averageInParts(dst, v)
		return
	}
	e.gains(dst, v)
	average(dst, v, e.inverse)
}

// average computes averages of v from the flow to each state.
func average(gain, v, inverse []float64) {
	v = v[:len(gain)]
	inverse = inverse[:len(gain)]
	for x := range gain {
		gain[x] = v[x] + gain[x]*inverse[x]
	}
}

// AddChange implements Operator.
func (e *edges) AddChange(dst, v []float64, weight float64) {
	switch {
	case e.box != nil:
		e.throughBox([][]float64{v}, false, func(_, first int, gain []float64) {
			addChange(dst[first:][:len(gain)], gain, e.inverse[first:], weight)
		})
		return
	case e.parts != nil:
		e.addChangeInParts(dst, v, weight)
		return
	}
	e.gains(e.gain, v)
	addChange(dst, e.gain, e.inverse, weight)
}

// addChange adds weight times the change by the flow to each state.
func addChange(dst, gain, inverse []float64, weight float64) {
	gain = gain[:len(dst)]
	inverse = inverse[:len(dst)]
	for x := range dst {
		dst[x] += weight * (gain[x] * inverse[x])
	}
}

// gains writes the flow to each state, f (T v - v), to dst.
func (e *edges) gains(dst, v []float64) {
	if e.scattered != nil {
		e.gatherGains(dst, v)
		return
	}
	clear(dst)
	e.eachRun(func(r *run, _, s []float64) {
		if r.y == r.x+1 {
			flowAlong(dst[r.x:][:r.n+1], v[r.x:][:r.n+1], s)
			return
		}
		flow(dst[r.x:][:r.n], dst[r.y:][:r.n], v[r.x:][:r.n], v[r.y:][:r.n], s)
	})
}

// flow adds the flows between the states of a run to their gains.
func flow(gainX, gainY, x, y, s []float64) {
	gainX = gainX[:len(s)]
	gainY = gainY[:len(s)]
	x = x[:len(s)]
	y = y[:len(s)]
	for i, c := range s {
		d := float64(c * (y[i] - x[i]))
		gainX[i] += d
		gainY[i] -= d
	}
}

// flowAlong is flow for consecutive states, so that each is both the end of an edge and the
// beginning of the next. It keeps the flow between them in a register.
func flowAlong(gain, v, s []float64) {
	gain = gain[:len(s)+1]
	v = v[:len(s)+1]
	before := 0.0
	here := v[0]
	for i, c := range s {
		next := v[i+1]
		d := float64(c * (next - here))
		gain[i] += d - before
		before = d
		here = next
	}
	gain[len(s)] -= before
}

// terms writes T v to dst as the sum of its terms, given refused.
func (e *edges) terms(dst, v []float64) {
	for x, refused := range e.refused {
		dst[x] = refused * v[x]
	}
	e.eachRun(func(r *run, _, s []float64) {
		x, y := v[r.x:][:len(s)], v[r.y:][:len(s)]
		gainX, gainY := dst[r.x:][:len(s)], dst[r.y:][:len(s)]
		for i, c := range s {
			gainX[i] += c * y[i]
			gainY[i] += c * x[i]
		}
	})
	for x, inverse := range e.inverse[:len(dst)] {
		dst[x] *= inverse
	}
}

// refuse computes refused unless it is up to date: proposals that lead nowhere and, by add, the
// refusals of each run.
func (e *edges) refuse(add func(r run, share, back, x, y, refusedX, refusedY []float64)) {
	if e.refusedAt == e.loads {
		return
	}
	e.refusedAt = e.loads
	for x, out := range e.outside {
		e.refused[x] = out * e.f[x]
	}
	first := 0
	for _, r := range e.runs {
		share := e.share[first:][:r.n]
		back := e.back[first:][:r.n]
		add(r, share, back, e.f[r.x:][:r.n], e.f[r.y:][:r.n], e.refused[r.x:][:r.n], e.refused[r.y:][:r.n])
		first += r.n
	}
}
