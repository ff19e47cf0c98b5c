package exacttest

import (
	"flag"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"breadboard/grid/longtest"
)

// CheckSome is rapid.Check for a property whose cases take long: it tries so many percent of as many, and all of them with -long.
// It sets a flag meanwhile, so that no other property may be checked in parallel.
func CheckSome(t *testing.T, percent int, property func(*rapid.T)) {
	t.Helper()
	if !longtest.Enabled() {
		checks := flag.Lookup("rapid.checks").Value
		all := checks.String()
		n := longtest.Must(strconv.Atoi(all))(t)
		set(t, checks, strconv.Itoa(max(1, n*percent/100)))
		defer set(t, checks, all)
	}
	rapid.Check(t, property)
}

// set gives a flag a value.
func set(t *testing.T, v flag.Value, to string) {
	t.Helper()
	longtest.NoError(t, v.Set(to))
}
