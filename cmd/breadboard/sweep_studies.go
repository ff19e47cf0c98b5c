package main

import (
	"fmt"
	"slices"
	"strings"

	"breadboard/experiments"
)

// studiesHelp describes every study that can be swept, with its parameters and values, for help.
func studiesHelp(studies []*experiments.Study) string {
	var b strings.Builder
	b.WriteString("Studies, with their own parameters (beside " + strings.Join(experiments.Names(experiments.Parameters()), ", ") + ") and values:\n")
	for _, s := range studies {
		fmt.Fprintf(&b, "\n  %s: %s\n", s.Name, s.Answers)
		for _, p := range s.Own() {
			fmt.Fprintf(&b, "      %-22s %s\n", p.Name, describe(p))
		}
		if without := lacking(s); len(without) > 0 {
			fmt.Fprintf(&b, "      (it has no %s)\n", strings.Join(without, " and no "))
		}
		b.WriteString(wrapped("      values: ", s.ValueNames(), helpWidth))
	}
	return strings.TrimRight(b.String(), "\n")
}

// lacking returns the names of those parameters of all that a study does not have.
func lacking(s *experiments.Study) []string {
	return slices.DeleteFunc(experiments.Names(experiments.Parameters()), func(name string) bool {
		_, has := experiments.Find(s.Parameters, name)
		return has
	})
}

// describe says what a parameter is, which values it takes, and which it has where it is left out.
func describe(p experiments.Parameter) string {
	text := p.Doc
	if p.Number != nil {
		text += fmt.Sprintf(", %s", *p.Number)
	}
	return text + " (default " + strings.Join(p.Defaults(), ", ") + ")"
}

// wrapped returns a list of names behind a heading, in lines of so many characters at most, of which those after the first
// are indented as far as the heading is long.
func wrapped(heading string, names []string, width int) string {
	var b strings.Builder
	line := heading
	for i, name := range names {
		if i < len(names)-1 {
			name += ","
		}
		if len(line)+len(name) > width {
			b.WriteString(strings.TrimRight(line, " ") + "\n")
			line = strings.Repeat(" ", len(heading))
		}
		line += name + " "
	}
	return b.String() + strings.TrimRight(line, " ") + "\n"
}

// namesIn returns the names of the parameters of studies, and those of their values, each once.
func namesIn(studies []*experiments.Study) (parameters, values []string) {
	add := func(list *[]string, names []string) {
		for _, name := range names {
			if !slices.Contains(*list, name) {
				*list = append(*list, name)
			}
		}
	}
	for _, s := range studies {
		add(&parameters, experiments.Names(s.Parameters))
		add(&values, s.ValueNames())
	}
	return parameters, values
}
