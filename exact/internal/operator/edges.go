package operator

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"breadboard/chains"
)

// proposed is what a kernel proposes: the pairs of states x < y of which it proposes each from the other, and for every
// state the probability of a proposal that leads nowhere.
type proposed struct {
	pairs   map[kind][]int32 // by the kind of pair the states x, in order
	outside []float64
}

// kind is what pairs have in common: y - x, and the probability with which either state is proposed from the other.
type kind struct {
	distance int
	share    float64
}

// lookEvery is the number of states after which a look at the context is due.
const lookEvery = 1 << 12

// proposals returns what a kernel proposes that accepts as Metropolis does. Under the uniform distribution such a kernel
// accepts every proposal, so that its rows there are the proposals, and the probability of staying is that of those that
// lead nowhere. A pair that several directions of a graph join stands there once for each of them. Proposals are
// symmetric, so that a pair is taken from its smaller state only.
func proposals(ctx context.Context, k chains.Rower, states int) (proposed, error) {
	p := proposed{map[kind][]int32{}, make([]float64, states)}
	alike := make([]float64, states)
	var row []chains.Entry
	for x := range states {
		if x%lookEvery == 0 && ctx.Err() != nil {
			return p, ctx.Err()
		}
		row = k.AppendRow(row[:0], alike, x)
		for _, e := range row {
			switch of := (kind{e.To - x, e.P}); {
			case e.To == x:
				p.outside[x] += e.P
			case x < e.To:
				p.pairs[of] = append(p.pairs[of], int32(x))
			}
		}
	}
	return p, nil
}

// edges are the pairs of states between which a local kernel moves. A conductance s = f(x) T(x,y) belongs to each, and
//
//	(T v)(x) = v(x) + 1/f(x) sum over the edges of s (v(y) - v(x)).
type edges struct {
	runs        []run
	outside     []float64 // by state: the probability of a proposal that leads nowhere
	conductance []float64 // by edge, in the order of the runs
	f, inverse  []float64
	// refused is f times the probability of a refusal, by state. It is computed where it is needed first.
	refused []float64
	stale   bool // whether refused is that of an earlier distribution
}

// run is a row of edges between states next to each other: x+i and y+i for 0 <= i < n.
type run struct {
	x, y, n int
	share   float64
}

// newEdges returns the edges of proposals, in an order that does not depend on that of a map.
func newEdges(p proposed) edges {
	e := edges{outside: p.outside, refused: make([]float64, len(p.outside))}
	kinds := slices.SortedFunc(maps.Keys(p.pairs), func(a, b kind) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.share, b.share))
	})
	total := 0
	for _, of := range kinds {
		next := -1
		for _, x := range p.pairs[of] {
			if int(x) != next {
				e.runs = append(e.runs, run{int(x), int(x) + of.distance, 0, of.share})
			}
			e.runs[len(e.runs)-1].n++
			next = int(x) + 1
		}
		total += len(p.pairs[of])
	}
	e.conductance = make([]float64, total)
	return e
}

// load takes over a distribution.
func (e *edges) load(d *Distribution) { e.f, e.inverse, e.stale = d.F, d.Inverse, true }

// each calls what with every run and its conductances.
func (e *edges) each(what func(r *run, s []float64)) {
	first := 0
	for i := range e.runs {
		r := &e.runs[i]
		what(r, e.conductance[first:][:r.n])
		first += r.n
	}
}

// Average implements Operator.
func (e *edges) Average(dst, v []float64) {
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
	inverse, v := e.inverse[:len(dst)], v[:len(dst)]
	for x := range dst {
		dst[x] = v[x] + dst[x]*inverse[x]
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
	e.each(func(r *run, s []float64) {
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
func (e *edges) refuse(add func(r *run, x, y, refusedX, refusedY []float64)) {
	if !e.stale {
		return
	}
	e.stale = false
	for x, out := range e.outside {
		e.refused[x] = out * e.f[x]
	}
	e.each(func(r *run, s []float64) {
		n := len(s)
		add(r, e.f[r.x:][:n], e.f[r.y:][:n], e.refused[r.x:][:n], e.refused[r.y:][:n])
	})
}
