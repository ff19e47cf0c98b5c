// Package evidence answers: how wrong are estimators of the marginal likelihood on a target, on
// which side, and at what cost? It gives every estimator the largest setting within a budget of
// work, and computes the exact distribution of its result. It never prints, draws or reads flags.
//
// # What is computed
//
// An estimator returns Z-hat, an estimate of Z = Z_T/Z_1; if the annealing starts from the prior of
// a model, Z is the marginal likelihood of the data. Its bias is E log Z-hat - log Z, and its RMSE
// the root of E (log Z-hat - log Z)^2, all in nats. By Jensen's inequality the logarithm of an
// unbiased estimate of Z is too low on average, and of 1/Z too high: AIS and its reverse bracket
// log Z.
//
//	$ breadboard evidence --toy clu8 --estimator lw,hme,ais,rais,cms,ns,vb --work 100 --columns estimator,settings,work,bound,bias,sd,rmse
//	 estimator │ settings   │  work │ bound │ bias (nats) │ sd (nats) │ RMSE (nats)
//	───────────┼────────────┼───────┼───────┼─────────────┼───────────┼─────────────
//	 lw        │ K=100      │   100 │ lower │     -0.7689 │     1.733 │       1.896
//	 hme       │ K=50       │   100 │ upper │       2.885 │     1.293 │       3.162
//	 ais       │ T=13       │    97 │ lower │      -1.213 │     1.741 │       2.122
//	 rais      │ T=13       │    98 │ upper │      0.9522 │     1.216 │       1.544
//	 cms       │ K=6        │    96 │ lower │     -0.6931 │   0.01025 │      0.6932
//	 ns        │ K=9        │ 96.34 │ none  │      0.2342 │    0.6443 │      0.6855
//	 vb        │ restarts=1 │ 300.1 │ lower │      -1.011 │    0.9596 │       1.394
//
// Work counts evaluations of log f (as a black box) and exact draws. Every estimator takes the
// largest setting within the budget, or its smallest one if that costs more; the column work is the
// mean cost.
//
// # A small spread can hide a large bias
//
// The two clusters of clu8 are exchangeable: exchanging their labels does not change the
// probability of a state. The Chib-Murray-Salakhutdinov estimator, from a chain that stays near one
// of the two modes, finds half of Z. Its spread is small and does not show this.
//
//	$ breadboard evidence --toy clu8 --estimator cms --work 48,1000 --columns estimator,settings,work,bias,sd,rmse
//	 estimator │ settings │ work │ bias (nats) │ sd (nats) │ RMSE (nats)
//	───────────┼──────────┼──────┼─────────────┼───────────┼─────────────
//	 cms       │ K=3      │   48 │     -0.6931 │  0.009543 │      0.6932
//	 cms       │ K=62     │  992 │     -0.6929 │   0.01923 │      0.6931
//
// # Nested sampling and ties
//
// Particles of equal likelihood, which continuous models do not have, must be ordered. A random
// label orders them, and the volumes 1 - 1/K then make the estimate unbiased. If draws are strictly
// above the level instead, the volume shrinks faster than the estimator assumes, and more particles
// do not correct this.
//
//	$ breadboard evidence --toy barrier --estimator ns:2,ns:100,ns:2:label:unbiased,ns:100:strict --columns estimator,bias,sd,rmse
//	 estimator           │ bias (nats) │ sd (nats) │ RMSE (nats)
//	─────────────────────┼─────────────┼───────────┼─────────────
//	 ns:2                │      0.3099 │    0.6378 │      0.7091
//	 ns:100              │    0.008208 │    0.1115 │      0.1118
//	 ns:2:label:unbiased │     -0.4108 │    0.9327 │       1.019
//	 ns:100:strict       │       0.599 │   0.05861 │      0.6018
//
// # What combining gains
//
// Several estimates are combined as in footnote 5 of Grosse, Ghahramani and Adams (2015): by the
// mean of Z-hat if that is unbiased, by the harmonic mean if 1/Z-hat is, by the largest of lower
// bounds, and by the mean of log Z-hat for nested sampling.
//
//	$ breadboard evidence --toy clu4 --estimator ais,rais,vb --work 10 --trials 1,25 --columns estimator,combined,work,bias,sd,rmse
//	 estimator │ combined      │  work │ bias (nats) │ sd (nats) │ RMSE (nats)
//	───────────┼───────────────┼───────┼─────────────┼───────────┼─────────────
//	 ais       │               │     9 │  -0.0001034 │   0.01435 │     0.01435
//	 ais       │ 25 arithmetic │   225 │   -4.167e-6 │  0.002886 │    0.002886
//	 rais      │               │    10 │   0.0001038 │   0.01444 │     0.01444
//	 rais      │ 25 harmonic   │   250 │    4.119e-6 │   0.00287 │     0.00287
//	 vb        │               │  39.5 │    -0.01819 │         0 │     0.01819
//	 vb        │ 25 maximum    │ 987.5 │    -0.01819 │         0 │     0.01819
//
// # Numbers without an exact method
//
// A number that is not known is NaN, and a note says what has to be smaller. If a whole
// distribution cannot be computed, the row has an error instead, and the other rows are complete.
// The probability of an overestimate by more than 1 nat is bracketed; the row has the middle, and a
// note the half width if that is above 1e-9. Runs are available for every estimator:
//
//	breadboard evidence --toy clu4 --estimator lw,cms:first,ns:2:together --work 30 --chains 1e4
//
// Source: Grosse, Ghahramani and Adams 2015, sections 3 to 6.
package evidence

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains/number"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/columns"
)

// Study declares the study. Its sweeps have no T, since the number of distributions comes from the
// work.
func Study() *study.Study[subject.Case, Options, Row] {
	estimator := subject.Parameter{
		Name:     "estimator",
		Doc:      "the estimator: " + strings.Join(Forms().Listing.Syntaxes(), ", "),
		Defaults: subject.Just("ais"),
		Canonical: func(text string) (string, error) {
			c, err := Parse(text)
			return c.Name, err
		},
	}
	work := subject.Whole(paramWork, "the budget of an estimate, in evaluations of log f and exact draws",
		1, maxWork, 10, 100, 1000)
	trials := subject.Whole("trials", "number of independent estimates that are combined into one", 1, maxTrials, 1)
	return study.New(Options{
		Estimators: []string{All},
		Work:       []float64{5, 20, 100},
		Trials:     []int{1},
		Seed:       1,
	}, planOf, study.Declaration{
		Says: columns.Sentence{
			Least: "rmse",
			Text: "{toy}: {estimator} ({settings}) has the smallest root mean squared error of log Zhat, " +
				"{rmse} nats, for {work} evaluations",
		},
		Name: "evidence",
		Asks: "How wrong are estimates of log Z at equal work?",
		Help: `evidence shows how wrong estimators of Z = Z_T/Z_1 are at equal work, exactly:
the bias, standard deviation and root mean squared error of log Zhat, and how
often it overestimates.

If the path starts from the prior of a model, Z is the marginal likelihood.
--work is the budget in evaluations of log f and exact draws. An estimator
takes the largest setting within the budget; to choose a setting, append it, as
in cms:K=10. Estimators that need exact draws cannot be used on real data. A
number without an exact method is empty, with a note; --chains runs the
estimators. breadboard help reference estimators explains them.

See breadboard help logz.`,
		Examples: `  breadboard evidence
  breadboard evidence --toy clu8,easy --estimator all --work 10,100,1000 --out results
  breadboard evidence --toy easy --estimator lw --trials 1,25
  breadboard evidence --toy easy --estimator cms:K=1,cms:K=10,ais:T=50 --above 0.5,1,2`,
		Counts: "distributions of estimators", Workers: true,
		Options: study.OptionsOf(func(o *Options) []study.Option {
			return []study.Option{
				{
					Name: "estimator", Doc: ", as ais, or cms:K=10 with its setting",
					Swept: &estimator,
					To:    study.Texts(&o.Estimators),
				},
				{
					Name: "work", Doc: "and exact draws", Swept: &work,
					To: study.Numbers(&o.Work),
				},
				{
					Name: "trials", Swept: &trials,
					To: study.Wholes(&o.Trials, "N", 1, maxTrials),
				},
				{Name: "above",
					To: study.Numbers(&o.Above)},
				{Name: "chains", Doc: "of each estimator; 0 for none",
					To: study.Whole(&o.Runs, "N", 0, subject.MaxNumber)},
				{Name: "seed", To: study.Seed(&o.Seed)},
			}
		}),
		Idle: study.IdleOf(
			func(on []subject.Case, o *Options) bool { return o.Runs == 0 && subject.Listed(on) },
			"seed",
		),
		Columns: fields(), Factored: true,
		Cost: cost,
		View: reports.Untyped(report),
		Tables: func(_ reports.Schema) []reports.Schema {
			return []reports.Schema{
				{Table: "evidence", Of: Table(nil)},
				{Table: "evidence_above", Of: aboveTable(nil)},
			}
		},
		Swept: &study.Swept{
			Parameters: subject.WithDefaults(subject.Common("toy", "path", "initial", "schedule", "kernel"),
				map[string][]string{
					"toy": DefaultToys(), "schedule": {DefaultSchedule}, "kernel": {gridKernel}}),
			Stored:  []string{"log_z_ratio", "mean", "bias", "sd", "rmse", "log_mean_z", "p_above_1", "work"},
			Subject: study.TheCase, Note: study.NoteOf(note),
		},
	})
}

// paramWork is the name of the parameter of works.
const paramWork = "budget"

// note returns the notes of a row, its setting first. A distribution that cannot be computed is an
// error.
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

// Measured: the time of a distribution relative to a solution by the general method with as many
// steps as the work pays for, plus seconds.
const (
	lawCost   = 20
	lawStart  = 5e-3
	allCost   = 140 // seconds of all estimators, relative to those of one
	perUpdate = 50  // evaluations of log f per distribution
)

// cost estimates the time and memory of a row. Settings depend on the work: a step of annealing
// costs some dozens of evaluations.
func cost(s subject.Size) subject.Cost {
	step := s.General.Seconds / max(1, float64(s.Distributions-1))
	work, _ := strconv.ParseFloat(s.Params.Get(paramWork), 64) // a plan refuses what is no number
	steps := 1 + work/perUpdate
	start := lawStart
	if s.Params.Get("estimator") == All {
		start = allCost * start
	}
	return subject.Cost{Seconds: start + lawCost*step*steps, Bytes: 2*s.General.Bytes + 100e6}
}

// fields lists the columns of the study; those of runs are empty if a row has none.
func fields() columns.List {
	anywhere := columns.Kept{Low: math.Inf(-1), High: math.Inf(1), Missing: true}
	positive := columns.Kept{High: math.Inf(1), Missing: true, Shown: true}
	shown := func(k columns.Kept) columns.Kept { k.Shown = true; return k }
	bounded := func(name, title string, k columns.Kept, meaning string,
		of func(*Row) number.Bounded) columns.Field {
		return columns.Of(name, title, meaning, of).OrEmpty().In("nats").Digits(4).Keep(k)
	}
	theCase := (*Row).TheCase
	return slices.Concat(subject.CaseColumns(theCase, "toy"),
		columns.List{
			columns.Of("estimator", "estimator", "the estimator",
				func(r *Row) string { return r.Estimator }),
			columns.Of("settings", "settings", "the setting within the budget, such as K=100",
				func(r *Row) string { return r.Settings }),
			columns.Of("combined", "combined", "how many estimates are combined and how, as 25 arithmetic",
				(*Row).Combined),
			columns.Of("work", "work",
				"the mean evaluations of log f and exact draws of all trials",
				func(r *Row) float64 { return r.Work }).Digits(4).Answer().Keep(
				columns.Kept{High: math.Inf(1), Missing: true, Shown: true},
			),
			columns.Of("emissions", "emissions",
				"evaluations of emission probabilities of a hidden Markov model",
				(*Row).emissions).Digits(4).OrEmpty(),
			columns.Of("needs_exact_draw", "needs exact draw",
				"whether it takes exact draws",
				func(r *Row) bool { return r.NeedsExactDraw }),
			columns.Of("bound", "bound",
				"whether E log Zhat is a bound on log Z: lower, upper, or none",
				func(r *Row) string { return string(r.Bound) }),
			bounded("log_z_ratio", "log Z", columns.Kept{Low: -math.MaxFloat64, High: math.MaxFloat64},
				"log Z, which is log(Z_T/Z_1)",
				func(r *Row) number.Bounded { return columns.LogRatio(r.LogZRatio) }).Absolute().Digits(0),
			bounded("mean", "E log Zhat", shown(anywhere), "the mean of log Zhat", func(r *Row) number.Bounded {
				return number.UpTo(r.Mean, r.BiasError+columns.LogRatio(r.LogZRatio).Error)
			}).Absolute().Digits(0),
			bounded("bias", "bias", shown(anywhere), "the mean of log Zhat minus log_z_ratio",
				func(r *Row) number.Bounded { return number.Bounded{Value: r.Bias, Error: r.BiasError} }).
				Answer(),
			bounded("sd", "sd", positive, "the standard deviation of log Zhat",
				func(r *Row) number.Bounded { return number.Bounded{Value: r.SD, Error: r.SDError} }),
			bounded("rmse", "RMSE", positive, "the root mean squared error of log Zhat",
				func(r *Row) number.Bounded { return number.Bounded{Value: r.RMSE, Error: r.RMSEError} }).
				Answer(),
			bounded("log_mean_z", "log E Zhat", anywhere, "log E Zhat, of all trials combined",
				func(r *Row) number.Bounded { return columns.LogRatio(r.LogMeanZ) }).Absolute().Digits(0),
			columns.Of("mean_over_z", "",
				"E Zhat/Z, of all trials combined", (*Row).meanOverZ).OrEmpty(),
			columns.Of("p_above_1", "P(> +1)", "P(log Zhat > log Z + 1)",
				func(r *Row) float64 { return r.PAbove1 }).Digits(4).Within(
				-exactBracket,
				1+exactBracket,
			).Missing().Shown(),
			columns.Of("method", "method",
				"how the distribution is computed; runs if the numbers are estimates from runs, or none",
				func(r *Row) string { return r.Method }),
		},
		columns.Lift(ofSample(), func(r *Row) *Sample { return r.Sample }),
		columns.List{
			columns.Of("error", "", "why there is no exact distribution; empty if there is one",
				func(r *Row) string { return r.Error }),
			columns.Note(func(r *Row) string { return strings.Join(slices.Concat(r.Notes, r.NotesAbove), "; ") }),
		}, subject.CaseColumns(theCase, "path", "initial", "schedule", "kernel"))
}

// emissions returns Emissions, and NaN if there are none.
func (r *Row) emissions() float64 {
	if r.Emissions == 0 {
		return math.NaN()
	}
	return r.Emissions
}

// ofSample lists the columns of the results of runs of an estimator.
func ofSample() columns.List {
	return columns.List{
		columns.Estimated("estimate_mean", "estimate (nats)", "the estimate from simulated runs of mean",
			func(s *Sample) float64 { return s.Mean }).Answer(),
		columns.Estimated("estimate_mean_se", "se (nats)",
			"the standard error of estimate_mean; empty if none were asked for",
			func(s *Sample) float64 { return s.StandardError }).Answer(),
		columns.Of("mean_over_z_se", "", "the standard error of mean_over_z, if runs estimate it",
			func(s *Sample) float64 { return s.OverZ }).OrEmpty(),
		columns.Of("z", "z", columns.MeansZ, func(s *Sample) float64 { return s.Z }).Digits(2),
	}
}

// paper is the source of the estimators.
const paper = "Grosse, Ghahramani and Adams 2015"
