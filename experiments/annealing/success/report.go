package success

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"breadboard/reports"
	"breadboard/reports/table"
)

// mostProblems is the largest number of problems for each of which a line stands above the table.
const mostProblems = 5

// attained returns a line for each problem: its best value, and how many states have it. It is
// empty if there are many problems, or if the rows of one have several values.
func attained(rows []Row) string {
	var lines []string
	of := map[string]string{}
	for i := range rows {
		r := &rows[i]
		toy := r.Param("toy")
		line := fmt.Sprintf("%s: best log f %s", toy, table.People(r.Level, 0))
		if e := r.InFile(); e != nil {
			line = fmt.Sprintf("%s (%s): best %s %s", toy, e.About(), e.Value(), table.People(r.Energy, 0))
		}
		if !math.IsNaN(r.States) {
			line += fmt.Sprintf(", attained by %s of %s states",
				table.People(r.States, 0), table.People(r.AllStates(), 0))
		}
		if other, there := of[toy]; !there {
			of[toy], lines = line, append(lines, line)
		} else if other != line {
			return ""
		}
	}
	if len(lines) > mostProblems {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}

// report returns the report of annealing as an optimiser, with notes on how optima are
// known.
func report(rows []Row) *reports.Report {
	fields := columnsOf(rows)
	best := attained(rows)
	result := reports.Table{Name: "success"}
	other := slices.ContainsFunc(
		rows,
		func(r Row) bool { e := r.InFile(); return e == nil || e.Value() != "cut" },
	)
	for i, f := range fields {
		if f.Name == "energy" && !other {
			fields[i] = f.Titled("cut")
		}
	}
	if best != "" {
		result.Summary = func(func(string) string) string { return best }
	}
	result.Table = table.New(fields, rows)
	r := &reports.Report{}
	r.Add(result)
	var notes []string
	for i := range rows {
		for _, note := range rows[i].Notes() {
			notes = append(notes, rows[i].Param("toy")+": "+note)
		}
	}
	r.NotesOnce(notes)
	return r
}
