package files

import (
	"strconv"
	"strings"

	"breadboard/experiments/draws"
)

// rowNames are names that stand before the cells of every row, and not in the header, as R's
// write.table puts them.
type rowNames struct {
	last   string  // the name of the last row
	number float64 // the same as a number, if the names are not quoted
}

// unnamedRow returns a row without its name, if it has one. Whether rows have names is seen in the
// first one.
func (c *csvRows) unnamedRow(line []byte) []byte {
	if c.rows == 0 && c.rowNames == nil && line[0] != '#' {
		c.seeRowNames(line)
	}
	if c.rowNames == nil {
		return line
	}
	quoted := line[0] == '"'
	name, rest, more, bad := c.cut(line)
	if bad != nil || !more || !c.rowNames.take(string(name), quoted) {
		return line // has a cell too many, or its fault is found there
	}
	return rest
}

// seeRowNames finds out whether the first row has a name: it then has one cell more than the
// header.
func (c *csvRows) seeRowNames(line []byte) {
	separator := c.separator
	if len(c.columns) == 1 { // whose header has no separator
		if line[0] != '"' && !c.countsRows(line) {
			return
		}
		c.separator = separatorOf(line)
	}
	if cells, bad := c.cells(line); bad == nil && len(cells) == len(c.columns)+1 {
		c.rowNames = &rowNames{}
		return
	}
	c.separator = separator
}

// countsRows reports whether this row and all that are at hand begin with 1, 2, 3, and so on.
func (c *csvRows) countsRows(line []byte) bool {
	rows := 0
	for row := range strings.Lines(string(line) + "\n" + string(c.in.ahead(maxPreamble))) {
		rows++
		if rest, is := strings.CutPrefix(row, strconv.Itoa(rows)); !is || strings.IndexAny(rest, ",;\t ") != 0 {
			return false
		}
	}
	return rows > 2
}

// take reports whether a text can be the name of the next row: names in quotation marks differ, and
// others are whole numbers that rise. A first column of anything else is one that the header has
// forgotten.
func (n *rowNames) take(name string, quoted bool) bool {
	v, _, number := draws.ParseNumber([]byte(name))
	if quoted && name == n.last || !quoted && !(number && v > n.number) {
		return false
	}
	n.last, n.number = name, v
	return true
}
