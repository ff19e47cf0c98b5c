package selector_test

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"breadboard/chains/selector"
	"breadboard/grid/longtest"
)

// TestReadAt: any part of a file, independently of what is read from its beginning, and never more than it held when it was
// opened.
func TestReadAt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	longtest.NoError(t, os.WriteFile(path, []byte("0123456789"), 0o644))
	f := longtest.Must(selector.OpenFile(path, 10))(t)
	defer f.Close()
	check := func(at int64, n int, want string, wantErr error) {
		t.Helper()
		p := make([]byte, n)
		if got, err := f.ReadAt(p, at); string(p[:got]) != want || err != wantErr {
			t.Errorf("%d bytes from %d: %q, %v", n, at, p[:got], err)
		}
	}
	check(3, 4, "3456", nil)
	check(0, 10, "0123456789", nil)
	check(8, 4, "89", io.EOF)
	check(10, 1, "", io.EOF)
	check(1<<40, 1, "", io.EOF)
	if _, err := f.ReadAt(make([]byte, 1), -1); err == nil || err == io.EOF {
		t.Errorf("from -1: %v", err)
	}
	if data, err := f.ReadWhole(); err != nil || string(data) != "0123456789" {
		t.Errorf("the whole after parts: %q, %v", data, err)
	}
	if f.Size() != 10 {
		t.Errorf("size %d", f.Size())
	}
	longtest.NoError(t, os.WriteFile(path, []byte("0123456789abc"), 0o644))
	check(8, 4, "89", io.EOF) // what is added afterwards is not seen
	if err := os.Truncate(path, 4); err != nil {
		t.Skip(err)
	}
	check(2, 4, "23", io.EOF)
}
