package files

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"breadboard/experiments/draws"
)

// scanner reads a JSON text from the beginning to the end. Beyond JSON it knows NaN, Infinity and
// -Infinity, as Python writes them.
type scanner struct {
	b  []byte
	at int
}

// maxJSON is how deep values may be nested.
const maxJSON = 100

// errJSON is the error of a text that is no JSON.
var errJSON = errors.New("no JSON")

// peek passes over blanks and returns the next byte, and 0 at the end.
func (s *scanner) peek() byte {
	for s.at < len(s.b) {
		switch c := s.b[s.at]; c {
		case ' ', '\t', '\r', '\n':
			s.at++
		default:
			return c
		}
	}
	return 0
}

func (s *scanner) expect(c byte) error {
	if s.peek() != c {
		return errJSON
	}
	s.at++
	return nil
}

// string reads a text. The result is a part of the JSON unless there are escapes.
func (s *scanner) string() ([]byte, error) {
	if err := s.expect('"'); err != nil {
		return nil, err
	}
	start := s.at
	escapes := false
	for ; s.at < len(s.b); s.at++ {
		switch c := s.b[s.at]; {
		case c == '"':
			text := s.b[start:s.at]
			s.at++
			if !escapes {
				return text, nil
			}
			var unescaped string
			if err := json.Unmarshal(s.b[start-1:s.at], &unescaped); err != nil {
				return nil, errJSON
			}
			return []byte(unescaped), nil
		case c == '\\':
			escapes = true
			s.at++
		case c < ' ':
			return nil, errJSON
		}
	}
	return nil, errJSON
}

// word reads a number, or one of the names that JSON and Python have for values.
func (s *scanner) word() ([]byte, error) {
	s.peek()
	start := s.at
	for s.at < len(s.b) {
		c := s.b[s.at]
		if c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '-' || c == '+' || c == '.' {
			s.at++
			continue
		}
		break
	}
	word := s.b[start:s.at]
	switch string(word) {
	case "true", "false", "null", "NaN", "Infinity", "-Infinity":
		return word, nil
	}
	if !isNumber(word) {
		s.at = start
		return nil, errJSON
	}
	return word, nil
}

// isNumber reports whether a text is a number of JSON, of whatever magnitude.
func isNumber(text []byte) bool {
	text = bytes.TrimPrefix(text, []byte("-"))
	whole := countDigits(text)
	if whole == 0 || whole > 1 && text[0] == '0' {
		return false
	}
	text = text[whole:]
	if len(text) > 0 && text[0] == '.' {
		decimals := countDigits(text[1:])
		if decimals == 0 {
			return false
		}
		text = text[1+decimals:]
	}
	return len(text) == 0 || isExponent(text)
}

// isExponent reports whether a text is an e, a sign or none, and digits.
func isExponent(text []byte) bool {
	if text[0] != 'e' && text[0] != 'E' {
		return false
	}
	text = text[1:]
	if len(text) > 0 && (text[0] == '-' || text[0] == '+') {
		text = text[1:]
	}
	return len(text) > 0 && countDigits(text) == len(text)
}

// countDigits returns how many digits a text begins with.
func countDigits(text []byte) int {
	n := 0
	for n < len(text) && text[n] >= '0' && text[n] <= '9' {
		n++
	}
	return n
}

// skip passes over a value that stands so deep in others.
func (s *scanner) skip(depth int) error {
	if depth > maxJSON {
		return errJSON
	}
	switch s.peek() {
	case '"':
		_, err := s.string()
		return err
	case '{':
		return s.object(func([]byte) error { return s.skip(depth + 1) })
	case '[':
		return s.array(func(int) error { return s.skip(depth + 1) })
	}
	_, err := s.word()
	return err
}

// object reads an object and calls f for every key, which must read the value. The key is valid
// until then.
func (s *scanner) object(f func(key []byte) error) error {
	return s.list('{', '}', func(int) error {
		s.peek()
		key, err := s.string()
		if err == nil {
			err = s.expect(':')
		}
		if err != nil {
			return err
		}
		return f(key)
	})
}

// array reads an array and calls f for every element, which must read it.
func (s *scanner) array(f func(i int) error) error { return s.list('[', ']', f) }

// list reads what stands between two brackets, separated by commas.
func (s *scanner) list(opening, closing byte, f func(i int) error) error {
	if err := s.expect(opening); err != nil {
		return err
	}
	if s.peek() == closing {
		s.at++
		return nil
	}
	for i := 0; ; i++ {
		if err := f(i); err != nil {
			return err
		}
		switch s.peek() {
		case ',':
			s.at++
		case closing:
			s.at++
			return nil
		default:
			return errJSON
		}
	}
}

func (t *table) setJSON(s *scanner, f *field, row int) error {
	if f.target.quantity != wholePath {
		return t.setJSONValue(s, f, row, 0)
	}
	if s.peek() != '[' {
		return t.wrongJSON(s, f, "write an array of states")
	}
	states := 0
	err := s.array(func(i int) error {
		states++
		if i >= t.space.Distributions {
			return s.skip(0)
		}
		return t.setJSONValue(s, f, row, i)
	})
	if err == nil && states != t.space.Distributions {
		return t.badPathLength(f, states)
	}
	return err
}

// setJSONValue reads a number, or a state in any of its forms, into a row.
func (t *table) setJSONValue(s *scanner, f *field, row, offset int) error {
	switch s.peek() {
	case '"':
		return t.setJSONText(s, f, row, offset)
	case '[':
		if f.number == absent {
			return t.setJSONCoordinates(s, f, row, offset)
		}
		return t.wrongJSON(s, f, "")
	case '{':
		return t.wrongJSON(s, f, "")
	}
	word, err := s.word()
	if err != nil {
		return err
	}
	if c := word[0]; c == 't' || c == 'f' || c == 'n' {
		return t.badValue(f, string(word))
	}
	return t.setText(f, row, offset, word).asError()
}

// badValue returns the fault of something that is neither a number nor a state.
func (t *table) badValue(f *field, found string) *fault {
	if f.number != absent {
		return f.badNumber(found)
	}
	return t.badStateText(f, found)
}

// wrongJSON passes over a value and returns the fault that it is there.
func (t *table) wrongJSON(s *scanner, f *field, want string) error {
	s.peek()
	start := s.at
	if err := s.skip(0); err != nil {
		return err
	}
	bad := t.badValue(f, quoted(s.b[start:s.at]))
	if want != "" {
		bad.want = want
	}
	return bad
}

// setJSONText reads a text: of a state any of its forms, of a number an infinity, for which JSON
// has no number.
func (t *table) setJSONText(s *scanner, f *field, row, offset int) error {
	text, err := s.string()
	if err != nil {
		return err
	}
	text = bytes.TrimSpace(text)
	var bad *fault
	if f.number == absent {
		bad = t.setText(f, row, offset, text)
	} else if v, ok := parseInfinity(text); ok {
		bad = t.setNumber(f, row, v)
	} else if bad = f.badText(text); bad.want != "write decimals with a point" {
		if _, _, number := draws.ParseNumber(text); number {
			bad.want = "write the number without quotation marks"
		}
	}
	return bad.asError()
}

// setJSONCoordinates reads a state as an array of its coordinates.
func (t *table) setJSONCoordinates(s *scanner, f *field, row, offset int) error {
	var room [8]int64
	coordinates := room[:0]
	err := s.array(func(int) error {
		word, err := s.word()
		if err != nil {
			return err
		}
		v, _, ok := draws.ParseNumber(word)
		if !ok {
			return t.badStateText(f, "the coordinate "+string(word))
		}
		state, bad := t.wholeState(f, v)
		if bad != nil {
			return bad
		}
		coordinates = append(coordinates, state)
		return nil
	})
	if err != nil {
		return err
	}
	if len(coordinates) == 0 {
		return t.badStateText(f, "an empty array")
	}
	return t.setCoordinates(f, row, offset, coordinates).asError()
}

// noObject is the fault of a line that is no JSON object.
func noObject(line []byte, at int) *fault {
	found := "a line that is not a JSON object, " + quoted(line)
	if at > 0 && at < len(line) {
		found = fmt.Sprintf("a line that is not a JSON object from byte %d on, %s", at+1, quoted(line[at:]))
	} else if at > 0 {
		found = "a JSON object that does not end on its line, " + quoted(line)
	}
	return &fault{found: found, want: `write JSON Lines, an object on each line, as in {"log_w": -1.5, "x_first": 3, "x_last": 7}`}
}

// jsonRows reads rows of JSON Lines, with an object a line.
type jsonRows struct {
	textRows
	fields map[string]int // the number of each key's column
	seen   []int          // the row, counted from 1, in which each column was last
	extra  map[string]bool
}

// maxExtra is the most names of columns that only later rows have, and that are listed as ignored.
const maxExtra = 1000

// openJSON reads the first row and takes the names of the columns from it.
func openJSON(ctx context.Context, name string, in *lines, o Options) (*jsonRows, *layout, error) {
	r := &jsonRows{textRows: textRows{name: name, in: in}, fields: map[string]int{}, extra: map[string]bool{}}
	if err := checkText(ctx, name, in); err != nil {
		return nil, nil, err
	}
	line, number, err := r.next(ctx)
	if err == io.EOF {
		return nil, nil, noRows().at(name, -1, 0)
	}
	if err != nil {
		return nil, nil, err
	}
	names, bad := names(line)
	var l *layout
	if bad == nil {
		l, bad = namedLayout("objects with the names ", names, o)
	}
	if bad != nil {
		return nil, nil, bad.at(name, 0, number)
	}
	for i, f := range names {
		r.fields[f] = i
	}
	r.seen, r.begun = make([]int, len(names)), true
	r.keep(line)
	return r, l, nil
}

func names(line []byte) ([]string, *fault) {
	s := &scanner{b: line}
	switch s.peek() {
	case '[':
		return nil, &fault{found: "a JSON array", want: "write JSON Lines: an object on each line, without brackets around them or commas between them"}
	case '{':
	default:
		return nil, noObject(line, 0)
	}
	var names []string
	seen := map[string]bool{}
	twice := ""
	err := s.object(func(key []byte) error {
		if k := string(key); seen[k] {
			twice = k
		} else {
			names = append(names, k)
			seen[k] = true
		}
		return s.skip(0)
	})
	if err != nil || s.peek() != 0 || s.at < len(s.b) {
		return nil, noObject(line, s.at)
	}
	if seen[twice] && twice != "" {
		return nil, &fault{column: twice, found: "the name twice in an object", want: "keep one of them"}
	}
	return names, nil
}

func (r *jsonRows) decode(ctx context.Context, t *table, limit int) (int, error) {
	return r.textRows.decode(ctx, limit, r.next, func(line []byte, row int) *fault { return r.row(line, t, row) })
}

// row puts the values of an object into a row of the table.
func (r *jsonRows) row(line []byte, t *table, row int) *fault {
	s := &scanner{b: line}
	if s.peek() != '{' {
		return noObject(line, 0)
	}
	stamp, found := r.rows+1, 0
	err := s.object(func(key []byte) error {
		i, ok := r.fields[string(key)]
		if !ok {
			return r.unknown(s, t, string(key))
		}
		f := &t.layout.fields[i]
		if r.seen[i] == stamp {
			return (&fault{found: "the name twice in an object", want: "keep one of them"}).in(f.name)
		}
		r.seen[i] = stamp
		found++
		if !f.used {
			return s.skip(0)
		}
		return t.setJSON(s, f, row)
	})
	var wrong *fault
	switch {
	case errors.As(err, &wrong):
		return wrong
	case err != nil || s.peek() != 0 || s.at < len(s.b):
		return noObject(line, s.at)
	case found < len(r.seen):
		if bad := r.missing(t, stamp); bad != nil {
			return bad
		}
	}
	return t.checkEnds(row)
}

// missing returns the fault of a row without a column that is used, and nil if there is none.
func (r *jsonRows) missing(t *table, stamp int) *fault {
	for i := range t.layout.fields {
		if f := &t.layout.fields[i]; f.used && r.seen[i] != stamp {
			return (&fault{found: "an object without it", want: "write the same names in every object"}).in(f.name)
		}
	}
	return nil
}

// unknown passes over a value whose name the first row does not have. A name that would be of use
// is an error.
func (r *jsonRows) unknown(s *scanner, t *table, name string) error {
	if _, known := parseName(name); known {
		return (&fault{found: "a name that is not in the first object", want: "write the same names in every object"}).in(name)
	}
	if !r.extra[name] && len(r.extra) < maxExtra && !slices.Contains(t.layout.ignored, name) {
		r.extra[name] = true
		t.layout.ignored = append(t.layout.ignored, name)
	}
	return s.skip(0)
}
