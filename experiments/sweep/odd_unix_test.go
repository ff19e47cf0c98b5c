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
)

// TestOddFiles: pipes, devices, folders and files that are far too large under the names of a sweep's files are errors
// that name them, at once, whoever meets them.
func TestOddFiles(t *testing.T) {
	s := mustSweep(t, small)
	odd := map[string]func(path string) error{
		"pipe":    func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"device":  func(path string) error { return os.Symlink("/dev/zero", path) },
		"folder":  func(path string) error { return os.Mkdir(path, 0o700) },
		"zeros":   func(path string) error { return sparse(path, 8<<30) },
		"nowhere": func(path string) error { return os.Symlink(path+"-gone", path) },
	}
	for _, name := range []string{manifestName, "shard-1-of-1.jsonl", "shard-1-of-1.lock", "shard-1-of-1.log", "shard-2-of-2.jsonl", "manifest.lock"} {
		for kind, make := range odd {
			dir := t.TempDir()
			if _, err := Run(context.Background(), s, dir, Options{}); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, name)
			os.Remove(path)
			if err := make(path); err != nil {
				t.Skip(err)
			}
			meets := map[string]func() error{
				"status": func() error { _, err := ReadStatus(dir); return err },
				"merge":  func() error { _, err := Merge(dir); return err },
				"check":  func() error { return Check(dir, s) },
				"run":    func() error { _, err := Run(context.Background(), s, dir, Options{}); return err },
			}
			for _, who := range []string{"status", "merge", "check", "run"} { // run last, which mends locks and logs
				err := soon(t, name+" "+kind+" "+who, meets[who])
				switch {
				case err == nil && !reads(who, name, kind):
				case err == nil:
					t.Errorf("%s is a %s, and %s does not mind", name, kind, who)
				case !strings.Contains(err.Error(), dir):
					t.Errorf("%s is a %s, and %s says %v", name, kind, who, err)
				}
			}
		}
	}
}

// reads reports whether a command must refuse a file of a sweep that is none. Locks and logs of any size are cut when
// they are next written.
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

// soon fails where a call does not return.
func soon(t *testing.T, what string, call func() error) error {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- call() }()
	select {
	case err := <-done:
		return err
	case <-time.After(30 * time.Second):
		t.Fatalf("%s: no answer in 30 seconds", what)
		return nil
	}
}
