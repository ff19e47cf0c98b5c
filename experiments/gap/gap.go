package gap

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"breadboard/exact"
	"breadboard/exact/stages"
	"breadboard/experiments"
	"breadboard/experiments/study"
)

// Row is the account of B - J of one annealing, stage by stage.
type Row struct {
	experiments.Case
	*stages.Gap
	Solution   *exact.Solution // J and B, computed by another route than the stages
	Identities []exact.Identity
}

// OK reports whether all identities hold.
func (g *Row) OK() bool {
	for _, i := range g.Identities {
		if !i.OK {
			return false
		}
	}
	return true
}

// MaxStages is the largest number of stages in one study. Each stage is a row of its table.
const MaxStages = 1_000_000

// plan refuses more stages than a table may have. An error of the plan names the case.
func plan(_ context.Context, cases []experiments.Case, _ *study.NoOptions) (study.Plan[Row], error) {
	stages := 0
	for i := range cases {
		if stages += cases[i].Distributions(); stages > MaxStages {
			return study.Plan[Row]{}, fmt.Errorf("more than %d stages, each of them a row; give smaller numbers of distributions, or fewer toys", MaxStages)
		}
	}
	return study.Each(cases, func(c *experiments.Case) int { return 4 * (c.Distributions() - 1) }, rowOf), nil
}

// rowOf computes what each stage of a case adds to B - J, and checks that the stages add up to the B and J of exact.Solve.
func rowOf(ctx context.Context, c *experiments.Case, h study.How) (r Row, err error) {
	r.Case = *c
	if r.Gap, err = stages.GapByStage(ctx, c.Annealing(), h.Progress); err != nil {
		return r, c.Wrong(err)
	}
	if r.Solution, err = exact.Solve(ctx, c.Annealing(), exact.Options{Progress: h.Progress, Workers: h.Workers}); err != nil {
		return r, c.Wrong(err)
	}
	r.Identities = r.Check(r.Solution)
	return r, nil
}

// Span is a run of consecutive stages, with what they add to B - J.
type Span struct {
	First, Last        int     // the first and the last stage
	BetaFrom, BetaTo   float64 // the betas before the first stage and at the last one
	Forward, Reverse   float64 // the sums of the forward and of the reverse brackets of these stages
	AllForward, AllRev float64 // the same sums over all stages up to the last one
	Jeffreys           float64 // the Jeffreys divergence between the laws of x_t in both chains, at the last stage
}

// Spans divides the stages into n runs of equal length, or one stage each where there are fewer.
func (g *Row) Spans(n int) []Span {
	n = min(n, len(g.Stages))
	spans := make([]Span, n)
	forward, reverse, beta := 0.0, 0.0, 0.0
	for i := range spans {
		stages := g.Stages[i*len(g.Stages)/n : (i+1)*len(g.Stages)/n]
		last := stages[len(stages)-1]
		s := Span{First: stages[0].Stage, Last: last.Stage, BetaFrom: beta, BetaTo: last.Beta, Jeffreys: last.Jeffreys}
		for _, stage := range stages {
			s.Forward += stage.Forward
			s.Reverse += stage.Reverse
		}
		forward, reverse, beta = forward+s.Forward, reverse+s.Reverse, s.BetaTo
		s.AllForward, s.AllRev = forward, reverse
		spans[i] = s
	}
	return spans
}

// whole returns the one span of all stages.
func (g *Row) whole() Span { return g.Spans(1)[0] }

// worst returns the stage that adds most.
func (g *Row) worst() stages.StageGap {
	return slices.MaxFunc(g.Stages, func(a, b stages.StageGap) int { return cmp.Compare(a.Forward+a.Reverse, b.Forward+b.Reverse) })
}
