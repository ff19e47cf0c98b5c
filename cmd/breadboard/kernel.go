package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/experiments/annealing/tightness"
	"breadboard/experiments/checks/kernel"
	"breadboard/experiments/programs"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
	"breadboard/reports"
	"breadboard/reports/check"
)

func (a *app) kernelCommand() *cobra.Command {
	c := &cobra.Command{
		Use:     "kernel",
		Short:   "List kernels, and check whether one is right and how good it is",
		Args:    subcommandsOnly,
		Example: "  breadboard kernel\n  breadboard kernel check heatbath",
		RunE:    func(c *cobra.Command, _ []string) error { return a.kernelList(c.Context()) },
	}
	c.AddCommand(a.kernelCheckCommand())
	return c
}

func (a *app) kernelList(ctx context.Context) error {
	return a.showFixed(ctx, kernel.KernelsReport(programs.Forms().Listing.Descriptions()))
}

// kernelCheckCommand is not derived: the study of its name looks at one distribution of a case, for
// sweeps, and the command at a kernel on whole toys, where every fault is a finding.
func (a *app) kernelCheckCommand() *cobra.Command {
	s := kernel.Study()
	o := kernel.Options{}
	how := study.How{}
	var verbose bool
	var betas []float64
	c := &cobra.Command{
		Use:         "check SELECTOR",
		Short:       s.Declaration.Asks,
		Long:        s.Declaration.Help,
		Example:     s.Declaration.Examples,
		Annotations: annotations(s.Declaration),
		Args:        takes(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			o.Kernel = args[0]
			if !strings.HasPrefix(args[0], "exec:") { // it makes no choices of its own that are tested
				if err := badInput(idle(c.Flags().Changed, "seed", "moves", "alpha")); err != nil {
					return err
				}
			}
			if err := check.ValidateAlpha(o.Alpha); err != nil { // also if no test of chains needs it
				return badInput(err)
			}
			if c.Flags().Changed("beta") {
				o.Betas = betas
				if !c.Flags().Changed("distributions") {
					o.T = 0
				}
			}
			err := a.kernelCheck(c.Context(), o, how, verbose)
			if err != nil && !c.Flags().Changed("toy") && strings.HasPrefix(args[0], "matrix:") {
				err = errs.New(
					"%w; %s are toys by default: give the target of the matrix by --toy (breadboard help toys)",
					err,
					strings.Join(o.Toys, ", "),
				)
			}
			return err
		},
	}
	o.T = tightness.PaperT
	o.Moves = kernel.DefaultMoves
	flags := c.Flags()
	o.Toys = subject.PaperToys()
	addToys(flags, &o.Toys, "")
	addNumbers(flags, &betas, "beta", kernel.Betas(), ", from 0 to 1, at which a verdict is wanted")
	flags.VarP(study.Whole(&o.T, "T", 2, maxDistributions), "distributions", "T", "")
	addWorkers(flags, &how.Workers)
	addTime(flags, &how.Time)
	addSeed(flags, &o.Seed)
	flags.Var(study.Whole(&o.Moves, "N", 0, maxCount), "moves",
		fmt.Sprintf("of a program that makes its own choices, from %d to %d", kernel.MinMoves, kernel.MaxMoves))
	flags.Float64Var(&o.Alpha, "alpha", check.DefaultAlpha, "")
	flags.BoolVar(&o.Strict, "strict", false,
		"if the kernel leaves the distributions invariant and does not join all states")
	a.addDetail(flags, &verbose)
	return c
}

// shortWait is a wait that needs no message.
const shortWait = 2 * time.Second

// examining returns the function that reports examinations of programs: the verdict on their rows,
// and how long it will take to ask for those of an annealing too, if that is long.
func (a *app) examining() func(toy string) func(wrong bool, asked, more int) {
	return func(toy string) func(bool, int, int) {
		start := a.now()
		return func(wrong bool, asked, more int) {
			left := a.now().Sub(start) * time.Duration(more) / time.Duration(asked)
			if left < shortWait {
				return
			}
			found := "no fault"
			if wrong {
				found = "a fault, which is shown at the end"
			}
			a.note("toy %s: the program's rows at %d betas have %s; those of %d stages, for J and B, take "+
				"about %v (smaller -T: fewer; --beta without -T: none)",
				toy, asked, found, more, left.Round(time.Second))
		}
	}
}

// kernelCheck checks a kernel and shows what was found: all of it, or the summary first.
func (a *app) kernelCheck(ctx context.Context, o kernel.Options, how study.How, verbose bool) error {
	var cost subject.Cost
	s := kernel.Study().Declaration
	o.Reader, o.Begun = a.reader, a.examining()
	o.Most, o.Check = s.Most, s.Affords(s.NewOptions(), how, freeMemory(), &cost)
	plan, err := o.Plan(ctx)
	a.foretell(cost.Time())
	err = studyFailure(cmp.Or(how.Validate(), err, cost.Late))
	var found []kernel.Row
	if err == nil {
		found, err = during(a, "examining distributions", plan.Steps, func(progress func(int)) ([]kernel.Row, error) {
			how.Progress = progress
			return plan.Run(ctx, how)
		})
	}
	if ctx.Err() != nil && !chains.Ended(ctx, err) {
		err = ctx.Err()
	}
	if err != nil && len(found) == 0 {
		return err
	}
	if err := a.makeFolder(ctx); err != nil {
		return err
	}
	return showRows(ctx, a, found, err, func(rows []kernel.Row) *reports.Report {
		return inDetail(kernel.KernelCheckReport(o.Kernel, rows), verbose)
	})
}
