package table

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// writeCSV writes the columns for machines as comma-separated values, with their names in the first line.
func (t *Table) writeCSV(w io.Writer) error {
	out := csv.NewWriter(w)
	columns := t.textColumns()
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

// csvCell writes a cell. A text that a spreadsheet would run as a formula is quoted.
func csvCell(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case float64:
		return Shortest(v)
	case string:
		if v != "" && strings.ContainsRune("=+-@\t\r", rune(v[0])) {
			return "'" + v
		}
	}
	return fmt.Sprint(v)
}

// Shortest writes a number in the shortest form that reads back as itself.
func Shortest(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
