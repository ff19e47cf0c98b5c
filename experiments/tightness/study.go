package tightness

import (
	"context"
	"fmt"
	"math"
	"strings"

	"breadboard/exact"
	"breadboard/experiments"
	"breadboard/toys"
)

// Places of the numbers that the study stores of a case.
const (
	placeJ = iota
	placeB
	placeKLQP
	placeKLPQ
	placeForward
	placeReverse
	placeLogZ
	placeMass
)

// Study returns the study as one that can be swept: how far is the output of annealing from its target, and how far does
// the bound say it is? The meaning of the numbers is that of the fields of exact.Solution.
func Study() *experiments.Study {
	infinite := math.Inf(1)
	ratio := func(of func(*Row) float64) func([]float64) float64 {
		return func(v []float64) float64 { return of(&Row{Solution: &exact.Solution{J: v[placeJ], B: v[placeB]}}) }
	}
	return &experiments.Study{
		Name: "tightness", Answers: "how far is the output from the target (J), and how far does the bound say it is (B)?",
		Parameters: experiments.Parameters(),
		Values: []experiments.Value{
			{Name: "J", Doc: "the Jeffreys divergence between output and target", Unit: "nats", Shown: true, High: infinite},
			// Check asks for a B of zero or more, unless a note says that its digits are lost.
			{Name: "B", Doc: "the bound on J", Unit: "nats", Shown: true, Low: -infinite, High: infinite},
			{Name: "kl_q_p", Doc: "KL(q(x_T) || p_T)", Unit: "nats", High: infinite},
			{Name: "kl_p_q", Doc: "KL(p_T || q(x_T))", Unit: "nats", High: infinite},
			{Name: "mean_log_w_forward", Doc: "the mean log weight of forward chains", Unit: "nats", Low: -infinite, High: math.MaxFloat64},
			{Name: "mean_log_w_reverse", Doc: "the mean log weight of reverse chains", Unit: "nats", Low: -math.MaxFloat64, High: infinite},
			{Name: "log_z_ratio", Doc: "log(Z_T/Z_1)", Unit: "nats", Low: -math.MaxFloat64, High: math.MaxFloat64},
			{Name: "B_over_J", Doc: "B/J", Of: ratio((*Row).Ratio), Shown: true},
			{Name: "relative_error", Doc: "B/J - 1", Of: ratio((*Row).RelativeError)},
			{Name: "relative_error_rounded", Doc: "B/J - 1 of J and B with three digits each", Of: ratio((*Row).RoundedError)},
			// A mass is a sum of probabilities, which rounding may leave above one.
			{Name: "dominant_mode_mass", Doc: "the target's mass of the mode that the toy names", High: 1 + divergenceTolerance, Missing: true},
		},
		Solve: solve,
		Check: contradiction,
	}
}

// solve is the Solve of the study.
func solve(ctx context.Context, c *experiments.Case, _ experiments.Params) (experiments.Outcome, error) {
	rows, err := Run(ctx, []experiments.Case{*c}, Options{Workers: 1})
	if err != nil {
		return experiments.Outcome{}, err
	}
	r := &rows[0]
	numbers := []float64{r.J, r.B, r.KLQP, r.KLPQ, r.MeanLogWForward, r.MeanLogWReverse, r.LogZRatio, r.ModeMass}
	return experiments.Outcome{Numbers: numbers, Note: strings.Join(r.Notes, "; ")}, nil
}

// divergenceTolerance is the relative error to which J and both divergences are promised. Where a note says that digits
// are lost, all three have lost the same ones.
const divergenceTolerance = 1e-12

// contradiction is the Check of the study: B is not below zero, and a mode has a mass exactly where the toy names one. J is
// the sum of both divergences to within the promise. That B bounds J, that it is the difference of the mean log weights,
// and that these hold log(Z_T/Z_1) between them is asked to within what exact.Check asks of a solution. A note may say that
// B or the log weights have lost digits, so that nothing is asked of these where there is one.
func contradiction(params experiments.Params, o experiments.Outcome) error {
	v := o.Numbers
	if o.Note == "" {
		if err := (&experiments.Value{Name: "B", High: math.Inf(1)}).InRange(v[placeB]); err != nil {
			return err
		}
	}
	toy, mass := params.Get("toy"), v[placeMass]
	if named := toys.NamesMode(toy); named && math.IsNaN(mass) {
		return fmt.Errorf("its dominant_mode_mass is NaN, and the toy %s names a mode", toy)
	} else if !named && !math.IsNaN(mass) {
		return fmt.Errorf("its dominant_mode_mass is %v, and the toy %s names no mode", mass, toy)
	}
	if j, sum := v[placeJ], v[placeKLQP]+v[placeKLPQ]; !experiments.Near(j, sum, divergenceTolerance*(j+sum)) {
		return fmt.Errorf("its J is %v, and kl_q_p and kl_p_q add up to %v", j, sum)
	}
	if o.Note != "" {
		return nil
	}
	return experiments.CheckBounds(params.Int("T"), v[placeJ], v[placeB], v[placeForward], v[placeReverse], v[placeLogZ])
}
