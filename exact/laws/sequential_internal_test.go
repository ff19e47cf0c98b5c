package laws

import (
	"testing"

	"breadboard/chains"
	"breadboard/chains/estimators"
	"breadboard/toys/models"
)

// TestAboveTheSupport: no estimate is above the largest one, and nothing is inverted to find that out, also at that estimate itself.
func TestAboveTheSupport(t *testing.T) {
	data := must(models.Growing(models.Clu4()))
	s := must(NewSequential(t.Context(), data, estimators.ProposePosterior, 0, chains.Forward, 1))
	at := s.LogZ + s.high
	s.high = at - s.LogZ // the same but for a rounding, so that the threshold is at it exactly
	if b, err := s.Above(t.Context(), at); err != nil || b != (Bracket{}) || s.law != nil {
		t.Errorf("%+v, %v, inverted: %v", b, err, s.law != nil)
	}
}
