package sweep

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
	"breadboard/experiments/subject"
)

// Number is a float64 in JSON: one that is not finite is the string "+Inf", "-Inf" or "NaN".
type Number float64

// MarshalJSON writes the shortest text that reads back as the same number.
func (n Number) MarshalJSON() ([]byte, error) {
	text := strconv.AppendFloat(nil, float64(n), 'g', -1, 64)
	if v := float64(n); math.IsInf(v, 0) || math.IsNaN(v) {
		text = append(append([]byte{'"'}, text...), '"')
	}
	return text, nil
}

// UnmarshalJSON reads what MarshalJSON writes.
func (n *Number) UnmarshalJSON(text []byte) error {
	v, err := strconv.ParseFloat(string(bytes.Trim(text, `"`)), 64)
	*n = Number(v)
	return err
}

// Values are the results of a cell: the numbers that its study stores, in their order, and a note.
type Values struct {
	study   *subject.Question
	Numbers []float64
	Note    string
}

// valuesOf returns an outcome of a study as the values of a cell.
func valuesOf(study *subject.Question, o subject.Reply) *Values {
	return &Values{study, o.Numbers, shorten(o.Note)}
}

// Get returns a value of the study by its name, stored or derived. It panics for an unknown name.
func (v *Values) Get(name string) float64 { return v.study.Value(name, v.Numbers) }

// Result is a line of a file of results: the values of a cell, or the reason why there are none.
type Result struct {
	Key   Key
	Cell  Cell // for people; it must be that of the key
	Error string
	*Values
}

// MarshalJSON writes the key, the cell, and either the error or the numbers under their names and
// the note, if any.
func (r Result) MarshalJSON() ([]byte, error) {
	cell, err := r.Cell.MarshalJSON()
	if err != nil {
		return nil, err
	}
	out := make([]byte, 0, 512)
	out = append(append(append(append(out, `{"key":"`...), r.Key.String()...), `","cell":`...), cell...)
	out, err = appendText(out, "error", r.Error)
	if err != nil || r.Values == nil {
		return append(out, '}'), err
	}
	place := 0 // of the next number
	for i := range r.study.Values {
		if v := &r.study.Values[i]; v.Of == nil {
			number, err := Number(r.Numbers[place]).MarshalJSON()
			if err != nil {
				return nil, err
			}
			out = append(appendName(out, v.Name), number...)
			place++
		}
	}
	out, err = appendText(out, "note", r.Note)
	return append(out, '}'), err
}

// appendName appends the name of a field that follows another one.
func appendName(dst []byte, name string) []byte {
	return append(append(append(dst, `,"`...), name...), `":`...)
}

// appendText appends a field with a text, and nothing for an empty text.
func appendText(dst []byte, name, text string) ([]byte, error) {
	if text == "" {
		return dst, nil
	}
	quoted, err := json.Marshal(text)
	return append(appendName(dst, name), quoted...), err
}

// header is the first line of a file of results.
type header struct {
	Schema int    `json:"schema"`
	Study  string `json:"study"`
	Sweep  Key    `json:"sweep"`
	Shard  string `json:"shard"`
	Cells  int    `json:"cells"` // that fall to the shard
}

// A line is {"crc32c":"12345678",BODY} where BODY is the name of its kind, a colon and a JSON
// object, and the checksum is that of BODY.
const (
	linePrefix = `{"crc32c":"`
	lineMiddle = `",`
	bodyAt     = len(linePrefix) + 8 + len(lineMiddle)
	maxLine    = 1 << 16
)

func checksum(body []byte) uint32 { return crc32.Checksum(body, crc32.MakeTable(crc32.Castagnoli)) }

// encodeLine returns the line of an object, with its newline.
func encodeLine(kind string, v any) ([]byte, error) {
	object, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	body := append([]byte(`"`+kind+`":`), object...)
	return fmt.Appendf(nil, "%s%08x%s%s}\n", linePrefix, checksum(body), lineMiddle, body), nil
}

// objectOf returns the JSON object of a line without its newline. The kind must be as expected.
func objectOf(line []byte, kind string) ([]byte, error) {
	if len(line) <= bodyAt || !bytes.HasPrefix(line, []byte(linePrefix)) ||
		string(line[bodyAt-len(lineMiddle):bodyAt]) != lineMiddle || line[len(line)-1] != '}' {
		return nil, errors.New("no line of results")
	}
	body := line[bodyAt : len(line)-1]
	sum := string(line[len(linePrefix) : len(linePrefix)+8])
	if want := fmt.Sprintf("%08x", checksum(body)); sum != want {
		return nil, fmt.Errorf("its checksum is %q and should be %q", sum, want)
	}
	object, ok := bytes.CutPrefix(body, []byte(`"`+kind+`":`))
	if !ok {
		return nil, fmt.Errorf("it has no %s", kind)
	}
	return object, nil
}

// decode reads a header as encodeLine writes it.
func (h *header) decode(line []byte) error {
	object, err := objectOf(line, "header")
	if err != nil {
		return err
	}
	if err := json.Unmarshal(object, h); err != nil {
		return err
	}
	if form, err := json.Marshal(h); err != nil || !bytes.Equal(form, object) {
		return errors.New("its fields differ, in name, order or form, from those of a header that breadboard writes")
	}
	return nil
}

// maxRead is the length in bytes of the longest text of a result that is read.
const maxRead = maxText + len("...")

// validateResult says what cannot be the result of the cell in a sweep of the study. Every result
// passes it before it is written, and again when it is read.
func (r *Result) validateResult(study *subject.Question) error {
	switch {
	case r.Values == nil && r.Error == "":
		return errors.New("it has neither values nor an error")
	case r.Values != nil && r.Error != "":
		return errs.New("it has an error and values; a result has only one of them")
	case len(r.Error) > maxRead:
		return errs.New("its error has %d bytes; the limit is %d", len(r.Error), maxRead)
	case r.Values == nil:
		return nil
	case len(r.Note) > maxRead:
		return errs.New("its note has %d bytes; the limit is %d", len(r.Note), maxRead)
	}
	return study.Validate(subject.Reply{Numbers: r.Numbers, Note: r.Note})
}

// decodeResult reads the object of a result, of the cell that its key says, as encodeLine writes
// it: all fields, in their order, in their shortest form, and no others. So every result has one
// text, and two results differ where their texts do. What it returns satisfies validate. The cell
// is -1 for one that only a sweep of before has had.
func (c *collector) decodeResult(object []byte) (i int, r *Result, err error) {
	r = &Result{}
	rest, ok := bytes.CutPrefix(object, []byte(`{"key":"`))
	if !ok || len(rest) < 2*len(r.Key) || !bytes.HasPrefix(rest[2*len(r.Key):], []byte(`","cell":`)) {
		return 0, nil, otherFields(object, c.names)
	}
	if _, err := hex.Decode(r.Key[:], rest[:2*len(r.Key)]); err != nil {
		return 0, nil, fmt.Errorf("its key does not have %d hexadecimal digits", 2*len(r.Key))
	}
	if r.Key.String() != string(rest[:2*len(r.Key)]) {
		return 0, nil, errors.New("its key is not in lower case")
	}
	if c.index == nil {
		c.index = c.sweep.index()
	}
	i, ok = c.index[r.Key]
	if ok {
		r.Cell = c.sweep.Cell(i)
	} else if r.Cell, ok = c.formerCell(r.Key); ok {
		i = -1
	} else {
		return 0, nil, errStranger(r.Key)
	}
	if err := r.decode(rest[2*len(r.Key)+len(`","cell":`):], object, c.sweep.study, c.names); err != nil {
		return 0, nil, fmt.Errorf("the result of the cell %s: %w", r.Cell, err)
	}
	return i, r, nil
}

// decode reads what follows the key of an object, whose numbers have these names.
func (r *Result) decode(rest, object []byte, study *subject.Question, names []string) error {
	cell, err := r.Cell.MarshalJSON()
	if err != nil {
		return err
	}
	rest, ok := bytes.CutPrefix(rest, cell)
	if !ok {
		return errors.New("the cell in the line is not that of its key")
	}
	if text, fails := bytes.CutPrefix(rest, []byte(`,"error":`)); fails {
		r.Error, ok = decodeText(text)
		if !ok {
			return otherFields(object, names)
		}
		return r.validateResult(study)
	}
	r.Values = &Values{study: study, Numbers: make([]float64, len(names))}
	for i, name := range names {
		rest, ok = decodeNumber(rest, name, &r.Numbers[i])
		if !ok {
			return otherFields(object, names)
		}
	}
	if text, noted := bytes.CutPrefix(rest, []byte(`,"note":`)); noted {
		r.Note, ok = decodeText(text)
	} else {
		ok = string(rest) == "}"
	}
	if !ok {
		return otherFields(object, names)
	}
	return r.validateResult(study)
}

// decodeNumber reads the field of a number from the start of a text, and returns what follows;
// false if it is not there, or not in its one form.
func decodeNumber(text []byte, name string, to *float64) (rest []byte, ok bool) {
	for _, part := range []string{`,"`, name, `":`} {
		text, ok = bytes.CutPrefix(text, []byte(part))
		if !ok {
			return nil, false
		}
	}
	end := bytes.IndexAny(text, ",}")
	var n Number
	if end < 0 || n.UnmarshalJSON(text[:end]) != nil {
		return nil, false
	}
	*to = float64(n)
	form, err := n.MarshalJSON()
	return text[end:], err == nil && bytes.Equal(form, text[:end])
}

// decodeText reads the last field of an object, which is a text and never empty.
func decodeText(text []byte) (string, bool) {
	text, ok := bytes.CutSuffix(text, []byte("}"))
	var s string
	if !ok || json.Unmarshal(text, &s) != nil || s == "" {
		return "", false
	}
	form, err := json.Marshal(s)
	return s, err == nil && bytes.Equal(form, text)
}

// otherFields says in what the fields of an object are not those of a result with these numbers.
func otherFields(object []byte, numbers []string) error {
	var there map[string]json.RawMessage
	if err := json.Unmarshal(object, &there); err != nil {
		return fmt.Errorf("it is not a JSON object: %w", err)
	}
	known := append([]string{"key", "cell", "error", "note"}, numbers...)
	for name := range there {
		if !slices.Contains(known, name) {
			return fmt.Errorf("it has the unknown field %s", strconv.Quote(selector.Cut(name)))
		}
	}
	var missing []string
	for _, name := range numbers {
		if _, ok := there[name]; !ok {
			missing = append(missing, name)
		}
	}
	_, fails := there["error"]
	switch {
	case there["key"] == nil || there["cell"] == nil:
		return errors.New("it does not name its cell")
	case fails && len(missing) < len(numbers):
		return errs.New("it has an error and values; a result has only one of them")
	case fails:
		return errors.New("its error is not a text, or not in the form that breadboard writes")
	case len(missing) == len(numbers):
		return errors.New("it has neither values nor an error")
	case len(missing) > 0:
		return fmt.Errorf("it has no %s", strings.Join(missing, ", "))
	}
	return errors.New("its fields are not in the order or form that breadboard writes")
}
