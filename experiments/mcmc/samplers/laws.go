package samplers

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"

	"gonum.org/v1/gonum/mathext"

	"breadboard/chains"
	"breadboard/chains/diagnostics"
	"breadboard/chains/number"
	"breadboard/exact/averages"
	"breadboard/experiments/columns"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/grid"
)

// LawsRow is the exact answer for one function of one kind of chain at one number of samples.
type LawsRow struct {
	Setting
	Chains  int
	RESS    number.Bounded // of the mean of one chain
	Tau     number.Bounded // N over RESS in the long run; NaN for a reducible chain
	TauNote string         // the reason why there is no tau; else empty
	// of the nominal 95% interval around the mean of one chain, |error| <= 1.96 sqrt(tau/N); NaN
	// without tau
	Coverage number.Bounded
	// Success is the probability that the RESS of all chains, Chains over the sum of their squared
	// errors, is at least samplers.SuccessRESS.
	Success averages.Success
	// Others are the probabilities of success of the variance and of the distribution, by its
	// Kolmogorov-Smirnov distance; NaN if the distribution of how many samples are at each level
	// takes too long.
	Others averages.CountSuccess
	// GaussianSuccess is the probability of success for independent Gaussian errors with the mean
	// square of the chain's.
	GaussianSuccess number.Bounded
	RESSQuantiles   Quantiles // of the RESS of all chains
	// ESSDQuantiles are those of the deviation of an ESS of N/tau in each chain from their RESS
	// (Eq. 8). NaN without tau.
	ESSDQuantiles Quantiles
	RHat          *RHat // nil if the function has other values than 0 and 1
	Notes         []string
	Sum           *averages.SumLaw // the distribution of N times the mean of one chain
}

// Quantiles of a distribution, each between two bounds.
type Quantiles struct{ Q05, Median, Q95 averages.Bracket }

// RHat has the probabilities of values of R-hat of all chains, not split. The pooled mean is wrong
// if it is off by more than half a standard deviation.
type RHat struct {
	// the probability that R-hat is below diagnostics.LooseRHat and diagnostics.StrictRHat
	BelowLoose, BelowStrict                 float64
	BelowLooseAndWrong, BelowStrictAndWrong float64 // and that the pooled mean is nevertheless wrong
	// all chains are constant and equal, so that there is no R-hat
	Constant, ConstantAndWrong float64
	Infinite                   float64 // all chains are constant and not all equal
	Wrong                      float64 // the pooled mean is wrong, for any R-hat
}

// LawsOptions are the options of Laws.
type LawsOptions struct {
	N      []int
	Chains int
}

// withFunctions gives the problems that ask for no function those that this study takes by default:
// the first coordinate, and for several chains also a function with the values 0 and 1, of which
// R-hat has a distribution. That is the dominant mode if the target names one, and else whether the
// first coordinate is at most its median. On a graph, whose states have no coordinates, it is
// whether log f is, alone.
func (o *LawsOptions) withFunctions(problems []Problem) ([]Problem, error) {
	problems = slices.Clone(problems)
	for i := range problems {
		p := &problems[i]
		if len(p.Functions) > 0 {
			continue
		}
		var names []string
		if p.Toy.Lattice() != nil {
			names = []string{DefaultFunction(p.Toy)}
		}
		if o.Chains > 1 || p.Toy.Lattice() == nil {
			names = append(names, indicator(p)...)
		}
		for _, name := range names {
			f, err := ParseFunction(name, p.Toy, p.Chain)
			if err != nil {
				return nil, err
			}
			p.Functions = append(p.Functions, f)
		}
	}
	return problems, nil
}

// indicator returns the selector of a function with the values 0 and 1 on a target, if it has one.
func indicator(p *Problem) []string {
	if len(p.Toy.Mode) > 0 {
		return []string{"mode"}
	}
	f, err := ParseFunction(DefaultFunction(p.Toy), p.Toy, p.Chain)
	if err != nil || isIndicator(f.Parts[0]) {
		return nil // where it is constant, the first function is refused
	}
	part := f.Parts[0]
	values := part.Taken()
	median := 0
	below := 0.0
	for l, v := range part.Levels.Values {
		below += part.Masses[l]
		if below >= 0.5 || v >= values[len(values)-2] {
			// at most the last value but one, because all states are at or below the last
			median = l
			break
		}
	}
	return []string{fmt.Sprintf("%s<=%v", f.Name, part.Levels.Values[median])}
}

// isIndicator reports whether a function has the values 0 and 1 alone, also at states of
// probability zero, where a chain may begin.
func isIndicator(f *averages.Function) bool {
	return !slices.ContainsFunc(f.Raw, func(v float64) bool { return v != 0 && v != 1 })
}

func (o *LawsOptions) checkOptions() error {
	if len(o.N) == 0 {
		return chains.NewAdvice("no number of samples; give numbers from 1 on, as in {N} 100")
	}
	for _, n := range o.N {
		if n < 1 {
			return chains.NewAdvice("{N} %d; give numbers of samples from 1 on", n)
		}
	}
	if o.Chains < 1 || o.Chains > MaxChains {
		return chains.NewAdvice("{chains} %d; give a number of chains from 1 to %d", o.Chains, MaxChains)
	}
	return nil
}

// checkAll fails if the distributions of a problem cannot be had.
func (o *LawsOptions) checkAll(problems []Problem) error {
	for i := range problems {
		for _, f := range problems[i].Functions {
			if err := o.validateFunction(&problems[i], f); err != nil {
				return err
			}
		}
	}
	for _, s := range Settings(problems, o.N) {
		if err := s.checkSum(); err != nil {
			return fmt.Errorf("%v: %w", &s, s.Toy.Explain(err))
		}
	}
	return nil
}

// checkSum fails if there is no distribution of the sum of a setting. If that is for its size,
// the error says for how many samples there is one.
func (s *Setting) checkSum() error {
	fails := func(n int) error { return s.Chain.CheckSumLaw(s.Function.Parts[0], s.Start.Law, n) }
	err := fails(int(s.N))
	if large, is := errors.AsType[grid.TooLarge](err); is {
		if most := sort.Search(int(s.N)-1, func(i int) bool { return fails(i+1) != nil }); most > 0 {
			large.Err = fmt.Errorf("%w: up to %d samples fit", large.Err, most)
		}
		return large
	}
	return err
}

// Refuse fails if a problem is too large for any kernel: the chains start from a distribution on
// all states, so that no kernel reaches fewer.
func (o *LawsOptions) Refuse(p Problem) error {
	for _, s := range p.Starts {
		if slices.Min(s.Law) == 0 {
			return nil
		}
	}
	all, err := o.withFunctions([]Problem{p})
	if err == nil && o.checkOptions() == nil {
		err = o.checkAll(all)
	}
	if large, is := errors.AsType[grid.TooLarge](err); is && large.What == "probabilities" {
		// products are fewer for other kernels
		return err
	}
	return nil // what else is wrong is found with the plan
}

// validateFunction says why the distributions of a function make no sense.
func (o *LawsOptions) validateFunction(p *Problem, f Function) error {
	if !f.Whole() {
		return chains.NewAdvice(
			"{function} %s on %s: the distribution is that of a single function; give the coordinates one "+
				"by one, as in x0,x1",
			f.Name,
			p.Toy.Name)
	}
	if o.Chains < 2 && isIndicator(f.Parts[0]) {
		return chains.NewAdvice(
			"R-hat of function %s on %s compares several chains; give {chains} 2 or more, or a function "+
				"with other values than 0 and 1",
			f.Name, p.Toy.Name)
	}
	if slices.Min(o.N) < 2 && isIndicator(f.Parts[0]) {
		return chains.NewAdvice(
			"R-hat of function %s on %s needs the variance of a chain of 2 samples or more; give {N} 2 or "+
				"more, or a function with other values than 0 and 1",
			f.Name, p.Toy.Name)
	}
	return nil
}

// lawsPlan computes the distributions of every problem: for each start, function and number of
// samples a row, in this order.
func lawsPlan(_ context.Context, problems []Problem, o *LawsOptions) (p study.Plan[LawsRow], err error) {
	problems, err = o.withFunctions(problems)
	if err != nil {
		return p, err
	}
	if err := o.checkOptions(); err != nil {
		return p, err
	}
	if err := o.checkAll(problems); err != nil {
		return p, err
	}
	one := func(*Setting) int { return 1 }
	return study.Each(
		Settings(problems, o.N), one, func(ctx context.Context, s *Setting, h study.How) (LawsRow, error) {
			r := LawsRow{Setting: *s, Chains: o.Chains}
			if err := r.solveLaws(ctx, h.Columns); err != nil {
				return r, fmt.Errorf("%v: %w", s, err)
			}
			h.Add(1)
			return r, nil
		}), nil
}

// allNotes says what the numbers of the row cannot.
func (r *LawsRow) allNotes() string {
	notes := r.Notes
	if r.TauNote != "" {
		notes = append([]string{r.TauNote}, notes...)
	}
	return strings.Join(notes, "; ")
}

func (r *LawsRow) solveLaws(ctx context.Context, wanted columns.Wanted) (err error) {
	f := r.Function.Parts[0]
	unknown := averages.Bracket{Low: math.NaN(), High: math.NaN()}
	r.Others = averages.CountSuccess{Variance: unknown, KS: unknown}
	r.Sum, err = r.Chain.SumLaw(ctx, f, r.Start.Law, int(r.N))
	if err != nil {
		return err
	}
	tau, err := r.Problem.tau(ctx, f)
	if err != nil {
		return err
	}
	r.RESS = number.Exactly(1).Over(r.Sum.MSE())
	r.Tau = tau.Value
	r.TauNote = tau.Note
	r.Coverage = number.Image(r.Tau, r.Sum.Coverage)
	r.GaussianSuccess = number.Image(
		r.RESS, func(ress float64) float64 { return GaussianSuccess(ress, r.Chains) })
	if wanted.Any("p_success", "bracket_low", "bracket_high", "note") {
		r.Success, err = r.Sum.Success(ctx, r.Chains, SuccessRESS)
		if err != nil {
			return err
		}
		if math.IsNaN(r.Success.P) {
			r.Notes = append(r.Notes, fmt.Sprintf(
				"the joint distribution of %d chains is too large: P(success) is between its bounds",
				r.Chains))
		}
	}
	if wanted.Begins("p_success_var", "p_success_ks") {
		if err := r.others(ctx, f); err != nil {
			return err
		}
	}
	if wanted.Begins("ress_q", "ress_median", "essd_") {
		if err := r.quantiles(ctx); err != nil {
			return err
		}
	}
	if isIndicator(f) && wanted.Begins("p_rhat", "p_assured", "p_constant", "p_infinite", "p_wrong") {
		r.RHat, err = rhat(ctx, r.Sum, r.Chains)
	}
	return err
}

// quantiles finds those of the RESS of all chains, and of what they promise.
func (r *LawsRow) quantiles(ctx context.Context) error {
	law, err := r.Sum.RESS(ctx, r.Chains)
	if err != nil {
		return err
	}
	three := func(quantile func(p float64) (low, high float64)) (q Quantiles) {
		q.Q05.Low, q.Q05.High = quantile(0.05)
		q.Median.Low, q.Median.High = quantile(0.5)
		q.Q95.Low, q.Q95.High = quantile(0.95)
		return q
	}
	r.RESSQuantiles = three(law.Quantile)
	tau := r.Tau.Float()
	off := r.Tau.Error
	r.ESSDQuantiles = three(func(p float64) (low, high float64) {
		low, _ = law.ESSDQuantile(float64(r.N)/(tau+off), p)
		_, high = law.ESSDQuantile(float64(r.N)/(tau-off), p)
		return low, high
	})
	return nil
}

// others sets the probabilities of success of what is estimated beside the mean, if they take no
// more than some seconds.
func (r *LawsRow) others(ctx context.Context, f *averages.Function) (err error) {
	if work, err := r.Chain.KSWork(f, r.Start.Law, int(r.N)); err != nil || work > maxDistanceSteps {
		return nil
	}
	known, err := r.Chain.CountSuccess(ctx, f, r.Start.Law, int(r.N), r.Chains, SuccessRESS)
	if err == nil {
		r.Others = known
	}
	return ctx.Err()
}

// rhat asks the distribution of R-hat what it assures.
func rhat(ctx context.Context, sum *averages.SumLaw, chains int) (*RHat, error) {
	law, err := sum.RHat(ctx, chains)
	if err != nil {
		return nil, err
	}
	return &RHat{
		BelowLoose:          law.Below(diagnostics.LooseRHat),
		BelowStrict:         law.Below(diagnostics.StrictRHat),
		BelowLooseAndWrong:  law.BelowAndWrong(diagnostics.LooseRHat),
		BelowStrictAndWrong: law.BelowAndWrong(diagnostics.StrictRHat),
		Constant:            law.Constant(),
		ConstantAndWrong:    law.ConstantAndWrong(),
		Infinite:            law.Infinite(),
		Wrong:               law.Wrong(),
	}, nil
}

// GaussianSuccess returns the probability that K chains with independent Gaussian errors of mean
// zero, each of a RESS, have a joint RESS of at least samplers.SuccessRESS: P(chi^2_K <= K RESS/12)
// (Eq. 9). It is 0.5665 for eight chains of RESS 12.
func GaussianSuccess(ress float64, chains int) float64 {
	if math.IsInf(ress, 1) {
		return 1
	}
	half := float64(chains) / 2
	return mathext.GammaIncReg(half, half*ress/SuccessRESS)
}

// Laws declares the study of the exact distributions of means, of success and of R-hat.
func Laws() *study.Study[Problem, LawsOptions, LawsRow] {
	samples := samplesParameter(50)
	several := subject.Whole("chains", "independent chains", 1, MaxChains, 8)
	return study.New(LawsOptions{N: []int{50}, Chains: 8}, lawsPlan, study.Declaration{
		Says: columns.Sentence{
			Text: "{toy}: {chains} chains of {kernel} succeed for {function} with probability {p_success}"},
		Name:    "samplers laws",
		Smaller: "The distribution of an indicator takes less, as with --function 'x0<=1'",
		Asks:    "How often do several chains succeed, and how often does R-hat miss an error?",
		Help: `laws gives the exact distribution of the mean of a chain, and how often several
chains succeed or R-hat misses an error.

P(success) is the probability that --chains chains have a RESS of at least 12
(Turner and Neal 2017, section 5). coverage is that of the nominal 95% interval
with exact tau. wrong means that the mean of all samples is off by more than
half a standard deviation. R-hat is computed from whole chains, and only for
functions with the values 0 and 1. Functions must be whole numbers. csv and
json have proven bounds.

See breadboard help mixing.`,
		Examples: `  breadboard samplers laws
  breadboard samplers laws --toy barrier --kernel heatbath -N 50 --chains 8
  breadboard samplers laws --toy barrier --kernel metropolis --function 'x0<=1' -N 10,20,50,100 --chains 4 --out results`,
		Counts: "laws", Workers: true,
		Options: study.OptionsOf(func(o *LawsOptions) []study.Option {
			return []study.Option{
				SamplesOption(&o.N, &samples),
				study.CountOption("chains", "", &o.Chains, &several),
			}
		}),
		Columns: lawsColumns(),
		Cost:    lawsCost,
		Swept: &study.Swept{
			Parameters: append(ChainParameters("uniform"), FunctionParameter()),
			Stored: []string{
				"p_success", "bracket_low", "bracket_high", "p_success_gaussian", "ress_mean", "tau",
				"coverage_95", "p_rhat_below_1_01", "p_assured_and_wrong_1_01",
				"p_rhat_below_1_1", "p_assured_and_wrong_1_1", "p_constant", "p_constant_and_wrong",
				"p_infinite", "p_wrong",
			},
			Build: Build, Subject: Subject,
			Note: study.NoteOf(func(r *LawsRow) (string, error) { return r.allNotes(), nil }),
		},
	})
}

// rounding is how far rounding may put a probability off.
const rounding = 1e-9

// Measured: the seconds of a distribution for each state and each value of the sum, which has about
// N times as many as the function has levels.
const (
	valueCost     = 20e-9
	lawsStartCost = 10e-3
)

// lawsCost estimates what a row takes: the distribution of a sum of N is found step by step.
func lawsCost(s subject.Size) subject.Cost {
	n := float64(s.Params.Int(ParamN))
	values := n * math.Sqrt(float64(s.States))
	return subject.Cost{
		Seconds: lawsStartCost + valueCost*float64(s.States)*values*n,
		Bytes:   16*float64(s.States)*values + 64*values,
	}
}

func lawsColumns() columns.List {
	type row = LawsRow
	fields := SettingColumns((*row).TheSetting, "toy", "kernel", "start", "warmup", "function", "N")
	add := func(name string, kind columns.Type, title, meaning string, kept *columns.Kept,
		of func(*row) any) {
		f := columns.Any(name, title, kind, meaning, of).Digits(digitsOfRESS)
		f.Kept = kept
		fields = append(fields, f)
	}
	bounded := func(name, title, meaning string, kept *columns.Kept, of func(*row) number.Bounded) {
		f := columns.Of(name, title, meaning, of).OrEmpty().Digits(digitsOfRESS)
		f.Kept = kept
		fields = append(fields, f)
	}
	probability := func(shown bool) *columns.Kept {
		return &columns.Kept{Low: -rounding, High: 1 + rounding, Missing: true, Shown: shown}
	}
	infinite := math.Inf(1)
	add("chains", columns.Int, "K", "the number of chains", nil, func(r *row) any { return r.Chains })
	bounded("ress_mean", "RESS", "the exact real effective sample size of the mean of one chain",
		&columns.Kept{High: infinite, Missing: true, Shown: true},
		func(r *row) number.Bounded { return r.RESS })
	bounded(
		"tau", "", "the integrated autocorrelation time, the limit of N / RESS; empty for a reducible chain",
		&columns.Kept{Low: -infinite, High: infinite, Missing: true},
		func(r *row) number.Bounded { return r.Tau })
	add("p_success", columns.Float, "P(success)",
		"the probability that the RESS of all chains is at least 12; empty if only its bounds are known",
		probability(true),
		func(r *row) any { return r.Success.P })
	add("bracket_low", columns.Float, "", "a lower bound on p_success", probability(false),
		func(r *row) any { return r.Success.Low })
	add("bracket_high", columns.Float, "", "an upper bound on p_success", probability(false),
		func(r *row) any { return r.Success.High })
	bounded("p_success_gaussian", "Gaussian", "p_success with Gaussian errors of the same mean square",
		probability(true),
		func(r *row) number.Bounded { return r.GaussianSuccess })
	for _, other := range []struct {
		name, title, what string
		of                func(*row) averages.Bracket
	}{
		{"p_success_var", "P(var)", "the variance",
			func(r *row) averages.Bracket { return r.Others.Variance }},
		{"p_success_ks", "P(KS)", "the distribution, by the Kolmogorov-Smirnov distance",
			func(r *row) averages.Bracket { return r.Others.KS }},
	} {
		add(other.name, columns.Float, other.title, "p_success for "+other.what+
			": the middle of its bounds; empty if they take too long",
			nil, func(r *row) any {
				return other.of(r).Low + (other.of(r).High-other.of(r).Low)/2
			})
		add(other.name+"_low", columns.Float, "", "a lower bound on "+other.name,
			nil, func(r *row) any { return other.of(r).Low })
		add(other.name+"_high", columns.Float, "", "an upper bound on "+other.name, nil,
			func(r *row) any { return other.of(r).High })
	}
	bounded("coverage_95", "coverage",
		"the coverage of the nominal 95% interval around the mean of one chain; empty without tau",
		probability(true),
		func(r *row) number.Bounded { return r.Coverage })
	quantiles := func(prefix string, from func(*row) *Quantiles) {
		for _, q := range []struct {
			name   string
			bounds func(*Quantiles) averages.Bracket
		}{
			{"q05", func(q *Quantiles) averages.Bracket { return q.Q05 }},
			{"median", func(q *Quantiles) averages.Bracket { return q.Median }},
			{"q95", func(q *Quantiles) averages.Bracket { return q.Q95 }},
		} {
			add(prefix+q.name+"_low", columns.Float, "", "a lower bound on "+prefix+q.name,
				nil, func(r *row) any { return q.bounds(from(r)).Low })
			add(prefix+q.name+"_high", columns.Float, "", "an upper bound on "+prefix+q.name, nil,
				func(r *row) any { return q.bounds(from(r)).High })
		}
	}
	quantiles("ress_", func(r *row) *Quantiles { return &r.RESSQuantiles })
	quantiles("essd_", func(r *row) *Quantiles { return &r.ESSDQuantiles })
	rhat := func(name, title string, shown bool, meaning string, of func(*RHat) float64) {
		add(name, columns.Float, title, meaning, probability(shown),
			func(r *row) any {
				if r.RHat == nil {
					return math.NaN()
				}
				return of(r.RHat)
			})
	}
	rhat("p_rhat_below_1_1", "", false, "the probability that R-hat is below 1.1; "+
		"like those below, empty unless the function is 0 or 1",
		func(h *RHat) float64 { return h.BelowLoose })
	rhat("p_rhat_below_1_01", "R-hat < 1.01", true, "the probability that R-hat is below 1.01",
		func(h *RHat) float64 { return h.BelowStrict })
	rhat("p_assured_and_wrong_1_1", "",
		false, "p_rhat_below_1_1, and the pooled mean is wrong",
		func(h *RHat) float64 { return h.BelowLooseAndWrong })
	rhat("p_assured_and_wrong_1_01", "and wrong", true,
		"p_rhat_below_1_01, and the pooled mean is wrong",
		func(h *RHat) float64 { return h.BelowStrictAndWrong })
	rhat("p_constant", "constant", false, "the probability that all chains are constant and equal",
		func(h *RHat) float64 { return h.Constant })
	rhat("p_constant_and_wrong", "and wrong", false,
		"p_constant, and the pooled mean is wrong",
		func(h *RHat) float64 { return h.ConstantAndWrong })
	rhat("p_infinite", "", false, "the probability that all chains are constant and not all equal",
		func(h *RHat) float64 { return h.Infinite })
	rhat("p_wrong", "", false,
		"the probability that the pooled mean is wrong (off by more than half a standard deviation), whatever R-hat is",
		func(h *RHat) float64 { return h.Wrong })
	add("note", columns.String, "", columns.MeansNote, nil, func(r *row) any { return r.allNotes() })
	return columns.Answers(
		fields, "ress_mean", "p_success", "coverage_95", "p_rhat_below_1_01", "p_assured_and_wrong_1_01")
}
