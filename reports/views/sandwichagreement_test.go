package views

import (
	"strings"
	"testing"

	"breadboard/experiments"
	"breadboard/experiments/evidence"
	"breadboard/experiments/study/check"
	"breadboard/grid/longtest"
	"breadboard/reports/internal/reporttest"
	"breadboard/reports/table"
	"breadboard/reports/views/checks"
	"breadboard/toys"
)

// TestSandwichAgreementSummary: the summary counts all findings and has the worst verdict, and behind it stand those that do not pass.
func TestSandwichAgreementSummary(t *testing.T) {
	toy := longtest.Must(toys.Parse("bin4"))(t)
	find := func(name string, value float64, v check.Verdict) evidence.Finding {
		return evidence.Finding{Case: experiments.Case{Toy: toy}, Estimator: "ais", Settings: "T=3", Finding: check.Finding{Name: name, Value: value, Tolerance: 100, Verdict: v}}
	}
	findings := []evidence.Finding{find("levels_e_value", 1, check.Pass), find("mean_e_value", 25, check.Pass)}
	for _, c := range []struct {
		more  []evidence.Finding
		want  string
		shown string
	}{
		{nil, "pass: samplers at full size and their exact laws: 2 pass, 0 fault, 0 open\n", ""},
		{[]evidence.Finding{find("a", 0, check.Open)}, "open: samplers at full size and their exact laws: 2 pass, 0 fault, 1 open", "a"},
		{[]evidence.Finding{find("a", 0, check.Open), find("b", 200, check.Fault)}, "fault: samplers at full size and their exact laws: 2 pass, 1 fault, 1 open", "a b"},
	} {
		r := checks.SandwichAgreementReport(append(findings[:2:2], c.more...))
		shown := r.Tables()[0]
		var names []string
		for _, row := range shown.Brief.Rows {
			for i, column := range shown.Brief.Columns {
				if column.Name == "finding" {
					names = append(names, row[i].(string))
				}
			}
		}
		if got := shown.Summary(func(v string) string { return v }); !strings.HasPrefix(got, c.want) || strings.Join(names, " ") != c.shown {
			t.Errorf("%s, and behind it %q; want %s and %q", got, names, c.want, c.shown)
		}
		if all := strings.Count(reporttest.Write(t, shown.Table, table.CSV), "\n"); all != 1+2+len(c.more) || (r.Fault != nil) != strings.HasPrefix(c.want, "fault") {
			t.Errorf("%d lines, fault %v", all, r.Fault)
		}
	}
}
