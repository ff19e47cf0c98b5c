package external

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
)

// decodeStrictly reads the one JSON value of a line into a struct. Package json by itself would accept a field's name in capital or small letters,
// and would use the last of several fields with one name. Here names must be written as in the struct, and each may stand only once in its object.
func decodeStrictly(line []byte, answer any) error {
	in := json.NewDecoder(bytes.NewReader(line))
	in.DisallowUnknownFields()
	if err := in.Decode(answer); err != nil {
		return plainly(err)
	}
	if in.Decode(&struct{}{}) != io.EOF {
		return errors.New("there is more than one value")
	}
	return checkNames(line, reflect.TypeOf(answer).Elem())
}

// plainly returns an error of package json without the names of Go where it has any.
func plainly(err error) error {
	if wrong, is := errors.AsType[*json.UnmarshalTypeError](err); is {
		if wrong.Field == "" {
			return fmt.Errorf("it is a JSON %s, and has to be an object with fields", wrong.Value)
		}
		return fmt.Errorf("its field %q holds a %s, which is not what stands there; PROTOCOL.md says what does", wrong.Field, brief(wrong.Value))
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

// names are the names of the fields of one object. They are kept in an array, since there are hardly ever more than a few,
// and in a map where there are more.
type names struct {
	few  [4][]byte
	used int             // the number of names in few
	more map[string]bool // the names for which few has no room
}

// add adds a name, and returns false where it has been added before.
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
