package samplers

import (
	"context"
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/mathext"

	"breadboard/chains/diagnostics"
	"breadboard/chains/number"
	"breadboard/exact/averages"
	"breadboard/experiments/study"
	"breadboard/reports/columns"
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
		Settings(problems, o.N),
		one,
		func(ctx context.Context, s *Setting, h study.How) (LawsRow, error) {
			r := LawsRow{Setting: *s, Chains: o.Chains}
			if err := r.solveLaws(ctx, h.Columns); err != nil {
				return r, fmt.Errorf("%v: %w", s, err)
			}
			h.Add(1)
			return r, nil
		},
	), nil
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
	r.GaussianSuccess = number.Image(r.RESS, func(ress float64) float64 { return GaussianSuccess(ress, r.Chains) })
	if wanted.Any("p_success", "bracket_low", "bracket_high", "note") {
		r.Success, err = r.Sum.Success(ctx, r.Chains, SuccessRESS)
		if err != nil {
			return err
		}
		if math.IsNaN(r.Success.P) {
			r.Notes = append(r.Notes, fmt.Sprintf(
				"the joint distribution of %d chains is too large: P(success) is between its bounds",
				r.Chains,
			))
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

// Measured: the seconds of a distribution for each state and each value of the sum, which has about
// N times as many as the function has levels.
const (
	valueCost     = 5e-9
	lawsStartCost = 10e-3
)
