package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"breadboard/chains/selector"
	"breadboard/experiments/forms"
	"breadboard/grid/longtest"
	"breadboard/reports"
)

// TestInputsOfRuns: files and programs are found in selectors.
func TestInputsOfRuns(t *testing.T) {
	for selector, want := range map[string]input{
		"exec:python3 k.py": {"python3 k.py", aProgram},
		"matrix:k.npy":      {path: "k.npy"},
		"via:0.3:m.csv":     {path: "m.csv"},
	} {
		if got := namedIn(forms.All(), selector); len(got) != 1 || got[0] != want {
			t.Errorf("%s: %v", selector, got)
		}
	}
	for _, selector := range []string{"easy", "lazy:0.5:barker", "T=10", ""} {
		if got := namedIn(forms.All(), selector); len(got) != 0 {
			t.Errorf("%s: %v", selector, got)
		}
	}
}

// TestInterruptedWhileWriting: files that were written before the interruption are recorded, as
// those of a partial run.
func TestInterruptedWhileWriting(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	a := newApp(ctx, nil, io.Discard, io.Discard, &leftovers{})
	defer a.reader.Programs.Close()
	a.output.dir = dir
	a.output.recorded = true
	a.output.run.Name = "test"
	longtest.NoError(t, a.makeFolder(ctx))
	r := &reports.Report{Parts: []reports.Part{
		reports.File{Name: "first", Content: func() ([]byte, error) { return nil, nil }},
		reports.File{Name: "second", Content: func() ([]byte, error) { cancel(); return nil, nil }},
	}}
	if err := a.write(ctx, r); !errors.Is(err, context.Canceled) {
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

// TestWaitForRecord: a run that waits for another one, which was stopped while it wrote the record,
// says so, and ends when it is interrupted.
func TestWaitForRecord(t *testing.T) {
	t.Parallel()
	longtest.Only(t)
	dir := t.TempDir()
	lock := longtest.Must(os.Create(filepath.Join(dir, ".run.json.flock")))(t)
	defer lock.Close()
	if held, err := selector.TryLock(lock); !held {
		t.Skip(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
	defer cancel()
	var stdout, stderr bytes.Buffer
	code := run(ctx, strings.Fields("tightness --toy easy -T 3 --figures svg --out "+dir), &stdout, &stderr)
	if code == exitDone || !strings.Contains(stderr.String(), "waiting for another run that writes "+dir) {
		t.Errorf("exit code %d, %s", code, &stderr)
	}
}
