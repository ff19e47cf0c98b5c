package draws

import (
	"strings"

	"breadboard/reports/check"
)

// ExplainAll adds what is wrong to all cases, if it is a known mistake.
func ExplainAll(cases []check.Case, fault string) {
	says, _, _ := strings.Cut(fault, " (found after ")
	for i := range cases {
		if !strings.Contains(says, None) && !strings.Contains(says, several) {
			cases[i].Cause = says
		}
	}
}
