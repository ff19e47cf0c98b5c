package gap

import (
	"context"
	"fmt"
	"math"
	"strings"

	"breadboard/experiments"
)

// Study returns the study as one that can be swept: which stages add most to B - J? Of the stages it has sums, and the one that adds most.
func Study() *experiments.Study {
	return &experiments.Study{
		Name: "gap", Answers: "which stages add most to B - J?",
		Main:       "gap",
		Parameters: experiments.Parameters(),
		Values:     experiments.ValuesOf(measures()),
		Solve:      solve,
		Check:      contradiction,
		Cost:       cost,
	}
}

// Places of those numbers of the study that are compared with others.
const (
	placeJ = iota
	placeB
	placeGap
	placeForward
	placeReverse
	placeWorstStage
	placeWorst
)

// summary is what a sweep keeps of the stages of an annealing.
type summary struct {
	*Row
	forward, reverse float64 // sums over the stages
	worst            int     // the number of the stage in Stages that adds most
}

// summarize adds the stages up.
func summarize(r *Row) *summary {
	all := r.Spans(1)[0]
	s := &summary{Row: r, forward: all.Forward, reverse: all.Reverse}
	for i := range r.Stages {
		if s.of(i) > s.of(s.worst) {
			s.worst = i
		}
	}
	return s
}

// of returns what a stage adds.
func (s *summary) of(i int) float64 { return s.Stages[i].Forward + s.Stages[i].Reverse }

// measures lists the values of the study.
func measures() []experiments.Measure[summary] {
	infinite := math.Inf(1)
	type value = experiments.Value
	return []experiments.Measure[summary]{
		{Value: value{Name: "J", Doc: "the Jeffreys divergence between output and target", Unit: "nats", Shown: true, High: infinite}, From: func(s *summary) float64 { return s.Solution.J }},
		{Value: value{Name: "B", Doc: "the bound on J", Unit: "nats", Shown: true, Low: -infinite, High: infinite}, From: func(s *summary) float64 { return s.Solution.B }},
		{Value: value{Name: "gap", Doc: "B - J, as the sum of what the stages add", Unit: "nats", Shown: true, Low: least, High: infinite}, From: func(s *summary) float64 { return s.forward + s.reverse }},
		{Value: value{Name: "gap_forward", Doc: "what forward chains add to it", Unit: "nats", Low: least, High: infinite}, From: func(s *summary) float64 { return s.forward }},
		{Value: value{Name: "gap_reverse", Doc: "what reverse chains add to it", Unit: "nats", Low: least, High: infinite}, From: func(s *summary) float64 { return s.reverse }},
		{Value: value{Name: "worst_stage", Doc: "the stage that adds most", Shown: true, Low: 2, High: MaxStages + 1}, From: func(s *summary) float64 { return float64(s.Stages[s.worst].Stage) }},
		{Value: value{Name: "worst_gap", Doc: "what that stage adds", Unit: "nats", Shown: true, Low: least, High: infinite}, From: func(s *summary) float64 { return s.of(s.worst) }},
		{Value: value{Name: "worst_beta", Doc: "the beta of that stage", Shown: true, High: 1}, From: func(s *summary) float64 { return s.Stages[s.worst].Beta }},
		{Value: value{Name: "kl_q_p", Doc: "KL(q(x_T) || p_T)", Unit: "nats", High: infinite}, From: func(s *summary) float64 { return s.KLQP }},
		{Value: value{Name: "kl_p_q", Doc: "KL(p_T || q(x_T))", Unit: "nats", High: infinite}, From: func(s *summary) float64 { return s.KLPQ }},
	}
}

// least is how far below zero underflow may leave what is never negative (see stages.Gap.Check).
const least = -0x1p-1022

// solve is the Solve of the study. Identities that do not hold are an error.
func solve(ctx context.Context, c *experiments.Case, _ experiments.Params) (experiments.Outcome, error) {
	cases, options := []experiments.Case{*c}, Options{Workers: 1}
	if err := options.Validate(cases); err != nil {
		return experiments.Outcome{}, err
	}
	rows, err := Run(ctx, cases, options)
	if err != nil {
		return experiments.Outcome{}, err
	}
	for _, i := range rows[0].Identities {
		if !i.OK {
			return experiments.Outcome{}, fmt.Errorf("%s: %v and %v are further apart than rounding explains", i.Name, i.Got, i.Want)
		}
	}
	return experiments.Outcome{
		Numbers: experiments.NumbersOf(measures(), summarize(&rows[0])),
		Note:    strings.Join(rows[0].Solution.Notes, "; "),
	}, nil
}

// sumTolerance is the relative error of a sum of a few numbers.
const sumTolerance = 1e-12

// contradiction is the Check of the study: the gap is that of both directions, and no stage adds more than all of them.
func contradiction(_ experiments.Params, o experiments.Outcome) error {
	v := o.Numbers
	total := v[placeForward] + v[placeReverse]
	if gap := v[placeGap]; !math.IsInf(total, 1) && !experiments.Near(gap, total, sumTolerance*total) {
		return fmt.Errorf("its gap is %v, and gap_forward and gap_reverse add up to %v", gap, total)
	}
	if worst := v[placeWorst]; worst > total*(1+sumTolerance)-least {
		return fmt.Errorf("its worst_gap is %v, and its gap %v", worst, total)
	}
	if gap := v[placeB] - v[placeJ]; o.Note == "" && !math.IsInf(v[placeB]+v[placeJ], 0) && !experiments.Near(gap, total, gapTolerance*(v[placeB]+v[placeJ])) {
		return fmt.Errorf("its gap is %v, and B - J is %v", total, gap)
	}
	return nil
}

// gapTolerance is the error of B - J, which is found by another route, relative to both (see stages.Gap.Check).
const gapTolerance = 1e-9

// stagesCost is measured: how many times as long as a solution by the general method the three sweeps over the stages take.
const stagesCost = 4

// cost is the Cost of the study.
func cost(s experiments.Size) experiments.Cost {
	return experiments.Cost{
		Seconds: s.Solution.Seconds + stagesCost*s.General.Seconds,
		Bytes:   s.Solution.Bytes + s.General.Bytes + math.Sqrt(float64(s.Distributions))*float64(s.States)*32 + 200*float64(s.Distributions),
	}
}
