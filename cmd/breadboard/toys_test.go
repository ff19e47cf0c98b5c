package main

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"breadboard/grid/longtest"
	"breadboard/toys"
	"breadboard/toys/models"
)

// TestHelpNamesAllToys: the help of toys is where a user learns which targets there are, so that it names every form of them.
func TestHelpNamesAllToys(t *testing.T) {
	help, _ := ok(t, "toys", "--help")
	help, _, _ = strings.Cut(help, "Usage:")
	for _, f := range toys.Forms().All() {
		name, _, _ := strings.Cut(f.Syntax, ":")
		name, _, _ = strings.Cut(name, "[")
		if !regexp.MustCompile(`\b` + name + `\b`).MatchString(help) {
			t.Errorf("%s is not in the help of toys", f.Syntax)
		}
	}
}

// TestHelpShowsModelFile: the file of a model in the help of toys is one that can be read.
func TestHelpShowsModelFile(t *testing.T) {
	help, _ := ok(t, "toys", "--help")
	const kind = `kind = "clustering"`
	_, text, _ := strings.Cut(help, kind)
	text, _, _ = strings.Cut(text, "\n\n")
	model := longtest.Must(models.ParseModel([]byte(kind+text), func(name string) ([]byte, error) { return []byte("1,2\n3,4\n"), nil }))(t)
	if m, is := model.(*models.Clustering); !is || len(m.Pi) != 3 || m.CentreVariance != 4 || m.NoiseVariance != 1 {
		t.Errorf("the file in the help is read as %+v", model)
	}
	if !strings.Contains(help, `"binary"`) || !strings.Contains(help, "feature_variance") {
		t.Error("the help does not say how a file of binary attributes differs")
	}
}

// TestLargeToysHaveNoTable: a table of millions of states is refused with its size, and beside the description it is left out.
func TestLargeToysHaveNoTable(t *testing.T) {
	t.Parallel()
	longtest.NotShort(t)
	const toy, says = "barrier:1025x1025", "toy barrier:1025x1025 has 1050625 states, and a table of them would take about 1.4 GB; the limit is 1048576 states (1.4 GB): breadboard toys export --out DIR writes g alone\n"
	if code, stdout, stderr := command(t, "toys", "show", toy, "--format", "json"); code != exitBadInput || stdout != "" || stderr != "breadboard: "+says {
		t.Errorf("exit code %d: %s%s", code, stdout, stderr)
	}
	dir := t.TempDir()
	stdout, stderr := ok(t, "toys", "show", toy, "--out", dir)
	if !strings.HasPrefix(stdout, toy) || !strings.Contains(stderr, says) {
		t.Errorf("%s%s", stdout, stderr)
	}
	if files, err := filepath.Glob(filepath.Join(dir, "*.*")); err != nil || len(files) != 1 || filepath.Base(files[0]) != "run.json" {
		t.Errorf("files %v, %v", files, err)
	}
}
