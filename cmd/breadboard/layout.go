package main

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"breadboard/chains/selector"
)

// mostExamples is how many examples stand in front of the flags.
const mostExamples = 3

// answerFirst writes the help of a command: what it does in a sentence, usage, a few examples,
// flags, and then the details.
func answerFirst(w io.Writer, c *cobra.Command) {
	question, details := firstSentence(c.Long)
	if question == "" {
		question = c.Short
	}
	fmt.Fprintf(w, "%s\n\n", question)
	usage(w, c)
	if details != "" {
		fmt.Fprintf(w, "\nDetails:\n\n%s\n", details)
	}
	if examples := examplesOf(c); len(examples) > mostExamples {
		fmt.Fprintf(w, "\nMore examples:\n%s\n", strings.Join(examples[mostExamples:], "\n"))
	}
}

// usage writes how a command is called, examples, the commands below it and its own flags by what
// they decide. Those of many commands are one line, since they are the same everywhere.
func usage(w io.Writer, c *cobra.Command) {
	fmt.Fprint(w, "Usage:\n")
	if c.Runnable() {
		fmt.Fprintf(w, "  %s\n", c.UseLine())
	}
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(w, "  %s [command]\n", c.CommandPath())
	}
	if examples := examplesOf(c); len(examples) > 0 {
		fmt.Fprintf(w, "\nExamples:\n%s\n", strings.Join(examples[:min(len(examples), mostExamples)], "\n"))
	}
	if c.HasAvailableSubCommands() {
		fmt.Fprint(w, "\nAvailable Commands:\n")
		listCommands(w, c.Commands())
	}
	for _, h := range headings() {
		if lines := flagLines(c.LocalFlags(), h.of); lines != "" {
			fmt.Fprintf(w, "\n%s:\n%s\n", h.title, lines)
		}
	}
	var further []string
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if flagTable[f.Name].aspect == ofMany {
			further = append(further, dashed(f))
		}
	})
	if c.HasAvailableInheritedFlags() {
		further = append(further, "--format, --out, --columns", "others of all commands")
	}
	if further != nil {
		fmt.Fprintf(w, "\nbreadboard help output explains %s.\n", selector.Listed(further))
	}
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(w, "\nUse \"%s [command] --help\" for more information about a command.\n", c.CommandPath())
	}
}

// examplesOf returns the lines of the examples of a command.
func examplesOf(c *cobra.Command) []string {
	if c.Example == "" {
		return nil
	}
	return strings.Split(strings.Trim(c.Example, "\n"), "\n")
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
