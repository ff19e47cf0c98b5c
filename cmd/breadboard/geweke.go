package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"breadboard/experiments/checks/geweke"
	"breadboard/experiments/marginal/sandwich"
	"breadboard/experiments/programs"
	"breadboard/reports"
	"breadboard/reports/views/checks"
	"breadboard/toys"
)

func (a *app) gewekeCommand() *cobra.Command {
	which := geweke.Selection{Toys: []string{geweke.DefaultToy}, Size: geweke.Size{Rows: sandwich.DefaultRows, Columns: sandwich.DefaultColumns}}
	about := subjects{
		what:  "setting up models",
		flags: func(c *cobra.Command) { addGewekeModels(c, &which) },
		build: func(ctx context.Context, _ func(int)) (on any, err error) {
			which.Programs = a.programs
			return which.Build(ctx)
		},
	}
	verbose := false
	d := a.deriveOn(entryOf("geweke"), about)
	d.view = reports.Untyped(func(rows []geweke.Row) *reports.Report { return inDetail(checks.GewekeReport(rows), verbose) })
	d.RunE = func(c *cobra.Command, _ []string) error {
		if err := gewekeSubjects(c, &which); err != nil {
			return err
		}
		return a.answer(c.Context(), d)
	}
	a.addDetail(d.Flags(), &verbose)
	return d.Command
}

// addGewekeModels adds the flags of models.
func addGewekeModels(c *cobra.Command, which *geweke.Selection) {
	f := c.Flags()
	addToys(f, &which.Toys, ": models of data, such as clu6, bin4 or model:PATH")
	completeList(c, "toy", ofForms(toys.Forms()))
	kernels := programs.Forms()
	addSelector(f, &which.Kernel, "kernel", geweke.DefaultKernel, kernels.Listing.Syntaxes(), "that moves z: "+
		strings.Join(kernels.Listing.Syntaxes(), ", "))
	completeOne(c, "kernel", ofKernels(kernels))
	f.StringSliceVar(&which.Models, "model", nil, "of any size, in place of --toy: "+strings.Join(geweke.Models().Listing.Syntaxes(), ", "))
	completeList(c, "model", ofForms(geweke.Models()))
	for _, option := range sandwich.SizeOptions(&which.Size.Rows, &which.Size.Columns) {
		addOption(c, option.Name, option.Letter, option.Doc, option.To, option.Complete)
	}
}

// gewekeSubjects leaves the standard toy out where models are given, and refuses flags that say
// nothing of what is tested.
func gewekeSubjects(c *cobra.Command, which *geweke.Selection) error {
	if len(which.Models) == 0 {
		for _, name := range []string{"data-rows", "data-columns"} {
			if c.Flags().Changed(name) {
				return badInput(fmt.Errorf("--%s is the size of models of any size, and toys have their own; give --model too, or leave it out", name))
			}
		}
		return nil
	}
	if !c.Flags().Changed("toy") {
		which.Toys = nil
		if c.Flags().Changed("kernel") {
			return badInput(errors.New("--kernel moves toys, and models of any size are moved by their own scans; leave it out, or give --toy too"))
		}
	}
	return nil
}
