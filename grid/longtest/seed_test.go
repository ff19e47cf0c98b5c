package longtest_test

import (
	"flag"
	"os"
	"testing"

	_ "breadboard/grid/longtest"

	_ "pgregory.net/rapid"
)

// TestSeed: property tests begin at a seed that is not random, unless somebody has chosen one. So rapid was initialised after this package.
func TestSeed(t *testing.T) {
	chosen := false
	flag.Visit(func(f *flag.Flag) { chosen = chosen || f.Name == "rapid.seed" })
	if got, want := flag.Lookup("rapid.seed").Value.String(), os.Getenv("RAPID_SEED"); !chosen && (got != want || got == "") {
		t.Errorf("property tests begin at the seed %s, and not at %s", got, want)
	}
}
