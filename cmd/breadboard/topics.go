package main

import (
	"embed"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// pages are the documents that breadboard help prints, one for each topic.
//
//go:embed topics/*.md
var pages embed.FS

// topic is a subject that breadboard help TOPIC explains. A topic has another name than every command, whose help it would hide.
type topic struct{ name, about, also string } // also is another name for it, which may be empty

// topics returns them in the order in which they are listed. Each has its page in the folder topics.
func topics() []topic {
	return []topic{
		{"tutorial", "From a NumPy array of your own to a LaTeX table and a figure", "tutorials"},
		{"validate", "Is my kernel, my sampler or my estimator right?", "validation"},
		{"ci", "Checks in CI as JUnit XML, with a workflow to copy", "junit"},
		{"models", "Bayesian and Markov networks, Ising models and QUBO in files", "networks"},
		{"sweeps", "Many toys, schedules, kernels and seeds, also on a cluster", ""},
		{"estimators", "Particles, AIDE, marginal likelihoods, samples of chains", "estimator"},
		{"symmetry", "Exact answers on 2^1000 states, where states only count", ""},
		{"couplings", "What chains that meet say about their distance from the target", "coupling"},
		{"tempering", "Is my ladder good, does it mix, and is log Z right?", "ladders"},
		{"papers", "The claims of five papers: what holds, and what does not", "paper"},
		{"page", "The bench in the browser, its HTTP API, and reports in HTML", "pages"},
		{"maths", "What J, B, T, K, p, q and nats are, with formulas", "math"},
		{"python", "Run breadboard from Python, read results, serve functions", ""},
		{"arrays", "Which way up an array is, and how states are numbered", "array"},
		{"checkers", "Chains from and to PRISM, Storm, SciPy and others", "checker"},
		{"packages", "Use the Go packages, from a module of your own", "package"},
		{"reference", "Every selector, and every field of every table", ""},
	}
}

// text returns the page of a topic.
func (t topic) text() string {
	page, err := pages.ReadFile("topics/" + t.name + ".md")
	if err != nil {
		panic(err) // it is part of the program
	}
	return strings.TrimSpace(string(page))
}

// help returns what the help about the topic prints.
func (t topic) help() string {
	if t.name == referencePage {
		return referenceIndex(t.text())
	}
	return t.text()
}

// topicCommands returns the commands that cobra takes for further topics of help, because they can only be read. The last one
// lists them.
func topicCommands() (list []*cobra.Command) {
	var index strings.Builder
	index.WriteString("breadboard help TOPIC prints one of these pages. They are Markdown, and links\nlead to the source of the program.\n\n")
	for _, t := range topics() {
		page := &cobra.Command{Use: t.name, Short: t.about, Args: cobra.NoArgs}
		page.SetHelpFunc(func(c *cobra.Command, _ []string) { fmt.Fprint(c.OutOrStdout(), t.help(), "\n\n") }) // no other command reads the page
		if t.also != "" {
			page.Aliases = []string{t.also}
		}
		list = append(list, page)
		fmt.Fprintf(&index, "  %-12s %s\n", t.name, t.about)
	}
	return append(list, &cobra.Command{Use: "topics", Short: "List these topics", Long: strings.TrimRight(index.String(), "\n"), Args: cobra.NoArgs})
}

// topicMistake returns an error where words stand behind the name of a topic. Cobra prints the page and ignores them.
func topicMistake(root *cobra.Command, words []string) error {
	c, rest, err := root.Find(words)
	if err != nil || !c.IsAdditionalHelpTopicCommand() || c.ParseFlags(rest) != nil || c.Flags().NArg() == 0 {
		return nil // what else may be wrong is found where the command is run
	}
	return fmt.Errorf("%s is a page and takes no arguments, such as %q; breadboard help %s prints it", c.Name(), c.Flags().Arg(0), c.Name())
}

// completeHelp offers the commands below those that have been typed, and at the beginning the topics as well.
func completeHelp(c *cobra.Command, args []string, typed string) (list []string, _ cobra.ShellCompDirective) {
	about, rest, err := c.Root().Find(args)
	if err != nil || len(rest) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	for _, below := range about.Commands() {
		if (below.IsAvailableCommand() || below.IsAdditionalHelpTopicCommand()) && strings.HasPrefix(below.Name(), typed) {
			list = append(list, cobra.CompletionWithDesc(below.Name(), below.Short))
		}
	}
	return list, cobra.ShellCompDirectiveNoFileComp
}
