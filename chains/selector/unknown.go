package selector

import (
	"fmt"
	"slices"
	"strings"
)

// Named reports whether a selector has the name of one of the forms, as "sigmoid:3" has that of "sigmoid[:DELTA]".
func Named(selector string, forms []string) bool {
	name, _, _ := strings.Cut(selector, ":")
	return slices.ContainsFunc(forms, func(form string) bool { return nameOf(form) == name })
}

// UnknownError is the error for a selector whose name is none of the choices: it suggests the nearest and
// lists them, the first fifty of many. A choice is written with its arguments, as in "power:P" or "sigmoid[:DELTA]".
func UnknownError(what, got string, choices []string) error {
	name, _, _ := strings.Cut(strings.ToLower(got), ":")
	hint, best := "", 1+len(name)/2
	for _, choice := range choices {
		known, arguments := choice, strings.TrimLeft(choice, "abcdefghijklmnopqrstuvwxyz0123456789-_")
		if strings.IndexAny(arguments, " .") != 0 { // else the choice is no selector, but words
			known = choice[:len(choice)-len(arguments)]
		}
		if len(name)-len(known) >= best { // the distance is at least this difference; so a long name costs no time
			continue
		}
		if d := editDistance(name, known); d < best {
			hint, best = fmt.Sprintf("did you mean %s? ", known), d
		}
	}
	listed := strings.Join(choices[:min(len(choices), maxChoices)], ", ")
	if len(choices) > maxChoices {
		listed += fmt.Sprintf(",... (%d in all)", len(choices))
	}
	return fmt.Errorf("unknown %s %q; %schoices: %s", what, got, hint, listed)
}

// maxChoices is how many choices an error lists. Every list of forms and of names is shorter, but not that of the seeds of a sweep.
const maxChoices = 50

// editDistance is Levenshtein's distance between two short names.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
