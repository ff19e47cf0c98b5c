package bench

import (
	"context"

	"breadboard/experiments"
	"breadboard/experiments/gap"
	"breadboard/reports"
)

// gapStudy is what each stage adds to B - J: the rows of the command gap.
func gapStudy() study {
	return study{name: "gap", weighed: gap.Study, stagewise: true, plan: func(_ *Server, q *question) (*asked, error) {
		compute := func(ctx context.Context) (*reports.Report, error) {
			rows, err := gap.Run(ctx, []experiments.Case{q.of}, gap.Options{Workers: 1})
			return reported(reports.GapReport, rows, err)
		}
		return &asked{rows: q.of.Distributions(), compute: compute, command: "gap", program: program{
			imports: []string{"breadboard/experiments/gap", "breadboard/reports", "breadboard/reports/table"},
			run:     "gap.Run(ctx, cases, gap.Options{})", print: printReport("reports.GapReport(rows)"),
		}}, nil
	}}
}
