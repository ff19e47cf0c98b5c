package tables

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// nests reports whether a text is a list of lists in JSON.
func nests(data []byte) bool {
	inner, is := bytes.CutPrefix(bytes.TrimSpace(data), []byte("["))
	return is && bytes.HasPrefix(bytes.TrimSpace(inner), []byte("["))
}

// nested reads the rows of a list of lists in JSON.
func (t *Table) nested(data []byte, most int) error {
	in, line, at, cells := json.NewDecoder(bytes.NewReader(data)), 1, 0, 0
	in.UseNumber()
	wrong := func(err error) error {
		end := min(int(in.InputOffset()), len(data))
		line, at = line+bytes.Count(data[at:end], []byte("\n")), end
		if err != nil {
			return fmt.Errorf("line %d: %w", line, err)
		}
		return nil
	}
	_, err := in.Token()
	for err == nil && in.More() {
		var values []any
		if err := in.Decode(&values); err != nil {
			return wrong(err)
		}
		_ = wrong(nil)
		row := make([]string, len(values))
		for i, v := range values {
			switch v := v.(type) {
			case json.Number:
				row[i] = v.String()
			case string:
				row[i] = v
			case nil:
			default:
				return wrong(fmt.Errorf("cell %d is neither a number nor a text", i+1))
			}
		}
		if cells += len(row); cells > most {
			return wrong(fmt.Errorf("there are more than %d cells, and no more are read", most))
		}
		t.Rows, t.lines = append(t.Rows, row), append(t.lines, line)
	}
	if err == nil {
		_, err = in.Token()
	}
	if _, end := in.Token(); err == nil && end != io.EOF {
		err = errors.New("something stands behind the list")
	}
	return wrong(err)
}
