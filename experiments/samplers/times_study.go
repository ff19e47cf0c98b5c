package samplers

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"breadboard/experiments"
)

// Names of the parameters that the study has of its own.
const (
	paramMI = "mi"
	paramTV = "tv"
)

// TimesStudy returns the study as one that can be swept: after how many moves does a chain forget where it began?
func TimesStudy() *experiments.Study {
	bound := func(name, doc string, most float64) experiments.Parameter {
		return experiments.Parameter{
			Name: name, Doc: doc, Defaults: experiments.Just(strconv.FormatFloat(Standard, 'g', -1, 64)),
			Number: &experiments.Range{Low: leastBound, High: most, Real: true},
		}
	}
	s := StudyOf("samplers-times", "after how many moves does a chain forget where it began?", []string{"uniform"},
		bound(paramMI, "the bound of the mutual information, in nats", 1e6), bound(paramTV, "the bound of the total variation distance", 1-leastBound))
	s.Values, s.Solve, s.Check, s.Cost = experiments.ValuesOf(timesMeasures()), timesSolve, timesContradiction, timesCost
	return s
}

// leastBound is the smallest bound of a sweep.
const leastBound = 1e-12

// timesMeasures lists the values of the study.
func timesMeasures() []experiments.Measure[TimesRow] {
	infinite := math.Inf(1)
	number := func(name, doc string, shown bool, from func(*TimesRow) float64) experiments.Measure[TimesRow] {
		return experiments.Measure[TimesRow]{Value: experiments.Value{Name: name, Doc: doc, Shown: shown, High: infinite, Missing: true}, From: from}
	}
	return []experiments.Measure[TimesRow]{
		number("mixing", "the moves until the mutual information with the start is below its bound", true, func(r *TimesRow) float64 { return r.Mixing.Moves }),
		number("burn_in", "the moves until the law of the state is as near to the target as its bound", true, func(r *TimesRow) float64 { return r.BurnIn.Moves }),
		number("mixing_error", "about how many moves rounding may have put the first off", false, func(r *TimesRow) float64 { return r.Mixing.Error }),
		number("burn_in_error", "about how many moves rounding may have put the second off", false, func(r *TimesRow) float64 { return r.BurnIn.Error }),
	}
}

// timesSolve is the Solve of the study.
func timesSolve(ctx context.Context, c *experiments.Case, params experiments.Params) (experiments.Outcome, error) {
	problems, err := ProblemOf(ctx, c, params)
	if err != nil {
		return experiments.Outcome{}, err
	}
	o := TimesOptions{Workers: 1}
	if o.MI, err = strconv.ParseFloat(params.Get(paramMI), 64); err != nil {
		return experiments.Outcome{}, err
	}
	if o.TV, err = strconv.ParseFloat(params.Get(paramTV), 64); err != nil {
		return experiments.Outcome{}, err
	}
	rows, err := RunTimes(ctx, problems, o)
	if err != nil {
		return experiments.Outcome{}, err
	}
	r := &rows[0]
	note := r.Mixing.Note
	if other := r.BurnIn.Note; other != "" && other != note {
		if note != "" {
			note += "; "
		}
		note += other
	}
	return experiments.Outcome{Numbers: experiments.NumbersOf(timesMeasures(), r), Note: note}, nil
}

// timesContradiction is the Check of the study: times are whole numbers, and one that could not be told has a note that says why.
func timesContradiction(_ experiments.Params, o experiments.Outcome) error {
	for i, m := range timesMeasures()[:2] {
		switch v := o.Numbers[i]; {
		case math.IsNaN(v) && o.Note == "":
			return fmt.Errorf("it has no %s, and no note that says why", m.Name)
		case !math.IsNaN(v) && !math.IsInf(v, 0) && v != math.Trunc(v):
			return fmt.Errorf("its %s is %v, no whole number", m.Name, v)
		}
	}
	return nil
}

// Measured for a space of n states: the seconds of the products of matrices by which a time is found, each n^3.
const (
	productsCost   = 60e-9
	timesStartCost = 1e-3
)

// timesCost is the Cost of the study.
func timesCost(s experiments.Size) experiments.Cost {
	n := float64(s.States)
	return experiments.Cost{Seconds: timesStartCost + productsCost*n*n*n, Bytes: 500 * n * n}
}
