package logweights

import (
	"context"
	"fmt"
	"math"
	"strings"

	"breadboard/exact"
	"breadboard/exact/weights"
	"breadboard/experiments"
)

// Study returns the study of the laws of log weights as one that can be swept: how are they distributed, and how often does
// the estimate of B from one pair of chains fall below J? Probabilities are known to within error_bound. The law is that of a
// lattice where frequencies is 0, and else comes from a characteristic function at so many frequencies; resolved is 1 where
// that has died out, so that the probabilities have many more digits than error_bound promises.
func Study() *experiments.Study {
	return &experiments.Study{
		Name: "weights", Former: "logweights", Answers: "how are log weights distributed, and how often does the estimate of B mislead?",
		Parameters: experiments.Parameters(),
		Values:     lawValues(),
		Solve:      solveLaw,
		Check:      lawContradiction,
		Cost:       lawCost,
	}
}

// Places of those numbers of the study that are compared with others.
const (
	placeMeanForward = iota
	placeSDForward
	placeMeanReverse
	placeSDReverse
	placeBelowJ
	placeBelow0
	placeESS
	placeJ
	placeB
	placeLogZ
)

// Limits of a probability: it is a sum, of which rounding may leave a little less than nothing or more than one.
const (
	below0 = -1e-12
	above1 = 1 + 1e-12
)

func lawValues() []experiments.Value {
	infinite := math.Inf(1)
	return []experiments.Value{
		{Name: "mean_forward", Doc: "the mean log weight of forward chains", Unit: "nats", Shown: true, Low: -infinite, High: math.MaxFloat64},
		{Name: "sd_forward", Doc: "its standard deviation", Unit: "nats", Shown: true, High: infinite, Missing: true},
		{Name: "mean_reverse", Doc: "the mean log weight of reverse chains", Unit: "nats", Shown: true, Low: -math.MaxFloat64, High: infinite},
		{Name: "sd_reverse", Doc: "its standard deviation", Unit: "nats", Shown: true, High: infinite, Missing: true},
		{Name: "p_bhat_below_J", Doc: "how often the estimate of B from one pair of chains is below J", Shown: true, Low: below0, High: above1},
		{Name: "p_bhat_below_0", Doc: "how often it is below zero", Shown: true, Low: below0, High: above1},
		{Name: "ess_fraction", Doc: "the effective sample size of forward chains, as a share of their number", Shown: true, High: above1},
		{Name: "J", Doc: "the Jeffreys divergence between output and target", Unit: "nats", High: infinite},
		{Name: "B", Doc: "the bound on J", Unit: "nats", Low: -infinite, High: infinite},
		{Name: "log_z_ratio", Doc: "log(Z_T/Z_1)", Unit: "nats", Low: -math.MaxFloat64, High: math.MaxFloat64},
		{Name: "third_cumulant_forward", Doc: "of the forward log weight", Low: -infinite, High: infinite, Missing: true},
		{Name: "fourth_cumulant_forward", Doc: "of the forward log weight", Low: -infinite, High: infinite, Missing: true},
		{Name: "third_cumulant_reverse", Doc: "of the reverse log weight", Low: -infinite, High: infinite, Missing: true},
		{Name: "fourth_cumulant_reverse", Doc: "of the reverse log weight", Low: -infinite, High: infinite, Missing: true},
		{Name: "renyi_half", Doc: "the Rényi divergence of order 1/2 between the laws of the paths", Unit: "nats", Low: -infinite, High: infinite},
		{Name: "p_zero_weight", Doc: "how often a forward weight is zero", High: above1},
		{Name: "p_infinite_weight", Doc: "how often a reverse weight is infinite", High: above1},
		{Name: "crooks_residual", Doc: "by how much both laws violate Crooks' relation", High: infinite, Missing: true},
		{Name: "frequencies", Doc: "at which a characteristic function was computed; 0 for a lattice", High: weights.MaxFrequencies},
		{Name: "resolved", Doc: "1 where that function has died out, and 0 where it has not", High: 1},
		{Name: "error_bound", Doc: "how far the probabilities may be off", High: infinite},
	}
}

// flag returns 1 for true and 0 for false.
func flag(v bool) float64 {
	if v {
		return 1
	}
	return 0
}

// solveLaw is the Solve of the study.
func solveLaw(ctx context.Context, c *experiments.Case, _ experiments.Params) (experiments.Outcome, error) {
	rows, err := Run(ctx, []experiments.Case{*c}, Options{Workers: 1})
	if err != nil {
		return experiments.Outcome{}, err
	}
	r := &rows[0]
	numbers := []float64{
		r.Moments[0].Mean, math.Sqrt(r.Moments[0].Variance), r.Moments[1].Mean, math.Sqrt(r.Moments[1].Variance),
		r.BelowJ.Value, r.Below0.Value, r.ESSFraction,
		r.Solution.J, r.Solution.B, r.Law.LogZRatio,
		r.Moments[0].Third, r.Moments[0].Fourth, r.Moments[1].Third, r.Moments[1].Fourth,
		r.RenyiHalf, r.Law.Forward.Zero, r.Law.Reverse.Infinite, r.Law.Crooks,
		float64(r.Law.Frequencies), flag(r.Law.Resolved), r.ErrorBound(),
	}
	return experiments.Outcome{Numbers: numbers, Note: strings.Join(r.Solution.Notes, "; ")}, nil
}

// momentTolerance is the accuracy of a mean of log weights beside their standard deviation (see weights.CumulantsOf).
const momentTolerance = 1e-10

// lawContradiction is the Check of the study: an estimate is below zero no more often than below J, which is at least zero.
// Where the weights have a mean and no note says that digits are lost, B is the difference of both means.
func lawContradiction(params experiments.Params, o experiments.Outcome) error {
	v := o.Numbers
	if zero, j := v[placeBelow0], v[placeBelowJ]; zero > j+2*v[len(v)-1] {
		return fmt.Errorf("its p_bhat_below_0 is %v and its p_bhat_below_J %v, and J is never below zero", zero, j)
	}
	if o.Note != "" {
		return nil
	}
	forward, reverse, b := v[placeMeanForward], v[placeMeanReverse], v[placeB]
	if spread := v[placeSDForward] + v[placeSDReverse]; !math.IsNaN(spread) {
		scale := momentTolerance*(1+spread) + exact.MeanTolerance(params.Int("T"), forward, reverse)
		if !experiments.Near(b, reverse-forward, scale) {
			return fmt.Errorf("its B is %v, and its mean log weights %v and %v are %v apart", b, forward, reverse, reverse-forward)
		}
	}
	return nil
}

// Measured: how many times as long as an exact solution the moments take, and a law by inversion with all of its frequencies; and how
// long a law takes at most, in seconds, since inversion stops at a number of multiplications. A law on a lattice takes less.
const (
	momentsCost        = 15
	inversionSolutions = 8e5
	inversionCost      = 4
	lawBytes           = 200e6
)

// lawCost is the Cost of the study of laws. A law takes at least some hundred solutions, and at most what inversion allows.
func lawCost(s experiments.Size) experiments.Cost {
	law := max(100*s.Solution.Seconds, min(inversionCost, inversionSolutions*s.Solution.Seconds))
	return experiments.Cost{Seconds: momentsCost*s.Solution.Seconds + law, Bytes: s.Solution.Bytes + lawBytes}
}

// samplesCost is the Cost of the study of many samples: one sample needs an exact solution, and more need transforms of the
// laws.
func samplesCost(s experiments.Size) experiments.Cost {
	cost := experiments.Cost{Seconds: 2 * s.Solution.Seconds, Bytes: s.Solution.Bytes}
	if s.Params.Int("K") > 1 {
		cost.Seconds += transformsCost + transformsSolutions*s.General.Seconds
		cost.Bytes += transformsBytes
	}
	return cost
}

// Measured: what the transforms take, in seconds, beside so many solutions by the general method; and their bytes.
const (
	transformsCost      = 0.05
	transformsSolutions = 100
	transformsBytes     = 10e6
)

// SamplesStudy returns the study of bounds of many samples as one that can be swept: what does averaging K weights gain?
func SamplesStudy() *experiments.Study {
	infinite := math.Inf(1)
	return &experiments.Study{
		Name: "samples", Answers: "what does averaging K weights gain, in bounds on log R = log(Z_T/Z_1)?",
		Main:       "forward_below",
		Parameters: append(experiments.Parameters(), experiments.Whole("K", "the number of weights", 1, weights.MaxSamples, 1, 10, 100, 1000)),
		Values: []experiments.Value{
			{Name: "forward_bound", Doc: "the mean log of the mean of K forward weights", Unit: "nats", Low: -infinite, High: math.MaxFloat64, Missing: true},
			{Name: "reverse_bound", Doc: "the same of the harmonic mean of K reverse weights", Unit: "nats", Low: -math.MaxFloat64, High: infinite, Missing: true},
			{Name: "mixed_bound", Doc: "the same of one reverse and K - 1 forward weights", Unit: "nats", Low: -math.MaxFloat64, High: infinite, Missing: true},
			{Name: "log_z_ratio", Doc: "log R", Unit: "nats", Shown: true, Low: -math.MaxFloat64, High: math.MaxFloat64},
			{Name: "error_bound", Doc: "how far the bounds may be off", Unit: "nats", High: infinite},
			{Name: "forward_below", Doc: "how far forward_bound is below log R", Unit: "nats", Shown: true, Missing: true, Of: func(v []float64) float64 { return v[3] - v[0] }},
			{Name: "reverse_above", Doc: "how far reverse_bound is above log R", Unit: "nats", Shown: true, Missing: true, Of: func(v []float64) float64 { return v[1] - v[3] }},
			{Name: "mixed_above", Doc: "how far mixed_bound is above log R", Unit: "nats", Shown: true, Missing: true, Of: func(v []float64) float64 { return v[2] - v[3] }},
		},
		Solve: solveSamples,
		Check: samplesContradiction,
		Cost:  samplesCost,
	}
}

// solveSamples is the Solve of the study of many samples.
func solveSamples(ctx context.Context, c *experiments.Case, params experiments.Params) (experiments.Outcome, error) {
	rows, err := RunSamples(ctx, []experiments.Case{*c}, []int{params.Int("K")}, SampleOptions{Workers: 1})
	if err != nil {
		return experiments.Outcome{}, err
	}
	r := &rows[0]
	return experiments.Outcome{Numbers: []float64{r.Forward, r.Reverse, r.Mixed, r.LogZRatio, r.Error}, Note: r.Note}, nil
}

// samplesContradiction is the Check of the study of many samples: log R is between the bounds, to within their error.
func samplesContradiction(params experiments.Params, o experiments.Outcome) error {
	v := o.Numbers
	forward, reverse, mixed, logR := v[0], v[1], v[2], v[3]
	slack := v[4] + exact.MeanTolerance(params.Int("T"), forward, reverse)
	switch {
	case forward > logR+slack:
		return fmt.Errorf("its forward_bound is %v, above the log_z_ratio %v, which it bounds from below", forward, logR)
	case reverse < logR-slack:
		return fmt.Errorf("its reverse_bound is %v, below the log_z_ratio %v, which it bounds from above", reverse, logR)
	case mixed < logR-slack:
		return fmt.Errorf("its mixed_bound is %v, below the log_z_ratio %v, which it bounds from above", mixed, logR)
	}
	return nil
}
