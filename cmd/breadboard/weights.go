package main

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"breadboard/exact"
	"breadboard/experiments/logweights"
	"breadboard/reports"
	"breadboard/reports/views/annealing"
)

// weightsQuestions are the other questions that the command weights answers; at most one of them may be asked.
type weightsQuestions struct {
	samples   logweights.SampleOptions
	tails     []float64
	quantiles []float64
}

// weightsCommand is the command of the laws of log weights, from which tails and quantiles are read, and of bounds of many samples.
func (a *app) weightsCommand() *cobra.Command {
	var q weightsQuestions
	about, samples := a.annealings(100), logweights.Samples()
	c, laws, how := questionCommand(a, logweights.Laws(), about, q.report)
	ask := c.RunE
	c.RunE = func(c *cobra.Command, args []string) error {
		if err := q.validate(laws); err != nil {
			return badInput(err)
		}
		if len(q.samples.K) > 0 {
			return answer(a, c.Context(), samples, about, &q.samples, *how, annealing.SamplesReport)
		}
		return ask(c, args)
	}
	addOptions(c, samples.Options, &q.samples)
	addNumbers(c.Flags(), &q.tails, "tails", nil, "distances b in nats, 0 or more, for which tails are given")
	addNumbers(c.Flags(), &q.quantiles, "quantiles", nil, "probabilities for which quantiles are given, each above 0 and below 1")
	return c
}

// validate returns an error that says what is wrong with the flags, and nil where they are valid.
func (q *weightsQuestions) validate(o *logweights.Options) error {
	if s, t, q := len(q.samples.K) > 0, len(q.tails) > 0, len(q.quantiles) > 0; s && t || s && q || t && q {
		return errors.New("one question at a time: give one of --samples, --tails and --quantiles")
	}
	if len(q.samples.K) > 0 && o.Frequencies > 0 {
		return errors.New("--frequencies is for the law of the log weight, and --samples takes none of it; leave it out")
	}
	for _, b := range q.tails {
		if !(b >= 0 && b <= exact.MaxLogRange) {
			return fmt.Errorf("--tails %v; give nats, from 0 to %v", b, strconv.Itoa(exact.MaxLogRange))
		}
	}
	for _, p := range q.quantiles {
		if !(p > 0 && p < 1) {
			return fmt.Errorf("--quantiles %v; a quantile is above 0 and below 1", p)
		}
	}
	return nil
}

// report returns the report that answers the question which the flags ask.
func (q *weightsQuestions) report(rows []logweights.Row) *reports.Report {
	switch {
	case len(q.tails) > 0:
		return annealing.TailsReport(rows, q.tails, inFlags)
	case len(q.quantiles) > 0:
		return annealing.QuantilesReport(rows, q.quantiles, inFlags)
	}
	return annealing.WeightsReport(rows, inFlags)
}
