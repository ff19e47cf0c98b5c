package placement_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/schedules"
	"breadboard/chains/selector"
	"breadboard/chains/selector/selectortest"
	"breadboard/experiments/internal/casetest"
	"breadboard/experiments/placement"
	"breadboard/grid/longtest"
)

func TestForms(t *testing.T) {
	file := casetest.File(t, "betas.csv", "0\n0.25\n0.5\n1\n")
	path, kernel := setup(t, "random:1:3:2x3")
	betas := func(f placement.Family) []float64 {
		p := longtest.Must(f.On(context.Background(), path, chains.Always(kernel)))(t)
		T := 4
		if f.OwnLength {
			T = 0
		}
		s := longtest.Must(p.Place(context.Background(), T))(t)
		if points, own := s.(*schedules.Points); own {
			T = points.Len()
		}
		var out []float64
		for at := 1; at <= T; at++ {
			out = append(out, s.Beta(at, T))
		}
		return out
	}
	selectortest.Run(t, selectortest.Check[selector.Nothing, placement.Family]{
		Set: placement.Forms(), Examples: map[string]string{"file": "file:" + file},
		Name: func(f placement.Family) string { return f.Name },
		Same: func(a, b placement.Family) bool {
			return a.OwnLength == b.OwnLength && slices.Equal(betas(a), betas(b))
		},
	})
}

// FuzzParse: a family that is parsed has a name that is parsed back to the same, and one of chains is that of chains.
func FuzzParse(f *testing.F) {
	for _, text := range append(placement.Forms().Syntaxes(), "cess:0.5", "cess:", "cess:1", "fisher:1", "optimal:B", "sigmoid:1e-9", "curve:0:0.5:1", "curve:0:1e-9:1:1") {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.HasPrefix(text, "file:") && len(text) > len("file:") {
			return // reads what it names
		}
		family, err := placement.Parse(text)
		s, fixed := schedules.Parse(text)
		if fixed == nil && (err != nil || family.Name != s.String()) {
			t.Errorf("%q is %v (%v) as a family, and %v", text, family.Name, err, s)
		}
		if err != nil {
			return
		}
		if again, err := placement.Parse(family.Name); err != nil || again.Name != family.Name || again.OwnLength != family.OwnLength {
			t.Errorf("%q calls itself %q, which is another one (%v)", text, family.Name, err)
		}
	})
}
