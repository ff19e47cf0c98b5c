package bench

import (
	"bytes"
	"encoding/json"

	"breadboard/reports/table"
)

// object is a JSON object whose members keep their order.
type object []member

type member struct {
	name  string
	value any
}

// MarshalJSON writes the object.
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	err := o.writeTo(&b)
	return b.Bytes(), err
}

// line returns the object as a line of text.
func (o object) line() ([]byte, error) {
	var b bytes.Buffer
	err := o.writeTo(&b)
	b.WriteByte('\n')
	return b.Bytes(), err
}

// writeTo writes the object. What is JSON already is not read again, as encoding/json would: rows and figures are long.
func (o object) writeTo(b *bytes.Buffer) error {
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(m.name)
		if err != nil {
			return err
		}
		b.Write(name)
		b.WriteByte(':')
		if err := writeValue(b, m.value); err != nil {
			return err
		}
	}
	b.WriteByte('}')
	return nil
}

// writeValue writes the value of a member.
func writeValue(b *bytes.Buffer, value any) error {
	switch v := value.(type) {
	case object:
		return v.writeTo(b)
	case []object:
		b.WriteByte('[')
		for i, o := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			if err := o.writeTo(b); err != nil {
				return err
			}
		}
		b.WriteByte(']')
		return nil
	case json.RawMessage:
		b.Write(v)
		return nil
	case numbers:
		text, err := v.MarshalJSON()
		b.Write(text)
		return err
	}
	text, err := json.Marshal(value)
	b.Write(text)
	return err
}

// numbers are written as the cells of tables are: with as few digits as tell them from all others, and as texts where they are not finite.
type numbers []float64

// MarshalJSON writes the numbers.
func (n numbers) MarshalJSON() ([]byte, error) {
	b := []byte{'['}
	for i, v := range n {
		if i > 0 {
			b = append(b, ',')
		}
		text, err := table.JSONText(v)
		if err != nil {
			return nil, err
		}
		b = append(b, text...)
	}
	return append(b, ']'), nil
}

// number is one of numbers.
type number float64

// MarshalJSON writes the number.
func (n number) MarshalJSON() ([]byte, error) {
	text, err := table.JSONText(float64(n))
	return []byte(text), err
}
