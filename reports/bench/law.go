package bench

import (
	"context"

	"breadboard/experiments"
	"breadboard/experiments/logweights"
	"breadboard/reports"
)

// lawStudy is the law of the log weight in both directions: the row of the command weights.
func lawStudy() study {
	return study{name: "law", slow: true, weighed: logweights.Study, run: func(ctx context.Context, s *Server, q *question) (*asked, error) {
		rows, err := logweights.Run(ctx, []experiments.Case{q.of}, logweights.Options{Workers: s.options.Workers})
		if err != nil {
			return nil, err
		}
		return &asked{report: reports.WeightsReport(rows, nil), command: "weights", program: program{
			imports: []string{"breadboard/experiments/logweights", "breadboard/reports", "breadboard/reports/table"},
			run:     "logweights.Run(ctx, cases, logweights.Options{})", print: printReport("reports.WeightsReport(rows, nil)"),
		}}, nil
	}}
}
