package main

import (
	"path/filepath"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// TestGewekeCommand: right models pass and are drawn, and the same seed gives the same for any place of a file.
func TestGewekeCommand(t *testing.T) {
	t.Parallel()
	longtest.NotShort(t)
	dir := t.TempDir()
	stdout, stderr := ok(t, "geweke", "--toy", "clu4", "--draws", "256", "--rounds", "2", "--format", "json", "--out", dir)
	rows := parseRows(t, stdout)
	if len(rows) != 9 || !strings.Contains(stderr, "_clu4.svg, .png") {
		t.Fatalf("%d rows\n%s", len(rows), stderr)
	}
	for _, r := range rows {
		if r["verdict"] != "pass" || r["chains"].(float64) != 256 {
			t.Errorf("%v", r)
		}
	}
	first := ""
	for _, name := range []string{"a", "b"} {
		for file, text := range map[string]string{
			name + ".toml": "kind = \"clustering\"\ndata = \"" + name + ".csv\"\npi = [0.7, 0.3]\ncentre_variance = 4\nnoise_variance = 0.5\n",
			name + ".csv":  "1.5\n-0.3\n2\n",
		} {
			writeFile(t, filepath.Join(dir, file), text)
		}
		stdout, _ := ok(t, "geweke", "--toy", "model:"+filepath.Join(dir, name+".toml"), "--draws", "256", "--rounds", "2", "--format", "json")
		if stdout = strings.ReplaceAll(stdout, name+".toml", ""); first == "" {
			first = stdout
		}
		if stdout != first {
			t.Errorf("under another name the model gives\n%s\nand not\n%s", stdout, first)
		}
	}
}

// TestGewekeModels: models of any size are tested, alone and beside a toy, with rows for their reversal and with figures.
func TestGewekeModels(t *testing.T) {
	t.Parallel()
	longtest.NotShort(t)
	dir := t.TempDir()
	stdout, stderr := ok(t, "geweke", "--model", "clustering:2,lowrank:inferred:1", "--data-rows", "4", "--data-columns", "3", "--draws", "256", "--rounds", "2", "--format", "json", "--out", dir)
	rows := parseRows(t, stdout)
	if len(rows) != 8+12 || !strings.Contains(stderr, "lowrank-inferred-1.svg") {
		t.Fatalf("%d rows\n%s", len(rows), stderr)
	}
	reversals := 0
	for _, r := range rows {
		if r["verdict"] != "pass" || r["kernel"] != "scan" {
			t.Errorf("%v", r)
		}
		if strings.HasPrefix(r["finding"].(string), "reversal") {
			reversals++
		}
	}
	if reversals != 3 {
		t.Errorf("%d rows of reversals", reversals)
	}
	both, _ := ok(t, "geweke", "--toy", "clu4", "--model", "binary:2", "--data-rows", "3", "--data-columns", "2", "--draws", "256", "--rounds", "1", "--format", "json")
	if n := len(parseRows(t, both)); n != 9+8 {
		t.Errorf("%d rows of a toy and a model", n)
	}
}
