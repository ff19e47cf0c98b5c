package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// TestPlotFlag: --plot draws columns of the table of a command and of a merged sweep, with their
// points beside the figure. Columns that it cannot draw are refused before
// anything is computed.
func TestPlotFlag(t *testing.T) {
	longtest.Only(t)
	out := t.TempDir()
	tightness := []string{"tightness", "--toy", "easy,barrier", "-T", "3,10", "--figures", "svg", "--format", "csv"}
	_, said := ok(t, append(tightness, "--out", out, "--plot", "x=T, y=J+B, by=toy, log=xy")...)
	says(t, exitBadInput, "nothing to draw: no row has numbers for digits_J against T",
		append(tightness, "--out", t.TempDir(), "--plot", "x=T, y=J", "--plot", "x=T, y=digits_J")...)
	ok(t, "tightness", "--toy", "easy,barrier", "--until", "J<2", "--out", t.TempDir(), "--plot", "x=tried, y=J", "--columns", "tried,J")
	data, _ := filepath.Glob(filepath.Join(out, "*J-B_against_T_by_toy_log_xy_data.csv"))
	if len(data) != 1 {
		t.Fatalf("%d files of points in %s", len(data), said)
	}
	if text := string(longtest.Must(os.ReadFile(data[0]))(t)); strings.Count(text, "\n") != 9 || !strings.Contains(text, `,"barrier, B",`) {
		t.Errorf("the points are\n%s", text)
	}
	// Lines of several toys are not joined unless a parameter distinguishes them, and a study draws
	// what it declares.
	if _, said := ok(t, append(tightness, "--out", out, "--plot", "x=T, y=J")...); !strings.Contains(said, "J_against_T.svg") {
		t.Errorf("without by it says %s", said)
	}
	data, _ = filepath.Glob(filepath.Join(out, "*J_against_T_data.csv"))
	if text := string(longtest.Must(os.ReadFile(data[0]))(t)); !strings.Contains(text, ",barrier,") || !strings.Contains(text, ",easy,") {
		t.Errorf("without by the points are\n%s", text)
	}
	if _, said := ok(t, append(tightness, "--out", out, "--plot", "x=T, y=J, by=kernel")...); !strings.Contains(said, "points of one line differ in toy") {
		t.Errorf("by the kernel alone it says %s", said)
	}
	if _, said := ok(t, "smc", "gibbs", "--observations", "2", "--particles", "2,3", "--out", out, "--figures", "svg"); !strings.Contains(said,
		"_particles-2-3.svg") {
		t.Errorf("of a study with a declared figure it says %s", said)
	}
	dir := t.TempDir()
	ok(t, "sweep", "run", spec(t, "[grid]\ntoy = ['easy', 'barrier']\nT = [3, 10]\n"), "--out", dir)
	if _, said := ok(t, "sweep", "merge", dir, "--out", out, "--figures", "svg", "--plot", "x=T, y=J, panels=toy"); !strings.Contains(said,
		"_J_against_T_panels_toy.svg") {
		t.Errorf("of a sweep it says %s", said)
	}
	for want, args := range map[string][]string{
		"would be written to the same file":            append(tightness, "--out", out, "--plot", "x=T, y=J", "--plot", "x=T,y=J"),
		"--plot: name the folder for the figure":       append(tightness, "--plot", "x=T, y=J"),
		"did you mean J?":                              append(tightness, "--out", out, "--plot", "x=T, y=JJ"),
		"toy has no numbers":                           append(tightness, "--out", out, "--plot", "x=path, y=toy"),
		"choices: x, y, by, panels, band, log":         append(tightness, "--out", out, "--plot", "x=T, z=J"),
		"completion bash shows no table whose columns": {"completion", "bash", "--out", out, "--plot", "x=T, y=J"},
		`--plot: unknown column "Q"`:                   {"sweep", "merge", dir, "--out", out, "--plot", "x=T, y=Q"},
	} {
		says(t, exitBadInput, want, args...)
	}
}
