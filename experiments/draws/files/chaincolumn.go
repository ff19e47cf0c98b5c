package files

import (
	"fmt"
	"strings"

	"breadboard/chains"
)

// ChainColumn is the name of the column that says of which chain a row is, as in R's package
// posterior.
const ChainColumn = ".chain"

// NoChainColumn is the name by which no column says of which chain a row is.
const NoChainColumn = "none"

// Columns says which columns of a text have values.
type Columns struct {
	Chain  int    // the column that says of which chain a row is; -1 if there is none
	Counts []bool // by column, whether it numbers rows or chains and has no values
}

// Counts reports whether a column numbers rows, and whether it numbers chains, by the names that R,
// its packages posterior, coda and ggmcmc, CmdStanPy, ArviZ and pandas give them.
func Counts(name string) (rows, chains bool) {
	switch strings.ToLower(strings.TrimSuffix(strings.TrimPrefix(name, "."), "__")) {
	case "", "iteration", "iter", "draw", "unnamed: 0":
		rows = true
	case "chain", "chain_id":
		chains = true
	}
	return rows, chains
}

// ColumnsOf finds the columns that number rows and chains: that of chains by its name if that is
// given, and others as Counts says. A column whose name own takes has values in any case.
func (r *Rows) ColumnsOf(chain string, own func(name string) bool) (Columns, error) {
	c := Columns{Chain: absent, Counts: make([]bool, len(r.names))}
	for i, name := range r.names {
		rows, isChain := Counts(name)
		if plain := !strings.HasPrefix(name, ".") && !strings.HasSuffix(name, "__"); own(name) || plain && r.stan.commented { // Stan's models may have such variables
			rows, isChain = false, false
		}
		if chain != "" {
			isChain = name == chain
		}
		c.Counts[i] = rows || isChain
		switch {
		case !isChain:
		case c.Chain != absent:
			return c, r.WrongColumns(fmt.Sprintf("two columns of chains, %s and %s", r.names[c.Chain], name),
				chains.NewAdvice("keep one, or name it, as in {chain-column} %s", name))
		default:
			c.Chain = i
		}
	}
	if chain != "" && chain != NoChainColumn && c.Chain == absent {
		return c, r.WrongColumns("no column "+chain, chains.NewAdvice("{chain-column} names one in the first line"))
	}
	return c, nil
}

// Turns looks whether a column may say of which chain a row is, although its name does not: its
// values are the first few whole numbers, each in one run of rows or in turn.
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

// Doubt says that a column of this name may tell chains apart, and whether it looks so.
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
	return chains.NewAdvice("%s: the column %s has the whole numbers from %v to %v, %s; if it tells chains apart, give {chain-column} %s", source,
		column, t.first, t.first+float64(count-1), how, column), true
}
