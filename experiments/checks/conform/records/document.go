package records

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"breadboard/chains/selector"
	"breadboard/experiments/subject"
)

// File is a file of the folder of a task.
type File struct {
	Name    string
	Content []byte
}

// The files of a folder.
const (
	TaskFile   = "task.json"
	ReadmeFile = "README.md"
	maxTask    = 1 << 26 // bytes of task.json
)

// Head begins task.json.
type Head struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
}

// Named is a parameter of a task, for people; the program uses the numbers of the task.
type Named struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// NamesOf returns parameters in the form of task.json.
func NamesOf(params subject.Params) (list []Named) {
	for _, p := range params {
		list = append(list, Named(p))
	}
	return list
}

// ParamsOf returns the parameters from the form of task.json.
func ParamsOf(names []Named) (list subject.Params) {
	for _, n := range names {
		list = append(list, subject.Param(n))
	}
	return list
}

// Encode returns the content of task.json.
func Encode(document any) ([]byte, error) {
	var b bytes.Buffer
	out := json.NewEncoder(&b)
	out.SetEscapeHTML(false)
	out.SetIndent("", " ")
	err := out.Encode(document)
	return b.Bytes(), err
}

// decode reads task.json, which command writes, into a document. It fails for another head than is
// wanted and for unknown fields.
func decode(data []byte, want Head, command string, document any) error {
	var head Head
	if err := json.Unmarshal(data, &head); err != nil {
		return fmt.Errorf("it cannot be read as JSON (%w)", err)
	}
	if head.Format != want.Format {
		return fmt.Errorf("its format is %.60q instead of %q; %s writes such a task", head.Format, want.Format, command)
	}
	if err := selector.CheckSchema(head.Version, want.Version); err != nil {
		return err
	}
	in := json.NewDecoder(bytes.NewReader(data))
	in.DisallowUnknownFields()
	if err := in.Decode(document); err != nil {
		return fmt.Errorf("it is not what was written (%w)", err)
	}
	if in.Decode(&struct{}{}) != io.EOF {
		return errors.New("there is text after the end of its object")
	}
	return nil
}

// agree fails if the document that was read is not the one that its task writes.
func agree(read, again any) error {
	got, wrong := Encode(read)
	want, err := Encode(again)
	if err = errors.Join(err, wrong); err == nil && !bytes.Equal(got, want) {
		err = errors.New("its fields contradict one another, so it was changed after it was written; make the folder again")
	}
	return err
}
