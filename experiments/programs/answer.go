package programs

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/selector"
	"breadboard/experiments/draws"
)

// answer is a sampler's line for one batch. Its columns stay as they were written until the space
// is looked at.
type answer struct {
	LogW        json.RawMessage `json:"log_w"`
	XFirst      json.RawMessage `json:"x_first"`
	XLast       json.RawMessage `json:"x_last"`
	Path        json.RawMessage `json:"path"`
	Increments  json.RawMessage `json:"increments"`
	Unsupported bool            `json:"unsupported"`
	ID          int             `json:"id"`
}

func (a *answer) hasColumns() bool {
	return a.LogW != nil || a.XFirst != nil || a.XLast != nil || a.Path != nil || a.Increments != nil
}

// batch returns the n chains of the answer, with the ends of a path as x_first and x_last.
func (a *answer) batch(space draws.Space, n int) (b *draws.Batch, err error) {
	if a.LogW == nil && a.XFirst == nil && a.XLast == nil && a.Path == nil {
		return nil,
			errors.New(`it sends none of log_w, x_first, x_last and path: send at least one, or {"unsupported": ` +
				`true} and the id if the program has no chains of this direction`)
	}
	b = &draws.Batch{Rows: n}
	r := reader{space, n}
	b.LogW, err = column(a.LogW, "log_w", n, weight)
	if err != nil {
		return nil, err
	}
	b.XFirst, err = column(a.XFirst, "x_first", n, r.state)
	if err != nil {
		return nil, err
	}
	b.XLast, err = column(a.XLast, "x_last", n, r.state)
	if err != nil {
		return nil, err
	}
	T := space.Distributions
	b.Path, err = stages(a.Path, "path", T, 1, n, r.state)
	if err != nil {
		return nil, err
	}
	b.Increments, err = stages(a.Increments, "increments", T-1, 2, n, weight)
	if err != nil {
		return nil, err
	}
	return b, ends(b)
}

// ends sets x_first and x_last to the ends of the path if there is one, and fails if they are given
// and differ.
func ends(b *draws.Batch) error {
	if b.Path == nil {
		return nil
	}
	for _, end := range []struct {
		name  string
		given *[]int32
		stage int
	}{{"x_first", &b.XFirst, 1}, {"x_last", &b.XLast, len(b.Path)}} {
		path := b.Path[end.stage-1]
		if *end.given == nil {
			*end.given = path
		}
		for i, x := range *end.given {
			if x != path[i] {
				return fmt.Errorf(
					"%s[%d] is %d, but the path of that chain has state %d at t = %d: send the path of the same chain",
					end.name,
					i,
					x,
					path[i],
					end.stage,
				)
			}
		}
	}
	return nil
}

// reader reads states of a space, in batches of n chains.
type reader struct {
	space draws.Space
	n     int
}

// column reads a column of n values, each of them by a function whose error says what was found and
// what to write. It returns nil if the answer does not have the column.
func column[V any](raw json.RawMessage, name string, n int, read func(item []byte) (V, error)) ([]V, error) {
	if raw == nil {
		return nil, nil
	}
	if raw[0] != '[' {
		return nil, errs.New("%s is %s; write an array of %s, or omit the column", name, quote(raw),
			selector.Count(n, "value"))
	}
	values := make([]V, 0, n)
	all := 0
	for item := range items(raw) {
		all++
		if all > n {
			continue
		}
		v, err := read(item)
		if err != nil {
			return nil, fmt.Errorf("%s[%d] is %w", name, all-1, err)
		}
		values = append(values, v)
	}
	if all != n {
		return nil, errs.New("%s has %s for %s; send one value for each requested chain", name,
			selector.Count(all, "value"), selector.Count(n, "chain"))
	}
	return values, nil
}

// stages reads a column that has an array of n values for each of that many stages, of which the
// first has the number given.
func stages[V any](raw json.RawMessage, name string, arrays, first, n int,
	read func(item []byte) (V, error)) ([][]V, error) {
	if raw == nil {
		return nil, nil
	}
	want := fmt.Sprintf("write %s, one for each stage t = %d..%d, each with a value for each chain",
		selector.Count(arrays, "array"), first, first+arrays-1)
	if raw[0] != '[' {
		return nil, errs.New("%s is %s; %s, or omit the column", name, quote(raw), want)
	}
	all := 0
	for range items(raw) {
		all++
	}
	if all != arrays {
		return nil, errs.New("%s has %s; %s", name, selector.Count(all, "element"), want)
	}
	columns := make([][]V, 0, arrays)
	for item := range items(raw) {
		c, err := column(item, fmt.Sprintf("%s[%d]", name, len(columns)), n, read)
		if err != nil {
			return nil, err
		}
		columns = append(columns, c)
	}
	return columns, nil
}

// items yields the values of a JSON array, as they are written. The array must be valid JSON.
func items(array []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for i := 1; ; {
			for isBlank(array[i]) || array[i] == ',' {
				i++
			}
			if array[i] == ']' {
				return
			}
			end := endOfValue(array, i)
			if !yield(array[i:end]) {
				return
			}
			i = end
		}
	}
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// endOfValue returns the index behind the value that begins at the index begin.
func endOfValue(text []byte, begin int) int {
	depth := 0
	for i := begin; ; i++ {
		switch c := text[i]; {
		case c == '"':
			i = endOfString(text, i)
			if depth == 0 {
				return i + 1
			}
		case c == '[' || c == '{':
			depth++
		case depth > 0 && (c == ']' || c == '}'):
			depth--
			if depth == 0 {
				return i + 1
			}
		case depth == 0 && (c == ',' || c == ']' || isBlank(c)):
			return i
		}
	}
}

// weight reads a log weight or an increment of one.
func weight(item []byte) (float64, error) {
	switch string(item) {
	case `"-Inf"`, `"-Infinity"`:
		return math.Inf(-1), nil
	case `"+Inf"`, `"Infinity"`:
		return math.Inf(1), nil
	}
	const want = `write a number in nats, or "-Inf" or "+Inf" in quotes`
	v, err := strconv.ParseFloat(string(item), 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, errs.New("%s, which overflows a float64; %s", quote(item), want)
	case err != nil || item[0] == '"' || math.IsNaN(v):
		return 0, errs.New("%s; %s", quote(item), want)
	}
	return v, nil
}

// state reads a state: its number, or its coordinates if the space is a lattice.
func (r reader) state(item []byte) (int32, error) {
	if item[0] == '[' {
		return r.coordinates(item)
	}
	x, err := strconv.Atoi(string(item))
	if err != nil {
		return 0, errs.New("%s; %s", quote(item), r.want())
	}
	if x < 0 || x >= r.space.States {
		hint := ""
		if x == r.space.States {
			hint = " (they are counted from 0)"
		}
		return 0, errs.New("%d, which is outside 0..%d%s; %s", x, r.space.States-1, hint, r.want())
	}
	return int32(x), nil
}

// coordinates reads a state from its coordinates, slowest axis first.
func (r reader) coordinates(item []byte) (int32, error) {
	x := 0
	axis := 0
	for c := range items(item) {
		v, err := strconv.Atoi(string(c))
		if err != nil || axis == len(r.space.Sides) || v < 0 || v >= r.space.Sides[axis] {
			return 0, errs.New("%s; %s", quote(item), r.want())
		}
		x = x*r.space.Sides[axis] + v
		axis++
	}
	if axis == 0 || axis != len(r.space.Sides) {
		return 0, errs.New("%s; %s", quote(item), r.want())
	}
	return int32(x), nil
}

func (r reader) want() string {
	want := fmt.Sprintf("write the number of a state, from 0 to %d, without a fraction", r.space.States-1)
	if len(r.space.Sides) == 0 {
		return want
	}
	largest := make([]string, len(r.space.Sides))
	for axis, side := range r.space.Sides {
		largest[axis] = strconv.Itoa(side - 1)
	}
	return fmt.Sprintf("%s, or its coordinates, from [%s] to [%s]", want,
		strings.TrimSuffix(strings.Repeat("0, ", len(largest)), ", "),
		strings.Join(largest, ", "))
}

// explain adds to an error of the JSON of a line what to write, where the line has NaN or Infinity
// without quotes. JSON has neither, but Python's json.dumps writes them.
func explain(line []byte, err error) error {
	syntax, is := errors.AsType[*json.SyntaxError](err)
	if !is || syntax.Offset < 1 || int(syntax.Offset) > len(line) {
		return err
	}
	at := int(syntax.Offset) - 1 // the first byte that is not understood
	word := string(line[at:min(len(line), at+len("Infinity"))])
	if at > 0 && line[at-1] == '-' {
		at -= 1
		word = "-" + word
	}
	where, inside := placeInAnswer(line[:at])
	if inside {
		return err
	}
	for _, bare := range []string{"NaN", "nan", "-Infinity", "Infinity", "-inf", "inf"} {
		if !strings.HasPrefix(word, bare) {
			continue
		}
		if strings.EqualFold(bare, "nan") {
			return errs.New("%s is %s, which is not a log weight; find its cause", where, bare)
		}
		return errs.New(`%s is %s without quotes, which JSON does not have; write "-Inf" or "+Inf" in quotes`,
			where, bare)
	}
	return err
}

// placeInAnswer returns where in an object of arrays a text ends, as in log_w[17] or
// increments[3][17], and whether it ends inside a string. The text is the beginning of a line that
// is valid so far.
func placeInAnswer(before []byte) (where string, inside bool) {
	name := ""
	indices := []int{}
	for i := 0; i < len(before); i++ {
		switch before[i] {
		case '"':
			begin := i + 1
			for i = begin; i < len(before) && before[i] != '"'; i++ {
				if before[i] == '\\' {
					i++
				}
			}
			if i >= len(before) {
				return "", true
			}
			if len(indices) == 0 {
				name = string(before[begin:i])
			}
		case '[':
			indices = append(indices, 0)
		case ']':
			indices = indices[:len(indices)-1]
		case ',':
			if len(indices) > 0 {
				indices[len(indices)-1]++
			}
		}
	}
	var b strings.Builder
	b.WriteString(name[:min(len(name), mostQuoted)])
	for _, i := range indices {
		fmt.Fprintf(&b, "[%d]", i)
	}
	return b.String(), false
}

// precision returns how exactly the numbers of log_w and of increments are written.
func (a *answer) precision() (p draws.Precision) {
	for _, raw := range []json.RawMessage{a.LogW, a.Increments} {
		for i := 0; i < len(raw); i++ {
			switch c := raw[i]; {
			case c == '"': // an infinity, which has no digits
				i = endOfString(raw, i)
			case c == '-' || c >= '0' && c <= '9':
				end := endOfValue(raw, i)
				p.CountDigits(raw[i:end])
				i = end - 1
			}
		}
	}
	return p
}

// rowsOf yields each chain of a batch as the bytes of all that it has.
func rowsOf(b *draws.Batch) iter.Seq[string] {
	return func(yield func(string) bool) {
		states := append([][]int32{b.XFirst, b.XLast}, b.Path...)
		weights := append([][]float64{b.LogW}, b.Increments...)
		var row []byte
		for i := range b.Rows {
			row = row[:0]
			for _, c := range states {
				if c != nil {
					row = binary.LittleEndian.AppendUint32(row, uint32(c[i]))
				}
			}
			for _, c := range weights {
				if c != nil {
					row = binary.LittleEndian.AppendUint64(row, math.Float64bits(c[i]))
				}
			}
			if !yield(string(row)) {
				return
			}
		}
	}
}

// identicalLogE returns the logarithm of the number of orders in which rows can stand, which is n!
// over the product of the factorials of how often each row occurs, where the batches are identical,
// and -Inf elsewhere.
func identicalLogE(identical bool, rows []string) float64 {
	if !identical {
		return math.Inf(-1)
	}
	sorted := slices.Sorted(slices.Values(rows))
	logE := 0.0
	same := 0
	for i := range sorted {
		same++
		if i > 0 && sorted[i] != sorted[i-1] {
			same = 1
		}
		logE += number.Log(float64(i+1)) - number.Log(float64(same))
	}
	return logE
}

// decodeStrictly reads the one JSON value of a line into a struct. Package json by itself would
// accept a field's name in capital or small letters, and would use the last of several fields with
// one name. Here names must be written as in the struct, and each may stand only once in its
// object.
func decodeStrictly(line []byte, answer any) error {
	in := json.NewDecoder(bytes.NewReader(line))
	in.DisallowUnknownFields()
	err := in.Decode(answer)
	_, garbled := errors.AsType[*json.SyntaxError](err)
	if garbled && !bytes.HasPrefix(bytes.TrimSpace(line), []byte("{")) {
		return errs.New("standard output belongs to the protocol; print to standard error")
	}
	if err != nil {
		return plainly(err)
	}
	if in.Decode(&struct{}{}) != io.EOF {
		return errors.New("there is more than one value")
	}
	return checkNames(line, reflect.TypeOf(answer).Elem())
}

// plainly returns an error of package json without the names of Go if it has any.
func plainly(err error) error {
	if wrong, is := errors.AsType[*json.UnmarshalTypeError](err); is {
		if wrong.Field == "" {
			return fmt.Errorf("it is a JSON %s, but must be an object", wrong.Value)
		}
		return errs.New("its field %q must not hold a %s; see PROTOCOL.md", wrong.Field, brief(wrong.Value))
	}
	return err
}

func brief(text string) string {
	const most = 60
	if len(text) <= most {
		return text
	}
	return text[:most] + "..."
}

// names are the names of the fields of one object. They are kept in an array, since there are
// hardly ever more than a few, and in a map if there are more.
type names struct {
	few  [4][]byte
	used int             // the number of names in few
	more map[string]bool // the names for which few has no room
}

// addName adds a name, and returns false if it has been added before.
func (n *names) addName(name []byte) bool {
	for _, other := range n.few[:n.used] {
		if bytes.Equal(name, other) {
			return false
		}
	}
	if n.used < len(n.few) {
		n.few[n.used] = name
		n.used++
		return true
	}
	if n.more == nil {
		n.more = map[string]bool{}
	}
	if n.more[string(name)] {
		return false
	}
	n.more[string(name)] = true
	return true
}

// checkNames fails if a name stands twice in one object of a line, or the outermost object has a
// name that no field of the struct has. The line must be valid JSON.
func checkNames(line []byte, answer reflect.Type) error {
	var room [2]names // the names of the objects that are open; most lines have at most two at a time
	objects := room[:0]
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '{':
			objects = append(objects, names{})
		case '}':
			objects = objects[:len(objects)-1]
		case '"':
			end := endOfString(line, i)
			name := line[i+1 : end]
			i = end
			if after := bytes.TrimLeft(line[end+1:], " \t\r\n"); len(after) == 0 || after[0] != ':' {
				continue // this string is a value
			}
			if !objects[len(objects)-1].addName(name) {
				return fmt.Errorf("it has the field %s twice", quote(name))
			}
			if len(objects) == 1 && !hasField(answer, name) {
				return errs.New(
					"it has the unknown field %s; write the names of fields as in PROTOCOL.md, in lower case",
					quote(name),
				)
			}
		}
	}
	return nil
}

func hasField(answer reflect.Type, name []byte) bool {
	for i := range answer.NumField() {
		if answer.Field(i).Tag.Get("json") == string(name) {
			return true
		}
	}
	return false
}

// endOfString returns the index at which the string that begins at the index begin ends.
func endOfString(line []byte, begin int) int {
	i := begin + 1
	for ; line[i] != '"'; i++ {
		if line[i] == '\\' {
			i++
		}
	}
	return i
}
