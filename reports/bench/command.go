package bench

import (
	"strings"

	"breadboard/experiments"
	"breadboard/experiments/sweep"
)

// line returns the command line that makes the same rows, and "" where no command does.
func (a *asked) line(q *question) string {
	if a.command == nil {
		return ""
	}
	words := append([]string{"breadboard"}, a.command...)
	for _, p := range q.params() {
		switch {
		case p.Name == "T" && q.ownLength:
		case p.Name == "T" && a.lengths != nil:
			words = append(words, "-T", joined(a.lengths))
		case p.Name == "T":
			words = append(words, "-T", p.Value)
		case p.Name == "toy":
			words = append(words, "--toy", inList(p.Value))
		case p.Value != usual(p.Name, q):
			words = append(words, "--"+p.Name, p.Value)
		}
	}
	for i, w := range words {
		words[i] = sweep.ShellQuote(w)
	}
	return strings.Join(words, " ")
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
