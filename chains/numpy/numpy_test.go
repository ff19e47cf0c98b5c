package numpy_test

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains/numpy"
	"breadboard/grid/longtest"
)

// TestRoundTrip: what is written reads back to the same bits in the same shape, alone and in an
// archive.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		shape := rapid.SliceOfN(rapid.IntRange(1, 4), 0, 4).Draw(t, "shape")
		n := 1
		for _, side := range shape {
			n *= side
		}
		values := rapid.SliceOfN(rapid.Float64(), n, n).Draw(t, "values")
		data := numpy.Floats(values, shape...)
		var archive bytes.Buffer
		longtest.NoError(t, numpy.WriteArchive(&archive,
			[]numpy.Member{{Name: "other", Data: numpy.Integers([]int{7}, 1)}, {Name: "v", Data: data}}))
		again, err := numpy.ReadMember(bytes.NewReader(archive.Bytes()), int64(archive.Len()), "v", numpy.Size(n))
		if err != nil || !bytes.Equal(again, data) {
			t.Fatal(err)
		}
		a := longtest.Must(numpy.Parse(again))(t)
		got, err := a.Floats()
		if err != nil || fmt.Sprint(a.Shape) != fmt.Sprint(shape) || len(got) != n {
			t.Fatal(a.Shape, got, err)
		}
		for i, v := range got {
			if math.Float64bits(v) != math.Float64bits(values[i]) {
				t.Fatalf("%v at %d, want %v", v, i, values[i])
			}
		}
	})
}

// TestBytes: the header is that of NumPy's own writer, and begins the numbers at a multiple of 64
// bytes.
func TestBytes(t *testing.T) {
	for text, got := range map[string][]byte{
		"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 1), }": numpy.Floats([]float64{1, 2}, 2, 1),
		"{'descr': '<i8', 'fortran_order': False, 'shape': (2,), }":   numpy.Integers([]int{1, -2}, 2),
		"{'descr': '<f8', 'fortran_order': False, 'shape': (), }":     numpy.Floats([]float64{1}),
		"{'descr': '<U3', 'fortran_order': False, 'shape': (2,), }":   numpy.Texts([]string{"", "a\u03b2\U0001f600"}, 2),
	} {
		at := 10 + int(binary.LittleEndian.Uint16(got[8:]))
		if at%64 != 0 || strings.TrimSpace(string(got[10:at])) != text ||
			string(got[:8]) != "\x93NUMPY\x01\x00" || got[at-1] != '\n' {
			t.Errorf("%q: %q", text, got[:at])
		}
	}
	texts := numpy.Texts([]string{"", "a\u03b2\U0001f600"}, 2)
	if got := fmt.Sprintf("%x", texts[len(texts)-24:]); got != "000000000000000000000000"+"61000000b203000000f60100" {
		t.Errorf("texts are %s", got)
	}
	defer func() {
		if recover() == nil {
			t.Error("a shape of other elements is written")
		}
	}()
	numpy.Floats([]float64{1, 2}, 3)
}

// TestArchiveBytes: the same arrays are the same bytes, which have no time in them.
func TestArchiveBytes(t *testing.T) {
	var b bytes.Buffer
	longtest.NoError(t, numpy.WriteArchive(&b, []numpy.Member{{Name: "a", Data: numpy.Floats([]float64{1})}}))
	r := longtest.Must(zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len())))(t)
	if f := r.File[0]; f.Method != zip.Store || f.ModifiedDate != 0 || f.ModifiedTime != 0 {
		t.Errorf("%+v", f.FileHeader)
	}
}

// entry is a file of an archive as a hostile writer makes it.
type entry struct {
	name       string
	compressed []byte
	says       uint64 // the size that the archive promises
	method     uint16
}

func hostile(t *testing.T, entries ...entry) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, e := range entries {
		header := zip.FileHeader{
			Name:               e.name,
			Method:             e.method,
			UncompressedSize64: e.says,
			CompressedSize64:   uint64(len(e.compressed)),
		}
		longtest.Must(longtest.Must(w.CreateRaw(&header))(t).Write(e.compressed))(t)
	}
	longtest.NoError(t, w.Close())
	return b.Bytes()
}

// deflated returns that many zeros, compressed.
func deflated(t *testing.T, zeros int64) []byte {
	t.Helper()
	var b bytes.Buffer
	w := longtest.Must(flate.NewWriter(&b, flate.BestCompression))(t)
	longtest.Must(io.CopyN(w, zeroes{}, zeros))(t)
	longtest.NoError(t, w.Close())
	return b.Bytes()
}

type zeroes struct{}

func (zeroes) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// TestHostileArchives: what an archive says of its sizes is not believed, and no memory is taken
// for what is refused.
func TestHostileArchives(t *testing.T) {
	longtest.Only(t)
	const limit = 1 << 16
	bomb := deflated(t, 32<<20)
	many := make([]entry, 30_000)
	for i := range many {
		many[i] = entry{name: fmt.Sprintf("an array with a name %06d.npy", i)}
	}
	two := hostile(t, entry{name: "a.npy"}, entry{name: "a.npy"}, entry{name: "readme.txt"})
	good := hostile(t, entry{name: "a.npy", compressed: []byte("12345"), says: 5})
	var whole bytes.Buffer
	longtest.NoError(t, numpy.WriteArchive(&whole, []numpy.Member{{Name: "a", Data: []byte("12345")}}))
	damaged := bytes.Replace(whole.Bytes(), []byte("12345"), []byte("12354"), 1)
	for name, c := range map[string]struct {
		data []byte
		key  string
		want string
	}{
		"a bomb that says so": {
			hostile(t, entry{"a.npy", bomb, 32 << 20, zip.Deflate}), "a", "it has more than 65536 bytes"},
		"a bomb that does not": {hostile(t, entry{"a.npy", bomb, 100, zip.Deflate}), "a", "damaged"},
		"more than the largest": {
			hostile(t, entry{"a.npy", bomb, 1 << 62, zip.Deflate}), "a", "it has more than 65536 bytes"},
		"less than it says": {
			hostile(t, entry{"a.npy", deflated(t, 10), 1000, zip.Deflate}), "a", "cut off or damaged"},
		"more than its header states": {
			hostile(t, entry{"a.npy", slices.Concat(numpy.Floats(make([]float64, 8), 8), make([]byte, 999)),
				64 + 128 + 999, zip.Store}), "a", "the header states 8 numbers in 64 bytes"},
		"an unknown method": {hostile(t, entry{"a.npy", nil, 0, 99}), "a", "unsupported"},
		"many arrays": {
			hostile(t, many...), "a", "the directory of the archive takes more than 1048576 bytes"},
		"two of one name":     {two, "a", "two arrays of the name"},
		"several, and no key": {two, "", "has 2 arrays"},
		"no array":            {hostile(t, entry{name: "readme.txt"}), "", "no arrays"},
		"another key":         {good, "b", `no array "b"; it has a`},
		"a wrong sum":         {damaged, "", "damaged"},
		"no archive":          {[]byte("PK\x03\x04 not"), "a", "this is not a ZIP archive such as .npz"},
		"nothing":             {nil, "a", "this is not a ZIP archive such as .npz"},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := numpy.ReadMember(bytes.NewReader(c.data), int64(len(c.data)), c.key, limit)
		runtime.ReadMemStats(&after)
		longtest.Refused(t, err, c.want, name)
		if taken := after.TotalAlloc - before.TotalAlloc; taken > 16<<20 {
			t.Errorf("%s: %d bytes were allocated to refuse it", name, taken)
		}
	}
}

// TestPaths: which paths are of NumPy's formats, and what their files are.
func TestPaths(t *testing.T) {
	for path, want := range map[string]struct {
		is   bool
		file string
	}{
		"a.npy": {true, "a.npy"}, "A.NPY": {true, "A.NPY"}, "a.npz": {true, "a.npz"},
		"a.npz#k": {true, "a.npz"}, "a.npz#": {true, "a.npz"},
		`C:\d\a.npz#k`: {true, `C:\d\a.npz`}, "a#b.npz#k": {true, "a#b.npz"}, "a#b.csv": {false, "a#b.csv"},
		"a#b.npy": {true, "a#b.npy"},
		"a.csv":   {false, "a.csv"}, "": {false, ""}, "#": {false, "#"}, "npz": {false, "npz"},
	} {
		if numpy.Is(path) != want.is || numpy.FileOf(path) != want.file {
			t.Errorf("%q: %v, %q", path, numpy.Is(path), numpy.FileOf(path))
		}
		if want.file == "" {
			continue
		}
		if before, whole := numpy.CutFile("via:0.5:"+path, want.file); before != "via:0.5:" || whole != path {
			t.Errorf("%q is cut to %q and %q", path, before, whole)
		}
	}
}

// TestReadFile: an array is read from a file alone and from an archive, and no more than is
// allowed.
func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	big := filepath.Join(dir, "big.npz")
	alone := filepath.Join(dir, "alone.npy")
	var b bytes.Buffer
	longtest.NoError(t, numpy.WriteArchive(
		&b,
		[]numpy.Member{{Name: "k", Data: numpy.Floats(make([]float64, 20_000), 20_000)}},
	))
	for path, data := range map[string][]byte{big: b.Bytes(), alone: numpy.Floats([]float64{1, 2}, 2)} {
		longtest.NoError(t, os.WriteFile(path, data, 0o644))
	}
	for path, n := range map[string]int{big: 20_000, big + "#k": 20_000, alone: 2} {
		a, err := numpy.ReadFile(path, n)
		if err != nil || len(a.Shape) != 1 || a.Shape[0] != n {
			t.Errorf("%s: %v, %v", path, a, err)
		}
	}
	longtest.Refuses(numpy.ReadFile(big, 100))(t, "array k: it has more than 66336 bytes")
}

func FuzzParse(f *testing.F) {
	f.Add(numpy.Floats([]float64{1, 2}, 2, 1))
	f.Add(numpy.Texts([]string{"x"}, 1))
	f.Add([]byte("\x93NUMPY\x02\x00\xff\xff\xff\x7f{'descr'"))
	f.Add([]byte("\x93NUMPY\x01\x00\x46\x00{'descr': '<f8', 'fortran_order': True, 'shape': (99999999999, " +
		"9), }    \n12345678"))
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := numpy.Parse(data)
		if err != nil {
			return
		}
		values, err := a.Floats()
		if err != nil {
			return
		}
		n := 1
		for _, side := range a.Shape {
			n *= side
		}
		if len(values) != n {
			t.Fatalf("%d numbers of shape %v", len(values), a.Shape)
		}
	})
}

func FuzzReadMember(f *testing.F) {
	var b bytes.Buffer
	longtest.NoError(f, numpy.WriteArchive(&b, []numpy.Member{{Name: "a", Data: numpy.Floats([]float64{1})}}))
	f.Add(b.Bytes(), "a")
	f.Add(b.Bytes(), "")
	f.Add([]byte("PK\x05\x06"), "")
	f.Fuzz(func(t *testing.T, data []byte, key string) {
		const limit = 1 << 12
		if got, err := numpy.ReadMember(bytes.NewReader(data), int64(len(data)), key, limit); err == nil &&
			len(got) > limit {
			t.Fatalf("%d bytes were read", len(got))
		}
	})
}
