package files

import (
	"context"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"breadboard/chains/numpy"
	"breadboard/chains/selector"
	"breadboard/experiments/draws"
)

// Series reads plain numbers without names: the values of one quantity along several chains, a row
// for each chain. Text has a column for each chain, and may have a first line of names, which are
// ignored; arrays of .npy have the shape (chains, values) or, for one chain, (values,), or the
// given shape. Every number must be finite, and there may be at most most of them. Errors in the
// content are an *Error.
func Series(ctx context.Context, path string, most int, shape Shape) ([][]float64, error) {
	if err := onlyOfArrays(path, shape); err != nil {
		return nil, err
	}
	file, err := selector.OpenFile(path, maxFile)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	switch ending := selector.Ending(path); {
	case ending == ".npy":
		in, err := file.Places(numpy.Size(most))
		if err != nil {
			return nil, unpacking(path, err)
		}
		return seriesOfArray(ctx, path, in, most, shape)
	case ending == ".npz" || strings.HasPrefix(ending, ".json"):
		return nil, wrongEnding(path, "write text with a column for each chain, or NumPy arrays to .npy, of shape (chains, draws)")
	}
	return seriesOfText(ctx, path, linesOf(path, file), most)
}

// seriesOfText reads the columns of a text.
func seriesOfText(ctx context.Context, name string, in *lines, most int) ([][]float64, error) {
	c := &csvRows{textRows: textRows{name: name, in: in}}
	if err := c.begin(ctx); err != nil {
		return nil, err
	}
	if c.stan.known {
		bad := &fault{found: "a file of CmdStan; its columns are variables, not chains", want: "give it as an argument, with the other chains of the run"}
		return nil, bad.at(name, -1, c.in.number)
	}
	series := make([][]float64, len(c.columns))
	err := c.all(ctx, func(line []byte, _ int) *fault {
		bad := c.each(line, "rows", func(i int, cell []byte) *fault {
			v, _, ok := draws.ParseNumber(cell)
			if !ok || math.IsInf(v, 0) {
				return notNumber(cell, "write a finite number").in(c.columns[i])
			}
			series[i] = append(series[i], v)
			return nil
		})
		if bad == nil && (c.rows+1)*len(series) > most {
			bad = tooMany(most)
		}
		return bad
	})
	return series, err
}

// all calls put with the line of every row and its number, and returns the first fault with its
// place.
func (c *csvRows) all(ctx context.Context, put func(line []byte, number int) *fault) error {
	for {
		line, number, err := c.nextRow(ctx)
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
		if bad := put(line, number); bad != nil {
			return bad.at(c.name, c.rows, number)
		}
		if c.rows++; c.rows%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
	}
}

// begin finds the columns in the first line that is no comment. If that is a row it is kept as
// the first, and the columns are called by their numbers. A cell that begins as a number makes a
// row of the line, also if it is none that can be read, because the line would else be left out in
// silence.
func (c *csvRows) begin(ctx context.Context) error {
	cells, _, row, err := c.top(ctx, func(cells []string) bool {
		next := c.in.following()
		return !CountsColumns(cells, next) && (isRow(cells) || beginsRow(cells, next))
	})
	for i := range cells {
		if row {
			cells[i] = strconv.Itoa(i + 1)
		}
	}
	c.columns = cells
	return err
}

// tooMany is the fault of a source of more numbers than are taken.
func tooMany(most int) *fault {
	return &fault{found: fmt.Sprintf("more than %d numbers", most), want: "write fewer, such as every second one, or each chain by itself"}
}

// seriesOfArray reads the chains of an array.
func seriesOfArray(ctx context.Context, name string, in selector.Places, most int, shape Shape) ([][]float64, error) {
	a, err := readArray(ctx, name, "", in, most)
	if err != nil {
		return nil, err
	}
	if _, _, elements := a.sizes(shape); len(elements) > 0 {
		return nil, (&fault{found: "an array of shape " + numpy.ShapeText(a.sides), want: arrayForm}).at(name, -1, 0)
	}
	if bad := a.notFinite(); bad != nil {
		return nil, bad.at(name, -1, 0)
	}
	return a.element(shape, 0, 1), nil
}
