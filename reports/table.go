package reports

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"

	"breadboard/chains/selector"
)

// Format is how a table is written: for people as a box of text, Markdown or LaTeX, for machines as CSV, JSON or
// Parquet.
type Format string

const (
	Text     Format = "table"
	Markdown Format = "markdown"
	CSV      Format = "csv"
	JSON     Format = "json"
	LaTeX    Format = "latex"
	Parquet  Format = "parquet"
)

// Formats returns the names of all formats.
func Formats() []string {
	return []string{string(Text), string(Markdown), string(CSV), string(JSON), string(LaTeX), string(Parquet)}
}

// ParseFormat returns the format of a name.
func ParseFormat(name string) (Format, error) {
	for _, f := range Formats() {
		if f == name {
			return Format(f), nil
		}
	}
	return "", selector.UnknownError("format", name, Formats())
}

// Extension returns the file name ending of a format, with its dot.
func (f Format) Extension() string {
	return map[Format]string{Text: ".txt", Markdown: ".md", CSV: ".csv", JSON: ".json", LaTeX: ".tex", Parquet: ".parquet"}[f]
}

// ForMachines reports whether a format is for programs to read, with every digit.
func (f Format) ForMachines() bool { return f == CSV || f == JSON || f == Parquet }

// Column is one column of a table. A column without a Title is for machines only, one without a Key for
// people only.
type Column struct {
	Key    string
	Title  string
	Digits int // significant digits of a float64 for people; 0 is 6
	Like   any // a cell of the type that the column has in Parquet; nil is the type of the first cell
}

// Table is a table of any study. A cell is a string, an int, a uint64, a float64, a bool, or nil for none.
type Table struct {
	Columns []Column
	Rows    [][]any
}

// Write writes the table. For people, numbers are rounded; for machines every float64 is written in the
// shortest form that reads back as itself. JSON is an array of flat objects, with non-finite numbers as the
// strings "+Inf", "-Inf" and "NaN".
func (t *Table) Write(w io.Writer, f Format) error {
	switch f {
	case JSON:
		return t.writeJSON(w)
	case CSV:
		return t.writeCSV(w)
	case LaTeX:
		return t.writeLaTeX(w)
	case Parquet:
		return t.writeParquet(w)
	case Markdown:
		return t.render(w, renderer.NewMarkdown(), strings.NewReplacer("|", `\|`, "<", "&lt;"))
	}
	light := tw.Rendition{
		Symbols: tw.NewSymbols(tw.StyleLight),
		Borders: tw.Border{Left: tw.Off, Right: tw.Off, Top: tw.Off, Bottom: tw.Off},
	}
	return t.render(w, renderer.NewBlueprint(light), strings.NewReplacer())
}

// render writes the columns for people with tablewriter, escaping every cell.
func (t *Table) render(w io.Writer, r tw.Renderer, escape *strings.Replacer) error {
	header, rows := t.forPeople()
	align := make([]tw.Align, len(header))
	for i := range header {
		align[i] = tw.AlignLeft
		if t.numeric(header[i]) {
			align[i] = tw.AlignRight
		}
	}
	cell := func(format tw.State) tw.CellConfig {
		return tw.CellConfig{
			Formatting: tw.CellFormatting{AutoFormat: format, AutoWrap: tw.WrapNone},
			Alignment:  tw.CellAlignment{PerColumn: align},
		}
	}
	table := tablewriter.NewTable(w,
		tablewriter.WithConfig(tablewriter.Config{Header: cell(tw.Off), Row: cell(tw.Off)}),
		tablewriter.WithRenderer(r))
	table.Header(header)
	for _, row := range rows {
		for i := range row {
			row[i] = escape.Replace(row[i])
		}
		if err := table.Append(row); err != nil {
			return err
		}
	}
	return table.Render()
}

// numeric reports whether the titled column holds numbers.
func (t *Table) numeric(title string) bool {
	for i, c := range t.Columns {
		if c.Title != title {
			continue
		}
		for _, row := range t.Rows {
			switch row[i].(type) {
			case int, float64:
				return true
			}
		}
	}
	return false
}

// forPeople returns the titled columns as text, less those in which nothing stands.
func (t *Table) forPeople() (header []string, rows [][]string) {
	rows = make([][]string, len(t.Rows))
	for i, c := range t.Columns {
		if c.Title == "" || t.empty(i) {
			continue
		}
		header = append(header, c.Title)
		for j, row := range t.Rows {
			rows[j] = append(rows[j], people(row[i], c.Digits))
		}
	}
	return header, rows
}

func (t *Table) empty(column int) bool {
	for _, row := range t.Rows {
		if people(row[column], 1) != "" {
			return false
		}
	}
	return true
}

func people(v any, digits int) string {
	switch v := v.(type) {
	case nil:
		return ""
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
			digits = 6
		}
		return strings.Replace(strconv.FormatFloat(v, 'g', digits, 64), "e-0", "e-", 1)
	}
	return strings.Map(printable, fmt.Sprint(v))
}

// printable replaces what would move the cursor or change the colours of a terminal.
func printable(r rune) rune {
	if unicode.IsControl(r) {
		return unicode.ReplacementChar
	}
	return r
}

func (t *Table) writeCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	var header []string
	for _, c := range t.Columns {
		if c.Key != "" {
			header = append(header, c.Key)
		}
	}
	if err := out.Write(header); err != nil {
		return err
	}
	for _, row := range t.Rows {
		var record []string
		for i, c := range t.Columns {
			if c.Key != "" {
				record = append(record, csvCell(row[i]))
			}
		}
		if err := out.Write(record); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// csvCell writes a cell. A text that a spreadsheet would run as a formula is quoted.
func csvCell(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case float64:
		return shortest(v)
	case string:
		if v != "" && strings.ContainsRune("=+-@\t\r", rune(v[0])) {
			return "'" + v
		}
	}
	return fmt.Sprint(v)
}

func shortest(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

func (t *Table) writeJSON(w io.Writer) error {
	var b strings.Builder
	b.WriteString("[")
	for j, row := range t.Rows {
		b.WriteString(strings.TrimSuffix(separator(j), " ") + "\n  {")
		first := 0
		for i, c := range t.Columns {
			if c.Key == "" {
				continue
			}
			cell, err := jsonText(row[i])
			if err != nil {
				return err
			}
			fmt.Fprintf(&b, "%s%q: %s", separator(first), c.Key, cell)
			first++
		}
		b.WriteString("}")
	}
	b.WriteString("\n]\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func separator(i int) string {
	if i == 0 {
		return ""
	}
	return ", "
}

// jsonText writes a value, and what encoding/json refuses as the format promises.
func jsonText(v any) (string, error) {
	if f, ok := v.(float64); ok {
		if !math.IsInf(f, 0) && !math.IsNaN(f) {
			return shortest(f), nil
		}
		v = shortest(f)
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return strings.TrimSuffix(b.String(), "\n"), err
}

func (t *Table) writeLaTeX(w io.Writer) error {
	header, rows := t.forPeople()
	align := ""
	for _, title := range header {
		if t.numeric(title) {
			align += "r"
		} else {
			align += "l"
		}
	}
	var b strings.Builder
	line := func(cells []string) {
		for i, c := range cells {
			if i > 0 {
				b.WriteString(" & ")
			}
			b.WriteString(latexEscaper().Replace(c))
		}
		b.WriteString(" \\\\\n")
	}
	fmt.Fprintf(&b, "\\begin{tabular}{%s}\n\\toprule\n", align)
	line(header)
	b.WriteString("\\midrule\n")
	for _, row := range rows {
		line(row)
	}
	b.WriteString("\\bottomrule\n\\end{tabular}\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func latexEscaper() *strings.Replacer {
	return strings.NewReplacer(`\`, `\textbackslash{}`, "&", `\&`, "%", `\%`, "$", `\$`, "#", `\#`, "_", `\_`,
		"{", `\{`, "}", `\}`, "<", `$<$`, ">", `$>$`, "~", `\textasciitilde{}`, "^", `\textasciicircum{}`)
}
