package toys

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
	"breadboard/grid"
)

// MaxCells is the largest number of cells of a grid that a selector writes cell by cell: 25 by 25.
// Such a selector has at most about 13 kB, which fits into a command line, the address of a web
// page and a line of a table. Larger grids are written to files.
const MaxCells = 625

// cellsName is the name in front of the cells.
const cellsName = "cells"

// Cells returns the toy whose log f is g, in nats and up to a constant, on a grid of rows and
// columns or on a line, with at most MaxCells cells. Axes of length one are dropped. Its name has
// every number in the fewest digits that are read back as the same float64. A cell of -Inf is a
// zero of f; NaN, +Inf and a grid of zeros alone are errors.
func Cells(space *grid.Lattice, g []float64) (*Toy, error) {
	space = space.Squeezed()
	if space.Dims() > 2 {
		return nil, errs.New("cells stand in rows and columns, and the grid %v has %d axes; give one that has two",
			space, space.Dims())
	}
	if len(g) != space.States() {
		return nil, errs.New("%d numbers for the %d cells of the grid %v; give one for each",
			len(g), space.States(), space)
	}
	if err := checkCells(len(g)); err != nil {
		return nil, err
	}
	numbers := LogF()
	for x, v := range g {
		if _, err := numbers.logf(v); err != nil {
			return nil, cellError(x/rowLength(space), x%rowLength(space), err)
		}
	}
	if err := numbers.checkMass(g); err != nil {
		return nil, err
	}
	g = slices.Clone(g)
	for x, v := range g {
		g[x] = v + 0 // which makes 0 of -0, that would be written otherwise
	}
	return &Toy{
		Name:        cellsText(rowLength(space), g),
		Description: "g on " + space.String() + " as it stands in the selector, cell by cell",
		Space:       space,
		G:           g,
	}, nil
}

// Cells returns the selector of Cells for the same log f on the same grid. It is "" if the toy is
// on a graph, on a grid that is neither a plane nor a line, on a plane of one row or one column, or
// has more than MaxCells states. The selector does not keep the toy's dominant mode or prior.
func (t *Toy) Cells() string {
	space := t.Lattice()
	if space == nil || t.ByLabel() || space.States() > MaxCells || space.Dims() > 2 ||
		space.Squeezed().Dims() < space.Dims() {
		return ""
	}
	return cellsText(rowLength(space), t.G)
}

// rowLength returns the number of cells of a row of a plane, or of a line.
func rowLength(space *grid.Lattice) int { return space.Side(space.Dims() - 1) }

// cellsText writes the selector of numbers that stand in rows of that many.
func cellsText(columns int, g []float64) string {
	text := []byte(cellsName)
	for x, v := range g {
		switch {
		case x > 0 && x%columns == 0:
			text = append(text, '/')
		default:
			text = append(text, ':')
		}
		text = strconv.AppendFloat(text, v+0, 'g', -1, 64)
	}
	return string(text)
}

// checkCells fails if there are too many cells for a selector.
func checkCells(n int) error {
	if n > MaxCells {
		return errs.New(
			"%d cells; at most %d, as 25x25 has, stand in a selector, and larger grids in a file, as in %s",
			n,
			MaxCells,
			fileForm().Example,
		)
	}
	return nil
}

// cellError says in which cell something is wrong. Rows and columns are counted from 0 here and
// from 1 in messages, as lines of files are.
func cellError(row, column int, err error) error {
	return fmt.Errorf("row %d, column %d: %w", row+1, column+1, err)
}

func cellsForm() toyForm {
	return toyForm{
		Syntax:  cellsName + ":G:G.../G:G...",
		Doc:     "g = log f cell by cell, rows separated by /, -inf for a zero of f; at most 625 cells",
		Example: cellsName + ":0:1:-2/3:-inf:0.5",
		Missing: "g of every cell",
		Parse:   parseCells,
	}
}

func parseCells(args selector.Args, _ Forms) (*Toy, error) {
	if err := checkCells(1 + strings.Count(args.Text, ":") + strings.Count(args.Text, "/")); err != nil {
		return nil, args.Wrap(err)
	}
	var g []float64
	rows, columns := strings.Split(args.Text, "/"), 0
	for r, row := range rows {
		cells := strings.Split(row, ":")
		if r == 0 {
			columns = len(cells)
		}
		if len(cells) != columns {
			return nil, args.Errorf("row %d has %d cells, the first row has %d; give every row as many",
				r+1, len(cells), columns)
		}
		for c, cell := range cells {
			v, err := parseCellOfSelector(strings.TrimSpace(cell))
			if err != nil {
				return nil, args.Wrap(cellError(r, c, err))
			}
			g = append(g, v)
		}
	}
	shape := []int{len(rows), columns}
	if len(rows) == 1 { // which is a line as it stands
		shape = shape[1:]
	}
	space, err := grid.New(shape...)
	if err != nil {
		return nil, args.Wrap(err)
	}
	toy, err := Cells(space, g)
	if err == nil {
		toy.Doubt = Squeezed(selector.Cut(cellsName+":"+args.Text), space)
	}
	return toy, args.Wrap(err)
}

// parseCellOfSelector reads log f of a cell as files have it, and says how cells of a selector are
// parted where it is none.
func parseCellOfSelector(cell string) (float64, error) {
	if v, named, err := namedLogF(cell); named {
		return v, err
	}
	switch {
	case cell == "":
		return 0, errs.New("the cell is empty; give a number, or %s for a zero of f", LogF().zero)
	case strings.ContainsAny(cell, "; \t"):
		return 0, errs.New("%q is not a number; part cells by colons and rows by slashes", cell)
	}
	return selector.ParseNumber(cell)
}
