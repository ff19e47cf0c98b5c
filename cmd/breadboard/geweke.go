package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"breadboard/experiments/crosscheck"
	"breadboard/experiments/external"
	"breadboard/experiments/geweke"
	"breadboard/experiments/study"
	"breadboard/reports"
	"breadboard/toys"
)

func (a *app) gewekeCommand() *cobra.Command {
	o := geweke.Options{}
	var mutants, verbose bool
	c := &cobra.Command{
		Use:   "geweke",
		Short: "Do a model, its simulator and a kernel belong together? Geweke's joint test",
		Long: `geweke is the joint distribution test of Geweke (2004). There are two ways to draw latent variables z and data y of a model.
Forward, z is from the prior and y from the model given z. A chain begins with such a draw and alternates: z moves by the
kernel under p(z|y), and y is drawn anew given z. If all is right, both have exactly the same law after --rounds rounds.
Toys have few states z, and --kernel moves them. Models of any size (--model) are moved by the scan that their estimators use.

  mean_y, mean_y2, mean_y4, product_of_rows, log_joint
                        the rank of the end of each chain among 15 forward draws is uniform
  state                 the state of z at the end is a draw from the prior
  clusters_used, pairs_in_a_cluster, or attributes_on, pairs_with_an_attribute
                        so are these numbers, whose law is known exactly
  invariance            the kernel leaves p(z|y) invariant for three data sets that were drawn; this is exact

Models of any size have more numbers of z that are ranked, such as squares_of_u, with clustering:inferred also log_noise_variance
and the other hyperparameters, which are part of z there, and

  reversal              (z, z after a scan) has the law of (z after a scan back, z), by how much likelier the early variables
                        of the end are with the late ones of the beginning than the other way round
  reversal_of_hyperparameters
                        the same of hyperparameters and all other variables

A scan back in the wrong order leaves p(z|y) invariant, and only these two findings detect it. All but invariance are e-processes, which look
at the chains whenever there are twice as many: over all of them a false alarm has probability at most --alpha. An e-value near
0 or 1 is no evidence of a fault, and one of at least the tolerance is a fault. The exit code is then 1. The results are a
summary and the findings that say fault; -v shows all of them, and so do all formats but table.

A check of the kernel alone, as kernel check makes it, detects a kernel that does not leave p(z|y) invariant, and says where.
It cannot detect that p(z|y) is the posterior of another model than the one that the data come from; geweke can.

With --mutants it also tests models with planted bugs in p(z|y), in y given z and in the moves, and changes that do no harm;
the exit code is 1 where one is misjudged. With --out it also draws P-P plots of the statistics.`,
		Example: `  breadboard geweke
  breadboard geweke --toy clu6,bin4 --kernel metropolis --rounds 20
  breadboard geweke --model clustering,lowrank:inferred --out results
  breadboard geweke --model clustering:3 --data-rows 6 --data-columns 4 --draws 10000
  breadboard geweke --toy model:points.toml --draws 10000 --out results
  breadboard geweke --toy clu4 --mutants`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := gewekeSubjects(c, &o); err != nil {
				return err
			}
			return a.geweke(c.Context(), o, mutants, verbose)
		},
	}
	f := c.Flags()
	o.Toys = []string{geweke.DefaultToy}
	addToys(f, &o.Toys, "models of data, such as clu6, bin4 or model:PATH")
	completeList(c, "toy", ofForms(toys.Forms()))
	kernels := external.Forms()
	addSelector(f, &o.Kernel, "kernel", geweke.DefaultKernel, kernels.Syntaxes(), "the kernel that moves z: "+strings.Join(kernels.Syntaxes(), ", "))
	completeOne(c, "kernel", ofKernels(kernels))
	f.StringSliceVar(&o.Models, "model", nil, "models of any size, in place of the standard toy: "+strings.Join(geweke.Models().Syntaxes(), ", "))
	completeList(c, "model", ofForms(geweke.Models()))
	addSize(c, &o.Size.Rows, &o.Size.Columns)
	o.Rounds, o.Draws = geweke.DefaultRounds, geweke.DefaultDraws
	f.Var(study.Whole(&o.Rounds, "N", 0, maxCount), "rounds", fmt.Sprintf("how often a chain moves z and draws y anew, 1 to %d", geweke.MaxRounds))
	f.Var(study.Whole(&o.Draws, "N", 0, maxCount), "draws", fmt.Sprintf("largest number of chains, 256 to %d", geweke.MaxDraws))
	addSeed(f, &o.Seed, "seed of all random numbers, 0 to 2^64-1")
	f.Float64Var(&o.Alpha, "alpha", crosscheck.DefaultAlpha, "largest probability of a false alarm in the run; with --mutants, another one in the tests of all mutants")
	f.IntVar(&o.Workers, "workers", 0, "number of blocks of chains run at once; 0 is one for each core")
	f.BoolVar(&mutants, "mutants", false, "also test models with planted bugs, all of which must be caught")
	addVerbose(f, &verbose)
	return c
}

// gewekeSubjects leaves the standard toy out where models are given, and refuses flags that say nothing of what is tested.
func gewekeSubjects(c *cobra.Command, o *geweke.Options) error {
	if len(o.Models) == 0 {
		for _, name := range []string{"data-rows", "data-columns"} {
			if c.Flags().Changed(name) {
				return badInput(fmt.Errorf("--%s is the size of models of any size, and toys have their own; give --model too, or leave it out", name))
			}
		}
		return nil
	}
	if !c.Flags().Changed("toy") {
		o.Toys = nil
		if c.Flags().Changed("kernel") {
			return badInput(errors.New("--kernel moves toys, and models of any size are moved by their own scans; leave it out, or give --toy too"))
		}
	}
	return nil
}

func (a *app) geweke(ctx context.Context, o geweke.Options, mutants, verbose bool) error {
	o.Programs = a.programs
	rows, err := during(a, "chains", o.Steps(), func(progress func(int)) ([]geweke.Row, error) {
		o.Progress = progress
		return geweke.Run(ctx, o)
	})
	if err != nil {
		return err
	}
	var results []geweke.MutantResult
	if mutants {
		results, err = during(a, "chains of mutants", -1, func(progress func(int)) ([]geweke.MutantResult, error) {
			return geweke.RunMutants(ctx, geweke.MutantOptions{Seed: o.Seed, Alpha: o.Alpha, Workers: o.Workers, Progress: progress})
		})
		if err != nil {
			return err
		}
	}
	if err := a.output.open(a.leftovers); err != nil {
		return err
	}
	return a.show(func() *reports.Report { return inDetail(reports.GewekeReport(rows, results), verbose) })
}
