package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"breadboard/chains"
	"breadboard/chains/particle"
	"breadboard/chains/selector"
	"breadboard/experiments"
	"breadboard/experiments/conform/smc"
	"breadboard/experiments/samples/files"
	"breadboard/experiments/study"
	"breadboard/reports"
	"breadboard/reports/views/checks"
)

func (a *app) conformParticlesCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "particles",
		Short: "Test your own sequential Monte Carlo with two or three particles against its exact law",
		Long: `particles tests your implementation of sequential Monte Carlo with resampling, in any language. spec writes a folder that says what
to implement on a small target; check reads the runs that the implementation has made. They are tested against the exact law
of log Zhat, of the parents of all slots at every resampling, of the last states and of the output, and the report
also has the odds of each known way to get it wrong.`,
		Args: cobra.NoArgs,
		Example: `  breadboard conform particles spec --out task
  breadboard conform particles check task --runs runs.csv`,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(annotate(a.particlesSpecCommand(), keepsNames), annotate(a.particlesCheckCommand(), pathArguments))
	return c
}

func (a *app) particlesSpecCommand() *cobra.Command {
	var selection experiments.Selection
	var number int
	var resample string
	var threshold, alpha float64
	c := &cobra.Command{
		Use:   "spec",
		Short: "Write a folder that says what to implement",
		Long: `spec writes the folder --out: README.md says what to do, and task.json has every number, log f and the kernel of every stage among
them. It also says how many runs find and name each known way to get sequential Monte Carlo wrong, with a probability of about
0.99, by all columns. The law is enumerated, so that few particles, states and distributions are possible: two particles on three
states with T = 3, which is what it writes where nothing else is said, or three on two states.

--threshold 1 resamples at every stage, 0 never, and C where the effective sample size is below C times the number of particles:
since that size is never below 1, C must be above 0.5 for two particles.`,
		Example: `  breadboard conform particles spec --out task
  breadboard conform particles spec --resample residual --threshold 0.75 --out task
  breadboard conform particles spec --particles 3 --toy random:2:0:2 --out task`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if a.output.dir == "" {
				return badInput(fmt.Errorf("no folder to write the task to; give one, as in --out task"))
			}
			if err := smc.ValidateAlpha(alpha); err != nil {
				return badInput(err)
			}
			if !c.Flags().Changed("toy") {
				selection.Toys = []string{c.Flags().Lookup("toy").DefValue}
			}
			scheme, err := particle.ParseScheme(strings.TrimSpace(resample))
			if err != nil {
				return badInput(err)
			}
			return a.particlesSpec(c.Context(), selection, number, scheme, threshold, alpha)
		},
	}
	addSelection(c, &selection, []int{3})
	f, schemes := c.Flags(), particle.Forms()
	f.Lookup("toy").DefValue = "random:2:0:3"
	f.IntVar(&number, "particles", smc.MinParticles, fmt.Sprintf("number of particles, %d to %d", smc.MinParticles, smc.MaxParticles))
	addSelector(f, &resample, "resample", particle.Systematic{}.String(), schemes.Syntaxes(), "resampling scheme: "+strings.Join(schemes.Syntaxes(), ", "))
	completeOne(c, "resample", ofForms(schemes))
	f.Float64Var(&threshold, "threshold", 1, "when particles are resampled: 1 at every stage, 0 never, C where the effective sample size is below C times their number")
	addAlpha(c, &alpha)
	return c
}

func (a *app) particlesSpec(ctx context.Context, selection experiments.Selection, number int, scheme particle.Scheme, threshold, alpha float64) error {
	cases, err := a.cases(ctx, selection, one)
	if err != nil {
		return err
	}
	t, err := smc.New(ctx, cases[0], number, scheme, threshold)
	if err != nil {
		return badInput(err)
	}
	laws, err := a.particleLaws(ctx, t)
	if err != nil {
		return err
	}
	files, err := t.Files()
	if err != nil {
		return badInput(err)
	}
	return a.show(func() *reports.Report { return checks.ParticlesSpecReport(files, laws.Needs(alpha)) })
}

// particleLaws enumerates the laws of a task.
func (a *app) particleLaws(ctx context.Context, t *smc.Task) (*smc.Laws, error) {
	var refused error
	laws, err := during(a, "computing the laws of every way to get it wrong", -1, func(progress func(int)) (l *smc.Laws, err error) {
		l, refused = smc.NewLaws(ctx, t, 0, progress)
		return l, ctx.Err()
	})
	if err == nil && refused != nil {
		err = badInput(refused)
	}
	return laws, err
}

// runFiles says where runs come from.
type runFiles struct{ runs, conditional, stdin string }

// runNames returns what check reads, as --stdin and the flags for files name it.
func runNames() []string { return []string{"runs", "conditional"} }

func (a *app) particlesCheckCommand() *cobra.Command {
	var o smc.Options
	var from runFiles
	c := &cobra.Command{
		Use:   "check TASK",
		Short: "Test runs in files, or from standard input, against their exact law",
		Long: `check reads runs that an implementation of a task has made: CSV with a row a run, whose columns stand in the README of the task.
They are log_z, output, last_i for every slot and ancestor_t_i for every stage and slot; each of these four kinds may be
missing. It reads until a fault is certain and can be named, or until the rows end.

The tests are e-processes: over all of them, and however often one looks, a false alarm has at most the probability
--alpha. Runs are taken to be independent of each other. The exit code is 1 if there is a fault.`,
		Example: `  breadboard conform particles check task --runs runs.csv --conditional conditional.csv
  python3 my_smc.py --task task --runs 100000 | breadboard conform particles check task --stdin runs`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: completeFolder,
		RunE: func(c *cobra.Command, args []string) error {
			if err := o.Validate(); err != nil {
				return badInput(err)
			}
			return a.particlesCheck(c.Context(), args[0], from, o)
		},
	}
	f := c.Flags()
	f.StringVar(&from.runs, "runs", "", "`FILE` of runs")
	f.StringVar(&from.conditional, "conditional", "", "`FILE` of conditional runs")
	f.StringVar(&from.stdin, "stdin", "", "`WHAT` standard input holds: "+strings.Join(runNames(), ", "))
	completeOne(c, "stdin", among(selector.Plain(runNames())))
	f.Var(study.Whole(&o.Runs, "N", 0, maxCount), "most-runs", "largest number of runs that are read of each source; 0 is all")
	addAlpha(c, &o.Alpha)
	a.addJUnit(f)
	return c
}

// open opens the sources of both directions; one that is not there is nil. The caller calls close when it is done.
func (f *runFiles) open(ctx context.Context, a *app, t *smc.Task) (sources [2]*smc.Source, close func(), err error) {
	var opened []*files.Cells
	close = func() {
		for _, c := range opened {
			c.Close()
		}
	}
	if f.stdin != "" && !slices.Contains(runNames(), f.stdin) {
		return sources, close, selector.UnknownError("--stdin", f.stdin, runNames())
	}
	for d, path := range []string{f.runs, f.conditional} {
		name := runNames()[d]
		piped := f.stdin == name
		if piped && path != "" {
			return sources, close, fmt.Errorf("--stdin %s and --%s %s; give one of them", name, name, path)
		}
		var cells *files.Cells
		switch {
		case piped:
			cells, err = files.StreamCells(ctx, "standard input", a.stdin)
		case path != "":
			cells, err = files.OpenCells(ctx, path)
		default:
			continue
		}
		if err != nil {
			return sources, close, err
		}
		opened = append(opened, cells)
		if sources[d], err = t.Read(cells); err != nil {
			return sources, close, err
		}
	}
	if len(opened) == 0 {
		return sources, close, fmt.Errorf("nothing to check; give --runs or --conditional with a file, or --stdin")
	}
	return sources, close, nil
}

func (a *app) particlesCheck(ctx context.Context, folder string, from runFiles, o smc.Options) error {
	t, err := smc.ReadFolder(filepath.Clean(folder))
	if err != nil {
		return badInput(err)
	}
	sources, done, err := from.open(ctx, a, t)
	defer done()
	if err != nil {
		return badInput(err)
	}
	laws, err := a.particleLaws(ctx, t)
	if err != nil {
		return err
	}
	if err := a.output.open(a.leftovers); err != nil {
		return err
	}
	add, stop := a.progress("runs that are read", -1)
	o.Progress = add
	found, err := laws.Check(ctx, sources[chains.Forward], sources[chains.Reverse], o)
	stop()
	if found == nil {
		return studyFailure(err)
	}
	if err != nil {
		a.note("interrupted: what follows is about the runs that were read until then")
		if failed := a.writeAnyway(checks.ParticlesReport(found)); failed != nil {
			return failed
		}
		return err
	}
	return a.show(func() *reports.Report { return checks.ParticlesReport(found) })
}
