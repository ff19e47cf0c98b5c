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

	"breadboard/chains/selector"
	"breadboard/experiments"
)

// decodeResult reads the object of a result, of the cell that its key says, as encodeLine writes it: all fields, in
// their order, in their shortest form, and no others. So every result has one text, and two results differ where
// their texts do. What it returns satisfies validate. The cell is -1 for one that only a sweep of before has had.
func (c *collector) decodeResult(object []byte) (i int, r *Result, err error) {
	r = &Result{}
	rest, ok := bytes.CutPrefix(object, []byte(`{"key":"`))
	if !ok || len(rest) < 2*len(r.Key) || !bytes.HasPrefix(rest[2*len(r.Key):], []byte(`","cell":`)) {
		return 0, nil, otherFields(object, c.names)
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
	if i, ok = c.index[r.Key]; ok {
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
func (r *Result) decode(rest, object []byte, study *experiments.Study, names []string) error {
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
			return otherFields(object, names)
		}
		return r.validate(study)
	}
	r.Values = &Values{study: study, Numbers: make([]float64, len(names))}
	for i, name := range names {
		if rest, ok = decodeNumber(rest, name, &r.Numbers[i]); !ok {
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
	return r.validate(study)
}

// decodeNumber reads the field of a number from the start of a text, and returns what follows; false where it is not
// there, or not in its one form.
func decodeNumber(text []byte, name string, to *float64) (rest []byte, ok bool) {
	for _, part := range []string{`,"`, name, `":`} {
		if text, ok = bytes.CutPrefix(text, []byte(part)); !ok {
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
		return fmt.Errorf("it is no JSON object: %w", err)
	}
	known := append([]string{"key", "cell", "error", "note"}, numbers...)
	for name := range there {
		if !slices.Contains(known, name) {
			return fmt.Errorf("it has the field %s, which no result has", strconv.Quote(selector.Cut(name)))
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
