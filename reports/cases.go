package reports

import (
	"slices"

	"breadboard/experiments"
)

// CaseNotes adds notes that belong to a case.
func (r *Report) CaseNotes(c *experiments.Case, notes []string) {
	for _, n := range notes {
		r.Note("%s: %s", c, n)
	}
}

// NotesOnce adds lines as notes, each once.
func (r *Report) NotesOnce(lines []string) {
	said := map[string]bool{}
	for _, line := range lines {
		if !said[line] {
			said[line] = true
			r.Note("%s", line)
		}
	}
}

// ByCase splits rows into runs of consecutive rows that belong to one annealing.
func ByCase[R any](rows []R, of func(*R) *experiments.Case) (runs [][]R) {
	for i := range rows {
		if i == 0 || of(&rows[i]).Algorithm != of(&rows[i-1]).Algorithm {
			runs = append(runs, nil)
		}
		runs[len(runs)-1] = append(runs[len(runs)-1], rows[i])
	}
	return runs
}

// Grouped splits rows into those that have the same name, in the order in which the names first appear.
func Grouped[R any](rows []R, name func(*R) string) (groups [][]R) {
	var names []string
	for i := range rows {
		at := slices.Index(names, name(&rows[i]))
		if at < 0 {
			at = len(names)
			names, groups = append(names, name(&rows[i])), append(groups, nil)
		}
		groups[at] = append(groups[at], rows[i])
	}
	return groups
}

// Names returns the names that rows have, each once, in the order in which they first appear.
func Names[R any](rows []R, name func(*R) string) (names []string) {
	for _, group := range Grouped(rows, name) {
		names = append(names, name(&group[0]))
	}
	return names
}
