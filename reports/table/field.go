package table

// Field is a column together with the function Of, which returns the cell of a row in this column. A list of fields is all
// that a table needs to know about a type of rows, and each column is one line of this list.
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

// Lift turns fields of a part into fields of rows that contain such a part. The cells are nil where part returns nil, since
// the row then has no such part.
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

// Titled returns the fields, and gives those whose names are listed their name as title, so that people see these columns
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
