package selector_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"breadboard/chains/selector"
	"breadboard/grid/longtest"
)

func TestReadFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	for _, size := range []int{0, 1, 1000, 100_000} {
		want := bytes.Repeat([]byte("x"), size)
		longtest.NoError(t, os.WriteFile(path, want, 0o644))
		if got, err := selector.ReadFile(path, int64(size)); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%d bytes: %d, %v", size, len(got), err)
		}
		_, err := selector.ReadFile(path, int64(size)-1)
		if err == nil || !strings.Contains(err.Error(), path+" has "+selector.Bytes(int64(size))+", and at most ") {
			t.Errorf("%d bytes, one too many: %v", size, err)
		}
	}
	if _, err := selector.ReadFile(path+"-gone", 10); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
}

// TestLargeFileIsNotRead: the size decides, before a byte is read or room made for it.
func TestLargeFileIsNotRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "large")
	longtest.NoError(t, os.WriteFile(path, nil, 0o644))
	if err := os.Truncate(path, 8<<30); err != nil {
		t.Skip(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := selector.ReadFile(path, 512<<20)
	runtime.ReadMemStats(&after)
	if err == nil || !strings.Contains(err.Error(), "has 8590 MB, and at most 536.9 MB are read") {
		t.Errorf("8 GB: %v", err)
	}
	if bytes := after.TotalAlloc - before.TotalAlloc; bytes > 1<<20 {
		t.Errorf("%d bytes allocated to refuse a file", bytes)
	}
}

// TestFilesThatChange: what grows or is cut while it is read is never taken for a whole file, and ends.
func TestFilesThatChange(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	for what, change := range map[string]func() error{
		"grows":  func() error { return os.WriteFile(path, []byte("0123456789abc"), 0o644) },
		"is cut": func() error { return os.Truncate(path, 4) },
	} {
		open := func() *selector.File {
			longtest.NoError(t, os.WriteFile(path, []byte("0123456789"), 0o644))
			f := longtest.Must(selector.OpenFile(path, 10))(t)
			t.Cleanup(func() { f.Close() })
			if err := change(); err != nil {
				t.Skip(err)
			}
			return f
		}
		if data, err := open().ReadWhole(); !errors.Is(err, selector.ErrChanged) || !strings.Contains(err.Error(), path) {
			t.Errorf("a file that %s: %q, %v", what, data, err)
		}
		if data, err := io.ReadAll(open()); err != nil || !strings.HasPrefix("0123456789", string(data)) {
			t.Errorf("a file that %s, as a stream: %q, %v", what, data, err)
		}
	}
}
