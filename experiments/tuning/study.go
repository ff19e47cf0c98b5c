package tuning

import (
	"context"
	"fmt"
	"math"
	"strings"

	"breadboard/exact"
	"breadboard/exact/gradient"
	"breadboard/experiments"
)

// Study returns the study of best schedules as one that can be swept: what is the least value of an objective over all
// schedules, and what is the value of the case's own schedule? The optimum is that of Optimize, which does not begin from
// the case's own schedule: where the landscape has several valleys, that schedule may be better.
func Study() *experiments.Study {
	infinite := math.Inf(1)
	objectives := experiments.Parameter{
		Name: "objective", Doc: "what is made small: " + strings.Join(gradient.Objectives(), ", "),
		Defaults: experiments.Just(string(gradient.ObjectiveB)),
		Canonical: func(text string) (string, error) {
			o, err := gradient.ParseObjective(text)
			return string(o), err
		},
	}
	return &experiments.Study{
		Name: "schedule optimize", Former: "tuning", Answers: "what is the best schedule worth, beside the case's own?",
		Main:       "value_over_optimum",
		Parameters: append(experiments.Parameters(), objectives),
		Values: []experiments.Value{
			{Name: "value", Doc: "the objective on the case's own schedule", Unit: "nats", Shown: true, Low: -infinite, High: infinite},
			{Name: "optimum", Doc: "its least value", Unit: "nats", Shown: true, High: infinite},
			{Name: "linear", Doc: "its value on the linear schedule", Unit: "nats", High: infinite},
			{Name: "value_over_optimum", Doc: "value / optimum", Shown: true, Of: func(v []float64) float64 { return v[0] / v[1] }},
			{Name: "linear_over_optimum", Doc: "linear / optimum", Of: func(v []float64) float64 { return v[2] / v[1] }},
			{Name: "relative_gradient", Doc: "the norm of the gradient over the optimum, zero at an optimum", High: infinite},
			{Name: "converged", Doc: "1 where the optimum has converged, and 0 where it has not", Shown: true, High: 1},
			{Name: "vanished", Doc: "increments of the best schedule that are zero", High: maxOptimized},
			{Name: "gradients", Doc: "how many were computed", High: infinite},
		},
		Solve: solve,
		Check: contradiction,
		Cost:  cost,
	}
}

// solve is the Solve of the study.
func solve(ctx context.Context, c *experiments.Case, params experiments.Params) (experiments.Outcome, error) {
	problem := Problem{*c}
	if err := problem.validate(); err != nil {
		return experiments.Outcome{}, err
	}
	objective, err := gradient.ParseObjective(params.Get("objective"))
	if err != nil {
		return experiments.Outcome{}, err
	}
	own, err := exact.Solve(ctx, c.Annealing(), exact.Options{})
	if err != nil {
		return experiments.Outcome{}, err
	}
	best, err := problem.optimize(ctx, objective, Options{}, 1)
	if err != nil {
		return experiments.Outcome{}, err
	}
	converged, note := 1.0, ""
	if !best.Converged {
		converged, note = 0, "the optimum did not converge: "+best.Reason
	}
	return experiments.Outcome{
		Numbers: []float64{objective.Of(own), best.Value, best.Linear, best.Relative, converged, float64(len(best.Vanished)), float64(best.Runs)},
		Note:    strings.Join(append(own.Notes[:len(own.Notes):len(own.Notes)], nonEmpty(note)...), "; "),
	}, nil
}

// nonEmpty returns the text in a list, and an empty list for no text.
func nonEmpty(text string) []string {
	if text == "" {
		return nil
	}
	return []string{text}
}

// contradiction is the Check of the study: the linear schedule is one of those from which the optimum is looked for, so that
// it is no better, and an optimum that has not converged has a note.
func contradiction(_ experiments.Params, o experiments.Outcome) error {
	optimum, linear, converged := o.Numbers[1], o.Numbers[2], o.Numbers[4]
	if optimum > linear*(1+optimumTolerance) {
		return fmt.Errorf("its optimum is %v, and its linear, which is no better, %v", optimum, linear)
	}
	if converged != 1 && o.Note == "" {
		return fmt.Errorf("its converged is %v, and it has no note that says why", converged)
	}
	return nil
}

// optimumTolerance is the relative error to which an optimum that has converged is known (see placement.Optimum).
const optimumTolerance = 1e-12

// searchCost is measured: how many times as long as a solution by the general method a search takes. One may be over after
// a fifth of that, and another go on for five times as long.
const searchCost = 400

// cost is the Cost of the study.
func cost(s experiments.Size) experiments.Cost {
	checkpoints := math.Sqrt(float64(s.Distributions)) * float64(s.States) * 100
	return experiments.Cost{Seconds: searchCost * s.General.Seconds, Bytes: s.Solution.Bytes + checkpoints}
}
