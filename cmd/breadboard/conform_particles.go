package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"breadboard/chains/particle"
	"breadboard/experiments"
	"breadboard/experiments/conform/filters"
	"breadboard/experiments/conform/records"
)

func (a *app) conformParticlesCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "particles",
		Short: "Test your own sequential Monte Carlo with two or three particles against its exact law",
		Long: `particles tests your implementation of sequential Monte Carlo with resampling, in any language. spec writes a folder that says what
to implement on a small target; check reads the runs that the implementation has made. They are tested against the exact law
of log Zhat, of the parents of all slots at every resampling, of the last states and of the output, and the report
also has the odds of each known way to get it wrong.`,
		Args: cobra.NoArgs,
		Example: `  breadboard conform particles spec --out task
  breadboard conform particles check task --runs runs.csv`,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(annotate(a.particlesSpecCommand(), keepsNames), annotate(a.particlesCheckCommand(), pathArguments))
	return c
}

func (a *app) particlesSpecCommand() *cobra.Command {
	var selection experiments.Selection
	var number int
	var resample string
	var threshold, alpha float64
	c := &cobra.Command{
		Use:   "spec",
		Short: "Write a folder that says what to implement",
		Long: `spec writes the folder --out: README.md says what to do, and task.json has every number, log f and the kernel of every stage among
them. It also says how many runs find and name each known way to get sequential Monte Carlo wrong, with a probability of about
0.99, by all columns. The law is enumerated, so that few particles, states and distributions are possible: two particles on three
states with T = 3, which is what it writes where nothing else is said, or three on two states.

--threshold 1 resamples at every stage, 0 never, and C where the effective sample size is below C times the number of particles:
since that size is never below 1, C must be above 0.5 for two particles.`,
		Example: `  breadboard conform particles spec --out task
  breadboard conform particles spec --resample residual --threshold 0.75 --out task
  breadboard conform particles spec --particles 3 --toy random:2:0:2 --out task`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := a.taskAsked(records.ValidateAlpha(alpha)); err != nil {
				return err
			}
			if !c.Flags().Changed("toy") {
				selection.Toys = []string{c.Flags().Lookup("toy").DefValue}
			}
			scheme, err := particle.ParseScheme(strings.TrimSpace(resample))
			if err != nil {
				return badInput(err)
			}
			return a.particlesSpec(c.Context(), selection, number, scheme, threshold, alpha)
		},
	}
	addSelection(c, &selection, []int{3})
	f, schemes := c.Flags(), particle.Forms()
	f.Lookup("toy").DefValue = "random:2:0:3"
	f.IntVar(&number, "particles", filters.MinParticles, fmt.Sprintf("number of particles, %d to %d", filters.MinParticles, filters.MaxParticles))
	addSelector(f, &resample, "resample", particle.Systematic{}.String(), schemes.Syntaxes(), "resampling scheme: "+strings.Join(schemes.Syntaxes(), ", "))
	completeOne(c, "resample", ofForms(schemes))
	f.Float64Var(&threshold, "threshold", 1, "when particles are resampled: 1 at every stage, 0 never, C where the effective sample size is below C times their number")
	addAlpha(c, &alpha)
	return c
}

func (a *app) particlesSpec(ctx context.Context, selection experiments.Selection, number int, scheme particle.Scheme, threshold, alpha float64) error {
	cases, err := a.cases(ctx, selection, one)
	if err != nil {
		return err
	}
	t, err := filters.New(ctx, cases[0], number, scheme, threshold)
	if err != nil {
		return badInput(err)
	}
	return a.specify(ctx, t, alpha)
}

func (a *app) particlesCheckCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "check TASK",
		Short: "Test runs in files, or from standard input, against their exact law",
		Long: `check reads runs that an implementation of a task has made: CSV with a row a run, whose columns stand in the README of the task.
They are log_z, output, last_i for every slot and ancestor_t_i for every stage and slot; each of these four kinds may be
missing. It reads until a fault is certain and can be named, or until the rows end.

The tests are e-processes: over all of them, and however often one looks, a false alarm has at most the probability
--alpha. Runs are taken to be independent of each other. The exit code is 1 if there is a fault.`,
		Example: `  breadboard conform particles check task --runs runs.csv --conditional conditional.csv
  python3 my_smc.py --task task --runs 100000 | breadboard conform particles check task --stdin runs`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: completeFolder,
	}
	return a.recordsCheck(c, "particles", []string{"runs", "conditional"}, func(folder string) (recordsTask, error) { return filters.ReadFolder(folder) })
}
