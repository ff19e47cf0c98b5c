package experiments

import (
	"context"
	"fmt"

	"breadboard/exact"
	"breadboard/exact/stages"
)

// StageGaps is the account of B - J of one annealing, stage by stage.
type StageGaps struct {
	Case
	*stages.Gap
	Solution   *exact.Solution // by another route
	Identities []exact.Identity
}

// OK reports whether all identities hold.
func (g *StageGaps) OK() bool {
	for _, i := range g.Identities {
		if !i.OK {
			return false
		}
	}
	return true
}

// GapOptions says how to run the study.
type GapOptions struct {
	Workers  int             // annealings at once; 0 is one for each processor
	Progress func(steps int) // called from several goroutines at once; the calls add up to Steps
}

// MaxGapStages is the largest number of stages in one study: each is a row.
const MaxGapStages = 1_000_000

// Validate says why the study would be refused.
func (o GapOptions) Validate(cases []Case) error {
	if o.Workers < 0 {
		return fmt.Errorf("--workers %d; give a number of annealings, or 0 for one on each core", o.Workers)
	}
	stages := 0
	for _, c := range cases {
		if stages += c.T; stages > MaxGapStages {
			return fmt.Errorf("more than %d stages, each of them a row; give smaller numbers of distributions, or fewer toys", MaxGapStages)
		}
	}
	return nil
}

// Steps returns the number of steps that GapStudy reports to Progress.
func (o GapOptions) Steps(cases []Case) int {
	total := 0
	for _, c := range cases {
		total += 4 * (c.T - 1)
	}
	return total
}

// GapStudy says, for every case, which stages B exceeds J by, and checks that they add up to the B and J of
// exact.Solve. It stops at the first error, which names the case.
func GapStudy(ctx context.Context, cases []Case, o GapOptions) ([]StageGaps, error) {
	out := make([]StageGaps, len(cases))
	err := parallel(ctx, len(cases), o.Workers, func(ctx context.Context, i int) (err error) {
		g := &out[i]
		g.Case = cases[i]
		if g.Gap, err = stages.GapByStage(ctx, g.Annealing, o.Progress); err != nil {
			return fmt.Errorf("%s: %w", &g.Case, err)
		}
		if g.Solution, err = exact.Solve(ctx, g.Annealing, exact.Options{Progress: o.Progress}); err != nil {
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

// GapSpan is what a run of stages adds to B - J.
type GapSpan struct {
	First, Last        int     // stages
	BetaFrom, BetaTo   float64 // betas before the first and at the last
	Forward, Reverse   float64 // sums of brackets
	AllForward, AllRev float64 // sums of all brackets so far
	Jeffreys           float64 // between the laws of x_t in both chains, at the last stage
}

// Spans divides the stages into n runs of equal length, or one stage each where there are fewer.
func (g *StageGaps) Spans(n int) []GapSpan {
	n = min(n, len(g.Stages))
	spans := make([]GapSpan, n)
	forward, reverse, beta := 0.0, 0.0, 0.0
	for i := range spans {
		stages := g.Stages[i*len(g.Stages)/n : (i+1)*len(g.Stages)/n]
		last := stages[len(stages)-1]
		s := GapSpan{First: stages[0].Stage, Last: last.Stage, BetaFrom: beta, BetaTo: last.Beta, Jeffreys: last.Jeffreys}
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
