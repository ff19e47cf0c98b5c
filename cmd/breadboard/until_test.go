package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"breadboard/experiments/columns"
	"breadboard/grid/longtest"
	"breadboard/reports/views"
)

// TestUntil: each command that has --until finds the size, says how, and exits with code 1 if none
// meets the goal; what cannot be looked for is refused.
func TestUntil(t *testing.T) {
	longtest.Only(t)
	zeros := filepath.Join(t.TempDir(), "zeros.csv")
	if err := os.WriteFile(zeros, []byte("0,-inf\n0,1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		code int
		line string
		says string
	}{
		{exitDone, "tightness --until J=0.01 --toy easy",
			"toy easy: T = 646 is where J = 0.0099779 meets 0.01; at T = 645 it is 0.0100006 (computed: 2-16, 32, 64, 128, 256, 512, 640, 644-646, 648, 656, 672, 704, 768, 1024)"},
		{exitDone, "tightness --until J<0.05 --toy easy,x=random:1:0:2x2", "it is not assumed that J falls with T"},
		{exitDone, "tightness --until J=1 --toy easy",
			"toy easy: T = 9 is where J = 0.959227 meets 1; at T = 8 it is 1.02292; no smaller one does, as all were computed"},
		{exitFault, "tightness --until J<0.01 --toy easy --most 50", "J is still 0.283044 at T = 50, and J<0.01 is not met; T = 50 is the limit of the search"},
		{exitFault, "tightness --until J<0.01 --toy file:" + zeros,
			"J is still +Inf at T = 65536, and J<0.01 is not met; it was not finite at the last 27 values of T"},
		{exitFault, "schedule compare --until B<0.01 --schedule linear --toy file:" + zeros, "B is still +Inf at T = 65536"},
		{exitDone, "tightness --until J<0.01 --initial tempered:0.1 --toy file:" + zeros, "meets 0.01"},
		{exitBadInput, "tightness --until J<0.01 --toy easy -T 50", "-T and --until are both given; --until finds T itself"},
		{exitBadInput, "tightness --until J<0.01 --schedule cess:0.9", "says itself how many distributions there are, so that --until can look for no T"},
		{exitBadInput, "tightness --until J<0.01 --schedule optimal:J", "breadboard schedule compare --schedule optimal:J takes --until for it"},
		{exitBadInput, "tightness --until J<0.01 --certify", "--until and --certify are both given"},
		{exitBadInput, "tightness --most 50", "--most and --within bound the search of --until"},
		{exitBadInput, "tightness --until Q<0.01", "unknown column of numbers"},
		{exitBadInput, "tightness --until J<0", "J is never below 0, so no T meets J<0"},
		{exitBadInput, "tightness --until J<1 --toy x=easy,x=hard", "stands for two targets"},
		{exitDone, "schedule compare --until J<1 --toy easy --schedule linear,optimal:J", "toy easy, schedule optimal:J: T = "},
		{exitFault, "schedule compare --until J_over_optimum<2 --toy easy --schedule linear", "J_over_optimum is still empty"},
		{exitDone, "smc --until relative_variance<1 --toy random:1:1:2x2 -T 5 --threshold 0,1 --resample multinomial,systematic",
			"toy random:1:1:2x2, resample never, threshold 0: "},
		{exitFault, "smc --until B<0.001 --toy random:1:1:2x2 -T 5 --threshold 1", "B is still empty at particles = 524288"},
		{exitBadInput, "smc --until J<1 --particles 2", "--particles and --until are both given"},
		{exitBadInput, "smc --until J<1 --adaptive 0.9", "--until and --adaptive are both given"},
		{exitDone, "ais --until B_standard_error<0.05 --toy easy -T 100",
			"toy easy: chains = 417 is where B_standard_error = 0.0499925 meets 0.05; at chains = 416 it is 0.0500526 (computed: 2-16, 32, 64, 128, 256, 384, 416-418, 420, 424, 432, 448, 512)"},
		{exitDone, "samplers errors --until ress_mean>=100 --toy easy --kernel heatbath --start uniform", "N = 1336 is where ress_mean = 100.057 meets 100"},
		{exitDone, "samplers errors --until ress_mean>=10 --toy random:1:1:2x2 --kernel metropolis,heatbath",
			"toy random:1:1:2x2, kernel heatbath, start target: N = "},
		{exitBadInput, "sweep plan x.toml --until J<1", "for k in metropolis heatbath; do breadboard tightness --kernel $k --until"},
		{exitBadInput, "gap --until J<1", "--until is a flag of tightness, ais, smc, schedule compare, policy, samplers errors"},
	} {
		says(t, c.code, c.says, strings.Fields(c.line)...)
	}
}

// TestUntilInJSON: rows say whether they meet the goal, and which sizes were computed; there are
// several rows for a search of ais.
func TestUntilInJSON(t *testing.T) {
	longtest.Only(t)
	stdout, _ := ok(t, "ais", "--toy", "easy", "-T", "10", "--until", "B_standard_error<0.5", "--format", "json")
	rows := parseRows(t, stdout)
	if len(rows) != 9 {
		t.Errorf("%d rows", len(rows))
	}
	for _, row := range rows {
		if row["met"] != true || row["tried"] != rows[0]["tried"] || !strings.HasPrefix(row["tried"].(string), "2-14") {
			t.Errorf("%v", row)
		}
	}
	stdout, _ = ok(t, "tightness", "--toy", "easy", "--until", "J<1", "--columns", "T,met,tried", "--format", "csv")
	if stdout != "T,met,tried\n9,true,2-9\n" {
		t.Errorf("%q", stdout)
	}
}

// TestColumnsAreCheckedFirst: a column that the table of a run does not have is refused by what
// looks at flags, before anything is computed, also if another table of the same command has it.
// Errors that come with the results do not begin with the name of the flag.
func TestColumnsAreCheckedFirst(t *testing.T) {
	longtest.Only(t)
	const small = "--toy random:2:1:3 -T 2 --frequencies 256"
	schemas := views.Schemas()
	for about, lines := range map[string][]string{
		"weights":           {small, small + " --tails 1", small + " --quantiles 0.5", "--toy random:2:1:3 -T 2 --samples 1,2"},
		"smc":               {"--toy random:1:1:2x2 -T 3", "--toy random:1:1:2x2 --adaptive 0.9"},
		"samplers diagnose": {"--toy easy -N 20", "testdata/schools_1.csv"},
		"tightness":         {"--toy easy -T 3", "--toy easy --until J<2"},
	} {
		tables, names := slices.DeleteFunc(slices.Clone(schemas), func(s views.Schema) bool { return s.Command != about }), []string{"toy", "nothing"}
		has := func(s views.Schema, name string) bool {
			return slices.ContainsFunc(s.Columns, func(c columns.Column) bool { return c.Name == name })
		}
		for _, s := range tables { // a column that another table does not have
			for _, c := range s.Columns {
				if slices.ContainsFunc(tables, func(other views.Schema) bool { return !has(other, c.Name) }) && !slices.Contains(names, c.Name) {
					names = append(names, c.Name)
					break
				}
			}
		}
		for _, line := range lines {
			taken := 0
			for _, name := range names {
				words := append(strings.Fields(about+" "+line), "--format", "csv", "--columns", name)
				if code, _, messages := command(t, words...); code == exitBadInput && !strings.HasPrefix(messages, "breadboard: --columns: unknown column") {
					t.Errorf("%v: %s", words, messages)
				} else if code == exitDone {
					taken++
				}
			}
			if taken == 0 || taken == len(names) {
				t.Errorf("%s %s takes %d of %d columns", about, line, taken, len(names))
			}
		}
	}
}
