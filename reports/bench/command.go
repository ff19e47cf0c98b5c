package bench

import (
	"strings"

	"breadboard/chains"
	"breadboard/chains/selector"
	"breadboard/experiments"
)

// line returns the command line that makes the same rows, with flags as words calls them. It is empty where no command makes them, and
// where nobody says how flags are called.
func (a *task) line(q *question, words chains.Words) string {
	if a.command == "" || words == nil {
		return ""
	}
	line := []string{"breadboard", a.command}
	add := func(option, value string) { line = append(line, words(option), selector.ShellQuote(value)) }
	for _, p := range a.options {
		add(p.Name, p.Value)
	}
	for _, p := range q.params() {
		switch {
		case p.Name == "T" && q.ownLength:
		case p.Name == "T" && a.lengths != nil:
			add("T", joined(a.lengths))
		case p.Name == "T":
			add("T", p.Value)
		case p.Name == "toy":
			add("toy", inList(p.Value))
		case p.Value != usual(p.Name, q):
			add(p.Name, p.Value)
		}
	}
	return strings.Join(line, " ")
}

// usual returns the value of a parameter that stands where it is left out.
func usual(name string, q *question) string {
	if name == "initial" {
		return q.toy.DefaultInitial()
	}
	return experiments.Default(name)
}

// inList quotes a selector for a flag that takes a list separated by commas.
func inList(text string) string {
	if strings.ContainsAny(text, ",\"") {
		return `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
	}
	return text
}
