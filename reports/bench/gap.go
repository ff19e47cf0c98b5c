package bench

import (
	"context"

	"breadboard/experiments"
	"breadboard/experiments/gap"
	"breadboard/reports"
)

// gapStudy is what each stage adds to B - J: the rows of the command gap.
func gapStudy() study {
	return study{name: "gap", weighed: gap.Study, stagewise: true, run: func(ctx context.Context, _ *Server, q *question) (*asked, error) {
		rows, err := gap.Run(ctx, []experiments.Case{q.of}, gap.Options{Workers: 1})
		if err != nil {
			return nil, err
		}
		return &asked{report: reports.GapReport(rows), command: "gap", program: program{
			imports: []string{"breadboard/experiments/gap", "breadboard/reports", "breadboard/reports/table"},
			run:     "gap.Run(ctx, cases, gap.Options{})", print: printReport("reports.GapReport(rows)"),
		}}, nil
	}}
}
