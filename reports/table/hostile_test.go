package table

import (
	"breadboard/grid/longtest"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

// hostileText draws texts of what some format gives a meaning of its own.
func hostileText(t *rapid.T, label string) string {
	parts := rapid.SliceOfN(rapid.SampledFrom([]string{
		"|", `\`, `\|`, ",", `"`, "'", "\n", "\r\n", "\t", "\x1b[31m", "\x00", "&", "%", "$", "#", "_",
		"{", "}", "~", "^", "<", ">", "<b>", "&lt;",
		"[", "]", "*", "=", "+", "-", "@", ";", "`", "a", "B-hat", "0", "NaN", "\u00e9", "\u2192", "\ufffd",
		"\xff\xfe", " x",
	}), 0, 6).Draw(t, label)
	return strings.Join(parts, "")
}

// hostileTable draws a table with columns of every type, and titles, units and texts that no format
// likes. It may have no rows.
func hostileTable(t *rapid.T) *Table {
	out := &Table{}
	cells := []func(label string) any{ // in the order of types
		func(l string) any { return hostileText(t, l) },
		func(l string) any {
			return rapid.OneOf(rapid.Float64(), rapid.SampledFrom(
				[]float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1), 1e308, 5e-324,
					1e12, 1e-12},
			)).Draw(t, l)
		},
		func(l string) any { return rapid.Int().Draw(t, l) },
		func(l string) any { return rapid.Bool().Draw(t, l) },
		func(l string) any { return Both{Machine: rapid.Float64().Draw(t, l), People: hostileText(t, l)} },
	}
	types := []Type{String, Float, Int, Bool, Float}
	rows := rapid.IntRange(0, 4).Draw(t, "rows")
	out.Rows = make([][]any, rows)
	for k := range rapid.IntRange(1, 6).Draw(t, "columns") {
		kind := rapid.IntRange(0, len(cells)-1).Draw(t, "type")
		c := Column{
			Name:  fmt.Sprintf("c%d", k),
			Type:  types[kind],
			Title: fmt.Sprint("t", k) + hostileText(t, "title"),
		}
		of := cells[kind]
		out.Columns = append(out.Columns, c)
		for j := range out.Rows {
			cell := of("cell")
			if rapid.IntRange(0, 4).Draw(t, "none") == 0 {
				cell = nil
			}
			out.Rows[j] = append(out.Rows[j], cell)
		}
	}
	return out
}

// TestHostileTables writes tables of hostile values in all formats, and reads each with code of
// another kind.
func TestHostileTables(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table := hostileTable(t)
		for _, f := range Formats() {
			var b bytes.Buffer
			longtest.NoError(t, table.Write(&b, Format(f)))
			map[Format]func(*rapid.T, *Table, []byte){
				Text: checkText, Markdown: checkMarkdown, LaTeX: checkLaTeX, CSV: checkCSV, JSON: checkJSON,
			}[Format(f)](t, table, b.Bytes())
		}
	})
}

// seen returns the headings and the cells that people are to see, by columns that are not empty.
func seen(table *Table) (header []string, rows [][]string) {
	rows = make([][]string, len(table.Rows))
	for i, c := range table.Columns {
		var cells []string
		for _, row := range table.Rows {
			cells = append(cells, People(row[i], c.Digits))
		}
		if strings.Join(cells, "") == "" {
			continue
		}
		header = append(header, strings.Map(printable, c.Heading()))
		for j := range rows {
			rows[j] = append(rows[j], cells[j])
		}
	}
	return header, rows
}

// checkText: a line for the header, one beneath it, and one for each row, in which every cell
// stands.
func checkText(t *rapid.T, table *Table, data []byte) {
	header, rows := seen(table)
	if len(header) == 0 {
		return
	}
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	if len(lines) != len(rows)+2 {
		t.Fatalf("%d lines for %d rows:\n%s", len(lines), len(rows), data)
	}
	for i, cells := range append([][]string{header, nil}, rows...) {
		for _, cell := range cells {
			if !strings.Contains(lines[i], strings.TrimSpace(cell)) {
				t.Fatalf("no %q in line %d:\n%s", cell, i, data)
			}
		}
	}
	if at := strings.IndexFunc(strings.ReplaceAll(string(data), "\n", ""), unicode.IsControl); at >= 0 {
		t.Fatalf("a control character in %q", data)
	}
}

// checkMarkdown reads the lines as the specification of GitHub's Markdown says.
func checkMarkdown(t *rapid.T, table *Table, data []byte) {
	header, rows := seen(table)
	if len(header) == 0 {
		return
	}
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	if len(lines) != len(rows)+2 {
		t.Fatalf("%d lines for %d rows:\n%s", len(lines), len(rows), data)
	}
	for i, want := range append([][]string{header, nil}, rows...) {
		got := markdownCells(lines[i])
		if len(got) != len(header) {
			t.Fatalf("%d cells for %d columns in %q", len(got), len(header), lines[i])
		}
		for k, text := range want {
			if shown, wrong := markdownText(got[k]); wrong != "" || shown != strings.TrimSpace(text) {
				t.Fatalf("cell %d of %q is %q, want %q; %s", k, lines[i], shown, text, wrong)
			}
		}
	}
}

// markdownCells splits a row: a backslash takes the next punctuation character with it, and of a
// backslash and a pipe only the pipe is left.
func markdownCells(line string) (cells []string) {
	cell := ""
	for i := 0; i < len(line); i++ {
		switch {
		case line[i] == '\\' && i+1 < len(line) && line[i+1] == '|':
			i++
			cell += "|"
		case line[i] == '\\' && i+1 < len(line) && line[i+1] == '\\':
			i++
			cell += `\\`
		case line[i] == '|':
			cells = append(cells, strings.TrimSpace(cell))
			cell = ""
		default:
			cell += line[i : i+1]
		}
	}
	return cells[1:] // before the first pipe stands nothing
}

// markdownText returns what is shown of a cell, and says what in it is not text.
func markdownText(cell string) (shown, wrong string) {
	const punctuation = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
	word := func(s string) bool { return s != "" && !strings.Contains(punctuation+" ", s) }
	for i := 0; i < len(cell); i++ {
		before := ""
		c := cell[i : i+1]
		after := ""
		if i > 0 {
			before = cell[i-1 : i]
		}
		if i+1 < len(cell) {
			after = cell[i+1 : i+2]
		}
		switch {
		case c == `\` && after != "" && strings.Contains(punctuation, after):
			i++
			shown += after
			continue
		case strings.HasPrefix(cell[i:], "&lt;"):
			i += len("&lt;") - 1
			shown += "<"
			continue
		case strings.Contains("`*~<", c), c == "&" && after != "" &&
			(after == "#" || after < "\x80" && word(after)), c == "]" && after == "(", c == "_" &&
			!(word(before) && word(after)):
			return shown, fmt.Sprintf("%q at %d is not text", c, i)
		}
		shown += c
	}
	return shown, ""
}

// checkLaTeX: rows have as many cells as there are columns, no character is left that LaTeX would
// act on, and the text is what it was.
func checkLaTeX(t *rapid.T, table *Table, data []byte) {
	header, rows := seen(table)
	lines := strings.Split(string(data), "\n")
	if len(lines) != len(rows)+7 || !strings.HasPrefix(lines[0], `\begin{tabular}{`) {
		t.Fatalf("%d lines for %d rows:\n%s", len(lines), len(rows), data)
	}
	body := append([]string{lines[2]}, lines[4:4+len(rows)]...)
	for i, want := range append([][]string{header}, rows...) {
		line, ends := strings.CutSuffix(body[i], ` \\`)
		if !ends || strings.HasPrefix(line, "[") || strings.HasPrefix(line, "*") {
			t.Fatalf("row %q", body[i])
		}
		got := strings.Split(strings.ReplaceAll(line, `\&`, "\x01"), " & ")
		if len(want) > 0 && len(got) != len(want) {
			t.Fatalf("%d cells for %d columns in %q", len(got), len(want), line)
		}
		for k := range want {
			if text := fromLaTeX(t, got[k]); text != shortExponent(want[k]) {
				t.Fatalf("cell %q is %q, want %q", got[k], text, want[k])
			}
		}
	}
}

// shortExponent returns a number with an exponent that has no sign + and no zeros before it.
func shortExponent(text string) string {
	if m := regexp.MustCompile(`^((?:< )?-?[0-9.]+e)([+-]?)0*([0-9]+)$`).FindStringSubmatch(text); m != nil {
		return m[1] + strings.TrimPrefix(m[2], "+") + m[3]
	}
	return text
}

// fromLaTeX returns the text of a cell, and fails on characters that are not escaped.
func fromLaTeX(t *rapid.T, cell string) string {
	if m := regexp.MustCompile(
		`^\$(<?)(-?)([0-9.]+|\\infty)(?:\\times10\^\{(-?[0-9]+)\})?\$$`,
	).FindStringSubmatch(cell); m != nil {
		text := strings.Replace(m[1], "<", "< ", 1) + m[2] + m[3]
		if m[4] != "" {
			text += "e" + m[4]
		}
		return strings.NewReplacer(`-\infty`, "-Inf", `\infty`, "+Inf").Replace(text)
	}
	pairs := []string{
		"\x01", "&", `\textbackslash{}`, `\`, `\textasciitilde{}`, "~", `\textasciicircum{}`, "^",
		`\%`, "%", `\$`, "$", `\#`, "#", `\_`, "_", `\{`, "{", `\}`, "}", "$<$", "<", "$>$", ">", "{[}",
		"[", "{*}", "*"}
	text := strings.NewReplacer(pairs...).Replace(cell)
	for i := 1; i < len(pairs); i += 2 {
		pairs[i] = ""
	}
	if left := strings.NewReplacer(pairs...).Replace(cell); strings.ContainsAny(left, `\&%$#_{}~^<>`) {
		t.Fatalf("LaTeX would act on %q in %q", left, cell)
	}
	return text
}

func checkCSV(t *rapid.T, table *Table, data []byte) {
	records, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil || len(records) != len(table.Rows)+1 && len(table.Columns) > 1 {
		t.Fatalf("%v: %d records of %q", err, len(records), data)
	}
	if len(table.Columns) == 1 {
		return // a cell in which nothing stands is an empty line, which csv.Reader leaves out
	}
	for j, row := range table.Rows {
		for i, cell := range row {
			got, want := records[j+1][i], strings.ReplaceAll(csvCell(machine(cell)), "\r\n", "\n")
			if got != want || got != "" && isText(cell) && strings.ContainsRune("=+-@\t\r", rune(got[0])) {
				t.Fatalf("cell %q, want %q", got, want)
			}
		}
	}
}

func isText(cell any) bool {
	_, text := cell.(string)
	return text
}

func checkJSON(t *rapid.T, table *Table, data []byte) {
	var rows []map[string]any
	if err := json.Unmarshal(data, &rows); err != nil || len(rows) != len(table.Rows) {
		t.Fatalf("%v: %d rows of %s", err, len(rows), data)
	}
	for j, row := range table.Rows {
		for i, cell := range row {
			if got, want := rows[j][table.Columns[i].Name], inJSON(machine(cell)); got != want {
				t.Fatalf("cell %v, want %v", got, want)
			}
		}
	}
}

// inJSON returns what a cell is in JSON.
func inJSON(cell any) any {
	switch v := cell.(type) {
	case int:
		return float64(v)
	case uint64:
		return float64(v)
	case string:
		return string([]rune(v))
	case float64:
		if math.IsInf(v, 0) || math.IsNaN(v) {
			return Shortest(v)
		}
	}
	return cell
}
