package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"breadboard/chains/selector"
	"breadboard/experiments/checks/vectors"
	"breadboard/experiments/subject"
)

// mostAnswers is the largest number of bytes of a file of answers.
const mostAnswers = 1 << 26

func (a *app) vectorsCommand() *cobra.Command {
	return &cobra.Command{
		Use: "vectors [ROUTINE...]", Short: "Write exact answers for tests of plain functions",
		Long: `vectors lists plain functions of Monte Carlo code: sums of log weights, R-hat,
effective sample sizes, acceptance probabilities, recursions of hidden Markov
models, resampling and others.

With --out it writes a file for each, with inputs and exact answers of 30
digits. Let your function answer all cases, and give the answers to breadboard
conform vectors.

See breadboard help routines.`,
		Example: `  breadboard vectors --out vectors
  breadboard vectors rhat rhat_rank ess_bulk --out vectors
  breadboard vectors --format json`,
		Args: cobra.ArbitraryArgs, ValidArgs: vectors.Names(),
		RunE: func(c *cobra.Command, args []string) error {
			list, err := vectors.FindRoutines(args)
			if err != nil {
				return badInput(err)
			}
			if a.output.dir != "" {
				_, err = during(a, "answers", len(list), func(progress func(int)) (any, error) {
					return nil, subject.Parallel(c.Context(), len(list), 0, func(_ context.Context, i int) error {
						list[i].AnsweredCases()
						progress(1)
						return nil
					})
				})
				if err != nil {
					return err
				}
			}
			return a.showFixed(c.Context(), vectors.VectorsReport(list))
		},
	}
}

func (a *app) conformVectorsCommand() *cobra.Command {
	var verbose bool
	c := &cobra.Command{
		Use: "vectors FILE", Short: "Test what plain functions answer to the cases of breadboard vectors",
		Long: `vectors reads what functions have answered to the cases of breadboard vectors,
as JSON: {"rhat": {"four": 1.02, "odd": 0.98}}.

A number that JSON does not have is a text, "inf", "-inf" or "nan". A text that
begins with error says that the function has failed, which is right if the
answer is undefined. Matrices are lists of rows. Missing answers leave a
routine open. The exit code is 1 if a routine is wrong or open.

See breadboard help routines.`,
		Example: `  breadboard conform vectors answers.json
  breadboard conform vectors answers.json -v --junit vectors.xml`,
		Args: takes(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			data, err := selector.ReadFile(args[0], mostAnswers)
			if err != nil {
				return studyFailure(err)
			}
			answers, err := vectors.ReadAnswers(data)
			if err != nil {
				return badInput(fmt.Errorf("%s: %w", args[0], err))
			}
			findings, err := during(a, "routines", len(answers), func(progress func(int)) ([]vectors.Finding, error) {
				return vectors.Judge(c.Context(), answers, progress)
			})
			if err != nil {
				return err
			}
			return a.showFixed(c.Context(), inDetail(vectors.ConformVectorsReport(args[0], findings), verbose))
		},
	}
	a.addDetail(c.Flags(), &verbose)
	return c
}
