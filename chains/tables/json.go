package tables

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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

// values reads values of JSON one after the other, up to the first error, and knows their lines.
type values struct {
	*json.Decoder
	data              []byte
	begin, seen, line int // where the decoder begins, and up to where lines are counted
	err               error
}

// within makes the values within one that has been read the next ones.
func (v *values) within(data []byte) {
	v.Decoder = json.NewDecoder(bytes.NewReader(data))
	v.UseNumber()
	v.begin, v.seen, v.line = bytes.Index(v.data, data), 0, 1
}

// next reads a value, and reports whether there is one.
func (v *values) next(to any) bool {
	if v.err == nil {
		at := len(v.data) - len(bytes.TrimLeft(v.data[v.begin+int(v.InputOffset()):], ",: \t\r\n"))
		v.line, v.seen = v.line+bytes.Count(v.data[v.seen:at], []byte("\n")), at
		v.err = v.Decode(to)
	}
	return v.err == nil
}

// mark reads the begin or the end of a list.
func (v *values) mark(want json.Delim) {
	if v.err == nil {
		var found json.Token
		if found, v.err = v.Token(); v.err == nil && found != want {
			v.err = fmt.Errorf("expected %v, found %s", want, selector.Cut(fmt.Sprint(found)))
		}
	}
}

// array is what pandas' to_json has of a frame, and xarray's to_dict of an array or a data set.
type array struct {
	Name           string
	Columns, Index []any
	Dims           json.RawMessage // a list of names, or of a data set an object
	Data           json.RawMessage
	Coords         map[string]array
	Set            map[string]array `json:"data_vars"`
}

// ofJSON reads a list of rows, which are lists, or objects with the names of the columns, or an
// object as pandas (orient="split") and xarray (to_dict) have it. What is neither a number nor a
// text in it is a text that its reader refuses.
func (t *Table) ofJSON(data []byte) error {
	v := &values{data: noNumber.ReplaceAll(data, []byte(`$1"$2"`))}
	v.within(v.data)
	var a array
	object := bytes.TrimSpace(data)[0] == '{'
	if object {
		v.next(&a)
	} else {
		t.rowsOf(v)
	}
	if _, end := v.Token(); v.err == nil && end != io.EOF {
		v.err = errors.New("something stands behind the table")
	} else if object && v.err == nil {
		t.ofArray(v, a)
	}
	if v.err == nil && t.Index != nil && len(t.Index) != len(t.Rows) {
		v.err = fmt.Errorf("%d of %d rows have names", len(t.Index), len(t.Rows))
	}
	if v.err != nil {
		return fmt.Errorf("line %d: %w", v.line, v.err)
	}
	return nil
}

// rowsOf reads a list of rows.
func (t *Table) rowsOf(v *values) {
	v.mark('[')
	for v.err == nil && v.More() {
		var row json.RawMessage
		if v.next(&row) {
			v.err = t.row(row, v.line)
		}
	}
	v.mark(']')
}

// row adds a list, an object with the names of its cells, or a cell alone.
func (t *Table) row(data []byte, line int) error {
	v := &values{data: data}
	v.within(data)
	open, _ := v.Token()
	if _, list := open.(json.Delim); !list {
		return t.add([]string{textOf(open)}, line)
	}
	var names, row []string
	for v.More() {
		var name json.Token
		if open == json.Delim('{') {
			name, _ = v.Token()
		}
		var cell any
		v.next(&cell)
		if name == "_row" { // of R's jsonlite
			t.Index = append(t.Index, textOf(cell))
			continue
		}
		names, row = append(names, textOf(name)), append(row, textOf(cell))
	}
	if open == json.Delim('{') {
		if t.Rows == nil {
			t.Names = names
		}
		if !slices.Equal(names, t.Names) {
			return fmt.Errorf("the row has %s, and the first one %s; give every row the same", selector.Listed(names), selector.Listed(t.Names))
		}
	}
	return t.add(row, line)
}

// ofArray reads the rows of pandas, or a row for each cell of an array of xarray.
func (t *Table) ofArray(v *values, a array) {
	for name, inner := range a.Set {
		if inner.Name, inner.Coords = name, a.Coords; len(a.Set) > 1 {
			v.err = errors.New("a data set of several arrays; write one of them, as by ds.NAME.to_dict()")
			return
		}
		a = inner
	}
	if a.Data == nil {
		v.err = errors.New(`expected a list of rows, or an object of pandas (orient="split") or xarray (to_dict), which has "data"`)
		return
	}
	v.within(a.Data)
	if a.Dims == nil {
		t.Names, t.Index = textsOf(a.Columns), textsOf(a.Index)
		if t.Names == nil && a.Name != "" {
			t.Names = []string{a.Name}
		}
		t.rowsOf(v)
		return
	}
	t.Names, v.err = a.names()
	axes, same := make([][]string, len(t.Names)), []string(nil)
	for _, name := range slices.Sorted(maps.Keys(a.Coords)) {
		c := a.Coords[name]
		dims, _ := c.names()
		var data any
		_ = json.Unmarshal(c.Data, &data)
		list, _ := data.([]any)
		switch at := slices.Index(t.Names, name); {
		case len(dims) == 0 && at < 0:
			t.Names, same = append(t.Names, name), append(same, textOf(data))
		case len(dims) == 1 && at >= 0 && at < len(axes):
			axes[at] = textsOf(list)
		default:
			v.err = cmp.Or(v.err, fmt.Errorf("the coordinate %s is of %s; leave it out, as by drop_vars", name, selector.Listed(dims)))
		}
	}
	if at := slices.IndexFunc(axes, func(values []string) bool { return values == nil }); at >= 0 {
		v.err = cmp.Or(v.err, fmt.Errorf("the dimension %s has no values; give it some, as by assign_coords", t.Names[at]))
	}
	t.Names = append(t.Names, cmp.Or(a.Name, "value"))
	t.spread(v, nil, axes, same)
}

// names returns the names of the dimensions.
func (a array) names() (names []string, err error) {
	err = json.Unmarshal(a.Dims, &names)
	return names, err
}

// spread adds a row for each cell of lists in one another: its value on each axis, and those that
// all cells have.
func (t *Table) spread(v *values, at []string, axes [][]string, same []string) {
	var cell any
	if len(axes) == 0 && v.next(&cell) {
		v.err = t.add(slices.Concat(at, same, []string{textOf(cell)}), v.line)
	}
	if len(axes) == 0 || v.err != nil {
		return
	}
	v.mark('[')
	for _, value := range axes[0] {
		t.spread(v, append(slices.Clip(at), value), axes[1:], same)
	}
	v.mark(']')
}

// textOf returns a value as the text of a cell, which is empty for null.
func textOf(value any) string {
	if value == nil {
		return ""
	}
	return fmt.Sprint(value)
}

func textsOf(values []any) (texts []string) {
	for _, value := range values {
		texts = append(texts, textOf(value))
	}
	return texts
}
