package study

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains"
	"breadboard/chains/selector"
	"breadboard/reports"
	"breadboard/reports/columns"
	"breadboard/reports/table"
)

// UntilColumns are the additional columns of a table of a search for sizes.
func UntilColumns() []table.Column {
	return []table.Column{
		{
			Name:    "met",
			Type:    table.Bool,
			Meaning: "where a size is looked for, whether this row meets the limit",
		},
		{Name: "tried", Type: table.String,
			Meaning: "the same, the sizes that were computed, of which the row has the smallest that " +
				"meets the limit, or else the largest; between them nothing is known"},
	}
}

// ReportUntil adds to a report how each search for a size ended. The report has a Fault, as a
// failed check has, if a row has no size that meets the goal.
func (s *Declaration) ReportUntil(r *reports.Report, g Goal, rows any, found []SearchResult) {
	for _, t := range r.Tables() {
		content := t.In(table.CSV)
		if n := len(content.Rows); t.Place == reports.AmongResults && n > 0 && n%len(found) == 0 {
			content.Columns = slices.Concat(content.Columns, UntilColumns())
			for i, row := range content.Rows { // a study may have several rows for each
				f := &found[i*len(found)/n]
				content.Rows[i] = slices.Concat(row, []any{f.Met, sizes(f.Tried)})
			}
		}
	}
	names := s.subjectNames(rows)
	missed := 0
	for i := range found {
		f := &found[i]
		if f.Met {
			r.Note("%s%s", names[i], s.untilText(g, f))
		} else {
			missed++
			r.Note("%s%s is still %s at %s = %d, and %s is not met; %w", names[i], g.Column, valueText(f),
				s.Size.Name(), f.Size, g, f.Why)
		}
	}
	if missed > 0 && r.Fault == nil {
		r.Fault = chains.NewFault(fmt.Errorf("%s is not met in %s", g, selector.Count(missed, "row")))
	}
}

func valueText(f *SearchResult) string {
	if math.IsNaN(f.Value) {
		return "empty"
	}
	return fmt.Sprintf("%.6g", f.Value)
}

// untilText says of a size that meets the goal how it was found.
func (s *Declaration) untilText(g Goal, f *SearchResult) string {
	size := s.Size.Name()
	text := fmt.Sprintf("%s = %d is where %s = %s meets %s", size, f.Size, g.Column, valueText(f),
		strconv.FormatFloat(g.Number, 'g', -1, 64))
	if !math.IsNaN(f.Below) {
		text += fmt.Sprintf("; at %s = %d it is %.6g", size, f.Tried[slices.Index(f.Tried, f.Size)-1], f.Below)
	}
	if f.Least {
		return text + "; no smaller one does"
	}
	return text + "; of the sizes that were computed (column tried) it is the smallest"
}

// sizes writes sizes in order, such as 2-16, 32, 64.
func sizes(list []int64) string {
	var parts []string
	for i := 0; i < len(list); {
		k := i
		for k+1 < len(list) && list[k+1] == list[k]+1 {
			k++
		}
		part := strconv.FormatInt(list[i], 10)
		if k > i {
			part += "-" + strconv.FormatInt(list[k], 10)
		}
		parts = append(parts, part)
		i = k + 1
	}
	return strings.Join(parts, ", ")
}

// subjectNames returns what tells rows from one another, apart from the size: the toy, and the
// settings in front of the first answer that are not the same in all of them.
func (s *Declaration) subjectNames(rows any) []string {
	n, row := columns.Rows(rows)
	parts := make([][]string, n)
	if !slices.ContainsFunc(s.Columns, func(f columns.Field) bool { return f.Name == "toy" }) {
		for i := range parts {
			if r, has := row(i).(interface{ Param(name string) string }); has {
				parts[i] = []string{"toy " + r.Param("toy")}
			}
		}
	}
	for _, f := range s.Columns {
		if f.Column.Answer {
			break
		}
		setting := f.Type == columns.String || slices.ContainsFunc(
			s.Options,
			func(o Option) bool { return o.Name == f.Name && o.Name != s.Size.Option },
		)
		if !setting || f.Name == "note" {
			continue
		}
		cells := make([]string, n)
		several := false
		for i := range cells {
			cells[i] = table.People(f.Of(row(i)), 0)
			several = several || cells[i] != cells[0]
		}
		for i, cell := range cells {
			if several || f.Name == "toy" {
				parts[i] = append(parts[i], f.Name+" "+cell)
			}
		}
	}
	names := make([]string, len(parts))
	for i, p := range parts {
		names[i] = strings.Join(p, ", ")
		if names[i] != "" {
			names[i] += ": "
		}
	}
	return names
}
