package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"breadboard/reports"
	"breadboard/reports/table"
	"breadboard/reports/views/data"
	"breadboard/toys"
)

// toysHelp describes the targets: what they have in common, and a line for each.
func toysHelp() string {
	var b strings.Builder
	b.WriteString(`toys lists the targets of Grosse, Ancha and Roy (2016). toys show and toys export take any target that --toy takes. The list below has them all.

NAME=TOY gives a target a name for tables, figures and files, as in ring=file:mine.npy. Targets with many seeds are written 'random:2:{0..99}'. Quote a path
with a comma twice, as in '"file:a,b.csv"'.

g is log f in nats. DIMS are the sides of a grid, as in 9x9. A file of g or of probabilities is CSV with one row of the grid a line, or a table with a row for each state, whose
columns are the axes and log f (breadboard help files), or .npy, or .npz with the name of the array behind #, as in file:targets.npz#mine. In a file axes of length one are dropped, and a note names them. DIMS such as 1x9 stay a plane of one row: half of the
proposals point off its edge. Models of spins have an axis for each site. breadboard help sizes has the largest number of states. Networks have an axis for each variable that is neither
observed nor hidden (breadboard help models). Models of which only counts matter have up to 2^1000 states (breadboard help symmetry).

A graph is graph:EDGES:G, in which EDGES is a CSV file with the labels of two ends on each line ("c," is a state c without edges), or graph:NAME:N:G with one
of the named graphs. G is random:SIGMA:SEED or a CSV file with lines label,g or label,g,x,y (x and y place the state in figures). -inf is a zero of f.
Lines that begin with # are comments, and there is no line of headings.

A model of data has Z_T/Z_1 as its marginal likelihood if the path starts at the prior. It does so unless --initial says otherwise. model:PATH is a TOML file of your own:
    kind = "clustering"    # or "binary": attributes that add up features
    data = "points.csv"    # in or below the folder of PATH; one datum a row
    pi = [0.5, 0.3, 0.2]   # of the clusters, with sum one; or of each attribute
    centre_variance = 4.0  # around zero; for attributes it is feature_variance
    noise_variance = 1.0   # of the data around their centre or sum of features

Targets:
`)
	b.WriteString(formsHelp(toys.Forms().Listing))
	return b.String()
}

func (a *app) toysCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "toys", Short: "List, show and export the targets",
		Long:    toysHelp(),
		Example: "  breadboard toys\n  breadboard toys show barrier\n  breadboard toys export random:2:7:5x5 > target.csv\n  breadboard toys show graph:permutations:4:random:2:0\n  breadboard toys show clu8\n  breadboard toys show 'mixture:0.3*random:2:0:5x5+0.7*barrier:5x5'",
		Args:    subcommandsOnly, RunE: func(*cobra.Command, []string) error { return a.toysList() },
	}
	c.AddCommand(
		&cobra.Command{
			Use: "show NAME", Short: "Show a target: its description, published numbers and states", Args: cobra.ExactArgs(1),
			Long: `show prints the description of a target, what has been published about it, and a drawing of it: a heat map, or a bar
for each state of a graph. On a grid of three axes or more it is a heat map of each slice, or where these are many of the marginal of
each pair of axes, and on a larger one how the states are spread over g. As csv and json it prints every state with
g = log f and the probability p.`,
			Example: "  breadboard toys show barrier\n  breadboard toys show random:2:7 --format csv",
			RunE:    func(_ *cobra.Command, args []string) error { return a.toysShow(args[0]) },
		},
		&cobra.Command{
			Use: "export NAME", Short: "Write g = log f of a target as CSV, and with --out also as .npy", Args: cobra.ExactArgs(1),
			Long: `export prints g = log f of a target as CSV, one row of the grid a line, as --toy file:PATH reads it. If values of axes have
names, or are those of a table, it prints a table with a row for each state.
With --out DIR it writes DIR/NAME.csv and DIR/NAME.npy instead. For a target on a graph it prints a line
label,g for each state, as --toy graph:EDGES:G reads it, and writes no .npy, because that format has no labels.`,
			Example: "  breadboard toys export hard > hard.csv\n  breadboard toys export random:1:0:2x2x2 --out targets",
			RunE:    func(c *cobra.Command, args []string) error { return a.toysExport(c, args[0]) },
		})
	return c
}

func (a *app) toysList() error { return a.showFixed(data.ToysReport(toys.Paper())) }

func (a *app) toysShow(selector string) error {
	toy, p, err := a.reader.Target(a.ctx, selector)
	if err != nil {
		return badInput(err)
	}
	if a.output.format != table.Text {
		if err := data.CheckStates(toy); err != nil {
			return studyFailure(err)
		}
	}
	return a.present(func() *reports.Report { return data.ToyReport(toy, p) })
}

func (a *app) toysExport(c *cobra.Command, selector string) error {
	if c.Flags().Changed("format") && a.output.format != table.CSV {
		return badInput(fmt.Errorf("--format %s; export writes csv, and with --out also .npy", a.output.format))
	}
	toy, err := a.reader.ParseToy(a.ctx, selector)
	if err != nil {
		return badInput(err)
	}
	if toy.Members != nil {
		return badInput(fmt.Errorf("toy %s is of classes of states, and a file has no room for their sizes; name it by --toy %[1]s instead", toy.Name))
	}
	if toy.ByLabel() {
		a.note("a line is the label of a state and log f, which --toy graph:EDGES:FILE reads, and file: does not")
	}
	if a.output.dir != "" {
		return a.showFixed(data.ExportReport(toy))
	}
	csv, err := data.ExportText(toy)
	if err != nil {
		return badInput(err)
	}
	return a.write(csv)
}
