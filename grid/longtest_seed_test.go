package grid_test

import (
	"flag"
	"os"
	"testing"

	"breadboard/grid/longtest"

	_ "pgregory.net/rapid"
)

// TestSettings: property tests begin at a seed that is not random, and try as many cases as they
// should, unless a user has chosen otherwise. So rapid was initialised after this package.
func TestSettings(t *testing.T) {
	chosen := map[string]bool{}
	flag.Visit(func(f *flag.Flag) { chosen[f.Name] = true })
	for name, variable := range map[string]string{
		"rapid.seed": "RAPID_SEED", "rapid.checks": "RAPID_CHECKS"} {
		want := os.Getenv(variable)
		if name == "rapid.checks" && longtest.Enabled() && want == "20" {
			want = "40"
			if longtest.More() {
				want = "100"
			}
		}
		if got := flag.Lookup(name).Value.String(); !chosen[name] && (got != want || got == "") {
			t.Errorf("%s is %s, and not %s", name, got, want)
		}
	}
}
