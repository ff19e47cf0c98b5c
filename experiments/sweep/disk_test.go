package sweep

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRemovedLock: who removes the lock file of a run under way does not get a second writer.
func TestRemovedLock(t *testing.T) {
	s := mustSweep(t, small)
	dir := t.TempDir()
	st, err := openStore(context.Background(), disk{}, dir, s, Shard{1, 1}, s.Len())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "shard-1-of-1.lock")); err != nil {
		t.Skip(err) // Windows keeps it
	}
	_, err = Run(context.Background(), s, dir, Options{})
	if _, refused := errors.AsType[Refusal](err); !refused || !strings.Contains(err.Error(), "shard 1/1 of "+dir+" is being written by another process") {
		t.Errorf("a second writer: %v", err)
	}
	if err := st.close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(context.Background(), s, dir, Options{}); err != nil {
		t.Errorf("after the first has ended: %v", err)
	}
}

// TestManifestLasts: a manifest that is there, though its name may not last yet, does so before there are results.
func TestManifestLasts(t *testing.T) {
	s := mustSweep(t, small)
	for seed := range uint64(10) {
		m := newMemory(seed)
		if err := makeFolder(m, "dir"); err != nil {
			t.Fatal(err)
		}
		m.failAt = m.calls + 7
		if err := writeManifest(m, "dir", manifestName, s); !errors.Is(err, errFault) || m.trace[m.failAt-1] != "syncdir" {
			t.Fatalf("%v after %v", err, m.trace)
		}
		if err := claim(context.Background(), m, "dir", s); err != nil {
			t.Fatal(err)
		}
		if _, err := readManifest(Studies(), m.powerCut(), "dir"); err != nil {
			t.Fatal(err)
		}
	}
}

// TestLinks: a link in the folder does not have another file written to.
func TestLinks(t *testing.T) {
	s := mustSweep(t, small)
	for _, name := range []string{"shard-1-of-1.jsonl", "shard-1-of-1.log", "shard-1-of-1.lock", "manifest.lock", manifestName + ".new"} {
		dir := t.TempDir()
		precious := filepath.Join(t.TempDir(), "precious")
		if err := os.WriteFile(precious, []byte("precious"), 0o644); err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(name, "shard") {
			if err := writeManifest(disk{}, dir, manifestName, s); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Symlink(precious, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
		_, err := Run(context.Background(), s, dir, Options{})
		if err == nil || !strings.Contains(err.Error(), name+" is no regular file") {
			t.Errorf("%s: %v", name, err)
		}
		if text, err := os.ReadFile(precious); err != nil || string(text) != "precious" {
			t.Errorf("%s: the file holds %q, %v", name, text, err)
		}
	}
}

// TestNotOurs: a file of results that does not begin like one is left alone, as is a folder without a manifest.
func TestNotOurs(t *testing.T) {
	s := mustSweep(t, small)
	dir := t.TempDir()
	path := filepath.Join(dir, "shard-1-of-1.jsonl")
	if err := os.WriteFile(path, []byte("precious"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := Run(context.Background(), s, dir, Options{})
	if _, refused := errors.AsType[Refusal](err); !refused || !strings.Contains(err.Error(), "shard-1-of-1.jsonl and no manifest.json") {
		t.Errorf("without a manifest: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, manifestName)); err == nil {
		t.Error("the folder was claimed")
	}
	if err := writeManifest(disk{}, dir, manifestName, s); err != nil {
		t.Fatal(err)
	}
	_, err = Run(context.Background(), s, dir, Options{})
	if corrupt, ok := errors.AsType[*CorruptError](err); !ok || corrupt.Path != path || corrupt.Line != 1 {
		t.Errorf("no beginning of a header: %v", err)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "precious" {
		t.Errorf("the file holds %q, %v", text, err)
	}
}
