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
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(m.name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(m.value)
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
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
