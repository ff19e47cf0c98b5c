package files

import (
	"archive/zip"
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// zipped returns an archive of texts by name, in the order of the pairs.
func zipped(t testing.TB, pairs ...string) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(pairs); i += 2 {
		longtest.Must(longtest.Must(w.Create(pairs[i]))(t).Write([]byte(pairs[i+1])))(t)
	}
	longtest.NoError(t, w.Close())
	return b.String()
}

// TestChainsInJSON: posteriordb's form is read, plain, packed by gzip and zipped, with the
// variables in any order.
func TestChainsInJSON(t *testing.T) {
	const text = "[{\"mu\": [0.5, -1e3, null], \"theta[1]\":[1,2,\"NA\"]},\n {\"theta[1]\": [4, 5,6], \"mu\": [1,NaN, true]}]\n"
	const want = "[mu theta[1]] [[[0.5 -1000 NaN] [1 NaN 1]] [[1 2 NaN] [4 5 6]]]"
	for name, content := range map[string]string{"a.json": text, "a.json.gz": packed(t, text), "a.json.zip": zipped(t, "../../a.json", text, "__MACOSX/a", "x")} {
		d, err := readDraws(written(t, map[string]string{name: content}), DrawsOptions{Most: 100}, name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := fmt.Sprint(d.Names, d.Values); got != want || strings.Join(d.Sources, "; ") != name+", chain 1; "+name+", chain 2" ||
			d.NotFinite[0] != name+", chain 1, draw 3, column mu: NA, and 1 more" {
			t.Errorf("%s: %s of %q, %q", name, got, d.Sources, d.NotFinite)
		}
	}
	two := longtest.Must(readDraws(written(t, map[string]string{"a.json": `[{"x": [1, 2]}]`, "b.json": `[{"x": [3, 4]}]`}), DrawsOptions{Most: 100},
		"a.json", "b.json"))(t)
	if got := fmt.Sprint(two.Values); got != "[[[1 2] [3 4]]]" {
		t.Error(got)
	}
}

// TestBadChainsInJSON: what is wrong with draws in JSON.
func TestBadChainsInJSON(t *testing.T) {
	const ending = "; write the file again: it may be cut off"
	for _, c := range []struct{ content, want string }{
		{`{"posterior": {}}`, ` found JSON that is no list of chains, "{\"posterior\": {}}"; ` + chainsForm},
		{`[1, 2]`, `!PATH, chain 1: found a list of something else than chains, "1, 2]"; ` + chainsForm},
		{`[]`, " found no chains; " + chainsForm},
		{`[{}]`, "!PATH, chain 1: found no variables; " + chainsForm},
		{`[{"a": 1}]`, `, chain 1, column a: found no list of draws, "1}]"; ` + chainsForm},
		{`[{"a": [[1, 2]]}]`, `, chain 1, column a: found a list of lists, "[1, 2]]}]"; write a list of draws for each element, as in theta[1] and theta[2]`},
		{`[{"a": [1, 2]}, {"a": [1, 2], "b": [1, 2]}]`, ", chain 2, column b: found a variable that the first chain does not have; give chains of one model"},
		{`[{"a": [1, 2], "b": [1, 2]}, {"a": [1, 2]}]`, ", chain 2, column b: found 0 draws, where a has 2; write as many draws of each variable"},
		{`[{"a": [1, 2], "b": [1]}]`, ", chain 1, column b: found 1 draw, where a has 2; write as many draws of each variable"},
		{`[{"a": []}]`, ", chain 1, column a: found 0 draws, where a has 0; write as many draws of each variable"},
		{`[{"a": [1], "a": [1]}]`, ", chain 1, column a: found the name twice; keep one of them"},
		{`[{"a": [1]}, {"a": [1, 2]}]`, "!PATH, chain 1: found 1 draw, and 2 in another chain; give chains of one length, or leave this one out"},
		{`[{"a": [1, 2`, ` found text that is no JSON from byte 13 on, ""` + ending},
		{`[{"a": [1, 2]}] x`, ` found text that is no JSON from byte 17 on, "x"` + ending},
		{`[{"a": [1, 02]}]`, ` found text that is no JSON from byte 12 on, "02]}]"` + ending},
		{"", ` found JSON that is no list of chains, ""; ` + chainsForm},
		{`[{"a": [` + strings.Repeat("1,", 200) + `1]}]`, "!PATH, chain 1: found more than 100 numbers; write fewer, such as every second one, or each chain by itself"},
	} {
		path := filepath.Join(written(t, map[string]string{"a.json": c.content}), "a.json")
		_, err := ReadDraws(t.Context(), []string{path}, DrawsOptions{Most: 100})
		want := strings.ReplaceAll(c.want, "PATH", path)
		switch want[0] {
		case '!':
			want = want[1:]
		case ' ':
			want = path + ":" + want
		default:
			want = path + want
		}
		if err == nil || err.Error() != want {
			t.Errorf("%s\ngot  %v\nwant %s", c.content, err, want)
		}
	}
	for content, want := range map[string]string{
		zipped(t, "a.json", "[]", "b.json", "[]"): "the archive has 2 files that end in .json, and one is read",
		zipped(t, "a.csv", ""):                    "the archive has 0 files that end in .json", "PK": "this is not a ZIP archive",
		zipped(t, "a.json", `[{"a": [1, 2]}]`)[:60]: "this is not a ZIP archive",
	} {
		_, err := readDraws(written(t, map[string]string{"a.json.zip": content}), DrawsOptions{Most: 100}, "a.json.zip")
		longtest.Refused(t, err, want)
	}
}

// TestUnreadFormats: a format that is known and not read is named, with what converts it.
func TestUnreadFormats(t *testing.T) {
	for name, want := range map[string]string{
		"a.nc": `found a netCDF file, as ArviZ writes InferenceData, which cannot be read; diagnose it in Python: import arviz, breadboard; breadboard.diagnose(arviz.from_netcdf("FILE.nc"))`,
		"a.H5": "found an HDF5 file", "a.RData": "found a file of R's own", "a.pkl": "can run any code",
	} {
		_, err := readDraws(written(t, map[string]string{name: "\x89HDF"}), DrawsOptions{Most: 100}, name)
		longtest.Refused(t, err, want)
	}
	for _, content := range []string{"\x89HDF\r\n\x1a\n", "CDF\x01abcd"} {
		_, err := readDraws(written(t, map[string]string{"a.csv": content}), DrawsOptions{Most: 100}, "a.csv")
		longtest.Refused(t, err, "breadboard.diagnose(arviz.from_netcdf(FILE))")
	}
}

func FuzzChainsInJSON(f *testing.F) {
	f.Add(`[{"a": [1, null, "NA"], "b": [1, 2, 3]}, {"b": [1, 2, 3], "a": [NaN, -Infinity, 1e999]}]`)
	f.Add(`[{"a": [[1]]}]`)
	f.Add(`{"a": [`)
	f.Fuzz(func(t *testing.T, content string) {
		d, err := readDraws(written(t, map[string]string{"a.json": content}), DrawsOptions{Most: 1000}, "a.json")
		if err != nil {
			return
		}
		for i := range d.Names {
			for _, x := range d.Values[i] {
				if len(x) != len(d.Values[0][0]) || len(x) == 0 {
					t.Fatalf("%v", d.Values)
				}
			}
		}
	})
}
