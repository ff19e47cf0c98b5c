package main

import (
	"context"

	"github.com/spf13/cobra"

	"breadboard/chains/selector"
	"breadboard/experiments/aide"

	"breadboard/reports/views/inference"
)

func (a *app) aideCommand() *cobra.Command {
	c := studyCommand(a, aide.Study(), a.annealings(100), inference.AIDEReport)
	c.AddCommand(studyCommand(a, aide.Comparisons(), comparisons(), inference.AIDEStudyReport), former(a.aideCheckCommand()))
	return c
}

// comparisons is what the argument of a command names, with the data of one's own.
func comparisons() subjects[*aide.Comparison] {
	var name string
	var own aide.Data
	return subjects[*aide.Comparison]{
		what: "setting up the study",
		flags: func(c *cobra.Command) {
			c.Use += " NAME"
			c.Args = func(c *cobra.Command, args []string) error {
				if err := cobra.ExactArgs(1)(c, args); err != nil {
					return err
				}
				name = args[0]
				return nil
			}
			c.ValidArgsFunction = completedOnce(among(selector.Plain(aide.ComparisonNames())))
			c.Flags().StringVar(&own.HMM, "hmm", "", "a `FILE` with a hidden Markov model, in place of the study's own")
			c.Flags().StringVar(&own.Points, "points", "", "a `FILE` with points, in place of the study's own")
		},
		build: func(context.Context, func(int)) ([]*aide.Comparison, error) {
			s, err := aide.LoadComparison(name, own)
			return []*aide.Comparison{s}, err
		},
	}
}
