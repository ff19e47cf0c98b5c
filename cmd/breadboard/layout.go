package main

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// mostExamples is how many examples stand in front of the flags.
const mostExamples = 3

// answerFirst writes the help of a command: what it does in a sentence, usage, a few examples and
// flags, then the details, and the whole lines of flags that were cut.
func answerFirst(w io.Writer, c *cobra.Command) {
	question, details := firstSentence(c.Long)
	if question == "" {
		question = c.Short
	}
	flags, cut := briefFlags(c.LocalFlags())
	fmt.Fprintf(w, "%s\n\n", question)
	usage(w, c, flags)
	if details != "" {
		fmt.Fprintf(w, "\nDetails:\n\n%s\n", details)
	}
	if examples := examplesOf(c); len(examples) > mostExamples {
		fmt.Fprintf(w, "\nMore examples:\n%s\n", strings.Join(examples[mostExamples:], "\n"))
	}
	if len(cut) > 0 {
		fmt.Fprintf(w, "\nCut flags in full:\n%s\n", strings.Join(cut, "\n"))
	}
}

// usage writes how a command is called, examples, the commands below it and the lines of its own
// flags. The flags of all commands are one line, since they are the same everywhere.
func usage(w io.Writer, c *cobra.Command, flags []string) {
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
	if c.HasAvailableLocalFlags() {
		fmt.Fprintf(w, "\nFlags:\n%s\n", strings.Join(flags, "\n"))
	}
	if c.HasAvailableInheritedFlags() {
		fmt.Fprint(w, "\nFlags of all commands, such as --format, --columns and --out: breadboard help output.\n")
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
	return text[:end], strings.TrimSpace(text[end:])
}

// defaultOf matches what help says of a default at the end of a line.
var defaultOf = regexp.MustCompile(` \(default [^)]*\)$`)

// briefFlags returns a line for each flag, of at most helpWidth characters, and the whole lines of
// those that are cut.
func briefFlags(flags *pflag.FlagSet) (lines, cut []string) {
	whole := strings.Split(strings.TrimRight(flags.FlagUsages(), " \n"), "\n")
	at := descriptions(whole)
	for _, line := range whole {
		if utf8.RuneCountInString(line) <= helpWidth || at >= len(line) {
			lines = append(lines, line)
			continue
		}
		lines, cut = append(lines, line[:at]+brief(line[at:], helpWidth-at)), append(cut, line)
	}
	return lines, cut
}

// descriptions returns the place at which the descriptions of flags begin, which is the same in all
// lines.
func descriptions(lines []string) (at int) {
	for _, line := range lines {
		name := strings.TrimLeft(line, " ")
		if end := strings.Index(name, "   "); end >= 0 {
			at = max(at, len(line)-len(strings.TrimLeft(name[end:], " ")))
		}
	}
	return at
}

// brief shortens the description of a flag to a width. It ends at the last semicolon, colon or
// bracket that fits, or at the last comma or word if much would be lost. The default stays if there
// is space for it.
func brief(text string, width int) string {
	standard := defaultOf.FindString(text)
	text = strings.TrimSuffix(text, standard)
	if len(standard) > width/2 {
		standard = ""
	}
	space := max(0, width-len(standard))
	if utf8.RuneCountInString(text) <= space {
		return text + standard
	}
	fits := string([]rune(text)[:space+1])
	for _, cut := range []struct {
		stops []string
		least int
	}{{[]string{"; ", ": ", " ("}, 8}, {[]string{", "}, width / 2}} {
		end := 0
		for _, stop := range cut.stops {
			end = max(end, strings.LastIndex(fits, stop))
		}
		if end >= cut.least {
			return fits[:end] + standard
		}
	}
	end := strings.LastIndexByte(string([]rune(text)[:max(0, space-3)]), ' ')
	return fits[:max(0, end)] + " ..." + standard
}
