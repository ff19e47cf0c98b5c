package simulate

import (
	"math"

	"breadboard/chains"
)

// aliasTable draws from the rows of a transition matrix by alias tables (Walker 1977; Vose 1991),
// with one 64-bit number r a draw. The low bits of r choose a column of the row, and r as a whole
// one of the column's two states: the first with probability limit/2^64. (Given its low bits the
// number is still uniform, to one part in 2^64/width.) Probabilities are kept to 1e-16.
//
// The words of a row follow one another: the float64 by which the log weight of a chain at its
// state grows, the limits of its columns, and for each column its two states, the first of them in
// the lower half.
type aliasTable struct {
	words  []uint64 // row x is words[x*stride : (x+1)*stride]
	width  int      // the columns of a row, a power of two
	stride int      // 1 + 2 width
	maker  aliasMaker
}

// newAliasTable returns a table for the given number of rows, each of at most width entries.
func newAliasTable(rows, width int) *aliasTable {
	t := &aliasTable{width: columns(width)}
	t.stride = rowWords(t.width)
	t.words = make([]uint64, rows*t.stride)
	return t
}

// columns returns the number of columns of rows that have up to the given number of entries.
func columns(entries int) int {
	width := 2
	for width < entries {
		width *= 2
	}
	return width
}

// rowWords returns the number of words of a row with the given number of columns.
func rowWords(width int) int { return 1 + 2*width }

// fillRow makes row x draw from the entries.
func (t *aliasTable) fillRow(x int, entries []chains.Entry) {
	t.maker.fillRow(t.words[x*t.stride:][:t.stride], entries, 0, 1)
}

// moveAll takes every chain to its next state.
func (t *aliasTable) moveAll(w *wyrand, states []int32) {
	words := t.words
	width := uint64(t.width)
	stride := uint64(t.stride)
	rng := *w
	for i, x := range states {
		var r uint64
		rng, r = rng.next()
		at := uint64(x)*stride + r&(width-1) + 1
		states[i] = int32(choose(r, words[at], words[at+width]))
	}
	*w = rng
}

// choose returns the state of a column that a random number selects.
func choose(r, limit, states uint64) uint32 {
	// both are made, so that the compiler makes the choice a conditional move, not a branch
	y := uint32(states >> 32)
	first := uint32(states)
	if r < limit {
		y = first
	}
	return y
}

// aliasMaker makes the rows of alias tables. It holds only work space.
type aliasMaker struct {
	share        []float64
	small, large []int32 // stacks of columns with a share below one, and of others
}

// fillRow makes a row of a table draw from the entries, and carry the increment of the log weight.
// State y is written as y times unit.
func (m *aliasMaker) fillRow(row []uint64, entries []chains.Entry, increment float64, unit int) {
	n := (len(row) - 1) / 2
	row[0] = math.Float64bits(increment)
	limit := row[1:][:n]
	states := row[1+n:][:n]
	if len(m.share) < n {
		m.share = make([]float64, n)
		m.small = make([]int32, n)
		m.large = make([]int32, n)
	}
	share := m.share[:n]
	small := m.small[:n]
	large := m.large[:n]
	scale := float64(n)
	likeliest := -1.0
	likely := uint64(0)
	for i, e := range entries {
		share[i] = e.P * scale
		states[i] = uint64(uint32(e.To * unit))
		if e.P > likeliest {
			likeliest = e.P
			likely = states[i]
		}
	}
	clear(share[len(entries):])
	smalls := 0
	larges := 0
	for i, v := range share {
		if v < 1 {
			small[smalls] = int32(i)
			smalls++
		} else {
			large[larges] = int32(i)
			larges++
		}
	}
	for smalls > 0 && larges > 0 {
		i, j := small[smalls-1], large[larges-1]
		limit[i] = uint64(share[i] * 0x1p64)
		states[i] = uint64(uint32(states[i])) | states[j]<<32
		smalls--
		share[j] -= 1 - share[i]
		if share[j] < 1 {
			small[smalls] = j
			smalls += 1
			larges -= 1
		}
	}
	full := func(columns []int32) { // apart from rounding
		for _, i := range columns {
			if share[i] < 0.5 {
				states[i] = likely
			}
			limit[i], states[i] = math.MaxUint64, uint64(uint32(states[i]))*(1+1<<32)
		}
	}
	full(small[:smalls])
	full(large[:larges])
}
