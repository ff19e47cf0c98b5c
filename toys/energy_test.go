package toys_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"breadboard/grid/longtest"
	"breadboard/toys"
)

// TestEnergies: what a selector says of the factor in front of an energy, and of its sign.
func TestEnergies(t *testing.T) {
	two := fileOf(t, "a:2", []byte("3 5 1.5\n5 5 -0.25\n"))
	for selector, want := range map[string]struct{ name, g string }{
		"ising-file:" + two + ":2":                                                         {"ising-file:" + two + ":2", "[3.5 -3.5 -2.5 2.5]"},
		"ising-file:" + two + ":1":                                                         {"ising-file:" + two + ":1", "[1.75 -1.75 -1.25 1.25]"},
		"bq:" + fileOf(t, "b.bq", []byte("2 2\n1 1 1\n1 2 0.5\n")) + ":3":                  {"", "[0 0 -3 -6]"},
		"qubo:" + fileOf(t, "q", []byte("p qubo 0 2 2 1\n0 0 1\n1 1 0\n0 1 0.5\n")) + ":3": {"", "[0 0 -3 -4.5]"},
		"rudy:" + fileOf(t, "r", []byte("2 1\n1 2 2\n")) + ":-0.5":                         {"", "[-1 1 1 -1]"},
	} {
		toy := longtest.Must(toys.Parse(selector))(t)
		if toy.Name != selector || want.name != "" && toy.Name != want.name || fmt.Sprint(toy.G) != want.g || toy.Space.States() != 4 || len(toy.Axes) != 2 {
			t.Errorf("%s: %s, g = %v", selector, toy.Name, toy.G)
		}
		if !toys.NamesFile(selector) || len(toys.FilesOf(selector)) != 1 || strings.HasSuffix(toys.FilesOf(selector)[0], ":3") {
			t.Errorf("%s names the files %v", selector, toys.FilesOf(selector))
		}
	}
	plain := fileOf(t, "spins", []byte("3 5 1.5\n"))
	if toy := longtest.Must(toys.Parse("ising-file:" + plain))(t); toy.Name != "ising-file:"+plain+":1" || !slices.Equal(toys.FilesOf("ising-file:"+plain), []string{plain}) {
		t.Errorf("%s of %v", toy.Name, toys.FilesOf("ising-file:"+plain))
	}
	for selector, want := range map[string]string{
		"rudy":                           "give the path and J, as in rudy:torus.rud:0.5",
		"rudy:torus.rud":                 "write rudy:PATH:J with a number behind the last colon",
		"qubo:x.qubo:hot":                "write qubo:PATH:BETA with a number behind the last colon",
		"bq::1":                          "write bq:PATH:BETA",
		"bq:" + plain + ":1":             "a .bq or .sparse file " + plain + ": line 1: expected the numbers of sites and of entries",
		"rudy:" + plain + "x:1":          "no such file",
		"ising-file:" + plain + ":1e999": "no such file",
	} {
		if _, err := toys.Parse(selector); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", selector, err)
		}
	}
}
