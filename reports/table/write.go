package table

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/olekukonko/tablewriter/renderer"

	"breadboard/chains/selector"
)

// Format is how a table is written: for people as a box of text, Markdown or LaTeX, for machines as
// CSV or JSON.
type Format string

// The formats by their names.
const (
	Text     Format = "table"
	Markdown Format = "markdown"
	CSV      Format = "csv"
	JSON     Format = "json"
	LaTeX    Format = "latex"
)

// Formats returns the names of all formats.
func Formats() []string {
	return []string{string(Text), string(Markdown), string(CSV), string(JSON), string(LaTeX)}
}

// ParseFormat returns the format of a name.
func ParseFormat(name string) (Format, error) {
	if slices.Contains(Formats(), name) {
		return Format(name), nil
	}
	return "", selector.FormatError(name, Formats())
}

// Extension returns the file name ending of a format, with its dot.
func (f Format) Extension() string {
	return map[Format]string{Text: ".txt", Markdown: ".md", CSV: ".csv", JSON: ".json", LaTeX: ".tex"}[f]
}

// ForMachines reports whether a format is for programs to read, with every digit.
func (f Format) ForMachines() bool { return f == CSV || f == JSON }

// Write writes the table. For people, numbers are rounded; for machines every float64 is written in
// the shortest form that reads back as itself. JSON is an array of flat objects, with non-finite
// numbers as the strings "+Inf", "-Inf" and "NaN".
func (t *Table) Write(w io.Writer, f Format) error {
	_, err := t.WriteStyled(w, Style{Format: f})
	return err
}

// Style says how a table is written.
type Style struct {
	Format Format
	// Digits is the number of significant digits of all numbers for people, shares in percent among
	// them; 0 leaves each column its own. A number that is part of a text, such as a bound, keeps
	// its digits.
	Digits int
	// the number of characters to which a line of Text is fitted where that can be done (see Fit);
	// 0 is any number
	Width int
	ASCII bool // whether the lines of Text are made of plain characters
	// whether Text has verdicts in colour, by the sequences of characters that terminals understand
	Colour  bool
	SIUnitx bool // whether LaTeX has numbers in the commands of the package siunitx
}

// Fit says what was done to a table to keep its lines within the width.
type Fit struct {
	// the columns that are the same in every row and stand above the table: their names, or their
	// titles if they have no names
	Above   []string
	Omitted []string // the columns that were left out, likewise
}

// WriteStyled writes the table as Write does, in a style.
func (t *Table) WriteStyled(w io.Writer, s Style) (Fit, error) {
	if s.Digits < 0 {
		return Fit{}, fmt.Errorf("%d significant digits", s.Digits)
	}
	switch s.Format {
	case JSON:
		return Fit{}, t.writeJSON(w)
	case CSV:
		return Fit{}, t.writeCSV(w)
	case LaTeX:
		return Fit{}, t.writeLaTeX(w, s)
	case Markdown:
		return Fit{}, t.writeMarkdown(w, s)
	}
	return t.writeText(w, s)
}

// writeCSV writes the columns for machines as comma-separated values, with their names in the first
// line.
func (t *Table) writeCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	columns := t.machineColumns()
	record := make([]string, len(columns))
	for k, i := range columns {
		record[k] = t.Columns[i].Name
	}
	if err := out.Write(record); err != nil {
		return err
	}
	for _, row := range t.Rows {
		for k, i := range columns {
			record[k] = csvCell(machine(row[i]))
		}
		if err := out.Write(record); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// csvCell writes a cell. A text that a spreadsheet would run as a formula is quoted; one that is a
// number, as the label -1 of a spin, is none, and so is a word behind a sign, as -loglike.
func csvCell(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case float64:
		return Shortest(v)
	case string:
		word := len(v) > 1 && strings.ContainsRune("+-", rune(v[0])) &&
			strings.Trim(v[1:], "abcdefghijklmnopqrstuvwxyz") == ""
		if _, err := strconv.ParseFloat(v, 64); err != nil && v != "" && !word &&
			strings.ContainsRune("=+-@\t\r", rune(v[0])) {
			return "'" + v
		}
	}
	return fmt.Sprint(v)
}

// Shortest writes a number in the shortest form that reads back as itself.
func Shortest(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// writeJSON writes the columns for machines as an array of flat objects, one a line.
func (t *Table) writeJSON(w io.Writer) error {
	columns := t.machineColumns()
	names := make([]string, len(columns))
	for k, i := range columns {
		var err error
		names[k], err = JSONText(t.Columns[i].Name)
		if err != nil {
			return err
		}
	}
	var b strings.Builder
	b.WriteString("[")
	for j, row := range t.Rows {
		if j > 0 {
			b.WriteString(",")
		}
		b.WriteString("\n  {")
		for k, i := range columns {
			if k > 0 {
				b.WriteString(", ")
			}
			cell, err := JSONText(machine(row[i]))
			if err != nil {
				return err
			}
			b.WriteString(names[k] + ": " + cell)
		}
		b.WriteString("}")
	}
	b.WriteString("\n]\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// JSONText returns a value of a cell as JSON. Numbers that are not finite, which JSON does not
// have, become text.
func JSONText(v any) (string, error) {
	if f, ok := v.(float64); ok {
		if !math.IsInf(f, 0) && !math.IsNaN(f) {
			return Shortest(f), nil
		}
		v = Shortest(f)
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return strings.TrimSuffix(b.String(), "\n"), err
}

// writeMarkdown writes the columns for people as a table of Markdown with the extension that GitHub
// describes.
func (t *Table) writeMarkdown(w io.Writer, s Style) error {
	p := t.forPeople(s.Digits)
	for i, title := range p.header {
		p.header[i] = escapeMarkdown(title)
	}
	for _, row := range p.rows {
		for i, cell := range row {
			row[i] = escapeMarkdown(cell)
		}
	}
	return render(w, p, renderer.NewMarkdown())
}

// escapeMarkdown writes a backslash before each character of a text that Markdown would take for
// something else: a pipe, which ends the cell, a backtick, a star or a tilde, an underscore that
// does not stand alone between letters or digits, and what would begin a link, a symbol by its
// name, or an escape. A < becomes &lt;, which begins no tag.
func escapeMarkdown(text string) string {
	var b strings.Builder
	runes := append([]rune(text), ' ')
	before := ' '
	for i, r := range runes[:len(runes)-1] {
		switch next := runes[i+1]; {
		case r == '<':
			before = r
			b.WriteString("&lt;")
			continue
		case strings.ContainsRune("|`*~", r), r == '_' && !(inWord(before) && inWord(next)),
			r == ']' && next == '(',
			r == '&' && (next == '#' || inWord(next)), r == '\\' && next != ' ' && !inWord(next):
			b.WriteByte('\\')
		}
		before = r
		b.WriteRune(r)
	}
	return b.String()
}

// inWord reports whether a character is a letter or a digit. Between two of these an underscore is
// never taken for emphasis.
func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
