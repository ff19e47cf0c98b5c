// Package tables reads the rows and columns of a text table, and finds the role of each column.
// Cells are separated by commas, tabs, semicolons or blanks. A line of column names, names of the
// rows, and comments above and between are optional. The role of a column follows from its name, by
// the list of Calls.
//
// It never guesses the value of a cell. Errors name the line and the column.
package tables

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
)

// Table is a text of rows with as many cells each.
type Table struct {
	Names   []string   // of the columns; nil if no line names them
	Index   []string   // of the rows, where the text sets them apart as pandas and R do; else nil
	Rows    [][]string // the cells, without blanks and quotation marks around them
	Remarks []string   // the comments, without their marks
	Notes   []string   // caveats: a line that was taken for a header may be a row
	lines   []int      // of the rows
	cells   int        // how many there are
	most    int        // and how many there may be
}

// Header says whether the first line names the columns.
type Header int

// BySight decides by the cells of the first line: it has column names if one of them is not a
// number, or if they are 0, 1, 2, ... or 1, 2, 3, ... above decimal numbers, as pandas writes them.
const (
	BySight Header = iota
	Never
)

// Parse reads a table with at most the given number of cells.
func Parse(data []byte, most int, header Header) (*Table, error) {
	data, err := selector.PlainText(data)
	if err != nil {
		return nil, err
	}
	if err := selector.CheckLines(data, most, 1<<26); err != nil {
		return nil, err
	}
	t := &Table{most: most}
	read := t.splitRows
	if beginOfJSON.Match(data) {
		read = t.ofJSON
	}
	switch {
	case beginOfFlat.Match(data):
		return nil, errs.New("a list of numbers in JSON is not a table; write a list of rows, as in [[0, 1]] for one row " +
			"or [[0], [1]] for one column")
	case decimalCommas.Match(data):
		return nil, errs.New("numbers have decimal commas; write points, as by tr ',;' '.,' <FILE >NEW")
	case printedMinus.Match(data):
		return nil, errs.New("the minus of a number is that of print; write the hyphen -, as by sed 's/\u2212/-/g' FILE >NEW")
	case beginOfObject.Match(data):
		return nil, errs.New(
			`an object in JSON is not a table; write a list of rows, as frame.to_json(PATH, orient="records") in pandas`,
		)
	}
	err = read(data)
	if err != nil {
		return nil, err
	}
	if len(t.Rows) == 0 {
		return nil, errs.New("the file is empty; write a row a line, with commas between the cells")
	}
	if header == BySight && t.Names == nil {
		t.detectHeader()
	}
	if len(t.Rows) == 0 {
		return nil, errors.New("the file names columns and has no rows")
	}
	t.splitRowNames()
	return t, t.checkRectangular()
}

// splitRows splits the text into rows.
func (t *Table) splitRows(data []byte) error {
	separator := rune(0)
	number := 0
	for line := range bytes.Lines(data) {
		number++
		line := string(line)
		text := strings.TrimSpace(line)
		if sign, is := strings.CutPrefix(text, "sep="); is && t.Rows == nil && len(sign) == 1 { // Excel's
			separator = rune(sign[0])
			continue
		}
		if remark, is := Comment(text); is {
			t.Remarks = append(t.Remarks, remark)
			continue
		}
		if text == "" {
			continue
		}
		if separator == 0 {
			separator = SeparatorOf(text, ",;\t ")
			if separator == '\t' && strings.Contains(text, " ") &&
				!slices.ContainsFunc(selector.Fields(text), func(cell string) bool { return !IsNumber(cell) }) {
				separator = ' ' // numbers behind tabs and blanks
			}
		}
		row, err := split(strings.TrimRight(line, "\r\n"), separator)
		if err == nil {
			err = t.addRow(row, number)
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", number, err)
		}
	}
	return nil
}

// addRow adds a row that stands on a line.
func (t *Table) addRow(row []string, line int) error {
	if len(row) == 0 { // in JSON, or of empty quotation marks between blanks
		return errors.New("found a row without cells")
	}
	t.cells += len(row)
	if t.cells > t.most {
		return fmt.Errorf("there are more than %d cells, and no more are read", t.most)
	}
	t.Rows, t.lines = append(t.Rows, row), append(t.lines, line)
	return nil
}

// Comment reports whether a line is a comment, and returns it without its mark: #, "% ", %% or //.
// (%fat may be a column name, and # alone too, as in #,h,lp.)
func Comment(text string) (remark string, is bool) {
	if len(text) > 1 && text[0] == '#' && strings.ContainsRune(",;\t", rune(text[1])) {
		return "", false
	}
	for _, mark := range []string{"#", "% ", "%%", "//"} {
		remark, is = strings.CutPrefix(text+" ", mark)
		if is {
			break
		}
	}
	return strings.TrimSpace(remark), is
}

// SeparatorOf returns the first of the separators some, in their order, that occurs in a line
// outside of quotation marks, and a comma if none does.
func SeparatorOf(line, some string) rune {
	inside := false
	outside := strings.Map(func(r rune) rune {
		if r == '"' {
			inside = !inside
		}
		if inside {
			return -1
		}
		return r
	}, line)
	for _, separator := range some {
		if strings.ContainsRune(outside, separator) {
			return separator
		}
	}
	return ','
}

// split returns the cells of a line.
func split(line string, separator rune) ([]string, error) {
	if separator == ' ' && !strings.ContainsRune(line, '"') {
		return selector.Fields(line), nil
	}
	if separator == ' ' || separator == '\t' {
		line = strings.Trim(line, " ")
	} else {
		line = strings.TrimRight(line, " \t")
	}
	cells := strings.Split(line, string(separator))
	err := error(nil)
	if strings.ContainsRune(line, '"') {
		r := csv.NewReader(strings.NewReader(line))
		r.Comma = separator
		r.FieldsPerRecord = -1
		r.TrimLeadingSpace = separator != '\t'
		cells, err = r.Read()
	}
	if err != nil {
		return nil, errs.New(
			"%q: a quotation mark stands alone or inside a cell; close it on the same line, and double "+
				"those inside a cell",
			selector.Cut(line),
		)
	}
	if separator == ' ' {
		cells = slices.DeleteFunc(cells, func(cell string) bool { return cell == "" })
	}
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	return cells, nil
}

// IsNumber reports whether a cell is meant as a number: a decimal number, an infinity, NaN or NA.
func IsNumber(cell string) bool {
	if _, err := selector.ParseNumber(cell); err == nil {
		return true
	}
	switch strings.ToLower(strings.TrimLeft(cell, "+-")) {
	case "inf", "infinity", "nan", "na":
		return true
	}
	return false
}

// detectHeader takes the first line for the names of the columns, if it looks so.
func (t *Table) detectHeader() {
	first := t.Rows[0]
	if t.headerIsNumbers() || slices.ContainsFunc(
		first,
		func(cell string) bool { return cell != "" && !BeginsAsNumber(cell) && !IsNumber(cell) },
	) &&
		!slices.ContainsFunc(first[1:], BeginsAsNumber) {
		t.takeHeader()
	}
}

// takeHeader takes the first row for the names of the columns.
func (t *Table) takeHeader() {
	t.Names = t.Rows[0]
	t.Rows = t.Rows[1:]
	t.lines = t.lines[1:]
}

// BeginsAsNumber reports whether the first character of a cell after signs, blanks and points is a
// digit. Such a cell need not be a number: 0.1d0 and 57%.
func BeginsAsNumber(cell string) bool {
	text := strings.TrimLeft(cell, " \t+-.")
	return text != "" && text[0] >= '0' && text[0] <= '9'
}

// Counted reports whether cells are 0, 1, 2, and so on.
func Counted(cells []string) bool {
	for i, cell := range cells {
		if cell != strconv.Itoa(i) {
			return false
		}
	}
	return true
}

// Numbered reports whether names are mere numbers from 0 or 1, perhaps after a letter V or X, as in
// R's V1, V2.
func Numbered(names []string) bool {
	plain := make([]string, len(names))
	for i, name := range names {
		plain[i] = strings.TrimLeft(name, "VX")
	}
	return Counted(plain) || Counted(append([]string{"0"}, plain...))
}

// headerIsNumbers reports whether the first line numbers the columns, or has numbers as their names
// behind an empty cell, or none above the names of the rows. A plane of two rows and two columns is
// no table of pandas.
func (t *Table) headerIsNumbers() bool {
	first := t.Rows[0]
	if first[0] == "" && len(first) > 1 {
		return !slices.ContainsFunc(first[1:], func(cell string) bool { return !IsNumber(cell) })
	}
	if len(t.Rows) > 1 && len(t.Rows[1]) == len(first)+1 {
		return Numbered(first) && (t.Rows[1][0] == first[0] || !IsNumber(t.Rows[1][0]))
	}
	if !Numbered(first) || !IsNumber(first[0]) {
		return false
	}
	decimals := 0
	others := 0
	for _, row := range t.Rows[1:] {
		for _, cell := range row {
			switch {
			case slices.Equal(row, first): // the header again, which is refused
			case strings.ContainsAny(cell, ".eE"), strings.HasSuffix(strings.ToLower(cell), "inf"):
				decimals++
			default:
				others++
			}
		}
	}
	decimal := decimals > 0 && others == 0
	shown := selector.Cut(strings.Join(first, ","))
	switch square := len(first) == 2 && len(t.Rows) == 2; {
	case !decimal && (len(first) == 1 || first[0] != "0") || len(t.Rows) == 1,
		len(first) == 1 && first[0] != "0":
	case len(first) > 1 && decimal && !square:
		t.Notes = append(t.Notes,
			fmt.Sprintf("the first line, %s, numbers the columns and is taken as a header; if it is a row, write "+
				"its first number as %s.0",
				shown, first[0]))
		return true
	case len(first) != 2:
		t.Notes = append(t.Notes, fmt.Sprintf(
			"the first line, %s, is taken as a row; if it numbers the columns, leave it out",
			shown,
		))
	}
	return false
}

// splitRowNames sets the names of the rows apart: a first column whose name is empty, or one that
// the line of names does not know, as R writes it.
func (t *Table) splitRowNames() {
	switch {
	case t.Names == nil || t.Index != nil || len(t.Rows) == 0:
	case slices.Contains([]string{"", "#", "Unnamed: 0"}, t.Names[0]):
		t.labelRows()
	case len(t.Rows[0]) == len(t.Names)+1:
		t.Names = append([]string{""}, t.Names...)
		t.labelRows()
	}
}

// Square takes the names of the columns and of the rows of a square matrix out of the cells, even
// if the names are numbers.
func (t *Table) Square() {
	if n, width := len(t.Rows), t.Width(); t.Names == nil &&
		(n == width && n > 1 && !IsNumber(t.Rows[0][0]) || n == width+1 && Numbered(t.Rows[0])) {
		t.takeHeader()
	}
	if t.Index == nil && t.Width() == len(t.Rows)+1 {
		t.labelRows()
	}
}

// labelRows takes the first column for the names of the rows.
func (t *Table) labelRows() {
	if t.Names != nil {
		t.Names = t.Names[1:]
	}
	t.Index = make([]string, len(t.Rows))
	for i, row := range t.Rows {
		if len(row) > 0 {
			t.Index[i], t.Rows[i] = row[0], row[1:]
		}
	}
}

// Width returns the number of columns, without names of rows.
func (t *Table) Width() int {
	if t.Names != nil || len(t.Rows) == 0 {
		return len(t.Names)
	}
	return len(t.Rows[0])
}

// checkRectangular fails if the rows have different numbers of cells, or if two columns have one
// name.
func (t *Table) checkRectangular() error {
	for i, row := range t.Rows {
		if len(row) != t.Width() {
			first := "the first row has"
			if t.Names != nil {
				first = "the first line names"
			}
			return errs.New("line %d has %s, %s %d; give every row as many", t.lines[i],
				selector.Count(len(row), "column"), first, t.Width())
		}
		if t.Names != nil && slices.Equal(row, t.Names) {
			return errs.New("line %d has the header again; join the files without it", t.lines[i])
		}
	}
	seen := map[string]bool{}
	for _, name := range t.Names {
		if seen[name] {
			return errs.New("two columns are named %q; keep one of them", selector.Cut(name))
		}
		seen[name] = name != ""
	}
	return nil
}

// Line returns the line of a row.
func (t *Table) Line(row int) int { return t.lines[row] }

// Wrong returns an error with the place of a cell.
func (t *Table) Wrong(row, column int, err error) error {
	if t.Index != nil {
		column++
	}
	place := fmt.Sprintf("line %d, column %d", t.lines[row], column+1)
	if t.Index != nil {
		column--
	}
	if t.Names != nil {
		place += fmt.Sprintf(" (%s)", selector.Cut(t.Names[column]))
	}
	return fmt.Errorf("%s: %w", place, err)
}

// Floats reads the number of a cell: a decimal number such as 0.25, or Fortran's 0.25D+00.
// Infinities are an error.
func Floats(cell string) (float64, error) {
	if v, err := selector.ParseNumber(Fortran(cell)); err == nil {
		return v, nil
	}
	switch {
	case cell == "":
		return 0, errs.New("the cell is empty; give a number")
	case strings.HasSuffix(cell, "%"):
		return 0, errs.New("%q is a percentage; divide it by 100", selector.Cut(cell))
	case strings.ContainsRune(cell, ';'):
		return 0, errs.New("%q has a semicolon; separate numbers by commas and write decimals with a point",
			selector.Cut(cell))
	case len(selector.Fields(cell)) > 1:
		return 0, errs.New("%q has a blank in it; separate all numbers by commas, or all of them by blanks",
			selector.Cut(cell))
	}
	_, err := selector.ParseNumber(cell)
	return 0, errs.New("%w; write a decimal number, as in 0.25", err)
}

// Fortran replaces the D in the exponent of a number that Fortran has written, such as 0.11D+01, by
// e. It returns other texts unchanged.
func Fortran(cell string) string {
	at := strings.IndexAny(cell, "dD")
	if at < 1 || strings.Trim(cell[:at], "+-.0123456789") != "" || at+1 == len(cell) ||
		strings.Trim(cell[at+1:], "+-0123456789") != "" {
		return cell
	}
	return cell[:at] + "e" + cell[at+1:]
}
