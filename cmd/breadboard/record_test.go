package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"breadboard/grid/longtest"
	"breadboard/reports"
)

// TestRunJSON: the record has the run with what it was asked, read and wrote.
func TestRunJSON(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	dir, toy := t.TempDir(), file(t, "0,1,2\n2,1,0\n")
	args := []string{"ais", "--toy", "file:" + toy + ",easy", "-T", "5,6", "--chains", "100", "--seed", "7", "--figures", "svg", "--format", "csv", "--out", dir}
	stdout, stderr := ok(t, args...)
	run := runsIn(t, dir)[0]
	if run.Study != "ais" || !strings.HasPrefix(run.Name, "ais_toy-file-") || run.Partial || run.Version != version() || run.Seed == nil || *run.Seed != 7 {
		t.Errorf("%+v", run)
	}
	if got := strings.Join(run.Command[1:], " "); run.Command[0] != "breadboard" || got != strings.Join(args, " ") {
		t.Errorf("command %s", got)
	}
	if len(run.Inputs) != 1 || run.Inputs[0].Path != toy || run.Inputs[0].Bytes != 12 || len(run.Inputs[0].SHA256) != 64 {
		t.Errorf("inputs %+v", run.Inputs)
	}
	for _, f := range run.Files {
		data, err := os.ReadFile(filepath.Join(dir, f.Name))
		sum := sha256.Sum256(data)
		if err != nil || f.SHA256 != hex.EncodeToString(sum[:]) {
			t.Errorf("%+v: %v", f, err)
		}
		if strings.HasSuffix(f.Name, "chains-100_seed-7.csv") && string(data) != stdout {
			t.Errorf("%s is not what was printed", f.Name)
		}
	}
	if len(run.Files)+1 != len(strings.Fields(list(t, dir))) || strings.Contains(stderr, "also has") {
		t.Errorf("%d files of %s\n%s", len(run.Files), list(t, dir), stderr)
	}
}

// TestRunsInOneFolder: files of runs that differ have different names, and a note says what the
// folder has of others.
func TestRunsInOneFolder(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	dir := t.TempDir()
	gap := func(T string) string {
		_, stderr := ok(t, "gap", "--toy", "easy", "-T", T, "--figures", "svg", "--out", dir)
		return stderr
	}
	if messages := gap("4"); strings.Contains(messages, "also has") || strings.Contains(messages, "replaced") {
		t.Error(messages)
	}
	first := len(strings.Fields(list(t, dir))) - 1
	task := func() string {
		_, messages := ok(t, "conform", "spec", "--toy", "barrier:3x3", "-T", "3", "--out", filepath.Join(dir, "task"))
		return messages
	}
	task()
	if messages := task(); strings.Contains(messages, "replaced") {
		t.Error(messages)
	}
	named := t.TempDir()
	g, other := file(t, "0,1\n2,3\n"), file(t, "0,1\n2,4\n")
	ok(t, "gap", "--toy", "ring=file:"+g, "-T", "4", "--figures", "svg", "--out", named)
	if names := list(t, named); !strings.Contains(names, "gap_toy-ring_T-4.csv") {
		t.Errorf("wrote %s", names)
	}
	if _, messages := ok(t, "gap", "--toy", "ring=file:"+other, "-T", "4", "--figures", "svg", "--out", named); !strings.Contains(messages,
		"gap_toy-ring_T-4.csv, which was of breadboard gap --toy ring=file:"+g) {
		t.Error(messages)
	}
	if messages := gap("5"); !strings.Contains(messages, "also has "+strconv.Itoa(first)+" files of 1 other run, see "+filepath.Join(dir, "run.json")) ||
		strings.Contains(messages, "replaced") {
		t.Error(messages)
	}
	if messages := gap("5"); !strings.Contains(messages, "also has "+strconv.Itoa(first)+" files of 1 other run") || strings.Contains(messages, "replaced") {
		t.Error(messages)
	}
	optimize := func(T string) string {
		_, stderr := ok(t, "schedule", "optimize", "--toy", "barrier:3x3", "-T", T, "--figures", "svg", "--out", dir)
		return stderr
	}
	optimize("3")
	if messages := optimize("4"); !strings.Contains(messages, "replaced "+filepath.Join(dir, "schedule.csv")+
		", which was of breadboard schedule optimize --toy barrier:3x3 -T 3 --figures svg --out") {
		t.Error(messages)
	}
	if messages := optimize("4"); strings.Contains(messages, "replaced") {
		t.Error(messages)
	}
}

// TestInputsOfRuns: files are found in selectors and flags, and programs and streams are named
// without a hash.
func TestInputsOfRuns(t *testing.T) {
	longtest.Only(t)
	g, betas, dir := file(t, "0,1\n2,3\n"), file(t, "0\n0.5\n1\n"), t.TempDir()
	ok(t, "tightness", "--toy", "mixture:0.5*file:"+g+"+0.5*random:1:0:2x2", "--schedule", "file:"+betas, "--out", dir)
	var names []string
	for _, in := range runsIn(t, dir)[0].Inputs {
		names = append(names, in.Path)
	}
	if len(names) != 2 || !strings.Contains(strings.Join(names, " "), g) || !strings.Contains(strings.Join(names, " "), betas) {
		t.Errorf("inputs %v, want %s and %s", names, g, betas)
	}
	for selector, want := range map[string]input{
		"exec:python3 k.py": {"python3 k.py", aProgram},
		"matrix:k.npy":      {path: "k.npy"},
		"via:0.3:m.csv":     {path: "m.csv"},
	} {
		if got := namedIn(selector); len(got) != 1 || got[0] != want {
			t.Errorf("%s: %v", selector, got)
		}
	}
	for _, selector := range []string{"easy", "lazy:0.5:barker", "T=10", ""} {
		if got := namedIn(selector); len(got) != 0 {
			t.Errorf("%s: %v", selector, got)
		}
	}
}

// TestInputsInFolders: the record of a run that reads a folder has the files of it with their
// hashes, and that of compare both tables.
func TestInputsInFolders(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	hashes := func(dir string) map[string]bool {
		hashed := map[string]bool{} // by name, whether it has a hash
		for _, in := range runsIn(t, dir)[0].Inputs {
			hashed[filepath.Base(in.Path)] = len(in.SHA256) == 64
		}
		return hashed
	}
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	spec := file(t, "[grid]\ntoy = \"easy\"\nT = [3, 4]\n")
	ok(t, "sweep", "run", spec, "--out", at("swept"))
	ok(t, "sweep", "merge", at("swept"), "--out", at("merged"))
	if got := hashes(at("merged")); len(got) != 2 || !got["manifest.json"] || !got["shard-1-of-1.jsonl"] {
		t.Errorf("merge read %v", got)
	}
	ok(t, "sweep", "plot", at("swept"), "--out", at("drawn"))
	if got := hashes(at("drawn")); len(got) != 2 || !got["manifest.json"] || !got["shard-1-of-1.jsonl"] {
		t.Errorf("plot read %v", got)
	}
	tables, err := filepath.Glob(at("merged/*.csv"))
	if err != nil || len(tables) != 1 {
		t.Fatal(tables, err)
	}
	table := tables[0]
	ok(t, "compare", table, table, "--out", at("compared"))
	if got := hashes(at("compared")); len(got) != 1 || !got[filepath.Base(table)] {
		t.Errorf("compare read %v", got)
	}
	ok(t, "conform", "spec", "--toy", "random:1:0:2", "-T", "2", "--out", at("task"))
	chains := file(t, "x_last\n0\n1\n")
	command(t, "conform", "check", at("task"), "--forward", chains, "--figures", "svg", "--out", at("found"))
	if got := hashes(at("found")); got["task"] || !got["task.json"] || !got["betas.csv"] || !got[filepath.Base(chains)] {
		t.Errorf("conform check read %v", got)
	}
}

// TestBadRecordIsRefused: a folder with a run.json of something else is bad input, before anything
// is computed.
func TestBadRecordIsRefused(t *testing.T) {
	longtest.Only(t)
	dir := t.TempDir()
	path := filepath.Join(dir, reports.RunRecordName)
	writeFile(t, path, `{"program": "npm"}`)
	for _, line := range []string{"tightness -T 1e12", "kernel check barker", "toys show easy", "toys export easy"} {
		refuses(t, path+", which says what runs have written to this folder, cannot be used", append(strings.Fields(line), "--out", dir)...)
	}
	if list(t, dir) != reports.RunRecordName {
		t.Errorf("wrote %s", list(t, dir))
	}
}

// TestInterruptedWhileWriting: files that were written before the interruption are recorded, as
// those of a partial run.
func TestInterruptedWhileWriting(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	a := newApp(ctx, nil, io.Discard, io.Discard, &leftovers{})
	defer a.programs.Close()
	a.output.dir, a.output.recorded, a.output.run.Name = dir, true, "test"
	longtest.NoError(t, a.output.open(&leftovers{}))
	r := &reports.Report{Parts: []reports.Part{
		reports.File{Name: "first", Content: func() ([]byte, error) { return nil, nil }},
		reports.File{Name: "second", Content: func() ([]byte, error) { cancel(); return nil, nil }},
	}}
	if err := a.write(r); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if run := runsIn(t, dir)[0]; !run.Partial || len(run.Files) != 1 || run.Files[0].Name != "first" {
		t.Errorf("%+v", run)
	}
}

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

// parts returns the names of the files in a folder without those of their runs: ".csv" is a study's
// own table, and "figure3.svg" is a figure of it. The record itself is left out.
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

// hasParts fails if the last run in a folder has not written all of some parts.
func hasParts(t *testing.T, dir string, names ...string) {
	t.Helper()
	for _, name := range names {
		if _, err := os.Stat(partFile(t, dir, name)); err != nil {
			t.Error(err)
		}
	}
}
