package conform

import (
	"fmt"
	"testing"

	"breadboard/experiments/conform/hypotheses"
)

// TestSpecificationFirst: rounding does not put a hypothesis before the specification that cannot be told from it.
func TestSpecificationFirst(t *testing.T) {
	odds := func(names ...string) (out []hypotheses.Odds) {
		for _, name := range names {
			out = append(out, hypotheses.Odds{Name: name})
		}
		return out
	}
	const spec = hypotheses.Specification
	for _, c := range []struct {
		named []string
		odds  []hypotheses.Odds
		want  string
	}{
		{[]string{"a", "b", spec}, odds("a", "c", spec, "b"), fmt.Sprint([]string{spec, "a", "b"}, odds(spec, "a", "c", "b"))},
		{[]string{spec, "a"}, odds(spec, "a"), fmt.Sprint([]string{spec, "a"}, odds(spec, "a"))},
		{[]string{"a"}, odds("a", spec), fmt.Sprint([]string{"a"}, odds("a", spec))},
		{nil, odds("a", spec), fmt.Sprint([]string{}, odds("a", spec))},
	} {
		s := Side{Named: c.named, Odds: c.odds}
		specificationFirst(&s)
		if got := fmt.Sprint(s.Named, s.Odds); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}
