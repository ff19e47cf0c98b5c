package main

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// TestSamplersOrderCommand: the line of six on which Metropolis has the larger error of three samples.
func TestSamplersOrderCommand(t *testing.T) {
	longtest.NotShort(t)
	dir := t.TempDir()
	line := filepath.Join(dir, "line.csv")
	writeFile(t, line, "0,3\n1,3\n2,-3\n3,-2\n4,-3\n5,3\n")
	stdout, stderr := ok(t, "samplers", "order", "--toy", "graph:path:6:"+line, "--function", "g", "-N", "3,1000", "--lazy", "0.25", "--thin", "3", "--format", "json", "--out", filepath.Join(dir, "out"))
	rows, found := parseRows(t, stdout), false
	for _, r := range rows {
		if r["check"] == "peskun" && r["N"] == 3. {
			found = true
			if ratio := r["ratio"].(float64); math.Abs(ratio-1.001361853257724) > 1e-11 || r["verdict"] != "fails at finite N" || r["kernel_1"] != "metropolis" {
				t.Errorf("%v", r)
			}
		}
		if r["N"] == "+Inf" && r["verdict"] != "holds" {
			t.Errorf("%v", r)
		}
	}
	if want := 3 + 2*(1+3); len(rows) != want || !found {
		t.Errorf("%d rows, want %d", len(rows), want)
	}
	if !strings.Contains(stderr, "1 of them fails at N = 3") || !strings.Contains(stderr, "_peskun.svg") {
		t.Error(stderr)
	}
	few := rowsOf(t, "samplers", "order", "--corpus", "small", "--function", "g", "-N", "5", "--kernel", "metropolis")
	if len(few) != 10*(1+2*2) {
		t.Errorf("%d rows of the small corpus", len(few))
	}
}

// TestSamplersCorpusCommand: the corpora are listed, standard where none is named, and one of one's own.
func TestSamplersCorpusCommand(t *testing.T) {
	if rows := rowsOf(t, "samplers", "corpus"); len(rows) != 100 || rows[99]["states"] != 25. {
		t.Errorf("%d rows, the last is %v", len(rows), rows[len(rows)-1])
	}
	path := filepath.Join(t.TempDir(), "mine.toml")
	writeFile(t, path, "targets = ['schools', 'clu4']\n")
	rows := rowsOf(t, "samplers", "corpus", path)
	if len(rows) != 2 || rows[0]["toy"] != "schools" || rows[0]["states"] != 961. || !strings.Contains(rows[0]["source"].(string), "Rubin 1981") || !strings.Contains(rows[1]["source"].(string), "Grosse") {
		t.Errorf("%v", rows)
	}
	for args, want := range map[string]string{"nothing": "unknown corpus", path + "z": "unknown corpus", "no.toml": "no such file"} {
		if code, _, stderr := command(t, "samplers", "corpus", args); code != exitBadInput || !strings.Contains(stderr, want) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%s: exit code %d, %s", args, code, stderr)
		}
	}
}
