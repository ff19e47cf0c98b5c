package files

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"breadboard/chains/tables"
)

// Comma is the value of Decimal for decimals written with a comma.
const Comma = "comma"

// maxPreamble is how many bytes of the beginning of a file are looked through for the names of
// columns.
const maxPreamble = 1 << 16

// skipPreamble passes over the lines above the names of the columns that are no part of a table, as
// programs write their settings above a trace: the names are the first line of three cells or more,
// none of them a number, above a row of as many numbers, all separated by tabs.
func (r *Rows) skipPreamble(ctx context.Context) error {
	if r.in.waiting != nil && !r.in.ends {
		return nil
	}
	if _, err := r.in.start(ctx, maxPreamble); err != nil {
		return err
	}
	cells := func(line string) []string { return strings.Split(strings.TrimRight(line, "\t\r\n "), "\t") }
	numbers := func(cells []string) bool {
		return isRow(slices.DeleteFunc(slices.Clone(cells), func(cell string) bool { return missing([]byte(cell)) }))
	}
	all := strings.SplitAfter(string(r.in.ahead(maxPreamble)), "\n")
	first := len(all)
	for i, line := range all {
		text := strings.TrimSpace(line)
		if _, comment := tables.Comment(text); first == len(all) && text != "" && !comment {
			first = i
		}
		if i <= first || i+1 == len(all) {
			continue
		}
		names, row := cells(line), cells(all[i+1])
		if len(names) < 3 || len(cells(all[first])) == len(names) || len(row) != len(names) || !numbers(row) {
			continue
		}
		if text := strings.Join(names, ""); text == "" || numbers(names) || strings.Contains(strings.Join(names, "\t"), "\t\t") {
			continue
		}
		for range i {
			if _, err := r.in.next(ctx); err != nil {
				return err
			}
		}
		r.said = append(r.said, fmt.Sprintf("%s: the %d lines above the names of the columns are left out", r.name, i))
		return nil
	}
	return nil
}

// vectors gives each element of a column of lists, as RevBayes writes [0.1,0.9], a name of its own.
// The first row says how many there are.
func (r *Rows) vectors() {
	if r.names == nil {
		return
	}
	line, _, _ := bytes.Cut(r.in.ahead(maxPreamble), []byte("\n"))
	cells, bad := r.csvRows.cells(bytes.TrimRight(line, "\r"))
	if bad != nil || len(cells) != len(r.names) {
		return
	}
	var names []string
	lists := make([]int, len(cells))
	for i, cell := range cells {
		if lists[i] = len(listOf([]byte(cell))); lists[i] == 0 {
			names = append(names, r.names[i])
			continue
		}
		for k := range lists[i] {
			names = append(names, fmt.Sprintf("%s[%d]", r.names[i], k+1))
		}
	}
	if len(names) > len(cells) {
		r.names, r.lists = names, lists
	}
}

// listOf returns the numbers of a list in brackets as texts; nil of other cells.
func listOf(cell []byte) [][]byte {
	if len(cell) < 3 || cell[0] != '[' || cell[len(cell)-1] != ']' || !isRow([]string{string(cell)}) {
		return nil
	}
	return bytes.Split(cell[1:len(cell)-1], []byte(","))
}

// put adds the cells of a column to the row that is being read.
func (r *Rows) put(column int, cell []byte) *fault {
	if r.decimal && bytes.IndexByte(cell, ',') >= 0 {
		cell = bytes.ReplaceAll(cell, []byte(","), []byte("."))
	}
	if r.lists == nil || r.lists[column] == 0 {
		r.cells = append(r.cells, cell)
		return nil
	}
	list := listOf(cell)
	if len(list) != r.lists[column] {
		return &fault{column: r.columns[column], found: Found(cell), want: fmt.Sprintf("write %d numbers, as in the first row", r.lists[column])}
	}
	for _, element := range list {
		r.cells = append(r.cells, bytes.TrimSpace(element))
	}
	return nil
}
