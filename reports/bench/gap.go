package bench

import (
	"context"

	"breadboard/experiments"
	"breadboard/experiments/gap"
	"breadboard/experiments/study"
	"breadboard/reports"
	"breadboard/reports/views/annealing"
)

// gapStudy is what each stage adds to B - J: the rows of the command gap.
func gapStudy() studyRoute {
	return studyRoute{name: "gap", weighed: gap.Study().Sweep, stagewise: true, plan: func(_ *Server, q *question) (*task, error) {
		compute := func(ctx context.Context) (*reports.Report, error) {
			rows, err := gap.Study().Run(ctx, []experiments.Case{q.subject}, study.NoOptions{}, study.How{Workers: 1})
			return reported(annealing.GapReport, rows, err)
		}
		return &task{rows: q.subject.Distributions(), compute: compute, command: "gap", program: program{
			imports: []string{"breadboard/experiments/gap", "breadboard/experiments/study", "breadboard/reports/table", "breadboard/reports/views/annealing"},
			run:     "gap.Study().Run(ctx, cases, study.NoOptions{}, study.How{})", print: printReport("annealing.GapReport(rows)"),
		}}, nil
	}}
}
