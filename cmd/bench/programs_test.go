package bench_test

import (
	"encoding/json"
	"fmt"
	"go/format"
	"os/exec"
	"strings"
	"testing"

	"breadboard/cmd/bench"
	"breadboard/grid/longtest"
)

// TestPrograms: every study answers with a command, and with a program in Go that is formatted,
// compiles, and prints the numbers of the answer as the library gives them: that of solve a
// sentence, and the others rows with at least these columns.
func TestPrograms(t *testing.T) {
	longtest.Only(t)
	at := start(t, bench.Options{})
	for query, command := range map[string]string{
		"solve?toy=barrier:3x3&T=20&schedule=sigmoid": "tightness --toy barrier:3x3 --schedule sigmoid:4 -T 20",
		"gap?toy=easy&schedule=cess:0.9":              "gap --toy easy --schedule cess:0.9",
		"gap?toy=easy&T=20&columns=t,forward":         "gap --columns t,forward --toy easy -T 20",
		"curve?toy=barrier:3x3&Ts=10,5,5":             "tightness --toy barrier:3x3 -T 5,10",
		"law?toy=barrier:3x3&T=5":                     "weights --toy barrier:3x3 -T 5",
		"samples?toy=barrier:3x3&T=5&samples=1,2":     "weights --samples 1,2 --toy barrier:3x3 -T 5",
		"spectrum?toy=barrier:3x3&betas=2":            "",
		"schedule?toy=barrier:3x3&T=5":                "",
	} {
		a := ask(t, at+"/api/"+query)
		if got := strings.TrimPrefix(a.Command, "breadboard "); got != command {
			t.Errorf("%s: command %q, want %q", query, got, command)
		}
		for _, f := range a.Figures {
			if !strings.HasPrefix(strings.TrimSpace(f.SVG), "<") || strings.Contains(f.SVG, "style=") {
				t.Errorf("%s: figure %s is no SVG without styles: %.200s", query, f.Name, f.SVG)
			}
		}
		if len(a.Figures) == 0 && !strings.HasPrefix(query, "solve") {
			t.Errorf("%s: no figure", query)
		}
		if strings.Contains(query, "columns") && !strings.HasPrefix(string(a.Rows), `[{"t":2,"forward":`) {
			t.Errorf("%s: rows %s", query, a.Rows)
		}
		if formatted, err := format.Source([]byte(a.Go)); err != nil || string(formatted) != a.Go {
			t.Errorf("%s: the program is not formatted: %v\n%s", query, err, a.Go)
		}
		path := longtest.File(t, "main.go", a.Go)
		text, err := exec.Command("go", "run", path).CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v: %s\n%s", query, err, text, a.Go)
			continue
		}
		var want, got []map[string]any
		longtest.NoError(t, json.Unmarshal(a.Rows, &want))
		if strings.HasPrefix(query, "solve") {
			if want := fmt.Sprintf("J = %v nats, B = %v nats\n", want[0]["J"], want[0]["B"]); string(text) != want {
				t.Errorf("%s: the program prints %s, want %s", query, text, want)
			}
			continue
		}
		if err := json.Unmarshal(text, &got); err != nil || len(got) != len(want) {
			t.Fatalf("%s: the program prints %s, %v, want %s", query, text, err, a.Rows)
		}
		for i, row := range want {
			for name, cell := range row {
				if got[i][name] != cell {
					t.Errorf("%s: the program prints %v in row %d as %s, want %v", query, got[i][name],
						i, name, cell)
				}
			}
		}
	}
}
