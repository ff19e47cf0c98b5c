package ais

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"breadboard/experiments"
)

// Defaults of the parameters that the study has of its own.
const (
	DefaultChains = 10_000
	DefaultSeed   = 1
)

// Study returns the study as one that can be swept: what do chains say, beside the exact answer? Each quantity of a Row has
// its exact expectation, its estimate with the standard error and the bias, and z. A seed is at most experiments.MaxNumber.
func Study() *experiments.Study {
	return &experiments.Study{
		Name: "ais", Answers: "what do Monte Carlo estimates say, beside the exact answer?",
		Parameters: append(experiments.Parameters(),
			experiments.Whole("chains", "chains in each direction", 2, experiments.MaxNumber, DefaultChains),
			experiments.Whole("seed", "of all random numbers", 0, experiments.MaxNumber, DefaultSeed)),
		Values: values(),
		Solve:  solve,
		Check:  contradiction,
		Cost:   cost,
	}
}

// sweepable is a quantity of a Row as the study has it: the name of its exact value, and whether people see it in the table.
type sweepable struct {
	quantity, exact, doc string
	shown                bool
}

// sweepables lists the quantities in the order of Row.Quantities.
func sweepables() []sweepable {
	return []sweepable{
		{"mean_log_w_forward", "mean_log_w_forward", "the mean log weight of forward chains", false},
		{"mean_log_w_reverse", "mean_log_w_reverse", "the mean log weight of reverse chains", false},
		{"B", "B", "the bound on J", true},
		{"kl_q_p_bound", "kl_q_p_bound", "log(Z_T/Z_1) less the forward mean", false},
		{"kl_p_q_bound", "kl_p_q_bound", "the reverse mean less log(Z_T/Z_1)", false},
		{"log_mean_w_forward", "log_mean_w_forward", "the log of the mean weight of forward chains", false},
		{"log_mean_w_reverse", "log_mean_w_reverse", "the log of the harmonic mean weight of reverse chains", false},
		{"bar", "log_z_ratio", "Bennett's acceptance ratio", false},
		{plugIn, "J", "J of the histogram of final states, with its bias", true},
	}
}

// Kinds of numbers that a quantity has, in the order in which they are stored.
const (
	kindExact = iota
	kindEstimate
	kindError
	kindBias
	kindZ
	kinds
)

// values returns the values of the study: for each quantity one of every kind.
func values() []experiments.Value {
	var out []experiments.Value
	infinite := math.Inf(1)
	for _, q := range sweepables() {
		low := -infinite
		if q.exact == "J" {
			low = 0
		}
		out = append(out,
			experiments.Value{Name: q.exact, Doc: "exact: " + q.doc, Unit: "nats", Shown: q.shown, Low: low, High: infinite, Missing: low < 0},
			experiments.Value{Name: q.quantity + "_estimate", Doc: "estimate: " + q.doc, Unit: "nats", Shown: q.shown, Low: -infinite, High: infinite, Missing: true},
			experiments.Value{Name: q.quantity + "_standard_error", Doc: "its standard error", Unit: "nats", Shown: q.shown, High: infinite, Missing: true},
			experiments.Value{Name: q.quantity + "_bias", Doc: "its bias, to first order", Unit: "nats", Low: -infinite, High: infinite, Missing: true},
			experiments.Value{Name: q.quantity + "_z", Doc: "how many standard errors it is off, bias left aside", Shown: q.shown, Low: -infinite, High: infinite, Missing: true},
		)
	}
	return out
}

// solve is the Solve of the study.
func solve(ctx context.Context, c *experiments.Case, params experiments.Params) (experiments.Outcome, error) {
	seed, err := strconv.ParseUint(params.Get("seed"), 10, 64)
	if err != nil {
		return experiments.Outcome{}, err
	}
	rows, err := Run(ctx, []experiments.Case{*c}, Options{Chains: params.Int("chains"), Seed: seed, Workers: 1})
	if err != nil {
		return experiments.Outcome{}, err
	}
	r := &rows[0]
	if r.Err != nil {
		return experiments.Outcome{}, r.Err
	}
	var numbers []float64
	notes := slices.Clone(r.Exact.Notes)
	for i, s := range sweepables() {
		q := &r.Quantities[i]
		if q.Name != s.quantity {
			return experiments.Outcome{}, fmt.Errorf("the quantity %s stands where %s belongs", q.Name, s.quantity)
		}
		numbers = append(numbers, q.Exact, q.Estimate, q.StandardError, q.Bias, q.Z())
		if q.Note != "" && q.Note != plugInNote {
			notes = append(notes, q.Name+": "+q.Note)
		}
	}
	return experiments.Outcome{Numbers: numbers, Note: strings.Join(notes, "; ")}, nil
}

// estimateTolerance is the relative error to which estimates that are computed from one another agree: some roundings.
const estimateTolerance = 1e-14

// ofQuantities reports whether a note is about quantities only, and so says nothing of the digits of the exact solution.
func ofQuantities(note string) bool {
	for part := range strings.SplitSeq(note, "; ") {
		name, _, _ := strings.Cut(part, ": ")
		if part != "" && !slices.ContainsFunc(sweepables(), func(s sweepable) bool { return s.quantity == name }) {
			return false
		}
	}
	return true
}

// contradiction is the Check of the study. The estimate of B is the difference of two estimates. Where no note says that
// digits are lost, the exact values are those of one annealing.
func contradiction(params experiments.Params, o experiments.Outcome) error {
	at := func(quantity string, kind int) float64 {
		return o.Numbers[kinds*slices.IndexFunc(sweepables(), func(s sweepable) bool { return s.quantity == quantity })+kind]
	}
	forward, reverse := at("mean_log_w_forward", kindEstimate), at("mean_log_w_reverse", kindEstimate)
	size := math.Abs(forward) + math.Abs(reverse)
	if b := at("B", kindEstimate); !math.IsInf(size, 0) && !experiments.Near(b, reverse-forward, estimateTolerance*(1+size)) {
		return fmt.Errorf("its B_estimate is %v, and the estimates %v and %v are %v apart", b, forward, reverse, reverse-forward)
	}
	if !ofQuantities(o.Note) {
		return nil
	}
	return experiments.CheckBounds(params.Int("T"), at(plugIn, kindExact), at("B", kindExact),
		at("mean_log_w_forward", kindExact), at("mean_log_w_reverse", kindExact), at("bar", kindExact))
}

// Measured: how many times as long as a solution by the general method the laws take that standard errors are made from;
// and the seconds of a step of a chain, where many chains share the rows of a stage.
const (
	lawsCost  = 6
	chainCost = 4e-9
)

// cost is the Cost of the study. The bytes of a chain are those of Options.Validate.
func cost(s experiments.Size) experiments.Cost {
	chains := float64(s.Params.Int("chains"))
	return experiments.Cost{
		Seconds: s.Solution.Seconds + lawsCost*s.General.Seconds + 2*chains*float64(s.Distributions-1)*chainCost,
		Bytes:   2*s.Solution.Bytes + chains*(workPerChain+keptPerChain),
	}
}
