package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"breadboard/chains/particle"
	law "breadboard/exact/particle"
	"breadboard/experiments"
	"breadboard/experiments/particles"
	"breadboard/experiments/study"
	"breadboard/reports"
)

// smcFlags are the flags that say which particles there are and how they are resampled.
type smcFlags struct {
	particles  []int
	resample   []string
	thresholds []float64
	chains     int // 0 where no chains are asked for
}

func (a *app) smcCommand() *cobra.Command {
	var selection experiments.Selection
	var options particles.Options
	flags := smcFlags{particles: []int{1, 2}}
	c := &cobra.Command{
		Use:   "smc",
		Short: "What do more particles gain? Exact laws of sequential Monte Carlo",
		Long: `smc computes, exactly, how far the output of sequential Monte Carlo is from its target (J), what the estimate log Zhat
of log(Z_T/Z_1) is on average in runs and in conditional runs, and the relative variance of Zhat. P particles go through
the annealing side by side. At each stage they are weighed and, where the flags say so, resampled; then they move. The
output is one of them, drawn by the weights that are left. With one particle it is annealed importance sampling.

Conditional runs keep the path of an exact draw of the target among the particles. B is the difference of both means. It
bounds J, and is the expectation of AIDE with one run of meta-inference and an exact gold standard.

--threshold 1 resamples at every stage whatever the weights, 0 never, and a number C between them where the effective
sample size is below C times the number of particles. If particles are never resampled the scheme does not matter, and there
is one row for all schemes.

The column method says how a row was computed: annealing (one particle), pairs, triples or quadruples (the law of the
particles together), counts (any number of particles on two or three states), integral (never resampled), draws (the
kernel draws from its target, whatever the state) or enumeration.
Where there is no exact route it is none, the exact numbers are NaN, and a note says what would have to be smaller. The
relative variance is exact for any number of particles where the multinomial scheme resamples at every stage. --chains N
simulates N runs and N conditional runs of every row, and gives estimates with standard errors.

With --out it also draws J, and how far E log Zhat is below log(Z_T/Z_1), against the number of particles.`,
		Example: `  breadboard smc --toy barrier --resample multinomial,systematic --threshold 1,0
  breadboard smc --toy easy -T 100 --particles 1,2,3 --format json
  breadboard smc --toy random:2:1:3 -T 10 --particles 1,2,5,10,50 --out results
  breadboard smc --toy easy -T 20 --particles 10 --threshold 0.5 --chains 1e4`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			options.Chains = flags.chains
			return a.smc(c.Context(), selection, flags, options)
		},
	}
	addSelection(c, &selection, []int{100})
	f, schemes := c.Flags(), particle.Forms()
	f.Var(study.Wholes(&flags.particles, "P", 1, particles.MaxParticles), "particles", "numbers of particles")
	f.StringSliceVar(&flags.resample, "resample", []string{particle.Multinomial{}.String()}, "resampling schemes: "+strings.Join(schemes.Syntaxes(), ", "))
	addNumbers(f, &flags.thresholds, "threshold", []float64{1}, "when particles are resampled: 1 at every stage, 0 never, C where the effective sample size is below C times their number")
	f.Var(study.Whole(&flags.chains, "N", 2, maxCount), "chains", "number of runs, and of conditional runs, that are simulated for each row; 0 simulates none")
	addSeed(f, &options.Seed, "seed of all random numbers, 0 to 2^64-1")
	f.IntVar(&options.Workers, "workers", 0, "number of computations at once; 0 is one for each core")
	completeList(c, "resample", ofForms(schemes))
	return c
}

// settings returns the settings that the flags name.
func (f *smcFlags) settings() ([]law.Setting, error) {
	var schemes []particle.Scheme
	for _, text := range f.resample {
		s, err := particle.ParseScheme(strings.TrimSpace(text))
		if err != nil {
			return nil, err
		}
		schemes = append(schemes, s)
	}
	return particles.Settings(f.particles, schemes, f.thresholds)
}

func (a *app) smc(ctx context.Context, selection experiments.Selection, flags smcFlags, options particles.Options) error {
	settings, err := flags.settings()
	if err == nil {
		err = options.Validate(settings)
	}
	if err != nil {
		return badInput(err)
	}
	cases, err := a.cases(ctx, selection, func([]experiments.Case) error { return nil })
	if err != nil {
		return err
	}
	rows, err := during(a, "particles", options.Steps(cases, settings), func(progress func(int)) ([]particles.Row, error) {
		options.Progress = progress
		return particles.Run(ctx, cases, settings, options)
	})
	return showRows(a, rows, err, reports.SMCReport)
}
