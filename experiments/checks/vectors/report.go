package vectors

import (
	"breadboard/chains/selector"
	"breadboard/reports"
	"breadboard/reports/table"
)

// VectorsReport returns the list of routines, and their files.
func VectorsReport(list []*Routine) *reports.Report {
	r := reports.New("vectors", Vectors(list))
	for _, v := range list {
		r.Add(reports.File{Name: v.Name + ".json", Content: func() ([]byte, error) { return v.JSON(), nil }})
	}
	return r
}

// Vectors returns the table of routines.
func Vectors(list []*Routine) *table.Table {
	rows := make([]Routine, len(list))
	for i, v := range list {
		rows[i] = *v
	}
	return table.New(routineColumns(), rows)
}

// ConformVectorsReport returns the report of answers to the cases of routines. It has a Fault if
// answers are wrong, or missing.
func ConformVectorsReport(source string, findings []Finding) *reports.Report {
	r := &reports.Report{}
	n := reports.AddFindings(r, "conform_vectors", source+", answers of "+selector.Count(len(findings), "routine"),
		Columns(), findings)
	r.Conclude(n, "answers are wrong; see the routines that say fault", "cases have no answer; a pass needs all")
	return r
}
