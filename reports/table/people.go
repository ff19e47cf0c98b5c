package table

import (
	"bytes"
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

	"breadboard/chains/number"
)

// Percent is a share, or a ratio minus one, that people see in percent. Formats for machines have
// the number itself.
type Percent float64

// String implements fmt.Stringer.
func (p Percent) String() string { return p.text(0, false) }

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
			errors = slices.IndexFunc(
				t.Columns,
				func(e Column) bool { return c.Name != "" && e.Name == c.Name+errorSuffix },
			)
		}
		for j, row := range t.Rows {
			text := formatPeople(row[i], shown, digits > 0)
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
		return formatPeople(v, max(1, 1+power(v, 17)+decimals), true)
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
		out.columns, out.header, out.numeric = append(out.columns, p.columns[i]),
			append(out.header, p.header[i]), append(out.numeric, p.numeric[i])
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
func People(cell any, digits int) string { return formatPeople(cell, digits, false) }

// formatPeople is as People, where all of the digits are shown if the user has asked for that many,
// the zeros at the end too.
func formatPeople(cell any, digits int, exactly bool) string {
	switch v := cell.(type) {
	case nil:
		return ""
	case Both:
		return formatPeople(v.People, digits, exactly)
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
		text := number.Plain(v, digits)
		if full := fmt.Sprintf("%#.*g", digits, v); exactly && v != 0 && !strings.Contains(full, "e+0") {
			text = strings.TrimSuffix(strings.Replace(full, ".e", "e", 1), ".")
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
			for k, line := range strings.Split(breakLines(cell, width-margin), "\n") {
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
	colour, known := map[string]string{
		"pass": "\x1b[32m", "fault": "\x1b[31m", "open": "\x1b[33m", "differs": "\x1b[33m"}[verdict]
	if !known {
		return verdict
	}
	// the sequences of characters that make a terminal write in another colour, and that end it
	return colour + verdict + "\x1b[0m"
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
	out := tablewriter.NewTable(
		w,
		tablewriter.WithConfig(tablewriter.Config{Header: cell, Row: cell}),
		tablewriter.WithRenderer(r),
	)
	out.Header(t.header)
	for _, row := range t.rows {
		if err := out.Append(row); err != nil {
			return err
		}
	}
	return out.Render()
}
