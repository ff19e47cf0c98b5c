package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"breadboard/experiments/checks/conform/ranks"
	"breadboard/experiments/draws/files"
	"breadboard/experiments/mcmc/samplers/diagnose"
	"breadboard/experiments/study"
)

func (a *app) conformJointCommand() *cobra.Command {
	j := jointFlags{most: 99}
	c := &cobra.Command{
		Use:   "joint FORWARD SUCCESSIVE",
		Short: "Test a model, its simulator and its sampler by draws of both (Geweke's joint test)",
		Long: `joint compares two files of draws of parameters and data.

FORWARD has independent draws: parameters from the prior, and data from the
simulator. SUCCESSIVE has a column chain. Each chain begins with a forward
draw, then alternates a step of the posterior sampler and new data. If all is
right, both have the same distribution (Geweke 2004). Some 1000 chains of 10 to
100 draws, with 100 forward draws for each chain, find most faults. If data are
many numbers, write a few functions of them instead.

See breadboard help check-kernel.`,
		Example: `  breadboard conform joint forward.csv successive.csv
  breadboard conform joint forward.npz successive.npz --draws 19 --out results`,
		Args: takes(2, 2),
		RunE: func(c *cobra.Command, args []string) error {
			return a.conformJoint(c.Context(), args[0], args[1], j)
		},
	}
	f := c.Flags()
	f.VarP(study.Whole(&j.most, "L", 1, ranks.MaxDraws), "draws", "L", ", at most")
	addRoles(c, &j.columns)
	addSeed(f, &j.seed)
	addAlpha(c, &j.alpha)
	a.addDetail(f, &j.verbose)
	return c
}

// jointFlags are the flags of conform joint.
type jointFlags struct {
	columns []string // the roles of columns
	most    int      // draws of the posterior in a rank, at most
	seed    uint64
	alpha   float64
	verbose bool
}

func (a *app) conformJoint(ctx context.Context, forward, successive string, j jointFlags) error {
	roles, err := rolesOf(j.columns)
	if err != nil {
		return badInput(err)
	}
	var both [2]*files.Draws
	used := map[string]bool{}
	for i, path := range []string{forward, successive} {
		both[i], err = files.ReadDraws(ctx, []string{path}, files.DrawsOptions{
			TableOptions: files.TableOptions{Roles: roles},
			Most:         diagnose.MaxDraws,
			Stdin:        a.stdin,
			Used:         used,
		})
		if err != nil {
			return badInput(err)
		}
	}
	for name, is := range used {
		if !is {
			return badInput(fmt.Errorf("--column %s=%s: neither %s nor %s has such a column", name,
				roles[name], forward, successive))
		}
	}
	list, notes, err := ranks.OfJoint(both[0], both[1], j.most, j.seed)
	if err != nil {
		return badInput(err)
	}
	findings, err := during(a, "variables", len(list), func(progress func(int)) ([]ranks.Finding, error) {
		return ranks.Check(ctx, list, j.alpha, progress)
	})
	if err != nil {
		return err
	}
	return a.showFixed(ctx, inDetail(ranks.ConformJointReport(successive+" among "+forward, findings, notes), j.verbose))
}
