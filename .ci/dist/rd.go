package main

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// inR is a line of r/R/commands.R: a function of R, the command that it runs, and its own arguments.
var inR = regexp.MustCompile(`(?m)^([a-z_]+) <- command\("([^"]*)", "([^"]*)"\)$`)

// commonInR is its line of the arguments of all commands.
var commonInR = regexp.MustCompile(`(?m)^COMMON_FLAGS <- "([^"]*)"$`)

// pagesForR returns a page of help in R for each command, given the files of the package and what
// prints the help of a command.
func pagesForR(files []file, help func(words ...string) (string, error)) ([]file, error) {
	const commands = "R/commands.R"
	at := slices.IndexFunc(files, func(f file) bool { return f.path == commands })
	if at < 0 {
		return nil, fmt.Errorf("the package for R has no %s", commands)
	}
	functions := map[string][]string{}
	for _, m := range inR.FindAllStringSubmatch(string(files[at].content), -1) {
		functions[m[2]] = m[1:]
	}
	common := commonInR.FindStringSubmatch(string(files[at].content))
	if common == nil || len(functions) == 0 {
		return nil, fmt.Errorf("%s has no commands", commands)
	}
	var pages []file
	err := walk(help, func(c command, text string, _ []command) {
		if m := functions[strings.Join(c.words[1:], " ")]; m != nil {
			pages = append(pages, file{"man/" + m[0] + ".Rd", []byte(rdPage(c, m[0], strings.Fields(m[2]), strings.Fields(common[1]), text)), 0o644})
		}
	})
	if err == nil && len(pages) != len(functions) {
		err = fmt.Errorf("%s has %d commands, and the program help for %d of them", commands, len(functions), len(pages))
	}
	return pages, err
}

// flagLine is a flag in help: its letter, its name, what it takes and what it says, with the
// lines that continue it.
var flagLine = regexp.MustCompile(`(?m)^ {2,6}(?:-(\w), )?--([a-z][a-z-]*)(?: (\S+))? {2,}(\S.*(?:\n {8,}\S.*)*)$`)

// rdPage returns the page of a command as the function of a name, with its own arguments and those
// of all commands.
func rdPage(c command, name string, own, common []string, text string) string {
	description, headings, contents := sections(text)
	meant, switches := map[string]string{}, map[string]bool{}
	var details, examples string
	for i, h := range headings {
		switch {
		case h == "Details":
			details = contents[i]
		case h == "Examples":
			examples = contents[i]
		case strings.HasSuffix(h, "lags") || strings.HasPrefix(h, "Cut flags"):
			for _, m := range flagLine.FindAllStringSubmatch(contents[i], -1) {
				argument := argumentOf(m[2])
				if slices.Contains(own, m[1]) {
					argument = m[1]
				}
				meant[argument], switches[m[2]] = strings.Join(strings.Fields(m[4]), " "), m[3] == ""
			}
		}
	}
	var b strings.Builder
	short := strings.TrimRight(c.short, ".")
	fmt.Fprintf(&b, "\\name{%s}\n\\alias{%s}\n\\title{%s}\n\\description{\n%s\n}\n\\usage{\n%s}\n\\arguments{\n  \\item{\\dots}{what stands behind the command, such as a file.}\n",
		name, name, rd(short), rd(argumentsIn(description)), usage(name, append(slices.Clone(own), common...)))
	for _, argument := range own {
		fmt.Fprintf(&b, "  \\item{%s}{%s}\n", argument, rd(argumentsIn(meant[argument])))
	}
	fmt.Fprintf(&b, "  \\item{%s}{arguments of all commands; \\code{breadboard_help(\"output\")} explains them.}\n", strings.Join(common, ", "))
	fmt.Fprintf(&b, "  \\item{progress}{whether a line on the console shows how far the command is.}\n}\n")
	if details != "" {
		fmt.Fprintf(&b, "\\details{\n\\preformatted{%s}\n}\n", rd(argumentsIn(details)))
	}
	fmt.Fprintf(&b, "\\value{\nA data frame, a list of arrays or a text (see \\link{commands}). Of a data frame, \\code{labels(x)}\nexplains the columns and \\code{units(x)} has their units.\n}\n")
	if call := callInR(name, c, examples, switches); call != "" {
		fmt.Fprintf(&b, "\\examples{\n\\dontrun{\n%s\n}\n}\n", rd(call))
	}
	return b.String() + "\\seealso{\\link{commands} explains how arguments are given.}\n\\keyword{interface}\n"
}

// usage returns the call of a function with all its arguments, in lines of at most 80 letters.
func usage(name string, arguments []string) string {
	lines := []string{name + "(..."}
	for _, argument := range append(slices.Clone(arguments), "progress") {
		part := argument + " = NULL"
		if argument == "progress" {
			part = "progress = interactive()"
		} else if argument == "function" {
			part = "`function` = NULL"
		}
		if last := &lines[len(lines)-1]; len(*last)+len(part) < 78 {
			*last += ", " + part
		} else {
			*last += ","
			lines = append(lines, "  "+part)
		}
	}
	return strings.Join(lines, "\n") + ")\n"
}

// argumentOf returns a flag as an argument.
func argumentOf(flag string) string { return strings.ReplaceAll(flag, "-", "_") }

// flagInText is a flag in a sentence.
var flagInText = regexp.MustCompile(`(^|[^\w-])(?:--([a-z][\w-]*)|-([A-Z])\b)=?`)

// argumentsIn returns a text in which flags are arguments.
func argumentsIn(text string) string {
	return flagInText.ReplaceAllStringFunc(text, func(found string) string {
		m := flagInText.FindStringSubmatch(found)
		return m[1] + argumentOf(m[2]+m[3]) + " =" + strings.Repeat(" ", strings.Count(found, "="))
	})
}

// rd returns a text as it stands in a page of help in R.
func rd(text string) string {
	return strings.NewReplacer(`\`, `\\`, "%", `\%`, "{", `\{`, "}", `\}`).Replace(text)
}

// word is a word of a command line, perhaps in quotation marks.
var word = regexp.MustCompile(`"[^"]*"|'[^']*'|[^\s"']+`)

// callInR returns the first example with arguments as a call of the function, and else one without;
// "" if each has what only a command line has.
func callInR(name string, c command, examples string, switches map[string]bool) (call string) {
lines:
	for _, line := range strings.Split(examples, "\n") {
		line, is := strings.CutPrefix(strings.TrimSpace(line), strings.Join(c.words, " "))
		if !is || strings.ContainsAny(line, "<>|$\\=") {
			continue
		}
		words := word.FindAllString(line, -1)
		var parts []string
		seen := map[string]bool{}
		for i := 0; i < len(words); i++ {
			if flag := strings.TrimLeft(words[i], "-"); flag == words[i] {
				parts = append(parts, quotedInR(words[i]))
			} else if flag == "" || seen[flag] {
				continue lines
			} else if seen[flag] = true; switches[flag] || i+1 == len(words) {
				parts = append(parts, argumentOf(flag)+" = TRUE")
			} else {
				i++
				parts = append(parts, strings.Replace(argumentOf(flag), "function", "`function`", 1)+" = "+quotedInR(words[i]))
			}
		}
		call = name + "(" + strings.Join(parts, ", ") + ")"
		if len(parts) > 0 {
			return call
		}
	}
	return call
}

// quotedInR returns a word as a number, numbers or a text of R.
func quotedInR(text string) string {
	text = strings.Trim(text, `"'`)
	parts := strings.Split(text, ",")
	for _, part := range parts {
		if _, err := strconv.ParseFloat(part, 64); err != nil {
			return strconv.Quote(text)
		}
	}
	if len(parts) == 1 {
		return text
	}
	return "c(" + strings.Join(parts, ", ") + ")"
}
