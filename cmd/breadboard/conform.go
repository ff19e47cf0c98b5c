package main

import (
	"cmp"
	"context"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
	"breadboard/experiments/checks/conform"
	"breadboard/experiments/draws"
	"breadboard/experiments/draws/files"
	"breadboard/experiments/programs"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/experiments/verdicts"
	"breadboard/reports"
	"breadboard/reports/check"
)

func (a *app) conformCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "conform", Short: "Is my code right? Draws, chains, estimates, annealing",
		Long: `conform tests code of yours, in any language, against exact distributions.

  independent draws                   draws
  draws of a Markov chain             chain
  estimates of Z by any algorithm     estimates
  a sampler of posteriors             posterior; joint and ranks from files
  annealing                           spec, then check or run
  plain functions, such as R-hat      vectors
  a Markov kernel                     breadboard kernel check

See breadboard help validate.`,
		Args: subcommandsOnly,
		Example: `  breadboard conform draws draws.csv --toy barrier
  breadboard conform chain chain.csv --toy barrier --kernel metropolis
  breadboard conform estimates logz.csv --toy bin4 --claim law:ns:100
  breadboard conform check task --forward fwd.csv --reverse rev.npy`,
		RunE: helpAlone,
	}
	c.AddCommand(annotate(a.conformSpecCommand(), keepsNames), annotate(a.conformCheckCommand(), pathArguments),
		annotate(a.conformRunCommand(), pathArguments),
		annotate(a.conformEstimatesCommand(), pathArguments),
		annotate(a.conformDrawsCommand(), pathArguments),
		annotate(a.conformChainCommand(), pathArguments), annotate(a.conformRanksCommand(), pathArguments),
		annotate(a.conformJointCommand(), pathArguments),
		annotate(a.conformVectorsCommand(), pathArguments), a.conformPosteriorCommand())
	return c
}

func (a *app) conformSpecCommand() *cobra.Command {
	var selection subject.Selection
	var powerful, verbose bool
	var alpha float64
	c := &cobra.Command{
		Use: "spec", Short: "Write a folder that says what to implement",
		Long: `spec writes the folder --out, which says how to implement one annealing.

The folder has a README.md with the conventions, log f, the inverse
temperatures, the exact kernel at every stage, a chain of each direction with
every number, and programs in Python with two gaps. The table needs says how
many chains find and name each known mistake with a probability of about 0.99.
--powerful chooses what your flags do not give.

See breadboard help check-annealing.`,
		Example: `  breadboard conform spec --toy barrier -T 12 --out task
  breadboard conform spec --powerful --out task
  breadboard conform spec --toy graph:permutations:4:random:2:0 -T 5 --kernel barker --out task`,
		Args: subcommandsOnly,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := a.taskAsked(check.ValidateAlpha(alpha)); err != nil {
				return err
			}
			changed := c.Flags().Changed
			if powerful {
				return a.conformPowerful(c.Context(), conform.PowerfulSelections(
					selection,
					changed("toy"),
					changed("distributions"),
					changed("schedule"),
				), alpha, verbose)
			}
			return a.conformSpec(c.Context(), selection, alpha, verbose)
		},
	}
	selection.Toys = []string{"easy"}
	addSelection(c, &selection, []int{12})
	c.Flags().BoolVar(&powerful, "powerful", false, "")
	addAlpha(c, &alpha)
	c.Flags().BoolVarP(&verbose, "verbose", "v", false, "")
	onlyPresents(c.Flags(), "verbose")
	return c
}

func addAlpha(c *cobra.Command, alpha *float64) {
	c.Flags().Float64Var(alpha, "alpha", conform.DefaultAlpha, "")
}

// taskAsked fails if a command that writes the folder of a task is given none, or if the given
// check of its alpha has failed.
func (a *app) taskAsked(alpha error) error {
	if a.output.dir == "" {
		return badInput(errs.New("no folder to write the task to; give one, as in --out task"))
	}
	return badInput(alpha)
}

// conformSpec writes the folder of one annealing.
func (a *app) conformSpec(ctx context.Context, selection subject.Selection, alpha float64,
	verbose bool) error {
	t, err := a.conformTask(ctx, selection)
	if err != nil {
		return err
	}
	files, err := t.Files(ctx)
	if err == nil {
		err = conform.CheckFolder(a.output.dir, files)
	}
	if err != nil {
		return badInput(err)
	}
	var why error
	sizes, err := during(a, "distributions of every way to get it wrong", conform.NeedsSteps(),
		func(progress func(int)) ([]verdicts.Need, error) {
			var sizes []verdicts.Need
			sizes, why = conform.Needs(ctx, t, alpha, 0, progress)
			return sizes, ctx.Err()
		})
	if err != nil {
		return err
	}
	return a.show(ctx, func() *reports.Report { return inDetail(conform.SpecReport(files, sizes, why), verbose) })
}

// conformTask returns the task of the one annealing that the flags name.
func (a *app) conformTask(ctx context.Context, selection subject.Selection) (*conform.Task, error) {
	selection.Most = conform.MaxStates
	cases, err := a.cases(ctx, selection, one)
	if err != nil {
		return nil, err
	}
	t, err := conform.New(cases[0])
	return t, badInput(err)
}

// one fails if there is more than one annealing.
func one(cases []subject.Case) error {
	if len(cases) != 1 {
		return errs.New("%d annealings, and a task is one; give one --toy and one -T", len(cases))
	}
	return nil
}

// conformPowerful writes the folder of the best of several annealings.
func (a *app) conformPowerful(ctx context.Context, selections []subject.Selection, alpha float64,
	verbose bool) error {
	var cases []subject.Case
	for _, s := range selections {
		more, err := a.cases(ctx, s, func([]subject.Case) error { return nil })
		if err != nil {
			return err
		}
		cases = append(cases, more...)
	}
	list, err := during(a, "tasks", len(cases), func(progress func(int)) ([]conform.Candidate, error) {
		return conform.Powerful(ctx, cases, alpha, 0, progress)
	})
	if err != nil {
		return err
	}
	files, err := list[0].Task.Files(ctx)
	if err == nil {
		err = conform.CheckFolder(a.output.dir, files)
	}
	if err != nil {
		return badInput(err)
	}
	return a.show(ctx, func() *reports.Report { return inDetail(conform.PowerfulReport(list, files), verbose) })
}

// addConform adds the flags that check and run share.
func addConform(c *cobra.Command, o *conform.Options) {
	addAlpha(c, &o.Alpha)
	addSeed(c.Flags(), &o.Seed)
	c.Flags().BoolVar(&o.LogZIncluded, "log-z-included", false, "")
	addWorkers(c.Flags(), &o.Workers)
}

func (a *app) conformCheckCommand() *cobra.Command {
	var o conform.Options
	var from chainFiles
	var verbose bool
	c := &cobra.Command{
		Use:   "check TASK",
		Short: "Test chains in files, or from standard input, against the exact distributions of a task",
		Long: `check reads chains that an implementation of a task has made, and tests every
distribution that their columns allow.

The columns are log_w, x_first and x_last, or whole paths x_1 to x_T, also with
increment_2 to increment_T; any may be missing. Another column is an error,
unless --column gives it one of these names, or none. States are numbers from
0, or coordinates. --transitions has the columns beta, from and to, and
--estimates has log_z. The report has the odds of every known mistake. The exit
code is 1 if there is a fault, or if there are too few chains for a pass.

See breadboard help check-annealing.`,
		Example: `  breadboard conform check task --forward fwd.csv --reverse rev.npy --out found
  my_sampler --reverse | breadboard conform check task --stdin reverse
  breadboard conform check task --transitions moves.csv --format json
  breadboard conform check task --estimates logz.csv --claim lower`,
		Args: takes(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := meantAsInput(a.output.columns); err != nil {
				return badInput(err)
			}
			for _, name := range estimateFlags() {
				if c.Flags().Changed(name) && from.estimates == "" && from.stdin != "estimates" {
					return badInput(errs.New(
						"--%s is about estimates, and there are none; give --estimates with a file",
						name,
					))
				}
			}
			if from.forward+from.reverse == "" &&
				!slices.Contains([]string{"forward", "reverse"}, from.stdin) {
				if err := badInput(idle(c.Flags().Changed, "seed")); err != nil {
					return err
				}
			}
			return a.conformCheck(c.Context(), args[0], &from, o, verbose)
		},
	}
	from.addFlags(c)
	addConform(c, &o)
	a.addDetail(c.Flags(), &verbose)
	addEstimates(c, &o.Estimates)
	c.Flags().Var(study.Whole(&o.Chains, "N", 0, maxCount), "most", "of rows that are read of each source; 0 is all")
	return c
}

// estimateFlags are the flags that are about estimates alone.
func estimateFlags() []string { return []string{"claim", "largest", "smallest"} }

// addEstimates adds the flags of estimates of Z.
func addEstimates(c *cobra.Command, o *conform.Estimates) {
	o.Claim = verdicts.Unbiased
	o.Largest = math.NaN()
	o.Smallest = math.NaN()
	flags := c.Flags()
	forms := conform.ClaimForms()
	addSelector(flags, (*string)(&o.Claim), "claim", string(o.Claim), forms.Listing.Syntaxes(), ": "+
		strings.Join(forms.Listing.Syntaxes(), ", "))
	flags.Var(known(&o.Largest), "largest", "")
	flags.Var(known(&o.Smallest), "smallest", "")
}

// known is a flag that takes a number in nats, and is unknown if it is not given.
func known(to *float64) pflag.Value {
	show := func(nats float64) string {
		if math.IsNaN(nats) {
			return ""
		}
		return strconv.FormatFloat(nats, 'g', -1, 64)
	}
	return parsed(to, "NATS", show, selector.ParseNumber)
}

// chainFiles says where samples come from.
type chainFiles struct {
	forward, reverse, moves, estimates string // files
	stdin                              string
	columns                            []string // as NAME=ROLE
}

func (f *chainFiles) addFlags(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.forward, "forward", "", "")
	flags.StringVar(&f.reverse, "reverse", "", "")
	flags.StringVar(&f.moves, "transitions", "", "")
	flags.StringVar(&f.estimates, "estimates", "", "")
	flags.StringVar(&f.stdin, "stdin", "", ", as CSV or JSON Lines: "+strings.Join(inputNames(), ", "))
	addRoles(c, &f.columns)
}

// inputNames returns what check reads, as --stdin and the flags for files name it.
func inputNames() []string { return []string{"forward", "reverse", "transitions", "estimates"} }

// inputColumns returns names that columns of samples may have.
func inputColumns() []string {
	return []string{"log_w", "x_first", "x_last", "beta", "from", "to", "log_z", "se"}
}

// meantAsInput fails if columns of tables are named as those of samples are.
func meantAsInput(columns []string) error {
	for _, name := range columns {
		if slices.Contains(inputColumns(), name) {
			return errs.New("--columns %s is about the tables that are written, and %s is a column of samples; "+
				"--column says what those of a file are",
				strings.Join(columns, ","), name)
		}
	}
	return nil
}

// openSources opens all sources. The caller calls close when it is done.
func (f *chainFiles) openSources(ctx context.Context, stdin io.Reader,
	space draws.Space) (in conform.Input, close func(), err error) {
	var opened []io.Closer
	close = func() {
		for _, c := range opened {
			c.Close()
		}
	}
	if f.stdin != "" && !slices.Contains(inputNames(), f.stdin) {
		return in, close, selector.UnknownError("--stdin", f.stdin, inputNames())
	}
	roles, err := rolesOf(f.columns)
	if err != nil {
		return in, close, err
	}
	options := files.Options{Space: space, Roles: roles}
	for _, s := range []struct {
		name string
		path string
		to   *draws.Source
	}{{"forward", f.forward, &in.Forward}, {"reverse", f.reverse, &in.Reverse},
		{"transitions", f.moves, &in.Moves}, {"estimates", f.estimates, &in.Estimates}} {
		options.Alone = ""
		if s.name == "estimates" {
			options.Alone = "log_z"
		}
		piped := f.stdin == s.name
		if piped && s.path != "" {
			return in, close, errs.New("--stdin %s and --%s %s; give one of them", s.name, s.name, s.path)
		}
		var r *files.Reader
		switch {
		case piped:
			r, err = files.NewStream(ctx, "standard input", stdin, options)
		case s.path != "":
			r, err = files.Open(ctx, s.path, options)
		default:
			continue
		}
		if err != nil {
			return in, close, err
		}
		opened = append(opened, r)
		*s.to = r
	}
	if len(opened) == 0 {
		return in, close, errs.New(
			"nothing to check; give --forward, --reverse, --transitions or --estimates with a file, or --stdin",
		)
	}
	return in, close, nil
}

// readTask reads the task of a folder, if the options of its check are valid.
func (a *app) readTask(ctx context.Context, folder string, o conform.Options) (*conform.Task, error) {
	if err := o.Validate(); err != nil {
		return nil, badInput(err)
	}
	t, err := conform.ReadTask(ctx, folder, subject.Reader{Forms: a.reader.Forms, Doubt: a.doubt})
	return t, studyFailure(err)
}

func (a *app) conformCheck(ctx context.Context, folder string, from *chainFiles, o conform.Options,
	verbose bool) error {
	t, err := a.readTask(ctx, folder, o)
	if err != nil {
		return err
	}
	in, done, err := from.openSources(ctx, a.stdin, t.Space())
	defer done()
	if err != nil {
		return badInput(err)
	}
	if err := a.makeFolder(ctx); err != nil {
		return err
	}
	return a.conform(ctx, t, in, o, verbose)
}

// noteSources says what was left out of files.
func (a *app) noteSources(sources ...draws.Source) {
	for _, s := range sources {
		if r, is := s.(*files.Reader); is {
			for _, note := range r.Notes() {
				a.note("%s", note)
			}
		}
	}
}

// conform tests and shows what was found. If the run is interrupted it shows what was found until
// then: the tests may be looked at whenever one likes.
func (a *app) conform(ctx context.Context, t *conform.Task, in conform.Input, o conform.Options,
	verbose bool) error {
	defer a.noteSources(in.Forward, in.Reverse, in.Moves, in.Estimates)
	laws, lawsDone := a.progress("exact distributions", cmp.Or(in.LawSteps(), -1))
	rows := sync.OnceValues(func() (add func(int), done func()) {
		lawsDone()
		return a.progress("rows that are read", -1)
	})
	o.LawProgress = laws
	o.Progress = func(n int) { add, _ := rows(); add(n) }
	found, err := conform.Check(ctx, t, in, o)
	_, done := rows()
	done()
	if found == nil {
		return studyFailure(err)
	}
	if err != nil {
		a.note("interrupted: what follows is about the rows that were read until then")
		if failed := a.writeAnyway(ctx, inDetail(conform.Report(found), verbose)); failed != nil {
			return failed
		}
		return err
	}
	return a.show(ctx, func() *reports.Report { return inDetail(conform.Report(found), verbose) })
}

func (a *app) conformRunCommand() *cobra.Command {
	var o conform.Options
	var verbose bool
	c := &cobra.Command{
		Use:                   "run TASK [flags] -- PROGRAM [ARGUMENT]...",
		DisableFlagsInUseLine: true, // they stand before --
		Short:                 "Start an implementation, ask it for chains, and test them until a fault is certain",
		Long: `run starts a program and asks it for batches of chains, each from its own seed,
by JSON Lines on its standard input and output
(experiments/programs/PROTOCOL.md, "A sampler of chains").

It stops as soon as a fault is certain and the odds say which one it is, or
after --most chains in each direction. The tests are those of check. The
program and its arguments follow --; flags of this command stand before it.

See breadboard help check-annealing.`,
		Example: `  breadboard conform run task -- python3 task/skeleton.py --serve
  breadboard conform run task --most 1e6 --out found -- ./my_ais --stdio`,
		Args: takes(1, math.MaxInt),
		RunE: func(c *cobra.Command, args []string) error {
			if dash := c.ArgsLenAtDash(); dash != 1 || len(args) < 2 {
				return badInput(errs.New(
					"no program; write the folder of the task, then -- and the program, as in conform run " +
						"task -- python3 my_ais.py --task task --serve",
				))
			}
			if ours := flagsOf(c, args[2:]); len(ours) > 0 {
				a.note("%s behind -- %s to the program; where breadboard is meant, write %s before --",
					strings.Join(ours, " and "),
					selector.Plural(len(ours), "goes", "go"), selector.Plural(len(ours), "it", "them"))
			}
			return a.conformRun(c.Context(), args[0], args[1:], o, verbose)
		},
	}
	addConform(c, &o)
	a.addDetail(c.Flags(), &verbose)
	o.Chains = 1 << 17
	c.Flags().Var(study.Whole(&o.Chains, "N", 0, maxCount), "most", "of chains that are asked for in each direction")
	return c
}

// flagsOf returns those words that a command knows as flags of its own, as --out and --out=DIR.
func flagsOf(c *cobra.Command, words []string) (ours []string) {
	for _, word := range words {
		name, is := strings.CutPrefix(word, "--")
		name, _, _ = strings.Cut(name, "=")
		if is && name != "" && name != "help" && c.Flags().Lookup(name) != nil {
			ours = append(ours, "--"+name)
		}
	}
	return ours
}

func (a *app) conformRun(ctx context.Context, folder string, words []string, o conform.Options,
	verbose bool) error {
	if o.Chains == 0 {
		return badInput(errs.New("--most 0; give the number of chains at which to stop if there is no fault"))
	}
	t, err := a.readTask(ctx, folder, o)
	if err != nil {
		return err
	}
	programs := programs.NewPrograms(ctx, programs.BatchDeadline)
	programs.OnSilence(func(what string) { a.note("%s", what) })
	defer programs.Close()
	sampler, err := programs.StartSampler(words, t.Space())
	if err != nil {
		return studyFailure(err)
	}
	in, err := during(a, "asking the program for its first chains", -1, func(func(int)) (conform.Input, error) {
		return conform.Programs(ctx, sampler, o.Seed)
	})
	if err != nil {
		return err
	}
	if err := a.makeFolder(ctx); err != nil {
		return err
	}
	o.UntilDecided = true
	return a.conform(ctx, t, in, o, verbose)
}
