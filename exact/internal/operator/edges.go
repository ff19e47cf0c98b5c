package operator

import (
	"context"
	"maps"
	"slices"

	"breadboard/chains"
)

// proposed is what a kernel proposes: the pairs of states x < y of which it proposes each from the other, and for every
// state the probability of a proposal that leads nowhere.
type proposed struct {
	pairs   map[int][]pair // by y - x, in the order of x
	outside []float64
}

// pair is the smaller state of a pair, and the probability with which either one is proposed from the other.
type pair struct {
	x     int32
	share float64
}

// lookEvery is the number of states after which a look at the context is due.
const lookEvery = 1 << 12

// proposals returns what a kernel proposes that accepts as Metropolis does. Under the uniform distribution such a kernel
// accepts every proposal, so that its rows there are the proposals, and the probability of staying is that of those that
// lead nowhere. A pair that several directions of a graph join stands there once for each of them. Proposals are
// symmetric, so that a pair is taken from its smaller state only.
func proposals(ctx context.Context, k chains.Rower, states int) (proposed, error) {
	p := proposed{map[int][]pair{}, make([]float64, states)}
	alike := make([]float64, states)
	var row []chains.Entry
	for x := range states {
		if x%lookEvery == 0 && ctx.Err() != nil {
			return p, ctx.Err()
		}
		row = k.AppendRow(row[:0], alike, x)
		for _, e := range row {
			switch distance := e.To - x; {
			case distance == 0:
				p.outside[x] += e.P
			case distance > 0:
				p.pairs[distance] = append(p.pairs[distance], pair{int32(x), e.P})
			}
		}
	}
	return p, nil
}

// edges are the pairs of states between which a local kernel moves. A conductance s = f(x) T(x,y) belongs to each, and
//
//	(T v)(x) = v(x) + 1/f(x) sum over the edges of s (v(y) - v(x)).
type edges struct {
	*network
	// refused is f times the probability of a refusal, by state. It is computed where it is needed first.
	refused   []float64
	refusedAt int       // the load that it belongs to
	gain      []float64 // memory
}

// network is what an operator of edges and its twins share.
type network struct {
	runs        []run
	outside     []float64 // by state: the probability of a proposal that leads nowhere
	share       []float64 // by edge, in the order of the runs: the probability of the proposal
	conductance []float64 // by edge
	law         *Distribution
	f, inverse  []float64 // of law
	loads       int       // how often a distribution has been loaded
}

// run is a row of edges between states next to each other: x+i and y+i for 0 <= i < n. Some of them are there only so that
// the run goes on, as from the end of a row of a grid to the beginning of the next; their share is zero.
type run struct{ x, y, n int }

// longestGap is the number of edges with a share of zero that a run may have one after another. They take less time than the
// beginning of a new run does.
const longestGap = 4

// newEdges returns the edges of proposals, in an order that does not depend on that of a map.
func newEdges(p proposed) *edges {
	e := edges{network: &network{outside: p.outside}}.twin()
	for _, distance := range slices.Sorted(maps.Keys(p.pairs)) {
		next := -1 << 31 // the x that would go on with the last run of this distance
		for _, q := range p.pairs[distance] {
			x := int(q.x)
			switch {
			case x == next-1: // the pair once more
				e.share[len(e.share)-1] += q.share
				continue
			case x > next+longestGap:
				e.runs = append(e.runs, run{x, x + distance, 0})
				next = x
			}
			for ; next < x; next++ {
				e.add(0)
			}
			e.add(q.share)
			next++
		}
	}
	e.conductance = make([]float64, len(e.share))
	return e
}

// twin returns other edges of the same network.
func (e edges) twin() *edges {
	n := len(e.outside)
	return &edges{network: e.network, refused: make([]float64, n), gain: make([]float64, n)}
}

// add adds an edge to the last run.
func (e *edges) add(share float64) {
	e.runs[len(e.runs)-1].n++
	e.share = append(e.share, share)
}

// load takes over a distribution.
func (e *edges) load(d *Distribution) { e.law, e.f, e.inverse, e.loads = d, d.F, d.Inverse, e.loads+1 }

// each calls what with every run, and with its part of the edges.
func (e *edges) each(what func(r *run, share, s []float64)) {
	first := 0
	for i := range e.runs {
		r := &e.runs[i]
		what(r, e.share[first:][:r.n], e.conductance[first:][:r.n])
		first += r.n
	}
}

// Average implements Operator.
func (e *edges) Average(dst, v []float64) {
	e.gains(dst, v)
	inverse, v := e.inverse[:len(dst)], v[:len(dst)]
	for x := range dst {
		dst[x] = v[x] + dst[x]*inverse[x]
	}
}

// AddChange implements Operator.
func (e *edges) AddChange(dst, v []float64, weight float64) {
	e.gains(e.gain, v)
	gain, inverse := e.gain[:len(dst)], e.inverse[:len(dst)]
	for x := range dst {
		dst[x] += weight * (gain[x] * inverse[x])
	}
}

// gains writes to dst what flows to each state, f (T v - v).
func (e *edges) gains(dst, v []float64) {
	clear(dst)
	first := 0
	for i := range e.runs {
		r := &e.runs[i]
		s := e.conductance[first:][:r.n]
		first += r.n
		if r.y == r.x+1 {
			flowAlong(dst[r.x:][:r.n+1], v[r.x:][:r.n+1], s)
			continue
		}
		flow(dst[r.x:][:r.n], dst[r.y:][:r.n], v[r.x:][:r.n], v[r.y:][:r.n], s)
	}
}

// flow adds the flows between the states of a run to what these gain.
func flow(gainX, gainY, x, y, s []float64) {
	gainX, gainY, x, y = gainX[:len(s)], gainY[:len(s)], x[:len(s)], y[:len(s)]
	for i, c := range s {
		d := c * (y[i] - x[i])
		gainX[i] += d
		gainY[i] -= d
	}
}

// flowAlong is flow for states that follow one another, so that each is both the end of an edge and the beginning of the
// next. It hands the flow on from one to the next in a register.
func flowAlong(gain, v, s []float64) {
	gain, v = gain[:len(s)+1], v[:len(s)+1]
	before, here := 0.0, v[0]
	for i, c := range s {
		next := v[i+1]
		d := c * (next - here)
		gain[i] += d - before
		before, here = d, next
	}
	gain[len(s)] -= before
}

// terms writes T v to dst as the sum of its terms, given what is refused.
func (e *edges) terms(dst, v []float64) {
	for x, refused := range e.refused {
		dst[x] = refused * v[x]
	}
	e.each(func(r *run, _, s []float64) {
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

// refuse computes refused, unless it is there: what leads nowhere, and by add what each run refuses.
func (e *edges) refuse(add func(share, x, y, refusedX, refusedY []float64)) {
	if e.refusedAt == e.loads {
		return
	}
	e.refusedAt = e.loads
	for x, out := range e.outside {
		e.refused[x] = out * e.f[x]
	}
	e.each(func(r *run, share, _ []float64) {
		add(share, e.f[r.x:][:r.n], e.f[r.y:][:r.n], e.refused[r.x:][:r.n], e.refused[r.y:][:r.n])
	})
}
