package vectors

import (
	"slices"
	"testing"
)

// TestMistakesShow: each known mistake gives another answer than the definition on at least one
// case, each case catches a mistake, and names are unique.
func TestMistakesShow(t *testing.T) {
	names := map[string]bool{}
	for _, r := range All() {
		cases, seen := r.Cases(), map[string]bool{}
		if names[r.Name] || len(cases) < 15 || len(cases) > 40 {
			t.Errorf("%s: there is another one, or it has %d cases", r.Name, len(cases))
		}
		names[r.Name] = true
		for _, c := range cases {
			if seen[c.ID] || len(c.Catches) == 0 || len(c.Inputs) != len(r.Inputs) {
				t.Errorf("%s, %s: the name is taken, no mistake shows, or %d inputs", r.Name, c.ID, len(c.Inputs))
			}
			seen[c.ID] = true
		}
		for _, m := range r.Mistakes {
			if !slices.ContainsFunc(cases, func(c Case) bool { return slices.Contains(c.Catches, m.Name) }) {
				t.Errorf("%s: %q shows on no case", r.Name, m.Name)
			}
		}
	}
}
