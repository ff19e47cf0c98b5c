package main

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"text/template"
	"unicode"
	"unicode/utf8"

	"breadboard/chains/errs"
	"breadboard/reports/table"

	"github.com/spf13/cobra"
)

// helpWidth is the largest number of characters of a line of help.
const helpWidth = 80

// helpTemplate is the help of a command: the question that it answers, usage, examples, the
// commands below it, flags by what they decide, and details.
var helpTemplate = template.Must(template.New("help").Funcs(template.FuncMap{
	"question":    func(text string) string { first, _ := firstSentence(text); return first },
	"commandName": commandName,
	"details":     func(text string) string { _, rest := firstSentence(text); return rest },
	"headings":    headings,
	"lines":       underHeading,
	"further":     furtherFlags,
	"rare":        rareFlagsOf,
}).Parse(`{{$c := .}}{{question (or .Long .Short)}}

Usage:
{{- if .Runnable}}
  {{.UseLine}}{{end}}
{{- if .HasAvailableSubCommands}}
  {{.CommandPath}} COMMAND{{end}}
{{- with .Example}}

Examples:
{{.}}{{end}}
{{- range $g := .Groups}}

{{.Title}}
{{- range $c.Commands}}{{if eq .GroupID $g.ID}}
  {{printf "%-11s" .Name}} {{.Short}}{{end}}{{end}}{{end}}
{{- if and .HasAvailableSubCommands (not .Groups)}}

Commands:
{{- range .Commands}}{{if .IsAvailableCommand}}
  {{printf "%-11s" .Name}} {{.Short}}{{end}}{{end}}{{end}}
{{- if .HasParent}}{{range headings}}{{with lines $c .}}
{{.}}{{end}}{{end}}{{with further $c}}

breadboard help output explains {{.}}.{{end}}{{with rare $c}}
breadboard help {{commandName $c}} --all explains {{.}}.{{end}}{{with details .Long}}

Details:

{{.}}{{end}}{{else}}

breadboard COMMAND --help     explains a command, with examples
breadboard help topics        lists pages, such as tutorial, output and sizes{{end}}
`))

// addHelp has a command and all below it print the template. The command help also prints pages.
// With all it explains rare flags, too.
func (a *app) addHelp(root *cobra.Command) {
	root.SetHelpFunc(func(c *cobra.Command, _ []string) {
		var whole strings.Builder
		if err := helpTemplate.Execute(&whole, c); err != nil {
			panic(err) // it is part of the program
		}
		// the writer remembers its error
		io.WriteString(c.OutOrStdout(), a.inHelp(fitLines(whole.String(), a.helpWidth())))
	})
	var all bool
	help := &cobra.Command{
		Use: "help [COMMAND|PAGE]", Short: "Explain a command, or print a page",
		Long: topicsHelp(),
		Example: "  breadboard help tightness\n  breadboard help tutorial\n  breadboard help reference samplers errors\n" +
			"  breadboard help tightness --format json",
		RunE: func(c *cobra.Command, words []string) error {
			about, rest, err := root.Find(words)
			switch {
			case all && (about == root || err != nil || len(rest) > 0):
				return errors.New("--all explains every flag of a command, as in breadboard help tightness --all")
			case a.output.format == table.JSON && err == nil && len(rest) == 0:
				return a.writeHelp(c.OutOrStdout(), about)
			case len(words) == 0 || slices.Equal(words, []string{"topics"}):
				return c.Help()
			case words[0] == referencePage && len(words) > 1:
				text, err := referenceFor(pageOf(referencePage), words[1:])
				if err == nil {
					fmt.Fprintln(c.OutOrStdout(), text)
				}
				return err
			case len(words) == 1 && isTopic(words[0]):
				fmt.Fprintln(c.OutOrStdout(), topicHelp(words[0]))
				return nil
			case err != nil || len(rest) > 0:
				return errs.New("no command and no page is called %q; breadboard help topics lists the pages",
					strings.Join(words, " "))
			}
			if all {
				annotate(about, wholeHelp)
			}
			return about.Help()
		},
	}
	help.Flags().BoolVar(&all, "all", false, "explain every flag of a command, also those that few set")
	root.SetHelpCommand(help)
}

// helpWidth returns the largest number of characters of a line of help: the smaller of the
// constant and the width of the terminal.
func (a *app) helpWidth() int {
	if terminal := a.width(a.stdout); terminal > 0 {
		return min(helpWidth, terminal)
	}
	return helpWidth
}

// firstSentence splits a description behind its first sentence: at a full stop in front of a
// capital letter, or at the end of the first paragraph.
func firstSentence(text string) (first, rest string) {
	text = strings.TrimSpace(text)
	end := strings.Index(text, "\n\n")
	if end < 0 {
		end = len(text)
	}
	for i := range end {
		if text[i] != '.' || i+2 >= end || text[i+1] != ' ' && text[i+1] != '\n' {
			continue
		}
		if next, _ := utf8.DecodeRuneInString(text[i+2:]); unicode.IsUpper(next) {
			end = i + 1
			break
		}
	}
	rest, paragraph := strings.CutPrefix(text[end:], "\n\n")
	if !paragraph { // a list may begin a paragraph, and keeps its indentation
		rest = strings.TrimSpace(rest)
	}
	return text[:end], rest
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
		out = append(out, paragraph...)
		paragraph = nil
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
		return append([]string{strings.Repeat(" ", indent) + term},
			fill(strings.Fields(description), below, below, width)...)
	}
	first := fmt.Sprintf("%-*s", at, strings.Repeat(" ", indent)+term)
	return fill(strings.Fields(description), first, strings.Repeat(" ", at), width)
}

// fill puts words into lines of at most width characters. The first line begins with first, and
// all others with rest. A longer word stays whole.
func fill(words []string, first, rest string, width int) (lines []string) {
	line := first
	empty := true
	for _, word := range words {
		if !empty && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			lines = append(lines, line)
			line = rest
			empty = true
		}
		if !empty {
			line += " "
		}
		line += word
		empty = false
	}
	return append(lines, line)
}

// pages are the documents that breadboard help prints, one for each topic.
//
//go:embed topics/*.md
var pages embed.FS

// topic is a page that breadboard help prints. It has another name than every command.
type topic struct{ name, about string }

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
			{"tutorial", "Compute: J and B of your target, a table and a figure"},
			{"check", "Check: your kernel, your draws, your function, in CI"},
			{"faq", "What J is small, how many draws, which T, which check?"},
			{"terms", "What J, B, T, K, p, q, nats and other terms mean, with formulas"},
			{"sizes", "How large a problem may be, and what to use beyond that"},
		}},
		{"Check my code", []topic{
			{"validate", "Which check fits my code, and what does its verdict say?"},
			{"check-kernel", "Is my kernel or my sampler of a posterior right?"},
			{"check-draws", "Are my draws right, independent or of a chain? R-hat, ESS"},
			{"check-annealing", "Is my annealing right?"},
			{"ci", "Checks in CI as JUnit XML, with a workflow to copy"},
			{"tests", "Which test of a sampler finds which fault, and how soon?"},
			{"laws", "The exact distribution of what Python code draws"},
			{"floats", "Probabilities as single precision computes them; PyTorch, JAX"},
			{"routines", "Exact answers to test R-hat, ESS, HMMs and others with"},
			{"published", "What these checks found in published software"},
			{"teach", "Exercises for students, and a script that marks the answers"},
		}},
		{"Compute", []topic{
			{"mixing", "Which kernel is best at equal work, and does my chain mix?"},
			{"logz", "What estimates log Z, and are my estimates right?"},
			{"estimators", "Particles, particle Gibbs, AIDE"},
			{"couplings", "What coupled chains tell about the distance from the target"},
			{"policies", "Learned samplers: what their bounds say of their output"},
			{"tempering", "Is my ladder good, does it mix, and is log Z right?"},
			{"symmetry", "2^1000 states by classes; when a sampler cannot reach a part"},
			{"sweeps", "Many toys, schedules, kernels and seeds, also on a cluster"},
		}},
		{"Formats", []topic{
			{"files", "Which formats are read, how arrays are oriented and states numbered"},
			{"models", "Bayesian and Markov networks, Ising models and QUBO in files"},
			{"output", "Formats, files, figures, reports, digits and exit codes"},
			{"page", "The bench in the browser, and its HTTP API"},
		}},
		{"Reference", []topic{
			{"reference", "Every selector, and every field of every table"},
			{"python", "Run breadboard from Python, read results, serve functions"},
			{"r", "Run breadboard from R; the exact distribution of R code"},
			{"packages", "Use the Go packages in your own module"},
			{"papers", "The claims of five papers: what holds, and what does not"},
			{"licences", "The licences of breadboard and of all that it is made of"},
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

// isTopic reports whether a topic has the name.
func isTopic(name string) bool {
	return slices.ContainsFunc(topics(), func(t topic) bool { return t.name == name })
}

// pageOf returns the page of a topic.
func pageOf(topic string) string {
	if topic == "licences" {
		return strings.TrimSpace(thirdParty)
	}
	page, err := pages.ReadFile("topics/" + topic + ".md")
	if err != nil {
		panic(err) // it is part of the program
	}
	return strings.TrimSpace(string(page))
}

// topicHelp returns what breadboard help prints of a topic.
func topicHelp(topic string) string {
	if topic == referencePage {
		return referenceIndex(pageOf(topic))
	}
	return pageOf(topic)
}

// topicsHelp lists the topics.
func topicsHelp() string {
	var index strings.Builder
	index.WriteString("help explains a command, or prints one of these pages in Markdown.\n")
	for _, g := range topicGroups() {
		fmt.Fprintf(&index, "\n%s:\n", g.title)
		for _, t := range g.topics {
			fmt.Fprintf(&index, "  %-16s %s\n", t.name, t.about)
		}
	}
	return strings.TrimRight(index.String(), "\n")
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
	b.WriteString("breadboard help reference NAME prints the sections of the reference that begin with\nNAME, as " +
		"in\n\n  breadboard help reference targets\n  breadboard help reference tightness\n  " +
		"breadboard help reference samplers errors\n\nThe sections are:\n\n")
	for _, s := range sectionsOf(page) {
		b.WriteString("  " + s.heading + "\n")
	}
	b.WriteString("\nbreadboard help reference all prints the whole page.")
	return b.String()
}

// withShared returns the text of a table's section with the descriptions of the fields that other
// sections have, in place of their names; all stands for the names of a whole section.
func withShared(text string, sections []section) string {
	const quoted = "`\\w+`(?:,\\s+`\\w+`)*"
	// What another section describes stands behind its heading.
	elsewhere := regexp.MustCompile("(?m)^- See (.+): (all|" + quoted + ")$")
	listed := regexp.MustCompile("^" + quoted)
	return elsewhere.ReplaceAllStringFunc(text, func(see string) string {
		parts := elsewhere.FindStringSubmatch(see)
		wanted := strings.Fields(strings.ReplaceAll(parts[2], ",", ""))
		at := slices.IndexFunc(sections, func(s section) bool { return strings.EqualFold(s.heading, parts[1]) })
		if at < 0 {
			return see
		}
		if parts[2] == "all" {
			_, items, _ := strings.Cut(withShared(sections[at].text, sections), "\n\n")
			if strings.Contains(text, "table sweep\n") { // which has those of several commands
				items = "\nOf " + parts[1] + ":\n\n" + items
			}
			return items
		}
		var own []string
		for item := range strings.SplitSeq(sections[at].text, "\n- ") {
			head := listed.FindString(item)
			names := slices.DeleteFunc(strings.Fields(strings.ReplaceAll(head, ",", "")),
				func(name string) bool { return !slices.Contains(wanted, name) })
			if len(names) > 0 {
				own = append(own, "- "+strings.Join(names, ", ")+strings.TrimRight(item[len(head):], "\n"))
			}
		}
		if own == nil { // the names say what they mean
			return see
		}
		return strings.Join(own, "\n")
	})
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
		if rest, begins := strings.CutPrefix(heading, name); begins &&
			(rest == "" || strings.ContainsAny(rest[:1], " ,")) {
			found = append(found, withShared(s.text, sections))
		}
	}
	if len(found) == 0 {
		return "", errs.New("the reference has no section %q; breadboard help reference lists them", name)
	}
	return strings.Join(found, "\n\n"), nil
}
