package bench

import (
	"context"
	"fmt"
	"strings"

	"breadboard/exact/weights"
	"breadboard/experiments"
	"breadboard/experiments/logweights"
	"breadboard/experiments/study"
	"breadboard/reports"
	"breadboard/reports/views/annealing"
)

// mostSampleCounts is the largest number of sample counts of one answer.
const mostSampleCounts = 20

// samplesStudy is the bounds of K samples: the rows of the command weights with the flag samples.
func samplesStudy() studyRoute {
	return studyRoute{name: "samples", more: []string{"samples"}, slow: true, weighed: logweights.Samples().Sweep, plan: func(_ *Server, q *question) (*task, error) {
		ks, err := q.wholes("samples", 1, weights.MaxSamples, mostSampleCounts)
		if err != nil {
			return nil, err
		}
		if ks == nil {
			ks = logweights.Samples().Standard.K
		}
		compute := func(ctx context.Context) (*reports.Report, error) {
			rows, err := logweights.Samples().Run(ctx, []experiments.Case{q.subject}, logweights.SampleOptions{K: ks}, study.How{Workers: 1})
			return reported(annealing.SamplesReport, rows, err)
		}
		return &task{rows: len(ks), compute: compute, command: "weights", options: experiments.Params{{Name: "samples", Value: joined(ks)}}, program: program{
			imports: []string{"breadboard/experiments/logweights", "breadboard/experiments/study", "breadboard/reports/table", "breadboard/reports/views/annealing"},
			run:     fmt.Sprintf("logweights.Samples().Run(ctx, cases, logweights.SampleOptions{K: []int{%s}}, study.How{})", strings.ReplaceAll(joined(ks), ",", ", ")),
			print:   printReport("annealing.SamplesReport(rows)"),
		}}, nil
	}}
}
