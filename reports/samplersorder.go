package reports

import (
	"fmt"
	"slices"

	"breadboard/experiments/samplers/rank"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// SamplersOrderReport returns the report of orders of averages: for people a row for each comparison in the limit and one at the number of
// samples that is worst for it, for machines a row for every number. It has a Fault where a theorem is violated. Kernels that no theorem puts
// in an order are in its notes.
func SamplersOrderReport(all []rank.OrderRow) *Report {
	var rows []rank.OrderRow
	var omitted []string
	for _, r := range all {
		if r.Verdict == rank.NoOrder {
			omitted = append(omitted, fmt.Sprintf("toy %s: %s and %s are not in Peskun's order: %s", r.Comparison.First.Toy.Name, r.Comparison.First.Kernel, r.Comparison.Second.Kernel, r.Note))
		} else {
			rows = append(rows, r)
		}
	}
	r := &Report{Fault: rank.Fault(rows)}
	r.add(Table{Name: "samplers_order", Table: SamplersOrder(worstOrders(rows)), Machines: SamplersOrder(rows)})
	for _, check := range []rank.Check{rank.Peskun, rank.Thinning} {
		if slices.ContainsFunc(rows, func(r rank.OrderRow) bool { return r.Check == check }) {
			r.add(Figure{Title: "Ratios of mean squared errors, check " + string(check), Missing: "no figure of " + string(check), Draw: func() (*figure.Figure, error) { return SamplersOrderFigure(check, rows) }})
		}
	}
	for _, line := range append(orderSummary(rows), omitted...) {
		r.note("%s", line)
	}
	return r
}

// SamplersOrder returns the table of comparisons.
func SamplersOrder(rows []rank.OrderRow) *table.Table { return table.New(rank.Order().Columns, rows) }

// comparisonsOf splits rows into those of each comparison.
func comparisonsOf(rows []rank.OrderRow) (groups [][]rank.OrderRow) {
	for begin := 0; begin < len(rows); {
		end := begin
		for end < len(rows) && rows[end].Comparison == rows[begin].Comparison {
			end++
		}
		groups, begin = append(groups, rows[begin:end]), end
	}
	return groups
}

// worstOrder returns the row with a number of samples that has the largest ratio, the first of them, and nil where there is none. One
// sample has the same error under every kernel, and is passed over where there are other numbers.
func worstOrder(rows []rank.OrderRow) (worst *rank.OrderRow) {
	for i := range rows {
		r := &rows[i]
		if !r.Limit() && (worst == nil || r.Ratio > worst.Ratio || worst.N == 1 && r.Check == rank.Peskun) {
			worst = r
		}
	}
	return worst
}

// worstOrders returns of each comparison the limit, the worst number of samples, and whatever violates a theorem.
func worstOrders(rows []rank.OrderRow) (out []rank.OrderRow) {
	for _, group := range comparisonsOf(rows) {
		worst := worstOrder(group)
		for i := range group {
			if r := &group[i]; r.Limit() || r == worst || r.Verdict == rank.Faulty {
				out = append(out, *r)
			}
		}
	}
	return out
}

// orderSummary says in a line for each check how many comparisons hold, and where Peskun's order fails.
func orderSummary(rows []rank.OrderRow) (lines []string) {
	for _, check := range []rank.Check{rank.Peskun, rank.Lazy, rank.Thinning} {
		comparisons, failing, faulty, unknown, least, most := 0, 0, 0, 0, int64(0), int64(0)
		for _, group := range comparisonsOf(rows) {
			if group[0].Check != check {
				continue
			}
			comparisons++
			fails := false
			for i := range group {
				switch r := &group[i]; r.Verdict {
				case rank.Faulty:
					faulty++
				case rank.Unknown:
					unknown++
				case rank.Fails:
					fails = true
					if least == 0 || r.N < least {
						least = r.N
					}
					most = max(most, r.N)
				}
			}
			if fails {
				failing++
			}
		}
		switch {
		case comparisons == 0:
			continue
		case faulty > 0:
			lines = append(lines, fmt.Sprintf("%s: %s, %s against a theorem", check, counted(comparisons, "comparison"), counted(faulty, "row")))
		case failing > 0:
			hold, fail := "hold", "fail"
			if comparisons-unknown == 1 {
				hold = "holds"
			}
			if failing == 1 {
				fail = "fails"
			}
			lines = append(lines, fmt.Sprintf("%s: %s %s in the limit; %d of them %s at %s, which is no fault, as the theorem is one of limits%s",
				check, counted(comparisons-unknown, "comparison"), hold, failing, fail, samplesFrom(least, most), withoutLimit(unknown)))
		default:
			lines = append(lines, fmt.Sprintf("%s: %s, no fault found%s", check, counted(comparisons, "comparison"), withoutLimit(unknown)))
		}
	}
	return lines
}

// samplesFrom names the numbers of samples from the least to the most.
func samplesFrom(least, most int64) string {
	if least == most {
		return fmt.Sprintf("N = %d", least)
	}
	return fmt.Sprintf("numbers of samples from %d to %d", least, most)
}

// withoutLimit says how many comparisons have a reducible kernel, so that there is nothing to compare in the limit.
func withoutLimit(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("; %d without a limit, as a kernel is reducible", n)
}
