package main

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
)

// callerVariable names the language whose module runs the program: messages and help then name
// flags and commands as that language has them.
const callerVariable = "BREADBOARD_CALLER"

// language says how a language names what the command line has.
type language struct {
	equals string                      // what stands behind the name of an argument
	call   string                      // a pattern for a call of help in a message
	help   func(words []string) string // that call in the language
}

// languages are those that have a module.
var languages = map[string]language{
	"python": {"=", `see breadboard (?:[a-z-]+ )+--help`, func(words []string) string {
		return "see help(breadboard." + strings.ReplaceAll(strings.Join(words[2:len(words)-1], "."), "-", "_") + ")"
	}},
	"R": {" =", `\bbreadboard(?: help(?: [a-z]+)+ --all| help --help| help(?: [a-z]+(?:-[a-z]+)*)?|(?: [a-z]+)* --help)\b`, helpInR},
}

func helpInR(words []string) string {
	call := "breadboard_help(%s)"
	if slices.Contains(words, "--all") {
		call = `breadboard("help", %s, all = TRUE)`
	}
	about := slices.DeleteFunc(words[1:], func(word string) bool { return word == "help" || word[0] == '-' })
	return fmt.Sprintf(call, strings.ReplaceAll(strings.Trim(fmt.Sprintf("%q", about), "[]"), `" "`, `", "`))
}

// caller writes lines in the words of a language.
type caller struct {
	language
	to                             io.Writer
	asks, flag, word, twice, table *regexp.Regexp
	commands                       []string // of other programs, whose flags stay as they are
}

// newCaller returns the writer for a language, and what it is given for people at a terminal. args
// are the words of the command line, which may have commands of other programs.
func newCaller(to io.Writer, name string, args []string) io.Writer {
	of, is := languages[name]
	if !is {
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
		language: of,
		commands: commands,
		to:       to,
		asks:     regexp.MustCompile(of.call),
		flag:     regexp.MustCompile(`(^|[^\w-])(?:--([A-Za-z][\w-]*)|-([A-Zv])\b)(=?)`),
		word:     regexp.MustCompile(`\bflag(s?)\b`),
		twice:    regexp.MustCompile(`"(\w ?=), \w+ ?="`), // both names of an argument
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
	text = c.asks.ReplaceAllStringFunc(text, func(found string) string { return c.help(strings.Fields(found)) })
	text = c.flag.ReplaceAllStringFunc(text, func(found string) string {
		parts := c.flag.FindStringSubmatch(found)
		name := strings.ReplaceAll(parts[2]+parts[3], "-", "_")
		if c.equals == "=" {
			return parts[1] + name + "="
		}
		if name == "v" {
			name = "verbose"
		}
		return parts[1] + name + strings.ReplaceAll(" ="+parts[4], "==", "= ")
	})
	return c.twice.ReplaceAllString(c.word.ReplaceAllString(text, "argument$1"), `"$1"`)
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

// inHelp returns a page of help in the words of a language that prints it as it is.
func (a *app) inHelp(text string) string {
	if c, is := a.stderr.(*caller); is && c.equals != "=" {
		return c.in(text)
	}
	return text
}
