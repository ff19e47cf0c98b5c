package grid_test

import (
	"flag"
	"testing"
)

// TestFlag: -long stands alone or has a number, and nothing else.
func TestFlag(t *testing.T) {
	long := flag.Lookup("long").Value
	checks := flag.Lookup("rapid.checks").Value
	defer func(before, tried string) {
		_ = long.Set(before)
		_ = checks.Set(tried)
	}(long.String(), checks.String())
	for text, want := range map[string]string{"true": "1", "false": "0", "0": "0", "1": "1", "50": "50"} {
		if err := long.Set(text); err != nil || long.String() != want {
			t.Errorf("-long=%s is %s, %v; want %s", text, long, err, want)
		}
	}
	for _, text := range []string{"", "yes", "-1", "1.5", "1e3", "10000000"} {
		if err := long.Set(text); err == nil {
			t.Errorf("-long=%s is taken", text)
		}
	}
}
