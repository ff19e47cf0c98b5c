package main

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"breadboard/chains/selector"
	"breadboard/experiments/subject"
	"breadboard/experiments/sweeps/sweep"
	"breadboard/reports"
	"breadboard/reports/views/sweeps"
)

func (a *app) sweepCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "sweep", Short: "Solve all combinations of parameters, on one machine or many",
		Long: `sweep runs one study, such as tightness, on every annealing of a grid. A file in TOML describes the grid:

  study = "tightness"
  [grid]                     # every combination
  toy = ["barrier", "random:2:0"]
  T = [10, 100, 1000]
  schedule = ["linear", "sigmoid:4"]
  kernel = ["metropolis"]
  [[case]]                   # a single cell beside the grid
  toy = "hard"
  T = 100000

Without study it is tightness, and a parameter that you leave out has its default. A range in a selector is each of its
numbers, and a run of numbers is a table:

  study = "ais"
  [grid]
  toy = ["random:2:{0..999}", "easy"]      # a thousand seeds
  T = {logspace = [10, 1e5, 9]}            # at equal ratios, rounded
  seed = {from = 0, to = 8, step = 2}
  [zip]                                    # lists that go side by side
  schedule = ["linear", "sigmoid:4"]
  kernel = ["metropolis", "heatbath"]

{0..100..10} goes by tens, and linspace has equal distances. The lists of [zip] are combined with all of the grid.

plan estimates time, memory and disk. run solves the cells, and status reports how many are done. merge makes one table of the
results, which --plot draws. If a run is interrupted or killed, start it again: its results are on the disk, and it
solves what is missing. Selectors name files from the current folder, like on the command line; the contents of these files are
part of the sweep. To sweep a kernel in another program (exec:COMMAND), name the files of the program at the top of the
file:

  program-hash = ["kernel.py"]
  [grid]
  kernel = ["metropolis", "exec:python3 kernel.py"]

breadboard help sweeps has a page with examples.

` + studiesHelp(a.sweeps()),
		Example: `  breadboard sweep plan grid.toml
  breadboard sweep run grid.toml --out grid
  breadboard sweep merge grid --format csv --out results
  breadboard sweep merge grid --plot "x=T, y=J, panels=toy" --out results
  breadboard sweep submit grid.toml --shards 6 --out grid`,
		Args: subcommandsOnly, RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(
		annotate(a.sweepPlanCommand(), pathArguments), annotate(a.sweepRunCommand(), unrecorded), annotate(a.sweepStatusCommand(), pathArguments),
		annotate(a.sweepMergeCommand(), pathArguments), annotate(a.sweepSubmitCommand(), unrecorded))
	return c
}

// sweepSpec is a specification with the flags that change it.
type sweepSpec struct {
	path string
	set  []string
}

// add adds these flags.
func (s *sweepSpec) add(c *cobra.Command) {
	c.Flags().StringArrayVar(&s.set, "set", nil, "")
}

// addSweepFolder says what --out is where it is not the one of every command.
func (a *app) addSweepFolder(c *cobra.Command) {
	c.Flags().StringVar(&a.output.dir, "out", "", ": the folder `DIR` of the sweep")
}

// readSweep reads a specification, changes it as its flags say, and finds out whether it can be
// run.
func (a *app) readSweep(text sweepSpec) (s *sweep.Sweep, plan sweep.Plan, err error) {
	err = a.inTime(func() (err error) {
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
func (s sweepSpec) plan(studies []*subject.Question) (*sweep.Sweep, sweep.Plan, error) {
	spec, err := sweep.Read(studies, s.path)
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
		Use: "plan SPEC", Short: "Say how many cells a sweep has, and what it will take",
		Long: `plan checks a specification as run does, and estimates the time, memory and disk that run will need, from the number of steps, the
states and what each method takes for a kernel. The times are those of a processor like the one on which the README's were measured,
good to a factor of about three, and a note says what they come to on all cores of this machine. No kernel in another program (exec:) is
started: the times of its cells are a rough guess, good to a factor of ten or so. It refuses what run would refuse: more than
ten million cells, a cell of more than thirty days, more than a hundred years in all.`,
		Example: `  breadboard sweep plan grid.toml
  breadboard sweep plan grid.toml --set T=10,100 --set kernel=barker`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			spec.path = args[0]
			_, plan, err := a.readSweep(spec)
			if err != nil {
				return err
			}
			if err := a.output.open(a.leftovers); err != nil {
				return err
			}
			a.sayTime(plan)
			return a.show(func() *reports.Report { return sweeps.SweepPlanReport(plan) })
		},
	}
	spec.add(c)
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
	takes := sweeps.About(elapsed)
	if elapsed >= time.Millisecond {
		takes = "about " + takes
	}
	a.note("the times are estimated from steps and states, %s; on the %s of this machine the sweep takes %s", good, selector.Count(cores, "core"), takes)
}

func (a *app) sweepStatusCommand() *cobra.Command {
	return &cobra.Command{
		Use: "status DIR...", Short: "Say what of a sweep is done, failed and missing",
		Long: `status reads the results in the folders of a sweep, which may be running, and says how far each shard has come.
Failed cells are named on standard error, with why they failed.`,
		Example: `  breadboard sweep status grid
  breadboard sweep status node1/grid node2/grid --format json`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, dirs []string) error {
			var status *sweep.Status
			err := a.inTime(func() (err error) {
				status, err = sweep.ReadStatus(a.sweeps(), dirs...)
				return err
			})
			if err != nil {
				return sweepFailure(err)
			}
			return a.present(func() *reports.Report { return sweeps.SweepStatusReport(status) })
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

// studiesHelp describes every study that can be swept, with its parameters and values, for help.
func studiesHelp(studies []*subject.Question) string {
	var b strings.Builder
	b.WriteString("Studies, with their own parameters (beside " + strings.Join(subject.Names(subject.Parameters()), ", ") + ") and values:\n")
	for _, s := range studies {
		fmt.Fprintf(&b, "\n  %s: %s\n", s.Name, s.Answers)
		for _, p := range s.Own() {
			fmt.Fprintf(&b, "      %-22s %s\n", p.Name, describe(p))
		}
		if without := lacking(s); len(without) > 0 {
			fmt.Fprintf(&b, "      (it has no %s)\n", strings.Join(without, " and no "))
		}
		b.WriteString(wrapped("      values: ", s.ValueNames(), helpWidth))
	}
	return strings.TrimRight(b.String(), "\n")
}

// lacking returns the names of those parameters of all that a study does not have.
func lacking(s *subject.Question) []string {
	return slices.DeleteFunc(subject.Names(subject.Parameters()), func(name string) bool {
		_, has := subject.Find(s.Parameters, name)
		return has
	})
}

// describe says what a parameter is, which values it takes, and which it has where it is left out.
func describe(p subject.Parameter) string {
	text := p.Doc
	if p.Number != nil {
		text += fmt.Sprintf(", %s", *p.Number)
	}
	return text + " (default " + strings.Join(p.Defaults(), ", ") + ")"
}

// wrapped returns a list of names behind a heading, in lines of that many characters at most, of
// which those after the first are indented as far as the heading is long.
func wrapped(heading string, names []string, width int) string {
	var b strings.Builder
	line := heading
	for i, name := range names {
		if i < len(names)-1 {
			name += ","
		}
		if len(line)+len(name) > width {
			b.WriteString(strings.TrimRight(line, " ") + "\n")
			line = strings.Repeat(" ", len(heading))
		}
		line += name + " "
	}
	return b.String() + strings.TrimRight(line, " ") + "\n"
}
