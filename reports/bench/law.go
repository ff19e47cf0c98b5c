package bench

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"breadboard/exact"
	"breadboard/exact/weights"
	"breadboard/experiments"
	"breadboard/experiments/logweights"
	"breadboard/experiments/study"
	"breadboard/reports"
	"breadboard/reports/views/annealing"
)

// frequenciesName is the parameter that bounds the frequencies of a law.
const frequenciesName = "frequencies"

// lawStudy is the law of the log weight in both directions: the row of the command weights.
func lawStudy() studyRoute {
	return studyRoute{name: "law", more: []string{frequenciesName}, slow: true, weighed: logweights.Laws().Sweep, plan: func(_ *Server, q *question) (*task, error) {
		n, err := q.whole(frequenciesName, 0, weights.MaxFrequencies, frequenciesOf(q))
		if err != nil {
			return nil, err
		}
		if err := afford(frequenciesName, "fewer frequencies or a smaller T", float64(n)/frequenciesOfStep*q.generalStep()*float64(q.subject.Distributions()), q.within); err != nil {
			return nil, err
		}
		var options experiments.Params
		if n > 0 {
			options = experiments.Params{{Name: frequenciesName, Value: strconv.Itoa(n)}}
		}
		compute := func(ctx context.Context) (*reports.Report, error) {
			rows, err := logweights.Laws().Run(ctx, []experiments.Case{q.subject}, logweights.Options{Frequencies: n}, study.How{Workers: 1})
			return reported(func(rows []logweights.Row) *reports.Report { return annealing.WeightsReport(rows, nil) }, rows, err)
		}
		return &task{rows: 1, compute: compute, command: "weights", options: options, program: program{
			imports: []string{"breadboard/experiments/logweights", "breadboard/experiments/study", "breadboard/reports/table", "breadboard/reports/views/annealing"},
			run:     fmt.Sprintf("logweights.Laws().Run(ctx, cases, logweights.Options{Frequencies: %d}, study.How{})", n), print: printReport("annealing.WeightsReport(rows, nil)"),
		}}, nil
	}}
}

const (
	// lawSeconds is about the time of a processor that a law takes where no frequencies are asked for, so that those who look at the page
	// wait a few seconds at most. The command weights takes up to six times as long, and its bounds are narrower.
	lawSeconds = 2
	// frequenciesOfStep is about how many frequencies are carried through a stage in the time of a step of the general method. It is measured:
	// between 11 and 22 on grids of 49 and 625 states, with metropolis and heatbath.
	frequenciesOfStep = 14
	// fewestFrequencies are computed whatever they take, and from mostFrequencies on the study itself says how many.
	fewestFrequencies, mostFrequencies = 1 << 10, 1 << 18
)

// frequenciesOf returns the largest power of two of frequencies that lawSeconds allow for the law of a question, and 0, which leaves the number to
// the study, where that is many. It is the same on every machine.
func frequenciesOf(q *question) int {
	n := lawSeconds * frequenciesOfStep / (q.generalStep() * float64(q.subject.Distributions()))
	if n >= mostFrequencies {
		return 0
	}
	return 1 << int(math.Log2(max(n, fewestFrequencies)))
}

// generalStep returns about how many seconds a step of the general method takes.
func (q *question) generalStep() float64 { return exact.GeneralWorkOf(q.kernel, q.toy.Space).Seconds }
