package chains

import (
	"math"
	"slices"

	"breadboard/chains/work"
)

// PreparedRows are the rows of a kernel under one logf, for a caller that asks for most of them.
// The rows of a sequence or mixture are made of the rows of its parts, and each row of a part is
// computed once. The zero value is ready for Prepare, which may be called again for another kernel
// or logf, and then uses the same memory. Only one goroutine may use it.
//
// The probabilities are those of AppendRow, to the last bit. N repeats of a kernel with r entries a
// row on n states take at most N n^2 r products: fewer if few states are within reach, or once the
// kernel has mixed.
type PreparedRows struct {
	logf  []float64
	meter work.Meter
	rows  rowFunc
	work  RowWork
	// the number of products after which a row is not finished and its work extrapolated; 0 for no
	// limit
	most float64
	// Both are work space of times: sums is by state and zero between calls, reached lists the
	// states of the row.
	sums    []float64
	reached []int
	tables  []*table // the tables of the parts; the first used of them are in use
	used    int
}

// rowFunc appends the row of a state to dst, as Rower.AppendRow does. It fails with the error of
// watch.
type rowFunc func(dst []Entry, x int) ([]Entry, error)

// Prepare makes p the rows of a kernel under logf, for as long as logf does not change. The
// function watch, which may be nil, is called before every row, and repeatedly within long
// products; an error that it returns ends the work.
func (p *PreparedRows) Prepare(k Rower, logf []float64, watch func() error) {
	if len(p.sums) != len(logf) {
		p.sums = make([]float64, len(logf))
	}
	p.logf = logf
	p.meter = work.Meter{Watch: watch}
	p.used = 0
	p.rows = p.rowsOf(k)
}

// sharer is a kernel whose rows under one logf share work.
type sharer interface {
	Rower
	// RowsUnder returns AppendRow for a logf that does not change. Only one goroutine may use the
	// result.
	RowsUnder(logf []float64) func(dst []Entry, x int) []Entry
}

// AppendRow appends the row of state x to dst, as the kernel's own method does. It fails with the
// error of watch.
func (p *PreparedRows) AppendRow(dst []Entry, x int) ([]Entry, error) { return p.rows(dst, x) }

// RowWork is the work and memory that a row of a kernel takes. Entries is the number of its
// entries, or of the states visited to make it if those are more. Products is the number of
// products that make it from the rows of the kernel's parts, which are made once for all rows.
// Shared is the number of products for all rows of the parts, and Parts is about their number of
// entries.
type RowWork struct{ Entries, Products, Parts, Shared float64 }

// mostMeasured is the number of products, some ten milliseconds of work, after which RowWorkOf
// extrapolates.
const mostMeasured = 1e7

// mostVisited is a number of visited states. If a row takes more, RowWorkOf does not make it.
const mostVisited = 1 << 17

// RowWorkOf returns the work of the row of state x of a kernel under logf. It makes the row, or
// only its beginning if that takes long.
func RowWorkOf(k Rower, logf []float64, x int) RowWork {
	if v := visited(k); v > mostVisited {
		return RowWork{Entries: v}
	}
	p := PreparedRows{most: mostMeasured}
	p.Prepare(k, logf, nil)
	row, err := p.AppendRow(nil, x)
	if err != nil {
		panic(err) // only a watch can return an error, and there is none
	}
	p.work.Entries = max(float64(len(row)), visited(k))
	for _, t := range p.tables {
		if made := len(t.rows) - t.missing; made > 0 {
			p.work.Parts += float64(len(t.entries)) * float64(len(t.rows)) / float64(made)
		}
	}
	return p.work
}

// SampledEntries returns the fewest and the most entries, as RowWorkOf counts them, of three rows
// of a kernel under logf: of the first state, of one in the middle and of the last.
func SampledEntries(k Rower, logf []float64) (fewest, most float64) {
	fewest = math.Inf(1)
	for _, x := range []int{0, len(logf) / 2, len(logf) - 1} {
		entries := RowWorkOf(k, logf, x).Entries
		fewest = min(fewest, entries)
		most = max(most, entries)
	}
	return fewest, most
}

// visited returns the number of states that a kernel of the library visits to make a row, if these
// may be more than the entries of the row; zero for other kernels.
func visited(k Kernel) float64 {
	return statedOf(k, func(k Kernel) float64 {
		v, says := k.(interface{ Visited() int })
		if !says {
			return 0
		}
		return float64(v.Visited())
	})
}

// RowProducts returns about how many products take as long as it takes a kernel of the library to
// make a row, if its entries do not show that; zero for other kernels.
func RowProducts(k Kernel) float64 {
	return statedOf(k, func(k Kernel) float64 {
		v, says := k.(interface{ Products() float64 })
		if !says {
			return 0
		}
		return v.Products()
	})
}

// statedOf returns what a kernel of the library states of a row, and of a mixture the sum over its
// parts.
func statedOf(k Kernel, number func(k Kernel) float64) (n float64) {
	if n = number(k); n > 0 && OfLibrary(k) {
		return n
	}
	n = 0
	if parts, combined := PartsOf(k); combined && !parts.Sequential {
		for _, part := range parts.Kernels {
			n += statedOf(part, number)
		}
	}
	return n
}

func (p *PreparedRows) rowsOf(k Rower) rowFunc {
	if parts, combined := PartsOf(k); combined && shares(k) {
		if parts.Sequential {
			return p.sequence(parts)
		}
		return p.mix(parts)
	}
	row := func(dst []Entry, x int) []Entry { return k.AppendRow(dst, p.logf, x) }
	if s, is := k.(sharer); is {
		row = s.RowsUnder(p.logf)
	}
	products := RowProducts(k)
	return func(dst []Entry, x int) ([]Entry, error) {
		if err := p.meter.Look(); err != nil {
			return nil, err
		}
		p.work.Products += products
		return row(dst, x), nil
	}
}

// shares reports whether the rows of a kernel with rows share work: it is a sequence or a sharer,
// or a mixture with one of these. Other kernels make each row by itself.
func shares(k Kernel) bool {
	if _, is := k.(sharer); is {
		return true
	}
	parts, combined := PartsOf(k)
	return combined && (parts.Sequential || slices.ContainsFunc(parts.Kernels, shares))
}

// mix returns the rows of a mixture: the entries of the rows of all parts, each times the weight of
// its part.
func (p *PreparedRows) mix(m Parts) rowFunc {
	parts := make([]rowFunc, len(m.Kernels))
	for i, k := range m.Kernels {
		parts[i] = p.rowsOf(k.(Rower))
	}
	return func(dst []Entry, x int) (row []Entry, err error) {
		for i, part := range parts {
			first := len(dst)
			dst, err = part(dst, x)
			if err != nil {
				return nil, err
			}
			for j := first; j < len(dst); j++ {
				dst[j].P *= m.Weights[i]
			}
		}
		return dst, nil
	}
}

// sequence returns the rows of a sequence: each is multiplied by the matrices of the parts. (To
// square the matrix of a repeat again and again would take less time but cost digits: it multiplies
// the defect of every row's sum by the number of repeats, some 1e-13 for 10,000 of them.)
func (p *PreparedRows) sequence(s Parts) rowFunc {
	round := p.round(s)
	return func(dst []Entry, x int) ([]Entry, error) { return p.appendComposed(dst, x, round, s.Times) }
}

// round returns the tables of the parts of a sequence, in the order in which they are applied.
func (p *PreparedRows) round(s Parts) []*table {
	parts := make([]*table, len(s.Kernels))
	for i, k := range s.Kernels {
		parts[i] = p.emptyTable(p.rowsOf(k.(Rower)))
	}
	round := make([]*table, len(s.Order))
	for i, part := range s.Order {
		round[i] = parts[part]
	}
	return round
}

// appendComposed appends the row of state x after the given number of rounds, each of which goes
// through all parts. It stops as soon as a round changes no bit of the row, because then no later
// round does; this happens soon after a repeated kernel has mixed.
func (p *PreparedRows) appendComposed(dst []Entry, x int, parts []*table, times int) (row []Entry,
	err error) {
	if err := p.meter.Look(); err != nil {
		return nil, err
	}
	mass := append(make([]Entry, 0, 64), Entry{x, 1})
	before := []Entry(nil)
	for round := range times {
		began := p.work.Products
		before = append(before[:0], mass...)
		for _, part := range parts {
			mass, err = p.times(mass, mass, part)
			if err != nil {
				return nil, err
			}
		}
		if slices.Equal(mass, before) {
			break
		}
		if p.most > 0 && p.work.Products > p.most {
			// each round that is left takes about as many products as this one
			p.work.Products += float64(times-round-1) * (p.work.Products - began)
			break
		}
	}
	return append(dst, mass...), nil
}

// times writes the product of a row and a matrix over dst, which may be the row.
func (p *PreparedRows) times(dst, row []Entry, m *table) ([]Entry, error) {
	if m.missing > 0 { // this comes before sums is used, because making a missing row may use it as well
		if err := p.have(m, row); err != nil {
			return nil, err
		}
	}
	sums := p.sums
	reached := p.reached[:0]
	for _, from := range row {
		next := m.row(from.To)
		p.work.Products += float64(len(next))
		if err := p.meter.Spend(len(next) + 1); err != nil {
			clear(sums)
			return nil, err
		}
		for _, e := range next {
			if sums[e.To] == 0 && e.P > 0 {
				reached = append(reached, e.To)
			}
			sums[e.To] += from.P * e.P
		}
	}
	dst = dst[:0]
	for _, y := range reached {
		if sums[y] > 0 {
			dst = append(dst, Entry{y, sums[y]})
		}
		sums[y] = 0
	}
	p.reached = reached
	return dst, nil
}

// table holds the rows of a matrix that have been asked for.
type table struct {
	build   rowFunc
	missing int // the number of rows that have not been made yet
	rows    []span
	entries []Entry
}

// span is where a row stands in a table; it is empty until the row is made.
type span struct{ first, end int }

// emptyTable returns an empty table that is not in use yet, with the memory of an earlier
// preparation if there is one.
func (p *PreparedRows) emptyTable(build rowFunc) *table {
	if p.used == len(p.tables) {
		p.tables = append(p.tables, &table{})
	}
	t := p.tables[p.used]
	p.used++
	if n := len(p.logf); len(t.rows) == n {
		clear(t.rows)
	} else {
		t.rows = make([]span, n)
	}
	t.build = build
	t.missing = len(t.rows)
	t.entries = t.entries[:0]
	return t
}

// have makes the missing rows of a table for the states of a distribution.
func (p *PreparedRows) have(t *table, law []Entry) error {
	for _, at := range law {
		if t.rows[at.To].end > 0 {
			continue
		}
		first := len(t.entries)
		before := p.work
		entries, err := t.build(t.entries, at.To)
		if err != nil {
			return err
		}
		t.entries, t.rows[at.To] = entries, span{first, len(entries)}
		t.missing--
		// it is made for the first row that needs it, and kept for all others
		p.work.Shared += p.work.Products - before.Products
		p.work.Products = before.Products
	}
	return nil
}

// row returns a row that has been made; it belongs to the table.
func (t *table) row(x int) []Entry { return t.entries[t.rows[x].first:t.rows[x].end] }
