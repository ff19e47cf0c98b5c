package checks

import (
	"breadboard/chains/selector"
	"breadboard/experiments/checks/vectors"
	"breadboard/reports"
	"breadboard/reports/table"
)

// VectorsReport returns the list of routines, and their files.
func VectorsReport(list []*vectors.Routine) *reports.Report {
	r := reports.New("vectors", Vectors(list))
	for _, v := range list {
		r.Add(reports.File{Name: v.Name + ".json", Content: func() ([]byte, error) { return v.JSON(), nil }})
	}
	return r
}

// Vectors returns the table of routines.
func Vectors(list []*vectors.Routine) *table.Table {
	rows := make([]vectors.Routine, len(list))
	for i, v := range list {
		rows[i] = *v
	}
	return table.New(vectors.RoutineColumns(), rows)
}

// ConformVectorsReport returns the report of answers to the cases of routines. It has a Fault if
// answers are wrong, or missing.
func ConformVectorsReport(source string, findings []vectors.Finding) *reports.Report {
	r := &reports.Report{}
	n := addFindings(r, "conform_vectors", source+", answers of "+selector.Count(len(findings), "routine"),
		vectors.Columns(), findings)
	conclude(r, n, "answers are wrong; see the routines that say fault", "cases have no answer; a pass needs all")
	return r
}
