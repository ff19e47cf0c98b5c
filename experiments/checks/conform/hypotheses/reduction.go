package hypotheses

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"sort"
)

// reduction puts chains into cells.
type reduction interface {
	// cells returns the number of cells.
	cells() int
	// cell returns the cell of a chain; ends that are not known are not looked at. It may draw from
	// rng.
	cell(first, last int32, logw float64, rng *rand.Rand) int
	// name describes a cell for messages, with the states by state.
	name(cell int, state func(x int) string) string
}

// listed is the reduction where every log weight is one of a list. There is a cluster of log
// weights for each cell, and three kinds of further cells: beside each cluster of the specification
// one for log weights that are off by what single precision loses, and the last cell for all that
// is on no list.
type listed struct {
	columns  Columns
	n        int
	clusters [][]cluster // by key, in increasing order
	count    int
	near     int // the number of cells for log weights beside a cluster; 0 if they are not told apart from it
	window   float64
	slack    func(v float64) float64
	where    []place // by cell
}

// cluster is a range of log weights that are one outcome.
type cluster struct {
	low, high float64
	cell      int
	beside    int // the cell of log weights within the window; -1 for none
}

type place struct {
	key int
	v   float64
}

// setClusters finds the clusters of the log weights of all programs, to which it reduces. The log
// weights of the specification come first.
func (l *listed) setClusters(ctx context.Context, programs [][][]atom) error {
	l.clusters = make([][]cluster, l.columns.keys(l.n))
	for key := range l.clusters {
		if err := ctx.Err(); err != nil {
			return err
		}
		var values []float64
		for _, p := range programs {
			for _, a := range p[key] {
				values = append(values, a.v)
			}
		}
		sort.Float64s(values)
		l.clusters[key] = l.cluster(key, values)
	}
	if l.window > 0 {
		for key, list := range programs[0] {
			for _, a := range list {
				if c := l.findCluster(key, a.v); c != nil && c.beside < 0 && !math.IsInf(a.v, 0) {
					c.beside = l.count
					l.where = append(l.where, place{key, a.v})
					l.count++
					l.near++
				}
			}
		}
	}
	l.count++ // for what is on no list
	return nil
}

// cluster joins sorted values that lie so close that rounding could exchange them, and gives each
// cluster its cell.
func (l *listed) cluster(key int, values []float64) []cluster {
	var out []cluster
	for _, v := range values {
		if n := len(out); n > 0 && (v == out[n-1].high || v-out[n-1].high <= 4*l.slack(v)) {
			out[n-1].high = v
			continue
		}
		out = append(out, cluster{v, v, l.count, -1})
		l.where = append(l.where, place{key, v})
		l.count++
	}
	return out
}

func (l *listed) cells() int { return l.count }

// findCluster returns the cluster that a log weight is in, and nil if it is in none.
func (l *listed) findCluster(key int, v float64) *cluster {
	i := l.search(key, v)
	slack := l.slack(v)
	for _, at := range []int{i - 1, i} {
		if at >= 0 && at < len(l.clusters[key]) {
			if c := &l.clusters[key][at]; v == c.low || v >= c.low-slack && v <= c.high+slack {
				return c
			}
		}
	}
	return nil
}

// search returns the place of the first cluster that begins at v or above.
func (l *listed) search(key int, v float64) int {
	list := l.clusters[key]
	return sort.Search(len(list), func(i int) bool { return !(list[i].low < v) })
}

func (l *listed) cell(first, last int32, logw float64, _ *rand.Rand) int {
	key := l.columns.key(int(first), int(last), l.n)
	if !l.columns.LogW {
		logw = 0
	}
	if c := l.findCluster(key, logw); c != nil {
		return c.cell
	}
	return l.beside(key, logw)
}

// beside returns the cell of a log weight that is off a cluster by what single precision loses, and
// the last cell if it is not.
func (l *listed) beside(key int, v float64) int {
	i := l.search(key, v)
	best := l.count - 1
	nearest := l.window
	for _, c := range l.clusters[key][max(0, i-2):min(len(l.clusters[key]), i+2)] {
		if d := max(c.low-v, v-c.high); c.beside >= 0 && d <= nearest {
			best = c.beside
			nearest = d
		}
	}
	return best
}

func (l *listed) name(cell int, state func(x int) string) string {
	if cell == l.count-1 {
		return "ends and a log weight that no path has"
	}
	p := l.where[cell]
	text := ends(l.columns, p.key, l.n, state)
	if l.columns.LogW {
		text += ", log w = " + sixDigits(p.v)
		if cell >= l.count-1-l.near {
			text += " within the digits of single precision only"
		}
	}
	return trimmed(text)
}

// exactInSingle is the probability with which a log weight that was computed in single precision is
// taken to be that of double precision all the same. How often this happens depends on the program.
const exactInSingle = 0.01

// blurred returns the counts with those beside a cluster added to those of the cluster, and the log
// probability of the part of them that is in each cluster itself. A path has one log weight in
// single precision, and a cluster has few paths, so that of most clusters all weights or none come
// out exact: the part that does has the density of a beta distribution with both parameters
// nearlyAll before, for each cluster by itself.
func (l *listed) blurred(counts []int) (merged []int, logParts float64) {
	const nearlyAll = 0.1
	logBeta := func(a, b float64) float64 {
		va, _ := math.Lgamma(a)
		vb, _ := math.Lgamma(b)
		both, _ := math.Lgamma(a + b)
		return va + vb - both
	}
	merged = slices.Clone(counts)
	for _, list := range l.clusters {
		for _, c := range list {
			if c.beside >= 0 && counts[c.cell]+counts[c.beside] > 0 {
				logParts += logBeta(float64(counts[c.cell])+nearlyAll, float64(counts[c.beside])+nearlyAll) -
					logBeta(nearlyAll, nearlyAll)
				merged[c.cell] += counts[c.beside]
				merged[c.beside] = 0
			}
		}
	}
	return merged, logParts
}

// probabilities returns the probability of every cell under a program with the given log weights.
func (l *listed) probabilities(list [][]atom, blurred bool) []float64 {
	p := make([]float64, l.count)
	for key, atoms := range list {
		for _, a := range atoms {
			switch c := l.findCluster(key, a.v); {
			case c == nil:
				p[l.count-1] += a.p
			case !blurred || c.beside < 0:
				p[c.cell] += a.p
			default:
				p[c.cell] += a.p * exactInSingle
				p[c.beside] += a.p * (1 - exactInSingle)
			}
		}
	}
	return p
}

// binned is the reduction to bins of a circle.
type binned struct {
	*wrappedLaw
	columns Columns
	n       int
}

func (b *binned) cells() int { return b.columns.keys(b.n) * b.bins() }

func (b *binned) cell(first, last int32, logw float64, rng *rand.Rand) int {
	return b.columns.key(int(first), int(last), b.n)*b.bins() + b.bin(logw, rng)
}

func (b *binned) name(cell int, state func(x int) string) string {
	text := ends(b.columns, cell/b.bins(), b.n, state)
	switch bin := cell % b.bins(); bin {
	case b.bins() - 2:
		text += ", log w = -Inf"
	case b.bins() - 1:
		text += ", log w = +Inf"
	default:
		at := func(edge float64) string { return sixDigits(b.center + b.period*(edge-0.5)) }
		text += ", log w with some noise in " + at(b.edges[bin]) + ".." + at(b.edges[bin+1])
	}
	return trimmed(text)
}

// atom is a value of the log weight and its probability.
type atom struct{ v, p float64 }

// maxAtoms is the largest number of values of the log weight, over all pairs of ends, that are kept
// of one program.
const maxAtoms = 1 << 17

// maxMoves is the largest number of times that such a value is taken along a move. It is reached in
// about a second.
const maxMoves = 1 << 24

// errManyAtoms is the error of a program whose log weight can take too many values.
var errManyAtoms = errors.New("the log weight can take too many values to list them")

// grain is the relative difference between two sums of the same increments in another order that is
// taken for rounding.
const grain = 1e-12

// atomsOf returns the log weights that a program writes and their probabilities, in increasing
// order, for every key of the columns. Values that differ by rounding only, by size times grain at
// most, are one.
func (c *code) atomsOf(ctx context.Context, m *markov, columns Columns, size float64) ([][]atom, error) {
	origins := c.origins(columns, m.n)
	front := make([][]atom, origins*m.n) // at origin n + x
	for x, p := range m.start {
		if p > 0 {
			front[m.startAt(x, origins)] = []atom{{0, p}}
		}
	}
	moves := 0
	for i := range m.steps {
		next := make([][]atom, len(front))
		count := 0
		for at, list := range front {
			if len(list) == 0 {
				continue
			}
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			origin := at / m.n
			x := at % m.n
			for _, e := range m.steps[i].entriesFrom(x) {
				increment := m.steps[i].increment(x, e.To)
				if !columns.LogW {
					increment = 0 // the value is not asked for, and all paths to a state are one
				}
				to := origin*m.n + e.To
				before := len(next[to])
				next[to] = merged(next[to], moved(list, increment, e.P), size*grain)
				count = count + len(next[to]) - before
				moves += len(list)
				if count > maxAtoms || moves > maxMoves {
					return nil, errManyAtoms
				}
			}
		}
		front = next
	}
	return c.byKey(front, m.n, columns, size), nil
}

// byKey sorts what has come to each pair of origin and state by what is written of it.
func (c *code) byKey(front [][]atom, n int, columns Columns, size float64) [][]atom {
	out := make([][]atom, columns.keys(n))
	for at, list := range front {
		first, last := c.ends(at/n, at%n)
		for _, a := range list {
			i, j, v := c.written(first, last, a.v)
			if !columns.LogW {
				v = 0
			}
			k := columns.key(i, j, n)
			out[k] = append(out[k], atom{v, a.p})
		}
	}
	for k, list := range out {
		slices.SortStableFunc(list, func(a, b atom) int { return cmp.Compare(a.v, b.v) })
		out[k] = joined(list, size*grain)
	}
	return out
}

// moved returns what becomes of a list along a move.
func moved(list []atom, increment, p float64) []atom {
	out := make([]atom, len(list))
	for i, a := range list {
		if !math.IsInf(a.v, 0) {
			a.v += increment
		}
		out[i] = atom{a.v, a.p * p}
	}
	return out
}

// merged merges two lists in increasing order; values within the tolerance are one.
func merged(a, b []atom, tolerance float64) []atom {
	if len(a) == 0 {
		return b
	}
	both := make([]atom, 0, len(a)+len(b))
	for i, j := 0, 0; i < len(a) || j < len(b); {
		if j == len(b) || i < len(a) && a[i].v <= b[j].v {
			both = append(both, a[i])
			i++
		} else {
			both = append(both, b[j])
			j++
		}
	}
	return joined(both, tolerance)
}

// joined adds up neighbours that are equal or within the tolerance, in place.
func joined(list []atom, tolerance float64) []atom {
	out := list[:0]
	for _, a := range list {
		if n := len(out); n > 0 && (a.v == out[n-1].v || a.v-out[n-1].v <= tolerance) {
			out[n-1].p += a.p
		} else {
			out = append(out, a)
		}
	}
	return out
}
