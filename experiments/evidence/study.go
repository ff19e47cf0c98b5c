package evidence

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"breadboard/experiments"
)

// Names of the parameters that the study has of its own.
const (
	paramEstimator = "estimator"
	paramWork      = "work"
	paramTrials    = "trials"
)

// Study returns the study as one that can be swept: how wrong are estimates of the marginal likelihood, at equal work? It has no T, since
// the number of distributions comes from the work.
func Study() *experiments.Study {
	parameters := experiments.WithDefaults(experiments.Common("toy", "path", "initial", "schedule", "kernel"),
		map[string][]string{"toy": DefaultToys(), "schedule": {DefaultSchedule}, "kernel": {gridKernel}})
	return &experiments.Study{
		Name: "evidence", Answers: "how wrong are estimates of the marginal likelihood, at equal work?",
		Main: "rmse",
		Parameters: append(parameters,
			experiments.Parameter{
				Name: paramEstimator, Doc: "the estimator: " + strings.Join(Forms().Syntaxes(), ", "), Defaults: experiments.Just("ais"),
				Canonical: func(text string) (string, error) {
					c, err := Parse(text)
					return c.Name, err
				},
			},
			experiments.Whole(paramWork, "evaluations of log f and exact draws that an estimate may cost", 1, MaxWork, 10, 100, 1000),
			experiments.Whole(paramTrials, "independent estimates that are combined to one", 1, MaxTrials, 1)),
		Values: experiments.ValuesOf(measures()),
		Solve:  solveStudy,
		Check:  contradiction,
		Cost:   cost,
	}
}

// Places of those numbers of the study that are compared with others.
const (
	placeLogZ = iota
	placeMean
	placeBias
	placeSD
	placeRMSE
)

// measures lists the values of the study.
func measures() []experiments.Measure[Row] {
	infinite := math.Inf(1)
	type value = experiments.Value
	return []experiments.Measure[Row]{
		{Value: value{Name: "log_z_ratio", Doc: "log Z = log(Z_T/Z_1)", Unit: "nats", Low: -math.MaxFloat64, High: math.MaxFloat64}, From: func(r *Row) float64 { return r.LogZRatio }},
		{Value: value{Name: "mean", Doc: "the mean of log Zhat", Unit: "nats", Shown: true, Low: -infinite, High: infinite, Missing: true}, From: func(r *Row) float64 { return r.Mean }},
		{Value: value{Name: "bias", Doc: "mean - log Z", Unit: "nats", Shown: true, Low: -infinite, High: infinite, Missing: true}, From: func(r *Row) float64 { return r.Bias }},
		{Value: value{Name: "sd", Doc: "the standard deviation of log Zhat", Unit: "nats", Shown: true, High: infinite, Missing: true}, From: func(r *Row) float64 { return r.SD }},
		{Value: value{Name: "rmse", Doc: "the root mean squared error of log Zhat", Unit: "nats", Shown: true, High: infinite, Missing: true}, From: func(r *Row) float64 { return r.RMSE }},
		{Value: value{Name: "log_mean_z", Doc: "log E Zhat", Unit: "nats", Low: -infinite, High: infinite, Missing: true}, From: func(r *Row) float64 { return r.LogMeanZ }},
		{Value: value{Name: "p_above_1", Doc: "how often log Zhat is more than 1 nat too large", Shown: true, Low: -1e-9, High: 1 + 1e-9, Missing: true}, From: func(r *Row) float64 { return r.PAbove1 }},
		{Value: value{Name: "cost", Doc: "the mean work of all trials", Shown: true, High: infinite, Missing: true}, From: func(r *Row) float64 { return r.Work }},
	}
}

// solveStudy is the Solve of the study. A target that has no such estimator, and a law that cannot be computed, are errors.
func solveStudy(ctx context.Context, c *experiments.Case, params experiments.Params) (experiments.Outcome, error) {
	cases := []experiments.Case{*c}
	o := Options{
		Estimators: []string{params.Get(paramEstimator)}, Work: []float64{float64(params.Int(paramWork))},
		Trials: []int{params.Int(paramTrials)}, Workers: 1,
	}
	if err := o.Validate(ctx, cases); err != nil {
		return experiments.Outcome{}, err
	}
	result, err := Run(ctx, cases, o)
	if err != nil {
		return experiments.Outcome{}, err
	}
	r := &result.Rows[0] // Validate has refused what Run omits
	if r.Error != "" {
		return experiments.Outcome{}, fmt.Errorf("estimator %s: %s", r.Estimator, r.Error)
	}
	var notes []string
	if r.Settings != "" {
		notes = []string{r.Settings}
	}
	return experiments.Outcome{Numbers: experiments.NumbersOf(measures(), r), Note: strings.Join(slices.Concat(notes, r.Notes, r.NotesAbove), "; ")}, nil
}

// momentTolerance is the relative error to which moments that are computed from one another agree.
const momentTolerance = 1e-9

// contradiction is the Check of the study: the bias is the mean less log Z, and the squared error is that of bias and deviation.
func contradiction(_ experiments.Params, o experiments.Outcome) error {
	v := o.Numbers
	logZ, mean, bias, sd, rmse := v[placeLogZ], v[placeMean], v[placeBias], v[placeSD], v[placeRMSE]
	if rest := mean - logZ; !math.IsNaN(rest) && !math.IsInf(rest, 0) && !experiments.Near(rest, bias, momentTolerance*(1+math.Abs(mean)+math.Abs(logZ))) {
		return fmt.Errorf("its bias is %v, and its mean %v and its log_z_ratio %v are %v apart", bias, mean, logZ, rest)
	}
	if both := math.Hypot(bias, sd); !math.IsNaN(both) && !math.IsInf(both, 0) && !experiments.Near(rmse, both, momentTolerance*both) {
		return fmt.Errorf("its rmse is %v, and its bias %v and its sd %v make %v", rmse, bias, sd, both)
	}
	return nil
}

// Measured: how many times as long as a solution by the general method of as many steps as the work pays for a law takes, and seconds
// beside it.
const (
	lawCost   = 30
	lawStart  = 5e-3
	perUpdate = 50 // evaluations of log f that pay for a distribution
)

// cost is the Cost of the study. Settings come from the work: a step of annealing costs some dozens of evaluations.
func cost(s experiments.Size) experiments.Cost {
	step := s.General.Seconds / max(1, float64(s.Distributions-1))
	steps := 1 + float64(s.Params.Int(paramWork))/perUpdate
	return experiments.Cost{Seconds: lawStart + lawCost*step*steps, Bytes: 2*s.General.Bytes + 100e6}
}
