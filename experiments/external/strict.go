package external

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
)

// decodeStrictly reads the one JSON value of a line into a struct. Package json by itself would take a field's name in
// other letters, and of several fields of one name the last; here names are as they are written in the struct, and
// each stands once in its object.
func decodeStrictly(line []byte, answer any) error {
	in := json.NewDecoder(bytes.NewReader(line))
	in.DisallowUnknownFields()
	if err := in.Decode(answer); err != nil {
		return err
	}
	if in.Decode(&struct{}{}) != io.EOF {
		return errors.New("there is more than one value")
	}
	return checkNames(line, reflect.TypeOf(answer).Elem())
}

// names are those of the fields of one object, of which there are hardly ever more than a few.
type names struct {
	few  [4][]byte
	used int             // of few
	more map[string]bool // the others
}

// add adds a name, and returns false where it is there already.
func (n *names) add(name []byte) bool {
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

// checkNames fails where a name stands twice in one object of a line, or the outermost object has a name that no field
// of the struct has. The line must be valid JSON.
func checkNames(line []byte, answer reflect.Type) error {
	var room [2]names // of the objects that are open
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
				continue // a value
			}
			if !objects[len(objects)-1].add(name) {
				return fmt.Errorf("it has the field %s twice", quote(name))
			}
			if len(objects) == 1 && !hasField(answer, name) {
				return fmt.Errorf("it has the field %s; the names of fields are written exactly as in PROTOCOL.md, in small letters", quote(name))
			}
		}
	}
	return nil
}

// hasField reports whether a struct has a field of a name in JSON.
func hasField(answer reflect.Type, name []byte) bool {
	for i := range answer.NumField() {
		if answer.Field(i).Tag.Get("json") == string(name) {
			return true
		}
	}
	return false
}

// endOfString returns where the string ends that begins at a place.
func endOfString(line []byte, begin int) int {
	i := begin + 1
	for ; line[i] != '"'; i++ {
		if line[i] == '\\' {
			i++
		}
	}
	return i
}
