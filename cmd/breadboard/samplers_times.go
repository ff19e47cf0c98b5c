package main

import (
	"context"

	"github.com/spf13/cobra"

	"breadboard/experiments"
	"breadboard/experiments/samplers"

	"breadboard/reports"
)

func (a *app) samplersTimesCommand() *cobra.Command {
	selection := samplers.Selection{Toys: experiments.PaperToys(), Kernels: []string{"metropolis", "heatbath"}, Starts: []string{"uniform"}}
	var options samplers.TimesOptions
	c := &cobra.Command{
		Use:   "times",
		Short: "After how many moves does a chain forget where it began? Mixing and burn-in times",
		Long: `times computes the two times of Turner and Neal (2017, section 4.4), exactly. The mixing time is the least number k of
moves with MI(x_k; x_0) <= 0.01 nats, for x_0 from the target: it is the kernel's alone. The burn-in time is the least k
with TV(law of x_k, target) <= 0.01, for x_0 from the start: it depends on both, and a good start has none.

A chain that is reducible or periodic never forgets: its time is infinite. Where the spectral gap is so small that digits
are lost, a note says how many are left.

With --out it also draws MI and TV against k.`,
		Example: `  breadboard samplers times
  breadboard samplers times --toy barrier --kernel metropolis,heatbath-scan --start uniform,mode,point:0
  breadboard samplers times --toy easy --mi 0.001 --tv 0.05 --out results`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			options.Curves = a.output.dir != ""
			return a.samplersTimes(c.Context(), selection, options)
		},
	}
	addSamplers(c, &selection)
	addStart(c, &selection)
	f := c.Flags()
	f.Float64Var(&options.MI, "mi", samplers.Standard, "bound of the mutual information, in nats")
	f.Float64Var(&options.TV, "tv", samplers.Standard, "bound of the total variation distance")
	f.IntVar(&options.Workers, "workers", 0, "number of chains whose times are computed at once; 0 is one for each core")
	return c
}

func (a *app) samplersTimes(ctx context.Context, selection samplers.Selection, options samplers.TimesOptions) error {
	problems, err := a.sampled(ctx, selection, options.Validate)
	if err != nil {
		return err
	}
	rows, err := during(a, "times", options.Steps(problems), func(progress func(int)) ([]samplers.TimesRow, error) {
		options.Progress = progress
		return samplers.RunTimes(ctx, problems, options)
	})
	return showRows(a, rows, err, reports.SamplerTimesReport)
}
