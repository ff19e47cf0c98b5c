package check

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"breadboard/experiments/columns"
)

// Reporter receives the report on planted bugs; *testing.T is one.
type Reporter interface {
	Helper()
	Logf(format string, args ...any)
	Errorf(format string, args ...any)
}

// ReportPlanted logs the table of planted bugs, and on a last line how many of them a check has
// found. It reports an error for each misjudged mutant, unless it is marked Open: that many draws
// cannot find it.
func ReportPlanted[R Result](t Reporter, fields columns.List, judged []Judgement[R]) {
	t.Helper()
	var text strings.Builder
	lines := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	row := func(cell func(f *columns.Field) any) {
		for i := range fields {
			fmt.Fprintf(lines, "%v", cell(&fields[i]))
			if i < len(fields)-1 {
				fmt.Fprint(lines, "\t")
			}
		}
		fmt.Fprintln(lines)
	}
	row(func(f *columns.Field) any { return f.Name })
	bugs, found := 0, 0
	for i := range judged {
		j := &judged[i]
		row(func(f *columns.Field) any { return f.Of(j) })
		if !j.Harmless {
			bugs++
			if j.Caught {
				found++
			}
		}
		if !j.Right() && j.Worst.Found().Verdict != Open {
			t.Errorf("%s, %s: %s", j.Mutant, j.Setting, j.Found().Where)
		}
	}
	lines.Flush()
	t.Logf("\n%s%d of %d planted bugs found", &text, found, bugs)
}
