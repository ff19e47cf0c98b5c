package bench

import (
	"context"

	"breadboard/experiments"
	"breadboard/experiments/study"
	"breadboard/experiments/tightness"
	"breadboard/reports"
	"breadboard/reports/views/annealing"
)

// solveStudy is J, B and what belongs to them: the row of the command tightness.
func solveStudy() studyRoute {
	return studyRoute{name: "solve", first: true, weighed: tightness.Study().Sweep, undrawn: true, plan: func(_ *Server, q *question) (*task, error) {
		compute := func(ctx context.Context) (*reports.Report, error) {
			rows, err := tightness.Study().Run(ctx, []experiments.Case{q.subject}, tightness.Options{}, study.How{Workers: 1})
			return reported(annealing.TightnessReport, rows, err)
		}
		return &task{rows: 1, compute: compute, command: "tightness", program: program{
			imports: []string{"breadboard/experiments/study", "breadboard/experiments/tightness"},
			run:     "tightness.Study().Run(ctx, cases, tightness.Options{}, study.How{})",
			print:   "\tfor _, r := range rows {\n\t\tfmt.Printf(\"J = %v nats, B = %v nats\\n\", r.J, r.B)\n\t}\n",
		}}, nil
	}}
}
