package main

import (
	"cmp"
	"context"
	"strings"

	"github.com/spf13/cobra"

	"breadboard/chains/errs"
	"breadboard/experiments/draws/codes"
	"breadboard/experiments/draws/files"
	"breadboard/experiments/mcmc/samplers"
	"breadboard/experiments/mcmc/samplers/diagnose"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/reports"
)

func (a *app) samplersCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "samplers", Short: "How well does a sampler work? Exact times, errors, diagnostics",
		Long: `samplers scores samplers by the real effective sample size (RESS) of what they
estimate, and diagnostics by how well they predict it (Turner and Neal 2017).

All numbers are exact. N counts the samples, with the start. RESS is the number
of independent draws with the same mean squared error. Errors are in units of
the target's standard deviation; work counts evaluations of log f. Functions
are x0, x1, ... or names of axes, sum, g = log f, mode, conditions such as
x0<=3, expressions (breadboard help files), and all, the vector of all
coordinates.

See breadboard help mixing.`,
		Example: `  breadboard samplers errors --toy barrier --kernel metropolis --kernel heatbath -N 1,10,100,1e4
  breadboard samplers errors --toy schools --kernel heatbath --function mu,tau -N 100`,
		Args: subcommandsOnly, RunE: helpAlone,
	}
	laws := a.derive("samplers laws")
	laws.study.About.(*samplers.Chains).Refuse = laws.o.(*samplers.LawsOptions).Refuse
	setDefault(laws.Command, "function", "x0 and mode, or an indicator of x0")
	times := a.derive("samplers times")
	times.PreRun = func(*cobra.Command, []string) {
		times.o.(*samplers.TimesOptions).Curves = a.output.dir != ""
	}
	c.AddCommand(
		a.derived("samplers errors"), times.Command, laws.Command, a.samplersDiagnoseCommand(),
		a.derived("samplers calibrate"),
		a.derived("samplers meta"),
		a.samplersCorpusCommand(),
	)
	return c
}

// addSamplers adds the flags of the studies of samplers, with the defaults that the selection has.
func addSamplers(c *cobra.Command, s *samplers.Selection) *toyList {
	f := c.Flags()
	f.StringSliceVar(&s.Kernels, "kernel", s.Kernels, "")
	return addToys(f, &s.Toys, "")
}

// addAverages adds the flags of averages: a corpus in place of toys, and the moves that are left
// out.
func addAverages(c *cobra.Command, s *samplers.Selection) {
	c.Flags().Var(study.Whole(&s.Warmup, "N", 0, maxCount), "warmup", "")
	c.Flags().StringVar(&s.Corpus, "corpus", s.Corpus, "")
	exclude(c, "toy", "corpus")
}

// addStart adds the flag of where chains start.
func addStart(c *cobra.Command, s *samplers.Selection) {
	f := c.Flags()
	starts := subject.LawForms()
	f.Var(study.Selectors(&s.Starts, starts.Listing.Named), "start",
		": "+strings.Join(starts.Listing.Syntaxes(), ", "))
}

// addFunctions adds the flag of the functions.
func addFunctions(c *cobra.Command, s *samplers.Selection) {
	c.Flags().StringSliceVar(&s.Functions, "function", s.Functions, ", as x0, sum, g or x0<=3")
}

// samplersDiagnoseCommand returns the command of the study of simulated chains, which diagnoses
// draws from files in their place.
func (a *app) samplersDiagnoseCommand() *cobra.Command {
	c := a.derived("samplers diagnose")
	simulates := []string{"corpus", "kernel", "start", "samples", "chains", "seed", "workers"}
	var from drawsFrom
	addCodes(c, &from)
	written := []string{"base", "map", "column", "shape"}
	warmup := c.Flags().Lookup("warmup")
	// which is for files alone, which come behind the flags
	inner := warmup.Value
	share := ""
	warmup.Value = textFlag{
		"N", func() string { return cmp.Or(share, inner.String()) }, func(text string) (err error) {
			from.warmup, err = files.ParseWarmup(text)
			if err == nil && from.warmup.Share == 0 {
				return inner.Set(strings.TrimSuffix(text, "%"))
			}
			share = text
			return err
		}}
	warmup.Usage += "; of files also a share, as 10%"
	c.Use += " [FILE]..."
	c.Args = cobra.ArbitraryArgs
	simulated := c.RunE
	c.RunE = func(c *cobra.Command, args []string) error {
		switch {
		case len(args) > 0 && a.reader.Forms.Targets.Listing.Named(args[0]):
			return badInput(errs.New("%s takes files of draws as arguments; did you mean --toy %s?",
				c.CommandPath(), args[0]))
		case len(args) > 0:
			for _, flag := range simulates {
				if c.Flags().Changed(flag) {
					return badInput(errs.New(
						"--%s and the file %s are both given; draws from files are diagnosed as they are: "+
							"leave one out",
						flag,
						args[0],
					))
				}
			}
			from.paths = args
			return a.diagnoseFiles(c.Context(), &from, givenValues(c, "toy"), givenValues(c, "function"))
		}
		if from.warmup.Share > 0 {
			return badInput(errs.New(
				"--warmup with a share is of the chains in files; write the number of moves, as in --warmup 100",
			))
		}
		for _, flag := range written {
			if c.Flags().Changed(flag) {
				return badInput(errs.New("--%s says how files of draws are written; give one, as in %s chains.csv",
					flag, c.CommandPath()))
			}
		}
		return simulated(c, args)
	}
	return c
}

// givenValues returns the values of a flag of a list, and none if it is not given.
func givenValues(c *cobra.Command, name string) []string {
	flag := c.Flags().Lookup(name)
	if !flag.Changed {
		return nil
	}
	return flag.Value.(listValue).GetSlice()
}

// diagnoseFiles diagnoses the variables in files of one run, beside the truth if a target is named.
func (a *app) diagnoseFiles(ctx context.Context, from *drawsFrom, targets, functions []string) error {
	target, err := drawsTarget(ctx, a.reader, targets, functions)
	if err != nil {
		return studyFailure(err)
	}
	if target == nil && from.base != 0 {
		return badInput(errs.New(
			"--base counts the states of a target; name it, as in --toy ising:3x3:0.4, or leave --base out",
		))
	}
	written := &codes.Codes{}
	options := files.DrawsOptions{Most: diagnose.MaxDraws, Stdin: a.stdin, Warmup: from.warmup}
	if target != nil {
		written = target.Codes
		options.Own = target.Own
		options.Domain = target.Domain
		options.Elements = target.Elements
	}
	if from.names != "" {
		options.Meant = written.Meant
	}
	if err := from.coded(ctx, written); err != nil {
		return studyFailure(err)
	}
	options.Roles = written.Roles
	options.Shape = written.Shape
	draws, err := files.ReadDraws(ctx, from.paths, options)
	if err != nil {
		return studyFailure(err)
	}
	rows, err := during(
		a,
		"variables",
		diagnose.Steps(draws, target),
		func(progress func(int)) ([]diagnose.Variable, error) {
			return diagnose.Variables(ctx, draws, target, a.output.wanted(diagnose.VariableFields()), progress)
		},
	)
	if err != nil {
		return err
	}
	verdict := []string{"breadboard", "conform", "chain", "FILE...", "--toy", "TOY"}
	if len(from.paths) == 1 {
		verdict[3] = from.paths[0]
	}
	if target != nil {
		verdict[len(verdict)-1] = targets[0]
	}
	return a.present(ctx, func() *reports.Report {
		r := diagnose.VariablesReport(rows, draws)
		r.Note("%s tells whether the chains are right", reports.CommandLine(verdict))
		return r
	})
}

// drawsTarget returns the target of draws; nil if none is named.
func drawsTarget(ctx context.Context, in subject.Reader,
	targets, functions []string) (*diagnose.Target, error) {
	switch {
	case len(targets) == 0 && len(functions) > 0:
		return nil, errs.New("{function} %s is of the states of a target; name it, as in {toy} ising:3x3:0.4",
			functions[0])
	case len(targets) == 0:
		return nil, nil
	case len(targets) > 1:
		return nil, errs.New("{toy} names %d targets, and draws are of one", len(targets))
	}
	toy, err := in.ParseToy(ctx, targets[0])
	if err != nil {
		return nil, err
	}
	return diagnose.NewTarget(toy, functions)
}

func (a *app) samplersCorpusCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "corpus [NAME]", Short: "List the targets of a corpus",
		Long: `corpus lists the targets over which --corpus NAME runs: small (10 targets),
standard (100, the default) or FILE.toml.

Your own corpus is a TOML file with a list of targets as --toy takes them.
Paths are relative to the current folder:
  name = "hills"                                    # may be left out
  targets = ["easy", "random:2:{0..99}", "file:my.csv"]

See breadboard help mixing.`,
		Example: "  breadboard samplers corpus\n  breadboard samplers corpus small --format markdown",
		Args:    takes(0, 1),
		RunE: func(c *cobra.Command, args []string) error {
			return a.samplersCorpus(c.Context(), append(args, "standard")[0])
		},
	}
	return c
}

func (a *app) samplersCorpus(ctx context.Context, name string) error {
	corpus, err := samplers.ReadCorpus(name)
	if err != nil {
		return badInput(err)
	}
	targets, err := corpus.Load(ctx, a.reader)
	if err != nil {
		return badInput(err)
	}
	return a.showFixed(ctx, samplers.CorpusReport(corpus, targets))
}
