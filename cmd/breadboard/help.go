package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
)

// helpWidth is the largest number of characters of a line of help.
const helpWidth = 80

// wrapHelp makes a command, and all commands below it, break the lines of their help between words, so that they fit a terminal and have
// at most helpWidth characters.
func (a *app) wrapHelp(root *cobra.Command) {
	help := root.HelpFunc()
	root.SetHelpFunc(func(c *cobra.Command, args []string) {
		if c.IsAdditionalHelpTopicCommand() { // a page in Markdown, with tables and programs
			help(c, args)
			return
		}
		to := c.OutOrStdout()
		var whole bytes.Buffer
		c.SetOut(&whole)
		help(c, args)
		c.SetOut(nil)
		width := helpWidth
		if terminal := a.width(a.stdout); terminal > 0 {
			width = min(width, terminal)
		}
		io.WriteString(to, fitLines(whole.String(), width)) // the writer remembers its error
	})
}

// fitLines breaks the lines of a text that are too long. Paragraphs with such a line are filled anew; a line that is indented stands for
// itself, and goes on below its text or, in a list, below the description. Lines of examples stay whole, so that they can be copied.
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
			examples = line == "Examples:"
		}
	}
	flush()
	return strings.Join(out, "\n")
}

// hanging breaks an indented line. In a list, a term with two blanks or more behind it and then its description, the lines that
// follow stand below the description, or less far in where that would be too narrow.
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

// fill puts words into lines of at most so many characters; the first line begins with first, and all others with rest. A word that is
// longer stays whole.
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
