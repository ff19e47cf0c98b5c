package checks

import (
	"fmt"
	"strings"

	"breadboard/chains"
	"breadboard/experiments/papers"
	"breadboard/experiments/study/check"
	"breadboard/reports"
	"breadboard/reports/table"
)

// ReproduceReport returns the report of the claims of the papers. It has a Fault where a verdict is not the one that was seen when the claim
// was declared, or where there is none.
func ReproduceReport(rows []papers.Row) *reports.Report {
	r := reports.New("reproduce", table.New(papers.Columns(), rows))
	r.Note("%s", verdictCounts(rows))
	var differ []string
	for i := range rows {
		found := rows[i].Found()
		r.Checked = append(r.Checked, check.Case{About: rows[i].Says, Finding: found})
		if found.Verdict == check.Fault {
			r.Note("%s: %s", found.Name, found.Where)
			differ = append(differ, found.Name)
		}
	}
	if len(differ) > 0 {
		r.Fault = chains.NewFault(fmt.Errorf("%d of %d verdicts are not those that were seen when the claims were declared: %s", len(differ), len(rows), strings.Join(differ, ", ")))
	}
	return r
}

// verdictCounts says how many claims have each verdict.
func verdictCounts(rows []papers.Row) string {
	counts := map[papers.Verdict]int{}
	for i := range rows {
		counts[rows[i].Now]++
	}
	var parts []string
	for _, v := range papers.Verdicts() {
		if n := counts[v]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, v))
		}
	}
	if n := counts[""]; n > 0 {
		parts = append(parts, fmt.Sprintf("%d without a verdict", n))
	}
	claims := "claims"
	if len(rows) == 1 {
		claims = "claim"
	}
	return fmt.Sprintf("%d %s: %s", len(rows), claims, strings.Join(parts, ", "))
}
