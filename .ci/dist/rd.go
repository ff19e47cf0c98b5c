package main

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// inR is a line of r/R/commands.R: a function of R, the command that it runs, and its arguments.
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
	meant, switches, argument := map[string]string{}, map[string]bool{}, map[string]string{}
	var details, examples string
	for i, h := range headings {
		switch {
		case h == "Details":
			details = contents[i]
		case h == "Examples":
			examples = contents[i]
		case strings.HasSuffix(h, "lags") || strings.HasPrefix(h, "Cut flags"):
			for _, m := range flagLine.FindAllStringSubmatch(contents[i], -1) {
				name := strings.ReplaceAll(m[2], "-", "_")
				if slices.Contains(own, m[1]) {
					name = m[1]
				}
				meant[name], switches[name] = strings.Join(strings.Fields(m[4]), " "), m[3] == ""
				argument[m[1]], argument[m[2]] = name, name
			}
		}
	}
	var b strings.Builder
	short := strings.TrimRight(c.short, ".")
	fmt.Fprintf(&b, "\\name{%s}\n\\alias{%s}\n\\title{%s}\n\\description{\n%s\n}\n", name, name, rd(short), rd(argumentsIn(description)))
	fmt.Fprintf(&b, "\\usage{\n%s}\n\\arguments{\n", usage(name, append(slices.Clone(own), common...)))
	b.WriteString("  \\item{\\dots}{what stands behind the command, such as a file.}\n")
	for _, name := range own {
		fmt.Fprintf(&b, "  \\item{%s}{%s}\n", name, rd(argumentsIn(cmp.Or(meant[name], "see the details."))))
	}
	fmt.Fprintf(&b, "  \\item{%s}{arguments of all commands; \\code{breadboard_help(\"output\")} explains them.}\n", strings.Join(common, ", "))
	b.WriteString("  \\item{progress}{whether a line on the console shows how far the command is.}\n}\n")
	if details != "" {
		fmt.Fprintf(&b, "\\details{\n\\preformatted{%s}\n}\n", rd(argumentsIn(details)))
	}
	b.WriteString("\\value{\nA data frame, a list of arrays or a text (see \\link{commands}). Of a data frame, \\code{labels(x)}\n")
	b.WriteString("explains the columns and \\code{units(x)} has their units.\n}\n")
	if call := callInR(name, c, examples, argument, switches); call != "" {
		fmt.Fprintf(&b, "\\examples{\n\\dontrun{\n%s\n}\n}\n", rd(call))
	}
	return b.String() + "\\seealso{\\link{commands} explains how arguments are given.}\n\\keyword{interface}\n"
}

// usage returns the call of a function with all its arguments, in lines of at most 80 letters.
func usage(name string, arguments []string) string {
	parts := []string{"..."}
	for _, argument := range arguments {
		parts = append(parts, nameInR(argument)+" = NULL")
	}
	return wrapped(name, append(parts, "progress = interactive()")) + "\n"
}

// nameInR returns the name of an argument as a call has it: words of R need backticks.
func nameInR(argument string) string {
	if argument == "function" || argument == "for" {
		return "`" + argument + "`"
	}
	return argument
}

// wrapped returns a call in lines of at most 80 letters, as far as its parts are shorter.
func wrapped(name string, parts []string) string {
	lines := []string{name + "("}
	for i, part := range parts {
		last := &lines[len(lines)-1]
		if i == 0 {
			*last += part
		} else if len(*last)+len(part) < 78 {
			*last += ", " + part
		} else {
			*last += ","
			lines = append(lines, "  "+part)
		}
	}
	return strings.Join(lines, "\n") + ")"
}

// flagInText is a flag in a sentence.
var flagInText = regexp.MustCompile(`(^|[^\w-])(?:--([a-z][\w-]*)|-([A-Z])\b)=?`)

// argumentsIn returns a text in which flags are arguments.
func argumentsIn(text string) string {
	return flagInText.ReplaceAllStringFunc(text, func(found string) string {
		m := flagInText.FindStringSubmatch(found)
		return m[1] + strings.ReplaceAll(m[2]+m[3], "-", "_") + " =" + strings.Repeat(" ", strings.Count(found, "="))
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
func callInR(name string, c command, examples string, argument map[string]string, switches map[string]bool) (call string) {
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
			flag := strings.TrimLeft(words[i], "-")
			given := cmp.Or(argument[flag], flag) // flags of all commands have no letters
			switch {
			case flag == words[i]:
				parts = append(parts, quotedInR(flag))
				continue
			case flag == "" || seen[given]:
				continue lines
			case switches[given] || i+1 == len(words):
				parts = append(parts, given+" = TRUE")
			default:
				i++
				parts = append(parts, nameInR(given)+" = "+quotedInR(words[i]))
			}
			seen[given] = true
		}
		call = wrapped(name, parts)
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
