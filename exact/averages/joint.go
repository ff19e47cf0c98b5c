package averages

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"breadboard/chains/number"
)

// atom is an integer that one chain gives, and its probability.
type atom struct {
	a int
	p float64
}

// joint is the joint distribution of A, the sum of the integers of some independent chains, and Q,
// the sum of their squares. Q - A is even, since a square is odd if and only if its root is.
//
//	P_(k+1)(A = a, Q = q) = sum over the integers v of one chain of P(v) P_k(A = a - v, Q = q - v^2)
//
// Time is that of cost: the cells of all numbers of chains times the atoms.
type joint struct {
	chains int
	low    int // A of the first row
	rows   []jointRow
	beyond float64 // the probability of all pairs that are not kept, because their Q is too large to matter
}

// jointRow holds the probabilities of one A.
type jointRow struct {
	first int       // the least Q
	p     []float64 // p[i] is the probability of Q = first + 2i
}

// shape determines the pairs of A and Q that are kept.
type shape struct {
	atoms []atom
	// the probability of the integers that are no atoms, because their squares are too large to
	// matter
	beyond float64
	high   func(chains, a int) int // the largest relevant Q if A is a
}

// span returns the least and the largest A of the given number of chains.
func (s *shape) span(chains int) (low, high int) {
	low, high = s.atoms[0].a, s.atoms[0].a
	for _, v := range s.atoms {
		low, high = min(low, v.a), max(high, v.a)
	}
	return chains * low, chains * high
}

// rangeOfQ returns the least Q of the given number of chains whose sum is a, and the number of
// them. By Cauchy's inequality Q >= A^2/chains.
func (s *shape) rangeOfQ(chains, a int) (first, length int) {
	if chains == 0 {
		return 0, 1
	}
	first = (a*a + chains - 1) / chains
	first += (first ^ a) & 1
	return first, max(0, (s.high(chains, a)-first)/2+1)
}

// cost returns how many probabilities the joint distribution of the given number of chains has, and
// how many products it takes, that of fewer chains included. It stops counting products above most.
func (s *shape) cost(chains int, most float64) (cells, work float64) {
	for k := 1; k <= chains; k++ {
		low, high := s.span(k)
		cells = 0
		for a := low; a <= high; a++ {
			_, length := s.rangeOfQ(k, a)
			cells += float64(length)
			if cells > most {
				return cells, math.Inf(1)
			}
		}
		if k < chains {
			work += cells * float64(len(s.atoms))
		}
	}
	return cells, work
}

// none returns the distribution of no chains.
func (s *shape) none() *joint { return &joint{rows: []jointRow{{p: []float64{1}}}} }

// jointLaw returns the joint distribution of the given number of chains.
func (s *shape) jointLaw(ctx context.Context, chains int) (*joint, error) {
	j := s.none()
	for range chains {
		var err error
		j, err = s.more(ctx, j)
		if err != nil {
			return nil, err
		}
	}
	return j, nil
}

// more returns the joint distribution of one chain more. It fails if the context ends.
func (s *shape) more(ctx context.Context, j *joint) (*joint, error) {
	low, high := s.span(j.chains + 1)
	places := make([][]int, len(j.rows))
	for i, row := range j.rows {
		places[i] = few(row.p)
	}
	out := &joint{chains: j.chains + 1, low: low, rows: make([]jointRow, high-low+1), beyond: s.massLeft(j)}
	for i := range out.rows {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		a := low + i
		first, length := s.rangeOfQ(out.chains, a)
		row := jointRow{first, make([]float64, length)}
		for _, v := range s.atoms {
			if from := a - v.a - j.low; from >= 0 && from < len(j.rows) {
				row.addScaled(j.rows[from], places[from], v.a*v.a, v.p)
			}
		}
		out.rows[i] = row
	}
	return out, nil
}

// massLeft returns the probability of the pairs that are not kept after one more chain: those whose
// earlier chains are not kept, those in which the new chain gives no atom, and those whose Q is
// above the largest that is kept. Time is O(cells + rows atoms).
func (s *shape) massLeft(j *joint) float64 {
	one := s.beyond // of all integers that one chain gives
	for _, v := range s.atoms {
		one += v.p
	}
	var total number.Sum
	total.Add(j.beyond * one)
	var tails []float64 // number k is the probability of the pairs of a row from number k on
	for i, row := range j.rows {
		tails = append(tails[:0], make([]float64, len(row.p)+1)...)
		for k := len(row.p) - 1; k >= 0; k-- {
			tails[k] = tails[k+1] + row.p[k]
		}
		total.Add(s.beyond * tails[0])
		for _, v := range s.atoms {
			first, length := s.rangeOfQ(j.chains+1, j.low+i+v.a)
			kept := (first + 2*length - row.first - v.a*v.a) / 2
			total.Add(v.p * tails[min(max(kept, 0), len(row.p))])
		}
	}
	return total.Value()
}

// few returns the places of the nonzero numbers, and nil if there are so many that a loop over all
// numbers is faster. The distributions of one and of two chains have few.
func few(p []float64) []int {
	const most = 8 // at most one number in eight
	places := make([]int, 0, len(p)/most+1)
	for i, q := range p {
		if q != 0 {
			if len(places) == cap(places) {
				return nil
			}
			places = append(places, i)
		}
	}
	return places
}

// addScaled adds p times the probabilities of another row, whose Q are less by a square. Places is
// the result of few for them.
func (r jointRow) addScaled(from jointRow, places []int, square int, p float64) {
	shift := (from.first + square - r.first) / 2
	if places != nil {
		for _, i := range places {
			if to := i + shift; to >= 0 && to < len(r.p) {
				r.p[to] += p * from.p[i]
			}
		}
		return
	}
	src := from.p
	if shift < 0 {
		src = src[min(-shift, len(src)):]
		shift = 0
	}
	if shift >= len(r.p) {
		return
	}
	dst := r.p[shift:]
	length := min(len(dst), len(src))
	dst = dst[:length]
	src = src[:length]
	floats.AddScaled(dst, p, src)
}

// ordered returns the distribution of the values Q - 2 offset A, of all pairs that have positive
// probability and are kept. Q is an integer, so that the fraction of a value depends on A alone:
// within each unit the order is that of the fractions.
func (j *joint) ordered(offset float64) ordered {
	type line struct {
		row      jointRow
		whole    int // the value is Q + whole + fraction
		fraction float64
	}
	var lines []line
	first := math.MaxInt
	last := math.MinInt
	count := 0
	for i, row := range j.rows {
		if len(row.p) == 0 {
			continue
		}
		v := -2 * offset * float64(j.low+i)
		whole := int(math.Floor(v))
		lines = append(lines, line{row, whole, v - math.Floor(v)})
		first, last = min(first, row.first+whole), max(last, row.first+whole+2*len(row.p)-2)
		for _, q := range row.p {
			if q > 0 {
				count++
			}
		}
	}
	slices.SortFunc(lines, func(a, b line) int { return cmp.Compare(a.fraction, b.fraction) })
	values := make([]float64, 0, count)
	p := make([]float64, 0, count)
	for unit := first; unit <= last; unit++ {
		for _, l := range lines {
			i := unit - l.whole - l.row.first
			if i < 0 || i&1 == 1 || i>>1 >= len(l.row.p) {
				continue
			}
			if q := l.row.p[i>>1]; q > 0 {
				values, p = append(values, float64(unit)+l.fraction), append(p, q)
			}
		}
	}
	return ordered{values, p, j.beyond}
}

// ordered is the distribution of the values Q - 2 offset A of some chains.
type ordered struct {
	values, p []float64 // the values ascend
	// the probability of all values that are not listed, each of which is above the limit that is
	// asked about
	beyond float64
}

// atMost returns the probability that the sum of two independent values is at most a limit.
func (o ordered) atMost(other ordered, limit float64) float64 {
	below := running(other.p)
	at := len(other.values)
	// above is the probability of the other values from at on, the sums with which are above the
	// limit
	var inside, outside, above number.Sum
	above.Add(other.beyond)
	pass := func() {
		at--
		above.Add(other.p[at])
	}
	for i, v := range o.values {
		for at > 0 && v+other.values[at-1] > limit {
			pass()
		}
		if at > 0 {
			inside.Add(o.p[i] * below[at-1])
		}
		outside.Add(o.p[i] * above.Value())
	}
	for at > 0 {
		pass()
	}
	outside.Add(o.beyond * above.Value())
	return probability(inside.Value(), outside.Value())
}

// running returns the sums of the first numbers of a list.
func running(p []float64) []float64 {
	out := make([]float64, len(p))
	var total number.Sum
	for i, q := range p {
		total.Add(q)
		out[i] = total.Value()
	}
	return out
}
