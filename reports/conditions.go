package reports

import (
	"errors"
	"fmt"
	"slices"

	"breadboard/chains"
	"breadboard/chains/selector"
	"breadboard/reports/table"
)

// Require checks conditions on every row of the tables, apart from those among the messages; each condition is about the first table that has
// its column. For a row that violates one it adds a note naming the row, and sets Fault, unless that is set, to a chains.Fault. It returns an
// error, and changes nothing, where no table has a column of numbers with the name in a condition.
func (r *Report) Require(conditions []table.Condition) error {
	var tables []*table.Table
	var names []string
	for _, t := range r.Tables() {
		if t.Place == AmongMessages {
			continue
		}
		content := t.In(table.CSV)
		tables, names = append(tables, content), append(names, content.Subjects()...)
	}
	if len(tables) == 0 {
		return errors.New("there is no table whose rows could hold conditions")
	}
	var failing []string
	for _, c := range conditions {
		i := slices.IndexFunc(tables, func(t *table.Table) bool { return slices.Contains(t.Subjects(), c.Column) })
		if i < 0 {
			if len(names) == 0 {
				return fmt.Errorf("condition %s: no table here has a column of numbers", c)
			}
			slices.Sort(names)
			return fmt.Errorf("condition %s: %w", c, selector.UnknownError("column", c.Column, slices.Compact(names)))
		}
		lines, err := tables[i].Failing(c)
		if err != nil {
			return err
		}
		failing = append(failing, lines...)
	}
	for _, line := range failing {
		r.Note("%s", line)
	}
	if len(failing) > 0 && r.Fault == nil {
		r.Fault = chains.NewFault(fmt.Errorf("%s; see above", doNotHold(len(failing))))
	}
	return nil
}

func doNotHold(n int) string {
	if n == 1 {
		return "a condition does not hold"
	}
	return fmt.Sprintf("conditions do not hold in %d places", n)
}
