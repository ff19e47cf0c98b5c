package main

import (
	"context"

	"github.com/spf13/cobra"

	"breadboard/chains/selector"
	"breadboard/experiments/samplers"

	"breadboard/reports/views/mcmc"
)

func (a *app) samplersCorpusCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "corpus [NAME]",
		Short: "List the targets of a corpus",
		Long: `corpus lists the targets over which --corpus NAME runs: small (10 targets), standard (100, the default) or FILE.toml.

standard has random fields by sigma, passes of a filter and seed, barriers, Ising's model, the eight schools and mixtures, on
at most 81 states. A corpus of one's own is a TOML file with a list of selectors as --toy takes them; paths among
them are relative to the folder in which breadboard is started:
  name = "hills"                                    # may be left out
  targets = ["easy", "random:2:{0..99}", "file:my.csv"]`,
		Example: "  breadboard samplers corpus\n  breadboard samplers corpus small --format markdown",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return a.samplersCorpus(c.Context(), append(args, "standard")[0])
		},
		ValidArgsFunction: completedOnce(among([]selector.Completion{{Text: "small", Doc: "10 targets"}, {Text: "standard", Doc: "100 targets"}})),
	}
	return c
}

func (a *app) samplersCorpus(ctx context.Context, name string) error {
	corpus, err := samplers.ReadCorpus(name)
	if err != nil {
		return badInput(err)
	}
	targets, err := corpus.Load(ctx)
	if err != nil {
		return badInput(err)
	}
	return a.showFixed(mcmc.SamplersCorpusReport(corpus, targets))
}
