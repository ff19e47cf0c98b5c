package reports

import "breadboard/experiments"

// caseNotes adds notes that belong to a case.
func (r *Report) caseNotes(c *experiments.Case, notes []string) {
	for _, n := range notes {
		r.note("%s: %s", c, n)
	}
}

// byCase splits rows into runs of consecutive rows that belong to one annealing.
func byCase[R any](rows []R, of func(*R) *experiments.Case) (runs [][]R) {
	for i := range rows {
		if i == 0 || of(&rows[i]).Algorithm != of(&rows[i-1]).Algorithm {
			runs = append(runs, nil)
		}
		runs[len(runs)-1] = append(runs[len(runs)-1], rows[i])
	}
	return runs
}
