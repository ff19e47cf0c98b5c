package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"breadboard/reports"
)

// runsIn returns the runs that the record of a folder lists, the last one first.
func runsIn(t *testing.T, dir string) []reports.Run {
	t.Helper()
	record, err := reports.ReadRunRecord(dir)
	if err != nil || record == nil {
		t.Fatalf("record %v, %v", record, err)
	}
	runs := append(slices.Clone(record.Earlier), record.Run)
	slices.Reverse(runs)
	return runs
}

// parts returns the names of the files in a folder without those of their runs: ".csv" is a study's own table, and "figure3.svg" is a figure of it.
// The record itself is left out.
func parts(t *testing.T, dir string) string {
	t.Helper()
	run := map[string]string{}
	for _, r := range runsIn(t, dir) {
		for _, f := range r.Files {
			run[f.Name] = r.Name
		}
	}
	var names []string
	for name := range strings.FieldsSeq(list(t, dir)) {
		if name != reports.RunRecordName {
			names = append(names, strings.TrimPrefix(strings.TrimPrefix(name, run[name]), "_"))
		}
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

// partFile returns the path of the file of a part of the last run in a folder, as parts calls it.
func partFile(t *testing.T, dir, part string) string {
	t.Helper()
	if !strings.HasPrefix(part, ".") {
		part = "_" + part
	}
	return filepath.Join(dir, runsIn(t, dir)[0].Name+part)
}

// hasParts fails where the last run in a folder has not written all of some parts.
func hasParts(t *testing.T, dir string, names ...string) {
	t.Helper()
	for _, name := range names {
		if _, err := os.Stat(partFile(t, dir, name)); err != nil {
			t.Error(err)
		}
	}
}
