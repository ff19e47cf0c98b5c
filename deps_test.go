// Package breadboard holds no code, only the test of how the packages may depend on one another.
package breadboard

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"strings"
	"testing"
)

// allowed says which of the project's packages each package may import, tests left aside. Data flows one way.
func allowed() map[string]string {
	return map[string]string{
		"breadboard":                        "",
		"breadboard/chains/abandon":         "",
		"breadboard/grid":                   "",
		"breadboard/chains":                 "grid",
		"breadboard/toys":                   "grid chains",
		"breadboard/exact":                  "grid chains chains/abandon",
		"breadboard/exact/certified":        "grid chains",
		"breadboard/experiments/crosscheck": "grid chains exact",
		"breadboard/experiments/external":   "grid chains toys",
		"breadboard/experiments/schedules":  "grid chains chains/abandon exact",
		"breadboard/experiments":            "grid chains chains/abandon toys exact exact/certified experiments/crosscheck experiments/external experiments/schedules",
		"breadboard/experiments/sweep":      "grid chains chains/abandon toys exact experiments experiments/external experiments/schedules",
		"breadboard/reports":                "grid chains toys exact exact/certified experiments experiments/crosscheck experiments/external experiments/schedules experiments/sweep",
		"breadboard/cmd/breadboard":         "grid chains chains/abandon toys exact exact/certified experiments experiments/crosscheck experiments/external experiments/schedules experiments/sweep reports",
	}
}

func TestImportDirections(t *testing.T) {
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	rules := allowed()
	packages := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := packages.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		rule, known := rules[p.ImportPath]
		if !known {
			t.Errorf("package %s is not in the table of allowed imports", p.ImportPath)
		}
		for _, i := range p.Imports {
			if name, ours := strings.CutPrefix(i, "breadboard/"); ours && !strings.Contains(" "+rule+" ", " "+name+" ") {
				t.Errorf("%s imports %s, which is against the direction of the data", p.ImportPath, i)
			}
			if strings.HasPrefix(p.ImportPath, "breadboard/exact") && strings.HasPrefix(i, "math/rand") {
				t.Errorf("%s imports %s: there is no randomness in it", p.ImportPath, i)
			}
		}
	}
}
