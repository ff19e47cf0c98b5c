package table

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
)

const (
	// maxDataColumns bounds the number of columns of a file of data.
	maxDataColumns = 10_000
	// maxDataLine bounds the bytes of a line of CSV.
	maxDataLine = 1 << 22
	// maxDataCells bounds the cells of all rows: JSON can name ten thousand columns once, and have
	// millions of rows without any.
	maxDataCells = 20_000_000
)

// Data is a table that has been read from a file in one of the formats for machines. Cells are
// texts as in CSV, so that data from JSON and from CSV can be compared: an empty cell is an empty
// text.
type Data struct {
	Columns []string
	Rows    [][]string
}

// ParseData reads a table from JSON, an array of flat objects, or from CSV. The first character
// decides: CSV of this program never begins with a bracket.
func ParseData(content []byte) (*Data, error) {
	content = bytes.TrimPrefix(content, []byte("\ufeff"))
	if _, err := selector.PlainText(content[:min(len(content), 2)]); err != nil {
		return nil, err // UTF-16
	}
	switch text := bytes.TrimLeft(content, " \t\r\n"); {
	case len(text) == 0:
		return nil, errs.New("the file is empty; give JSON or CSV that this program has written")
	case bytes.HasPrefix(text, []byte("PAR1")):
		return nil, errs.New("it is Parquet; give JSON or CSV")
	case bytes.ContainsRune(text[:min(len(text), 4096)], 0), !utf8.Valid(text):
		return nil, errs.New("it is not text; give JSON or CSV")
	case forEyes(text):
		return nil, errs.New("it is a table for people; give JSON or CSV, such as the .json that is saved beside it")
	case text[0] == '[':
		return parseJSON(text)
	case text[0] == '{':
		return nil, errs.New("it is one JSON object; give an array of objects, one for each row")
	}
	return parseCSV(content)
}

// forEyes reports whether a text is a table in a format for people: a box of text, Markdown or
// LaTeX.
func forEyes(text []byte) bool {
	first, _, _ := bytes.Cut(text, []byte("\n"))
	return bytes.Contains(first, []byte("│")) || bytes.HasPrefix(first, []byte("| ")) ||
		bytes.HasPrefix(first, []byte(`\begin{tabular}`))
}

// parseCSV reads comma-separated values with the names of the columns in the first line.
func parseCSV(content []byte) (*Data, error) {
	if err := selector.CheckLines(content, maxDataColumns, maxDataLine); err != nil {
		return nil, err
	}
	in := csv.NewReader(bytes.NewReader(content))
	records, err := in.ReadAll() // every record has as many fields as the first
	if err != nil {
		return nil, err // it names line and column
	}
	d := &Data{Columns: records[0], Rows: records[1:]}
	if len(d.Columns) > maxDataColumns {
		return nil, fmt.Errorf("it has %d columns, and at most %d are read", len(d.Columns), maxDataColumns)
	}
	seen := map[string]bool{}
	for i, name := range d.Columns {
		if name == "" || seen[name] {
			return nil, fmt.Errorf("line 1, column %d: the name %q is empty or stands twice", i+1, name)
		}
		seen[name] = true
	}
	return d, nil
}

// parseJSON reads an array of flat objects. A column that an object lacks is empty in its row.
func parseJSON(content []byte) (*Data, error) {
	in := json.NewDecoder(bytes.NewReader(content))
	in.UseNumber()
	if _, err := in.Token(); err != nil {
		return nil, err
	}
	d := &Data{}
	at := map[string]int{}
	for in.More() {
		row, err := d.object(in, at)
		if err != nil {
			return nil, fmt.Errorf("object %d: %w", len(d.Rows)+1, err)
		}
		if (len(d.Rows)+1)*len(d.Columns) > maxDataCells {
			return nil, fmt.Errorf("it has more than %d cells", maxDataCells)
		}
		d.Rows = append(d.Rows, row)
	}
	if _, err := in.Token(); err != nil {
		return nil, fmt.Errorf("after object %d: %w", len(d.Rows), unended(err))
	}
	if _, err := in.Token(); err != io.EOF {
		return nil, errors.New("there is more behind the array")
	}
	for i, row := range d.Rows {
		d.Rows[i] = append(row, make([]string, len(d.Columns)-len(row))...)
	}
	return d, nil
}

// unended says that a file is cut off if that is the error.
func unended(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errs.New("the file ends in the middle; is it whole?")
	}
	return err
}

// object reads one row, and adds the columns that no row before has had.
func (d *Data) object(in *json.Decoder, at map[string]int) ([]string, error) {
	if open, err := in.Token(); err != nil {
		return nil, unended(err)
	} else if open != json.Delim('{') {
		return nil, errs.New("%.60v is not an object; a row is one, as {\"T\": 100}", open)
	}
	row := make([]string, len(d.Columns))
	var given []bool
	for in.More() {
		key, err := in.Token()
		if err != nil {
			return nil, unended(err)
		}
		name := key.(string) // the decoder has checked that it is one
		value, err := in.Token()
		if err != nil {
			return nil, unended(err)
		}
		if _, nested := value.(json.Delim); nested {
			return nil, errs.New("%.60q holds an array or an object; rows are flat", name)
		}
		i, known := at[name]
		if !known {
			if len(d.Columns) == maxDataColumns {
				return nil, fmt.Errorf("there are more than %d columns", maxDataColumns)
			}
			i = len(d.Columns)
			at[name] = i
			d.Columns, row = append(d.Columns, name), append(row, "")
		}
		if missing := len(row) - len(given); missing > 0 {
			given = append(given, make([]bool, missing)...)
		}
		if given[i] {
			return nil, fmt.Errorf("%.60q stands twice", name)
		}
		row[i], given[i] = jsonCell(value), true
	}
	_, err := in.Token()
	return row, unended(err)
}

// jsonCell returns a value of JSON as CSV has it.
func jsonCell(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		if !slices.Contains([]string{"+Inf", "-Inf", "NaN"}, v) {
			return csvCell(v)
		}
		return v
	}
	return strings.TrimSpace(fmt.Sprint(value)) // a number as it is written, or a bool
}
