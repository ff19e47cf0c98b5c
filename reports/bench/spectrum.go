package bench

import (
	"context"
	"fmt"

	"breadboard/exact/kernel"
	"breadboard/experiments/kernelcheck"
	"breadboard/reports"
	"breadboard/reports/views/checks"
)

const (
	standardBetas = 21
	mostBetas     = 1001
)

// spectrumStudy is the spectral gap of the kernel against beta.
func spectrumStudy() studyRoute {
	return studyRoute{name: "spectrum", more: []string{"betas"}, slow: true, weighed: kernelcheck.Study().Sweep, plan: func(_ *Server, q *question) (*task, error) {
		n, err := q.whole("betas", 2, mostBetas, standardBetas)
		if err != nil {
			return nil, err
		}
		if states := q.toy.Space.States(); states > kernel.MaxDiagnosisStates {
			return nil, failf(400, "toy", "the toy has %d states, and the spectral gap is computed on at most %d; take a smaller one", states, kernel.MaxDiagnosisStates)
		}
		each, _ := q.size().cost(kernelcheck.Study().Sweep(), nil)
		if err := afford("betas", "fewer betas or a smaller space", float64(n)*each.Seconds, q.within); err != nil {
			return nil, err
		}
		betas, err := kernelcheck.SpectrumBetas(n)
		if err != nil {
			return nil, bad("betas", err)
		}
		compute := func(ctx context.Context) (*reports.Report, error) {
			rows, err := kernelcheck.Spectrum(ctx, q.subject, betas, 1)
			return reported(checks.SpectrumReport, rows, err)
		}
		return &task{rows: len(betas), compute: compute, program: program{
			imports: []string{"breadboard/experiments/kernelcheck", "breadboard/reports/table", "breadboard/reports/views/checks"},
			before:  fmt.Sprintf("\tbetas, err := kernelcheck.SpectrumBetas(%d)\n\tif err != nil {\n\t\tlog.Fatal(err)\n\t}\n", n),
			run:     "kernelcheck.Spectrum(ctx, cases[0], betas, 0)", print: printReport("checks.SpectrumReport(rows)"),
		}}, nil
	}}
}
