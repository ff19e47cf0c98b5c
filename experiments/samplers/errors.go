package samplers

import (
	"context"
	"slices"

	"breadboard/chains"
	"breadboard/chains/selector"
	"breadboard/exact/averages"
	"breadboard/experiments"
	"breadboard/experiments/study"
)

// ErrorsRow has the exact errors of averages over N samples. For the vector of all coordinates errors and their R are sums over the
// coordinates (Turner and Neal 2017, Eq. 5), and Bias is the length of the vector of biases.
type ErrorsRow struct {
	Setting
	Work float64 // evaluations of log f until there are N samples; NaN where the kernel does not say

	Mean, SD, Kurtosis float64 // of the function under the target; NaN for a vector
	// Tau is the integrated autocorrelation time, to which N/RESS tends: for a vector the mean of those of its coordinates. It is NaN where
	// the chain is reducible.
	Tau float64

	RMean, Bias, MSE float64 // of the chain's mean; RMean is one for a function, and the number of coordinates for a vector
	MSEStationary    float64 // the same error of chains that start at a draw of the target

	// RVariance, BiasVariance and MSEVariance are of the sample variance with divisor N - 1. NaN at N = 1, and where it was left out.
	RVariance, BiasVariance, MSEVariance float64

	RCvM, CvM float64 // of the Cramer-von Mises distance; NaN where it was left out
	// RKS and KS2 are N E[KS^2] of N independent draws and E[KS^2], with KS the Kolmogorov-Smirnov distance; NaN where they are too large to
	// compute. KS2Low and KS2High bound the second.
	RKS, KS2, KS2Low, KS2High float64

	Method   averages.Method
	Rounding float64 // about the relative error of these numbers by rounding
	Notes    []Note
	NotesRow []string // on this row alone: on the digits that rounding leaves, and on KS2
}

// Note says what the numbers of a row cannot, and what it is about: rows that share its subject share the note.
type Note struct{ About, Text string }

func (n Note) String() string { return n.About + ": " + n.Text }

// RESSMean, RESSStationary, RESSVariance, RESSCvM and RESSKS return the real effective sample sizes of the estimates: R over their mean
// squared error (Turner and Neal 2017, Eq. 4). RESSStationary is that of the mean of chains that start at a draw of the target.
func (r *ErrorsRow) RESSMean() float64       { return r.RMean / r.MSE }
func (r *ErrorsRow) RESSStationary() float64 { return r.RMean / r.MSEStationary }
func (r *ErrorsRow) RESSVariance() float64   { return r.RVariance / r.MSEVariance }
func (r *ErrorsRow) RESSCvM() float64        { return r.RCvM / r.CvM }
func (r *ErrorsRow) RESSKS() float64         { return r.RKS / r.KS2 }

// RESSOfConstant returns what the sample variance of a chain that never moves would score: it is zero, and its error one for each
// coordinate.
func (r *ErrorsRow) RESSOfConstant() float64 { return r.RVariance / r.RMean }

// Efficiency returns RESS/N of the mean (Turner and Neal 2017, Eq. 6).
func (r *ErrorsRow) Efficiency() float64 { return r.RESSMean() / float64(r.N) }

// WorkPerRESS returns how many evaluations of log f the chain takes for each independent draw that its mean is worth.
func (r *ErrorsRow) WorkPerRESS() float64 { return r.Work / r.RESSMean() }

// Auto stands for the fastest method that can answer.
const Auto = "auto"

// Methods returns the methods of Options.
func Methods() []string {
	all := []string{Auto}
	for _, m := range averages.Methods() {
		all = append(all, string(m))
	}
	return all
}

// What is estimated beside the mean, which always is.
const (
	Mean         = "mean"
	Variance     = "variance"
	Distribution = "distribution"
)

// Estimates returns the estimates whose errors can be asked for.
func Estimates() []string { return []string{Mean, Variance, Distribution} }

// ErrorsOptions says how to run the study.
type ErrorsOptions struct {
	N []int64 // numbers of samples, in any order; each row has one
	// Estimates are those whose errors are asked for, of Estimates. The mean is always among them. Where none is named all are asked for,
	// and those that cannot be computed are left out with a note.
	Estimates []string
	Method    string // one of Methods; empty is Auto
}

// checkOptions fails where the options say something that no problem can answer.
func (o ErrorsOptions) checkOptions() error {
	if len(o.N) == 0 {
		return chains.NewAdvice("no number of samples is named; give some, as in {N} 1,10,100")
	}
	for _, n := range o.N {
		if n < 1 || n > averages.MaxSquaring {
			return chains.NewAdvice("{N} %d; a number of samples is from 1, which is the start alone, to %.0e", n, float64(averages.MaxSquaring))
		}
	}
	if o.Method != "" && !slices.Contains(Methods(), o.Method) {
		return selector.UnknownError("method", o.Method, Methods())
	}
	for _, e := range o.Estimates {
		if !slices.Contains(Estimates(), e) {
			return selector.UnknownError("estimate", e, Estimates())
		}
	}
	return nil
}

// errorsPlan finds a method for each question. The rows are ordered by problem, start, function and number of samples, each in the order in
// which they are given. A question takes the time of averages.Chain.Errors for each coordinate of each function. Steps are about the
// milliseconds that the study takes one processor.
func errorsPlan(_ context.Context, problems []Problem, o *ErrorsOptions) (p study.Plan[ErrorsRow], err error) {
	questions, err := o.questions(problems)
	if err != nil {
		return p, err
	}
	for _, q := range questions {
		p.Steps += q.steps()
	}
	p.Run = func(ctx context.Context, h study.How) ([]ErrorsRow, error) {
		err := experiments.Parallel(ctx, len(questions), h.Workers, func(ctx context.Context, i int) error {
			q, m := questions[i], newMeter(questions[i], h.Progress)
			q.Progress = m.add
			if err := q.answer(ctx); err != nil {
				return q.wrong(err)
			}
			m.reach(m.total)
			q.answered = true
			return nil
		})
		if err != nil && !experiments.Ended(ctx, err) {
			return nil, err
		}
		rows, all := errorsRows(problems, questions, o.N)
		if err != nil {
			err = experiments.NewUnfinished(len(rows), all, err)
		}
		return rows, err
	}
	return p, nil
}

// errorsRows returns the rows whose questions are answered, and how many there are when all are.
func errorsRows(problems []Problem, questions []*question, samples []int64) (rows []ErrorsRow, all int) {
	for i := range problems {
		for s := range problems[i].Starts {
			for f := range problems[i].Functions {
				all += len(samples)
				parts := partsOf(questions, &problems[i], f)
				if slices.ContainsFunc(parts, func(q *question) bool { return !q.answered }) {
					continue // the context has ended before
				}
				for _, n := range samples {
					rows = append(rows, rowOf(parts, s, n))
				}
			}
		}
	}
	return rows, all
}

// PaperVariance is R of the variance as Turner and Neal have it, for a normal distribution and many samples. In general it tends to the
// kurtosis less one.
const PaperVariance = 2

// PaperKS is R of the Kolmogorov-Smirnov distance as Turner and Neal have it, 0.822, for a continuous function and many samples.
const PaperKS = averages.KolmogorovSquare
