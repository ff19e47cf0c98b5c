package files

import (
	"context"
	"io"
)

// codaRows reads the rows of coda's files: a row has a value of each variable. Chains follow one another.
type codaRows struct {
	index  *codaIndex
	fields []field
	chains []string   // that are not yet read
	path   string     // of the chain whose cells are here
	cells  [][]string // by variable, those of the columns that are used
	at     int        // the next row of that chain
	rows   int        // how many rows have been read
}

// maxCodaCells is the most cells of a chain, which stand in memory as the file gives them.
const maxCodaCells = 1 << 22

// openCoda reads an index and finds the chains beside it.
func openCoda(ctx context.Context, path string, o Options) (*codaRows, *layout, error) {
	index, err := readCodaIndex(ctx, path)
	if err != nil {
		return nil, nil, err
	}
	var names []string
	for _, v := range index.variables {
		names = append(names, v.name)
	}
	if o.Columns != nil && !sameNames(names, o.Columns) {
		return nil, nil, namedTwice("the variables "+listed(names), o).at(path, -1, 0)
	}
	l, bad := newLayout(names, o.Space)
	if bad != nil {
		return nil, nil, bad.at(path, -1, 0)
	}
	chains, err := codaChains(path)
	if err != nil {
		return nil, nil, err
	}
	return &codaRows{index: index, fields: l.fields, chains: chains}, l, nil
}

// decode reads up to limit rows.
func (c *codaRows) decode(ctx context.Context, t *table, limit int) (int, error) {
	for n := range limit {
		if c.path == "" || c.at == c.index.draws() {
			err := c.load(ctx)
			if n > 0 && err != nil {
				return n, nil // what stopped it is found again by the next call
			}
			if err != nil {
				return 0, err
			}
		}
		if bad, line := c.row(t, n); bad != nil {
			return n, bad.at(c.path, c.rows, line)
		}
		c.at++
		c.rows++
	}
	return limit, nil
}

// load reads the next chain, and returns io.EOF after the last.
func (c *codaRows) load(ctx context.Context) error {
	if len(c.chains) == 0 {
		return io.EOF
	}
	path, cells, total := c.chains[0], make([][]string, len(c.fields)), 0
	err := c.index.readChain(ctx, path, func(variable, _ int, cell []byte, _ int) *fault {
		if !c.fields[variable].used {
			return nil
		}
		if total++; total > maxCodaCells {
			return tooMany(maxCodaCells)
		}
		cells[variable] = append(cells[variable], string(cell))
		return nil
	})
	if err != nil {
		return err
	}
	c.chains, c.path, c.cells, c.at = c.chains[1:], path, cells, 0
	return nil
}

// row puts the next draw of the chain into a row of the table.
func (c *codaRows) row(t *table, row int) (bad *fault, line int) {
	for i := range c.fields {
		f := &c.fields[i]
		if !f.used {
			continue
		}
		cell := []byte(c.cells[i][c.at])
		if f.target.quantity == wholePath {
			bad = t.setPathText(f, row, cell)
		} else {
			bad = t.setText(f, row, 0, cell)
		}
		if bad != nil {
			return bad, c.index.variables[i].first + c.at
		}
	}
	return t.checkEnds(row), 0
}
