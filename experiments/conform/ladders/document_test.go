package ladders

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"breadboard/chains/tempering"
	"breadboard/experiments/conform/records"
	"breadboard/grid/longtest"
)

// TestFolder: the task of a folder is the one that was written, and the README says what its scheme is.
func TestFolder(t *testing.T) {
	for scheme, says := range map[tempering.Scheme]string{tempering.DEO: "Scans 1, 3, ... offer", tempering.SEO: "a fair coin"} {
		made, dir := newTask(t, "random:2:0:2", scheme, 2, 3, 0, 0.3, 1), t.TempDir()
		made.Names = nil
		for _, f := range longtest.Must(made.Files())(t) {
			longtest.Must(0, os.WriteFile(filepath.Join(dir, f.Name), f.Content, 0o600))(t)
		}
		if again, err := ReadFolder(dir); err != nil || !reflect.DeepEqual(again, made) {
			t.Errorf("%s: error %v, %+v", scheme, err, again)
		}
		readme := string(longtest.Must(os.ReadFile(filepath.Join(dir, records.ReadmeFile)))(t))
		for _, want := range []string{says, "log_z,rejection_0,rejection_1,swap_1_0,", "swap_3_1,trips\n", "runs of 3 scans", "swap by stale states (breaks invariance)"} {
			if !strings.Contains(readme, want) {
				t.Errorf("%s: the README does not have %q", scheme, want)
			}
		}
	}
}

// TestTamperedTasks: a task.json in which something was changed is refused, with a sentence that says what.
func TestTamperedTasks(t *testing.T) {
	data := string(longtest.Must(records.Encode(newTask(t, "random:2:0:2", tempering.DEO, 2, 3, 0, 0.5, 1).document()))(t))
	longtest.Must(Decode([]byte(data)))(t)
	for _, c := range []struct{ old, new, says string }{
		{"conform tempering task", "conform task", "conform tempering spec writes one"},
		{`"version": 1`, `"version": 2`, "version 2"},
		{`"scheme": "deo"`, `"scheme": "dea"`, "deo"},
		{`"scheme": "deo"`, `"scheme": "seo"`, "do not agree"},
		{`"states": 2`, `"states": 3`, "do not agree"},
		{"  0.5,", "  0,", "betas that rise"},
		{`"scans": 2`, `"scans": 9`, "9 scans"},
		{`"logf": [`, `"logg": [`, "unknown field"},
		{`"logf": [`, `"logf": [[0, 0],`, "log f is not given"},
	} {
		changed := strings.Replace(data, c.old, c.new, 1)
		if changed == data {
			t.Errorf("%q is not in the file", c.old)
		}
		if _, err := Decode([]byte(changed)); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v", c.new, err)
		}
	}
}

// TestRefusedTasks: numbers of which no task is made.
func TestRefusedTasks(t *testing.T) {
	for says, change := range map[string]func(made *Task){
		"without zeros":     func(made *Task) { made.LogF[1][0] = math.Inf(-1) },
		"range of 400 nats": func(made *Task) { made.LogF[0], made.LogF[1] = []float64{0, 0}, []float64{0, 400} },
		"sum to 1.5":        func(made *Task) { made.Propose = [][]float64{{0.5, 1}, {1, 0.5}} },
		"must be that of":   func(made *Task) { made.Propose = [][]float64{{0.5, 0.5}, {0.25, 0.75}} },
		"1 entries of 2":    func(made *Task) { made.Propose[0] = []float64{1} },
		"long runs":         func(made *Task) { made.Long = 2 },
	} {
		made := newTask(t, "random:2:0:2", tempering.DEO, 2, 3, 0, 0.3, 1)
		change(made)
		if err := made.check(); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: error %v", says, err)
		}
	}
	if _, err := New(context.Background(), annealed(t, "random:2:0:9"), []float64{0, 0.5, 1}, tempering.DEO, 2, 3); err == nil || !strings.Contains(err.Error(), "9 states") {
		t.Error(err)
	}
	// A uniform reference makes a swap by the target alone right.
	made := newTask(t, "random:2:0:2", tempering.DEO, 2, 3, 0, 0.3, 1)
	made.LogF[0] = []float64{0, 0}
	for _, n := range lawsOf(t, made).Needs(records.DefaultAlpha) {
		if n.Hypothesis == "swap ratio without the reference" && !math.IsInf(n.Found, 1) {
			t.Errorf("%+v", n)
		}
	}
}
