package reproduce

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"breadboard/chains"
	"breadboard/chains/selector"
	"breadboard/reports"
	"breadboard/reports/check"
	"breadboard/reports/table"
)

// Report returns the report of the claims of the papers. It has a Fault if a verdict is
// not the one recorded with the claim, or if there is none.
func Report(rows []Row) *reports.Report {
	summary := verdictCounts(rows) + "\n"
	if len(rows) > manyClaims {
		summary += claimsByVerdict(rows)
	}
	r := &reports.Report{}
	r.Add(reports.Table{
		Name:    "reproduce",
		Table:   table.New(Columns(), rows),
		Summary: func(func(string) string) string { return summary },
	})
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
		r.Fault = chains.NewFault(
			fmt.Errorf("%d of %d verdicts are not those that were seen when the claims were declared: %s",
				len(differ), len(rows),
				strings.Join(differ, ", ")),
		)
	}
	return r
}

// manyClaims is how many claims are too many to look through without a list of them by their
// verdicts.
const manyClaims = 10

// claimsByVerdict has a paragraph for each verdict, with the claims that have it.
func claimsByVerdict(rows []Row) string {
	var b strings.Builder
	for _, v := range append(Verdicts(), "") {
		var claims []string
		for from := 0; from < len(rows); from++ {
			to := from
			for to < len(rows) && rows[to].Now == v && (to == from || follows(rows[to-1].ID, rows[to].ID)) {
				to++
			}
			switch to - from {
			case 0:
				continue
			case 1:
				claims = append(claims, rows[from].ID)
			default:
				claims = append(claims, rows[from].ID+" to "+rows[to-1].ID)
			}
			from = to - 1
		}
		if claims != nil {
			fmt.Fprintf(&b, "%s: %s\n", cmp.Or(string(v), "without a verdict"), strings.Join(claims, ", "))
		}
	}
	return b.String() + "\n"
}

// follows reports whether a claim is the next one of the same paper.
func follows(claim, next string) bool {
	paper, number, _ := strings.Cut(claim, "-")
	n, err := strconv.Atoi(number)
	return err == nil && next == fmt.Sprintf("%s-%d", paper, n+1)
}

// verdictCounts says how many claims have each verdict.
func verdictCounts(rows []Row) string {
	counts := map[Verdict]int{}
	for i := range rows {
		counts[rows[i].Now]++
	}
	var parts []string
	for _, v := range Verdicts() {
		if n := counts[v]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, v))
		}
	}
	if n := counts[""]; n > 0 {
		parts = append(parts, fmt.Sprintf("%d without a verdict", n))
	}
	return selector.Count(len(rows), "claim") + ": " + strings.Join(parts, ", ")
}
