package selector_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"breadboard/chains/selector"
	"breadboard/grid/longtest"
)

// packText returns a text as gzip packs it.
func packText(t *testing.T, text string) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	longtest.Must(io.WriteString(w, text))(t)
	longtest.NoError(t, w.Close())
	return b.Bytes()
}

// TestUnpacked: what gzip has compressed is read unpacked, whatever its name, and the limit is of
// what it is unpacked.
func TestUnpacked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.csv.gz")
	text := strings.Repeat("1,2\n", 1000)
	packed := packText(t, text)
	for _, c := range []struct {
		data  []byte
		limit int64
		want  string
		err   string
	}{
		{packText(t, "\x00\x00"), 4000, "", "a.csv.gz begins with zero bytes; write it again"},
		{packed, 4000, text, ""}, {packed, 3999,
			"", "a.csv.gz ends with the unpacked size 4000 bytes, and at most 3999 bytes are read"},
		{append(bytes.Clone(packed), packed...), 7999, "",
			"a.csv.gz is larger unpacked than such a file may be"},
		// nothing is unpacked
		{slices.Concat(packed[:12], []byte("no"), packed[14:]), 3999, "", "ends with the unpacked size"},
		// as cat joins two
		{append(bytes.Clone(packed), packed...), 8000, text + text, ""},
		{packed[:len(packed)-9], 4000, "", "a.csv.gz cannot be unpacked: unexpected EOF; is it cut off?"},
		{[]byte("\x1f\x8bno"), 4000, "", "a.csv.gz cannot be unpacked: unexpected EOF; is it cut off?"},
		{[]byte("\x1f"), 4000, "\x1f", ""},
		{[]byte("1,2"), 4000, "1,2", ""},
	} {
		longtest.NoError(t, os.WriteFile(path, c.data, 0o600))
		data, err := selector.ReadFile(path, c.limit)
		if c.err != "" {
			longtest.Refused(t, err, c.err)
		} else if err != nil || string(data) != c.want {
			t.Errorf("%d bytes, %v, want %d", len(data), err, len(c.want))
		}
	}
	for _, data := range [][]byte{packed, []byte(text)} {
		longtest.NoError(t, os.WriteFile(path, data, 0o600))
		f := longtest.Must(selector.OpenFile(path, 1<<20))(t)
		places := longtest.Must(f.Places(4000))(t)
		var part [3]byte
		if _, err := places.ReadAt(part[:], 3998); places.Size() != 4000 || string(part[:2]) != "2\n" ||
			err != io.EOF {
			t.Errorf("%d bytes, %q, %v", places.Size(), part, err)
		}
		longtest.NoError(t, f.Close())
	}
	longtest.NoError(t, os.WriteFile(path, packed, 0o600))
	f := longtest.Must(selector.OpenFile(path, 1<<20))(t)
	longtest.Refuses(f.Places(3999))(t, "ends with the unpacked size")
	longtest.NoError(t, f.Close())
	for path, want := range map[string]string{
		"a.BIF.gz": ".bif", "b.csv": ".csv", "c.gz": "", "d": "", "e/f.tra.GZ": ".tra"} {
		if got := selector.Ending(path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}
