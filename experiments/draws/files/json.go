package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"breadboard/chains/tables"
	"breadboard/experiments/draws"
)

// jsonRows reads objects with a value for each column: one on each line, or a list of them, as the
// tables of this program are written. A list of objects is held in memory.
type jsonRows struct {
	in    *lines
	whole *tables.Scanner // of a list; nil of lines
	// the line of the first row, which had to be read to know the columns; nil afterwards
	first  []byte
	number int
	places map[string]int // of the columns
	cells  []Cell
	filled []bool
}

// oneObject is the row of an example.
const oneObject = `{"log_w": -1.5, "x_first": 3, "x_last": 7}`

// openJSON reads the first row and takes the names of the columns from it.
func (t *Table) openJSON(ctx context.Context, in *lines) error {
	r := &jsonRows{in: in}
	t.rows = r
	start, err := in.peekBytes(ctx, 1)
	for err == nil && len(start) > 0 && strings.Contains(" \t\r\n", string(start)) {
		in.skip(1)
		start, err = in.peekBytes(ctx, 1)
	}
	switch {
	case err != nil:
		return err
	case len(start) == 0:
		return wrong("no data: it has only blanks", "write at least one object, as in %s", oneObject)
	}
	s := &tables.Scanner{}
	if start[0] == '[' {
		r.whole, err = r.readList(ctx)
		if err != nil {
			return err
		}
		s = &tables.Scanner{Text: r.whole.Text, At: r.whole.At}
	} else {
		line, err := in.nextLine(ctx)
		if err != nil {
			return r.endError(err)
		}
		r.first = slices.Clone(line)
		s.Text = r.first
	}
	if s.Peek() != '{' && r.whole != nil {
		return wrong("a list without names", `write names, in pandas by pandas.DataFrame(json.load(open(PATH)), `+
			`columns=["log_z"]).to_csv(NEW, index=False) for estimates, and else with the name of each variable`)
	}
	r.places = map[string]int{}
	err = s.Object(func(key []byte) error {
		name := string(key)
		if _, twice := r.places[name]; twice {
			return wrong("the name twice in an object", "keep one of them").in(name)
		}
		r.places[name] = len(t.names)
		t.names = append(t.names, name)
		return r.skipValue(s, name)
	})
	if err == nil && len(t.names) == 0 {
		err = wrong("an object without names", "write an object for each row, as in %s", oneObject)
	}
	if err != nil {
		return r.broken(s, err)
	}
	t.width = len(t.names)
	r.cells = make([]Cell, t.width)
	r.filled = make([]bool, t.width)
	return nil
}

// readList reads the whole of a list, and returns a scanner behind its opening bracket.
func (r *jsonRows) readList(ctx context.Context) (*tables.Scanner, error) {
	s := &tables.Scanner{}
	for {
		line, err := r.in.nextLine(ctx)
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, r.endError(err)
		}
		s.Text = append(append(s.Text, line...), '\n')
		if len(s.Text) > maxMemory {
			return nil, wrong(fmt.Sprintf("a list of more than %d bytes", maxMemory),
				"write an object on each line, without a list around them")
		}
	}
	return s, s.Expect('[')
}

// endError returns the error that ends the reading of lines.
func (r *jsonRows) endError(err error) error {
	if err == errLongLine {
		r.number = r.in.number
		return longLine()
	}
	return err
}

// skipValue passes over the value of a column.
func (r *jsonRows) skipValue(s *tables.Scanner, name string) error {
	if s.Peek() == '{' {
		return wrong("an object within an object", "write a number, a text or a list").in(name)
	}
	_, err := s.Cell()
	return err
}

// broken returns the fault of what is no object.
func (r *jsonRows) broken(s *tables.Scanner, err error) error {
	if !errors.Is(err, tables.ErrJSON) {
		return err
	}
	return wrong(fmt.Sprintf("text that is not an object in JSON from byte %d on, %s", s.At+1,
		Quoted(s.Text[min(s.At, len(s.Text)):])),
		"write an object for each row, as in %s", oneObject)
}

func (r *jsonRows) line() int { return r.number }

func (r *jsonRows) ready() bool {
	return r.first != nil || r.whole != nil || r.in.waiting == nil || r.in.ready()
}

func (r *jsonRows) binary(int) (p draws.Precision, is bool) { return p, false }

func (r *jsonRows) remarks() []string { return nil }

func (r *jsonRows) next(ctx context.Context) ([]Cell, error) {
	s, err := r.object(ctx)
	if err != nil {
		return nil, err
	}
	clear(r.filled)
	read := 0
	err = s.Object(func(key []byte) error {
		i, known := r.places[string(key)]
		switch {
		case !known:
			return wrong("a name that is not in the first object", "write the same names in every object").in(string(key))
		case r.filled[i]:
			return wrong("the name twice in an object", "keep one of them").in(string(key))
		}
		r.filled[i] = true
		read++
		if s.Peek() == '{' {
			return r.skipValue(s, string(key))
		}
		text, err := s.Cell()
		r.cells[i] = Cell{text: text}
		return err
	})
	if err == nil && r.whole == nil {
		err = s.End()
	}
	if err != nil {
		return nil, r.broken(s, err)
	}
	if read < len(r.places) {
		for name, i := range r.places {
			if !r.filled[i] {
				return nil, wrong("an object without it", "write the same names in every object").in(name)
			}
		}
	}
	return r.cells, nil
}

// object returns a scanner at the next object.
func (r *jsonRows) object(ctx context.Context) (*tables.Scanner, error) {
	if s := r.whole; s != nil {
		return s, r.element(s)
	}
	line := r.first
	r.first = nil
	for len(line) == 0 {
		var err error
		line, err = r.in.nextLine(ctx)
		if err != nil {
			return nil, r.endError(err)
		}
	}
	r.number = r.in.number
	return &tables.Scanner{Text: line}, nil
}

// element passes over the comma before an element of the list, and returns io.EOF after the last.
func (r *jsonRows) element(s *tables.Scanner) error {
	next := s.Peek()
	if r.number > 0 && next != ']' {
		if s.Expect(',') != nil {
			return r.broken(s, tables.ErrJSON)
		}
		next = s.Peek()
	}
	r.number = s.Line()
	if next != ']' {
		return nil
	}
	end := s.At
	s.At++
	if s.End() != nil {
		return r.broken(s, tables.ErrJSON)
	}
	s.At = end
	return io.EOF
}
