package main

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
	"breadboard/experiments/checks/conform/draws"
	"breadboard/experiments/draws/codes"
	"breadboard/experiments/draws/files"
	"breadboard/experiments/programs"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/toys"
)

// drawsFrom says of which distribution draws are, how they are written, and where they come from.
type drawsFrom struct {
	toy, law, names string
	columns         []string // as NAME=ROLE
	warmup          files.Warmup
	shape           string
	base            int
	paths           []string
	program         []string // the command of a program that prints draws; nil if they are in files
}

func (a *app) conformDrawsCommand() *cobra.Command {
	var from drawsFrom
	var o draws.Options
	var verbose bool
	c := &cobra.Command{
		Use:                   "draws [FILE] [flags] [-- PROGRAM [ARGUMENT]...]",
		DisableFlagsInUseLine: true, // they stand before --
		Short:                 "Test whether your draws are independent draws of a distribution",
		Long: `draws reads draws, one a row, and tests whether they are independent draws of
the distribution of --toy or --law.

FILE is a table, or - for standard input. A row is a state: its number, its
label or its coordinates. A column count says how often each state was drawn,
and weight or log_w has importance weights. After -- you can give a program
that prints draws; it is stopped when a fault is certain. For draws of a Markov
chain use conform chain. The exit code is 1 if there is a fault, or if it is
open whether there is one.

See breadboard help check-draws.`,
		Example: `  breadboard conform draws draws.csv --toy barrier
  breadboard conform draws draws.npy --toy ising:3x3:0.3
  my_sampler | breadboard conform draws - --toy bif:asia.bif:evidence=xray=yes
  breadboard conform draws --toy easy --most 1e6 -- python3 my_sampler.py`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			from.takeArguments(c, args)
			return a.conformDraws(c.Context(), &from, o, verbose)
		},
	}
	c.Flags().StringVar(&from.law, "law", "", "")
	a.addDraws(c, &from, &o, &verbose)
	return c
}

// addDraws adds the flags of draws and how they are written.
func (a *app) addDraws(c *cobra.Command, from *drawsFrom, o *draws.Options, verbose *bool) {
	f := c.Flags()
	f.StringVar(&from.toy, "toy", "", "")
	addCodes(c, from)
	f.Var(study.Whole(&o.Most, "N", 0, maxCount), "most",
		"of draws that are read; 0 is all of a file, and 131072 of a program")
	addAlpha(c, &o.Alpha)
	a.addDetail(f, verbose)
}

// addCodes adds the flags of how files of draws are written.
func addCodes(c *cobra.Command, from *drawsFrom) {
	f := c.Flags()
	f.StringVar(&from.names, "map", "", "")
	f.Var(study.Whole(&from.base, "0|1", 0, 1), "base", "")
	f.Var(parsed(&from.shape, "SIDES", asIs, oneOf("shape", files.Shapes())), "shape", "")
	addRoles(c, &from.columns)
}

// addRoles adds the flag of the roles of columns.
func addRoles(c *cobra.Command, columns *[]string) {
	c.Flags().StringArrayVar(columns, "column", nil, "")
}

// rolesOf returns the roles that columns are given.
func rolesOf(columns []string) (files.Roles, error) {
	roles := files.Roles{}
	for _, text := range columns {
		name, role, err := files.ParseRole(text)
		if err != nil {
			return nil, err
		}
		if roles[name] != "" {
			return nil, errs.New("--column: the column %s has two roles, %s and %s; give one",
				name, roles[name], role)
		}
		roles[name] = role
	}
	return roles, nil
}

// oneOf returns what reads one of some texts.
func oneOf(what string, known []string) func(text string) (string, error) {
	return func(text string) (string, error) {
		if !slices.Contains(known, text) {
			return "", selector.UnknownError(what, text, known)
		}
		return text, nil
	}
}

// takeArguments takes the arguments: files, and a program behind --.
func (f *drawsFrom) takeArguments(c *cobra.Command, args []string) {
	f.paths = args
	if c.ArgsLenAtDash() >= 0 {
		f.paths, f.program = args[:c.ArgsLenAtDash()], args[c.ArgsLenAtDash():]
	}
}

// ofLaw returns the distribution of draws.
func (f *drawsFrom) ofLaw(ctx context.Context, in subject.Reader) (law *draws.Law, err error) {
	switch {
	case (f.toy == "") == (f.law == ""):
		return nil, errs.New(
			"draws are of one distribution; give either --toy, as in --toy barrier (breadboard toys lists " +
				"them), or --law prob.csv",
		)
	case f.law != "":
		law, err = draws.ReadLaw(ctx, f.law)
	default:
		var toy *toys.Toy
		toy, err = in.ParseToy(ctx, f.toy)
		if err == nil {
			law, err = draws.OfToy(toy)
		}
	}
	if err != nil {
		return nil, err
	}
	return law, f.coded(ctx, law.Codes)
}

// coded says how states are written.
func (f *drawsFrom) coded(ctx context.Context, c *codes.Codes) (err error) {
	if f.base != 0 && !c.Counts() {
		return errs.New("{base} %d is for numbered states, and these have labels; leave {base} out",
			f.base)
	}
	c.Base, c.Shape = f.base, files.Shape(f.shape)
	c.Roles, err = rolesOf(f.columns)
	if err == nil && f.names != "" {
		c.Map, err = codes.ReadMap(ctx, f.names)
	}
	return err
}

// openSources opens the sources of draws. The caller calls close when it is done.
func (f *drawsFrom) openSources(ctx context.Context, a *app,
	c *codes.Codes) (list []*codes.Reader, close func(), err error) {
	close = func() {
		for _, r := range list {
			r.Close()
		}
	}
	switch {
	case f.program != nil && f.paths != nil && len(f.paths) > 0:
		return nil, close, errs.New("both %s and a program are given; give one of them", f.paths[0])
	case f.program != nil:
		programs := programs.NewPrograms(ctx, programs.BatchDeadline)
		programs.OnSilence(func(what string) { a.note("%s", what) })
		close = programs.Close
		printer, err := programs.StartPrinter(f.program)
		if err != nil {
			return nil, close, err
		}
		r, err := c.Stream(ctx, printer.Name(), printer)
		return []*codes.Reader{r}, close, err
	case len(f.paths) == 0:
		return nil, close, errs.New("no draws; give a file, - for standard input, or a program behind --")
	}
	for i, path := range f.paths {
		if slices.Contains(f.paths[:i], path) {
			return nil, close, errs.New("%s is given twice; give every chain once", path)
		}
	}
	for _, path := range f.paths {
		var r *codes.Reader
		if path == standardInput {
			r, err = c.Stream(ctx, "standard input", a.stdin)
		} else {
			r, err = c.Open(ctx, path)
		}
		if err != nil {
			return list, close, err
		}
		list = append(list, r)
	}
	return list, close, nil
}

// programDraws is how many draws of a program are read by default.
const programDraws = 1 << 17

// conformDraws tests draws and shows the findings. If the run is interrupted they are about the
// draws read until then.
func (a *app) conformDraws(ctx context.Context, from *drawsFrom, o draws.Options, verbose bool) error {
	if len(from.paths) > 1 {
		return badInput(errs.New("draws are in one file; conform chain reads a file for each chain"))
	}
	law, err := from.ofLaw(ctx, a.reader)
	if err != nil {
		return badInput(err)
	}
	return readDraws(ctx, a, from, law.Codes, &o, func(readers []*codes.Reader) (*draws.Outcome, error) {
		return draws.Check(ctx, law, readers, o)
	}, func(found *draws.Outcome) *reports.Report {
		return inDetail(draws.Report(found), verbose)
	})
}

// readDraws opens the sources of draws, tests the draws, and shows the findings.
func readDraws[O any](ctx context.Context, a *app, from *drawsFrom, c *codes.Codes, o *draws.Options,
	test func([]*codes.Reader) (*O, error),
	show func(*O) *reports.Report) error {
	readers, done, err := from.openSources(ctx, a, c)
	defer func() { done() }()
	if err != nil {
		return studyFailure(err)
	}
	o.Decides = from.program != nil || slices.Contains(from.paths, standardInput) // which may go on
	if from.program != nil && o.Most == 0 {
		o.Most = programDraws
	}
	if err := a.makeFolder(ctx); err != nil {
		return err
	}
	add, stop := a.progress("draws that are read", -1)
	o.Progress = add
	found, err := test(readers)
	stop()
	for _, r := range readers {
		for _, note := range r.Notes() {
			a.note("%s", note)
		}
	}
	if found == nil {
		return studyFailure(err)
	}
	if err != nil {
		a.note("interrupted: what follows is about the draws that were read until then")
		if failed := a.writeAnyway(ctx, show(found)); failed != nil {
			return failed
		}
		return err
	}
	return a.show(ctx, func() *reports.Report { return show(found) })
}
