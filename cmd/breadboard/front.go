package main

import (
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"breadboard/chains/selector"
)

// door is what breadboard prints if nothing is asked of it.
const door = `breadboard computes exactly what Monte Carlo methods do on small discrete spaces,
and tests samplers, kernels and estimators of your own.

  breadboard tightness --toy barrier -T 10,100
      How far are annealed samples from their target, and how tight is the bound
      on that distance? A table of J and B.
  breadboard conform draws draws.csv --toy barrier
      Is my code right? Draws, chains, kernels and estimates in any language.
  breadboard schedule compare --toy barrier -T 20
      Which schedule is best, and how far are the others from it?

  breadboard help              all commands, by question
  breadboard help tutorial     from an array of your own to a table and a figure
  breadboard help topics       all pages
`

// front is what breadboard --help prints. Making all commands for it takes three times longer.
//
//go:embed testdata/help.txt
var front string

// itself is the name of the group of commands about breadboard itself, which only breadboard help
// all lists.
const itself = "itself"

// listGroups writes the commands below the headings of their groups, the main one of a group first;
// those about breadboard itself only if all are asked for.
func (a *app) listGroups(w io.Writer, root *cobra.Command, all bool) {
	fmt.Fprint(w, "New? breadboard help tutorial\n\nUsage:\n  breadboard COMMAND [flags]\n\n")
	for _, g := range a.groups() {
		if g.name == itself && !all {
			continue
		}
		fmt.Fprintln(w, g.title)
		for _, e := range g.commands {
			listCommands(w, slices.DeleteFunc(slices.Clone(root.Commands()), func(c *cobra.Command) bool { return c.Name() != e.name }))
		}
		fmt.Fprintln(w)
	}
	fmt.Fprint(w,
		"breadboard COMMAND --help     explains a command, with examples\nbreadboard help topics        lists pages, such as tutorial, glossary and sizes\nbreadboard help output        explains formats, files, figures and exit codes\n")
	if !all {
		fmt.Fprint(w, "breadboard help all           also lists the commands about breadboard itself\n")
	}
}

// listCommands writes a line for each of some commands.
func listCommands(w io.Writer, list []*cobra.Command) {
	for _, c := range list {
		if c.IsAvailableCommand() || c.Name() == "help" {
			fmt.Fprintf(w, "  %-11s %s\n", c.Name(), c.Short)
		}
	}
}

// hint is what to say to words that people try, and that no command has: what they look for is
// there by another name.
type hint struct{ words, advice string }

// hints are tried if no command below has the name either.
func hints() []hint {
	return []hint{
		{"samples sample draws", "breadboard conform draws tests yours, breadboard ais draws annealed ones, and breadboard help validate says more"},
		{"validate test verify check", "breadboard help check begins to test code of your own, and breadboard help validate says which check fits"},
		{"z marginal partition normalizing normalising", "breadboard help logz compares what estimates log Z"},
		{"marginals posterior inference factor", "breadboard network has the probabilities of all variables of a network or a lattice, exactly"},
		{"bayes bayesian bif uai xmlbif hugin genie xdsl dsc",
			"breadboard network reads BIF, UAI, XMLBIF, NET, XDSL and DSC (breadboard help models), and breadboard evidence is about log p(y) of models with data"},
		{"hmm markov filter filtering viterbi smoothing",
			"hmm:FILE is a target (breadboard help models): breadboard network has its posterior, its best path and log Z, and breadboard evidence --estimator pf the error of particle filters"},
		{"qubo maxcut ground optimum",
			"qubo:FILE:BETA is a target (breadboard help models), and breadboard success computes how likely annealing finds its best state"},
		{"solve solver minimize minimise maximize maximise optimize optimise", "breadboard success finds the best state and computes how likely annealing finds it"},
		{"ising potts lattice", "ising:4x4:0.4 is a target (breadboard toys), and breadboard network has log Z and probabilities of large lattices"},
		{"mix mixed mixing burnin burn-in tau autocorrelation", "breadboard help mixing compares what speaks of mixing"},
		{"ess rhat r-hat mcse", "breadboard samplers diagnose has ESS, R-hat and MCSE of draws of yours, and breadboard samplers errors the exact ones"},
		{"plot figure figures", "--plot \"x=T, y=J+B\" and --out DIR draw columns of any table"},
		{"simulate run sampler", "breadboard ais runs chains beside the exact answer, and breadboard samplers is about Markov chains"},
		{"gibbs", "its kernels are --kernel heatbath and heatbath-scan (breadboard kernel list); breadboard smc gibbs is particle Gibbs"},
		{"hmc nuts langevin mala",
			"spaces are discrete here: breadboard kernel list has the kernels (gradient and balanced are informed ones), and breadboard samplers diagnose reads draws of Stan"},
		{"mcmc metropolis", "breadboard samplers is about Markov chains, and breadboard kernel list has the kernels"},
		{"anneal annealing", "breadboard tightness has the exact answers, breadboard ais runs chains, and breadboard schedule is about schedules"},
		{"particle particles", "breadboard smc has the exact distributions of particle methods, and breadboard help estimators shows them"},
		{"limit size large memory scale stan pymc", "breadboard help sizes says how large a problem may be, and what to use for larger or continuous ones"},
		{"pt tempering replica", "breadboard temper is about parallel tempering"},
	}
}

// meant says which command was meant by a word that is none below c: those further below with this
// name, and what hints say; it is empty if neither is known.
func meant(c *cobra.Command, word string) string {
	var advice, paths []string
	for _, child := range c.Commands() {
		for _, below := range child.Commands() {
			if below.Name() == word && below.IsAvailableCommand() {
				paths = append(paths, below.CommandPath())
			}
		}
	}
	if paths != nil {
		advice = append(advice, "there is "+selector.Listed(paths))
	}
	for _, h := range hints() {
		if slices.Contains(strings.Fields(h.words), word) {
			advice = append(advice, h.advice)
		}
	}
	return strings.Join(advice, ", and ")
}
