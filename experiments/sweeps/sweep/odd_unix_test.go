//go:build unix

package sweep

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"breadboard/grid/longtest"
)

// TestOddFiles: pipes, devices, folders and files that are far too large under the names of a
// sweep's files are errors that name them, at once, by any command. A run comes last, since it
// writes its lock and log anew, and the next command would not meet what was put there.
func TestOddFiles(t *testing.T) {
	longtest.Only(t) // it makes many folders
	s := mustSweep(t, small)
	odd := []struct {
		kind string
		make func(path string) error
	}{
		{"pipe", func(path string) error { return syscall.Mkfifo(path, 0o600) }},
		{"device", func(path string) error { return os.Symlink("/dev/zero", path) }},
		{"folder", func(path string) error { return os.Mkdir(path, 0o700) }},
		{"zeros", func(path string) error { return sparse(path, 8<<30) }},
		{"nowhere", func(path string) error { return os.Symlink(path+"-gone", path) }},
	}
	meets := []struct {
		who  string
		meet func(dir string) error
	}{
		{"status", func(dir string) error { _, err := ReadStatus(sweptStudies(), dir); return err }},
		{"merge", func(dir string) error { _, err := Merge(sweptStudies(), dir); return err }},
		{"check", func(dir string) error { return CheckFolder(dir, s, false) }},
		{"run",
			func(dir string) error { _, err := Run(context.Background(), s, dir, Options{}); return err }},
	}
	done := t.TempDir()
	mustRun(t, s, done, Options{})
	for _, name := range []string{manifestName, "shard-1-of-1.jsonl", "shard-1-of-1.lock", "shard-1-of-1.log",
		"shard-2-of-2.jsonl", "manifest.lock"} {
		for _, o := range odd {
			dir := filepath.Join(t.TempDir(), "sweep")
			longtest.NoError(t, os.CopyFS(dir, os.DirFS(done)))
			path := filepath.Join(dir, name)
			os.Remove(path)
			if err := o.make(path); err != nil {
				t.Skip(err)
			}
			for _, m := range meets {
				if o.kind == "zeros" && strings.HasSuffix(name, ".jsonl") && m.who != "merge" &&
					!longtest.More() {
					continue // they read a gigabyte, all by the same function
				}
				err := soon(t, name+" "+o.kind+" "+m.who, func() error { return m.meet(dir) })
				switch {
				case err == nil && !reads(m.who, name, o.kind):
				case err == nil:
					t.Errorf("%s is a %s, and %s does not mind", name, o.kind, m.who)
				case !strings.Contains(err.Error(), dir):
					t.Errorf("%s is a %s, and %s says %v", name, o.kind, m.who, err)
				}
			}
		}
	}
}

// reads reports whether a command must refuse a file of a sweep that is none. Locks and logs of any
// size are cut when they are next written.
func reads(who, name, kind string) bool {
	switch {
	case kind == "nowhere" && (name == manifestName || strings.HasSuffix(name, ".lock") && who == "status"):
		return false // there is none
	case name == manifestName:
		return true
	case strings.HasSuffix(name, ".jsonl"):
		return who != "check" && kind != "nowhere"
	case kind == "zeros":
		return name == "shard-1-of-1.lock" && who == "status"
	case name == "shard-1-of-1.lock":
		return who == "status" || who == "run"
	}
	return who == "run" // the log, and the lock of the manifest
}

func sparse(path string, size int64) error {
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		return err
	}
	return os.Truncate(path, size)
}

// soon fails if a call does not return.
func soon(t *testing.T, what string, call func() error) error {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- call() }()
	select {
	case err := <-done:
		return err
	case <-time.After(longtest.Patience):
		t.Fatalf("%s: no answer in %v", what, longtest.Patience)
		return nil
	}
}
