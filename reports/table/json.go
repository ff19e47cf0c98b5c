package table

import (
	"encoding/json"
	"io"
	"math"
	"strings"
)

// writeJSON writes the columns for machines as an array of flat objects, one a line.
func (t *Table) writeJSON(w io.Writer) error {
	columns := t.textColumns()
	names := make([]string, len(columns))
	for k, i := range columns {
		var err error
		if names[k], err = JSONText(t.Columns[i].Name); err != nil {
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

// JSONText returns a value of a cell as JSON. The numbers that encoding/json refuses, which are not finite, become text.
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
