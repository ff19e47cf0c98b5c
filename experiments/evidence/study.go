package evidence

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"breadboard/chains/selector"
	"breadboard/experiments"
	"breadboard/experiments/study"
)

// Study declares the study. Its sweeps have no T, since the number of distributions comes from the work.
func Study() *study.Study[experiments.Case, Options, Row] {
	estimator := experiments.Parameter{
		Name: "estimator", Doc: "the estimator: " + strings.Join(Forms().Syntaxes(), ", "), Defaults: experiments.Just("ais"),
		Canonical: func(text string) (string, error) {
			c, err := Parse(text)
			return c.Name, err
		},
	}
	work := experiments.Whole(paramWork, "evaluations of log f and exact draws that an estimate may cost", 1, MaxWork, 10, 100, 1000)
	trials := experiments.Whole("trials", "independent estimates that are combined to one", 1, MaxTrials, 1)
	return &study.Study[experiments.Case, Options, Row]{
		Name: "evidence",
		Asks: "How wrong are estimates of the marginal likelihood? Their exact laws, at equal work",
		Help: `evidence gives the exact law of estimators of Z = Z_T/Z_1, the marginal likelihood of a model whose prior is the start of
the annealing and whose joint density is its target (Grosse, Ghahramani and Adams 2015): mean, bias and standard deviation of
log Zhat, the root of the mean squared error, log E Zhat, and how likely an overestimate by more than 1 nat is.

Every estimator gets as much work as --work says, counted in evaluations of log f as of a black box, and in exact draws: it
takes the largest setting that costs no more, such as the number K of draws or T of distributions, or its smallest setting
if even that costs more. The column work is the actual cost. Estimators without a setting, or with a given one, have one row.
If several values of --work pay for the same setting they share a row, and a note says so.
breadboard evidence list lists the estimators; all stands for those that can be used on a toy, and the others are named on
standard error. A setting of your own stands behind the estimator: lw:K=100, ais:T=50, cms:first:K=10, ns:K=5 or
ns:2:together:M=3; the row then has that one, whatever --work says. A named estimator that a toy cannot take has a row that
says why.

--trials 25 combines 25 independent estimates to one, as footnote 5 of the paper does: estimates that are unbiased are
averaged, those whose reciprocals are unbiased are combined by their harmonic mean, lower bounds by their maximum, and nested
sampling by the mean of log Zhat. The column work is then the cost of all of them together.

Columns: needs exact draw says that an estimator takes exact draws, of the posterior or of the prior above a likelihood, which
nobody has on real data; bound says on which side of log Z the mean of log Zhat is for certain, lower or upper. bias is mean - log_z_ratio, with the digits that subtraction would lose; log_mean_z is log E Zhat; p_above_1 is
P(log Zhat > log Z + 1); --above 0.5,2 makes a second table of P(log Zhat > log Z + b) for those b, beside exp(-b), which
no estimate whose mean is Z exceeds. Where no exact route exists a number is NaN and note says why; where the law of a row cannot be
computed at all error says why. --chains N runs each estimator N times and puts the mean of log Zhat beside the exact one.

--sort rmse puts the rows of each toy in the order of their errors. A line below the table names the estimator with the
smallest error among those that need no exact draws, and so can be used on real data. --quick takes the works 10 and 100 alone, which are seconds where 1000 takes minutes.

With --out it also draws bias and root mean squared error against work, the laws of log Zhat, and where nested sampling is
among the estimators its bias against K and M for every way to break ties.`,
		Examples: `  breadboard evidence
  breadboard evidence --toy clu8,easy --estimator all --work 10,100,1000 --out results
  breadboard evidence --toy easy --estimator lw --trials 1,25
  breadboard evidence --toy model:points.toml --quick --sort rmse
  breadboard evidence --toy easy --estimator cms:K=1,cms:K=10,ais:T=50 --above 0.5,1,2
  breadboard evidence list
  breadboard selfcheck evidence --mutants`,
		Counts: "laws of estimators", Workers: "number of computations at once",
		Standard: Options{Estimators: []string{All}, Work: []float64{10, 100, 1000}, Trials: []int{1}, Seed: 1},
		Options: []study.Option[Options]{
			{
				Name: "estimator", Doc: "estimators, also by repeating the flag: all, " + strings.Join(Forms().Syntaxes(), ", ") + "; also with a setting, as cms:K=10", Complete: complete, Swept: &estimator,
				Value: func(o *Options) study.Value { return study.Texts(&o.Estimators) },
			},
			{
				Name: "work", Doc: "what an estimate may cost, in evaluations of log f and exact draws", Swept: &work,
				Value: func(o *Options) study.Value { return study.Numbers(&o.Work) },
			},
			{Name: "quick", Doc: "the works 10 and 100 alone, which take seconds", Value: func(o *Options) study.Value { return study.Switch(&o.Quick) }},
			{
				Name: "trials", Doc: "numbers of independent estimates that are combined to one", Swept: &trials,
				Value: func(o *Options) study.Value { return study.Wholes(&o.Trials, "N", 1, MaxTrials) },
			},
			{Name: "above", Doc: "numbers b of nats, for a table of P(log Zhat > log Z + b)", Value: func(o *Options) study.Value { return study.Numbers(&o.Above) }},
			{
				Name: "sort", Doc: "rmse for the rows of each toy in the order of their errors; else that of the estimators",
				Value: func(o *Options) study.Value { return study.Text(&o.Sort) },
			},
			{Name: "chains", Doc: "number of runs of each estimator; 0 is none", Value: func(o *Options) study.Value { return study.Whole(&o.Runs, "N", 2, experiments.MaxNumber) }},
			{Name: "seed", Doc: "seed of the runs, 0 to 2^64-1", Value: func(o *Options) study.Value { return study.Seed(&o.Seed) }},
		},
		Columns: fields(), Plan: planOf,
		Swept: &study.Swept[experiments.Case, Row]{
			Main: "rmse",
			Parameters: experiments.WithDefaults(experiments.Common("toy", "path", "initial", "schedule", "kernel"),
				map[string][]string{"toy": DefaultToys(), "schedule": {DefaultSchedule}, "kernel": {gridKernel}}),
			Stored:  []string{"log_z_ratio", "mean", "bias", "sd", "rmse", "log_mean_z", "p_above_1", "cost"},
			Subject: study.TheCase, Note: note, Check: contradiction, Cost: cost,
		},
	}
}

// paramWork is the name of the parameter of works.
const paramWork = "work"

// complete completes the selector of an estimator, or All.
func complete(typed string, beyond selector.Beyond) []selector.Completion {
	list := Forms().Complete(typed, beyond)
	if strings.HasPrefix(All, typed) {
		list = append(list, selector.Completion{Text: All, Doc: "every estimator that the toy can take"})
	}
	return list
}

// note says what the numbers of a row cannot, its setting first. A law that cannot be computed is an error.
func note(r *Row) (string, error) {
	if r.Error != "" {
		return "", fmt.Errorf("estimator %s: %s", r.Estimator, r.Error)
	}
	var notes []string
	if r.Settings != "" {
		notes = []string{r.Settings}
	}
	return strings.Join(slices.Concat(notes, r.Notes, r.NotesAbove), "; "), nil
}

// momentTolerance is the relative error to which moments that are computed from one another agree.
const momentTolerance = 1e-9

// contradiction: the bias is the mean less log Z, and the squared error is that of bias and deviation.
func contradiction(k study.Kept) error {
	logZ, mean, bias, sd, rmse := k.Get("log_z_ratio"), k.Get("mean"), k.Get("bias"), k.Get("sd"), k.Get("rmse")
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

// cost estimates what a row takes. Settings come from the work: a step of annealing costs some dozens of evaluations.
func cost(s experiments.Size) experiments.Cost {
	step := s.General.Seconds / max(1, float64(s.Distributions-1))
	steps := 1 + float64(s.Params.Int(paramWork))/perUpdate
	return experiments.Cost{Seconds: lawStart + lawCost*step*steps, Bytes: 2*s.General.Bytes + 100e6}
}
