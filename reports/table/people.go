package table

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/pkg/twwidth"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

// Percent is a share, or a ratio minus one, that people see in percent. Formats for machines have
// the number itself.
type Percent float64

// percentDigits is the number of significant digits of a Percent below 100% if no other is asked
// for; above it has whole numbers.
const percentDigits = 4

// largestPercent is the ratio from which on a Percent is only said to be larger: the ratio itself
// is then easier to read.
const largestPercent = 100

// defaultDigits is the number of significant digits of numbers for people, in columns that do not
// set Digits.
const defaultDigits = 6

// peopleTable is a table as people see it: text in every cell.
type peopleTable struct {
	columns []Column
	header  []string
	numeric []bool // the columns with numbers, which stand at the right of their columns
	rows    [][]string
	// above is what is the same in every row, in lines above the table.
	above string
	// upright has a line for each cell, behind its heading, since the columns that are kept do not
	// fit side by side.
	upright bool
}

// forPeople returns the columns that have a title, without those whose cells are all empty unless
// they are asked for. Numbers have that many significant digits, or those of their column where
// digits is 0.
func (t *Table) forPeople(digits int) peopleTable {
	out := peopleTable{rows: make([][]string, len(t.Rows))}
	for i, c := range t.Columns {
		if c.Title == "" || !t.asked && t.empty(i) {
			continue
		}
		out.columns = append(out.columns, c)
		out.header = append(out.header, strings.Map(printable, c.Heading()))
		out.numeric = append(out.numeric, t.numeric(i))
		shown := c.Digits
		if digits > 0 {
			shown = digits
		}
		errors := i
		if !strings.HasSuffix(c.Name, errorSuffix) {
			errors = slices.IndexFunc(t.Columns, func(e Column) bool { return c.Name != "" && e.Name == c.Name+errorSuffix })
		}
		for j, row := range t.Rows {
			text := people(row[i], shown, digits > 0)
			if digits == 0 && errors >= 0 {
				text = besideError(row[i], row[errors], text)
			}
			out.rows[j] = append(out.rows[j], text)
		}
	}
	return out
}

// errorSuffix ends the name of the column of the standard errors of another column.
const errorSuffix = "_se"

// besideError returns a number for people with as many decimals as two digits of its standard error
// have, and the text if there is no such error. The error itself has the same decimals.
func besideError(cell, deviation any, text string) string {
	v, is := cell.(float64)
	se, known := deviation.(float64)
	if !is || !known || !(se > 0) || math.IsInf(se, 1) || math.IsNaN(v) || math.IsInf(v, 0) {
		return text
	}
	switch decimals := max(0, 1-power(se, 1)); {
	case decimals <= mostDecimals:
		return strconv.FormatFloat(v, 'f', decimals, 64)
	case v != 0:
		return people(v, max(1, 1+power(v, 17)+decimals), true)
	}
	return text
}

// mostDecimals is the largest number of decimals without an exponent.
const mostDecimals = 6

// power returns the power of ten of the first digit of a finite number, rounded to the given number
// of decimals after that digit.
func power(v float64, decimals int) int {
	_, text, _ := strings.Cut(strconv.FormatFloat(v, 'e', decimals, 64), "e")
	exponent, err := strconv.Atoi(text)
	if err != nil {
		panic(err) // a finite number has an exponent
	}
	return exponent
}

// without returns the table without some columns.
func (p peopleTable) without(gone map[int]bool) peopleTable {
	out := peopleTable{rows: make([][]string, len(p.rows)), above: p.above}
	for i := range p.header {
		if gone[i] {
			continue
		}
		out.columns, out.header, out.numeric = append(out.columns, p.columns[i]), append(out.header, p.header[i]), append(out.numeric, p.numeric[i])
		for j := range p.rows {
			out.rows[j] = append(out.rows[j], p.rows[j][i])
		}
	}
	return out
}

// numeric reports whether a column shows people a number, also one in words, as in "3 of 4".
func (t *Table) numeric(column int) bool {
	for _, row := range t.Rows {
		both, is := row[column].(Both)
		if !is {
			both.People = row[column]
		}
		for _, cell := range []any{both.People, both.Machine} {
			switch cell.(type) {
			case int, uint64, float64, Percent:
				return true
			}
		}
	}
	return false
}

// empty reports whether all cells of a column are empty for people.
func (t *Table) empty(column int) bool {
	for _, row := range t.Rows {
		if People(row[column], 1) != "" {
			return false
		}
	}
	return true
}

// People returns a cell as people see it: a number rounded to the given number of significant
// digits, where 0 means DefaultDigits; an empty text for nil and NaN; and text without control
// characters of a terminal.
func People(cell any, digits int) string { return people(cell, digits, false) }

// people is as People, where all of the digits are shown if the user has asked for that many, the
// zeros at the end too.
func people(cell any, digits int, exactly bool) string {
	switch v := cell.(type) {
	case nil:
		return ""
	case Both:
		return people(v.People, digits, exactly)
	case Percent:
		return v.text(digits, exactly)
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case float64:
		if math.IsNaN(v) {
			return ""
		}
		if digits == 0 {
			digits = defaultDigits
		}
		text := strconv.FormatFloat(v, 'g', digits, 64)
		if exactly && v != 0 {
			text = strings.TrimSuffix(strings.Replace(fmt.Sprintf("%#.*g", digits, v), ".e", "e", 1), ".")
		}
		return strings.Replace(text, "e-0", "e-", 1)
	}
	return strings.Map(printable, fmt.Sprint(cell))
}

// text returns the share in percent, and nothing for NaN. Where digits are asked for it has that
// many, but always those before the point.
func (p Percent) text(digits int, exactly bool) string {
	v := 100 * float64(p)
	switch {
	case math.IsNaN(v):
		return ""
	case p >= largestPercent:
		return fmt.Sprintf("> %d%%", 100*largestPercent)
	case p <= -largestPercent:
		return fmt.Sprintf("< -%d%%", 100*largestPercent)
	case !exactly && p >= 1:
		return fmt.Sprintf("%.0f%%", v)
	case !exactly:
		return fmt.Sprintf("%.*g%%", percentDigits, v)
	case v == 0:
		return "0%"
	}
	return fmt.Sprintf("%.*f%%", max(0, digits-1-power(v, digits-1)), v)
}

// printable replaces characters that would move the cursor, change the colours of a terminal or
// reverse what follows, such as U+202E.
func printable(r rune) rune {
	if unicode.In(r, unicode.Cc, unicode.Bidi_Control) {
		return unicode.ReplacementChar
	}
	return r
}

// writeText writes the columns for people as a box of text, fitted to the width of the style. No
// line ends in blanks.
func (t *Table) writeText(w io.Writer, s Style) (Fit, error) {
	parts, fit := t.forPeople(s.Digits).fitted(s.Width)
	symbols := tw.StyleLight
	if s.ASCII {
		symbols = tw.StyleASCII
	}
	light := tw.Rendition{
		Symbols: tw.NewSymbols(symbols),
		Borders: tw.Border{Left: tw.Off, Right: tw.Off, Top: tw.Off, Bottom: tw.Off},
	}
	box := bytes.NewBufferString(parts[0].above)
	for i, p := range parts {
		if i > 0 {
			box.WriteString("\n")
		}
		if s.Colour {
			p.colour()
		}
		if p.upright {
			p.writeUpright(box, s.Width)
		} else if err := render(box, p, renderer.NewBlueprint(light)); err != nil {
			return fit, err
		}
	}
	lines := bytes.Split(box.Bytes(), []byte("\n"))
	for i, line := range lines {
		lines[i] = bytes.TrimRight(line, " ")
	}
	_, err := w.Write(bytes.Join(lines, []byte("\n")))
	return fit, err
}

// writeUpright writes each row as lines of a heading and a cell, and a blank line between two rows.
func (p peopleTable) writeUpright(box *bytes.Buffer, width int) {
	margin := 0
	for _, h := range p.header {
		margin = max(margin, twwidth.Width(h)+3)
	}
	for j, row := range p.rows {
		if j > 0 {
			box.WriteString("\n")
		}
		for i, cell := range row {
			for k, line := range strings.Split(broken(cell, width-margin), "\n") {
				head := ""
				if k == 0 {
					head = " " + p.header[i]
				}
				box.WriteString(head + strings.Repeat(" ", margin-twwidth.Width(head)) + line + "\n")
			}
		}
	}
}

// Coloured returns a verdict in its colour on a terminal: pass in green, fault in red and open in
// yellow. Other words stay as they are.
func Coloured(verdict string) string {
	colour, known := map[string]string{"pass": "\x1b[32m", "fault": "\x1b[31m", "open": "\x1b[33m", "differs": "\x1b[33m"}[verdict]
	if !known {
		return verdict
	}
	return colour + verdict + "\x1b[0m" // the sequences of characters that make a terminal write in another colour, and that end it
}

// colour colours the cells of columns of verdicts.
func (p *peopleTable) colour() {
	for i, c := range p.columns {
		for _, row := range p.rows {
			if c.Name == "verdict" {
				row[i] = Coloured(row[i])
			}
		}
	}
}

// render writes a table with tablewriter.
func render(w io.Writer, t peopleTable, r tw.Renderer) error {
	align := make([]tw.Align, len(t.header))
	for i := range t.header {
		align[i] = tw.AlignLeft
		if t.numeric[i] {
			align[i] = tw.AlignRight
		}
	}
	cell := tw.CellConfig{
		Formatting: tw.CellFormatting{AutoFormat: tw.Off, AutoWrap: tw.WrapNone},
		Alignment:  tw.CellAlignment{PerColumn: align},
	}
	out := tablewriter.NewTable(w, tablewriter.WithConfig(tablewriter.Config{Header: cell, Row: cell}), tablewriter.WithRenderer(r))
	out.Header(t.header)
	for _, row := range t.rows {
		if err := out.Append(row); err != nil {
			return err
		}
	}
	return out.Render()
}

// The least width to which the cells of a column are brought: a sentence by breaking it into lines,
// any other text by breaking its words. Numbers are never broken.
const (
	leastProse = 28
	leastText  = 16
)

// maxWidth is the width to which sentences are broken if a table may have any: an editor or a pager
// shows as much of a line.
const maxWidth = 160

// fitted returns the table with lines of at most so many characters, if that can be done, and says
// how. A width of 0 is any, where sentences alone are broken, at maxWidth. What is the same in
// every row goes above the table; headings and sentences are broken between words. If that is not
// enough it leaves out columns behind the first answer, from the right, then has several tables,
// one below the other, or breaks words, and at last leaves out any column but the answers and the
// first. If nothing helps, as where all columns are asked for, the cells of a row are below each
// other.
func (p peopleTable) fitted(width int) ([]peopleTable, Fit) {
	if width <= 0 {
		p.breakSentences(maxWidth)
		return []peopleTable{p}, Fit{}
	}
	if p.width() <= width {
		return []peopleTable{p}, Fit{}
	}
	p, above := p.lifted(width)
	fit := Fit{Above: above}
	if p.width() <= width {
		return []peopleTable{p}, fit
	}
	upright := p
	upright.upright, upright.header = true, slices.Clone(p.header)
	p.breakHeadings()
	order, spares := p.sparing()
	gone := map[int]bool{}
	var parts []peopleTable
	within := false
	for k := 0; len(parts) == 0; k++ {
		out := p.without(gone)
		switch {
		case out.narrowest(within) <= width:
			parts = []peopleTable{out}
		case k >= spares && !within:
			parts, within, k = out.split(width, false), true, k-1
		case k >= len(order):
			if parts = out.split(width, true); parts == nil {
				return []peopleTable{upright}, fit
			}
		default:
			gone[order[k]] = true
		}
	}
	for i := range p.columns {
		if gone[i] {
			fit.Omitted = append(fit.Omitted, called(p.columns[i]))
		}
	}
	for i := range parts {
		parts[i].breakSentences(width)
		if within {
			parts[i].breakTexts(width)
		}
	}
	return parts, fit
}

// split returns several tables that show the columns from the first answer on, as many in each as
// the width has room for, behind those left of it. It returns none if no column is left of it, so
// that rows would have no names, or if there is no room for one of them, with or without breaking
// words.
func (p peopleTable) split(width int, within bool) (parts []peopleTable) {
	first := p.firstAnswer()
	for from := first; 0 < from && from < len(p.columns); {
		var part peopleTable
		to := from
		for to < len(p.columns) {
			gone := map[int]bool{}
			for i := first; i < len(p.columns); i++ {
				gone[i] = i < from || i > to
			}
			more := p.without(gone)
			if more.narrowest(within) > width {
				break
			}
			part, to = more, to+1
		}
		if to == from {
			return nil
		}
		parts, from = append(parts, part), to
	}
	return parts
}

// lifted returns the table without the columns that are the same in every row and no answers, which
// stand above it, and what these are called. Of a single row they are those left of the first
// answer, which say what it is about.
func (p peopleTable) lifted(width int) (out peopleTable, names []string) {
	var items []string
	gone := map[int]bool{}
	for i, c := range p.columns {
		differs := func(row []string) bool { return row[i] != p.rows[0][i] }
		if c.Answer || slices.ContainsFunc(p.rows, differs) || len(p.rows) == 1 && i > p.firstAnswer() {
			continue
		}
		gone[i] = true
		items, names = append(items, p.header[i]+" "+p.rows[0][i]+","), append(names, called(c))
	}
	if len(items) == 0 || len(items) == len(p.columns) {
		return p, nil
	}
	p.above = Broken(filled(items, width), width)
	p.above = strings.TrimSuffix(p.above, ",") + "\n"
	return p.without(gone), names
}

// firstAnswer returns the place of the first answer, and -1 if there is none.
func (p peopleTable) firstAnswer() int {
	return slices.IndexFunc(p.columns, func(c Column) bool { return c.Answer })
}

// called returns the name of a column, or its title if it has no name.
func called(c Column) string {
	return cmp.Or(c.Name, c.Title)
}

// sparing returns the columns that can be left out, from the right: all but the answers, the first
// and those that the sentence above names. The spares among them, behind the first answer, are left
// out before any word is broken.
func (p peopleTable) sparing() (order []int, spares int) {
	first := p.firstAnswer()
	for i := len(p.columns) - 1; i > 0; i-- {
		if p.columns[i].Answer || p.columns[i].Named {
			continue
		}
		order = append(order, i)
		if first >= 0 && i > first {
			spares++
		}
	}
	return order, spares
}

// widthOf returns the number of characters of the longest line of a text.
func widthOf(text string) int {
	most := 0
	for line := range strings.SplitSeq(text, "\n") {
		most = max(most, twwidth.Width(line))
	}
	return most
}

// cellWidth returns the width of the widest cell of a column, its heading left aside.
func (p peopleTable) cellWidth(column int) int {
	most := 0
	for _, row := range p.rows {
		most = max(most, widthOf(row[column]))
	}
	return most
}

// width returns the number of characters of a line: a blank stands on both sides of a cell, and a
// bar between two.
func (p peopleTable) width() int {
	sum := -1
	for i := range p.header {
		sum += max(widthOf(p.header[i]), p.cellWidth(i)) + 3
	}
	return sum
}

// narrowest returns the least width that breaking sentences, and other texts within words if that
// is allowed, can bring a line to.
func (p peopleTable) narrowest(within bool) int {
	sum := -1
	for i := range p.header {
		cells := p.cellWidth(i)
		switch {
		case p.columns[i].Prose:
			cells = min(cells, max(leastProse, p.longestWord(i)))
		case within && p.canBreak(i):
			cells = min(cells, leastText)
		}
		sum += max(widthOf(p.header[i]), cells) + 3
	}
	return sum
}

// canBreak reports whether the words of a column may be broken: numbers, sentences and answers are
// not.
func (p peopleTable) canBreak(column int) bool {
	c := p.columns[column]
	return !p.numeric[column] && !c.Prose && !c.Answer
}

// longestWord returns the width of the longest word of a column of sentences.
func (p peopleTable) longestWord(column int) int {
	most := 0
	for _, row := range p.rows {
		most = max(most, widthOf(strings.Join(strings.Fields(row[column]), "\n")))
	}
	return most
}

// breakHeadings breaks headings that are wider than their columns between words.
func (p *peopleTable) breakHeadings() {
	for i, h := range p.header {
		if cells := p.cellWidth(i); widthOf(h) > cells {
			p.header[i] = broken(h, cells)
		}
	}
}

// breakSentences breaks the cells of sentences into lines, those of the widest column first, until
// the table has the width or no more can be done.
func (p *peopleTable) breakSentences(width int) {
	order := make([]int, len(p.header))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return p.cellWidth(b) - p.cellWidth(a) })
	for _, i := range order {
		excess := p.width() - width
		if excess <= 0 {
			return
		}
		if !p.columns[i].Prose {
			continue
		}
		room := max(leastProse, p.longestWord(i), p.cellWidth(i)-excess)
		for _, row := range p.rows {
			row[i] = broken(row[i], room)
		}
	}
}

// breakTexts breaks the widest texts within words, until the table has the width or no more can be
// done.
func (p *peopleTable) breakTexts(width int) {
	for excess := p.width() - width; excess > 0; excess = p.width() - width {
		widest := -1
		for i := range p.header {
			wide := p.canBreak(i) && p.cellWidth(i) > max(leastText, widthOf(p.header[i]))
			if wide && (widest < 0 || p.cellWidth(i) > p.cellWidth(widest)) {
				widest = i
			}
		}
		if widest < 0 {
			return
		}
		room := max(leastText, p.cellWidth(widest)-excess)
		for _, row := range p.rows {
			row[widest] = within(strings.ReplaceAll(row[widest], "\n", ""), room)
		}
	}
}

// within breaks a text into lines of at most that many characters, if possible in front of a blank
// or of a part of a selector.
func within(text string, room int) string {
	line := twwidth.Truncate(text, room)
	if line == "" || line == text {
		return text
	}
	if at := strings.LastIndexAny(line, " [+*/,"); at > len(line)/2 {
		line = line[:at]
	}
	return line + "\n" + within(text[len(line):], room)
}

// Broken breaks each line of a text between words into lines of at most width characters. Width 0
// means any number.
func Broken(text string, width int) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if width > 0 && twwidth.Width(line) > width {
			lines[i] = broken(line, width)
		}
	}
	return strings.Join(lines, "\n")
}

// broken breaks a text between words into lines of at most that many characters. A word that is
// longer stays whole.
func broken(text string, width int) string { return filled(strings.Fields(text), width) }

// filled returns words, with blanks between them, in lines of at most that many characters.
func filled(words []string, width int) string {
	var lines []string
	for _, word := range words {
		last := len(lines) - 1
		if last >= 0 && twwidth.Width(lines[last])+1+twwidth.Width(word) <= width {
			lines[last] += " " + word
			continue
		}
		lines = append(lines, word)
	}
	return strings.Join(lines, "\n")
}
