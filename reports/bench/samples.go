package bench

import (
	"context"
	"fmt"
	"strings"

	"breadboard/exact/weights"
	"breadboard/experiments"
	"breadboard/experiments/logweights"
	"breadboard/reports"
)

// mostSampleCounts is the largest number of sample counts of one answer.
const mostSampleCounts = 20

// samplesStudy is the bounds of K samples: the rows of the command weights with the flag samples.
func samplesStudy() studyRoute {
	return studyRoute{name: "samples", more: []string{"samples"}, slow: true, weighed: logweights.SamplesStudy, plan: func(_ *Server, q *question) (*asked, error) {
		ks, err := q.wholes("samples", 1, weights.MaxSamples, mostSampleCounts)
		if err != nil {
			return nil, err
		}
		if ks == nil {
			ks = []int{1, 10, 100, 1000}
		}
		compute := func(ctx context.Context) (*reports.Report, error) {
			rows, err := logweights.RunSamples(ctx, []experiments.Case{q.of}, ks, logweights.SampleOptions{Workers: 1})
			return reported(reports.SamplesReport, rows, err)
		}
		return &asked{rows: len(ks), compute: compute, command: "weights", options: experiments.Params{{Name: "samples", Value: joined(ks)}}, program: program{
			imports: []string{"breadboard/experiments/logweights", "breadboard/reports", "breadboard/reports/table"},
			run:     fmt.Sprintf("logweights.RunSamples(ctx, cases, []int{%s}, logweights.SampleOptions{})", strings.ReplaceAll(joined(ks), ",", ", ")),
			print:   printReport("reports.SamplesReport(rows)"),
		}}, nil
	}}
}
