package main

import (
	"bytes"
	"encoding/json"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"breadboard/experiments/sweeps/sweep"
	"breadboard/grid/longtest"
	"breadboard/reports/views"
)

// TestReport: a page has what runs and sweeps have written, with all digits, and how they were
// made.
func TestReport(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	stdout, _ := ok(t, "tightness", "--toy", "easy,barrier", "-T", "5,10", "--format", "json", "--out", at("runs"))
	ok(t, "gap", "--toy", "easy", "-T", "5", "--figures", "svg", "--out", at("runs"))
	ok(t, "sweep", "run", writeSpec(t, dir), "--out", at("grid"))
	out := at("new/report.html")
	if stdout, messages := ok(t, "report", at("runs"), at("grid"), "--out", out, "--title", "Two <b> studies"); stdout != "" || messages != "wrote "+out+"\n" {
		t.Errorf("%q, %q", stdout, messages)
	}
	content := longtest.Must(os.ReadFile(out))(t)
	page := string(content)
	for _, want := range []string{"<title>Two &lt;b&gt; studies</title>", "tightness toy=easy,barrier T=5,10", "gap toy=easy T=5", "sweep of tightness",
		"<path", "<circle", version()} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %q", want)
		}
	}
	var rows []map[string]json.RawMessage
	longtest.NoError(t, json.Unmarshal([]byte(stdout), &rows))
	for _, row := range rows {
		if !strings.Contains(page, `"`+string(row["J"])+`"`) {
			t.Errorf("J = %s is not in the page", row["J"])
		}
	}
	merged, err := sweep.Merge(views.Sweeps(), at("grid"))
	if err != nil || len(merged.Rows) == 0 {
		t.Fatal(err)
	}
	if list(t, at("new")) != "report.html" {
		t.Errorf("the folder has %s", list(t, at("new")))
	}
}

// writeSpec writes the specification of a small sweep.
func writeSpec(t *testing.T, dir string) string {
	t.Helper()
	path := filepath.Join(dir, "grid.toml")
	writeFile(t, path, "[grid]\ntoy = [\"easy\", \"hard\"]\nT = [3, 6]\n")
	return path
}

// TestReportOfShards: folders of one sweep are one table, and cells without a result are counted.
func TestReportOfShards(t *testing.T) {
	longtest.Only(t)
	dir := t.TempDir()
	spec := writeSpec(t, dir)
	one, two, out := filepath.Join(dir, "1"), filepath.Join(dir, "2"), filepath.Join(dir, "r.html")
	ok(t, "sweep", "run", spec, "--out", one, "--shard", "1/2")
	ok(t, "sweep", "run", spec, "--out", two, "--shard", "2/2")
	for _, c := range []struct {
		folders []string
		want    string
	}{{[]string{one}, "2 of 4 cells have no result"}, {[]string{one, two}, "4 of 4 rows"}} {
		ok(t, append(append([]string{"report"}, c.folders...), "--out", out)...)
		page, err := os.ReadFile(out)
		if err != nil || !bytes.Contains(page, []byte(c.want)) || bytes.Count(page, []byte("<section")) != 1 {
			t.Errorf("%v: no %q, %v", c.folders, c.want, err)
		}
	}
}

// TestReportErrors: a message says what cannot be shown or written, with its exit code, and nothing
// is written.
func TestReportErrors(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	table := at("t.json")
	writeFile(t, table, `[{"a": 1}]`)
	longtest.NoError(t, os.Mkdir(at("empty"), 0o755))
	for _, c := range []struct {
		code int
		says string
		args []string
	}{
		{exitBadInput, "requires at least 1 arg", []string{"--out", at("r.html")}},
		{exitBadInput, "as in --out report.html", []string{table}},
		{exitBadInput, "no such file", []string{at("none"), "--out", at("r.html")}},
		{exitBadInput, "neither a run.json nor", []string{at("empty"), "--out", at("r.html")}},
		{exitBadInput, "would be replaced", []string{table, "--out", at("empty/../t.json")}},
		{exitBadInput, "--format says how", []string{table, "--out", at("r.html"), "--format", "csv"}},
		{exitIO, "is a folder", []string{table, "--out", dir}},
		{exitIO, "not a directory", []string{table, "--out", filepath.Join(table, "r.html")}},
	} {
		saysOnly(t, c.code, c.says, append([]string{"report"}, c.args...)...)
	}
	if list(t, dir) != "empty t.json" {
		t.Errorf("the folder has %s", list(t, dir))
	}
}

// TestRecordOfNotes: the record of a run has what it said of its results, and why it failed.
func TestRecordOfNotes(t *testing.T) {
	longtest.Only(t)
	dir := t.TempDir()
	code, _, messages := command(t, "tightness", "--toy", "barrier", "-T", "10", "--check-that", "J<0.001", "--figures", "svg", "--out", dir)
	r := runsIn(t, dir)[0]
	if code != exitFault || r.Fault == "" || !strings.Contains(messages, r.Fault) || len(r.Notes) == 0 || !strings.Contains(messages, r.Notes[0]) {
		t.Errorf("exit code %d, fault %q, notes %q of\n%s", code, r.Fault, r.Notes, messages)
	}
}

// TestReportReplacesPagesAlone: what is no regular file stays, since a page would stand in its
// place, and so does what a run has written.
func TestReportReplacesPagesAlone(t *testing.T) {
	longtest.Only(t)
	dir := t.TempDir()
	results := filepath.Join(dir, "results")
	ok(t, "tightness", "--toy", "easy", "-T", "2", "--figures", "svg", "--out", results)
	socket := filepath.Join(dir, "s.html")
	listener, err := net.Listen("unix", socket)
	if err != nil {
		t.Skip("no file that is not regular can be made here:", err)
	}
	defer listener.Close()
	says(t, exitIO, "no regular file", "report", results, "--out", socket)
	says(t, exitBadInput, "would be replaced", "report", results, "--out", filepath.Join(results, "run.json"))
	for range 2 {
		ok(t, "report", results, "--out", filepath.Join(results, "report.html"))
	}
}

func TestCompare(t *testing.T) {
	longtest.Only(t)
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	write := func(name, text string) {
		writeFile(t, at(name), text)
	}
	ours := func(name string, args ...string) { write(name, first(ok(t, args...))) }
	ours("a.json", "tightness", "--toy", "easy,hard", "-T", "10,20", "--format", "json")
	ours("a.csv", "tightness", "--toy", "hard,easy", "-T", "20,10", "--format", "csv")
	ours("more.csv", "tightness", "--toy", "hard,easy", "-T", "10,30", "--format", "csv")
	ours("check.csv", "kernel", "check", "barker", "--toy", "easy", "--beta", "1", "-T", "3", "--format", "csv")
	write("one.csv", "toy,T,J,big\neasy,10,0.1,12345678901234567\nhard,10,1e-20,2\n")
	write("near.csv", "toy,T,J,big\nhard,10,2e-20,2\neasy,10,0.10000000000001,12345678901234567\n")
	write("big.csv", "toy,T,J,big\neasy,10,0.1,12345678901234568\nhard,10,1e-20,2\n")
	write("nan.csv", "toy,T,J,extra\neasy,10,NaN,1\nhard,10,+Inf,1\n")
	write("plain.csv", "1,2\n")
	write("numbers.csv", "x,y\n1,2\n1,3\n")
	write("bad.json", "[{]")
	for _, c := range []struct {
		code  int
		shows string // in the results or in the messages
		args  []string
	}{
		{exitDone, "rows are matched by toy, ", []string{"a.json", "a.csv"}},
		{exitFault, `row,"toy easy, T 20`, []string{"a.json", "more.csv", "--by", "toy,T"}},
		{exitFault, `row,"toy hard, T 30",,missing,there`, []string{"a.json", "more.csv", "--by", "toy,T"}},
		{exitDone, "", []string{"check.csv", "check.csv"}},
		{exitFault, `cell,"toy hard, T 10",J,1e-20,2e-20,1e-20,0.5`, []string{"one.csv", "near.csv"}},
		{exitFault, `cell,"toy easy, T 10",J,0.1,0.10000000000001,9.99`, []string{"one.csv", "near.csv", "--tolerance", "1e-14"}},
		{exitDone, "4 cells and 2 rows", []string{"one.csv", "near.csv", "--absolute", "1e-15"}},
		{exitDone, "", []string{"one.csv", "near.csv", "--tolerance", "0.5"}},
		{exitFault, `big,12345678901234567,12345678901234568,,`, []string{"one.csv", "big.csv", "--tolerance", "1"}},
		{exitFault,
			"column,,big,there,missing,,\ncolumn,,extra,missing,there,,\ncell,\"toy easy, T 10\",J,0.1,NaN,,\ncell,\"toy hard, T 10\",J,1e-20,+Inf,+Inf,+Inf\n",
			[]string{"one.csv", "nan.csv", "--tolerance", "1"}},
		{exitDone, "by their order", []string{"numbers.csv", "numbers.csv"}},
		{exitBadInput, "have no column in common", []string{"one.csv", "plain.csv"}},
		{exitBadInput, "neither table has a row", []string{"plain.csv", "plain.csv"}},
		{exitBadInput, `unknown column of both "K"`, []string{"one.csv", "near.csv", "--by", "K"}},
		{exitBadInput, "the tolerance is -1", []string{"one.csv", "near.csv", "--tolerance", "-1"}},
		{exitBadInput, "the tolerance is NaN", []string{"one.csv", "near.csv", "--tolerance", "nan"}},
		{exitBadInput, "bad.json: object 1", []string{"one.csv", "bad.json"}},
		{exitBadInput, "no such file", []string{"one.csv", "none.json"}},
	} {
		args := append([]string{"compare", "--format", "csv", at(c.args[0]), at(c.args[1])}, c.args[2:]...)
		code, out, messages := command(t, args...)
		if code != c.code || !strings.Contains(out+messages, c.shows) || code == exitBadInput && c.shows[0] != 'n' && out != "" {
			t.Errorf("%v: exit code %d\n%s%s", c.args, code, out, messages)
		}
	}
}

// TestReportToLink: a link stays where the page or the JUnit file that it leads to is written.
func TestReportToLink(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	longtest.NoError(t, os.WriteFile(at("rows.csv"), []byte("toy,J\neasy,1\n"), 0o600))
	longtest.NoError(t, os.WriteFile(at("page"), nil, 0o600))
	if err := os.Symlink("page", at("link.html")); err != nil {
		t.Skip(err)
	}
	for _, command := range [][]string{{"report", at("rows.csv"), "--out", at("link.html")},
		{"kernel", "check", "metropolis", "--toy", "easy", "--junit", at("link.html")}} {
		longtest.NoError(t, os.Truncate(at("page"), 0))
		ok(t, command...)
		info := longtest.Must(os.Lstat(at("link.html")))(t)
		if page := longtest.Must(os.Stat(at("page")))(t); info.Mode()&os.ModeSymlink == 0 || page.Size() == 0 {
			t.Errorf("%s: %v, %d bytes", command[0], info.Mode(), page.Size())
		}
	}
}
