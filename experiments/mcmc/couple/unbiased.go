package couple

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/exact/meeting"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/columns"
)

// UnbiasedRow compares the unbiased estimator of one function, for a coupling, a lag, and a k and
// m, with one long chain.
type UnbiasedRow struct {
	samplers.Setting // without a number of samples
	Coupling         string
	Lag              int
	Rule             string // by which k was chosen
	meeting.Unbiased
	MeanTau number.Bounded
	Note    string
	failed  error // the reason why there are no numbers; else nil
	// Every has the estimator with each k up to m: for figures, in the row of the first rule for
	// each m of at most maxTries; else nil.
	Every []meeting.Unbiased
}

// UnbiasedOptions are the options of the study of the unbiased estimator.
type UnbiasedOptions struct {
	Couplings []string
	Lags      []int
	K         []string // rules: a number, best or q99
	M         []int
}

// Rules for k.
const (
	bestK     = "best" // the k with the least loss
	quantileK = "q99"  // the 99% quantile of tau, as is often advised
)

const (
	maxM = 10_000
	// maxTries bounds m for which all k are tried.
	maxTries = 1000
)

func (o *UnbiasedOptions) validate() error {
	err := known(o.Couplings, o.Lags)
	if err == nil && (len(o.K) == 0 || len(o.M) == 0) {
		err = errs.New("no k or no m; give at least one of each")
	}
	for _, rule := range o.K {
		err = cmp.Or(err, knownRule(rule))
	}
	return err
}

// knownRule fails if a text is no rule for k.
func knownRule(rule string) error {
	if rule == bestK || rule == quantileK {
		return nil
	}
	if k, err := strconv.Atoi(rule); err != nil || k < 0 || k > maxM {
		return errs.New(
			"{k} %q; give a number from 0 to %d, %s for the least loss or %s for the 99%% quantile of the meeting time",
			rule,
			maxM,
			bestK,
			quantileK,
		)
	}
	return nil
}

// standardRules are those by which k is chosen unless others are listed. One that a chain cannot
// have is a row with a note, and an error only if it was listed.
func standardRules() []string { return []string{bestK, quantileK} }

// Estimator declares the study of the unbiased estimator.
func Estimator() *study.Study[samplers.Problem, UnbiasedOptions, UnbiasedRow] {
	m := subject.Whole("m", "the last step of the average", 0, maxM, 50)
	k := subject.Parameter{
		Name: "k", Doc: "the first step of the average: a number, best or q99", Defaults: subject.Just(bestK),
		Canonical: func(text string) (string, error) { return text, knownRule(text) },
	}
	return study.New(UnbiasedOptions{
		Couplings: []string{"rows-comonotone"},
		Lags:      []int{1, 10},
		K:         standardRules(),
		M:         []int{100},
	},
		unbiasedPlan, study.Declaration{
			Says: columns.Sentence{
				Least: "loss",
				Text: "{toy}: unbiased estimates by {kernel}, {coupling} and lag {lag} take {loss} times " +
					"the moves of one long chain",
			},
			Name:    "couple unbiased",
			Smaller: alone,
			Most:    meeting.MaxStates,
			Asks:    "What does an unbiased estimate cost? Coupled chains against one long chain",
			Help: `unbiased gives the exact variance and cost of the unbiased estimator of Jacob,
O'Leary and Atchade (2020).

It averages h(X_t) over k <= t <= m, and adds a correction that goes on until
two chains with lag L meet. Its mean is exact if the chain converges to the
target; otherwise a note gives the bias. loss is cost in moves times variance,
divided by the asymptotic variance: 1 is one long chain without burn-in. k is a
number, best for the least loss, or q99 for the 99% quantile of the meeting
time.

See breadboard help couplings.`,
			Examples: `  breadboard couple unbiased
  breadboard couple unbiased --toy random:2:7:3x3 --kernel heatbath --function g --lag 1,12 --k best,q99 -m 60`,
			Counts: "estimators", Workers: true,
			Options: study.OptionsOf(func(o *UnbiasedOptions) []study.Option {
				return []study.Option{
					couplingOption(&o.Couplings, couplingNames()),
					lagOption(&o.Lags),
					{Name: "k", Letter: "k", Swept: &k,
						To: study.Texts(&o.K)},
					{Name: "m", Letter: "m", Swept: &m,
						To: study.Wholes(&o.M, "m", 0, maxM)},
				}
			}),
			Columns: unbiasedColumns(),
			Cost:    cost,
			View:    reports.Untyped(unbiasedReport),
			About: &samplers.Chains{OfFunctions: true, Selection: samplers.Selection{
				Toys:      []string{"random:2:7:3x3", "barrier:3x3"},
				Kernels:   samplers.BothKernels(),
				Starts:    []string{"uniform"},
				Functions: []string{"g"},
			}},
			Swept: &study.Swept{
				Parameters: append(samplers.ChainParameters("uniform"), samplers.FunctionParameter()),
				Build:      samplers.Build,
				Subject:    samplers.Subject,
				Note:       study.NoteOf(func(r *UnbiasedRow) (string, error) { return r.Note, nil }),
			},
		})
}

func unbiasedPlan(_ context.Context, problems []samplers.Problem,
	o *UnbiasedOptions) (study.Plan[UnbiasedRow], error) {
	if err := o.validate(); err != nil {
		return study.Plan[UnbiasedRow]{}, err
	}
	for i := range problems {
		for _, f := range problems[i].Functions {
			if !f.IsScalar() {
				return study.Plan[UnbiasedRow]{}, errs.New(
					"function %s is a vector, and the estimator is for numbers; give its components",
					f.Name,
				)
			}
		}
	}
	return study.WithFailed(study.Jobs(eachCoupling(problems, o.Couplings, len(o.Lags), o.rows)),
		func(r *UnbiasedRow) error { return nameProblem(r.Problem, r.failed) }), nil
}

func (o *UnbiasedOptions) rows(ctx context.Context, p *samplers.Problem, name string,
	h study.How) ([]UnbiasedRow, error) {
	row := func(start samplers.Start, f samplers.Function, lag int, rule string) UnbiasedRow {
		return UnbiasedRow{
			Setting:  samplers.Setting{Problem: p, Start: start, Function: f},
			Coupling: name,
			Lag:      lag,
			Rule:     rule,
		}
	}
	without := func(r UnbiasedRow, m int, err error) UnbiasedRow {
		nan := math.NaN()
		r.Unbiased = meeting.Unbiased{
			K:        -1,
			M:        m,
			Bias:     nan,
			Variance: nan,
			Plain:    nan,
			Cost:     nan,
			Loss:     number.Exactly(nan),
		}
		r.MeanTau, r.Note, r.failed = number.Exactly(nan), noteOf(err), err
		return r
	}
	return eachLaw(ctx, p, name, o.Lags, h,
		func(start samplers.Start, solved *meeting.Solved, law *meeting.Law) (rows []UnbiasedRow, err error) {
			note := remarks(p, solved, law.Floor)
			o.eachRule(p, func(f samplers.Function, m int, rule string) {
				r := row(start, f, law.Lag, rule)
				r.MeanTau = law.Bounded(law.Mean)
				r.Note = note
				r.Unbiased, err = chosen(ctx, law, f, rule, m)
				if err != nil {
					r = without(r, m, err)
				}
				if slices.Equal(o.K, standardRules()) {
					r.failed = nil
				}
				if err == nil && math.IsNaN(r.Variance) {
					r.Note = strings.TrimPrefix(
						r.Note+"; the variance is above 1.8e308, the largest floating-point number",
						"; ",
					)
				}
				if law.Floor > 0 && math.Abs(r.Bias) > max(law.Floor*1e-9, meeting.Rounding*math.Sqrt(r.Variance)) {
					r.Note += fmt.Sprintf("; the estimate has a bias of %.4g standard deviations of the function",
						r.Bias)
				}
				if rule == o.K[0] && h.Figures && m <= maxTries && err == nil {
					r.Every, err = law.EveryK(ctx, f.Parts[0], m)
				}
				rows = append(rows, r)
			})
			return rows, nil
		}, func(start samplers.Start, lag int, err error) (rows []UnbiasedRow) {
			o.eachRule(p, func(f samplers.Function, m int, rule string) {
				rows = append(rows, without(row(start, f, lag, rule), m, err))
			})
			return rows
		})
}

// eachRule calls do for each function, m and rule.
func (o *UnbiasedOptions) eachRule(p *samplers.Problem, do func(f samplers.Function, m int, rule string)) {
	for _, f := range p.Functions {
		for _, m := range o.M {
			for _, rule := range o.K {
				do(f, m, rule)
			}
		}
	}
}

// chosen returns the estimator with the k of a rule. It fails for a k above m.
func chosen(ctx context.Context, law *meeting.Law, f samplers.Function, rule string,
	m int) (meeting.Unbiased, error) {
	k, _ := strconv.Atoi(rule)
	switch rule {
	case bestK:
		if m > maxTries {
			return meeting.Unbiased{}, errs.New(
				"{k} best tries all k up to m, and m is %d; give an m of at most %d, or a k",
				m,
				maxTries,
			)
		}
		return law.BestK(ctx, f.Parts[0], m)
	case quantileK:
		var err error
		k, err = law.Quantile(ctx, 0.99, maxM+1)
		if err != nil {
			return meeting.Unbiased{}, err
		}
		if k > maxM {
			return meeting.Unbiased{},
				errs.New("{k} q99 is above %d, the largest m; give a number as {k}, or a coupling or kernel "+
					"whose chains meet sooner (mean meeting time %s)",
					maxM, number.Plain(law.Mean, 4))
		}
		if k > m {
			return meeting.Unbiased{}, errs.New(
				"{k} q99 is %d at {lag} %d, above m = %d; the average goes from k to m: give {m} %d or more, "+
					"and {k} q99 alone",
				k,
				law.Lag,
				m,
				k,
			)
		}
	}
	if k > m {
		return meeting.Unbiased{}, errs.New("{k} %d is above m = %d; the average goes from k to m", k, m)
	}
	return law.Unbiased(ctx, f.Parts[0], k, m)
}

// unbiasedColumns lists the columns of the study of the unbiased estimator.
func unbiasedColumns() columns.List {
	plain := func(name, title, meaning string, low float64, of func(*UnbiasedRow) float64) columns.Field {
		return columns.Of(name, title, meaning, of).OrEmpty().Within(low, math.Inf(1)).Missing().Shown()
	}
	own := columns.List{
		columns.Of("coupling", "coupling", "the coupling of the two chains",
			func(r *UnbiasedRow) string { return r.Coupling }),
		columns.Of("lag", "lag", "by how many moves the first chain is ahead",
			func(r *UnbiasedRow) int { return r.Lag }),
		columns.Of("m", "m", "the last step of the average", func(r *UnbiasedRow) int { return r.M }),
		columns.Of("rule", "rule", "how k was chosen: best, q99 or a number",
			func(r *UnbiasedRow) string { return r.Rule }),
		plain("chosen_k", "k", "the first step of the average", 0, func(r *UnbiasedRow) float64 {
			if r.Unbiased.K < 0 {
				return math.NaN()
			}
			return float64(r.Unbiased.K)
		}).Answer(),
		plain("cost", "cost", "the mean number of moves of one chain", 0,
			func(r *UnbiasedRow) float64 { return r.Cost }).Answer(),
		plain("variance", "variance",
			"the variance of the estimate, over the function's", 0,
			func(r *UnbiasedRow) float64 { return r.Variance }).Answer(),
		columns.Of("loss", "loss",
			"the estimator's moves over those of one long chain with the same error",
			func(r *UnbiasedRow) number.Bounded { return r.Loss }).OrEmpty().Within(
			0,
			math.Inf(1),
		).Missing().Shown().Answer(),
		plain("plain_bias", "plain bias",
			"the bias of the plain average over k..m, in the function's standard deviations", math.Inf(-1),
			func(r *UnbiasedRow) float64 { return r.Plain }),
		columns.Of("mean_meeting_time", "meeting time", "the mean meeting time, in moves of the first chain",
			func(r *UnbiasedRow) number.Bounded { return r.MeanTau }).OrEmpty().Within(
			0,
			math.Inf(1),
		).Missing().Shown(),
		columns.Note(func(r *UnbiasedRow) string { return r.Note }),
	}
	setting := (*UnbiasedRow).TheSetting
	return slices.Concat(samplers.SettingColumns(setting, "toy", "kernel", "start", "function"),
		own, samplers.SettingColumns(setting, "warmup"))
}
