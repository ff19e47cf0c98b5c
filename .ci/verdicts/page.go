package main

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"
)

// section begins the part of the page that is written from the checks and their records. All before
// it is written by hand.
const section = "## The verdicts\n"

// pages returns the written files by their paths in a clone: the topic, whose part on the verdicts
// is made, and a README beside the adapters of each package.
func pages(old string, all []published, records []record) (map[string]string, error) {
	before, _, there := strings.Cut(old, section)
	if !there {
		return nil, fmt.Errorf("the page has no line %q", strings.TrimSpace(section))
	}
	files := map[string]string{}
	by := map[string]record{}
	for _, r := range records {
		by[r.name] = r
	}
	var table strings.Builder
	for _, p := range all {
		details := "# " + p.Package + "\n"
		for _, c := range p.Checks {
			r, there := by[p.name(c)]
			if !there {
				return nil, fmt.Errorf("%s has no verdict in verdicts.txt", p.name(c))
			}
			fmt.Fprintf(&table, "| %s | %s | %s | %s | %s |\n", p.name(c), r.version, c.outcome(r.verdict),
				single(r.after), single(r.behind))
			details += "\n" + c.details()
		}
		files[path.Join(folder, path.Base(filepath.ToSlash(p.folder)), "README.md")] = details
	}
	files[topic] = before + section + "\n" + fold(summary(all), 80, "") +
		"\n\n| check | version | verdict | after | control after |\n|---|---|---|---|---|\n" +
		table.String()
	return files, nil
}

// single mends a number of one.
func single(after string) string {
	return strings.Replace(" "+after, " 1 branches", " 1 branch", 1)[1:]
}

// outcome is what the table says of a verdict: of a fault also its kind and whether it was known.
func (c check) outcome(verdict string) string {
	switch {
	case c.Kind == "":
		return verdict
	case c.Kind == misuse:
		verdict = misuse
	}
	if c.Unknown {
		return verdict + ", unknown before"
	}
	return verdict + ", known"
}

// summary counts the checks and their faults by kind.
func summary(all []published) string {
	checks := 0
	faults := map[string]int{}
	unknown := map[string]int{}
	for _, p := range all {
		checks += len(p.Checks)
		for _, c := range p.Checks {
			if c.Same != "" {
				continue
			}
			faults[c.Kind]++
			if c.Unknown {
				unknown[c.Kind]++
			}
		}
	}
	return fmt.Sprintf("There are %d checks of %d packages. %d pass. They find %d functions that contradict their "+
		"documentation or the comments of their source; %d of these faults were unknown before. They find %d faults in "+
		"common misuses; %d of these were unknown before.",
		checks, len(all), faults[""], faults[contradiction], unknown[contradiction], faults[misuse],
		unknown[misuse])
}

// details is what the README of the package says of a check.
func (c check) details() string {
	finding := c.Finding
	if c.Told == "read" {
		finding += " This was seen in the source before the check was run."
	}
	text := fold(fmt.Sprintf("**%s**: `%s`", c.Name, c.Function), 80, "") + "\n\n"
	for _, item := range []string{
		fmt.Sprintf("- Claim: %s (%s).", strings.TrimSuffix(c.Claim, "."), c.Source),
		"- Finding: " + finding,
		"- Known before: " + strings.TrimSuffix(c.Known, ".") + ".",
	} {
		text += fold(item, 80, "  ") + "\n"
	}
	return text
}

// fold breaks a text, which is not empty, at blanks into lines of at most width characters. All
// lines but the first begin with indent.
func fold(text string, width int, indent string) string {
	words := strings.Fields(text)
	lines := []string(nil)
	line := words[0]
	for _, word := range words[1:] {
		if len([]rune(line))+1+len([]rune(word)) > width {
			lines = append(lines, line)
			line = indent + word
			continue
		}
		line += " " + word
	}
	return strings.Join(append(lines, line), "\n")
}
