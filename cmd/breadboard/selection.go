package main

import (
	"cmp"
	"context"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"breadboard/chains/paths"
	"breadboard/experiments/placement"
	"breadboard/experiments/programs"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/toys"
)

// maxDistributions is the largest T.
const maxDistributions = subject.MaxDistributions

// addSelection adds the selector flags that all studies share, with the study's own default for T.
// What the selection names already is the default of a flag.
func addSelection(c *cobra.Command, s *subject.Selection, lengthsDefault []int) {
	addProblem(c, s, lengthsDefault)
	addSchedule(c, s, cmp.Or(s.Schedule, subject.Default("schedule")))
}

// selectionFlags returns the names of the flags that addSelection adds.
func selectionFlags() (names []string) {
	var c cobra.Command
	addSelection(&c, &subject.Selection{}, nil)
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	return names
}

// addProblem adds all selector flags apart from that of the schedule.
func addProblem(c *cobra.Command, s *subject.Selection, lengthsDefault []int) {
	s.Default = lengthsDefault
	standard := s.Toys
	if len(standard) == 0 {
		standard = subject.PaperToys()
	}
	addAnnealed(c, s, standard, cmp.Or(s.Kernel, subject.Default("kernel")))
	addLengths(c, s)
}

// addLengths adds the flag of T.
func addLengths(c *cobra.Command, s *subject.Selection) {
	c.Flags().VarP(study.Wholes(&s.Distributions, "T", 2, maxDistributions), "distributions", "T", "")
	setDefault(c, "distributions", study.Wholes(&s.Default, "T", 2, maxDistributions).String())
}

// addCrossed adds all selector flags, of which those of schedules and kernels take lists, and that
// of the factors of energies in files. Schedules that are given have no flag.
func addCrossed(c *cobra.Command, s *subject.Crossed, lengthsDefault []int) {
	s.Default = lengthsDefault
	if len(s.Toys) == 0 {
		s.Toys = subject.PaperToys()
	}
	addRoutes(c, &s.Selection, s.Toys)
	s.Kernel = cmp.Or(s.Kernel, subject.Default("kernel"))
	forms := placement.Forms()
	kernels := programs.Forms()
	flags := c.Flags()
	usage := "(default " + s.Kernel
	if s.Factored {
		usage += ", heatbath-scan if states cannot be listed"
	}
	flags.Var(study.Selectors(&s.Kernels, kernels.Listing.Named), "kernel", usage+")")
	if s.Schedules == nil {
		s.Schedules = []string{subject.Default("schedule")}
		flags.Var(study.Selectors(&s.Schedules, forms.Listing.Named), "schedule", "")
	}
	addLengths(c, &s.Selection)
}

// addSchedule adds the flag of the schedule, with a default.
func addSchedule(c *cobra.Command, s *subject.Selection, standard string) {
	forms := placement.Forms()
	addSelector(c.Flags(), &s.Schedule, "schedule", standard, forms.Listing.Syntaxes(), "")
}

// addAnnealed adds the flags of the toys, the path, where it starts, and the kernel, with the
// defaults of the toys and of the kernel. The kernel's default is empty if it depends on the toy.
func addAnnealed(c *cobra.Command, s *subject.Selection, standardToys []string, standardKernel string) {
	addRoutes(c, s, standardToys)
	kernels := programs.Forms()
	kernel := ""
	if standardKernel == "" {
		kernel = "(default heatbath-scan on a grid, else metropolis)"
	}
	addSelector(c.Flags(), &s.Kernel, "kernel", standardKernel, kernels.Listing.Syntaxes(), kernel)
}

// addRoutes adds the flags of the toys, the path, and if it starts.
func addRoutes(c *cobra.Command, s *subject.Selection, standardToys []string) {
	flags := c.Flags()
	paths := paths.Forms()
	initials := toys.InitialForms()
	s.Toys = standardToys
	addToys(flags, &s.Toys, "")
	addSelector(flags, &s.Path, "path", subject.Default("path"), paths.Listing.Syntaxes(), ", as in q:0.5")
	addSelector(flags, &s.Initial, "initial", "", initials.Listing.Syntaxes(),
		"(default the prior of a model, else uniform)")
}

// cases builds the annealings of a selection, has the study validate them, and opens the output.
// Errors after it are not those of bad input. Where some annealings cannot be built it returns the
// others, with subject.Failures.
func (a *app) cases(ctx context.Context, s subject.Selection,
	validate func([]subject.Case) error) ([]subject.Case, error) {
	build := func(ctx context.Context, s subject.Selection) ([]subject.Case, error) { return s.Cases(ctx) }
	return a.casesBy(ctx, s, build, validate)
}

// casesBy is cases for a study that has its own way to build the annealings of a selection.
func (a *app) casesBy(
	ctx context.Context, s subject.Selection,
	build func(context.Context, subject.Selection) ([]subject.Case, error),
	validate func([]subject.Case) error,
) ([]subject.Case, error) {
	s.Forms = a.reader.Forms
	s.Programs = a.reader.Programs
	s.Doubt = a.reader.Doubt
	add, done := a.progress("setting up annealings", -1)
	s.Progress = add
	cases, err := build(ctx, s)
	done()
	var failed subject.Failures
	err = failed.KeepBeside(ctx, len(cases), err)
	if err == nil {
		err = validate(cases)
	}
	if err != nil {
		// it may be a fault: schedules may use the kernel, and programs write their first line
		return nil, studyFailure(err)
	}
	if err := a.makeFolder(ctx); err != nil {
		return nil, err
	}
	return cases, studyFailure(failed.OrNil())
}

// maxCount is the largest number for a count. A number written as 1e6 is read as a float64, which
// still holds this one exactly.
const maxCount = 1_000_000_000_000_000
