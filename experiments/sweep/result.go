package sweep

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"strconv"

	"breadboard/experiments"
)

// Number is a float64 that JSON can hold: what is not finite is the string "+Inf", "-Inf" or "NaN".
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

// Values are what came of a cell: the numbers that its study stores, in their order, and a note.
type Values struct {
	study   *experiments.Study
	Numbers []float64
	Note    string
}

// valuesOf returns an outcome of a study as the values of a cell.
func valuesOf(study *experiments.Study, o experiments.Outcome) *Values {
	return &Values{study, o.Numbers, shorten(o.Note)}
}

// Get returns a value of the study by its name, whether it is stored or computed from those that are. It panics for a name
// that the study does not have.
func (v *Values) Get(name string) float64 { return v.study.Value(name, v.Numbers) }

// Result is a line of a file of results: the values of a cell, or why there are none.
type Result struct {
	Key   Key
	Cell  Cell // for people; it must be that of the key
	Error string
	*Values
}

// MarshalJSON writes the key, the cell, and either the error or the numbers under their names and the note, if any.
func (r Result) MarshalJSON() ([]byte, error) {
	cell, err := r.Cell.MarshalJSON()
	if err != nil {
		return nil, err
	}
	out := make([]byte, 0, 512)
	out = append(append(append(append(out, `{"key":"`...), r.Key.String()...), `","cell":`...), cell...)
	if out, err = appendText(out, "error", r.Error); err != nil || r.Values == nil {
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
	Study  string `json:"study,omitempty"` // see written
	Sweep  Key    `json:"sweep"`
	Shard  string `json:"shard"`
	Cells  int    `json:"cells"` // that fall to the shard
}

// A line is {"crc32c":"12345678",BODY} where BODY is the name of its kind, a colon and a JSON object, and the
// checksum is that of BODY.
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
	if len(line) <= bodyAt || !bytes.HasPrefix(line, []byte(linePrefix)) || string(line[bodyAt-len(lineMiddle):bodyAt]) != lineMiddle || line[len(line)-1] != '}' {
		return nil, errors.New("no line of results")
	}
	body := line[bodyAt : len(line)-1]
	sum := string(line[len(linePrefix) : len(linePrefix)+8])
	if want := fmt.Sprintf("%08x", checksum(body)); sum != want {
		return nil, fmt.Errorf("its checksum is %q and should be %q", sum, want)
	}
	object, ok := bytes.CutPrefix(body, []byte(`"`+kind+`":`))
	if !ok {
		return nil, fmt.Errorf("it holds no %s", kind)
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
		return errors.New("its fields are not those, in the order and the form, in which breadboard writes a header")
	}
	return nil
}

// maxRead is the length in bytes of the longest text of a result that is read: in older results every byte that is no
// UTF-8 was written as three.
const maxRead = 3*maxText + len("...")

// validate says what cannot be the result of the cell in a sweep of the study. Every result passes it before it is written,
// and again when it is read.
func (r *Result) validate(study *experiments.Study) error {
	switch {
	case r.Values == nil && r.Error == "":
		return errors.New("it has neither values nor an error")
	case r.Values != nil && r.Error != "":
		return errors.New("it has an error and values; a result has one of them")
	case len(r.Error) > maxRead:
		return fmt.Errorf("its error has %d bytes; the limit is %d", len(r.Error), maxRead)
	case r.Values == nil:
		return nil
	case len(r.Note) > maxRead:
		return fmt.Errorf("its note has %d bytes; the limit is %d", len(r.Note), maxRead)
	}
	return study.Validate(experiments.Params(r.Cell), experiments.Outcome{Numbers: r.Numbers, Note: r.Note})
}
