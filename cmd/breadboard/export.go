package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"breadboard/chains/errs"
	"breadboard/experiments/data/export"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/reports"
)

// exportFlags are the flags of export apart from those of the annealing.
type exportFlags struct {
	options export.Options
	format  export.ArrayFormat
	how     study.How
}

func (a *app) exportCommand() *cobra.Command {
	var selection subject.Selection
	flags := exportFlags{format: export.NPZ}
	c := &cobra.Command{
		Use: "export", Short: "Write exact arrays for other programs: q, p, marginals, kernels",
		Long: `export writes the exact arrays of one annealing as numbers, to standard output, or with --out to files.

Nothing is rounded. In NumPy numpy.load("arrays_hard_T100.npz")["q"] is the
distribution of the sampler's output, in the shape of the grid. breadboard help
reference arrays lists the arrays; --arrays standard,gap adds one to the
default. gap, contributions, law, kernels and whole chains are given only if they
are named. Stages are numbers from 1 to T, shares of the way, last, or all. csv
has a row for each value, and mtx kernels or whole chains.

See breadboard help files.`,
		Example: `  breadboard export --toy hard -T 100 > hard.npz
  breadboard export --toy easy,hard,barrier -T 100,1000 --out arrays
  breadboard export --toy barrier -T 100 --arrays q_t,r_t --stages all --format csv > marginals.csv
  breadboard export --toy barrier -T 100 --arrays forward_csr,reverse_csr --format mtx --out chains`,
		Args: subcommandsOnly,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := onlyArrays(c); err != nil {
				return badInput(err)
			}
			return a.export(c.Context(), selection, flags)
		},
	}
	addSelection(c, &selection, []int{100})
	f := c.Flags()
	addTime(f, &flags.how.Time)
	f.Var(arrayNames(&flags.options.Names), "arrays", "")
	flags.options.Stages = standardStages()
	f.Var(stageList(&flags.options.Stages), "stages", "")
	f.Var(parsed(&flags.format, "FORMAT", func(f export.ArrayFormat) string { return string(f) },
		export.ParseArrayFormat), "format",
		": "+strings.Join(export.ArrayFormats(), ", "))
	return annotate(c, distinctNames)
}

// onlyArrays fails if a flag of all commands is given that says how tables or figures are made.
func onlyArrays(c *cobra.Command) (err error) {
	c.InheritedFlags().VisitAll(func(f *pflag.Flag) {
		if f.Changed && f.Name != "out" {
			err = errs.New("--%s is for tables and figures, and export writes arrays; leave it out", f.Name)
		}
	})
	return err
}

// arrayNames is a flag that takes names of arrays with commas between them, and adds to them where
// it is repeated.
func arrayNames(to *[]string) pflag.Value {
	show := func(names []string) string { return strings.Join(names, ",") }
	return parsed(to, "NAME,...", show, func(text string) ([]string, error) {
		names := *to
		for name := range strings.SplitSeq(text, ",") {
			names = append(names, strings.TrimSpace(name))
		}
		return names, export.Options{Names: names, Stages: standardStages()}.Validate(nil)
	})
}

// stageList is a flag that takes stages with commas between them, which replace the default, and
// adds to them where it is repeated.
func stageList(to *export.Stages) pflag.Value {
	given := false
	return parsed(to, "STAGE,...", export.Stages.String, func(text string) (export.Stages, error) {
		more, err := export.ParseStages(text)
		if given {
			more = append(*to, more...)
		}
		given = true
		return more, err
	})
}

// standardStages are the stages if none are given.
func standardStages() export.Stages {
	stages, err := export.ParseStages(export.StandardStages)
	if err != nil {
		panic(err) // the constant can be read
	}
	return stages
}

func (a *app) export(ctx context.Context, selection subject.Selection, flags exportFlags) error {
	format := flags.format
	toFiles := a.output.dir != ""
	if !toFiles && format.Binary() && a.terminal(a.stdout) {
		return badInput(errs.New("--format %s is nothing for a terminal; send it to a file with > or --out DIR",
			format))
	}
	flags.options.Bytes = format.BytesEach()
	if format == export.MTX && len(flags.options.Names) == 0 {
		flags.options.Names = []string{"kernel_csr"}
	}
	var cost subject.Cost
	selection.Check = (&study.Declaration{Name: "export"}).Affords(
		nil,
		flags.how,
		freeMemory(),
		&cost,
	)
	cases, err := a.cases(ctx, selection, func(cases []subject.Case) error {
		if len(cases) > 1 && !toFiles {
			return errs.New("%d annealings make as many files; give --out DIR, or one toy and one T", len(cases))
		}
		if err := format.Validate(flags.options.Names, toFiles); err != nil {
			return err
		}
		return cmp.Or(flags.options.Validate(cases), cost.Late)
	})
	var failed subject.Failures
	if err := failed.KeepBeside(ctx, len(cases), err); err != nil {
		return err
	}
	for i := range cases {
		flags.options.LeftOut = func(what string) {
			a.noteInput(fmt.Sprintf("%s: the %s is left out, since it does not exist where f has zeros",
				&cases[i], what))
		}
		made, err := during(a, "arrays", -1, func(progress func(int)) (made exported, err error) {
			flags.options.Progress = progress
			if format == export.MTX {
				made.chains, err = export.ChainsOf(ctx, cases[i], flags.options)
				return made, err
			}
			made.arrays, err = export.ArraysOf(ctx, cases[i], flags.options)
			return made, err
		})
		if err != nil {
			return err
		}
		if err := a.writeArrays(ctx, &cases[i], made, format, toFiles); err != nil {
			return err
		}
	}
	for _, f := range failed[min(1, len(failed)):] {
		a.note("%s", errs.InWords(f.Named(), inFlags))
	}
	if len(failed) > 0 {
		return studyFailure(failed[0].Named())
	}
	return nil
}

// exported is what has been computed of one annealing: arrays, or for formats of chains these.
type exported struct {
	arrays []export.Array
	chains []export.Chain
}

// writeArrays writes what has been computed of one case.
func (a *app) writeArrays(ctx context.Context, c *subject.Case, made exported, format export.ArrayFormat,
	toFiles bool) error {
	var report *reports.Report
	err := a.inTime(ctx, func() (err error) {
		if format == export.MTX {
			report, err = export.ChainsReport(c, made.chains, toFiles)
		} else {
			report, err = export.ArraysReport(c, made.arrays, format, toFiles)
		}
		return err
	})
	if err != nil {
		return badInput(err)
	}
	return a.write(ctx, report)
}
