package placement

import (
	"strings"
	"testing"

	"breadboard/exact/gradient"
)

// TestBestStatesRefused: a search for the best schedule of best states that takes minutes is
// refused with a size that is taken, and other objectives are not.
func TestBestStatesRefused(t *testing.T) {
	const T = 30
	err := checkBestStates(gradient.ObjectiveTTS, 1<<16, T)
	if err == nil || !strings.Contains(err.Error(), "up to 8738 states") {
		t.Errorf("best:tts of 65536 states: %v", err)
	}
	for objective, states := range map[gradient.Objective]int{gradient.ObjectiveTTS: 8738, gradient.ObjectiveB: 1 << 16} {
		if err := checkBestStates(objective, states, T); err != nil {
			t.Errorf("%s of %d states: %v", objective, states, err)
		}
	}
}
