package table

// Field is a column together with what stands in it: Of takes the cell from a row. A list of fields is all that a table
// needs to know of a type of rows, and a column is one line of it.
type Field[R any] struct {
	Column
	Of func(*R) any
}

// New returns the table that has a column for each field and a row for each element of rows.
func New[R any](fields []Field[R], rows []R) *Table {
	t := &Table{}
	for _, f := range fields {
		t.Columns = append(t.Columns, f.Column)
	}
	for i := range rows {
		cells := make([]any, len(fields))
		for k, f := range fields {
			cells[k] = f.Of(&rows[i])
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}

// Lift returns the fields of a part for rows that contain it. The cells are nil where a row has no such part, that is
// where part returns nil.
func Lift[R, P any](fields []Field[P], part func(*R) *P) []Field[R] {
	out := make([]Field[R], len(fields))
	for i, f := range fields {
		out[i] = Field[R]{Column: f.Column, Of: func(r *R) any {
			p := part(r)
			if p == nil {
				return nil
			}
			return f.Of(p)
		}}
	}
	return out
}

// Titled returns the fields with their names as titles where those names are listed, so that people see these columns
// too.
func Titled[R any](fields []Field[R], names ...string) []Field[R] {
	out := append([]Field[R](nil), fields...)
	for i := range out {
		for _, name := range names {
			if out[i].Name == name {
				out[i].Title = name
			}
		}
	}
	return out
}
