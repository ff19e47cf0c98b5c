package conform

import (
	"strings"

	"breadboard/reports/check"
)

// explain adds the known mistakes that explain what was sent to the cases of tests about it.
func explain(cases []check.Case, named []string, about func(test string) bool) {
	for i := range cases {
		if len(named) > 0 && about(cases[i].Name) {
			cases[i].Cause = `known mistake "` + strings.Join(named, `" or, with the same distribution, "`) + `"`
		}
	}
}
