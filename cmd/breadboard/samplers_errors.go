package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"breadboard/experiments"
	"breadboard/experiments/samplers"
	"breadboard/reports"
)

func (a *app) samplersErrorsCommand() *cobra.Command {
	selection := samplers.Selection{
		Toys: experiments.PaperToys(), Kernels: []string{"metropolis", "heatbath"},
		Starts: []string{"uniform", "target"}, Functions: []string{"x0"},
	}
	var options samplers.ErrorsOptions
	samples := samplesFlag(1, 10, 100, 1000, 10_000)
	c := &cobra.Command{
		Use:   "errors",
		Short: "How far are the averages of a chain from the truth? Exact errors and RESS",
		Long: `errors computes, exactly, the errors of what N samples of a chain estimate: the mean of a function, its variance (with
divisor N - 1) and its distribution, and the real effective sample size of each, RESS = R / (mean squared error).

R is what N independent draws have at the same N, times N, so that they have RESS = N: 1 for the mean; kurtosis - (N-3)/(N-1)
for the variance, which tends to the kurtosis less one, 2 for a normal distribution as in the paper; sum p F (1-F) for the
Cramer-von Mises distance (CvM); and N E[KS^2] for the Kolmogorov-Smirnov distance, which for continuous functions tends to
the paper's 0.822 = pi^2/12, and to less where a function has few values. E[KS^2] is exact where N and the number of values
are small; elsewhere ks2 is NaN, and ks2_lower and ks2_upper bound it. People see the column "RESS KS" where all rows have it,
and by --estimate distribution, which leaves room for it, where any has.

The column "from target" is the RESS of chains that start at a draw of the target, whose errors come from slow mixing
alone. What the start adds to the error is burn-in: mse_mean - mse_mean_stationary.

The column "constant" stands beside the RESS of the variance. It is what an estimate of zero scores, which a chain that
never moves makes: its error is one, and its RESS R. Any constant up to twice the truth scores more. A chain that stays
in one part of the space, where the function varies less, estimates nearly such a constant: its RESS of the variance may be
several times that of zero, at any N, although it has learnt nothing. So read it together with the RESS of the mean.

N/RESS tends to tau, the integrated autocorrelation time. A reducible chain has no tau, and its errors stand. For the
function all, errors and R are sums over the coordinates, and tau is their mean (Eq. 5). Where a kernel does not say how
often it asks for log f there is no work.

Methods: recursion goes from N to N + 1 (N up to 1e9); squaring takes powers of the transition matrix (N up to 1e12, and few
states); lanczos has all N at once on large spaces, of the mean alone, for reversible kernels from the target. auto takes
the fastest. Without --estimate what cannot be had is left out with a note.

With --out it also draws RESS of each estimate against N, with N/tau and the line RESS = N, and the parts of the error of the mean.`,
		Example: `  breadboard samplers errors --toy barrier --kernel metropolis --kernel heatbath --start uniform --start target --function x0 -N 1,10,100,1e4
  breadboard samplers errors --toy hard --function x0,x1,all --format json
  breadboard samplers errors --toy ising:4x4:0.4 --kernel metropolis --start target --function x0,sum,g --estimate mean -N 1000,1e6
  breadboard samplers errors --toy easy --kernel heatbath-scan --start mode,point:0 --warmup 10 --out results`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			for _, n := range samples.numbers {
				options.N = append(options.N, int64(n))
			}
			return a.samplersErrors(c.Context(), selection, options)
		},
	}
	addSamplers(c, &selection)
	addStarts(c, &selection)
	f := c.Flags()
	f.VarP(&samples, "samples", "N", "numbers of samples, the start among them")
	f.StringSliceVar(&options.Estimates, "estimate", nil, "what is estimated: "+strings.Join(samplers.Estimates(), ", ")+" (default all that can be had); the mean always is")
	f.StringVar(&options.Method, "method", samplers.Auto, "how errors are computed: "+strings.Join(samplers.Methods(), ", "))
	f.IntVar(&options.Workers, "workers", 0, "number of questions answered at once, each of one function on one chain; 0 is one for each core")
	completeList(c, "estimate", among(plain(samplers.Estimates())))
	completeOne(c, "method", among(plain(samplers.Methods())))
	return c
}

func (a *app) samplersErrors(ctx context.Context, selection samplers.Selection, options samplers.ErrorsOptions) error {
	problems, err := a.sampled(ctx, selection, options.Validate)
	if err != nil {
		return err
	}
	rows, err := during(a, "errors", options.Steps(problems), func(progress func(int)) ([]samplers.ErrorsRow, error) {
		options.Progress = progress
		return samplers.RunErrors(ctx, problems, options)
	})
	return showRows(a, rows, err, reports.SamplerErrorsReport)
}
