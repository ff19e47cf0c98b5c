package networks_test

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"breadboard/grid/longtest"
	"breadboard/toys/networks"
)

// TestOpen: the format is found by the beginning of a selector, by the ending of the path, or by
// the first word of the file.
func TestOpen(t *testing.T) {
	dir := t.TempDir()
	write := func(name, from string) string {
		path := filepath.Join(dir, name)
		longtest.NoError(t, os.WriteFile(path, longtest.Sure(os.ReadFile("testdata/"+from)), 0o600))
		return path
	}
	bif := write("asia.txt", "asia.bif")
	uai := write("markov", "markov3.uai")
	for text, want := range map[string]string{
		bif:                 "bif:" + bif + ":evidence=xray=yes:hide=tub+lung",
		"bif:" + bif:        "bif:" + bif + ":evidence=xray=yes:hide=tub+lung",
		"testdata/asia.bif": "bif:testdata/asia.bif:evidence=xray=yes:hide=tub+lung",
	} {
		if q, got, err := networks.Open(text, "xray=yes", "lung+tub"); err != nil || got != want ||
			len(q.Free()) != 5 {
			t.Errorf("%s is %s, %v; want %s", text, got, err, want)
		}
	}
	if q, got, err := networks.Open(uai, "", ""); err != nil || got != "uai:"+uai || q.Bayes {
		t.Errorf("%s is %s, %v", uai, got, err)
	}
	for text, want := range map[string]string{
		filepath.Join(dir, "nothing"): "no such file",
		write("table",
			"inference.csv"): "the file has no variables, each a block variable NAME { ... }",
		"bif:testdata/asia.bif:evidence=xray=yes": "evidence= stands twice", "bif:": "give the path",
	} {
		_, _, err := networks.Open(text, "dysp=yes", "")
		longtest.Refused(t, err, want, text)
	}
}

// TestClinic: a network of 37 variables, of the size of those of the field, has the width that it
// is there for, and its probabilities sum to one.
func TestClinic(t *testing.T) {
	n := read(t, "clinic37.bif", networks.ChildSlowest)
	found := longtest.Sure(networks.Infer(t.Context(), n.Factors, n.Cards(), networks.Outputs{}))
	if len(n.Variables) != 37 || found.Width != 4 || math.Abs(found.LogZ) > 1e-14 || n.Notes != nil {
		t.Errorf("%d variables of width %d, log Z %v, notes %q", len(n.Variables), found.Width,
			found.LogZ, n.Notes)
	}
}
