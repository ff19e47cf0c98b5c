package logweights

import (
	"fmt"
	"math"
	"strings"

	"breadboard/exact"
	"breadboard/exact/weights"
	"breadboard/experiments"
	"breadboard/experiments/study"
)

// Laws declares the study of the laws of log weights. Probabilities are known to within error_bound. The law is that of a
// lattice where the column frequencies is 0, and else comes from a characteristic function at so many frequencies; where that is resolved
// the probabilities have many more digits than error_bound promises.
func Laws() *study.Study[experiments.Case, Options, Row] {
	return &study.Study[experiments.Case, Options, Row]{
		Name: "weights",
		Asks: "The exact law of the log weight, and what averaging weights gains",
		Help: `weights computes the distribution of log w in both directions, exactly: its mean and standard deviation, how
often the estimate B-hat of the bound from a single pair of chains falls below J, or even below zero, and the
effective sample size of the forward chains as a share of their number. Where the log weights lie on a lattice
(barrier with a linear schedule) the law is a table; otherwise its characteristic function is inverted, and the
column error is a proven bound on the error of the probabilities.

Three flags ask other questions, one at a time. --samples gives the bounds on log R = log(Z_T/Z_1) from K weights:
forward (the log of their mean), reverse (the log of their harmonic mean) and mixed (one reverse and K-1 forward), and
the distance of each from log R. Where the log weights spread too far for a K above 1, its row is empty and a note
says why. --tails gives the probability that a log weight is on the wrong side of log R by more than b nats, and the
bound exp(-b) on it. --quantiles gives quantiles of log w.

With --out it also draws both laws, or with --samples the distances against K.`,
		Examples: `  breadboard weights --toy barrier -T 100
  breadboard weights --toy easy -T 1000 --out results
  breadboard weights --samples 1,10,100,1000 --toy barrier,hard
  breadboard weights --tails 1,2,3 --format csv
  breadboard weights --quantiles 0.05,0.5,0.95 --schedule sigmoid`,
		Counts: "laws", Workers: "number of computations at once",
		Options: []study.Option[Options]{{
			Name: "frequencies", Doc: "largest number of frequencies at which a characteristic function is computed; 0 is as many as some seconds allow, not counting the sweeps over T",
			Value: func(o *Options) study.Value { return study.Whole(&o.Frequencies, "N", 0, weights.MaxFrequencies) },
		}},
		Columns: lawColumns(), Plan: lawPlan,
		Swept: &study.Swept[experiments.Case, Row]{
			Former: "logweights", Answers: "How are log weights distributed, and how often does the estimate of B mislead?",
			Parameters: experiments.Parameters(), Subject: study.TheCase,
			Stored: []string{
				"mean_forward", "sd_forward", "mean_reverse", "sd_reverse", "p_bhat_below_J", "p_bhat_below_0", "ess_fraction", "J", "B", "log_z_ratio",
				"third_cumulant_forward", "fourth_cumulant_forward", "third_cumulant_reverse", "fourth_cumulant_reverse", "renyi_half",
				"p_zero_weight", "p_infinite_weight", "crooks_residual", "frequencies", "resolved", "error_bound",
			},
			Note:  func(r *Row) (string, error) { return strings.Join(r.Solution.Notes, "; "), nil },
			Check: lawContradiction, Cost: lawCost,
		},
	}
}

// Samples declares the study of bounds of many samples, which the command weights answers too.
func Samples() *study.Study[experiments.Case, SampleOptions, SampleRow] {
	standard := SampleOptions{K: []int{1, 10, 100, 1000}}
	samples := experiments.Whole("K", "the number of weights", 1, weights.MaxSamples, standard.K...)
	return &study.Study[experiments.Case, SampleOptions, SampleRow]{
		Name: "samples", Asks: "What does averaging K weights gain, in bounds on log R = log(Z_T/Z_1)?",
		Counts: "laws", Standard: standard,
		Options: []study.Option[SampleOptions]{{
			Name: "samples", Doc: "numbers K of weights for which bounds are given", Swept: &samples,
			Value: func(o *SampleOptions) study.Value { return study.Wholes(&o.K, "K", 1, weights.MaxSamples) },
		}},
		Columns: sampleColumns(), Plan: samplePlan,
		Swept: &study.Swept[experiments.Case, SampleRow]{
			Main: "forward_below", Parameters: experiments.Parameters(), Subject: study.TheCase,
			Stored: []string{"forward_bound", "reverse_bound", "mixed_bound", "log_z_ratio", "error_bound", "forward_below", "reverse_above", "mixed_above"},
			Note:   func(r *SampleRow) (string, error) { return r.Note, nil },
			Restore: func(k study.Kept) SampleRow {
				bounds := weights.MultiSample{Forward: k.Get("forward_bound"), Reverse: k.Get("reverse_bound"), Mixed: k.Get("mixed_bound")}
				return SampleRow{MultiSample: bounds, LogZRatio: k.Get("log_z_ratio")}
			},
			Check: samplesContradiction, Cost: samplesCost,
		},
	}
}

// momentTolerance is the accuracy of a mean of log weights beside their standard deviation (see weights.CumulantsOf).
const momentTolerance = 1e-10

// lawContradiction: an estimate is below zero no more often than below J, which is at least zero.
// Where the weights have a mean and no note says that digits are lost, B is the difference of both means.
func lawContradiction(k study.Kept) error {
	if zero, j := k.Get("p_bhat_below_0"), k.Get("p_bhat_below_J"); zero > j+2*k.Get("error_bound") {
		return fmt.Errorf("its p_bhat_below_0 is %v and its p_bhat_below_J %v, and J is never below zero", zero, j)
	}
	if k.Note != "" {
		return nil
	}
	forward, reverse, b := k.Get("mean_forward"), k.Get("mean_reverse"), k.Get("B")
	if spread := k.Get("sd_forward") + k.Get("sd_reverse"); !math.IsNaN(spread) {
		scale := momentTolerance*(1+spread) + exact.MeanTolerance(k.Params.Int("T"), forward, reverse)
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

// lawCost: a law takes at least some hundred solutions, and at most what inversion allows.
func lawCost(s experiments.Size) experiments.Cost {
	law := max(100*s.Solution.Seconds, min(inversionCost, inversionSolutions*s.Solution.Seconds))
	return experiments.Cost{Seconds: momentsCost*s.Solution.Seconds + law, Bytes: s.Solution.Bytes + lawBytes}
}

// samplesCost: one sample needs an exact solution, and more need transforms of the
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

// samplesContradiction: log R is between the bounds, to within their error.
func samplesContradiction(k study.Kept) error {
	forward, reverse, mixed, logR := k.Get("forward_bound"), k.Get("reverse_bound"), k.Get("mixed_bound"), k.Get("log_z_ratio")
	slack := k.Get("error_bound") + exact.MeanTolerance(k.Params.Int("T"), forward, reverse)
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
