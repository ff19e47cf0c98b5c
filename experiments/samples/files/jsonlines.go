package files

import (
	"context"
	"errors"
	"io"
	"slices"
)

// jsonRows reads rows of JSON Lines, with an object a line.
type jsonRows struct {
	textRows
	fields map[string]int // the number of each key's column
	seen   []int          // the row, counted from 1, in which each column was last
	extra  map[string]bool
}

// maxExtra is the most names of columns that only later rows have, and that are listed as ignored.
const maxExtra = 1000

// openJSON reads the first row and takes the names of the columns from it.
func openJSON(ctx context.Context, name string, in *lines, o Options) (*jsonRows, *layout, error) {
	r := &jsonRows{textRows: textRows{name: name, in: in}, fields: map[string]int{}, extra: map[string]bool{}}
	if err := checkText(ctx, name, in); err != nil {
		return nil, nil, err
	}
	line, number, err := r.next(ctx)
	if err == io.EOF {
		return nil, nil, noRows().at(name, -1, 0)
	}
	if err != nil {
		return nil, nil, err
	}
	names, bad := names(line)
	var l *layout
	if bad == nil {
		l, bad = namedLayout("objects with the names ", names, o)
	}
	if bad != nil {
		return nil, nil, bad.at(name, 0, number)
	}
	for i, f := range names {
		r.fields[f] = i
	}
	r.seen, r.begun = make([]int, len(names)), true
	r.keep(line)
	return r, l, nil
}

func names(line []byte) ([]string, *fault) {
	s := &scanner{b: line}
	switch s.peek() {
	case '[':
		return nil, &fault{found: "a JSON array", want: "write JSON Lines: an object on each line, without brackets around all of them and without commas between them"}
	case '{':
	default:
		return nil, noObject(line, 0)
	}
	var names []string
	seen := map[string]bool{}
	twice := ""
	err := s.object(func(key []byte) error {
		if k := string(key); seen[k] {
			twice = k
		} else {
			names = append(names, k)
			seen[k] = true
		}
		return s.skip(0)
	})
	if err != nil || s.peek() != 0 || s.at < len(s.b) {
		return nil, noObject(line, s.at)
	}
	if seen[twice] && twice != "" {
		return nil, &fault{column: twice, found: "the name twice in an object", want: "keep one of them"}
	}
	return names, nil
}

func (r *jsonRows) decode(ctx context.Context, t *table, limit int) (int, error) {
	return r.textRows.decode(ctx, limit, r.next, func(line []byte, row int) *fault { return r.row(line, t, row) })
}

// row puts the values of an object into a row of the table.
func (r *jsonRows) row(line []byte, t *table, row int) *fault {
	s := &scanner{b: line}
	if s.peek() != '{' {
		return noObject(line, 0)
	}
	stamp, found := r.rows+1, 0
	err := s.object(func(key []byte) error {
		i, ok := r.fields[string(key)]
		if !ok {
			return r.unknown(s, t, string(key))
		}
		f := &t.layout.fields[i]
		if r.seen[i] == stamp {
			return (&fault{found: "the name twice in an object", want: "keep one of them"}).in(f.name)
		}
		r.seen[i] = stamp
		found++
		if !f.used {
			return s.skip(0)
		}
		return t.setJSON(s, f, row)
	})
	var wrong *fault
	switch {
	case errors.As(err, &wrong):
		return wrong
	case err != nil || s.peek() != 0 || s.at < len(s.b):
		return noObject(line, s.at)
	case found < len(r.seen):
		if bad := r.missing(t, stamp); bad != nil {
			return bad
		}
	}
	return t.checkEnds(row)
}

// missing returns the fault of a row without a column that is used, and nil where there is none.
func (r *jsonRows) missing(t *table, stamp int) *fault {
	for i := range t.layout.fields {
		if f := &t.layout.fields[i]; f.used && r.seen[i] != stamp {
			return (&fault{found: "an object without it", want: "write the same names in every object"}).in(f.name)
		}
	}
	return nil
}

// unknown passes over a value whose name the first row does not have. A name that would be of use is an error.
func (r *jsonRows) unknown(s *scanner, t *table, name string) error {
	if _, known := parseName(name); known {
		return (&fault{found: "a name that the first object does not have", want: "write the same names in every object"}).in(name)
	}
	if !r.extra[name] && len(r.extra) < maxExtra && !slices.Contains(t.layout.ignored, name) {
		r.extra[name] = true
		t.layout.ignored = append(t.layout.ignored, name)
	}
	return s.skip(0)
}
