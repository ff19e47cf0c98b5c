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
type topic struct{ name, about string }

// topics returns them in the order in which they are listed. Each has its page in the folder topics.
func topics() []topic {
	return []topic{
		{"tutorial", "From a NumPy array of your own to a LaTeX table and a figure"},
		{"validate", "Is my kernel, my sampler or my estimator right?"},
		{"sweeps", "Many toys, schedules, kernels and seeds, also on a cluster"},
		{"estimators", "Particles, AIDE, marginal likelihoods, samples of chains"},
		{"maths", "What J, B, T, K, p, q and nats are, with formulas"},
		{"python", "Run breadboard from Python, read results, serve functions"},
		{"arrays", "Which way up an array is, and how states are numbered"},
		{"packages", "Use the Go packages, from a module of your own"},
		{"reference", "Every selector, and every field of every table"},
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

// topicCommands returns the commands that cobra takes for further topics of help, because they can only be read. The last one
// lists them.
func topicCommands() (list []*cobra.Command) {
	var index strings.Builder
	index.WriteString("breadboard help TOPIC prints one of these pages. They are Markdown, and links\nlead to the source of the program.\n\n")
	for _, t := range topics() {
		list = append(list, &cobra.Command{Use: t.name, Short: t.about, Long: t.text(), Args: cobra.NoArgs})
		fmt.Fprintf(&index, "  %-12s %s\n", t.name, t.about)
	}
	return append(list, &cobra.Command{Use: "topics", Short: "List these topics", Long: strings.TrimRight(index.String(), "\n"), Args: cobra.NoArgs})
}
