package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"breadboard/experiments/forms"
	"breadboard/grid/longtest"
	"breadboard/toys"
)

// TestCells: a toy that is written out cell by cell gives the numbers of the toy that it was made
// from, beside others in a list; machines see all of its selector and people its beginning, and
// files have names that any system takes.
func TestCells(t *testing.T) {
	longtest.Only(t)
	cells := toys.Easy().Cells()
	rows := rowsOf(t, "tightness", "--toy", "easy,"+cells+",cells:1:2/3:4", "-T", "20", "--schedule", "curve:0:0.1:1")
	if len(rows) != 3 || rows[1]["toy"] != cells || rows[2]["toy"] != "cells:1:2/3:4" ||
		rows[0]["schedule"] != "curve:0:0.1:1" {
		t.Fatal(rows)
	}
	for name, v := range rows[0] {
		if number, is := v.(float64); is && rows[1][name] != number {
			t.Errorf("%s is %v, and of the cells %v", name, v, rows[1][name])
		}
	}
	dir := t.TempDir()
	table, _ := ok(t, "tightness", "--toy", cells, "-T", "20", "--out", dir, "--figures", "svg")
	if strings.Contains(table, cells) || !strings.Contains(table, cells[:60]) {
		t.Errorf("people see\n%s", table)
	}
	ok(t, "gap", "--toy", cells, "-T", "20", "--out", dir, "--figures", "svg")
	ok(t, "toys", "export", cells, "--out", dir)
	files, err := os.ReadDir(dir)
	if err != nil || len(files) < 8 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		if len(f.Name()) > 250 {
			t.Errorf("the name %s has %d characters", f.Name(), len(f.Name()))
		}
	}
	npy, err := filepath.Glob(filepath.Join(dir, "cells*.npy"))
	if err != nil || len(npy) != 1 {
		t.Fatal(npy, err)
	}
	if toy, err := forms.All().Parse("file:" + npy[0]); err != nil || !toy.SameTarget(toys.Easy()) {
		t.Errorf("the exported toy is %v, %v", toy, err)
	}
}

// The files of networks that tests of commands read.
const (
	asia   = "../../toys/networks/testdata/asia.bif"
	clinic = "../../toys/networks/testdata/clinic37.bif"
)
