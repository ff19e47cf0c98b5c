package main

import (
	"regexp"
	"strings"
	"testing"

	"breadboard/cmd/catalogue"
	"breadboard/experiments/subject"
)

// TestHelpNamesTheStudies: help lists every study, and the reference its parameters and values.
func TestHelpNamesTheStudies(t *testing.T) {
	help, _ := ok(t, "sweep", "--help")
	help = strings.Join(strings.Fields(help), " ") // lines are broken between words
	reference, _ := ok(t, "help", "reference", "sweep", "merge")
	parts := regexp.MustCompile(`(?m)^(?:Of |### sweep merge, table sweep, study )`).Split(reference, -1)
	for _, s := range catalogue.Swept(catalogue.Studies()) {
		fields := ""
		for _, part := range parts {
			title, text, _ := strings.Cut(part, "\n")
			title = strings.TrimSuffix(title, ":")
			if title == s.Name || strings.HasSuffix(title, ", table "+s.Name) {
				fields = text
			}
		}
		if !strings.Contains(help, " "+s.Name) {
			t.Errorf("it does not name %s", s.Name)
		}
		names := subject.Names(s.Parameters)
		for _, v := range s.Values {
			names = append(names, v.Name)
		}
		for _, name := range names {
			if !strings.Contains(fields, "`"+name+"`") {
				t.Errorf("the reference does not name %s of %s", name, s.Name)
			}
		}
	}
}
