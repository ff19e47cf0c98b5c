package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"breadboard/chains/selector"
	"breadboard/chains/tempering"
	"breadboard/experiments"
	"breadboard/experiments/conform/ladders"
	"breadboard/experiments/conform/records"
	"breadboard/experiments/study"
	"breadboard/toys"
)

func (a *app) conformTemperingCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "tempering",
		Short: "Test your own parallel tempering against its exact law",
		Long: `tempering tests your implementation of parallel tempering (replica exchange), in any language. spec writes a folder that says
what to implement on a small target; check reads the runs that the implementation has made. They are tested against the exact law
of the swaps, the states, the rejections, log Zhat and the round trips, and the report also has the odds of each known way to get it
wrong. Most of these leave every replica's law as it is, so that no test of invariance finds them.`,
		Args: cobra.NoArgs,
		Example: `  breadboard conform tempering spec --out task
  breadboard conform tempering check task --runs runs.csv`,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	check := &cobra.Command{
		Use:   "check TASK",
		Short: "Test runs in files, or from standard input, against their exact law",
		Long: `check reads runs that an implementation of a task has made: CSV with a row a run, whose columns stand in the README of the task.
Runs have what became of every swap, the last states, log_z and the mean rejections; trips, which are longer, have swaps and round
trips. Each kind of columns may be missing. It reads until a fault is certain and can be named, or until the rows end.

The tests are e-processes: over all of them, and however often one looks, a false alarm has at most the probability
--alpha. Runs are taken to be independent of each other. The exit code is 1 if there is a fault.`,
		Example: `  breadboard conform tempering check task --runs runs.csv --trips trips.csv
  python3 my_tempering.py --task task --runs 100000 | breadboard conform tempering check task --stdin runs`,
	}
	c.AddCommand(annotate(a.temperingSpecCommand(), keepsNames), annotate(
		a.recordsCheck(check, "tempering", []string{"runs", "trips"}, func(folder string) (recordsTask, error) { return ladders.ReadFolder(folder) }), pathArguments))
	return c
}

func (a *app) temperingSpecCommand() *cobra.Command {
	toy, initial, scheme := "random:2:0:3", "tempered:0.3", string(tempering.DEO)
	betas, scans, long, alpha := []float64{0, 0.3, 1}, ladders.MaxScans, 5, 0.0
	c := &cobra.Command{
		Use:   "spec",
		Short: "Write a folder that says what to implement",
		Long: `spec writes the folder --out: README.md says what to do, and task.json has every number. It also says how many runs find and name
each known way to get parallel tempering wrong, with a probability of about 0.99, by all columns. The laws hold the states of all
replicas together, so that few states, rungs and scans are possible.

The path starts at --initial. From uniform, a swap ratio without the reference is right, and is not found.`,
		Example: `  breadboard conform tempering spec --out task
  breadboard conform tempering spec --scheme seo --scans 2 --out task
  breadboard conform tempering spec --toy random:2:1:2 --ladder 0,0.2,0.5,1 --long-scans 6 --out task`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := a.taskAsked(records.ValidateAlpha(alpha)); err != nil {
				return err
			}
			selection := experiments.Selection{
				Toys: []string{toy}, Distributions: []int{2}, Initial: initial,
				Path: experiments.Default("path"), Schedule: experiments.Default("schedule"), Kernel: "metropolis",
			}
			cases, err := a.cases(c.Context(), selection, one)
			if err != nil {
				return err
			}
			t, err := ladders.New(c.Context(), cases[0], betas, tempering.Scheme(scheme), scans, long)
			if err != nil {
				return badInput(err)
			}
			return a.specify(c.Context(), t, alpha)
		},
	}
	f, targets, initials := c.Flags(), toys.Forms(), toys.InitialForms()
	addSelector(f, &toy, "toy", toy, targets.Syntaxes(), "the target: "+strings.Join(targets.Syntaxes(), ", "))
	addSelector(f, &initial, "initial", initial, initials.Syntaxes(), "where the path starts: "+strings.Join(initials.Syntaxes(), ", "))
	f.Var(study.Numbers(&betas), "ladder", "the betas of the rungs, from 0 to 1")
	f.StringVar(&scheme, "scheme", scheme, "which pairs are offered swaps: deo, the even and the odd ones in turn, or seo, by the flip of a coin")
	f.IntVar(&scans, "scans", scans, fmt.Sprintf("number of scans of a run, 2 to %d", ladders.MaxScans))
	f.IntVar(&long, "long-scans", long, "number of scans of a run in which round trips are counted")
	completeOne(c, "toy", ofForms(targets))
	completeOne(c, "initial", ofForms(initials))
	completeOne(c, "scheme", among(selector.Plain(tempering.Schemes())))
	addAlpha(c, &alpha)
	return c
}
