package main

import (
	"fmt"
	"strings"
)

// referencePage is the name of the topic that is too long to be read at once: breadboard help reference prints what it has, and with words
// behind it the sections whose headings begin with these.
const referencePage = "reference"

// section is a part of the page of reference.
type section struct{ heading, text string } // the text begins with the heading

// sectionsOf returns the parts of a page below its headings of the third level.
func sectionsOf(page string) (list []section) {
	const mark = "\n### "
	for i, part := range strings.Split("\n"+page, mark) {
		if i == 0 {
			continue // what stands before the first one
		}
		part, _, _ = strings.Cut(part, "\n## ") // where a chapter begins
		heading, _, _ := strings.Cut(part, "\n")
		list = append(list, section{heading, "### " + strings.TrimSpace(part)})
	}
	return list
}

// referenceIndex says what the page of reference has, and how to see a part of it.
func referenceIndex(page string) string {
	var b strings.Builder
	b.WriteString("breadboard help reference NAME prints the sections of the reference that begin with\nNAME, as in\n\n  breadboard help reference targets\n  breadboard help reference tightness\n  breadboard help reference samplers errors\n\nIt has these:\n\n")
	for _, s := range sectionsOf(page) {
		b.WriteString("  " + s.heading + "\n")
	}
	b.WriteString("\nbreadboard help reference all prints the whole page.")
	return b.String()
}

// referenceFor returns the sections of the page of reference that begin with some words, or the whole page for "all".
func referenceFor(page string, words []string) (string, error) {
	name := strings.ToLower(strings.Join(words, " "))
	if name == "all" {
		return page, nil
	}
	var found []string
	for _, s := range sectionsOf(page) {
		heading := strings.ToLower(s.heading)
		if rest, begins := strings.CutPrefix(heading, name); begins && (rest == "" || strings.ContainsAny(rest[:1], " ,")) {
			found = append(found, s.text)
		}
	}
	if len(found) == 0 {
		return "", fmt.Errorf("the reference has no section %q; breadboard help reference lists them", name)
	}
	return strings.Join(found, "\n\n"), nil
}
