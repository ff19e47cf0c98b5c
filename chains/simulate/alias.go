package simulate

import (
	"math"

	"breadboard/chains"
)

// cell is one column of an alias table (Walker 1977; Vose 1991): state main with probability limit/2^64, else
// state other.
type cell struct {
	limit       uint64
	increment   float64 // the increment of the log weight at the state that the row belongs to
	main, other int32
	_           uint64 // fills the cell up to 32 bytes, so that a cell is found by a shift
}

// aliasTable draws from the rows of a transition matrix with one 64-bit number a draw: its low bits choose a
// column of the row, and the number as a whole one of the column's two states. (Given its low bits the number
// is still uniform, to one part in 2^64/width.) Probabilities are kept to 1e-16.
type aliasTable struct {
	cells []cell // row x is cells[x*width : (x+1)*width]
	width int    // a power of two
	// The following are work space of fill.
	share        []float64
	small, large []int
}

// newAliasTable returns a table for the given number of rows, each of at most width entries.
func newAliasTable(rows, width int) *aliasTable {
	t := &aliasTable{width: 2}
	for t.width < width {
		t.width *= 2
	}
	t.cells = make([]cell, rows*t.width)
	t.share = make([]float64, t.width)
	return t
}

// fill makes row x draw from the entries, and carry the increment.
func (t *aliasTable) fill(x int, entries []chains.Entry, increment float64) {
	n := t.width
	cells := t.cells[x*n:][:n]
	t.small, t.large = t.small[:0], t.large[:0]
	likely := 0
	for i := range n {
		t.share[i] = 0
		if i < len(entries) {
			t.share[i] = entries[i].P * float64(n)
			cells[i].main = int32(entries[i].To)
			if entries[i].P > entries[likely].P {
				likely = i
			}
		}
		cells[i].increment = increment
		if t.share[i] < 1 {
			t.small = append(t.small, i)
		} else {
			t.large = append(t.large, i)
		}
	}
	for len(t.small) > 0 && len(t.large) > 0 {
		i, j := t.small[len(t.small)-1], t.large[len(t.large)-1]
		t.small = t.small[:len(t.small)-1]
		cells[i].limit = uint64(t.share[i] * 0x1p64)
		cells[i].other = cells[j].main
		if t.share[j] -= 1 - t.share[i]; t.share[j] < 1 {
			t.large = t.large[:len(t.large)-1]
			t.small = append(t.small, j)
		}
	}
	for _, i := range append(t.small, t.large...) { // these columns are full, apart from rounding
		if t.share[i] < 0.5 {
			cells[i].main = int32(entries[likely].To)
		}
		cells[i].limit, cells[i].other = math.MaxUint64, cells[i].main
	}
}

// drawAll takes every chain to its next state, and adds the increment of the state before to its log weight.
func (t *aliasTable) drawAll(w *wyrand, states []int32, logw []float64) {
	cells, width := t.cells, uint64(t.width)
	logw = logw[:len(states)]
	rng := *w
	for i, x := range states {
		var r uint64
		rng, r = rng.next()
		c := &cells[uint64(x)*width+r&(width-1)]
		y, main := c.other, c.main // both are loaded, so that the compiler makes the choice a conditional move, not a branch
		if r < c.limit {
			y = main
		}
		logw[i] += c.increment
		states[i] = y
	}
	*w = rng
}

// moveAll takes every chain to its next state.
func (t *aliasTable) moveAll(w *wyrand, states []int32) {
	cells, width := t.cells, uint64(t.width)
	rng := *w
	for i, x := range states {
		var r uint64
		rng, r = rng.next()
		c := &cells[uint64(x)*width+r&(width-1)]
		y, main := c.other, c.main // as in drawAll
		if r < c.limit {
			y = main
		}
		states[i] = y
	}
	*w = rng
}
