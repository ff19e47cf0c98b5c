package sandwich

import (
	"context"
	"errors"
	"math"
	"strconv"

	"breadboard/experiments"
)

// The parameters of the study.
const (
	ParamModel     = "model"
	ParamRows      = "rows"
	ParamColumns   = "columns"
	ParamSeed      = "seed"
	ParamData      = "data"
	ParamEstimator = "estimator"
	ParamKnob      = "knob"
	ParamTrial     = "trial"
)

// StudyName is the name by which a specification of a sweep asks for the study.
const StudyName = "sandwich"

// Study returns the study as one that can be swept: what does one trial of an estimator say of log p(y) of one data set? A comparison of
// estimators is such a sweep, so that it can be interrupted and goes on where it was.
func Study() *experiments.Study {
	return &experiments.Study{
		Name: StudyName, Answers: "what does one trial of an estimator say of log p(y) of simulated data?",
		Parameters: []experiments.Parameter{
			{Name: ParamModel, Doc: "the model that the data are drawn from", Defaults: experiments.Just("clustering"), Canonical: canonicalModel},
			experiments.Whole(ParamRows, "the number of rows of the data", 1, MaxRows, DefaultRows),
			experiments.Whole(ParamColumns, "the number of columns of the data", 1, MaxColumns, DefaultColumns),
			experiments.Whole(ParamSeed, "the seed of data and trials", 0, experiments.MaxNumber, 1),
			experiments.Whole(ParamData, "the number of the data set", 1, MaxDatasets, 1),
			{Name: ParamEstimator, Doc: "the estimator", Defaults: experiments.Just("ais"), Canonical: canonicalChoice},
			experiments.Whole(ParamKnob, "the setting of the estimator: T, K, M or R", 0, MaxT, 1000),
			experiments.Whole(ParamTrial, "the number of the trial", 1, MaxChains, 1),
		},
		Values: experiments.ValuesOf(measures()),
		Main:   "log_z",
		Build: func(_ context.Context, params experiments.Params) ([]experiments.Case, error) {
			return []experiments.Case{{Params: params}}, nil
		},
		Solve: solve,
		Cost:  cost,
	}
}

func canonicalModel(text string) (string, error) {
	m, err := ParseModel(text)
	return m.Name, err
}

func canonicalChoice(text string) (string, error) {
	c, err := ChoiceNamed(text)
	return c.Name, err
}

// measures lists the values of the study.
func measures() []experiments.Measure[Estimate] {
	nats := func(name, doc string, shown bool, from func(*Estimate) float64) experiments.Measure[Estimate] {
		return experiments.Measure[Estimate]{Value: experiments.Value{Name: name, Doc: doc, Unit: "nats", Shown: shown, Low: math.Inf(-1), High: math.Inf(1), Missing: true}, From: from}
	}
	count := func(name, doc string, from func(*Estimate) float64) experiments.Measure[Estimate] {
		return experiments.Measure[Estimate]{Value: experiments.Value{Name: name, Doc: doc, High: math.Inf(1), Missing: true}, From: from}
	}
	seconds := count("seconds", "the time on the clock", func(e *Estimate) float64 { return e.Seconds })
	seconds.Clock, seconds.Unit, seconds.Shown = true, "s", true
	return []experiments.Measure[Estimate]{
		nats("log_z", "the estimate of log p(y)", true, func(e *Estimate) float64 { return e.LogZ }),
		nats("log_z_symmetric", "the bound of vb with log K! added", false, func(e *Estimate) float64 { return e.LogZSymmetric }),
		nats("log_z_unbiased", "the estimate of ns with volumes 1 - 1/K", false, func(e *Estimate) float64 { return e.LogZUnbiased }),
		nats("log_z_early", "the estimate of ns with the stop 1 + exp(-10)", false, func(e *Estimate) float64 { return e.LogZEarly }),
		nats("log_z_unbiased_early", "the estimate of ns with both", false, func(e *Estimate) float64 { return e.LogZUnbiasedEarly }),
		count("steps", "the steps of ns until the stop 1 + 1e-10", func(e *Estimate) float64 { return e.Steps }),
		count("steps_early", "the steps of ns until the stop 1 + exp(-10)", func(e *Estimate) float64 { return e.StepsEarly }),
		count("work", "evaluations of log f", func(e *Estimate) float64 { return e.Work }),
		seconds,
	}
}

// EstimateOf returns the estimate of which the study has stored these numbers.
func EstimateOf(stored []float64) Estimate {
	return Estimate{stored[0], stored[1], stored[2], stored[3], stored[4], stored[5], stored[6], stored[7], stored[8]}
}

// SetOf returns the data set, the estimator and its knob of the parameters of the study.
func SetOf(params experiments.Params) (Set, Choice, int, error) {
	m, err := ParseModel(params.Get(ParamModel))
	by, wrong := ChoiceNamed(params.Get(ParamEstimator))
	seed, unread := strconv.ParseUint(params.Get(ParamSeed), 10, 64)
	return Set{m, params.Int(ParamRows), params.Int(ParamColumns), params.Int(ParamData), seed}, by, params.Int(ParamKnob), errors.Join(err, wrong, unread)
}

// solve is the Solve of the study.
func solve(ctx context.Context, _ *experiments.Case, params experiments.Params) (experiments.Outcome, error) {
	set, by, knob, err := SetOf(params)
	if err != nil {
		return experiments.Outcome{}, err
	}
	data, err := set.Draw(ctx)
	if err != nil {
		return experiments.Outcome{}, err
	}
	e, err := set.Estimate(ctx, data, by, knob, params.Int(ParamTrial))
	if err != nil {
		return experiments.Outcome{}, err
	}
	return experiments.Outcome{Numbers: experiments.NumbersOf(measures(), &e)}, nil
}

// cost is the Cost of the study.
func cost(s experiments.Size) experiments.Cost {
	set, by, knob, err := SetOf(s.Params)
	if err != nil {
		return experiments.Cost{}
	}
	return experiments.Cost{Seconds: set.Seconds(by, knob), Bytes: 64*float64(set.Rows*(set.Columns+set.Model.K)) + 8*float64(knob)}
}
