package table

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
