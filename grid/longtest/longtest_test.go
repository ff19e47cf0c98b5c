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

// TestTimes: without -long and with it the usual number of cases is tried, and -long=N multiplies
// the other one.
func TestTimes(t *testing.T) {
	before := long
	defer func() { long = before }()
	for value, want := range map[scale]int{0: 7, 1: 7, 2: 100, 4: 300} {
		long = value
		if got := Times(7, 100); got != want {
			t.Errorf("with -long=%d it is %d; want %d", value, got, want)
		}
	}
}
