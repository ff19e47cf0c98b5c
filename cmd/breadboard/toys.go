package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"breadboard/experiments"
	"breadboard/reports"
	"breadboard/reports/table"
	"breadboard/reports/views/data"
	"breadboard/toys"
)

func (a *app) toysCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "toys", Short: "List, show and export the targets",
		Long: `toys lists the paper's targets; toys show and toys export take any target that --toy takes.

A target on a grid is easy, hard, barrier:DIMS, random:SIGMA:SEED:DIMS, or file:PATH, where the file has g = log f, one
row of the grid a line with commas, or blanks and tabs, between numbers, or is a .npy, or a .npz with the array's name behind #, as in
file:targets.npz#mine. prob:PATH reads the same files of probabilities, zeros among them, which need not sum to 1. One row alone, or one
column, is states on a line: of a file, and of cells, axes of length one are dropped, and a note says which. DIMS are as in 9x9; those of
barrier are two odd numbers, so that there is a middle. DIMS such as 1x9 stay a plane of one row, on which half of the proposals point
off the edge above and below.
  smooth:SIGMA:SEED:PASSES[:DIMS]   the target of random:SIGMA:SEED after PASSES passes of the filter 1-2-1 along each
                                    axis, which averages exp(g), as --initial smoothed:PASSES does
  mixture:W1*TOY+W2*TOY...          a mixture of targets on one space, each normalised and then weighed; weights are above
                                    0, and count in proportion. A + begins the next part where a weight and a * follow it:
                                    a path in which they do cannot stand there. Quote the * for the shell
  schools[:RxC]                     eight schools (Rubin 1981), effects integrated out: the posterior of mu, from -15 to 25
                                    in R rows, and log tau, from -3 to 4 in C columns, at the centres of the cells
Models of spins, with R rows and C columns of sites, are on grids with an axis for each site:
  ising:RxC:J[:FIELD][:torus]   g = J sum of s s' over neighbouring sites + FIELD sum of s; an axis has 0 for
                                s = -1 and 1 for s = 1, and torus joins the edges of the plane
  potts:Q:RxC:J[:torus]         g = J times the number of neighbouring sites with the same of Q values
Models in which states only count are computed on classes of states, of which there may be 2^1000 (breadboard help symmetry):
  curie-weiss:N:K[:FIELD]         N spins that all act on one another: g = K/N sum of s s' over pairs + FIELD sum of s
  potts-complete:Q:N:K[:FIELD]    N axes of Q values: g = K/N for each pair of equal ones + FIELD for each of the first value
  potts-colours:Q:N:K             the same without a field, whatever the names of the values are
  weight:N:G                      strings of N bits by their ones: G is needle:A, modes:TH1:TH2:W, pspin:P:K (g = N K m^P),
                                  random:SIGMA:SEED or file:PATH with N+1 numbers
  coins:N1:N2:BITS:ALPHA          N1 coins that fell heads BITS times and N2 that fell tails, in two clusters
  cycles:N:THETA:LAMBDA           permutations, f = THETA^cycles LAMBDA^(fixed points)
Energies in files of other programs have up to 24 sites, whose numbers there are those of their names, as x7:
  rudy:PATH:J                   of rudy or the G-set, "n m" and then lines "i j w" from 1; g = J sum of w s s', so that a
                                J below 0 has the maximum cut for its ground state
  qubo:PATH:BETA                of qbsolv, "p qubo 0 maxNodes nNodes nCouplers" and then lines "i i w" and "i j w" from 0;
                                x is 0 or 1, and g = -BETA times the sum of w x and w x x'
  bq:PATH:BETA                  of Biq Mac, .bq or .sparse, "n m" and then lines "i j q" from 1; g = -BETA x'Qx with Q
                                symmetric, so that an entry off the diagonal counts twice
  ising-file:PATH[:BETA]        lines "i j J" of pairs and "i i h" of fields, with blanks or commas; g = BETA, or 1, times
                                the sum of J s s' and h s
Networks in files, with an axis for each variable that is neither observed nor hidden (breadboard help models):
  bif:PATH[:evidence=V=VALUE+...][:hide=V+...]   a Bayesian network in BIF
  uai:PATH[:evidence=3=1+...][:hide=3+...]       a Bayesian or Markov network of the UAI competitions
  hmm:PATH[:evidence=x1=STATE+...][:hide=x1+...]  a hidden Markov model with its observations in TOML or JSON, or hmm:weather
                                                 or hmm:wear; its states are the hidden paths
The classes of any of the other targets, of up to 1,048,576 states or a torus of ising up to 5x5, are
  quotient:PROPOSALS[:TOL]:TOY    PROPOSALS are neighbours (metropolis, barker) or values of an axis (flip, heatbath);
                                  --quotient auto writes it. With TOL, log f may differ by so many nats in a class
A target on a graph is
  graph:EDGES:G    EDGES is a CSV file of edges, the labels of the two ends on a line, and "c," for a state c alone
  graph:NAME:N:G   NAME:N is hypercube:BITS, permutations:ITEMS (joined by exchanging two adjacent items),
                   path:STATES, cycle:STATES, complete:STATES or torus:DIMS
where G is random:SIGMA:SEED, or a CSV file of lines label,g (-inf is a zero of f), or label,g,x,y where figures are
to draw the states there. In both files lines that begin with # are passed over, and the first line is data as any
other: put a # in front of headings.

A target may be a model of data, whose marginal likelihood is Z_T/Z_1 of a path that starts at its prior, as paths then do
unless --initial says otherwise. clu6, clu8 and clu4 are clusterings, bin4 has binary attributes, low is of low rank, gridclu is
a clustering whose centres are on a grid, and hyper is one whose noise variance, eta, is unknown. low and gridclu have several
REPRESENTATIONs, which breadboard represent compares: low:collapsed, low:uncollapsed, gridclu:z, gridclu:theta, gridclu:both.
  model:PATH   PATH is a TOML file of a model of one's own:
    kind = "clustering"    # or "binary": attributes that add up features
    data = "points.csv"    # in or below the folder of PATH: a row a datum
    pi = [0.5, 0.3, 0.2]   # of the clusters, with sum one; or of each attribute
    centre_variance = 4.0  # around zero; for attributes it is feature_variance
    noise_variance = 1.0   # of the data around their centre or sum of features`,
		Example: "  breadboard toys\n  breadboard toys show barrier\n  breadboard toys export random:2:7:5x5 > target.csv\n  breadboard toys show graph:permutations:4:random:2:0\n  breadboard toys show clu8\n  breadboard toys show 'mixture:0.3*random:2:0:5x5+0.7*barrier:5x5'",
		Args:    cobra.NoArgs, RunE: func(*cobra.Command, []string) error { return a.toysList() },
	}
	c.AddCommand(
		&cobra.Command{
			Use: "list", Short: "List the paper's targets", Args: cobra.NoArgs,
			Example: "  breadboard toys list --format json",
			RunE:    func(*cobra.Command, []string) error { return a.toysList() },
		},
		&cobra.Command{
			Use: "show NAME", Short: "Show a target: its description, published numbers and states", Args: cobra.ExactArgs(1),
			Long: `show prints the description of a target, what has been published about it, and a drawing of it: a heat map, or a bar
for each state of a graph. On a grid of three axes or more it is a heat map of each slice, or where these are many of the marginal of
each pair of axes, and on a larger one how the states are spread over g. As csv and json it prints every state with
g = log f and the probability p.`,
			Example:           "  breadboard toys show barrier\n  breadboard toys show random:2:7 --format csv",
			ValidArgsFunction: completedOnce(ofForms(toys.Forms())),
			RunE:              func(_ *cobra.Command, args []string) error { return a.toysShow(args[0]) },
		},
		&cobra.Command{
			Use: "export NAME", Short: "Write g = log f of a target as CSV, and with --out also as .npy", Args: cobra.ExactArgs(1),
			Long: `export prints g = log f of a target as CSV, one row of the grid a line, as --toy file:PATH reads it.
With --out DIR it writes DIR/NAME.csv and DIR/NAME.npy instead. For a target on a graph it prints a line
label,g for each state, as --toy graph:EDGES:G reads it, and writes no .npy, because that format has no labels.`,
			Example:           "  breadboard toys export hard > hard.csv\n  breadboard toys export random:1:0:2x2x2 --out targets",
			ValidArgsFunction: completedOnce(ofForms(toys.Forms())),
			RunE:              func(c *cobra.Command, args []string) error { return a.toysExport(c, args[0]) },
		})
	return c
}

func (a *app) toysList() error { return a.showFixed(data.ToysReport(toys.Paper())) }

func (a *app) toysShow(selector string) error {
	toy, p, err := experiments.Target(a.ctx, selector)
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
	toy, err := experiments.ParseToy(a.ctx, selector)
	if err != nil {
		return badInput(err)
	}
	if a.output.dir != "" {
		return a.showFixed(data.ExportReport(toy))
	}
	var csv *reports.Report
	err = a.inTime(func() (err error) { csv, err = data.ExportText(toy); return err })
	if err != nil {
		return badInput(err)
	}
	return a.write(csv)
}
