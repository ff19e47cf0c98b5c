package files

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"breadboard/chains/numpy"
	"breadboard/grid/longtest"
)

// packed returns a text as gzip compresses it.
func packed(t interface{ Fatal(...any) }, text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := io.WriteString(w, text); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	return b.String()
}

// archive returns an archive of arrays.
func archive(t testing.TB, members ...numpy.Member) string {
	t.Helper()
	var b bytes.Buffer
	longtest.NoError(t, numpy.WriteArchive(&b, members))
	return b.String()
}

// places returns the numbers of the places of an array, by which it is seen where each of them
// went: 321 for [3,2,1].
func places(sides ...int) []byte {
	values := []float64{0}
	for _, side := range sides {
		var longer []float64
		for _, v := range values {
			for i := range side {
				longer = append(longer, 10*v+float64(i))
			}
		}
		values = longer
	}
	return numpy.Floats(values, sides...)
}

// TestArrays: arrays of all shapes are read as variables, chains and draws, alone, packed and from
// an archive, and it is noted how.
func TestArrays(t *testing.T) {
	one := numpy.Member{Name: "x", Data: places(2, 3, 2)}
	text := numpy.Member{Name: "names", Data: numpy.Texts([]string{"a"}, 1)}
	const doubt = "; if the draws come first, as emcee has them, give shape draws,chains"
	for _, c := range []struct {
		name, content string
		shape         Shape
		names         string
		values        [][][]float64
		says          string
	}{
		{"x.npy", string(places(3)), "", "x", [][][]float64{{{0, 1, 2}}}, ""},
		{"x.npy", string(places(2, 3)), "", "x", [][][]float64{{{0, 1, 2}, {10, 11, 12}}}, ""},
		{"x.npy", string(places(3, 2)), ChainsFirst, "x", [][][]float64{{{0, 1}, {10, 11}, {20, 21}}}, ""},
		{"x.npy", string(places(3, 2)), OneChain, "x[0] x[1]", [][][]float64{{{0, 10, 20}}, {{1, 11, 21}}}, ""},
		{"x.NPY.gz", packed(t, string(places(2, 3))), "", "x", [][][]float64{{{0, 1, 2}, {10, 11, 12}}}, ""},
		{"x.npy", string(places(2, 2, 2)), "", "x[0] x[1]", [][][]float64{{{0, 10}, {100, 110}}, {{1, 11}, {101, 111}}},
			"x.npy: x (2, 2, 2): read as 2 chains of 2 draws" + doubt},
		{"x.npy", string(places(3, 2, 1)), DrawsFirst, "x[0]", [][][]float64{{{0, 100, 200}, {10, 110, 210}}}, "x.npy: x (3, 2, 1): read as 2 chains of 3 draws"},
		{"x.npy", string(places(1, 2, 2, 2)), "", "x[0,0] x[0,1] x[1,0] x[1,1]", [][][]float64{{{0, 100}}, {{1, 101}}, {{10, 110}}, {{11, 111}}},
			"x.npy: x (1, 2, 2, 2): read as 1 chain of 2 draws" + doubt},
		{"a.npz", archive(t, one, text, numpy.Member{Name: "n", Data: numpy.Floats([]float64{1})}, numpy.Member{Name: "y", Data: places(2, 3)}), "", "x[0] x[1] y",
			[][][]float64{{{0, 10, 20}, {100, 110, 120}}, {{1, 11, 21}, {101, 111, 121}}, {{0, 1, 2}, {10, 11, 12}}},
			"a.npz: left out names (text, dtype <U1) and n (a single value); a.npz: x (2, 3, 2) and y (2, 3): read as 2 chains of 3 draws" + doubt},
		{"a.npz#y", archive(t, one, numpy.Member{Name: "y", Data: places(4)}), "", "y", [][][]float64{{{0, 1, 2, 3}}}, ""},
		{"a.npz", archive(t, numpy.Member{Name: "y", Data: places(3)}, numpy.Member{Name: "x", Data: places(3, 2)}), OneChain, "y x[0] x[1]",
			[][][]float64{{{0, 1, 2}}, {{0, 10, 20}}, {{1, 11, 21}}},
			"a.npz: y (3,) and x (3, 2): read as 1 chain of 3 draws"},
	} {
		dir := written(t, map[string]string{numpy.FileOf(c.name): c.content})
		d, err := readDraws(dir, DrawsOptions{Most: 100, Shape: c.shape}, c.name)
		if err != nil {
			t.Errorf("%s %s: %v", c.name, c.names, err)
			continue
		}
		says := d.Notes
		for _, doubt := range d.Doubts {
			says = append(says, strings.ReplaceAll(doubt.Error(), dir+string(filepath.Separator), ""))
		}
		if got := strings.Join(says, "; "); strings.Join(d.Names, " ") != c.names || !reflect.DeepEqual(d.Values, c.values) || got != c.says {
			t.Errorf("%s: %v are %v, %q", c.name, d.Names, d.Values, got)
		}
	}
}

// TestBadArrays: what is wrong with arrays of draws, and what to do.
func TestBadArrays(t *testing.T) {
	const shapes = "give shape draws,chains if it has 3 draws of 2 chains, as emcee has them, shape draws if it has 3 draws of one chain, or shape chains,draws if it has 2 draws of 3 chains"
	objects := npyFile("'|O'", "False", "(2,)", []byte("\x80\x04pickled")...)
	huge := npyFile("'<f8'", "False", "(1000000, 1000000)")
	for _, c := range []struct{ name, content, want string }{
		{"x.npy", string(places(3, 2)), ": found an array of shape (3, 2); " + shapes},
		{"a.npz", archive(t, numpy.Member{Name: "y", Data: places(3)}, numpy.Member{Name: "x", Data: places(3, 2)}),
			", column x: found an array of shape (3, 2); " + shapes},
		{"a.npz", archive(t, numpy.Member{Name: "y", Data: places(3)}, numpy.Member{Name: "x", Data: places(2, 3)}),
			", column x: found 2 chains of 3 draws, but y of $ has 1 chain of 3 draws; give arrays of one shape, (chains, draws), or diagnose them one by one, as in FILE.npz#NAME"},
		{"a.npz", archive(t, numpy.Member{Name: "o", Data: []byte(objects)}), ": found no draws, but o (Python objects, dtype |O); " + arrayForm},
		{"a.npz#o", archive(t, numpy.Member{Name: "o", Data: []byte(objects)}), ", column o: found Python objects, dtype |O; " + arrayForm},
		{"a.npz#z", archive(t, numpy.Member{Name: "o", Data: places(3)}),
			`: found an archive that cannot be read: the archive has no array "z"; it has o; write it again with numpy.savez`},
		{"a.npz", archive(t), ": found an archive that cannot be read: it has no arrays; write it again with numpy.savez"},
		{"a.npz", archive(t, numpy.Member{Name: "x", Data: places(2, 3)})[:200],
			": found an archive that cannot be read: this is not a ZIP archive such as .npz, or it is cut off (zip: not a valid zip file); write it again with numpy.savez"},
		{"a.npz", archive(t, numpy.Member{Name: "x", Data: []byte(huge)}),
			", column x: found more than 100 numbers; write fewer, such as every second one, or each chain by itself"},
		{"a.npz", archive(t, numpy.Member{Name: "x", Data: places(2, 3)[:130]}),
			", column x: found 2 bytes of numbers, but the header announces 48; write the file again with numpy.save"},
		{"a.npz", archive(t, numpy.Member{Name: "x", Data: []byte("no")}), `, column x: found no .npy file: it begins with "no"; write it with numpy.save`},
		{"a.npz", archive(t, numpy.Member{Name: "x", Data: places(10, 10)}, numpy.Member{Name: "y", Data: places(10, 10)}),
			", column y: found more than 100 numbers; write fewer, such as every second one, or each chain by itself"},
		{"x.npy.gz", packed(t, string(numpy.Floats(make([]float64, 20_000), 20_000))),
			": found a file that is larger unpacked than such a file may be; is it the right file? if so, make it smaller"},
	} {
		dir := written(t, map[string]string{numpy.FileOf(c.name): c.content})
		path := filepath.Join(dir, c.name)
		_, err := ReadDraws(t.Context(), []string{path}, DrawsOptions{Most: 100})
		if want := path + strings.ReplaceAll(c.want, "$", path); err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}

// TestShapeOfText: text has no shape.
func TestShapeOfText(t *testing.T) {
	const want = "a.csv: found a file that is no array of NumPy; leave shape out, which says what the sides of arrays are"
	path := write(t, "a.csv", "a\n1\n")
	_, err := ReadDraws(t.Context(), []string{path}, DrawsOptions{Most: 9, Shape: OneChain})
	longtest.Refused(t, err, want)
	_, err = OpenRows(t.Context(), path, nil, DrawsOptions{Shape: OneChain})
	longtest.Refused(t, err, want)
	_, err = Series(t.Context(), path, 9, OneChain)
	longtest.Refused(t, err, want)
}

// TestArraysThatAreNotFinite: such a draw is named, and the other variables are there.
func TestArraysThatAreNotFinite(t *testing.T) {
	dir := written(t, map[string]string{"a.npz": archive(t, numpy.Member{Name: "x", Data: numpy.Floats([]float64{1, 2, math.NaN(), math.Inf(1)}, 2, 2)},
		numpy.Member{Name: "y", Data: places(2, 2)})})
	d := longtest.Must(readDraws(dir, DrawsOptions{Most: 100}, "a.npz"))(t)
	if want := fmt.Sprintf("%s, draw 0 of chain 1, both counted from 0, column x: NaN, and 1 more", "a.npz"); d.NotFinite[0] != want || d.NotFinite[1] != "" {
		t.Errorf("%q", d.NotFinite)
	}
}

// TestArraysAsRows: arrays that are no plain rows have a column of chains, and as many elements as
// are asked for have the names that are given.
func TestArraysAsRows(t *testing.T) {
	dir := written(t, map[string]string{"x.npy": string(places(1, 2, 2)), "a.npz": archive(t, numpy.Member{Name: "y", Data: places(1, 2)})})
	named := func(given []string, columns int) []string {
		if given == nil && columns == 2 {
			return []string{"a", "b"}
		}
		return given
	}
	for name, want := range map[string]string{"x.npy": ".chain a b: 1 0 1: 1 10 11", "a.npz": ".chain y: 1 0: 1 1"} {
		r := longtest.Must(OpenRows(t.Context(), filepath.Join(dir, name), func(cells []string, _ string) bool { return cells[0] == ChainColumn },
			DrawsOptions{Names: named}))(t)
		got := strings.Join(r.Names(), " ")
		for {
			cells, err := r.Next(t.Context())
			if err != nil {
				break
			}
			got += ": " + string(bytes.Join(cells, []byte(" ")))
		}
		if got != want || len(r.Doubts())+len(r.Notes()) != map[string]int{"x.npy": 1}[name] {
			t.Errorf("%s: %s, %v %v", name, got, r.Notes(), r.Doubts())
		}
		longtest.NoError(t, r.Close())
	}
}

// TestPackedCoda: an index and chains that gzip has compressed are found beside each other.
func TestPackedCoda(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{"CODAindex.txt.gz": "a 1 2\nb 3 4\n", "CODAchain1.txt.gz": "1 5\n2 6\n1 7\n2 8\n",
		"CODAchain2.txt": "1 9\n2 1\n1 2\n2 3\n"} {
		if strings.HasSuffix(name, ".gz") {
			content = packed(t, content)
		}
		longtest.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600))
	}
	d := longtest.Must(readDraws(dir, DrawsOptions{Most: 100}, "CODAindex.txt.gz"))(t)
	if got := fmt.Sprint(d.Names, d.Values, d.Sources); got != "[a b] [[[5 6] [9 1]] [[7 8] [2 3]]] [CODAchain1.txt.gz CODAchain2.txt]" {
		t.Error(got)
	}
	longtest.NoError(t, os.WriteFile(filepath.Join(dir, "CODAchain1.txt.gz"), []byte(packed(t, "1 5\n2 6\n1 7\n2 8\n")[:20]), 0o600))
	_, err := readDraws(dir, DrawsOptions{Most: 100}, "CODAindex.txt.gz")
	longtest.Refused(t, err, "found a file that cannot be unpacked: unexpected EOF; is it cut off?")
}

func FuzzArrays(f *testing.F) {
	f.Add([]byte(archive(f, numpy.Member{Name: "x", Data: places(2, 3, 2)}, numpy.Member{Name: "names", Data: numpy.Texts([]string{"a"}, 1)})), "", true)
	f.Add(places(3, 2), string(DrawsFirst), false)
	f.Add([]byte("PK\x05\x06"), string(OneChain), true)
	f.Fuzz(func(t *testing.T, data []byte, shape string, zipped bool) {
		name := map[bool]string{false: "a.npy", true: "a.npz"}[zipped]
		d, err := readDraws(written(t, map[string]string{name: string(data)}), DrawsOptions{Most: 1000, Shape: Shape(shape)}, name)
		if err != nil {
			return
		}
		total := 0
		for _, chains := range d.Values {
			for _, x := range chains {
				total += len(x)
			}
		}
		if total > 1000 || len(d.Names) != len(d.Values) {
			t.Fatalf("%d numbers of %v", total, d.Names)
		}
	})
}
