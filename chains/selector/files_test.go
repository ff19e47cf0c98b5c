package selector_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"breadboard/chains/selector"
	"breadboard/grid/longtest"
)

func TestReadSelectedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	for _, size := range []int{0, 1, 100_000} {
		want := bytes.Repeat([]byte("x"), size)
		longtest.NoError(t, os.WriteFile(path, want, 0o644))
		if got, err := selector.ReadFile(path, int64(size)); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%d bytes: %d, %v", size, len(got), err)
		}
		longtest.Refuses(selector.ReadFile(path, int64(size)-1))(t,
			path+" has "+selector.Bytes(int64(size))+", and at most ")
	}
	if _, err := selector.ReadFile(path+"-gone", 10); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
}

// TestLargeFileIsNotRead: the size decides, before a byte is read or room made for it.
func TestLargeFileIsNotRead(t *testing.T) {
	path := longtest.File(t, "large", "")
	if err := os.Truncate(path, 8<<30); err != nil {
		t.Skip(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := selector.ReadFile(path, 512<<20)
	runtime.ReadMemStats(&after)
	longtest.Refused(t, err, "has 8590 MB, and at most 536.9 MB are read")
	if bytes := after.TotalAlloc - before.TotalAlloc; bytes > 1<<20 {
		t.Errorf("%d bytes allocated to refuse a file", bytes)
	}
}

// TestFilesThatChange: what grows or is cut while it is read is never taken for a whole file, and
// ends.
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
		if data, err := open().ReadWhole(); !errors.Is(err, selector.ErrChanged) ||
			!strings.Contains(err.Error(), path) {
			t.Errorf("a file that %s: %q, %v", what, data, err)
		}
		if data, err := io.ReadAll(open()); err != nil || !strings.HasPrefix("0123456789", string(data)) {
			t.Errorf("a file that %s, as a stream: %q, %v", what, data, err)
		}
	}
}

// TestReadBeside: a file that another one names is read in the folder of that one and below it, and
// nowhere else, links followed.
func TestReadBeside(t *testing.T) {
	folder := t.TempDir()
	home := filepath.Join(folder, "home")
	write := func(path, text string) {
		longtest.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		longtest.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	write(filepath.Join(home, "points.csv"), "inside")
	write(filepath.Join(home, "below", "points.csv"), "below")
	write(filepath.Join(folder, "secret.csv"), "outside")
	for link, to := range map[string]string{"in": "below/points.csv", "out": "../secret.csv",
		"absolute": filepath.Join(folder, "secret.csv"), "up": ".."} {
		if err := os.Symlink(to, filepath.Join(home, link)); err != nil {
			t.Skip(err)
		}
	}
	model := filepath.Join(home, "model.toml") // which need not be there
	for name, want := range map[string]string{
		"points.csv": "inside", "./points.csv": "inside", "below/points.csv": "below",
		"below/../points.csv": "inside", "in": "below"} {
		data, err := selector.ReadBeside(model, name, 10)
		if err != nil || string(data) != want {
			t.Errorf("%s: %q, %v", name, data, err)
		}
		if path, err := selector.Beside(model, name); err != nil || path != filepath.Join(home, name) {
			t.Errorf("%s stands at %s, %v", name, path, err)
		}
	}
	for name, want := range map[string]string{
		"../secret.csv":                     "does not stand in the folder of",
		"below/../../secret.csv":            "does not stand in the folder of",
		"..":                                "does not stand in the folder of",
		filepath.Join(folder, "secret.csv"): "does not stand in the folder of",
		"":                                  "does not stand in the folder of",
		"out":                               "must stand in its folder or below it, links followed",
		"absolute":                          "links followed",
		"up/secret.csv":                     "links followed",
		"below":                             "is not a regular file but a folder",
		".":                                 "is not a regular file but a folder",
		"none.csv":                          "no such file",
	} {
		data, err := selector.ReadBeside(model, name, 10)
		if err == nil || data != nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %q, error %v, want one with %q", name, data, err, want)
		}
	}
	if _, err := selector.ReadBeside(model, "none.csv", 10); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	longtest.Refuses(selector.ReadBeside(model, "points.csv", 5))(t,
		filepath.Join(home, "points.csv")+" has 6 bytes, and at most 5 bytes are read")
	if _, err := selector.ReadBeside(
		filepath.Join(folder, "nowhere", "model.toml"),
		"points.csv",
		5,
	); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// TestZerosAreNotRead: a file of any size is refused by its first bytes.
func TestZerosAreNotRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.npy")
	for _, size := range []int64{1, 1 << 30} {
		longtest.NoError(t, os.WriteFile(path, nil, 0o644))
		longtest.NoError(t, os.Truncate(path, size))
		_, err := selector.OpenFile(path, 1<<40)
		longtest.Refused(t, err, path+" begins with zero bytes; write it again")
	}
}

// TestParquetIsNotRead: whatever its name, and the message has the line that converts it, where the
// path can stand in one.
func TestParquetIsNotRead(t *testing.T) {
	const line = `python3 -c "import pandas; pandas.read_parquet('%[1]s').to_csv('%[1]s.csv', index=False)"`
	t.Chdir(t.TempDir())
	for name, in := range map[string]string{"draws.csv": "draws.csv", "it's.csv": "FILE", "$HOME": "FILE"} {
		longtest.NoError(t, os.WriteFile(name, []byte("PAR1 and more"), 0o644))
		want := name + " is Parquet, which is not read; convert it with pandas, as in " +
			fmt.Sprintf(line, in)
		if _, err := selector.OpenFile(name, 100); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestParseBytes: numbers of bytes have units of a thousand each, and what is no such number is
// refused.
func TestParseBytes(t *testing.T) {
	for text, want := range map[string]float64{
		"1GB": 1e9, "1.5 MB": 1.5e6, "20kB": 2e4, "20KB": 2e4, "2TB": 2e12, "1e6": 1e6, "7B": 7} {
		if got, err := selector.ParseBytes(text); err != nil || got != want {
			t.Errorf("%s is %v, %v; want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "GB", "1XB", "1G", "-1MB", "0", "1GBB", "inf"} {
		longtest.Refuses(selector.ParseBytes(text))(t,
			"is not a number of bytes; write a number above 0 and kB, MB, GB or TB",
			text,
		)
	}
}
