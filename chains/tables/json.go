package tables

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"

	"breadboard/chains/selector"
)

var (
	// How a table in JSON begins: as a list of lists or of objects, or as an object.
	beginOfJSON = regexp.MustCompile(`^\s*(?:\[\s*[\[{]|\{\s*")`)
	// A value that Python writes as a number, and that is none in JSON.
	noNumber = regexp.MustCompile(`([\[,:\s])(-?Infinity|NaN)\b`)
)

// Quoted puts quotation marks around NaN, Infinity and -Infinity, which Python writes and JSON
// lacks.
func Quoted(data []byte) []byte { return noNumber.ReplaceAll(data, []byte(`$1"$2"`)) }

// array is what pandas' to_json has of a frame, and xarray's to_dict of an array or a data set.
type array struct {
	Name                 string
	Columns, Index, Dims texts
	Data                 json.RawMessage
	Coords               map[string]array
	Set                  map[string]array `json:"data_vars"`
}

// texts are the values of a list, as the cells of a table have them.
type texts []string

// UnmarshalJSON implements json.Unmarshaler. A value that is not a list has no values.
func (t *texts) UnmarshalJSON(data []byte) error {
	var list []json.RawMessage
	_ = json.Unmarshal(data, &list)
	for _, value := range list {
		*t = append(*t, textOf(value))
	}
	return nil
}

// textOf returns a value as the text of a cell, which is empty for null. A list or an object is a
// text that a reader of cells refuses.
func textOf(value json.RawMessage) (text string) {
	if json.Unmarshal(value, &text) != nil {
		return string(value)
	}
	return text
}

// ofJSON reads a list of rows, which are lists, or objects with the names of the columns, or an
// object as pandas (orient="split") and xarray (to_dict) have it.
func (t *Table) ofJSON(data []byte) error {
	r := &rows{t, Quoted(data), 1}
	a := array{Data: r.rest}
	var err error
	if bytes.TrimSpace(data)[0] == '{' {
		a.Data = nil
		err = json.Unmarshal(r.rest, &a)
	}
	if err = cmp.Or(err, r.read(a)); err == nil && t.Index != nil && len(t.Index) != len(t.Rows) {
		err = fmt.Errorf("%d of %d rows have names", len(t.Index), len(t.Rows))
	}
	if wrong, is := errors.AsType[*json.SyntaxError](err); is {
		r.line += bytes.Count(r.rest[:wrong.Offset], []byte("\n"))
	}
	if err != nil {
		return fmt.Errorf("line %d: %w", r.line, err)
	}
	return nil
}

// rows adds rows to a table, and knows what stands behind them.
type rows struct {
	*Table
	rest []byte
	line int
}

// seek moves on to what is written so.
func (r *rows) seek(written []byte) {
	before, _, _ := bytes.Cut(r.rest, written)
	r.line, r.rest = r.line+bytes.Count(before, []byte("\n")), r.rest[len(before):]
}

// add adds a row that is written so, and passes over it.
func (r *rows) add(row []string, written []byte) error {
	if err := r.Table.add(row, r.line); err != nil {
		return err
	}
	r.line, r.rest = r.line+bytes.Count(written, []byte("\n")), bytes.TrimPrefix(r.rest, written)
	return nil
}

// read reads the rows of pandas, or a row for each cell of an array of xarray.
func (r *rows) read(a array) error {
	for name, inner := range a.Set {
		if inner.Name, inner.Coords = name, a.Coords; len(a.Set) > 1 {
			return errors.New("a data set of several arrays; write one of them, as by ds.NAME.to_dict()")
		}
		a = inner
	}
	r.seek(a.Data)
	if a.Dims != nil {
		return r.array(a)
	}
	if r.Names, r.Index = a.Columns, a.Index; a.Name != "" {
		r.Names = []string{a.Name}
	}
	var list []json.RawMessage
	if a.Data == nil {
		return errors.New(`expected a list of rows, or an object of pandas (orient="split") or xarray (to_dict), which has "data"`)
	}
	err := json.Unmarshal(a.Data, &list)
	for i := 0; i < len(list) && err == nil; i++ {
		err = r.row(list[i])
	}
	return err
}

// row adds a list, an object with the names of its cells, or a cell alone.
func (r *rows) row(data json.RawMessage) error {
	var names, row texts
	r.seek(data)
	switch data[0] {
	case '[':
		_ = row.UnmarshalJSON(data)
	case '{':
		in := json.NewDecoder(bytes.NewReader(data))
		_, _ = in.Token()
		for in.More() {
			name, _ := in.Token()
			var cell json.RawMessage
			if _ = in.Decode(&cell); name == "_row" { // of R's jsonlite
				r.Index = append(r.Index, textOf(cell))
				continue
			}
			names, row = append(names, fmt.Sprint(name)), append(row, textOf(cell))
		}
		if r.Rows == nil {
			r.Names = names
		}
		if !slices.Equal(names, r.Names) {
			return fmt.Errorf("row %d has %s, and the first one %s; give every row the same", len(r.Rows)+1, selector.Listed(names), selector.Listed(r.Names))
		}
	default:
		row = texts{textOf(data)}
	}
	return r.add(row, data)
}

// array adds a row for each cell of an array with the values of its axes.
func (r *rows) array(a array) error {
	axes := make([]texts, len(a.Dims))
	var same texts // the values that all cells have
	for _, name := range slices.Sorted(maps.Keys(a.Coords)) {
		c := a.Coords[name]
		switch at := slices.Index(a.Dims, name); {
		case at >= 0 && len(c.Dims) == 1:
			_ = axes[at].UnmarshalJSON(c.Data)
		case at < 0 && len(c.Dims) == 0:
			r.Names, same = append(r.Names, name), append(same, textOf(c.Data))
		default:
			return fmt.Errorf("the coordinate %s is of %s; leave it out, as by drop_vars", name, selector.Listed(c.Dims))
		}
	}
	r.Names = slices.Concat(r.Names, a.Dims, []string{cmp.Or(a.Name, "value")})
	return r.spread(a.Data, same, axes)
}

// spread adds a row for each cell of lists in one another, with its value on each axis.
func (r *rows) spread(data json.RawMessage, at []string, axes []texts) error {
	if len(axes) == 0 {
		r.seek(data)
		return r.add(append(at, textOf(data)), data)
	}
	var list []json.RawMessage
	if json.Unmarshal(data, &list) != nil || len(list) != len(axes[0]) {
		return fmt.Errorf("the data have another shape than their coordinates, which have %d values; each dimension needs one for each", len(axes[0]))
	}
	for i, inner := range list {
		if err := r.spread(inner, append(slices.Clip(at), axes[0][i]), axes[1:]); err != nil {
			return err
		}
	}
	return nil
}
