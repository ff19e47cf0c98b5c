package main

import (
	"encoding/csv"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// tinySandwich is a sandwich that takes no time.
const tinySandwich = "sandwich --model clustering:2,lowrank:1,binary:2 --data-rows 5 --data-columns 3 -T " +
	"3,30 --scans 0,2 --chains 3 --datasets 2 --seed 5"

// timelessCSV returns a table in CSV without its columns of seconds, of which no two runs have the
// same, and with nine digits.
func timelessCSV(t *testing.T, text string) string {
	t.Helper()
	records := longtest.Must(csv.NewReader(strings.NewReader(text)).ReadAll())(t)
	var out strings.Builder
	w := csv.NewWriter(&out)
	for _, record := range records {
		var kept []string
		for i, cell := range record {
			if strings.HasSuffix(records[0][i], "seconds") {
				continue
			}
			if v, err := strconv.ParseFloat(cell, 64); err == nil {
				cell = fmt.Sprintf("%.9g", v)
			}
			kept = append(kept, cell)
		}
		longtest.NoError(t, w.Write(kept))
	}
	w.Flush()
	return out.String()
}

// TestSandwichGolden: the numbers of a fixed seed, for any number of workers.
func TestSandwichGolden(t *testing.T) {
	for _, workers := range []string{"1", "3"} {
		stdout, stderr := ok(t, append(strings.Fields(tinySandwich), "--format", "csv", "--workers", workers)...)
		golden(t, "sandwich.csv", timelessCSV(t, stdout))
		golden(t, "sandwich.stderr", stderr)
	}
	help, _ := ok(t, "sandwich", "--help")
	golden(t, "sandwich-help.txt", help)
}

// TestSandwichCompareGolden: the numbers of a fixed seed.
func TestSandwichCompareGolden(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	dir := t.TempDir()
	stdout, _ := ok(t, append(strings.Fields(tinyCompare), "--format", "csv", "--out", dir)...)
	golden(t, "sandwich-compare.csv", timelessCSV(t, stdout))
	files, err := filepath.Glob(filepath.Join(dir, "*_rows.csv"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%v %v", files, err)
	}
	text := longtest.Must(os.ReadFile(files[0]))(t)
	golden(t, "sandwich-compare-rows.csv", timelessCSV(t, string(text)))
}

// withoutSeconds returns rows from which the columns of seconds are taken out.
func withoutSeconds(rows []map[string]any) []map[string]any {
	for _, r := range rows {
		maps.DeleteFunc(r, func(name string, _ any) bool { return strings.HasSuffix(name, "seconds") })
	}
	return rows
}
