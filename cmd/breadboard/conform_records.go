package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"breadboard/chains/particle"
	"breadboard/chains/selector"
	"breadboard/chains/tempering"
	"breadboard/experiments"
	"breadboard/experiments/checks/conform/filters"
	"breadboard/experiments/checks/conform/ladders"
	"breadboard/experiments/checks/conform/records"
	"breadboard/experiments/data/samples/files"
	"breadboard/experiments/study"
	"breadboard/reports"
	"breadboard/reports/views/checks"
	"breadboard/toys"
)

// recordsTask is a task whose records are tested against exact laws.
type recordsTask interface {
	Kinds() []records.Kind
	Laws(ctx context.Context, workers int, progress func(int)) (*records.Laws, error)
	Files() ([]records.File, error)
}

// laws computes the laws of a task.
func (a *app) laws(ctx context.Context, of func(ctx context.Context, workers int, progress func(int)) (*records.Laws, error)) (*records.Laws, error) {
	laws, err := during(a, "computing the laws of every way to get it wrong", -1, func(progress func(int)) (*records.Laws, error) { return of(ctx, 0, progress) })
	return laws, badInput(err)
}

// taskAsked fails where a command that writes the folder of a task is given none, or where the given check of its alpha has failed.
func (a *app) taskAsked(alpha error) error {
	if a.output.dir == "" {
		return badInput(fmt.Errorf("no folder to write the task to; give one, as in --out task"))
	}
	return badInput(alpha)
}

// specify writes the folder of a task, and says how many records find each known way to get it wrong.
func (a *app) specify(ctx context.Context, t recordsTask, alpha float64) error {
	laws, err := a.laws(ctx, t.Laws)
	if err != nil {
		return err
	}
	list, err := t.Files()
	if err != nil {
		return badInput(err)
	}
	return a.show(func() *reports.Report { return checks.RecordsSpecReport(list, laws.Needs(alpha)) })
}

// recordFiles says where the records of each kind come from. The flags for files are called as --stdin names the kinds.
type recordFiles struct {
	names []string
	paths [][]string // of each kind, the files that are read one after another
	stdin string
}

// recordsCheck completes a command that checks the records of a task: its flags are --stdin and those of the kinds, and read reads the folder.
func (a *app) recordsCheck(c *cobra.Command, name string, kinds []string, read func(folder string) (recordsTask, error)) *cobra.Command {
	var o records.Options
	strict := false
	from := recordFiles{names: kinds, paths: make([][]string, len(kinds))}
	f := c.Flags()
	for i, kind := range kinds {
		f.StringArrayVar(&from.paths[i], kind, nil, "`FILE` of "+kind)
	}
	f.StringVar(&from.stdin, "stdin", "", "`WHAT` standard input holds: "+strings.Join(kinds, ", "))
	completeOne(c, "stdin", among(selector.Plain(kinds)))
	f.Var(study.Whole(&o.Runs, "N", 0, maxCount), "most-runs", "largest number of runs that are read of each source; 0 is all")
	addAlpha(c, &o.Alpha)
	f.BoolVar(&strict, "strict", false, "exit with code 1 also where some tests are undecided")
	a.addJUnit(f)
	c.Args, c.ValidArgsFunction = cobra.ExactArgs(1), completeFolder
	c.RunE = func(c *cobra.Command, args []string) error {
		if err := o.Validate(); err != nil {
			return badInput(err)
		}
		task, err := read(filepath.Clean(args[0]))
		if err != nil {
			return badInput(err)
		}
		return a.checkRecords(c.Context(), task, from, o, func(found *records.Outcome) *reports.Report { return checks.RecordsReport(name, found, strict) })
	}
	return c
}

// open opens the sources of all kinds; one that is not there is nil. The caller calls close when it is done.
func (f *recordFiles) open(ctx context.Context, a *app, kinds []records.Kind) (sources []*records.Source, close func(), err error) {
	var opened []*files.Cells
	close = func() {
		for _, c := range opened {
			c.Close()
		}
	}
	if f.stdin != "" && !slices.Contains(f.names, f.stdin) {
		return sources, close, selector.UnknownError("--stdin", f.stdin, f.names)
	}
	sources = make([]*records.Source, len(kinds))
	read := func(i int, cells *files.Cells, err error) error {
		if err != nil {
			return err
		}
		opened = append(opened, cells)
		source, err := kinds[i].Read(cells)
		if err == nil {
			sources[i], err = sources[i].Then(source)
		}
		return err
	}
	for i, paths := range f.paths {
		name := f.names[i]
		if f.stdin == name {
			if paths != nil {
				return sources, close, fmt.Errorf("--stdin %s and --%s %s; give one of them", name, name, paths[0])
			}
			cells, err := files.StreamCells(ctx, "standard input", a.stdin)
			if err = read(i, cells, err); err != nil {
				return sources, close, err
			}
		}
		if err := files.Different(paths); err != nil {
			return sources, close, err
		}
		for _, path := range paths {
			cells, err := files.OpenCells(ctx, path)
			if err = read(i, cells, err); err != nil {
				return sources, close, err
			}
		}
	}
	if len(opened) == 0 {
		return sources, close, fmt.Errorf("nothing to check; give --%s with a file, or --stdin", strings.Join(f.names, " or --"))
	}
	return sources, close, nil
}

// checkRecords tests the records of a task.
func (a *app) checkRecords(ctx context.Context, task recordsTask, from recordFiles, o records.Options, report func(*records.Outcome) *reports.Report) error {
	sources, done, err := from.open(ctx, a, task.Kinds())
	defer done()
	if err != nil {
		return badInput(err)
	}
	laws, err := a.laws(ctx, task.Laws)
	if err != nil {
		return err
	}
	if err := a.output.open(a.leftovers); err != nil {
		return err
	}
	add, stop := a.progress("runs that are read", -1)
	o.Progress = add
	found, err := laws.Check(ctx, sources, o)
	stop()
	if found == nil {
		return studyFailure(err)
	}
	if err != nil {
		a.note("interrupted: what follows is about the runs that were read until then")
		if failed := a.writeAnyway(report(found)); failed != nil {
			return failed
		}
		return err
	}
	return a.show(func() *reports.Report { return report(found) })
}

func (a *app) conformParticlesCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "particles", Short: "Test your own sequential Monte Carlo with two or three particles against its exact law",
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
		Use: "spec", Short: "Write a folder that says what to implement",
		Long: `spec writes the folder --out: README.md says what to do, and task.json has every number, log f and the kernel of every stage among
them. It also says how many runs find and name each known way to get sequential Monte Carlo wrong, with a probability of about
0.99, by all columns. The law is enumerated, so that few particles, states and distributions are possible: two particles on three
states with T = 3, which is what it writes where nothing else is said, or three on two states, or four on two with T = 2. What is too
large is refused at once, with what fits.

--threshold 1 resamples at every stage, 0 never, and C where the effective sample size is below C times the number of particles:
since that size is never below 1, C must be above 0.5 for two particles.`,
		Example: `  breadboard conform particles spec --out task
  breadboard conform particles spec --resample residual --threshold 0.75 --out task
  breadboard conform particles spec --particles 3 --toy random:2:0:2 --out task`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := a.taskAsked(records.ValidateAlpha(alpha)); err != nil {
				return err
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
	f.IntVar(&number, "particles", filters.MinParticles, fmt.Sprintf("number of particles, %d to %d", filters.MinParticles, filters.MaxParticles))
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
	t, err := filters.New(ctx, cases[0], number, scheme, threshold)
	if err != nil {
		return badInput(err)
	}
	return a.specify(ctx, t, alpha)
}

func (a *app) particlesCheckCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "check TASK", Short: "Test runs in files, or from standard input, against their exact law",
		Long: `check reads runs that an implementation of a task has made: CSV with a row a run, whose columns stand in the README of the task.
They are log_z, output, last_i for every slot and ancestor_t_i for every stage and slot; each of these four kinds may be
missing. It reads until a fault is certain and can be named, or until the rows end.

The tests are e-processes: over all of them, and however often one looks, a false alarm has at most the probability
--alpha. Runs are taken to be independent of each other, which is not tested. A test that has read too few runs to find anything is
undecided, and no pass. The exit code is 1 if there is a fault, or if all tests are undecided, or, with --strict, if any is.`,
		Example: `  breadboard conform particles check task --runs runs.csv --conditional conditional.csv
  python3 my_smc.py --task task --runs 100000 | breadboard conform particles check task --stdin runs`,
		Args: cobra.ExactArgs(1), ValidArgsFunction: completeFolder,
	}
	return a.recordsCheck(c, "particles", []string{"runs", "conditional"}, func(folder string) (recordsTask, error) { return filters.ReadFolder(folder) })
}

func (a *app) conformTemperingCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "tempering", Short: "Test your own parallel tempering against its exact law",
		Long: `tempering tests your implementation of parallel tempering (replica exchange), in any language. spec writes a folder that says
what to implement on a small target; check reads the runs that the implementation has made. They are tested against the exact law
of the swaps, the states, the rejections, log Zhat and the round trips, and the report also has the odds of each known way to get it
wrong. Most of these leave every replica's law as it is, so that no test of invariance finds them.`,
		Args: cobra.NoArgs,
		Example: `  breadboard conform tempering spec --out task
  breadboard conform tempering check task --runs runs.csv`,
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	check := &cobra.Command{
		Use: "check TASK", Short: "Test runs in files, or from standard input, against their exact law",
		Long: `check reads runs that an implementation of a task has made: CSV with a row a run, whose columns stand in the README of the task.
Runs have what became of every swap, the last states, log_z and the mean rejections; trips, which are longer, have swaps and round
trips. Each kind of columns may be missing. It reads until a fault is certain and can be named, or until the rows end.

The tests are e-processes: over all of them, and however often one looks, a false alarm has at most the probability
--alpha. Runs are taken to be independent of each other, which is not tested. A test that has read too few runs to find anything is
undecided, and no pass. The exit code is 1 if there is a fault, or if all tests are undecided, or, with --strict, if any is.`,
		Example: `  breadboard conform tempering check task --runs runs.csv --trips trips.csv
  python3 my_tempering.py --task task --runs 100000 | breadboard conform tempering check task --stdin runs`,
	}
	c.AddCommand(annotate(a.temperingSpecCommand(), keepsNames), annotate(
		a.recordsCheck(check, "tempering", []string{"runs", "trips"}, func(folder string) (recordsTask, error) { return ladders.ReadFolder(folder) }), pathArguments))
	return c
}

func (a *app) temperingSpecCommand() *cobra.Command {
	toy, initial, scheme := "random:2:0:3", "tempered:0.3", string(tempering.DEO)
	betas, scans, long, alpha := []float64{0, 0.3, 1}, ladders.MaxScans, 5, 0.0
	c := &cobra.Command{
		Use: "spec", Short: "Write a folder that says what to implement",
		Long: `spec writes the folder --out: README.md says what to do, and task.json has every number. It also says how many runs find and name
each known way to get parallel tempering wrong, with a probability of about 0.99, by all columns. The laws hold the states of all
replicas together, so that few states, rungs and scans are possible.

The path starts at --initial. From uniform, a swap ratio without the reference is right, and is not found.`,
		Example: `  breadboard conform tempering spec --out task
  breadboard conform tempering spec --scheme seo --scans 2 --out task
  breadboard conform tempering spec --toy random:2:1:2 --ladder 0,0.2,0.5,1 --long-scans 6 --out task`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := a.taskAsked(records.ValidateAlpha(alpha)); err != nil {
				return err
			}
			selection := experiments.Selection{
				Toys: []string{toy}, Distributions: []int{2}, Initial: initial,
				Path: experiments.Default("path"), Schedule: experiments.Default("schedule"), Kernel: "metropolis",
			}
			cases, err := a.cases(c.Context(), selection, one)
			if err != nil {
				return err
			}
			t, err := ladders.New(c.Context(), cases[0], betas, tempering.Scheme(scheme), scans, long)
			if err != nil {
				return badInput(err)
			}
			return a.specify(c.Context(), t, alpha)
		},
	}
	f, targets, initials := c.Flags(), toys.Forms(), toys.InitialForms()
	addSelector(f, &toy, "toy", toy, targets.Syntaxes(), "the target: "+strings.Join(targets.Syntaxes(), ", "))
	addSelector(f, &initial, "initial", initial, initials.Syntaxes(), "where the path starts: "+strings.Join(initials.Syntaxes(), ", "))
	f.Var(study.Numbers(&betas), "ladder", "the betas of the rungs, from 0 to 1")
	f.StringVar(&scheme, "scheme", scheme, "which pairs are offered swaps: deo, the even and the odd ones in turn, or seo, by the flip of a coin")
	f.IntVar(&scans, "scans", scans, fmt.Sprintf("number of scans of a run, 2 to %d", ladders.MaxScans))
	f.IntVar(&long, "long-scans", long, "number of scans of a run in which round trips are counted")
	completeOne(c, "toy", ofForms(targets))
	completeOne(c, "initial", ofForms(initials))
	completeOne(c, "scheme", among(selector.Plain(tempering.Schemes())))
	addAlpha(c, &alpha)
	return c
}
