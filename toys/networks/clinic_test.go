package networks_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"breadboard/grid/longtest"
	"breadboard/toys/networks"
)

var update = flag.Bool("update", false, "write testdata/clinic37.bif anew")

// clinic is a network of a clinic that there is not, of the size of those of the field: each line has a variable and its values, and behind <
// its parents.
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
	return "// A clinic that there is not: 37 variables with made-up probabilities, written by TestClinic.\nnetwork clinic37 {\n}\n" + variables.String() + laws.String()
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

// TestClinic: the network in testdata is the one that this test writes, it has the size that it is there for, and its probabilities sum to one.
func TestClinic(t *testing.T) {
	const path = "testdata/clinic37.bif"
	text := clinicText()
	if *update {
		longtest.Must(t, os.WriteFile(path, []byte(text), 0o644))
	}
	if kept := longtest.Sure(os.ReadFile(path)); string(kept) != text {
		t.Fatalf("%s is not what this test writes; run it with -update, and see what has changed", path)
	}
	n := longtest.Sure(networks.ParseBIF([]byte(text), networks.ChildSlowest))
	found := longtest.Sure(networks.Infer(n.Factors, n.Cards()))
	if len(n.Variables) != 37 || found.Width != 4 || found.LogZ > 1e-14 || found.LogZ < -1e-14 || n.Notes != nil {
		t.Errorf("%d variables of width %d, log Z %v, notes %q", len(n.Variables), found.Width, found.LogZ, n.Notes)
	}
}
