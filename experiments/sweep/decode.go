package sweep

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// decodeResult reads the object of a result, of the cell that its key says, as encodeLine writes it: all fields, in
// their order, in their shortest form, and no others. So every result has one text, and two results differ where
// their texts do. What it returns satisfies validate.
func (c *collector) decodeResult(object []byte) (i int, r *Result, err error) {
	r = &Result{}
	rest, ok := bytes.CutPrefix(object, []byte(`{"key":"`))
	if !ok || len(rest) < 2*len(r.Key) || !bytes.HasPrefix(rest[2*len(r.Key):], []byte(`","cell":`)) {
		return 0, nil, otherFields(object)
	}
	if _, err := hex.Decode(r.Key[:], rest[:2*len(r.Key)]); err != nil {
		return 0, nil, fmt.Errorf("its key is no %d hexadecimal digits", 2*len(r.Key))
	}
	if r.Key.String() != string(rest[:2*len(r.Key)]) {
		return 0, nil, errors.New("its key is not in small letters")
	}
	if c.index == nil {
		c.index = c.sweep.index()
	}
	if i, ok = c.index[r.Key]; !ok {
		return 0, nil, errStranger(r.Key)
	}
	r.Cell = c.sweep.Cell(i)
	if err := r.decode(rest[2*len(r.Key)+len(`","cell":`):], object); err != nil {
		return 0, nil, fmt.Errorf("the result of the cell %s: %w", r.Cell, err)
	}
	return i, r, nil
}

// decode reads what follows the key of an object.
func (r *Result) decode(rest, object []byte) error {
	cell, err := r.Cell.MarshalJSON()
	if err != nil {
		return err
	}
	rest, ok := bytes.CutPrefix(rest, cell)
	if !ok {
		return errors.New("the line names another cell than its key does")
	}
	if text, fails := bytes.CutPrefix(rest, []byte(`,"error":`)); fails {
		if r.Error, ok = decodeText(text); !ok {
			return otherFields(object)
		}
		return r.validate()
	}
	r.Values = &Values{}
	for _, f := range r.Values.fields() {
		if rest, ok = f.decode(rest); !ok {
			return otherFields(object)
		}
	}
	if text, noted := bytes.CutPrefix(rest, []byte(`,"note":`)); noted {
		r.Note, ok = decodeText(text)
	} else {
		ok = string(rest) == "}"
	}
	if !ok {
		return otherFields(object)
	}
	return r.validate()
}

// field is a number of a result with its name.
type field struct {
	name  string
	value *Number
}

// fields returns the numbers in the order in which they are written.
func (v *Values) fields() [8]field {
	return [8]field{
		{"J", &v.J}, {"B", &v.B}, {"kl_q_p", &v.KLQP}, {"kl_p_q", &v.KLPQ},
		{"mean_log_w_forward", &v.MeanLogWForward}, {"mean_log_w_reverse", &v.MeanLogWReverse},
		{"log_z_ratio", &v.LogZRatio}, {"dominant_mode_mass", &v.DominantModeMass},
	}
}

// decode reads a field from the start of a text, and returns what follows; false where it is not there, or not in
// its one form.
func (f field) decode(text []byte) (rest []byte, ok bool) {
	for _, part := range []string{`,"`, f.name, `":`} {
		if text, ok = bytes.CutPrefix(text, []byte(part)); !ok {
			return nil, false
		}
	}
	end := bytes.IndexAny(text, ",}")
	if end < 0 || f.value.UnmarshalJSON(text[:end]) != nil {
		return nil, false
	}
	form, err := f.value.MarshalJSON()
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

// otherFields says in what the fields of an object are not those of a result.
func otherFields(object []byte) error {
	var there map[string]json.RawMessage
	if err := json.Unmarshal(object, &there); err != nil {
		return fmt.Errorf("it is no JSON object: %w", err)
	}
	numbers, known := []string(nil), []string{"key", "cell", "error", "note"}
	for _, f := range (&Values{}).fields() {
		numbers = append(numbers, f.name)
	}
	known = append(known, numbers...)
	for name := range there {
		if !slices.Contains(known, name) {
			return fmt.Errorf("it has the field %s, which no result has", strconv.Quote(cut(name)))
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
		return errors.New("it does not say of which cell it is")
	case fails && len(missing) < len(numbers):
		return errors.New("it has an error and values; a result has one of them")
	case fails:
		return errors.New("its error is no text, or not as breadboard writes it")
	case len(missing) == len(numbers):
		return errors.New("it has neither values nor an error")
	case len(missing) > 0:
		return fmt.Errorf("it has no %s", strings.Join(missing, ", "))
	}
	return errors.New("its fields are not in the order or the form in which breadboard writes them")
}
