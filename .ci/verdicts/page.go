package main

import (
	"fmt"
	"strings"
)

// section begins the part of the page that is written from the checks and their records. All before it is written by hand.
const section = "## The verdicts\n"

// page returns the page with its part on the verdicts written anew.
func page(old string, all []published, records []record) (string, error) {
	before, _, there := strings.Cut(old, section)
	if !there {
		return "", fmt.Errorf("the page has no line %q", strings.TrimSpace(section))
	}
	by := map[string]record{}
	for _, r := range records {
		by[r.name] = r
	}
	var table, told strings.Builder
	for _, p := range all {
		fmt.Fprintf(&told, "\n### %s\n", p.Package)
		for _, c := range p.Checks {
			r, there := by[p.name(c)]
			if !there {
				return "", fmt.Errorf("%s has no verdict in verdicts.txt", p.name(c))
			}
			fmt.Fprintf(&table, "| %s | %s | %s | %s | %s, %s |\n", p.name(c), r.version, r.verdict, single(r.after), r.control, single(r.behind))
			told.WriteString("\n" + fold(c.tell(), 80) + "\n")
		}
	}
	return before + section + "\n| check | version | verdict | after | control |\n|---|---|---|---|---|\n" + table.String() + told.String(), nil
}

// single mends a number of one.
func single(after string) string {
	return strings.Replace(" "+after, " 1 branches", " 1 branch", 1)[1:]
}

// tell is what the page says of a check.
func (c check) tell() string {
	how := ""
	if c.Told == "read" {
		how = " It was read in the source before it was tried."
	}
	return fmt.Sprintf("**%s**: `%s`. %s (%s). %s%s Known before: %s.", c.Name, c.Function, strings.TrimSuffix(c.Claim, "."), c.Source, c.Finding, how, strings.TrimSuffix(c.Known, "."))
}

// fold breaks a text into lines of at most so many characters, where words allow it.
func fold(text string, width int) string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len([]rune(line))+1+len([]rune(word)) > width {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimPrefix(line+" "+word, " ")
	}
	return strings.Join(append(lines, line), "\n")
}
