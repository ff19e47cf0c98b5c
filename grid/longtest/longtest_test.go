package longtest

import (
	"testing"
)

// TestFlag: -long stands alone or has a number, and nothing else.
func TestFlag(t *testing.T) {
	for text, want := range map[string]scale{"true": 1, "false": 0, "0": 0, "1": 1, "50": 50} {
		var s scale
		if err := s.Set(text); err != nil || s != want {
			t.Errorf("-long=%s is %d, %v; want %d", text, s, err, want)
		}
	}
	for _, text := range []string{"", "yes", "-1", "1.5", "1e3", "10000000"} {
		var s scale
		if err := s.Set(text); err == nil {
			t.Errorf("-long=%s is taken", text)
		}
	}
}
