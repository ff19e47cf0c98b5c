package samplers

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/selector"
	"breadboard/exact/averages"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/columns"
)

// ErrorsRow has the exact errors of averages over N samples. For the vector of all coordinates
// errors and their R are sums over the coordinates (Turner and Neal 2017, Eq. 5), and Bias is the
// length of the vector of biases.
type ErrorsRow struct {
	Setting
	Work float64 // evaluations of log f for N samples; NaN if the kernel does not state its cost

	Mean, SD, Kurtosis float64 // of the function under the target; NaN for a vector
	// Tau is the integrated autocorrelation time, to which N/RESS tends: for a vector the mean of
	// those of its coordinates. It is NaN if the chain is reducible.
	Tau number.Bounded

	RMean         float64        // one for a function, and the number of coordinates for a vector
	Bias, MSE     number.Bounded // of the chain's mean
	MSEStationary number.Bounded // the same error of chains that start at a draw of the target

	// RVariance, BiasVariance and MSEVariance are of the sample variance with divisor N - 1. NaN at
	// N = 1, and if it was omitted.
	RVariance                 float64
	BiasVariance, MSEVariance number.Bounded

	RCvM float64
	CvM  number.Bounded // of the Cramer-von Mises distance; NaN if it was omitted
	// RKS and KS2 are N E[KS^2] of N independent draws and E[KS^2], with KS the Kolmogorov-Smirnov
	// distance; NaN if they are too large to compute. KS2Low and KS2High bound the second.
	RKS                  float64
	KS2, KS2Low, KS2High number.Bounded

	Method   averages.Method
	Rounding float64 // about the relative error of these numbers by rounding
	Notes    []Note
	NotesRow []string // on this row alone: on KS2
}

// Note is a remark on the rows that share its subject About.
type Note struct{ About, Text string }

func (n Note) String() string { return n.About + ": " + n.Text }

// RESSMean, RESSStationary, RESSVariance, RESSCvM and RESSKS return the real effective sample sizes
// of the estimates: R over their mean squared error (Turner and Neal 2017, Eq. 4). RESSStationary
// is that of the mean of chains that start at a draw of the target.
func (r *ErrorsRow) RESSMean() number.Bounded { return number.Exactly(r.RMean).Over(r.MSE) }
func (r *ErrorsRow) RESSStationary() number.Bounded {
	return number.Exactly(r.RMean).Over(r.MSEStationary)
}
func (r *ErrorsRow) RESSVariance() number.Bounded {
	return number.Exactly(r.RVariance).Over(r.MSEVariance)
}
func (r *ErrorsRow) RESSCvM() number.Bounded { return number.Exactly(r.RCvM).Over(r.CvM) }
func (r *ErrorsRow) RESSKS() number.Bounded  { return number.Exactly(r.RKS).Over(r.KS2) }

// RESSOfConstant returns the RESS of the sample variance of a chain that never moves: the variance
// is zero, with error one for each coordinate.
func (r *ErrorsRow) RESSOfConstant() float64 { return r.RVariance / r.RMean }

// Efficiency returns RESS/N of the mean (Turner and Neal 2017, Eq. 6).
func (r *ErrorsRow) Efficiency() number.Bounded {
	return r.RESSMean().Over(number.Exactly(float64(r.N)))
}

// workPerRESS returns how many evaluations of log f the chain takes for each independent draw that
// its mean is worth.
func (r *ErrorsRow) workPerRESS() number.Bounded {
	return number.Exactly(r.Work / r.RMean).Times(r.MSE)
}

// auto stands for the fastest method that can answer.
const auto = "auto"

// methods returns the methods of Options.
func methods() []string {
	all := []string{auto}
	for _, m := range averages.Methods() {
		all = append(all, string(m))
	}
	return all
}

// What is estimated beside the mean, which always is.
const (
	mean         = "mean"
	variance     = "variance"
	distribution = "distribution"
)

// estimates returns the estimates whose errors can be asked for.
func estimates() []string { return []string{mean, variance, distribution} }

// ErrorsOptions are the options of Errors.
type ErrorsOptions struct {
	N []int64 // numbers of samples, in any order; each row has one
	// Estimates are the names, from Estimates, of the estimates whose errors are computed. The mean
	// always is. If there are no names all are computed, except those that are impossible, with a
	// note.
	Estimates []string
	Method    string // one of Methods; empty is Auto
}

// checkOptions fails if the options say something that no problem can answer.
func (o ErrorsOptions) checkOptions() error {
	if len(o.N) == 0 {
		return errs.New("no number of samples is named; give some, as in {N} 1,10,100")
	}
	for _, n := range o.N {
		if n < 1 || n > averages.MaxSquaring {
			return errs.New("{N} %d; give a number of samples from 1, the start alone, to %.0e",
				n, float64(averages.MaxSquaring))
		}
	}
	if o.Method != "" && !slices.Contains(methods(), o.Method) {
		return selector.UnknownError("method", o.Method, methods())
	}
	for _, e := range o.Estimates {
		if !slices.Contains(estimates(), e) {
			return selector.UnknownError("estimate", e, estimates())
		}
	}
	return nil
}

// errorsPlan finds a method for each question. The rows are ordered by problem, start, function and
// number of samples, each in the order in which they are given. A question takes the time of
// averages.Chain.Errors for each coordinate of each function. Steps are about the milliseconds that
// the study takes one processor.
func errorsPlan(_ context.Context, problems []Problem,
	o *ErrorsOptions) (p study.Plan[ErrorsRow], err error) {
	questions, err := o.questions(problems)
	if err != nil {
		return p, err
	}
	for _, q := range questions {
		p.Steps += q.steps
	}
	p.Run = func(ctx context.Context, h study.How) ([]ErrorsRow, error) {
		answered, err := subject.Rows(
			ctx,
			len(questions),
			h.Workers,
			func(ctx context.Context, i int) ([]*question, error) {
				q := questions[i]
				q.only(h.Columns)
				if err := q.answer(ctx, h); err != nil {
					return nil, subject.NewFailure(q.problem.Parts(), fmt.Errorf("%s: %w", q.about(), err))
				}
				return []*question{q}, nil
			},
		)
		for _, q := range answered {
			q.answered = true
		}
		rows, all := errorsRows(problems, questions, o.N)
		if chains.Ended(ctx, err) {
			err = subject.NewUnfinished(len(rows), all, ctx.Err())
		}
		return rows, err
	}
	return p, nil
}

// errorsRows returns the rows whose questions are answered, and how many there are when all are.
func errorsRows(problems []Problem, questions []*question, samples []int64) (rows []ErrorsRow, all int) {
	for i := range problems {
		for s := range problems[i].Starts {
			for f := range problems[i].Functions {
				all += len(samples)
				parts := partsOf(questions, &problems[i], f)
				if slices.ContainsFunc(parts, func(q *question) bool { return !q.answered }) {
					continue // the context has ended before
				}
				for _, n := range samples {
					rows = append(rows, rowOf(parts, s, n))
				}
			}
		}
	}
	return rows, all
}

// paperVariance is R of the variance as Turner and Neal have it, for a normal distribution and many
// samples. In general it tends to the kurtosis less one.
const paperVariance = 2

// paperKS is R of the Kolmogorov-Smirnov distance as Turner and Neal have it, 0.822, for a
// continuous function and many samples.
const paperKS = averages.KolmogorovSquare

// rowOf returns the row of a start and a number of samples from the answered questions of all
// coordinates of a function.
func rowOf(parts []*question, start int, n int64) ErrorsRow {
	q := parts[0]
	p := q.problem
	r := ErrorsRow{
		Setting: Setting{Problem: p, Start: p.Starts[start], Function: q.wholeFunction(), N: n},
		Work:    p.Work(n), Mean: q.part.Mean, SD: q.part.SD, Kurtosis: q.part.Kurtosis, Method: q.method,
	}
	if !r.Function.IsScalar() {
		r.Mean = math.NaN()
		r.SD = math.NaN()
		r.Kurtosis = math.NaN()
	}
	var bias number.Bounded // the length of the vector of biases
	for _, part := range parts {
		one := r.addErrors(part, start)
		bias = number.Bounded{
			Value: math.Hypot(bias.Value, one.Value),
			Error: math.Hypot(bias.Error, one.Error),
		}
	}
	if !r.Function.IsScalar() {
		r.Bias = bias
	}
	r.Tau = r.Tau.Over(number.Exactly(float64(len(parts))))
	r.annotate(parts)
	return r
}

// addErrors adds the errors of one coordinate to a row. It returns its bias.
func (r *ErrorsRow) addErrors(q *question, start int) number.Bounded {
	i := slices.Index(q.N, r.N)
	e := q.errors[q.starts[start]][i]
	f := q.part
	square := number.Exactly(math.NaN())
	independent := math.NaN()
	if i < len(q.ks.free) {
		square = q.ks.chains[q.starts[start]][i]
		independent = q.ks.free[i]
	}
	for sum, v := range map[*number.Bounded]number.Bounded{
		&r.Tau: q.tau.Value, &r.Bias: e.Bias, &r.MSE: e.MSE, &r.MSEStationary: q.errors[q.target][i].MSE,
		&r.BiasVariance: e.BiasVariance,
		&r.MSEVariance:  e.MSEVariance, &r.CvM: e.CvM, &r.KS2Low: e.KS2Low, &r.KS2High: e.KS2High,
		&r.KS2: square,
	} {
		*sum = sum.Plus(v)
	}
	r.RMean++
	r.RVariance += f.IndependentVariance(r.N)
	r.RCvM += f.IndependentCvM()
	r.RKS += float64(r.N) * independent
	r.Rounding = max(r.Rounding, e.Rounding)
	return e.Bias
}

// annotate says in notes what the numbers of a row cannot.
func (r *ErrorsRow) annotate(parts []*question) {
	q := parts[0]
	if math.IsNaN(r.Work) {
		r.addNote("kernel "+r.Kernel, "its number of evaluations of log f per move is unknown, so work is empty")
	}
	var missing error // why a coordinate has no Kolmogorov-Smirnov distance
	for _, part := range parts {
		missing = cmp.Or(missing, part.ks.missing)
		r.Notes = append(r.Notes, part.left...)
		if part.tau.Note != "" {
			r.addNote(r.Problem.Name(), part.tau.Note)
		}
	}
	if r.N == 1 && q.Variance {
		r.addNote("N = 1", "a single sample has no variance")
	}
	if r.N > 1 && q.Variance && math.IsNaN(r.MSEVariance.Value) {
		r.addNote(q.about(),
			"the errors of the variance are empty: the fourth power of the largest deviation of the "+
				"function from its mean overflows")
	}
	if !r.Function.IsScalar() {
		r.addNote("function "+all,
			"errors are sums over the coordinates (Eq. 5), bias_mean is the length of the vector of "+
				"biases, and ESSD (Eq. 8) is for a single coordinate")
	}
	if q.Distribution && !q.leaves.distances && math.IsNaN(r.KS2.Value) {
		r.NotesRow = append(r.NotesRow, fmt.Sprintf("the Kolmogorov-Smirnov distance has bounds only: %v", missing))
	}
}

// addNote adds a note that is not there yet.
func (r *ErrorsRow) addNote(about, text string) {
	if n := (Note{about, text}); !slices.Contains(r.Notes, n) {
		r.Notes = append(r.Notes, n)
	}
}

// Errors declares the study of the exact errors of averages.
func Errors() *study.Study[Problem, ErrorsOptions, ErrorsRow] {
	samples := samplesParameter(1, 10, 100, 1000, 10_000)
	return study.New(ErrorsOptions{N: []int64{1, 10, 100, 1000, 10_000}, Method: auto}, errorsPlan, study.Declaration{
		Says: columns.Sentence{
			Text: "{toy}: {N} samples of {kernel} from {start} are worth {ress_mean} independent " +
				"draws for the mean of {function}"},
		Name: "samplers errors",
		Asks: "How far are the averages of a chain from the truth? Exact errors and RESS",
		Help: `errors gives the exact errors of estimates from N samples of a chain, and how
many independent draws they are worth.

The estimates are the mean, variance and distribution of a function. RESS is
the number of independent draws with the same mean squared error. from target
is the RESS of a chain that starts at a draw of the target. constant is the
RESS of a chain that never moves. A stuck chain may have a large RESS of the
variance, so read that of the mean too.

See breadboard help mixing.`,
		Examples: `  breadboard samplers errors --toy barrier --kernel metropolis,heatbath --start uniform,target -N 1,100,1e4
  breadboard samplers errors --toy easy --kernel metropolis,heatbath --start uniform --until "ress_mean>=100"
  breadboard samplers errors --toy easy --kernel heatbath-scan --start mode,point:0 --warmup 10 --out results`,
		Counts: "errors", Workers: true,
		Options: study.OptionsOf(func(o *ErrorsOptions) []study.Option {
			return []study.Option{
				SamplesOption(&o.N, &samples),
				{
					Name: "estimate", Doc: ": " + strings.Join(estimates(), ", ") +
						" (default: all that can be computed); the mean always",
					To: study.Texts(&o.Estimates),
				},
				{
					Name: "method", Doc: ": " + strings.Join(methods(), ", "),
					To: study.Text(&o.Method),
				},
			}
		}),
		Columns: errorsColumns(),
		// errors may rise with N, as those of kernels that alternate do
		Size:  &study.Size{Option: "samples", Least: 1, Most: 1_000_000},
		Cost:  errorsCost,
		View:  reports.Untyped(errorsReport),
		About: OnPaper([]string{"uniform", "target"}, "x0"),
		Swept: &study.Swept{
			Parameters: append(ChainParameters("uniform", "target"), FunctionParameter()),
			Stored: []string{
				"bias_mean", "mse_mean", "ress_mean", "mse_mean_stationary",
				"ress_mean_stationary", "tau",
				"bias_var", "mse_var", "ress_var", "cvm", "ress_cvm",
				"ks2", "ks2_lower", "ks2_upper", "ress_ks", "work", "rounding",
			},
			Build: Build, Subject: Subject,
			Note: study.NoteOf(func(r *ErrorsRow) (string, error) { return r.allNotes(), nil }),
		},
	})
}

// Measured: the seconds of an error for each entry of a transition matrix of which no state has
// more than that many neighbours, and each squaring; and of a Kolmogorov-Smirnov distance, at most;
// and bytes by state, beside those of rows relative to a solution by the general method.
const (
	entryCost       = 20e-9
	errorsStartCost = 20e-3
	errorBytes      = 400
	rowsBytes       = 0.7
)

// errorsCost estimates what a row takes. Recursion takes N steps of the matrix for each level of
// the function, and squaring log N products.
func errorsCost(s subject.Size) subject.Cost {
	n := float64(s.States)
	steps := min(float64(s.Params.Int(ParamN)), n*math.Log2(2+float64(s.Params.Int(ParamN))))
	levels := math.Sqrt(n)
	if s.Params.Get(":estimate") == mean || !s.Columns.Any("note",
		"rounding", "cvm", "ress_cvm", "ks2_lower", "ks2_upper", "ks2", "R_ks", "ress_ks") {
		levels = 2
	}
	return subject.Cost{
		Seconds: errorsStartCost + s.General.Seconds + entryCost*levels*n*steps,
		Bytes:   errorBytes*n + rowsBytes*s.General.Bytes,
	}
}

// digitsOfRESS is how many digits people see of real effective sample sizes.
const digitsOfRESS = 4

func errorsColumns() columns.List {
	type row = ErrorsRow
	setting := (*row).TheSetting
	kept := func(f columns.Field, kept *columns.Kept) columns.Field {
		f = f.Digits(digitsOfRESS)
		f.Kept = kept
		return f
	}
	plain := func(name, title string, how *columns.Kept, meaning string,
		of func(*row) float64) columns.Field {
		return kept(columns.Of(name, title, meaning, of), how)
	}
	bounded := func(name, title string, how *columns.Kept, meaning string,
		of func(*row) number.Bounded) columns.Field {
		return kept(columns.Of(name, title, meaning, of).OrEmpty(), how)
	}
	from := func(low float64, shown bool) *columns.Kept {
		return &columns.Kept{Low: low, High: math.Inf(1), Missing: true, Shown: shown}
	}
	return slices.Concat(
		SettingColumns(setting, "toy", "kernel", "start", "function", "N"),
		columns.List{
			columns.Of("work", "work", "the evaluations of log f for N samples",
				func(r *row) float64 { return r.Work }).OrEmpty().Keep(*from(0, false)),
			columns.Of("mean", "", "the function's mean under the target; empty for all coordinates",
				func(r *row) float64 { return r.Mean }).OrEmpty(),
			columns.Of("sd", "",
				"the function's standard deviation under the target; empty for all coordinates",
				func(r *row) float64 { return r.SD }).OrEmpty(),
			columns.Of("kurtosis", "",
				"the function's kurtosis under the target; 3 if normal",
				func(r *row) float64 { return r.Kurtosis }).OrEmpty(),
			bounded("tau", "", from(math.Inf(-1), true),
				"the integrated autocorrelation time",
				func(r *row) number.Bounded { return r.Tau }),
			bounded("bias_mean",
				"bias mean", from(math.Inf(-1), false), "the bias of the chain's mean, in units of sd",
				func(r *row) number.Bounded { return r.Bias }),
			columns.Of("bias", "",
				"the bias of the chain's mean; empty for all coordinates",
				func(r *row) number.Bounded { return r.Bias.Times(number.Exactly(r.SD)) }).OrEmpty(),
			bounded("mse_mean", "", from(0, false),
				"the mean squared error of the chain's mean, in units of the variance",
				func(r *row) number.Bounded { return r.MSE }),
			bounded("mse_mean_stationary", "", from(0, false),
				"mse_mean of chains that start at a draw of the target",
				func(r *row) number.Bounded { return r.MSEStationary }),
			bounded("ress_mean", "RESS mean", from(0, true),
				"the real effective sample size of the mean, 1 / mse_mean", (*row).RESSMean).Answer(),
			bounded("ress_mean_stationary", "from target", from(0, true),
				"ress_mean of chains that start at a draw of the target", (*row).RESSStationary),
			bounded("bias_var", "", from(math.Inf(-1), false),
				"the bias of the sample variance with divisor N - 1",
				func(r *row) number.Bounded { return r.BiasVariance }),
			bounded("mse_var", "", from(0, false),
				"the mean squared error of the sample variance",
				func(r *row) number.Bounded { return r.MSEVariance }),
			plain("R_var", "", nil, "N times mse_var of N independent draws",
				func(r *row) float64 { return r.RVariance }),
			plain("R_var_paper", "", nil, "what Turner and Neal (2017) use for R_var",
				func(r *row) float64 { return paperVariance * r.RMean }),
			bounded("ress_var",
				"RESS var", from(0, true), "R_var / mse_var",
				(*row).RESSVariance).Answer(),
			plain("ress_of_constant", "constant", nil,
				"the real effective sample size of the estimate zero", (*row).RESSOfConstant),
			bounded("cvm", "", from(0, false), "the mean Cramer-von Mises distance from the target",
				func(r *row) number.Bounded { return r.CvM }),
			plain("R_cvm", "", nil, "N times cvm of N independent draws",
				func(r *row) float64 { return r.RCvM }),
			bounded("ress_cvm", "RESS CvM", from(0, true),
				"R_cvm / cvm", (*row).RESSCvM).Answer(),
			bounded("ks2", "", from(0, false), "E[KS^2], if it is known exactly",
				func(r *row) number.Bounded { return r.KS2 }),
			bounded("ks2_lower", "", from(0, false), "a lower bound on E[KS^2]",
				func(r *row) number.Bounded { return r.KS2Low }),
			bounded("ks2_upper", "", from(0, false), "an upper bound on E[KS^2]",
				func(r *row) number.Bounded { return r.KS2High }),
			plain("R_ks", "", nil, "N times ks2 of N independent draws",
				func(r *row) float64 { return r.RKS }),
			plain("R_ks_paper", "", nil, "what Turner and Neal (2017) use for R_ks",
				func(r *row) float64 { return paperKS * r.RMean }),
			bounded("ress_ks", "RESS KS", from(0, false), "R_ks / ks2",
				(*row).RESSKS),
			bounded("eff", "", nil, "ress_mean / N", (*row).Efficiency),
			columns.Of("work_per_ress", "", "work / ress_mean", (*row).workPerRESS).OrEmpty(),
			bounded("N_over_tau", "N/tau", nil, "N / tau",
				func(r *row) number.Bounded { return number.Exactly(float64(r.N)).Over(r.Tau) }),
			bounded("stationary_share", "", nil,
				"mse_mean_stationary / mse_mean",
				func(r *row) number.Bounded { return r.MSEStationary.Over(r.MSE) }),
			columns.Of("method", "", "how the errors are computed",
				func(r *row) string { return string(r.Method) }),
			plain("rounding", "", from(0, false), "the approximate relative error by rounding",
				func(r *row) float64 { return r.Rounding }),
			columns.Note((*row).allNotes),
		},
		SettingColumns(setting, "warmup"),
	)
}

// allNotes says what the numbers of the row cannot.
func (r *ErrorsRow) allNotes() string {
	var texts []string
	for _, n := range r.Notes {
		texts = append(texts, n.Text)
	}
	return strings.Join(append(texts, r.NotesRow...), "; ")
}
