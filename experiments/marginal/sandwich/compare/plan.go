package compare

import (
	"fmt"
	"slices"
	"strings"

	"breadboard/chains/errs"
	"breadboard/experiments/marginal/sandwich"
	"breadboard/experiments/subject"
	"breadboard/experiments/sweeps/sweep"
)

// Options are the estimators to compare, and the sizes of the comparison.
type Options struct {
	Models        []string
	Rows, Columns int
	Datasets      int
	Estimators    []string // by name; empty for all
	Trials        int      // the number of independent trials at each setting
	Budget        float64  // the seconds of one estimator on one data set
	Seed          uint64
}

// defaultTrials is the number of trials of Grosse, Ghahramani and Adams (2015).
//
// Source: Grosse, Ghahramani and Adams 2015, section 6.2.
const defaultTrials = 25

// The limits of the options.
const (
	maxTrials = 100_000
	maxBudget = 1e7               // seconds
	maxSeed   = subject.MaxNumber // of a parameter of a sweep
)

// Plan is the sweep of a comparison.
type Plan struct {
	Sweep *sweep.Sweep
	// Omitted names the estimators that the budget does not pay for, if all were requested.
	Omitted []error
}

// step is a setting of an estimator on a model.
type step struct {
	model, estimator string
	knob             int
}

// Plan returns the sweep of the comparison. It fails if the options are invalid, and if the budget
// does not pay for the first setting of annealing or of a named estimator; the error has the cost.
// Studies, including that of the trials, identify a folder that holds another sweep.
func (o Options) Plan(studies sweep.Studies) (*Plan, error) {
	steps, omitted, err := o.planSteps()
	if err != nil {
		return nil, err
	}
	spec, err := sweep.Parse(studies, "the comparison", []byte(o.specification(steps)))
	if err != nil {
		return nil, err
	}
	s, err := spec.Sweep()
	if err != nil {
		return nil, err
	}
	return &Plan{s, omitted}, nil
}

// trials lists the study of the trials alone.
func trials() sweep.Studies {
	return sweep.Studies{List: []*subject.Question{sandwich.TrialStudy().Declaration.Sweep()}}
}

// planSteps returns the settings of all estimators on all models.
func (o Options) planSteps() (steps []step, omitted []error, err error) {
	switch {
	case len(o.Models) == 0:
		return nil, nil, errs.New("no model is given; give {model} clustering, lowrank or binary")
	case o.Datasets < 1 || o.Datasets > sandwich.MaxDatasets:
		return nil, nil, errs.New("{datasets} %d; give a whole number from 1 to %d",
			o.Datasets, sandwich.MaxDatasets)
	case o.Trials < 2 || o.Trials > maxTrials:
		return nil, nil, errs.New("{chains} %d; give a whole number from 2 to %d", o.Trials, maxTrials)
	case !(o.Budget > 0 && o.Budget <= maxBudget):
		return nil, nil, errs.New("{time} %v seconds; give a time above zero and up to %v seconds",
			o.Budget, maxBudget)
	case o.Seed > maxSeed:
		return nil, nil, errs.New("{seed} %d; a comparison takes seeds up to %d", o.Seed, uint64(maxSeed))
	}
	choices, err := o.choices()
	if err != nil {
		return nil, nil, err
	}
	for _, name := range o.Models {
		m, err := sandwich.ParseModel(name)
		if err != nil {
			return nil, nil, err
		}
		set := sandwich.Set{Model: m, Rows: o.Rows, Columns: o.Columns, Number: 1, Seed: o.Seed}
		if err := set.Validate(); err != nil {
			return nil, nil, err
		}
		for _, c := range choices {
			some, err := o.climb(set, c)
			switch {
			case err == nil:
			case len(o.Estimators) > 0 || c.Name == sandwich.TruthForward || c.Name == sandwich.TruthReverse:
				return nil, nil, err
			default:
				omitted = append(omitted, fmt.Errorf("%s on %s is omitted: %w", c.Name, m.Name, err))
			}
			steps = append(steps, some...)
		}
	}
	return steps, omitted, nil
}

// choices returns the estimators to compare. Annealing in both directions is always among them,
// since the ground truth comes from it.
func (o Options) choices() ([]sandwich.Choice, error) {
	if len(o.Estimators) == 0 {
		return sandwich.Choices(), nil
	}
	wanted := map[string]bool{sandwich.TruthForward: true, sandwich.TruthReverse: true}
	var own []sandwich.Choice // with a number of particles that is not in the list
	for _, name := range o.Estimators {
		c, err := sandwich.ChoiceNamed(strings.TrimSpace(name))
		if err != nil {
			return nil, err
		}
		if !wanted[c.Name] && !slices.Contains(sandwich.ChoiceNames(), c.Name) {
			own = append(own, c)
		}
		wanted[c.Name] = true
	}
	var choices []sandwich.Choice
	for _, c := range sandwich.Choices() {
		if wanted[c.Name] {
			choices = append(choices, c)
		}
	}
	return append(choices, own...), nil
}

// climb returns the settings of an estimator within its budget.
func (o Options) climb(set sandwich.Set, c sandwich.Choice) ([]step, error) {
	if c.Kind != "" && c.Kind != set.Model.Kind {
		return nil, errs.New("%s is for models of the kind %s only, and not for %s; leave one of the two out",
			c.Name, c.Kind, set.Model.Name)
	}
	var steps []step
	spent := 0.0
	for _, knob := range c.Ladder {
		each := set.Seconds(c, knob)
		spent += each * float64(o.Trials)
		if spent > o.Budget {
			if len(steps) == 0 {
				return nil, errs.New(
					"{time} %.3gs is too small: one trial of %s with %s = %d on %s takes about %.2gs, and "+
						"%d trials %.2gs",
					o.Budget,
					c.Name,
					c.Knob,
					knob,
					set.Model.Name,
					each,
					o.Trials,
					each*float64(o.Trials),
				)
			}
			break
		}
		steps = append(steps, step{set.Model.Name, c.Name, knob})
	}
	return steps, nil
}

// specification writes the sweep.
func (o Options) specification(steps []step) string {
	var models, estimators, knobs []string
	for _, s := range steps {
		models, estimators, knobs = append(models, fmt.Sprintf("%q", s.model)),
			append(estimators, fmt.Sprintf("%q", s.estimator)), append(knobs, fmt.Sprint(s.knob))
	}
	list := func(items []string) string { return "[" + strings.Join(items, ", ") + "]" }
	var b strings.Builder
	fmt.Fprintf(&b, "study = %q\n[grid]\n%s = %d\n%s = %d\n%s = %d\n", sandwich.TrialStudy().Declaration.Name,
		sandwich.ParamRows, o.Rows,
		sandwich.ParamColumns, o.Columns, sandwich.ParamSeed, o.Seed)
	fmt.Fprintf(&b, "%s = {from = 1, to = %d}\n%s = {from = 1, to = %d}\n", sandwich.ParamData, o.Datasets,
		sandwich.ParamTrial, o.Trials)
	fmt.Fprintf(&b, "[zip]\n%s = %s\n%s = %s\n%s = %s\n", sandwich.ParamModel, list(models),
		sandwich.ParamEstimator, list(estimators),
		sandwich.ParamKnob, list(knobs))
	return b.String()
}
