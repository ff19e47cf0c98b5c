package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"breadboard/experiments"
	"breadboard/experiments/study"
	"breadboard/experiments/subjective"
	"breadboard/reports"
)

func (a *app) subjectiveCommand() *cobra.Command {
	var selection experiments.Selection
	options := subjective.Options{Moves: []int{0, 1, 10, 100, 1000, 10_000}}
	c := &cobra.Command{
		Use:   "subjective",
		Short: "What if reverse chains start elsewhere? The subjective divergence",
		Long: `subjective computes, exactly, what bidirectional Monte Carlo reports where its reverse chains start from a
reference law in place of the target: E_reference[log w] - E_fwd[log w], in nats. If they start from the target it
is B, a bound on J; from any other law it bounds nothing, and may be negative. With --moves the reference is first moved S
times by the target's kernel, as for an approximate draw from the target, and the value tends to B as S grows. The
table says for each S whether the value bounds J; the column bound_from has the S from which on it does.

References are uniform, initial (the first distribution), target, mode (the target's likeliest state),
point:STATE (numbered from 0 in row-major order; on a graph its label), fitted:AXIS=VALUE (the target given the
value of an axis, as for a hyperparameter that has been fitted; the axis is a name, as eta, or its number from 0, and
the value one of the grid, or where the axis has no values a coordinate) and file:PATH (log r in a file like a target's).`,
		Example: `  breadboard subjective --toy barrier -T 1e4
  breadboard subjective --toy easy -T 100,1000 --reference uniform,point:24 --moves 0,1,10,100,1000
  breadboard subjective --toy hyper -T 10 --kernel heatbath-scan --reference fitted:eta=0.25,fitted:eta=4 --moves 0,1,2,5,10,100
  breadboard subjective --toy barrier --kernel heatbath --reference mode --out results`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return a.subjective(c.Context(), selection, options)
		},
	}
	addSelection(c, &selection, []int{10_000})
	flags := c.Flags()
	references := subjective.ReferenceForms()
	flags.StringSliceVar(&options.References, "reference", []string{"uniform", "mode"}, "where reverse chains start: "+strings.Join(references.Syntaxes(), ", "))
	flags.Var(study.Wholes(&options.Moves, "S", 0, maxMoves), "moves", "numbers S of moves under the target, from the reference to the start of the reverse chain")
	flags.IntVar(&options.Workers, "workers", 0, "number of annealings solved at once; 0 is one for each core")
	completeList(c, "reference", ofForms(references))
	return c
}

// maxMoves is the largest number of moves. By powers of the kernel they take milliseconds, and one by one, on a large space, months.
const maxMoves = 1_000_000_000_000

func (a *app) subjective(ctx context.Context, selection experiments.Selection, options subjective.Options) error {
	cases, err := a.cases(ctx, selection, options.Validate)
	if err != nil {
		return err
	}
	runs, err := during(a, "steps", options.Steps(cases), func(progress func(int)) ([]subjective.Row, error) {
		options.Progress = progress
		return subjective.Run(ctx, cases, options)
	})
	return showRows(a, runs, err, reports.SubjectiveReport)
}
