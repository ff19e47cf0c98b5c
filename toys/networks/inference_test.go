package networks_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"breadboard/grid/longtest"
	"breadboard/toys/networks"
)

// reference is a row of testdata/inference.json, with numbers that have been computed by
// elimination in fractions and by enumeration, outside of this project, and agree to 5e-20.
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

// TestInferenceReference: log p(e) and all marginals of public networks are the reference values to
// 1e-12, and so are those of the target that is enumerated.
func TestInferenceReference(t *testing.T) {
	var rows []reference
	longtest.NoError(t, json.Unmarshal(longtest.Sure(os.ReadFile("testdata/inference.json")), &rows))
	for _, r := range rows {
		q := longtest.Sure(r.asked())
		found, err := q.Infer(context.Background(), networks.Outputs{Marginals: true})
		if len(r.Marginals) == 0 {
			longtest.Refused(t, err, "the evidence is impossible")
			continue
		}
		longtest.NoError(t, err)
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

// BenchmarkClinic is the inference of a network of 37 variables with three pieces of evidence:
// reading the file is not in it.
func BenchmarkClinic(b *testing.B) {
	q, _, err := networks.Open("testdata/clinic37.bif", "Xray=shadow+Fever=high+Nurse=called", "")
	longtest.NoError(b, err)
	b.ReportAllocs()
	for b.Loop() {
		longtest.Sure(q.Infer(context.Background(), networks.Outputs{Marginals: true}))
	}
}

// TestOpen: the format is found by the beginning of a selector, by the ending of the path, or by
// the first word of the file.
func TestOpen(t *testing.T) {
	dir := t.TempDir()
	write := func(name, from string) string {
		path := filepath.Join(dir, name)
		longtest.NoError(t, os.WriteFile(path, longtest.Sure(os.ReadFile("testdata/"+from)), 0o600))
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

var update = flag.Bool("update", false, "write testdata/clinic37.bif anew")

// clinic is a network of a clinic that there is not, of the size of those of the field: each line
// has a variable and its values, and behind < its parents.
const clinic = `
Age young middle old
Season winter summer
Smoker yes no
Travel none near far
Exercise rare weekly daily < Age
Weight low normal high < Age Exercise
Diabetes yes no < Weight
Pressure low normal high < Age Weight
Asthma yes no < Smoker
Vaccine yes no < Age
Influenza yes no < Season Vaccine
Malaria yes no < Travel
Pneumonia yes no < Influenza Smoker Asthma
Bronchitis yes no < Smoker Asthma
Fever none mild high severe < Influenza Pneumonia Malaria
Cough none dry wet < Pneumonia Bronchitis Asthma Smoker
Breath calm short gasping < Pneumonia Asthma
Oxygen low normal < Pneumonia Breath
Xray clear spots shadow < Pneumonia
Sputum clear yellow < Bronchitis Pneumonia
Headache yes no < Fever
Chills yes no < Malaria Fever
Blood clear parasites < Malaria
Spleen normal large < Malaria
Anaemia yes no < Malaria
Pallor yes no < Anaemia
Fatigue none some strong < Anaemia Diabetes
Thirst yes no < Diabetes
Sugar low normal high < Diabetes
Eyes clear dim < Diabetes Pressure
Kidney good weak failing < Diabetes Pressure
Protein none trace much < Kidney
Ankles normal swollen < Kidney Pressure
Heart regular irregular < Pressure
Pulse slow normal fast < Fever Heart
Alarm quiet ringing < Pulse Oxygen
Nurse away called < Alarm
`

// clinicText writes the network with made-up probabilities of three digits.
func clinicText() string {
	random := rand.New(rand.NewPCG(37, 4))
	var variables, laws strings.Builder
	labels := map[string][]string{}
	for line := range strings.Lines(strings.TrimSpace(clinic) + "\n") {
		own, above, _ := strings.Cut(line, "<")
		words, parents := strings.Fields(own), strings.Fields(above)
		name := words[0]
		labels[name] = words[1:]
		fmt.Fprintf(&variables, "variable %s {\n  type discrete [ %d ] { %s };\n}\n", name, len(words)-1, strings.Join(words[1:], ", "))
		if len(parents) == 0 {
			fmt.Fprintf(&laws, "probability ( %s ) {\n  table %s;\n}\n", name, thousandths(random, len(words)-1))
			continue
		}
		fmt.Fprintf(&laws, "probability ( %s | %s ) {\n", name, strings.Join(parents, ", "))
		configurations := 1
		for _, p := range parents {
			configurations *= len(labels[p])
		}
		for c := range configurations {
			values := make([]string, len(parents)) // the first parent fastest, as bnlearn writes entries
			for i, p := range parents {
				values[i], c = labels[p][c%len(labels[p])], c/len(labels[p])
			}
			fmt.Fprintf(&laws, "  (%s) %s;\n", strings.Join(values, ", "), thousandths(random, len(words)-1))
		}
		laws.WriteString("}\n")
	}
	return "// A clinic that there is not: 37 variables with made-up probabilities, written by TestClinic.\nnetwork clinic37 {\n}\n" +
		variables.String() + laws.String()
}

// thousandths draws probabilities of three digits that sum to one, none of them zero.
func thousandths(random *rand.Rand, n int) string {
	weights, total := make([]float64, n), 0.0
	for i := range weights {
		weights[i] = random.ExpFloat64() * (0.3 + random.Float64())
		total += weights[i]
	}
	texts, left := make([]string, n), 1000
	for i, w := range weights {
		share := min(1+int(w/total*float64(1000-n)), left-(n-1-i))
		if i == n-1 {
			share = left
		}
		left -= share
		texts[i] = fmt.Sprintf("0.%03d", share)
	}
	return strings.Join(texts, ", ")
}

// TestClinic: the network in testdata is the one that this test writes, it has the size that it is
// there for, and its probabilities sum to one.
func TestClinic(t *testing.T) {
	const path = "testdata/clinic37.bif"
	text := clinicText()
	if *update {
		longtest.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	if kept := longtest.Sure(os.ReadFile(path)); string(kept) != text {
		t.Fatalf("%s is not what this test writes; run it with -update, and see what has changed", path)
	}
	n := longtest.Sure(networks.ParseBIF([]byte(text), networks.ChildSlowest))
	found := longtest.Sure(networks.Infer(context.Background(), n.Factors, n.Cards(), networks.Outputs{}))
	if len(n.Variables) != 37 || found.Width != 4 || found.LogZ > 1e-14 || found.LogZ < -1e-14 || n.Notes != nil {
		t.Errorf("%d variables of width %d, log Z %v, notes %q", len(n.Variables), found.Width, found.LogZ, n.Notes)
	}
}
