package tables

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// nests reports whether a text is a list of lists in JSON.
func nests(data []byte) bool {
	inner, is := bytes.CutPrefix(bytes.TrimSpace(data), []byte("["))
	return is && bytes.HasPrefix(bytes.TrimSpace(inner), []byte("["))
}

// nested reads the rows of a list of lists in JSON. What is neither a number nor a text in it is a
// text that its reader refuses.
func (t *Table) nested(data []byte, most int) error {
	var rows [][]any
	in := json.NewDecoder(bytes.NewReader(data))
	in.UseNumber()
	err := in.Decode(&rows)
	end := min(int(in.InputOffset()), len(data))
	if err == nil && len(bytes.TrimSpace(data[end:])) > 0 {
		err = errors.New("something stands behind the list")
	}
	if err != nil {
		return fmt.Errorf("line %d: %w", 1+bytes.Count(data[:end], []byte("\n")), err)
	}
	line, cells, rest := 1, 0, data[bytes.IndexByte(data, '[')+1:]
	line += bytes.Count(data[:len(data)-len(rest)], []byte("\n"))
	for _, values := range rows {
		before, behind, _ := bytes.Cut(rest, []byte("["))
		line, rest = line+bytes.Count(before, []byte("\n")), behind
		row := make([]string, len(values))
		for i, v := range values {
			if v != nil {
				row[i] = fmt.Sprint(v)
			}
		}
		if cells += len(row); cells > most {
			return fmt.Errorf("line %d: there are more than %d cells, and no more are read", line, most)
		}
		t.Rows, t.lines = append(t.Rows, row), append(t.lines, line)
	}
	return nil
}
