package sandwich

import (
	"context"
	"errors"
	"math"
	"strconv"

	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/reports/columns"
)

// The parameters of a sweep of trials.
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

// Attempt is a trial of an estimator on a data set.
type Attempt struct {
	Set
	By   Choice
	Knob int
	Of   int // the number of the trial, from 1
}

// TrialStudy declares the study of single trials. It has no command; sweeps use it under the name
// of the sandwich. A comparison of estimators is such a sweep, so that it can be interrupted and
// resumed.
func TrialStudy() *study.Study[Attempt, study.NoOptions, Estimate] {
	return study.New(study.NoOptions{},
		func(_ context.Context, on []Attempt, _ *study.NoOptions) (study.Plan[Estimate], error) {
			return study.Each(on, func(*Attempt) int { return 1 }, makeEstimate), nil
		}, study.Declaration{
			Name: Study().Declaration.Name, Asks: "What is one estimate of log p(y) of simulated data?",
			Columns: estimateColumns(),
			Cost:    cost,
			Swept: &study.Swept{
				Alone: true,
				Parameters: []subject.Parameter{
					{
						Name:      ParamModel,
						Doc:       "the model that the data are drawn from",
						Defaults:  subject.Just("clustering"),
						Canonical: canonicalModel,
					},
					subject.Whole(ParamRows, "the number of rows of the data", 1, MaxRows, DefaultRows),
					subject.Whole(ParamColumns, "the number of columns of the data", 1, MaxColumns, DefaultColumns),
					subject.Whole(ParamSeed, "the seed of data and trials", 0, subject.MaxNumber, 1),
					subject.Whole(ParamData, "the number of the data set", 1, MaxDatasets, 1),
					{
						Name:      ParamEstimator,
						Doc:       "the estimator",
						Defaults:  subject.Just("ais"),
						Canonical: canonicalChoice,
					},
					subject.Whole(ParamKnob, "the setting of the estimator: T, K, M or R", 0, MaxT, 1000),
					subject.Whole(ParamTrial, "the number of the trial", 1, MaxChains, 1),
				},
				Build: func(_ context.Context, _ subject.Reader,
					params subject.Params) ([]subject.Case, error) {
					return []subject.Case{{Params: params}}, nil
				},
				Subject: func(_ context.Context, _ *subject.Case, params subject.Params) (any, error) {
					a, err := AttemptOf(params)
					return []Attempt{a}, err
				},
				Note: study.NoteOf(func(*Estimate) (string, error) { return "", nil }),
			},
		})
}

func canonicalModel(text string) (string, error) {
	m, err := ParseModel(text)
	return m.Name, err
}

func canonicalChoice(text string) (string, error) {
	c, err := ChoiceNamed(text)
	return c.Name, err
}

// kept is the column of a number of an estimate in sweeps, with its place in the estimate.
type kept struct {
	columns.Field
	at func(*Estimate) *float64
}

// storedNumbers lists the numbers of an estimate, in the order in which they are stored.
func storedNumbers() []kept {
	number := func(name, unit, meaning string, low float64, at func(*Estimate) *float64) kept {
		return kept{columns.Estimated(name, unit, meaning, func(e *Estimate) float64 { return *at(e) }).
			Within(low, math.Inf(1)).Missing(), at}
	}
	nats := func(name, meaning string, at func(*Estimate) *float64) kept {
		return number(name, "(nats)", meaning, math.Inf(-1), at)
	}
	count := func(name, meaning string, at func(*Estimate) *float64) kept {
		return number(name, "", meaning, 0, at)
	}
	list := []kept{
		nats("log_z", "the estimate of log p(y)", func(e *Estimate) *float64 { return &e.LogZ }),
		nats("log_z_symmetric", "the bound of vb with log K! added",
			func(e *Estimate) *float64 { return &e.LogZSymmetric }),
		nats("log_z_unbiased", "the estimate of ns with volumes 1 - 1/K",
			func(e *Estimate) *float64 { return &e.LogZUnbiased }),
		nats("log_z_early", "the estimate of ns with the stop 1 + exp(-10)",
			func(e *Estimate) *float64 { return &e.LogZEarly }),
		nats("log_z_unbiased_early", "the estimate of ns with both",
			func(e *Estimate) *float64 { return &e.LogZUnbiasedEarly }),
		count("steps", "the steps of ns until the stop 1 + 1e-10",
			func(e *Estimate) *float64 { return &e.Steps }),
		count("steps_early", "the steps of ns until the stop 1 + exp(-10)",
			func(e *Estimate) *float64 { return &e.StepsEarly }),
		count("work", "evaluations of log f", func(e *Estimate) *float64 { return &e.Work }),
		count("seconds", "the wall-clock time", func(e *Estimate) *float64 { return &e.Seconds }),
	}
	seconds := &list[len(list)-1]
	seconds.Unit = "s"
	seconds.Kept.Clock = true
	list[0].Kept.Shown, seconds.Kept.Shown = true, true
	return list
}

// estimateColumns are the columns of a trial.
func estimateColumns() (fields columns.List) {
	for _, k := range storedNumbers() {
		fields = append(fields, k.Field)
	}
	return fields
}

// EstimateOf returns the estimate from the numbers that a sweep has stored.
func EstimateOf(stored []float64) (e Estimate) {
	for i, k := range storedNumbers() {
		*k.at(&e) = stored[i]
	}
	return e
}

// AttemptOf returns the trial that parameters describe.
func AttemptOf(params subject.Params) (Attempt, error) {
	m, modelErr := ParseModel(params.Get(ParamModel))
	by, choiceErr := ChoiceNamed(params.Get(ParamEstimator))
	seed, seedErr := strconv.ParseUint(params.Get(ParamSeed), 10, 64)
	set := Set{m, params.Int(ParamRows), params.Int(ParamColumns), params.Int(ParamData), seed}
	return Attempt{set, by, params.Int(ParamKnob), params.Int(ParamTrial)}, errors.Join(modelErr, choiceErr, seedErr)
}

// makeEstimate makes the trial.
func makeEstimate(ctx context.Context, a *Attempt, h study.How) (Estimate, error) {
	data, err := a.Draw(ctx)
	if err != nil {
		return Estimate{}, err
	}
	e, err := a.Estimate(ctx, data, a.By, a.Knob, a.Of)
	if err == nil {
		h.Add(1)
	}
	return e, err
}

// cost is the Cost of a sweep.
func cost(s subject.Size) subject.Cost {
	a, err := AttemptOf(s.Params)
	if err != nil {
		return subject.Cost{}
	}
	return subject.Cost{
		Seconds: a.Seconds(a.By, a.Knob),
		Bytes:   64*float64(a.Rows*(a.Columns+a.Model.K)) + 8*float64(a.Knob),
	}
}
