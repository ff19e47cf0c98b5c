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
	Solution   *exact.Solution // by another route
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
	Workers  int             // annealings at once; 0 is one for each processor
	Progress func(steps int) // called from several goroutines at once; the calls add up to Steps
}

// MaxStages is the largest number of stages in one study: each is a row.
const MaxStages = 1_000_000

// Validate says why the study would be refused.
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

// Run says, for every case, which stages B exceeds J by, and checks that they add up to the B and J of
// exact.Solve. It stops at the first error, which names the case.
func Run(ctx context.Context, cases []experiments.Case, o Options) ([]Row, error) {
	out := make([]Row, len(cases))
	err := experiments.Parallel(ctx, len(cases), o.Workers, func(ctx context.Context, i int) (err error) {
		g := &out[i]
		g.Case = cases[i]
		if g.Gap, err = stages.GapByStage(ctx, g.Annealing(), o.Progress); err != nil {
			return fmt.Errorf("%s: %w", &g.Case, err)
		}
		if g.Solution, err = exact.Solve(ctx, g.Annealing(), exact.Options{Progress: o.Progress}); err != nil {
			return fmt.Errorf("%s: %w", &g.Case, err)
		}
		g.Identities = g.Check(g.Solution)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// Span is what a run of stages adds to B - J.
type Span struct {
	First, Last        int     // stages
	BetaFrom, BetaTo   float64 // betas before the first and at the last
	Forward, Reverse   float64 // sums of brackets
	AllForward, AllRev float64 // sums of all brackets so far
	Jeffreys           float64 // between the laws of x_t in both chains, at the last stage
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
