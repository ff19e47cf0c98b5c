package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

var (
	update  = flag.Bool("update", false, "write the golden files anew")
	another = flag.String("program", "",
		"a command line that runs another build of the program: the tests of golden files and documents "+
			"hold that build to them")
)

// command runs the program as main does, or another build of it.
func command(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	if *another == "" {
		code = run(context.Background(), args, &out, &errs)
		return code, out.String(), errs.String()
	}
	p := child(t, args...)
	p.Stdout = &out
	p.Stderr = &errs
	if err := p.Run(); p.ProcessState == nil {
		t.Fatal(err)
	}
	return p.ProcessState.ExitCode(), out.String(), errs.String()
}

// ok runs the program and fails the test if it does.
func ok(t *testing.T, args ...string) (stdout, stderr string) {
	t.Helper()
	code, stdout, stderr := command(t, args...)
	if code != exitDone {
		t.Fatalf("breadboard %s: exit code %d\n%s", strings.Join(args, " "), code, stderr)
	}
	return stdout, stderr
}

// rowsOf runs a command with JSON and returns its rows.
func rowsOf(t *testing.T, args ...string) []map[string]any {
	t.Helper()
	stdout, _ := ok(t, append(args, "--format", "json")...)
	return parseRows(t, stdout)
}

// parseRows reads the JSON that a command prints.
func parseRows(t *testing.T, stdout string) []map[string]any {
	t.Helper()
	var rows []map[string]any
	longtest.NoError(t, json.Unmarshal([]byte(stdout), &rows))
	return rows
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		writeFile(t, path, got)
	}
	want := longtest.Must(os.ReadFile(path))(t)
	if got != string(want) {
		t.Errorf("%s is\n%s\nwant\n%s\n(go test ./cmd/breadboard -update writes the files anew; look at them)",
			path, got, want)
	}
}

// TestDefaultTable is the README's first command.
func TestDefaultTable(t *testing.T) {
	stdout, stderr := ok(t, "tightness")
	golden(t, "tightness.txt", stdout)
	golden(t, "tightness.stderr", stderr)
}

// TestArithmetic holds the numbers of every kind of computation to one golden file, in seven digits
// and without helps: it is for builds for other processors, which may round otherwise. Numbers that
// rounding alone makes are zero there; notes on numbers are left out, and how many steps an
// optimiser took until rounding ended it.
func TestArithmetic(t *testing.T) {
	if *another == "" && !*update {
		longtest.Only(t) // TestGoldenTexts and the tests of the studies have these numbers
	}
	var out strings.Builder
	commands, words := answering((&app{}).rootCommand())
	for _, c := range commands {
		line := strings.Join(words[c], " ")
		if strings.HasPrefix(line, "sandwich compare") || words[c][0] == "reproduce" && words[c][1] != "aide" {
			// these go by the clock, and run the others
			continue
		}
		stdout, _ := ok(t, append(words[c], "--format", "csv")...)
		out.WriteString("$ breadboard " + line + "\n" + roundedCSV(t, stdout))
	}
	golden(t, "arithmetic.txt", out.String())
}

// roundedCSV returns the numbers of the first rows of a table in CSV, in seven digits, with zero
// for those that rounding makes.
func roundedCSV(t *testing.T, text string) string {
	t.Helper()
	records := longtest.Must(csv.NewReader(strings.NewReader(text)).ReadAll())(t)
	var out strings.Builder
	for _, record := range records[1:min(len(records), 12)] {
		for i, cell := range record {
			v, err := strconv.ParseFloat(cell, 64)
			if name := records[0][i]; err != nil || strings.Contains(name, "gradient") ||
				strings.HasSuffix(name, "seconds") ||
				strings.HasSuffix(name, "_bound") || strings.Contains(name, "residual") {
				continue
			}
			if math.Abs(v) < 1e-9 {
				v = 0
			}
			fmt.Fprintf(&out, "%.7g ", v)
		}
		out.WriteString("\n")
	}
	return out.String()
}

func TestGoldenTexts(t *testing.T) {
	for name, args := range map[string][]string{
		"toys.txt":           {"toys"},
		"barrier.txt":        {"toys", "show", "barrier"},
		"tightness-help.txt": {"tightness", "--help"},
		"schedules.txt":      {"schedule"},
		"conform-help.txt":   {"conform", "check", "--help"},
		"evidence-help.txt":  {"evidence", "--help"},
		"network-help.txt":   {"network", "--help"},
		"network.txt":        {"network", clinic, "--evidence", "Fever=high+Xray=shadow"},
		"network-asia.txt": {
			"toys", "show", "bif:" + asia + ":evidence=xray=yes+dysp=yes:keep=lung+either"},
	} {
		stdout, _ := ok(t, args...)
		golden(t, name, stdout)
	}
}

// TestFront: --help lists the commands by question, in 45 lines.
func TestFront(t *testing.T) {
	stdout, _ := ok(t, "--help")
	golden(t, "help.txt", stdout)
	if n := strings.Count(stdout, "\n"); n > 45 {
		t.Errorf("--help has %d lines", n)
	}
}

// writeFile writes a file with a text.
func writeFile(t *testing.T, path, text string) {
	t.Helper()
	longtest.NoError(t, os.WriteFile(path, []byte(text), 0o644))
}

func list(t *testing.T, dir string) string {
	t.Helper()
	entries := longtest.Must(os.ReadDir(dir))(t)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}
