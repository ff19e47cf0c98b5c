package networks_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"breadboard/grid/longtest"
	"breadboard/toys/networks"
)

// reference is a row of testdata/inference.json, with numbers that have been computed by elimination in fractions and by enumeration, outside of
// this project, and agree to 5e-20.
type reference struct {
	File      string
	Evidence  map[string]string
	States    int
	LogZ      string `json:"log_z"`
	Marginals map[string]map[string]string
}

// asked returns the query of a row.
func (r *reference) asked() (*networks.Query, error) {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(r.Evidence)) {
		parts = append(parts, name+"="+r.Evidence[name])
	}
	q, _, err := networks.Open(filepath.Join("testdata", r.File), strings.Join(parts, "+"), "")
	return q, err
}

// TestInferenceReference: log p(e) and all marginals of public networks are the reference values to 1e-12, and so are those of the target that
// is enumerated.
func TestInferenceReference(t *testing.T) {
	var rows []reference
	longtest.Must(t, json.Unmarshal(longtest.Sure(os.ReadFile("testdata/inference.json")), &rows))
	for _, r := range rows {
		q := longtest.Sure(r.asked())
		found, err := q.Infer()
		if len(r.Marginals) == 0 {
			if err == nil || !strings.Contains(err.Error(), "the evidence is impossible") {
				t.Errorf("%s given %v: %v", r.File, r.Evidence, err)
			}
			continue
		}
		longtest.Must(t, err)
		if want := longtest.Sure(strconv.ParseFloat(r.LogZ, 64)); !near(found.LogZ, want) {
			t.Errorf("%s given %v: log Z is %v, want %v", r.File, r.Evidence, found.LogZ, want)
		}
		states := 1
		for _, v := range q.Free() {
			states *= len(q.Variables[v].Labels)
			for at, label := range q.Variables[v].Labels {
				text := r.Marginals[q.Variables[v].Name][label]
				if want := longtest.Sure(strconv.ParseFloat(text, 64)); !near(found.Marginals[v][at], want) {
					t.Errorf("%s given %v: %s=%s has the probability %v, want %v", r.File, r.Evidence, q.Variables[v].Name, label, found.Marginals[v][at], want)
				}
			}
		}
		if states != r.States {
			t.Errorf("%s given %v: %d states, want %d", r.File, r.Evidence, states, r.States)
		}
	}
	if len(rows) != 16 {
		t.Errorf("%d rows", len(rows))
	}
}

// BenchmarkClinic is the inference of a network of 37 variables with three pieces of evidence: reading the file is not in it.
func BenchmarkClinic(b *testing.B) {
	q, _, err := networks.Open("testdata/clinic37.bif", "Xray=shadow+Fever=high+Nurse=called", "")
	longtest.Must(b, err)
	b.ReportAllocs()
	for b.Loop() {
		longtest.Sure(q.Infer())
	}
}

// TestOpen: the format is found by the beginning of a selector, by the ending of the path, or by the first word of the file.
func TestOpen(t *testing.T) {
	dir := t.TempDir()
	write := func(name, from string) string {
		path := filepath.Join(dir, name)
		longtest.Must(t, os.WriteFile(path, longtest.Sure(os.ReadFile("testdata/"+from)), 0o600))
		return path
	}
	bif, uai := write("asia.txt", "asia.bif"), write("markov", "markov3.uai")
	for text, want := range map[string]string{
		bif: "bif:" + bif + ":evidence=xray=yes:hide=tub+lung", "bif:" + bif: "bif:" + bif + ":evidence=xray=yes:hide=tub+lung",
		"testdata/asia.bif": "bif:testdata/asia.bif:evidence=xray=yes:hide=tub+lung",
	} {
		if q, got, err := networks.Open(text, "xray=yes", "lung+tub"); err != nil || got != want || len(q.Free()) != 5 {
			t.Errorf("%s is %s, %v; want %s", text, got, err, want)
		}
	}
	if q, got, err := networks.Open(uai, "", ""); err != nil || got != "uai:"+uai || q.Bayes {
		t.Errorf("%s is %s, %v", uai, got, err)
	}
	for text, want := range map[string]string{
		filepath.Join(dir, "nothing"): "no such file", write("json", "inference.json"): "is it a network in BIF?",
		"bif:testdata/asia.bif:evidence=xray=yes": "evidence= stands twice", "bif:": "give the path",
	} {
		if _, _, err := networks.Open(text, "dysp=yes", ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want an error with %q", text, err, want)
		}
	}
}
