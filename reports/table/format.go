package table

import (
	"io"

	"breadboard/chains/selector"
)

// Format is how a table is written: for people as a box of text, Markdown or LaTeX, for machines as CSV, JSON or
// Parquet.
type Format string

// The formats by their names.
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

// Write writes the table. For people, numbers are rounded; for machines every float64 is written in the shortest form
// that reads back as itself. JSON is an array of flat objects, with non-finite numbers as the strings "+Inf", "-Inf" and
// "NaN".
func (t *Table) Write(w io.Writer, f Format) error {
	_, err := t.WriteStyled(w, Style{Format: f})
	return err
}
