package reports

import (
	"fmt"
	"math"
	"slices"

	"breadboard/experiments/columns"
	"breadboard/experiments/samplers/rank"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// SamplersOrderReport returns the report of orders of averages: for people a row for each comparison in the limit and one at the number of
// samples that is worst for it, for machines a row for every number. It has a Fault where a theorem is violated.
func SamplersOrderReport(result *rank.Result) *Report {
	r := &Report{Fault: result.Fault()}
	r.add(Table{Name: "samplers_order", Table: SamplersOrder(worstOrders(result.Rows)), Machines: SamplersOrder(result.Rows)})
	for _, check := range []rank.Check{rank.Peskun, rank.Thinning} {
		if slices.ContainsFunc(result.Rows, func(r rank.OrderRow) bool { return r.Check == check }) {
			r.add(Figure{Title: "Ratios of mean squared errors, check " + string(check), Missing: "no figure of " + string(check), Draw: func() (*figure.Figure, error) { return SamplersOrderFigure(check, result.Rows) }})
		}
	}
	for _, line := range orderSummary(result.Rows) {
		r.note("%s", line)
	}
	for _, line := range result.Omitted {
		r.note("%s", line)
	}
	return r
}

// SamplersOrder returns the table of comparisons.
func SamplersOrder(rows []rank.OrderRow) *table.Table { return table.New(orderFields(), rows) }

func orderFields() []table.Field[rank.OrderRow] {
	return []table.Field[rank.OrderRow]{
		{Column: table.Column{Name: "toy", Type: table.String, Title: "toy", Meaning: columns.MeansRows}, Of: func(r *rank.OrderRow) any { return r.Comparison.First.Toy.Name }},
		{Column: table.Column{Name: "check", Type: table.String, Title: "check", Meaning: "the order that is checked: peskun, lazy or thinning"}, Of: func(r *rank.OrderRow) any { return string(r.Check) }},
		{Column: table.Column{Name: "kernel_1", Type: table.String, Title: "kernel 1", Meaning: "the kernel that a theorem says is at least as good"}, Of: func(r *rank.OrderRow) any { return r.Comparison.First.Kernel }},
		{Column: table.Column{Name: "kernel_2", Type: table.String, Title: "kernel 2", Meaning: "the kernel that it is compared with"}, Of: func(r *rank.OrderRow) any { return r.Comparison.Second.Kernel }},
		{Column: table.Column{Name: "function", Type: table.String, Title: "function", Meaning: "the function of the state whose mean is estimated"}, Of: func(r *rank.OrderRow) any { return r.Function.Name }},
		{Column: table.Column{Name: "N", Type: table.Float, Title: "N", Meaning: "the number of samples, of those that are kept where some are dropped; +Inf in the limit of many"}, Of: orderN},
		{Column: table.Column{Name: "error_1", Type: table.Float, Title: "error 1", Meaning: "the mean squared error under the first kernel, in units of the variance of the function; in the limit N times it"}, Of: func(r *rank.OrderRow) any { return r.First }},
		{Column: table.Column{Name: "error_2", Type: table.Float, Title: "error 2", Meaning: "the same under the second kernel"}, Of: func(r *rank.OrderRow) any { return r.Second }},
		{Column: table.Column{Name: "ratio", Type: table.Float, Title: "ratio", Digits: 10, Meaning: "error_1 over error_2, which a theorem says is at most 1; 1 where both are zero"}, Of: func(r *rank.OrderRow) any { return r.Ratio }},
		{Column: table.Column{Name: "rounding", Type: table.Float, Meaning: "about how far rounding may have moved ratio, relatively"}, Of: func(r *rank.OrderRow) any { return r.Rounding }},
		{Column: table.Column{Name: "verdict", Type: table.String, Spare: table.Keep, Title: "verdict", Meaning: "holds; fails at finite N, which is no fault; fault where a theorem is violated; or unknown where there is no limit"}, Of: func(r *rank.OrderRow) any { return string(r.Verdict) }},
		{Column: table.Column{Name: "note", Type: table.String, Prose: true, Title: "note", Meaning: columns.MeansNote}, Of: func(r *rank.OrderRow) any { return r.Note }},
	}
}

// orderN returns the number of samples of a row, which is infinite in the limit.
func orderN(r *rank.OrderRow) any {
	if r.Limit() {
		return math.Inf(1)
	}
	return table.Both{Machine: float64(r.N), People: int(r.N)}
}

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
