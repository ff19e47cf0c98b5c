package main

import (
	"io"
	"regexp"
	"strings"
)

// callerVariable names the language whose module runs the program: messages and help then name
// flags and commands as that language has them.
const callerVariable = "BREADBOARD_CALLER"

// caller writes lines in the words of a language.
type caller struct {
	to                         io.Writer
	seeHelp, flag, word, table *regexp.Regexp
	commands                   []string // of other programs, whose flags stay as they are
}

// newCaller returns the writer for Python, and what it is given for people at a terminal. args are
// the words of the command line, which may have commands of other programs.
func newCaller(to io.Writer, language string, args []string) io.Writer {
	if language != "python" {
		return to
	}
	var commands []string
	for i, arg := range args {
		if arg == "--" {
			commands = append(commands, strings.Join(args[i+1:], " "))
		}
		if _, command, is := strings.Cut(arg, "exec:"); is {
			commands = append(commands, command)
		}
	}
	return &caller{
		commands: commands,
		to:       to,
		seeHelp:  regexp.MustCompile(`see breadboard ((?:[a-z-]+ )+)--help`),
		flag:     regexp.MustCompile(`(^|[^\w-])(?:--([A-Za-z][\w-]*)|-([A-Zv])\b)=?`),
		word:     regexp.MustCompile(`\bflag(s?)\b`),
		table:    regexp.MustCompile(`(?:^|; )see (?:above|the (?:findings?|rows|variables|routines|table|notes)\b.*)$`),
	}
}

func (c *caller) Write(p []byte) (int, error) {
	if _, err := io.WriteString(c.to, c.in(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// in returns a text with the names of the language.
func (c *caller) in(text string) string {
	for _, command := range c.commands {
		if before, after, is := strings.Cut(text, command); is && command != "" {
			return c.in(before) + command + c.in(after)
		}
	}
	text = c.seeHelp.ReplaceAllStringFunc(text, func(found string) string {
		words := strings.Fields(strings.ReplaceAll(c.seeHelp.FindStringSubmatch(found)[1], "-", "_"))
		return "see help(breadboard." + strings.Join(words, ".") + ")"
	})
	text = c.flag.ReplaceAllStringFunc(text, func(found string) string {
		parts := c.flag.FindStringSubmatch(found)
		return parts[1] + strings.ReplaceAll(parts[2]+parts[3], "-", "_") + "="
	})
	return c.word.ReplaceAllString(text, "argument$1")
}

// inWords returns a text as the writer of messages writes it. What refers to the table above it,
// which a module does not print, is omitted.
func (a *app) inWords(text string) string {
	c, is := a.stderr.(*caller)
	if !is {
		return text
	}
	return c.in(c.table.ReplaceAllString(text, ""))
}
