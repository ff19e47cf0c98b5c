package main

import (
	"fmt"
	"regexp"
	"strings"
)

// command is a command of the program, as the help of the one above it lists it.
type command struct {
	words []string // breadboard and so on
	short string
}

// page returns the name of its manual page.
func (c command) page() string { return strings.Join(c.words, "-") }

// manual returns the manual pages of the program, given what prints the help of a command of it.
func manual(help func(words ...string) (string, error)) ([]file, error) {
	var pages []file
	err := walk(help, func(c command, text string, below []command) {
		pages = append(pages, file{"man/man1/" + c.page() + ".1", []byte(manPage(c, text, below)), 0o644})
	})
	return pages, err
}

// walk calls visit with each command, its help and the commands below it.
func walk(help func(words ...string) (string, error),
	visit func(c command, text string, below []command)) error {
	left := []command{{[]string{"breadboard"}, "exact annealed importance sampling on small discrete spaces"}}
	for ; len(left) > 0; left = left[1:] {
		c := left[0]
		words := append([]string{"help"}, c.words[1:]...)
		if len(words) == 1 {
			words = []string{"--help"}
		}
		text, err := help(words...)
		if err != nil {
			return err
		}
		below := commands(c, text)
		left = append(left, below...)
		visit(c, text, below)
	}
	return nil
}

// heading is a line of help that begins a section behind the description.
var heading = regexp.MustCompile(`(?m)^([A-Z][^.\n]*):\n`)

// listed is a line of help that begins a command, and what it says of it in further lines that are
// indented more.
var listed = regexp.MustCompile(`(?m)^  ([a-z]+) {2,}(\S.*(?:\n {4,}\S.*)*)$`)

// sections splits help into what stands before its usage and the sections from there on, by their
// headings in order.
func sections(text string) (description string, headings, contents []string) {
	description, rest, found := strings.Cut("\n"+text+"\n", "\nUsage:\n")
	if !found {
		return strings.TrimSpace(description), nil, nil
	}
	rest = "Usage:\n" + rest
	places := heading.FindAllStringSubmatchIndex(rest, -1)
	for i, p := range places {
		end := len(rest)
		if i+1 < len(places) {
			end = places[i+1][0]
		}
		headings, contents = append(headings, rest[p[2]:p[3]]),
			append(contents, strings.Trim(rest[p[1]:end], "\n"))
	}
	return strings.TrimSpace(description), headings, contents
}

// commands returns the commands that the help of one lists, without help itself.
func commands(of command, text string) (below []command) {
	_, headings, contents := sections(text)
	for i, h := range headings {
		if h == "Details" { // whose lists are of other things
			break
		}
		if h == "Usage" || h == "Examples" || strings.HasSuffix(h, "Flags") {
			continue
		}
		for _, m := range listed.FindAllStringSubmatch(contents[i], -1) {
			if m[1] != "help" {
				below = append(below, command{append(of.words[:len(of.words):len(of.words)], m[1]),
					strings.Join(strings.Fields(m[2]), " ")})
			}
		}
	}
	return below
}

// manPage returns the page of a command, in the notation of man: its help as it is, under the
// headings of a manual.
func manPage(c command, text string, below []command) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %q 1 \"\" breadboard breadboard\n.SH NAME\n%s \\- %s\n", strings.ToUpper(c.page()),
		roff(c.page()), roff(c.short))
	section := func(title, content string) {
		fmt.Fprintf(&b, ".SH %s\n.nf\n.in 0\n%s\n.fi\n", strings.ToUpper(title), roff(content))
	}
	description, headings, contents := sections(text)
	section("Description", description)
	for i, h := range headings {
		section(h, contents[i])
	}
	var also []string
	if n := len(c.words) - 1; n > 0 {
		also = append(also, strings.Join(c.words[:n], "-")+"(1)")
	}
	for _, one := range below {
		also = append(also, one.page()+"(1)")
	}
	if len(also) > 0 {
		fmt.Fprintf(&b, ".SH SEE ALSO\n%s\n", roff(strings.Join(also, ", ")))
	}
	return b.String()
}

// roff returns a text as it stands in a page of man, where a backslash, and a point or a quotation
// mark that begins a line, mean something else.
func roff(text string) string {
	lines := strings.Split(strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
