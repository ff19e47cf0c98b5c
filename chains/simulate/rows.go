package simulate

import (
	"fmt"
	"math/rand/v2"

	"breadboard/chains"
)

// Rows does what Run does, for kernels with rows in closed form, some ten times faster: at each
// stage all chains draw from one alias table of the kernel's rows, with one 64-bit number and no branch a
// move. The generator of the moves is seeded from src. A row's probabilities are kept to 1e-16. Time is
// O(T (rows + k)), memory O(k). Watch is told of every stage, and looked at
// between the rows of one; it may be nil.
func Rows(a *chains.Annealing, d chains.Direction, src *rand.ChaCha8, k int, watch *Watch) (*Batch, error) {
	s, err := newSweep(a, d, watch)
	if err != nil {
		return nil, err
	}
	rng := wyrand(src.Uint64())
	b := &Batch{First: make([]int32, k), Last: make([]int32, k), LogW: make([]float64, k)}
	start, end := b.First, b.Last
	if d == chains.Reverse {
		start, end = end, start
	}
	first := newAliasTable(1, a.States())
	first.fill(0, distributionRow(s.start), 0)
	first.drawAll(&rng, start, b.LogW) // from row 0, with an increment of 0
	watch.see(s.stageAfter(0), start)
	copy(end, start)
	var rows rowTable
	for s.next() {
		table, err := rows.load(s)
		if err != nil {
			return nil, err
		}
		table.drawAll(&rng, end, b.LogW)
		watch.see(s.stageAfter(s.step), end)
	}
	if s.err != nil {
		return nil, s.err
	}
	s.finish(end, b.LogW)
	return b, nil
}

// distributionRow returns a distribution as the entries of a row.
func distributionRow(p []float64) []chains.Entry {
	row := make([]chains.Entry, len(p))
	for x, v := range p {
		row[x] = chains.Entry{To: x, P: v}
	}
	return row
}

// rowTable makes the alias table of a stage, reusing its memory.
type rowTable struct {
	table   *aliasTable
	entries []chains.Entry
	ends    []int
}

func (r *rowTable) load(s *sweep) (*aliasTable, error) {
	r.entries, r.ends = r.entries[:0], r.ends[:0]
	width := 0
	s.prepareRows()
	for x := range s.logf {
		before := len(r.entries)
		var err error
		if r.entries, err = s.appendRow(r.entries, x); err != nil {
			return nil, err
		}
		width = max(width, len(r.entries)-before)
		r.ends = append(r.ends, len(r.entries))
	}
	if r.table == nil || r.table.width < width {
		r.table = newAliasTable(len(s.logf), width)
	}
	first := 0
	for x, end := range r.ends {
		r.table.fill(x, r.entries[first:end], s.increment[x])
		first = end
	}
	return r.table, nil
}

// prepareRows prepares the rows of the kernel at hand, which look at the watch.
func (s *sweep) prepareRows() { s.rows.Prepare(s.kernel.(chains.Rower), s.logf, s.watch.look) }

// appendRow appends the row of a state. A panic of the kernel, and a row that is no distribution, become an error.
func (s *sweep) appendRow(dst []chains.Entry, x int) (row []chains.Entry, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = s.errorAt(int32(x), fmt.Errorf("AppendRow panicked: %v", r))
		}
	}()
	if row, err = s.rows.AppendRow(dst, x); err != nil {
		return nil, err
	}
	total := 0.0
	for _, e := range row[len(dst):] {
		if e.To < 0 || e.To >= len(s.logf) || !(e.P >= 0) {
			return nil, s.errorAt(int32(x), fmt.Errorf("its row goes to state %d with probability %v", e.To, e.P))
		}
		total += e.P
	}
	if !(total > 1-1e-9 && total < 1+1e-9) {
		return nil, s.errorAt(int32(x), fmt.Errorf("its row sums to %v", total))
	}
	return row, nil
}
