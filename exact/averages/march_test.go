package averages

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"breadboard/grid/longtest"
)

// TestMarchIsByPowers: if a mixing time is found move by move it is that which powers of the
// transition matrix give, on random chains and for bounds near what the information is after few
// moves.
func TestMarchIsByPowers(t *testing.T) {
	found := 0
	rapid.Check(t, func(t *rapid.T) {
		c, _, _ := DrawProblem(t, 20)
		squares := longtest.Must(c.squares("a test"))(t)
		limit := longtest.Must(c.remembered(t.Context()))(t)
		bound := math.Exp(rapid.Float64Range(-12, 1).Draw(t, "log bound"))
		if !(limit.information() <= bound/2) {
			t.Skip("it never falls so far")
		}
		s := search{chain: c, what: "the information", bound: bound, noise: func(v float64) float64 { return v + math.Sqrt(2*v) }}
		got, few, err := s.march(t.Context(), squares.identity())
		if err != nil || !few {
			t.Skip(err)
		}
		found++
		want := longtest.Must(s.double(t.Context(), squares, &transitions{c, limit.information(), squares.identity(), squares.identity()}))(t)
		if off := math.Abs(got.Moves - want.Moves); off > 0 && !(off <= 1+10*max(got.Error, want.Error) && got.Note+want.Note != "") {
			t.Fatalf("%+v move by move, %+v by powers", got, want)
		}
	})
	if found < 5 { // of 8 with -short
		t.Errorf("%d times were found move by move", found)
	}
}
