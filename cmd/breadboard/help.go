package main

import (
	"bytes"
	"embed"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"breadboard/chains/selector"
)

// helpWidth is the largest number of characters of a line of help.
const helpWidth = 80

// wrapHelp makes a command and its subcommands break the lines of their help between words, so
// that they fit the terminal and have at most helpWidth characters.
func (a *app) wrapHelp(root *cobra.Command) {
	help := root.HelpFunc()
	root.SetHelpFunc(func(c *cobra.Command, args []string) {
		if c.IsAdditionalHelpTopicCommand() && c.Name() != "topics" { // a page in Markdown, with tables and programs
			help(c, args)
			return
		}
		to := c.OutOrStdout()
		var whole bytes.Buffer
		switch {
		case !c.HasParent():
			whole.WriteString(front)
		case c.Name() == "topics":
			c.SetOut(&whole)
			help(c, args)
			c.SetOut(nil)
		default:
			answerFirst(&whole, c)
		}
		io.WriteString(to, fitLines(whole.String(), a.helpWidth())) // the writer remembers its error
	})
}

// helpWidth returns the largest number of characters of a line of help: the smaller of the
// constant and the width of the terminal.
func (a *app) helpWidth() int {
	if terminal := a.width(a.stdout); terminal > 0 {
		return min(helpWidth, terminal)
	}
	return helpWidth
}

// fitLines breaks the lines of a text that are too long. It refills a paragraph that has such a
// line. An indented line is broken by itself and continues below its text or, in a list, below
// the description. Lines of examples stay whole, so that they can be copied.
func fitLines(text string, width int) string {
	var out, paragraph []string
	flush := func() {
		for _, line := range paragraph {
			if utf8.RuneCountInString(line) > width {
				paragraph = fill(strings.Fields(strings.Join(paragraph, " ")), "", "", width)
				break
			}
		}
		out, paragraph = append(out, paragraph...), nil
	}
	examples := false
	for line := range strings.SplitSeq(text, "\n") {
		switch indented := strings.HasPrefix(line, " "); {
		case line == "" || indented:
			flush()
			examples = examples && indented
			if utf8.RuneCountInString(line) > width && !examples {
				out = append(out, hanging(line, width)...)
			} else {
				out = append(out, line)
			}
		default:
			paragraph = append(paragraph, line)
			examples = strings.HasSuffix(line, "xamples:")
		}
	}
	flush()
	return strings.Join(out, "\n")
}

// hanging breaks an indented line. A line of a list is a term, two or more blanks and a
// description: its further lines stand below the description, or are indented less if that
// column would be too narrow.
func hanging(line string, width int) []string {
	text := strings.TrimLeft(line, " ")
	indent := len(line) - len(text)
	term, rest, list := strings.Cut(text, "  ")
	if !list {
		return fill(strings.Fields(text), strings.Repeat(" ", indent), strings.Repeat(" ", indent+2), width)
	}
	description := strings.TrimLeft(rest, " ")
	at := utf8.RuneCountInString(line) - utf8.RuneCountInString(description)
	if at > width/2 {
		below := strings.Repeat(" ", min(indent+8, width/2))
		return append([]string{strings.Repeat(" ", indent) + term}, fill(strings.Fields(description), below, below, width)...)
	}
	first := fmt.Sprintf("%-*s", at, strings.Repeat(" ", indent)+term)
	return fill(strings.Fields(description), first, strings.Repeat(" ", at), width)
}

// formsHelp returns two lines for each form of a selector, its syntax and what it is.
func formsHelp(forms *selector.Listing) string {
	var b strings.Builder
	for _, f := range forms.All() {
		fmt.Fprintf(&b, "  %s\n      %s\n", f.Syntax, f.Doc)
	}
	return b.String()
}

// fill puts words into lines of at most width characters. The first line begins with first, and
// all others with rest. A longer word stays whole.
func fill(words []string, first, rest string, width int) (lines []string) {
	line, empty := first, true
	for _, word := range words {
		if !empty && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			lines, line, empty = append(lines, line), rest, true
		}
		if !empty {
			line += " "
		}
		line, empty = line+word, false
	}
	return append(lines, line)
}

// pages are the documents that breadboard help prints, one for each topic.
//
//go:embed topics/*.md
var pages embed.FS

// topic is a subject that breadboard help TOPIC explains. A topic has another name than every
// command, since it would hide the help of the command.
type topic struct{ name, about, also string } // also is a second name, which may be empty

// topicGroup is a list of topics with a heading.
type topicGroup struct {
	title  string
	topics []topic
}

// topicGroups returns all topics in the order in which they are listed. Each has its page in the
// folder topics.
func topicGroups() []topicGroup {
	return []topicGroup{
		{"Start", []topic{
			{"tutorial", "Compute: J and B of your target, a table and a figure", "tutorials"},
			{"check", "Check: your kernel, your draws, your function, in CI", ""},
			{"faq", "What J is small, how many draws, which T, which check?", "questions"},
			{"glossary", "The terms that breadboard uses, one line each", "terms"},
			{"maths", "What J, B, T, K, p, q and nats are, with formulas", "math"},
			{"sizes", "How large a problem may be, and what to use beyond that", "limits"},
		}},
		{"Check my code", []topic{
			{"validate", "Which check fits my code, and what does its verdict say?", "validation"},
			{"check-kernel", "Is my kernel or my sampler of a posterior right?", "invariance"},
			{"check-draws", "Are my draws right, independent or of a chain? R-hat, ESS", "draws"},
			{"check-annealing", "Is my annealing right?", ""},
			{"check-logz", "Are my estimates of log Z right?", ""},
			{"ci", "Checks in CI as JUnit XML, with a workflow to copy", "junit"},
			{"tests", "Which test of a sampler finds which fault, and how soon?", "power"},
			{"laws", "The exact distribution of what Python code draws", ""},
			{"floats", "Probabilities as single precision computes them; PyTorch, JAX", "precision"},
			{"routines", "Exact answers to test R-hat, ESS, HMMs and others with", "wycheproof"},
			{"published", "What these checks found in published software", "found"},
			{"teach", "Exercises for students, and a script that marks the answers", "exercises"},
		}},
		{"Compute", []topic{
			{"kernels", "Which kernel is best at equal work?", ""},
			{"mixing", "Does my chain mix? Six commands compared", "convergence"},
			{"logz", "What estimates log Z, how well, and up to which size?", "evidences"},
			{"estimators", "Particles, AIDE, marginal likelihoods, samples of chains", "estimator"},
			{"couplings", "What coupled chains tell about the distance from the target", "coupling"},
			{"policies", "Learned samplers: what their bounds say of their output", "gflownet"},
			{"tempering", "Is my ladder good, does it mix, and is log Z right?", "ladders"},
			{"symmetry", "Exact answers on 2^1000 states by classes of states", ""},
			{"classes", "When a sampler cannot reach a part of the space", "reach"},
			{"sweeps", "Many toys, schedules, kernels and seeds, also on a cluster", ""},
		}},
		{"Formats", []topic{
			{"files", "Which formats are read where, and who writes them", "file"},
			{"models", "Bayesian and Markov networks, Ising models and QUBO in files", "networks"},
			{"arrays", "Which way up an array is, and how states are numbered", "array"},
			{"figures", "Every figure, what it shows, and a command that draws it", "gallery"},
			{"output", "Formats, files, figures, conditions and exit codes", "formats"},
			{"page", "The bench in the browser: paint a target, watch J and B", "bench"},
			{"reports", "One HTML file of your results", "html"},
			{"api", "The HTTP API of the bench", ""},
		}},
		{"Reference", []topic{
			{"reference", "Every selector, and every field of every table", ""},
			{"python", "Run breadboard from Python, read results, serve functions", ""},
			{"r", "Run breadboard from R; the exact distribution of R code", ""},
			{"packages", "Use the Go packages in your own module", "package"},
			{"papers", "The claims of five papers: what holds, and what does not", "paper"},
		}},
	}
}

// topics returns the topics of all groups.
func topics() (list []topic) {
	for _, g := range topicGroups() {
		list = append(list, g.topics...)
	}
	return list
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

// defined returns what the glossary says of a term; empty if it does not have it.
func defined(term string) string {
	page, _ := pages.ReadFile("topics/glossary.md")
	for _, entry := range strings.Split(string(page), "\n- ")[1:] {
		entry, _, _ = strings.Cut(entry, "\n\n")
		names, _, _ := strings.Cut(strings.TrimPrefix(entry, "**"), "**:")
		if slices.ContainsFunc(strings.Split(names, ", "), func(name string) bool { return strings.EqualFold(name, term) || strings.EqualFold(name+"s", term) }) {
			return strings.ReplaceAll(entry, "**", "")
		}
	}
	return ""
}

// topicCommands returns a command for each topic, and a last one that lists them. Cobra takes
// commands that cannot be run for additional topics of help.
func topicCommands() (list []*cobra.Command) {
	var index strings.Builder
	index.WriteString("breadboard help TOPIC prints one of these pages in Markdown.\n")
	for _, g := range topicGroups() {
		fmt.Fprintf(&index, "\n%s:\n", g.title)
		for _, t := range g.topics {
			page := &cobra.Command{Use: t.name, Short: t.about, Args: cobra.NoArgs}
			page.SetHelpFunc(func(c *cobra.Command, _ []string) { fmt.Fprint(c.OutOrStdout(), t.help(), "\n\n") }) // no other command reads the page
			if t.also != "" {
				page.Aliases = []string{t.also}
			}
			list = append(list, page)
			fmt.Fprintf(&index, "  %-16s %s\n", t.name, t.about)
		}
	}
	return append(list, &cobra.Command{Use: "topics", Short: "List these topics", Long: strings.TrimRight(index.String(), "\n"), Args: cobra.NoArgs})
}

// topicsNear returns how to read the topics whose names are near to a mistyped one.
func topicsNear(word string) (list []string) {
	pages := &cobra.Command{SuggestionsMinimumDistance: 2}
	for _, t := range topics() { // cobra suggests only commands that can be run
		pages.AddCommand(&cobra.Command{Use: t.name, Run: func(*cobra.Command, []string) {}})
	}
	for _, name := range pages.SuggestionsFor(word) {
		list = append(list, "help "+name)
	}
	return list
}

// helpMistake returns an error if arguments follow the name of a topic, or if the help of an
// unknown command is asked for. Cobra would print the page, or other help, and ignore them.
func helpMistake(root *cobra.Command, words []string) error {
	c, rest, err := root.Find(words)
	if err == nil && c.HasSubCommands() && len(rest) > 1 && !strings.HasPrefix(rest[0], "-") && slices.ContainsFunc(rest, func(w string) bool { return w == "-h" || w == "--help" }) {
		return argumentMistake(c, rest, err)
	}
	if err != nil || !c.IsAdditionalHelpTopicCommand() {
		return nil
	}
	c.InheritedFlags()                                      // adds those of all commands to c.Flags()
	unset := func(*pflag.Flag, string) error { return nil } // they are set when the command is run, and only once
	if c.Flags().ParseAll(rest, unset) != nil || c.Flags().NArg() == 0 {
		return nil // other mistakes are found when the command is run
	}
	return fmt.Errorf("%s is a page and takes no arguments, such as %q; breadboard help %s prints it", c.Name(), c.Flags().Arg(0), c.Name())
}

// completeHelp offers the subcommands of the typed commands, and for the first argument the topics
// too.
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

// referencePage is the name of a topic that is too long to be read at once. breadboard help
// reference prints its headings, and with arguments the sections whose headings begin with them.
const referencePage = "reference"

// section is a part of the page reference.
type section struct{ heading, text string } // the text begins with the heading

// sectionsOf returns the sections below the headings of the third level.
func sectionsOf(page string) (list []section) {
	const mark = "\n### "
	for i, part := range strings.Split("\n"+page, mark) {
		if i == 0 {
			continue // the text before the first section
		}
		part, _, _ = strings.Cut(part, "\n## ") // the next chapter
		heading, _, _ := strings.Cut(part, "\n")
		list = append(list, section{heading, "### " + strings.TrimSpace(part)})
	}
	return list
}

// referenceIndex returns the list of sections of the page reference, and how to print one.
func referenceIndex(page string) string {
	var b strings.Builder
	b.WriteString(
		"breadboard help reference NAME prints the sections of the reference that begin with\nNAME, as in\n\n  breadboard help reference targets\n  breadboard help reference tightness\n  breadboard help reference samplers errors\n\nThe sections are:\n\n")
	for _, s := range sectionsOf(page) {
		b.WriteString("  " + s.heading + "\n")
	}
	b.WriteString("\nbreadboard help reference all prints the whole page.")
	return b.String()
}

// fieldsOfMany is the heading of the fields that many tables have, and in front of their names in
// the section of a table.
const fieldsOfMany = "Fields of many tables"

// withShared returns the text of a table's section with the descriptions of the fields that it has
// as many tables do, in place of their names.
func withShared(text string, sections []section) string {
	own, names, has := strings.Cut(text, "\n- "+fieldsOfMany+":")
	if !has {
		return text
	}
	for _, s := range sections {
		if s.heading == fieldsOfMany {
			for item := range strings.SplitSeq(s.text, "\n- ") {
				if name, _, _ := strings.Cut(item, " "); strings.Contains(names, name) {
					own += "\n- " + strings.TrimSpace(item)
				}
			}
		}
	}
	return own
}

// referenceFor returns the sections of the page reference whose headings begin with the words, or
// the whole page for "all".
func referenceFor(page string, words []string) (string, error) {
	name := strings.ToLower(strings.Join(words, " "))
	if name == "all" {
		return page, nil
	}
	var found []string
	sections := sectionsOf(page)
	for _, s := range sections {
		heading := strings.ToLower(s.heading)
		if rest, begins := strings.CutPrefix(heading, name); begins && (rest == "" || strings.ContainsAny(rest[:1], " ,")) {
			found = append(found, withShared(s.text, sections))
		}
	}
	if len(found) == 0 {
		return "", fmt.Errorf("the reference has no section %q; breadboard help reference lists them", name)
	}
	return strings.Join(found, "\n\n"), nil
}
