package conform

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"

	"breadboard/chains/selector"
	"breadboard/experiments/draws"
)

// format and version stand at the beginning of task.json.
const (
	format  = "breadboard conform task"
	version = 1
)

// document is what task.json holds.
type document struct {
	Format  string `json:"format"`
	Version int    `json:"version"`

	Toy      string `json:"toy"`
	T        int    `json:"T"`
	Path     string `json:"path"`
	Initial  string `json:"initial"`
	Schedule string `json:"schedule"`
	Kernel   string `json:"kernel"`

	Space   string   `json:"space"`
	States  int      `json:"states"`
	Sides   []int    `json:"sides"` // null on a graph
	Columns []string `json:"columns"`

	LogZ1     float64 `json:"log_z_1"`
	LogZT     float64 `json:"log_z_T"`
	LogZRatio float64 `json:"log_z_ratio"`

	Conventions []string  `json:"conventions"`
	Betas       []float64 `json:"betas"`
}

// document returns what task.json is to hold.
func (t *Task) document() document {
	c := &t.Case
	return document{
		Format:      format,
		Version:     version,
		Toy:         c.Toy.Name,
		T:           c.Distributions(),
		Path:        c.Params.Get("path"),
		Initial:     c.Params.Get("initial"),
		Schedule:    c.Params.Get("schedule"),
		Kernel:      c.Params.Get("kernel"),
		Space:       c.Toy.Space.String(),
		States:      c.Toy.Space.States(),
		Sides:       t.sides(),
		Columns:     columnNames(t.Columns),
		LogZ1:       t.LogZ1,
		LogZT:       t.LogZT,
		LogZRatio:   t.LogZRatio(),
		Conventions: conventions(),
		Betas:       t.betas(),
	}
}

// columnGroup is a column, or columns that a source has all together, with the field of
// draws.Columns that stands for it.
type columnGroup struct {
	Name  string
	Names string // the names of the columns in a file
	What  string // what they hold
	of    func(*draws.Columns) *bool
}

// columnGroups are all that an implementation may send, in the order in which they are listed.
func columnGroups() []columnGroup {
	return []columnGroup{
		{"log_w", "`log_w`", "the log weight of the chain, in nats",
			func(c *draws.Columns) *bool { return &c.LogW }},
		{"x_first", "`x_first`", "x_1, the state of the chain under p_1",
			func(c *draws.Columns) *bool { return &c.XFirst }},
		{"x_last", "`x_last`", "x_T, the state of the chain under p_T",
			func(c *draws.Columns) *bool { return &c.XLast }},
		{"path", "`x_1` to `x_T`", "every state of the chain, by stage; all of them or none",
			func(c *draws.Columns) *bool { return &c.Path }},
		{"increments", "`increment_2` to `increment_T`",
			"what each stage adds to the log weight; all of them or none",
			func(c *draws.Columns) *bool { return &c.Increments }},
		{"transitions", "`beta`, `from`, `to`",
			"single moves of the kernel, one a row, in a file of their own",
			func(c *draws.Columns) *bool { return &c.Transitions }},
		{"log_z", "`log_z`", "logs of estimates of Z_T/Z_1, one a row, in a file of their own",
			func(c *draws.Columns) *bool { return &c.LogZ }},
	}
}

// columnNames returns the names of the groups that are there.
func columnNames(c draws.Columns) []string {
	names := []string{}
	for _, g := range columnGroups() {
		if *g.of(&c) {
			names = append(names, g.Name)
		}
	}
	return names
}

// columnsOf returns the columns of these names.
func columnsOf(names []string) (c draws.Columns, err error) {
	groups := columnGroups()
	for _, name := range names {
		at := slices.IndexFunc(groups, func(g columnGroup) bool { return g.Name == name && !*g.of(&c) })
		if at < 0 {
			return c, fmt.Errorf("columns: %q is not a column, or appears twice", name)
		}
		*groups[at].of(&c) = true
	}
	return c, nil
}

// conventions are whole sentences, which the README has too.
func conventions() []string {
	return []string{
		"States are numbered from 0. On a grid the order is row-major: the last coordinate moves fastest.",
		"T counts both ends: f_1 is the initial distribution and f_T the target. Stages are t = 2..T.",
		"All logarithms are natural. Log weights are sums of log f_t - log f_(t-1) over t = 2..T, and do " +
			"not include log Z_1.",
		"Forward: draw x_1 from p_1; for t = 2..T add the increment of stage t at x_(t-1), the state " +
			"before the move, and then move by T_t, the kernel that leaves p_t invariant. The chain moves " +
			"at every stage, the last too.",
		"Reverse: draw x_T from p_T exactly; for t = T..2 move by the time reversal of T_t, and then add " +
			"the same increment of stage t at x_(t-1), the state after the move.",
		"x_first is x_1 and x_last is x_T in both directions: a reverse chain begins at x_last and ends at x_first.",
		"Chains are independent, and each row of a file is one chain."}
}

// encode returns task.json.
func (d *document) encode() ([]byte, error) {
	var b bytes.Buffer
	out := json.NewEncoder(&b)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	err := out.Encode(d)
	return b.Bytes(), err
}

// decode reads task.json. It accepts what encode writes, with other blanks between: unknown or
// missing fields, fields that stand twice or in another order, numbers in other digits and anything
// behind the object are errors. It says nothing of whether the contents agree with one another.
func decode(data []byte) (*document, error) {
	in := json.NewDecoder(bytes.NewReader(data))
	var head struct {
		Format  string `json:"format"`
		Version int    `json:"version"`
	}
	if err := in.Decode(&head); err != nil {
		return nil, fmt.Errorf("it cannot be read as JSON (%w)", describeJSON(err))
	}
	if head.Format != format {
		return nil, fmt.Errorf("its format is %.40q, and that of a task is %q", head.Format, format)
	}
	if err := selector.CheckSchema(head.Version, version); err != nil {
		return nil, err
	}
	in = json.NewDecoder(bytes.NewReader(data))
	in.DisallowUnknownFields()
	d := &document{}
	if err := in.Decode(d); err != nil {
		return nil, fmt.Errorf("it is not what was written (%w)", describeJSON(err))
	}
	if in.Decode(&struct{}{}) != io.EOF {
		return nil, errors.New("there is text after the end of its object")
	}
	return d, d.sameAs(data)
}

// sameAs fails if encoding the document does not give the given text, apart from blanks.
func (d *document) sameAs(data []byte) error {
	again, err := d.encode()
	if err != nil {
		return err
	}
	var was, is bytes.Buffer
	if err := errors.Join(json.Compact(&was, data), json.Compact(&is, again)); err != nil {
		return err
	}
	if !bytes.Equal(was.Bytes(), is.Bytes()) {
		return errors.New(
			"it was changed after it was written: a field is missing, duplicated or moved, or a name or a " +
				"number is written differently",
		)
	}
	return nil
}

// describeJSON returns an error of package json without the names of Go.
func describeJSON(err error) error {
	if wrong, is := errors.AsType[*json.UnmarshalTypeError](err); is && wrong.Field == "" {
		return fmt.Errorf("it is a JSON %s, not an object", wrong.Value)
	} else if is {
		return fmt.Errorf("the field %q holds a %s", wrong.Field, wrong.Value)
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return errors.New("it ends too early")
	}
	return err
}

// differs returns the name of the first field in which two documents differ, and the values that
// they have there; "" where they are the same. Numbers are compared bit by bit.
func (d *document) differs(other *document) (field string, value, otherValue any) {
	v := reflect.ValueOf(*d)
	w := reflect.ValueOf(*other)
	for i := range v.NumField() {
		a, b := v.Field(i).Interface(), w.Field(i).Interface()
		if !reflect.DeepEqual(a, b) {
			return v.Type().Field(i).Tag.Get("json"), a, b
		}
	}
	return "", nil, nil
}
