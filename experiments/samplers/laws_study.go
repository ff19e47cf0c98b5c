package samplers

import (
	"context"
	"fmt"
	"math"
	"strings"

	"breadboard/experiments"
)

// paramChains is the name of the parameter that the study has of its own.
const paramChains = "chains"

// LawsStudy returns the study as one that can be swept: how often do several chains succeed, and how often does R-hat assure what is wrong?
func LawsStudy() *experiments.Study {
	s := StudyOf("samplers-laws", "how often do several chains succeed, and how often does R-hat assure what is wrong?", []string{"uniform"},
		FunctionParameter(), SamplesParameter(100),
		experiments.Whole(paramChains, "independent chains", 1, MaxChains, 8))
	s.Values, s.Solve, s.Check, s.Cost = experiments.ValuesOf(lawsMeasures()), lawsSolve, lawsContradiction, lawsCost
	return s
}

// Places of those numbers of the study that are compared with others.
const (
	placeSuccess = iota
	placeLow
	placeHigh
)

// rounding is how far rounding may put a probability off.
const rounding = 1e-9

// lawsMeasures lists the values of the study.
func lawsMeasures() []experiments.Measure[LawsRow] {
	infinite := math.Inf(1)
	type value = experiments.Value
	probability := func(name, doc string, shown bool, from func(*LawsRow) float64) experiments.Measure[LawsRow] {
		return experiments.Measure[LawsRow]{Value: value{Name: name, Doc: doc, Shown: shown, Low: -rounding, High: 1 + rounding, Missing: true}, From: from}
	}
	rhat := func(name, doc string, shown bool, of func(*RHat) float64) experiments.Measure[LawsRow] {
		return probability(name, doc, shown, func(r *LawsRow) float64 {
			if r.RHat == nil {
				return math.NaN()
			}
			return of(r.RHat)
		})
	}
	return []experiments.Measure[LawsRow]{
		probability("p_success", "how often the RESS of all chains is 12 or more; none where only bounds are known", true, func(r *LawsRow) float64 { return r.Success.P }),
		probability("p_success_low", "a lower bound on it", false, func(r *LawsRow) float64 { return r.Success.Low }),
		probability("p_success_high", "an upper bound on it", false, func(r *LawsRow) float64 { return r.Success.High }),
		probability("p_success_gaussian", "what it would be with independent Gaussian errors", true, func(r *LawsRow) float64 { return r.GaussianSuccess }),
		{Value: value{Name: "ress", Doc: "the real effective sample size of the mean of one chain", Shown: true, High: infinite}, From: func(r *LawsRow) float64 { return r.RESS }},
		{Value: value{Name: "tau", Doc: "the integrated autocorrelation time", Low: -infinite, High: infinite, Missing: true}, From: func(r *LawsRow) float64 { return r.Tau }},
		probability("coverage", "how often the nominal 95% interval of one chain holds the truth", true, func(r *LawsRow) float64 { return r.Coverage }),
		rhat("p_rhat_below_1_01", "how often R-hat is below 1.01; this and the next are for functions with the values 0 and 1", true, func(h *RHat) float64 { return h.BelowStrict }),
		rhat("p_assured_and_wrong_1_01", "how often it is, and the mean wrong all the same", true, func(h *RHat) float64 { return h.BelowStrictAndWrong }),
		rhat("p_rhat_below_1_1", "the same with 1.1", false, func(h *RHat) float64 { return h.BelowLoose }),
		rhat("p_assured_and_wrong_1_1", "the same with 1.1", false, func(h *RHat) float64 { return h.BelowLooseAndWrong }),
		rhat("p_constant", "how often no chain ever moves and all are equal, so that there is no R-hat", false, func(h *RHat) float64 { return h.Constant }),
		rhat("p_constant_and_wrong", "how often that is, and the mean wrong", false, func(h *RHat) float64 { return h.ConstantAndWrong }),
		rhat("p_infinite", "how often no chain ever moves and not all are equal", false, func(h *RHat) float64 { return h.Infinite }),
		rhat("p_wrong", "how often the mean of all chains is off by more than half a standard deviation", false, func(h *RHat) float64 { return h.Wrong }),
	}
}

// lawsSolve is the Solve of the study.
func lawsSolve(ctx context.Context, c *experiments.Case, params experiments.Params) (experiments.Outcome, error) {
	problems, err := ProblemOf(ctx, c, params)
	if err != nil {
		return experiments.Outcome{}, err
	}
	rows, err := RunLaws(ctx, problems, LawsOptions{N: []int{params.Int(ParamN)}, Chains: params.Int(paramChains), Workers: 1})
	if err != nil {
		return experiments.Outcome{}, err
	}
	notes := rows[0].Notes
	if rows[0].TauNote != "" {
		notes = append([]string{rows[0].TauNote}, notes...)
	}
	return experiments.Outcome{Numbers: experiments.NumbersOf(lawsMeasures(), &rows[0]), Note: strings.Join(notes, "; ")}, nil
}

// lawsContradiction is the Check of the study: success is between its bounds.
func lawsContradiction(_ experiments.Params, o experiments.Outcome) error {
	p, low, high := o.Numbers[placeSuccess], o.Numbers[placeLow], o.Numbers[placeHigh]
	if low > high+rounding || p < low-rounding || p > high+rounding {
		return fmt.Errorf("its p_success is %v, and its bounds are %v and %v", p, low, high)
	}
	return nil
}

// Measured: the seconds of a law for each state and each value of the sum, which has about N times as many as the function has levels.
const (
	valueCost     = 150e-9
	lawsStartCost = 10e-3
)

// lawsCost is the Cost of the study: the law of a sum of N is found step by step.
func lawsCost(s experiments.Size) experiments.Cost {
	n := float64(s.Params.Int(ParamN))
	values := n * math.Sqrt(float64(s.States))
	return experiments.Cost{Seconds: lawsStartCost + valueCost*float64(s.States)*values*n, Bytes: 32*float64(s.States)*values + 64*values}
}
