package gap

import (
	"context"
	"fmt"

	"breadboard/chains"
	"breadboard/exact"
	"breadboard/exact/stages"
	"breadboard/experiments"
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

// Options says how to run the study.
type Options struct {
	Workers  int             // the number of annealings solved at once; 0 is one for each processor
	Progress func(steps int) // called from several goroutines at once; the calls add up to Steps
}

// MaxStages is the largest number of stages in one study. Each stage is a row of its table.
const MaxStages = 1_000_000

// Validate returns an error that says why Run would refuse the study, and nil where it would not.
func (o Options) Validate(cases []experiments.Case) error {
	if o.Workers < 0 {
		return chains.NewAdvice("{workers} %d; give a number of annealings, or 0 for one on each core", o.Workers)
	}
	stages := 0
	for _, c := range cases {
		if stages += c.Distributions(); stages > MaxStages {
			return fmt.Errorf("more than %d stages, each of them a row; give smaller numbers of distributions, or fewer toys", MaxStages)
		}
	}
	return nil
}

// Steps returns the number of steps that Run reports to Progress.
func (o Options) Steps(cases []experiments.Case) int {
	total := 0
	for _, c := range cases {
		total += 4 * (c.Distributions() - 1)
	}
	return total
}

// Run computes, for every case, what each stage adds to B - J, and checks that the stages add up to the B and J of
// exact.Solve. It stops at the first error, which names the case.
func Run(ctx context.Context, cases []experiments.Case, o Options) ([]Row, error) {
	each := experiments.WorkersEach(len(cases), o.Workers)
	return experiments.Rows(ctx, len(cases), o.Workers, func(ctx context.Context, i int) (_ []Row, err error) {
		g := Row{Case: cases[i]}
		if g.Gap, err = stages.GapByStage(ctx, g.Annealing(), o.Progress); err != nil {
			return nil, g.Case.Wrong(err)
		}
		if g.Solution, err = exact.Solve(ctx, g.Annealing(), exact.Options{Progress: o.Progress, Workers: each}); err != nil {
			return nil, g.Case.Wrong(err)
		}
		g.Identities = g.Check(g.Solution)
		return []Row{g}, nil
	})
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
