package reports

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"breadboard/grid/longtest"
)

// wrote opens a folder, writes files to it as a run of the given name does, describes the run, and
// returns what is beside it.
func wrote(t *testing.T, dir, run string, files ...string) Others {
	t.Helper()
	d := longtest.Must(OpenRecorded(dir))(t)
	for _, name := range files {
		longtest.Must(d.Write(name, []byte(run)))(t)
	}
	return longtest.Must(d.Describe(
		context.Background(),
		Run{Name: run, Question: run, Command: []string{"breadboard", run}},
	))(t)
}

// recorded returns the runs of a folder with their files, the last one first.
func recorded(t *testing.T, dir string) string {
	t.Helper()
	record := longtest.Must(ReadRunRecord(dir))(t)
	var lines []string
	for _, r := range slices.Backward(record.Runs()) {
		line := r.Name + ":"
		for _, f := range r.Files {
			line += " " + f.Name
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "; ")
}

// TestDescribe: the record lists every file once, with the run that has written it last, and no
// file that is gone.
func TestDescribe(t *testing.T) {
	dir := t.TempDir()
	steps := []struct {
		run, files, want, others string
	}{
		{"a", "a.csv schedule.csv", "a: a.csv schedule.csv", "0 files of no run"},
		{"b", "b.csv schedule.csv", "b: b.csv schedule.csv; a: a.csv", "1 file of 1 other run"},
		{"a", "a.txt", "a: a.txt; b: b.csv schedule.csv; a: a.csv", "3 files of 2 other runs"},
		{"a", "a.txt a.csv", "a: a.txt a.csv; b: b.csv schedule.csv", "2 files of 1 other run"},
	}
	for _, s := range steps {
		others := wrote(t, dir, s.run, strings.Fields(s.files)...)
		if got := recorded(t, dir); got != s.want || others.String() != s.others {
			t.Errorf("%+v: %s, %v", s, got, others)
		}
	}
	longtest.NoError(t, os.Remove(filepath.Join(dir, "b.csv")))
	longtest.NoError(t, os.WriteFile(filepath.Join(dir, "mine.txt"), nil, 0o644))
	if others := wrote(t, dir, "c", "c.csv"); others.String() != "4 files, 3 of 2 other runs and 1 of none" {
		t.Errorf("%v", others)
	}
	if got := recorded(t, dir); got != "c: c.csv; a: a.txt a.csv; b: schedule.csv" {
		t.Error(got)
	}
}

// TestDescribeTwice: a run that writes more is one run.
func TestDescribeTwice(t *testing.T) {
	dir := t.TempDir()
	d := longtest.Must(OpenRecorded(dir))(t)
	for _, name := range []string{"a", "b", "a"} {
		longtest.Must(d.Write(name, []byte(name)))(t)
		longtest.Must(d.Describe(context.Background(), Run{Name: "run"}))(t)
	}
	if got := recorded(t, dir); got != "run: b a" {
		t.Error(got)
	}
}

// TestReplacedFiles: a note names the run of a replaced file, unless it is the same run.
func TestReplacedFiles(t *testing.T) {
	dir := t.TempDir()
	wrote(t, dir, "tool", "shared", "own")
	longtest.NoError(t, os.WriteFile(filepath.Join(dir, "mine"), nil, 0o644))
	d := longtest.Must(OpenRecorded(dir))(t)
	for _, c := range []struct{ file, asked, want string }{
		{"shared", "other", "of breadboard tool"},
		{"shared", "tool", ""},
		{"mine", "tool", "of no run that run.json lists"},
		{"new", "tool", ""},
	} {
		if got := d.belongs(c.file, c.asked); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
	longtest.Must(d.Write("shared", nil))(t)
	if got := d.belongs("shared", "other"); got != "" {
		t.Errorf("a file that this run has written is %q", got)
	}
}

// TestRunsAtOnce: runs that end together are all recorded.
func TestRunsAtOnce(t *testing.T) {
	longtest.Only(t)
	dir := t.TempDir()
	const runs = 12
	var all sync.WaitGroup
	failed := make([]error, runs)
	for i := range runs {
		all.Go(func() {
			d, err := OpenRecorded(dir)
			if err == nil {
				_, err = d.Write(fmt.Sprint("f", i), nil)
			}
			if err == nil {
				_, err = d.Describe(context.Background(), Run{Name: fmt.Sprint(i)})
			}
			failed[i] = err
		})
	}
	all.Wait()
	longtest.NoError(t, errors.Join(failed...))
	record, err := ReadRunRecord(dir)
	if err != nil || len(record.Runs()) != runs {
		t.Errorf("%d runs are recorded, %v", len(record.Runs()), err)
	}
	if _, err := os.Stat(filepath.Join(dir, lockName)); err == nil {
		t.Error("the lock is left behind")
	}
}

// TestLockedFolder: a run waits for another one that changes the record, as long as it may run
// itself. What else stands in the folder, such as the lock of an earlier version, does not matter.
func TestLockedFolder(t *testing.T) {
	dir := t.TempDir()
	old := filepath.Join(dir, ".run.json.lock", "notes")
	longtest.NoError(t, os.MkdirAll(old, 0o777))
	synctest.Test(t, func(t *testing.T) {
		d := longtest.Must(OpenRecorded(dir))(t)
		for _, c := range []struct {
			frees bool // whether the other run ends
			want  error
			after time.Duration
		}{
			{false, context.DeadlineExceeded, time.Minute},
			{true, nil, lockPause},
		} {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			unlock := longtest.Must(d.lock(t.Context()))(t)
			if c.frees {
				time.AfterFunc(lockPause/2, unlock)
			}
			began := time.Now()
			if _, err := d.Describe(ctx, Run{}); !errors.Is(err, c.want) || time.Since(began) != c.after {
				t.Errorf("a locked folder: %v after %v, want %v after %v", err, time.Since(began), c.want, c.after)
			}
			if !c.frees {
				unlock()
			}
		}
	})
	longtest.NoError(t, os.WriteFile(filepath.Join(dir, lockName), nil, 0o666)) // of a run that was killed
	longtest.Must(longtest.Must(OpenRecorded(dir))(t).Describe(t.Context(), Run{}))(t)
	longtest.Must(os.Stat(old))(t)
}

// TestBadRecords: what is no record of this program is refused, and left as it is.
func TestBadRecords(t *testing.T) {
	for content, want := range map[string]string{
		"":                   "unexpected end",
		"{":                  "unexpected end",
		"[]":                 "cannot unmarshal array",
		"{}":                 `its program is ""`,
		`{"program": "npm"}`: `its program is "npm"`,
		`{"program": 1}`:     "cannot unmarshal number",
		`{"program": "breadboard", "schema": 2, "new": 1}`: "later version of " +
			"breadboard wrote it (schema 2; this version reads and writes schema 1)",
		`{"program": "breadboard", "files": [{"name": "../x"}]}`:               `"../x" is not a file name`,
		`{"program": "breadboard", "files": [{"name": ""}]}`:                   `"" is not a file name`,
		`{"program": "breadboard", "earlier": [{"files": [{"name": "a/b"}]}]}`: `"a/b" is not a file name`,
		`{"program": "breadboard", "seed": "seven"}`:                           "cannot unmarshal string",
		`{"program": "breadboard", "inputs": [{"path": "a", "bytes": 1e400}]}`: "1e400",
		"{\"program\": \"breadboard\"} and more":                               "after top-level value",
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, RunRecordName)
		longtest.NoError(t, os.WriteFile(path, []byte(content), 0o644))
		_, err := OpenRecorded(dir)
		if _, bad := errors.AsType[BadRecord](err); !bad || !strings.Contains(err.Error(), want) ||
			!strings.HasPrefix(err.Error(), path) {
			t.Errorf("%s: %v", content, err)
		}
		if left, err := os.ReadFile(path); err != nil || string(left) != content {
			t.Errorf("%s became %s, %v", content, left, err)
		}
	}
	dir := t.TempDir()
	longtest.NoError(t, os.Mkdir(filepath.Join(dir, RunRecordName), 0o755))
	longtest.Refuses(ReadRunRecord(dir))(t, "a folder")
	if record, err := ReadRunRecord(filepath.Join(dir, "nowhere")); record != nil || err != nil {
		t.Errorf("no folder: %v, %v", record, err)
	}
}

// FuzzRunRecord: whatever a record holds, it is refused or names files of the folder alone.
func FuzzRunRecord(f *testing.F) {
	f.Add([]byte(`{"program": "breadboard", "files": [{"name": "a"}], "earlier": [{"files": [{"name": "../b"}]}]}`))
	f.Add([]byte(`{"program": "breadboard", "seed": 18446744073709551615, "inputs": null}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var r RunRecord
		if r.decode(data) != nil {
			return
		}
		for _, run := range r.Runs() {
			for _, f := range run.Files {
				if strings.ContainsAny(f.Name, "/") || f.Name == ".." {
					t.Errorf("%q", f.Name)
				}
			}
		}
	})
}

// TestHashInput: the hash is that of the content; what has none says why.
func TestHashInput(t *testing.T) {
	path := longtest.File(t, "f", "abc")
	// The hash of "abc" stands in FIPS 180-2, appendix B.1.
	const abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
	later := time.Now().Add(time.Hour)
	earlier := time.Now().Add(-time.Hour)
	for _, c := range []struct {
		path  string
		began time.Time
		limit int64
		want  RunInput
	}{
		{path, later, 3, RunInput{path, 3, abc, ""}},
		{path, earlier, 3, RunInput{path, 3, abc, "was changed after the run began"}},
		{path, later, 2, RunInput{path, 0, "", path +
			" has 3 bytes, and at most 2 bytes are read of such a file; is it the right file? if so, make it smaller"}},
		{filepath.Dir(path), later,
			3, RunInput{filepath.Dir(path), 0, "", "no regular file, which has no hash"}},
		{path + "x", later, 3, RunInput{path + "x", 0, "", "stat " + path + "x: no such file or directory"}},
	} {
		if got := HashInput(c.path, c.began, c.limit); got != c.want {
			t.Errorf("%+v, want %+v", got, c.want)
		}
	}
}

// TestLeftOver: opening a folder removes what a run that was killed has left, and neither the
// unfinished file of another run nor anything with another name or that is no file.
func TestLeftOver(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a[b]*?")
	other := longtest.Must(OpenDirectory(dir))(t)
	unfinished := longtest.Must(other.lockTemporary())(t)
	precious := filepath.Join(t.TempDir(), "precious")
	kept := []string{".breadboard", ".breadboard-1", ".breadboard-1-", ".breadboard-1-2.txt", ".breadboard-1-02",
		".breadboard-1-x", ".breadboard-+1-2", ".breadboard-notes", "x.breadboard-1-2"}
	for _, name := range append([]string{".breadboard-1-2"}, kept...) {
		longtest.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("1"), 0o600))
	}
	longtest.NoError(t, os.WriteFile(precious, nil, 0o600))
	longtest.NoError(t, os.Mkdir(filepath.Join(dir, ".breadboard-2-3"), 0o700))
	if err := os.Symlink(precious, filepath.Join(dir, ".breadboard-3-4")); err != nil {
		t.Skip(err)
	}
	longtest.Must(OpenDirectory(dir))(t)
	longtest.NoError(t, other.endFile(unfinished, other.Path("whole"), nil))
	var names []string
	for _, e := range longtest.Must(os.ReadDir(dir))(t) {
		names = append(names, e.Name())
	}
	want := append(kept, ".breadboard-2-3", ".breadboard-3-4", "whole")
	slices.Sort(want)
	if !slices.Equal(names, want) {
		t.Errorf("%v are left, want %v", names, want)
	}
	longtest.Must(os.Stat(precious))(t)
}

// TestEmptyFolder gives up before a file is written: the folders that were made are gone, and those
// that stood there or have a file are not.
func TestEmptyFolder(t *testing.T) {
	dir := t.TempDir()
	longtest.Must(OpenDirectory(filepath.Join(dir, "a", "b")))(t).Abandon()
	if !missing(filepath.Join(dir, "a")) {
		t.Error("an empty folder is left")
	}
	longtest.NoError(t, os.Mkdir(filepath.Join(dir, "stood"), 0o777))
	longtest.Must(OpenDirectory(filepath.Join(dir, "stood")))(t).Abandon()
	longtest.Must(os.Lstat(filepath.Join(dir, "stood")))(t)
	d := longtest.Must(OpenDirectory(filepath.Join(dir, "c")))(t)
	longtest.Must(d.Write("x.txt", nil))(t)
	d.Abandon()
	longtest.Must(os.Lstat(filepath.Join(dir, "c", "x.txt")))(t)
}

// TestReadOnlyFiles: a result that is read-only is not replaced.
func TestReadOnlyFiles(t *testing.T) {
	d := longtest.Must(OpenDirectory(t.TempDir()))(t)
	write := func() error {
		_, err := d.replace(t.Context(), "a.csv", func(w *bufio.Writer) { w.WriteString("new") }, io.Discard)
		return err
	}
	longtest.NoError(t, os.WriteFile(d.Path("a.csv"), []byte("old"), 0o444))
	longtest.Refused(t, write(), "a.csv is read-only", "a file of 0444")
	longtest.NoError(t, os.Chmod(d.Path("a.csv"), 0o644))
	longtest.NoError(t, write())
}
