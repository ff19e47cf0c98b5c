package chains

import "slices"

// PreparedRows are the rows of a kernel under one logf, for a caller that asks for most of them. What the rows of a
// kernel of parts have in common, the rows of every part, is made once. The zero value is ready for Prepare, which may
// be called again for another kernel or logf, and uses the memory again. It is for one goroutine.
//
// The probabilities are those of AppendRow, to the last bit. N repeats of a kernel with r entries a row on n states
// take at most N n^2 r products: fewer where few states are within reach, and where the kernel has mixed before.
type PreparedRows struct {
	kernel Rower
	logf   []float64
	meter  meter
	rows   rowFunc // of a kernel of parts; nil for one that makes each row alone
	work   RowWork
	most   float64 // products after which a row is not made but measured; 0 for none
	// Work space of times: by state, zero outside of it; and the states of the row that it makes.
	sums    []float64
	reached []int
	tables  []*table // of the parts; the first so many are in use
	used    int
}

// rowFunc appends the row of a state to dst, as Rower.AppendRow does. It fails where watch does.
type rowFunc func(dst []Entry, x int) ([]Entry, error)

// Prepare makes p the rows of a kernel under logf, for as long as logf does not change. Watch is called before every
// row, and within rows and preparations that are long products; an error from it ends the work. It may be nil.
func (p *PreparedRows) Prepare(k Rower, logf []float64, watch func() error) {
	if len(p.sums) != len(logf) {
		p.sums = make([]float64, len(logf))
	}
	p.kernel, p.logf, p.meter, p.rows, p.used = k, logf, meter{watch: watch}, nil, 0
	if hasProducts(k) {
		p.rows = p.of(k)
	}
}

// AppendRow appends the row of state x to dst, as the kernel's own method does. It fails where watch does.
func (p *PreparedRows) AppendRow(dst []Entry, x int) ([]Entry, error) {
	if p.rows != nil {
		return p.rows(dst, x)
	}
	if err := p.meter.look(); err != nil {
		return nil, err
	}
	return p.kernel.AppendRow(dst, p.logf, x), nil
}

// RowWork is what a row takes: its entries, or the states that are looked at to make it where those are more, and the
// products that make it of the rows of parts. Those take Shared products, and all of them, for rows of every state,
// about so many entries as Parts says, once for all rows.
type RowWork struct{ Entries, Products, Parts, Shared float64 }

// mostMeasured is the number of products, some ten milliseconds of work, after which RowWorkOf extrapolates.
const mostMeasured = 1e7

// RowWorkOf returns what the row of state x of a kernel takes under logf, by making it, or the beginning of one that
// takes long.
func RowWorkOf(k Rower, logf []float64, x int) RowWork {
	p := PreparedRows{most: mostMeasured}
	p.Prepare(k, logf, nil)
	row, err := p.AppendRow(nil, x)
	if err != nil {
		panic(err) // without a watch nothing fails
	}
	p.work.Entries = float64(max(len(row), visited(k)))
	for _, t := range p.tables {
		if made := len(t.rows) - t.missing; made > 0 {
			p.work.Parts += float64(len(t.entries)) * float64(len(t.rows)) / float64(made)
		}
	}
	return p.work
}

// visited returns the number of states that a kernel looks at to make a row, where that is of the library and says that
// they are more than the row has entries; zero for other kernels.
func visited(k Kernel) (n int) {
	if v, says := k.(interface{ Visited() int }); says && OfLibrary(k) {
		return v.Visited()
	}
	if parts, combined := partsOf(k); combined && !parts.Sequential {
		for _, part := range parts.Kernels {
			n += visited(part)
		}
	}
	return n
}

// meterWork is the number of products between two calls of a watch, some ten microseconds.
const meterWork = 1 << 14

// meter calls a watch now and then.
type meter struct {
	watch func() error
	spent int
}

// spend counts work, and calls the watch where enough has been done.
func (m *meter) spend(work int) error {
	if m.spent += work; m.spent < meterWork || m.watch == nil {
		return nil
	}
	m.spent = 0
	return m.watch()
}

// look calls the watch.
func (m *meter) look() error { return m.spend(meterWork) }

// of returns the rows of a kernel.
func (p *PreparedRows) of(k Rower) rowFunc {
	if hasProducts(k) {
		parts, _ := partsOf(k)
		if parts.Sequential {
			return p.sequence(parts)
		}
		return p.mix(parts)
	}
	return func(dst []Entry, x int) ([]Entry, error) {
		if err := p.meter.look(); err != nil {
			return nil, err
		}
		return k.AppendRow(dst, p.logf, x), nil
	}
}

// hasProducts reports whether a kernel that has rows is a sequence, or a mixture with one in it. Other kernels make each
// of their rows alone.
func hasProducts(k Kernel) bool {
	parts, combined := partsOf(k)
	if !combined {
		return false
	}
	return parts.Sequential || slices.ContainsFunc(parts.Kernels, hasProducts)
}

// mix returns the rows of a mixture: those of its parts, one after another, times their weights.
func (p *PreparedRows) mix(m Parts) rowFunc {
	parts := make([]rowFunc, len(m.Kernels))
	for i, k := range m.Kernels {
		parts[i] = p.of(k.(Rower))
	}
	return func(dst []Entry, x int) (row []Entry, err error) {
		for i, part := range parts {
			first := len(dst)
			if dst, err = part(dst, x); err != nil {
				return nil, err
			}
			for j := first; j < len(dst); j++ {
				dst[j].P *= m.Weights[i]
			}
		}
		return dst, nil
	}
}

// sequence returns the rows of a sequence: each is taken through the rows of the parts. (To square the matrix of a
// repeat again and again would take less time but cost digits: it multiplies the defect of every row's sum by the
// number of repeats, some 1e-13 for 10,000 of them.)
func (p *PreparedRows) sequence(s Parts) rowFunc {
	round := p.round(s)
	return func(dst []Entry, x int) ([]Entry, error) { return p.through(dst, x, round, s.Times) }
}

// round returns the tables of the parts of a sequence, in the order in which they are applied.
func (p *PreparedRows) round(s Parts) []*table {
	parts := make([]*table, len(s.Kernels))
	for i, k := range s.Kernels {
		parts[i] = p.table(p.of(k.(Rower)))
	}
	round := make([]*table, len(s.Order))
	for i, part := range s.Order {
		round[i] = parts[part]
	}
	return round
}

// through appends the row of state x of so many rounds. Rounds that change nothing any more, to the last bit, are not
// gone through to the end: soon after a repeated kernel has mixed.
func (p *PreparedRows) through(dst []Entry, x int, parts []*table, times int) (row []Entry, err error) {
	if err := p.meter.look(); err != nil {
		return nil, err
	}
	mass, before := append(make([]Entry, 0, 64), Entry{x, 1}), []Entry(nil)
	for round := range times {
		began := p.work.Products
		before = append(before[:0], mass...)
		for _, part := range parts {
			if mass, err = p.times(mass, mass, part); err != nil {
				return nil, err
			}
		}
		if slices.Equal(mass, before) {
			break
		}
		if p.most > 0 && p.work.Products > p.most { // what is left takes about as much a round as this one
			p.work.Products += float64(times-round-1) * (p.work.Products - began)
			break
		}
	}
	return append(dst, mass...), nil
}

// times writes the product of a row and a matrix over dst, which may be the row.
func (p *PreparedRows) times(dst, row []Entry, m *table) ([]Entry, error) {
	if m.missing > 0 { // before anything stands in sums, which the making of a row may use
		if err := p.have(m, row); err != nil {
			return nil, err
		}
	}
	sums, reached := p.sums, p.reached[:0]
	for _, from := range row {
		next := m.row(from.To)
		p.work.Products += float64(len(next))
		if err := p.meter.spend(len(next) + 1); err != nil {
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
	missing int // rows that have not been made
	rows    []span
	entries []Entry
}

// span is where a row stands in a table; it is empty until the row is made.
type span struct{ first, end int }

// table returns an empty table that is not in use yet, with the memory of an earlier preparation where there is one.
func (p *PreparedRows) table(build rowFunc) *table {
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
	t.build, t.missing, t.entries = build, len(t.rows), t.entries[:0]
	return t
}

// have makes the rows of all states that a law reaches.
func (p *PreparedRows) have(t *table, law []Entry) error {
	for _, at := range law {
		if t.rows[at.To].end > 0 {
			continue
		}
		first, before := len(t.entries), p.work
		entries, err := t.build(t.entries, at.To)
		if err != nil {
			return err
		}
		t.entries, t.rows[at.To] = entries, span{first, len(entries)}
		t.missing--
		p.work.Shared += p.work.Products - before.Products // once, whichever row has asked for it first
		p.work.Products = before.Products
	}
	return nil
}

// row returns a row that has been made; it belongs to the table.
func (t *table) row(x int) []Entry { return t.entries[t.rows[x].first:t.rows[x].end] }
