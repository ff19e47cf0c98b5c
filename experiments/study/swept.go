package study

import (
	"context"
	"math"
	"slices"
	"sort"

	"breadboard/experiments/subject"
	"breadboard/reports/columns"
)

// Swept says how a study is swept, beyond its columns and options.
type Swept struct {
	Alone bool // sweeps alone ask the study, and no command
	// Parameters are those of the subjects. The options that are swept follow them.
	Parameters []subject.Parameter
	// Stored lists the names of the kept columns in their order in files. It is nil if that is the
	// order of the columns.
	Stored []string
	// Build makes the case of parameters; nil for a case of annealing.
	Build func(ctx context.Context, in subject.Reader, params subject.Params) ([]subject.Case, error)
	// Subject makes the subject of a case, as a slice of one.
	Subject func(ctx context.Context, c *subject.Case, params subject.Params) (on any, err error)
	// InCell marks options as those of one cell of many; nil if that makes no difference.
	InCell func(o any)
	// Note returns the caveats of a row, which may be empty. Its error says why a row is not a
	// result. See NoteOf.
	Note func(row any) (string, error)
	// Restore rebuilds a row from the stored numbers, to compute derived columns; nil if there are
	// none.
	Restore func(k StoredRow) (row any)
}

// NoteOf converts a function of rows to the type of Swept.Note.
func NoteOf[R any](of func(r *R) (string, error)) func(row any) (string, error) {
	return func(row any) (string, error) { return of(row.(*R)) }
}

// StoredRow is a stored result of a sweep, as read from the file.
type StoredRow struct {
	names  []string
	values []float64
}

// Get returns a number. It panics for a column that is not kept.
func (k StoredRow) Get(name string) float64 {
	i := slices.Index(k.names, name)
	if i < 0 {
		panic("study: no column " + name + " is kept")
	}
	return k.values[i]
}

// keptOf returns those of the columns that a sweep keeps.
func keptOf(list columns.List) (fields columns.List) {
	for _, f := range list {
		if f.Kept != nil {
			fields = append(fields, f)
		}
	}
	return fields
}

// order sorts the columns of a study as its files have them.
func order(study string, fields columns.List, stored []string) {
	place := func(i int) int {
		at := slices.Index(stored, fields[i].Name)
		if at < 0 {
			panic("study: the column " + fields[i].Name + " of " + study +
				" has no place among those that are stored")
		}
		return at
	}
	if stored != nil {
		sort.SliceStable(fields, func(i, k int) bool { return place(i) < place(k) })
	}
}

// Sweep returns the study as a question for sweeps; nil if it cannot be swept.
func (d *Declaration) Sweep() *subject.Question {
	w := d.Swept
	if w == nil {
		return nil
	}
	out := &subject.Question{
		Name:       d.Name,
		Parameters: slices.Clone(w.Parameters),
		Build:      w.Build,
		Cost:       d.Cost,
	}
	for _, o := range d.Options {
		if o.Swept != nil {
			out.Parameters = append(out.Parameters, *o.Swept)
		}
	}
	fields := keptOf(d.Columns)
	order(d.Name, fields, w.Stored)
	sweep(out, fields, w.Restore,
		func(ctx context.Context, c *subject.Case, params subject.Params) (row any, note string, err error) {
			rows, err := d.Rows(ctx, c, params, How{Workers: 1})
			if err != nil {
				return nil, "", err
			}
			_, at := columns.Rows(rows)
			row = at(0)
			note, err = w.Note(row)
			return row, subject.WithLeftOut(
				subject.WithLeftOut(note, columns.LostNote(fields, row)),
				columns.LeftOut(row),
			), err
		})
	return out
}

// sweep gives a study the values of its fields, and what solves a cell. The functions
// restore and solve return a pointer to a row.
func sweep(out *subject.Question, fields columns.List, restore func(StoredRow) any,
	solve func(ctx context.Context, c *subject.Case,
		params subject.Params) (row any, note string, err error)) {
	var stored columns.List
	var names []string
	for _, f := range fields {
		v := subject.Value{Column: *f.Column, Kept: *f.Kept}
		if f.Kept.Derived {
			v.Of = func(numbers []float64) float64 {
				return cellNumber(f.Of(restore(StoredRow{names, numbers})))
			}
		} else {
			stored, names = append(stored, f), append(names, f.Name)
		}
		out.Values = append(out.Values, v)
	}
	out.Solve = func(ctx context.Context, c *subject.Case, params subject.Params) (subject.Reply, error) {
		row, note, err := solve(ctx, c, params)
		if err != nil {
			return subject.Reply{}, err
		}
		numbers := make([]float64, len(stored))
		for i, f := range stored {
			numbers[i] = cellNumber(f.Of(row))
		}
		return subject.Reply{Numbers: numbers, Note: note}, nil
	}
}

// cellNumber returns the number in a cell: NaN for an empty one, and 1 or 0 for what is true or
// not.
func cellNumber(cell any) float64 {
	switch v := cell.(type) {
	case nil:
		return math.NaN()
	case float64:
		return v
	case int:
		return float64(v)
	case bool:
		if v {
			return 1
		}
		return 0
	case columns.Both:
		return cellNumber(v.Machine)
	}
	panic("study: a column that is kept holds no number")
}

// TheCase is the Subject of a study of cases of annealing.
func TheCase(_ context.Context, c *subject.Case, _ subject.Params) (any, error) {
	return []subject.Case{*c}, nil
}
