package files

import "breadboard/chains"

// Turns detects a column that may number the chains although its name does not say so: its values
// are the first few whole numbers, each in one run of rows or in turn.
type Turns struct {
	rows, period, run, length int // period is that of values in turn, and run the first of the runs; 0 until they end
	first, last               float64
	blocks, cycle             bool
}

// The most chains that Turns looks for, and the fewest rows of each.
const (
	mostTurns  = 64
	leastTurns = 4
)

// Add takes the value of the next row.
func (t *Turns) Add(v float64) {
	t.rows++
	if t.rows == 1 {
		t.first, t.last, t.length = v, v, 1
		t.blocks, t.cycle = v == 0 || v == 1, v == 0 || v == 1
		return
	}
	if t.period == 0 && v == t.first {
		t.period = t.rows - 1
	}
	t.cycle = t.cycle && v == t.first+float64(t.place())
	switch {
	case v == t.last:
		t.length++
	case v == t.last+1 && (t.run == 0 || t.length == t.run):
		t.run, t.length = t.length, 1
	default:
		t.blocks = false
	}
	t.last = v
}

// place returns the place of the last row in its turn.
func (t *Turns) place() int {
	if t.period == 0 {
		return t.rows - 1
	}
	return (t.rows - 1) % t.period
}

// Doubt returns the advice that a column of this name may distinguish chains, and whether it looks
// so.
func (t *Turns) Doubt(source, column string) (doubt chains.Advice, ok bool) {
	count, how := 0, ""
	switch {
	case t.blocks && t.run >= leastTurns && t.length == t.run:
		count, how = t.rows/t.run, "each in one run of rows"
	case t.cycle && t.period > 1 && t.rows%t.period == 0 && t.rows/t.period >= leastTurns:
		count, how = t.period, "each in its turn"
	}
	if count < 2 || count > mostTurns {
		return doubt, false
	}
	return chains.NewAdvice("%s: the column %s has the whole numbers from %v to %v, %s; if it tells chains apart, give {column} %[2]s=chain", source,
		column, t.first, t.first+float64(count-1), how, column), true
}
