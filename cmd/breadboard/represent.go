package main

import (
	"context"

	"github.com/spf13/cobra"

	"breadboard/experiments"
	"breadboard/experiments/represent"
	"breadboard/toys"
)

// represented are the annealings of all representations of the models that flags select, with a default of T.
func (a *app) represented(T ...int) subjects[experiments.Case] {
	s, all := experiments.Selection{Toys: toys.RepresentedNames(), Schedule: "sigmoid:4", Kernel: "heatbath-scan"}, experiments.Selection{}
	about := a.selected(&all, T)
	build := about.build
	about.flags = func(c *cobra.Command) { addSelection(c, &s, T) }
	about.build = func(ctx context.Context, progress func(int)) (list []experiments.Case, err error) {
		if all, err = represent.Expand(ctx, s); err != nil {
			return nil, err
		}
		return build(ctx, progress)
	}
	return about
}

// setDefault makes help show another default of a flag of addSelection than that of most studies.
func setDefault(c *cobra.Command, name, shown string) { c.Flags().Lookup(name).DefValue = shown }
