package main

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// TestSandwichTable: all fits are there, and the figure is written.
func TestSandwichTable(t *testing.T) {
	longtest.NotShort(t)
	args := strings.Fields("sandwich table --model clustering:2,lowrank:2,binary:2 --data-rows 6 --data-columns 4 -T 10 --datasets 2 --seed 3")
	rows := rowsOf(t, args...)
	if len(rows) != 3*3*(2+1) {
		t.Errorf("%d rows", len(rows))
	}
	dir := t.TempDir()
	_, stderr := ok(t, append(args, "--out", dir)...)
	if strings.Count(stderr, "data of ") != 3 {
		t.Errorf("not every model has its nearest one: %s", stderr)
	}
	if files, err := filepath.Glob(filepath.Join(dir, "sandwich_table_*.png")); err != nil || len(files) != 1 {
		t.Errorf("figures %v: %v", files, err)
	}
}

// TestSandwichRepresent: both representations are there, and the figure and the record are written.
func TestSandwichRepresent(t *testing.T) {
	longtest.NotShort(t)
	args := strings.Fields("sandwich represent --model lowrank:2 --data-rows 6 --data-columns 4 -T 10,30 --datasets 2")
	rows := rowsOf(t, args...)
	if len(rows) != 2*2*(2+1) {
		t.Errorf("%d rows", len(rows))
	}
	dir := t.TempDir()
	ok(t, append(args, "--out", dir)...)
	if files, err := filepath.Glob(filepath.Join(dir, "sandwich_represent_*.svg")); err != nil || len(files) != 1 {
		t.Errorf("figures %v: %v", files, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "run.json")); err != nil {
		t.Error(err)
	}
}

// timelessRows returns the rows of a command without the seconds, of which no two runs have the same.
func timelessRows(t *testing.T, args ...string) []map[string]any {
	t.Helper()
	return withoutSeconds(rowsOf(t, args...))
}

// withoutSeconds returns rows from which the columns of seconds are taken out.
func withoutSeconds(rows []map[string]any) []map[string]any {
	for _, r := range rows {
		maps.DeleteFunc(r, func(name string, _ any) bool { return strings.HasSuffix(name, "seconds") })
	}
	return rows
}
