package table

import (
	"slices"

	"breadboard/chains/selector"
)

// Select returns the table with the columns of these names, in this order, for a format. A column is named by its name for
// machines, or by its title or heading for people. For people it has its name as title where it has none of its own; for
// machines there are no columns without a name. It fails for a name that no column has.
func (t *Table) Select(f Format, names []string) (*Table, error) {
	out := &Table{Rows: make([][]any, len(t.Rows))}
	var places []int
	for _, name := range names {
		found := t.named(f, name)
		if len(found) == 0 {
			return nil, selector.UnknownError("column", name, t.choices(f))
		}
		for _, i := range found {
			if !slices.Contains(places, i) {
				places = append(places, i)
			}
		}
	}
	for _, i := range places {
		c := t.Columns[i]
		if c.Title == "" && !f.ForMachines() {
			c.Title = c.Name
		}
		c.Optional = false // it has been asked for
		c.Spare = Keep
		out.Columns = append(out.Columns, c)
		for j, row := range t.Rows {
			out.Rows[j] = append(out.Rows[j], row[i])
		}
	}
	return out, nil
}

// named returns the places of the columns of a name: that of this name for machines, and otherwise those with such a title.
func (t *Table) named(f Format, name string) (places []int) {
	for i, c := range t.Columns {
		if c.Name == name && name != "" {
			return []int{i}
		}
		if c.Name == "" && f.ForMachines() {
			continue
		}
		if name != "" && (c.Title == name || c.Heading() == name) {
			places = append(places, i)
		}
	}
	return places
}

// choices returns what columns are called, for a format.
func (t *Table) choices(f Format) (names []string) {
	for _, c := range t.Columns {
		switch {
		case c.Name != "":
			names = append(names, c.Name)
		case !f.ForMachines():
			names = append(names, c.Title)
		}
	}
	return names
}
