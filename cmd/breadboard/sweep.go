package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"breadboard/chains/selector"
	"breadboard/experiments/sweeps/sweep"
	"breadboard/reports"
)

func (a *app) sweepCommand() *cobra.Command {
	var names []string
	for _, s := range a.sweeps().List {
		names = append(names, s.Name)
	}
	c := &cobra.Command{
		Use: "sweep", Short: "Solve all combinations of parameters, on one machine or many",
		Long: `sweep runs one study, such as tightness, on every annealing of a grid.

A file in TOML describes the grid:

  study = "tightness"
  [grid]                     # every combination
  toy = ["barrier", "random:2:{0..9}"]
  T = [10, 100, 1000]
  schedule = ["linear", "sigmoid:4"]
  [[case]]                   # a single cell beside the grid
  toy = "hard"
  T = 100000

plan estimates time, memory and disk. run solves the cells, also after an
interruption. status counts them, and merge makes one table.

Studies: ` + strings.Join(names, ", ") + `.
breadboard help reference sweep merge lists their parameters and values.

See breadboard help sweeps.`,
		Example: `  breadboard sweep plan grid.toml
  breadboard sweep run grid.toml --out grid
  breadboard sweep merge grid --format csv --out results
  breadboard sweep submit grid.toml --shards 6 --out grid`,
		Args: subcommandsOnly, RunE: helpAlone,
	}
	c.AddCommand(annotate(a.sweepPlanCommand(), pathArguments), annotate(a.sweepRunCommand(), unrecorded),
		annotate(a.sweepStatusCommand(), pathArguments),
		annotate(a.sweepMergeCommand(), pathArguments), annotate(a.sweepSubmitCommand(), unrecorded))
	return c
}

// sweepSpec is a specification with the flags that change it.
type sweepSpec struct {
	path string
	set  []string
}

// addFlags adds these flags.
func (s *sweepSpec) addFlags(c *cobra.Command) {
	c.Flags().StringArrayVar(&s.set, "set", nil, "")
}

// addSweepFolder says what --out is where it is not the one of every command.
func (a *app) addSweepFolder(c *cobra.Command) {
	c.Flags().StringVar(&a.output.dir, "out", "", ": the folder `DIR` of the sweep")
}

// readSweep reads a specification, changes it as its flags say, and finds out whether it can be
// run.
func (a *app) readSweep(ctx context.Context, text sweepSpec) (s *sweep.Sweep, plan sweep.Plan, err error) {
	err = a.inTime(ctx, func() (err error) {
		s, plan, err = text.plan(a.sweeps())
		return err
	})
	if err != nil {
		return nil, sweep.Plan{}, err
	}
	for _, doubt := range s.Doubts() {
		a.doubt(doubt)
	}
	return s, plan, nil
}

// plan reads the specification, applies the flags to it and divides it into cells.
func (s sweepSpec) plan(studies sweep.Studies) (*sweep.Sweep, sweep.Plan, error) {
	spec, err := sweep.ReadSpec(studies, s.path)
	if err != nil {
		return nil, sweep.Plan{}, badInput(err)
	}
	for _, assignment := range s.set {
		if err := spec.Set("--set", assignment); err != nil {
			return nil, sweep.Plan{}, badInput(err)
		}
	}
	whole, err := spec.Sweep()
	if err != nil {
		return nil, sweep.Plan{}, badInput(err)
	}
	plan, err := whole.Plan()
	if err != nil {
		err = fmt.Errorf("%s: %w", s.path, err)
	}
	return whole, plan, badInput(err)
}

func (a *app) sweepPlanCommand() *cobra.Command {
	var spec sweepSpec
	c := &cobra.Command{
		Use: "plan SPEC", Short: "Count the cells of a sweep, and estimate what they take",
		Long: `plan checks a specification as run does, and estimates the time, memory and
disk that run needs.

Times are good to a factor of about three; a note gives the time on all cores
of this machine. Programs (exec:) are not started, so their times are rough.
plan refuses what run refuses: more than ten million cells, a cell of more than
thirty days, or more than a hundred years in all.

See breadboard help sweeps.`,
		Example: `  breadboard sweep plan grid.toml
  breadboard sweep plan grid.toml --set T=10,100 --set kernel=barker`,
		Args: takes(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			spec.path = args[0]
			_, plan, err := a.readSweep(c.Context(), spec)
			if err != nil {
				return err
			}
			if err := a.makeFolder(c.Context()); err != nil {
				return err
			}
			a.sayTime(plan)
			return a.show(c.Context(), func() *reports.Report { return sweep.PlanReport(plan) })
		},
	}
	spec.addFlags(c)
	return c
}

// sayTime says what the times of a plan are and what they come to on this machine.
func (a *app) sayTime(plan sweep.Plan) {
	cores := runtime.GOMAXPROCS(0)
	elapsed := max(plan.Longest, plan.Time/time.Duration(min(cores, plan.Cells)))
	good := "good to a factor of about three"
	if plan.Programs {
		good = "a rough guess where a program is the kernel, since none is started"
	}
	takes := sweep.WriteTime(elapsed)
	if elapsed >= time.Millisecond {
		takes = "about " + takes
	}
	a.note("the times are estimated from steps and states, %s; on the %s of this machine the sweep takes %s",
		good, selector.Count(cores, "core"), takes)
}

func (a *app) sweepStatusCommand() *cobra.Command {
	return &cobra.Command{
		Use: "status DIR...", Short: "Count the cells of a sweep that are done, failed and missing",
		Long: `status reads the results in the folders of a sweep, which may be running, and says how far each shard has come.
Failed cells are named on standard error, with why they failed.`,
		Example: `  breadboard sweep status grid
  breadboard sweep status node1/grid node2/grid --format json`,
		Args: takes(1, math.MaxInt),
		RunE: func(c *cobra.Command, dirs []string) error {
			ctx := c.Context()
			var status *sweep.Status
			err := a.inTime(ctx, func() (err error) {
				status, err = sweep.ReadStatus(a.sweeps(), dirs...)
				return err
			})
			if err != nil {
				return sweepFailure(err)
			}
			return a.present(ctx, func() *reports.Report { return sweep.StatusReport(status) })
		},
	}
}

// sweepFailure gives an error of reading or writing a sweep its exit code.
func sweepFailure(err error) error {
	if _, refused := errors.AsType[sweep.Refusal](err); refused {
		return badInput(err)
	}
	return ioFailure(err)
}
