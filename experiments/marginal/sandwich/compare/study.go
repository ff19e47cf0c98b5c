// Package compare answers: how wrong is each estimator of the marginal likelihood of data of any
// size, and how long does it take? It never prints, draws or reads flags. A comparison of
// estimators is a sweep of the study of package sandwich, whose results it summarises.
//
// Each estimator has one knob, which takes increasing values within the budget of one estimator on
// one data set, with some independent trials at each value. The ground truth is the middle of
// annealing forward and in reverse with the largest T of both. The trials that define it have no
// error against it.
//
// The budget is in estimated seconds of the machine of the README, so that the same question always
// has the same trials. The printed times are measured.
//
// Source: Grosse, Ghahramani and Adams 2015, sections 6.2 to 6.4.
//
// # Models fitted to the data of each other
//
// Crossed answers: do marginal likelihoods identify the model that made the data? Data are drawn
// from each of some models with known hyperparameters, and all models are fitted to all data, with
// their hyperparameters in the state. It never prints, draws or reads flags.
//
// Only annealing from the prior is possible: a model that did not make the data has no exact draw.
// The mean log weight and the logarithm of the mean weight are below log p(y) on average, by an
// unknown amount. If they are nevertheless largest for the model that made the data, that model is
// favoured.
//
// Models are compared by the logarithm of the mean weight, as in footnote 5 of that article. The
// mean log weight of low rank models has no finite expectation: variances with the inverse gamma
// prior of shape one have no mean, so that the log likelihood at a draw from the prior has none
// either. A chain that starts at a huge variance loses thousands of nats in its first steps, which
// spoils the mean log weight of all chains but not the mean of their weights.
//
// Source: Grosse, Ghahramani and Adams 2015, section 6.3 and Table 1.
//
// # Measured data
//
// FitStudy answers: does an algorithm that was judged on simulated data behave in the same way on
// measured data? It never reads files, prints or draws.
//
// The marginal likelihood of measured data has no upper end, since their posterior has no known
// exact draw. So similar data are simulated: the hyperparameters are inferred from the measured
// data, and parameters and data of the same size are drawn with these. Annealing forward runs on
// both, and should behave alike. In reverse it runs on the simulated data alone, from the
// hyperparameters and parameters that made them, after S transitions that leave the posterior of
// both invariant. That start is no exact draw, since the hyperparameters are not drawn from their
// prior. If reverse chains do not depend on S, this matters little.
//
// All estimates are in nats.
//
// Source: Grosse, Ancha and Roy 2016, sections 3.2, 5.1.1 and 5.1.2, and Appendices C and D.
//
// # Representations
//
// Representations answers: in which representation of a model is annealing best, by number of steps
// and by time, at sizes that cannot be enumerated? It never prints, draws or reads flags.
//
// The representations of a model differ in the variables that are integrated out. They have the
// same data, the same p(y) and the same exact draw from the posterior, so that their bounds B =
// upper - lower can be compared. Since p(y) is the same, no lower end may be above any upper end by
// more than chance; this is tested.
//
// Package represent does the same exactly, for models whose states can be enumerated.
//
// Source: Grosse, Ancha and Roy 2016, section 5.2.1 and figure 2.
package compare

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"breadboard/chains"
	"breadboard/experiments/marginal/sandwich"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/experiments/sweeps/sweep"
	"breadboard/reports"
	"breadboard/reports/columns"
	"breadboard/reports/table"
)

// Study declares the study that compares estimators.
func Study() *study.Study[study.NoSubjects, Options, Row] {
	return study.New(Options{
		Models:   []string{"clustering"},
		Rows:     sandwich.DefaultRows,
		Columns:  sandwich.DefaultColumns,
		Datasets: 1,
		Trials:   defaultTrials,
		Budget:   0.2,
		Seed:     1,
	}, trialsPlan, study.Declaration{
		Name: "sandwich compare",
		Asks: "How wrong is each estimator of log p(y), and how long does it take?",
		Help: `compare shows how wrong each estimator of log p(y) is and how long it takes,
against the ground truth of simulated data (Grosse, Ghahramani and Adams 2015,
sections 4 to 6).

Each estimator has a setting, which takes the values 1, 3, 10, 30 and so on
within --time. The ground truth is the middle of forward and reverse annealing
with the largest T. first below 10 nats is the time of the first setting with
an error below 10 nats, which tells models apart. exact start marks estimators
that need an exact draw, which measured data lack. With --out the trials are a
sweep in DIR/trials, which the same command resumes.

See breadboard help logz.`,
		Examples: `  breadboard sandwich compare
  breadboard sandwich compare --model clustering,lowrank --time 60s --out results
  breadboard sandwich compare --estimator ais,smc,ns --datasets 8 --time 10s --format csv
  breadboard sandwich compare --estimator ns,ns:5,ns:20 --time 5s --table rows`,
		Counts: "trials", Workers: true,
		Options: study.OptionsOf(func(o *Options) []study.Option {
			return slices.Concat([]study.Option{
				sandwich.ModelsOption(&o.Models),
				{
					Name: "estimator",
					Doc:  ", as ais or ns:5; vb:truth starts from the state that made the data (default all)",
					To:   study.Texts(&o.Estimators),
				},
				{Name: "time", Doc: ", for each estimator and data set",
					To: study.Seconds(&o.Budget)},
				study.CountOption("chains", "at each setting", &o.Trials, nil),
				study.CountOption("datasets", "of each model", &o.Datasets, nil),
				study.SeedOption(&o.Seed, nil),
			},
				sandwich.SizeOptions(&o.Rows, &o.Columns),
			)
		}),
		Columns: rowColumns(),
		View:    reports.Untyped(Report),
		Tables: func(own reports.Schema) []reports.Schema {
			return []reports.Schema{
				{Table: "sandwich_compare", Of: table.Empty(thresholdColumns())},
				{Table: "sandwich_compare_rows", Of: own.Of},
			}
		},
		Unswept: "it is itself a sweep of the single trials of all estimators",
	})
}

// trialsPlan makes the trials in memory.
func trialsPlan(_ context.Context, _ []study.NoSubjects, o *Options) (study.Plan[Row], error) {
	plan, err := o.Plan(trials())
	if err != nil {
		return study.Plan[Row]{}, err
	}
	steps := plan.Sweep.Len()
	return study.Plan[Row]{Steps: steps, Run: func(ctx context.Context, h study.How) ([]Row, error) {
		merged, err := sweep.Solve(ctx, plan.Sweep, h.Workers, func() { h.Add(1) })
		if merged == nil {
			return nil, err
		}
		if err != nil {
			err = subject.NewUnfinished(len(merged.Rows), steps, err)
		}
		rows, invalid := Rows(merged.Rows)
		return rows, cmp.Or(err, invalid)
	}}, nil
}

// Run makes the missing trials of a folder, and returns the rows of all trials, also if the context
// ends before all are made.
func (p *Plan) Run(ctx context.Context, dir string, o sweep.Options) ([]Row, sweep.Account, error) {
	account, err := sweep.Run(ctx, p.Sweep, dir, o)
	if err != nil && !chains.Ended(ctx, err) {
		return nil, account, err
	}
	merged, mergeErr := sweep.Merge(trials(), dir)
	if mergeErr != nil { // the context may have ended before the first trial
		return nil, account, cmp.Or(err, mergeErr)
	}
	rows, invalid := Rows(merged.Rows)
	return rows, account, cmp.Or(err, invalid)
}

// rowColumns are the columns of the study.
func rowColumns() columns.List {
	number := func(name, unit, meaning string, of func(*Row) float64) columns.Field {
		return columns.Estimated(name, strings.ReplaceAll(name, "_", " "), meaning, of).OrEmpty().In(unit)
	}
	return columns.List{
		sandwich.Column("model", func(r *Row) any { return r.Model }),
		sandwich.Column("rows", func(r *Row) any { return r.Rows }),
		sandwich.Column("columns", func(r *Row) any { return r.Columns }),
		columns.Of("data", "data", "the number of the data set", func(r *Row) int { return r.Data }),
		columns.Of("estimator", "estimator", "the estimator", func(r *Row) string { return r.Estimator }),
		columns.Of("knob", "", "what is varied: T, K, M or R", func(r *Row) string { return r.Knob }),
		columns.Of("setting", "setting", "the value of the knob", func(r *Row) int { return r.Setting }),
		columns.Of("trials", "trials", "the number of independent trials", func(r *Row) int { return r.Trials }),
		number("mean", "nats", "the mean of their estimates of log p(y)",
			func(r *Row) float64 { return r.Mean }),
		number("mean_se", "nats", "the standard error of mean", func(r *Row) float64 { return r.SE }),
		number("sd", "nats", "the standard deviation of the estimates", func(r *Row) float64 { return r.SD }),
		number("truth",
			"nats", "the ground truth: the middle of both directions of annealing with the largest T",
			func(r *Row) float64 { return r.Truth }),
		number("truth_doubt", "nats", "half the distance between the two directions",
			func(r *Row) float64 { return r.Doubt }),
		number("truth_se", "nats",
			"the standard error of truth over chains",
			func(r *Row) float64 { return r.TruthSE }),
		number("bias", "nats", "mean - truth", func(r *Row) float64 { return r.Bias }),
		number("rmse", "nats",
			"the root mean squared error of a trial; empty for trials that define the truth",
			func(r *Row) float64 { return r.RMSE }).Answer(),
		columns.Of("combination",
			"", "how all trials are combined",
			func(r *Row) string { return r.Combination.String() }),
		number("combined", "nats", "the estimate that combines all trials",
			func(r *Row) float64 { return r.Combined }),
		number("combined_error", "nats", "combined - truth; empty for trials that define it",
			func(r *Row) float64 { return r.CombinedError }),
		number("above_1", "", "the fraction of trials more than 1 nat above the truth",
			func(r *Row) float64 { return r.Above1 }),
		number("above_3", "", "the fraction of trials more than 3 nats above the truth",
			func(r *Row) float64 { return r.Above3 }),
		number("work", "", "the mean number of evaluations of log f of a trial",
			func(r *Row) float64 { return r.Work }),
		number("seconds", "s", "the median wall-clock time of a trial",
			func(r *Row) float64 { return r.Seconds }),
		number("steps", "", "the mean number of steps of nested sampling",
			func(r *Row) float64 { return r.Steps }),
		columns.Of("note", "note", columns.MeansNote,
			func(r *Row) string { return strings.Join(r.Notes, "; ") }).Prose(),
	}
}
