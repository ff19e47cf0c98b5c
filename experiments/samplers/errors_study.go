package samplers

import (
	"context"
	"fmt"
	"math"
	"strings"

	"breadboard/experiments"
)

// ErrorsStudy returns the study as one that can be swept: how far are the averages of a chain from the truth? A number that cannot be had is
// missing.
func ErrorsStudy() *experiments.Study {
	s := StudyOf("samplers-errors", "how far are the averages of a chain from the truth?", []string{"uniform", "target"},
		FunctionParameter(), SamplesParameter(1, 10, 100, 1000, 10_000))
	s.Values, s.Solve, s.Check, s.Cost = experiments.ValuesOf(errorsMeasures()), errorsSolve, errorsContradiction, errorsCost
	s.Main = "ress_mean"
	return s
}

// Places of those numbers of the study that are compared with others.
const (
	placeBias = iota
	placeMSE
	placeRESS
)

// errorsMeasures lists the values of the study.
func errorsMeasures() []experiments.Measure[ErrorsRow] {
	infinite := math.Inf(1)
	number := func(name, doc string, shown bool, low float64, from func(*ErrorsRow) float64) experiments.Measure[ErrorsRow] {
		return experiments.Measure[ErrorsRow]{Value: experiments.Value{Name: name, Doc: doc, Shown: shown, Low: low, High: infinite, Missing: true}, From: from}
	}
	return []experiments.Measure[ErrorsRow]{
		number("bias_mean", "the bias of the mean, in standard deviations", false, -infinite, func(r *ErrorsRow) float64 { return r.Bias }),
		number("mse_mean", "its mean squared error", false, 0, func(r *ErrorsRow) float64 { return r.MSE }),
		number("ress_mean", "its real effective sample size", true, 0, (*ErrorsRow).RESSMean),
		number("mse_mean_stationary", "the error of chains that start at a draw of the target", false, 0, func(r *ErrorsRow) float64 { return r.MSEStationary }),
		number("ress_mean_stationary", "their real effective sample size", true, 0, (*ErrorsRow).RESSStationary),
		number("tau", "the integrated autocorrelation time, to which N over it tends", true, -infinite, func(r *ErrorsRow) float64 { return r.Tau }),
		number("bias_var", "the bias of the sample variance", false, -infinite, func(r *ErrorsRow) float64 { return r.BiasVariance }),
		number("mse_var", "its mean squared error", false, 0, func(r *ErrorsRow) float64 { return r.MSEVariance }),
		number("ress_var", "its real effective sample size", true, 0, (*ErrorsRow).RESSVariance),
		number("cvm", "the mean squared Cramer-von Mises distance", false, 0, func(r *ErrorsRow) float64 { return r.CvM }),
		number("ress_cvm", "its real effective sample size", true, 0, (*ErrorsRow).RESSCvM),
		number("ks2", "the mean squared Kolmogorov-Smirnov distance", false, 0, func(r *ErrorsRow) float64 { return r.KS2 }),
		number("ks2_lower", "a lower bound on it", false, 0, func(r *ErrorsRow) float64 { return r.KS2Low }),
		number("ks2_upper", "an upper bound on it", false, 0, func(r *ErrorsRow) float64 { return r.KS2High }),
		number("ress_ks", "its real effective sample size", false, 0, (*ErrorsRow).RESSKS),
		number("work", "evaluations of log f until there are N samples", false, 0, func(r *ErrorsRow) float64 { return r.Work }),
		number("rounding", "about the relative error of these numbers by rounding", false, 0, func(r *ErrorsRow) float64 { return r.Rounding }),
	}
}

// errorsSolve is the Solve of the study.
func errorsSolve(ctx context.Context, c *experiments.Case, params experiments.Params) (experiments.Outcome, error) {
	problems, err := ProblemOf(ctx, c, params)
	if err != nil {
		return experiments.Outcome{}, err
	}
	rows, err := RunErrors(ctx, problems, ErrorsOptions{N: []int64{int64(params.Int(ParamN))}, Workers: 1})
	if err != nil {
		return experiments.Outcome{}, err
	}
	var notes []string
	for _, n := range rows[0].Notes {
		notes = append(notes, n.Text)
	}
	return experiments.Outcome{
		Numbers: experiments.NumbersOf(errorsMeasures(), &rows[0]),
		Note:    strings.Join(append(notes, rows[0].NotesRow...), "; "),
	}, nil
}

// roundings is the relative error of numbers that are computed from one another.
const roundings = 1e-9

// errorsContradiction is the Check of the study: the squared bias is a part of the error, and RESS is R, which is one for a single function,
// over the error.
func errorsContradiction(params experiments.Params, o experiments.Outcome) error {
	bias, mse, ress := o.Numbers[placeBias], o.Numbers[placeMSE], o.Numbers[placeRESS]
	rounding := o.Numbers[len(o.Numbers)-1]
	if bias*bias > mse*(1+roundings+2*rounding)+rounding*1e-300 {
		return fmt.Errorf("its bias_mean is %v, of which the square is above its mse_mean %v", bias, mse)
	}
	if params.Get(ParamFunction) != All && !experiments.Near(ress*mse, 1, roundings) && mse > 0 {
		return fmt.Errorf("its ress_mean is %v and its mse_mean %v, which are not each other's inverse", ress, mse)
	}
	return nil
}

// Measured: the seconds of an error for each entry of a transition matrix of which no state has more than so many neighbours, and each
// squaring; and of a Kolmogorov-Smirnov distance, at most.
const (
	entryCost       = 10e-9
	levelCost       = 100
	errorsStartCost = 2e-3
	errorBytes      = 64
)

// errorsCost is the Cost of the study. Recursion takes N steps of the matrix for each level of the function, and squaring log N products.
func errorsCost(s experiments.Size) experiments.Cost {
	n := float64(s.States)
	steps := min(float64(s.Params.Int(ParamN)), n*math.Log2(2+float64(s.Params.Int(ParamN))))
	return experiments.Cost{Seconds: errorsStartCost + entryCost*levelCost*n*steps, Bytes: errorBytes * n * n}
}
