package sandwich

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// savedIn saves the data sets of options in a folder and reads them again.
func savedIn(t *testing.T, dir string, o Options) []Given {
	t.Helper()
	given := longtest.Must(Simulate(context.Background(), o))(t)
	files := longtest.Must(Save(given))(t)
	for _, f := range files {
		longtest.NoError(t, os.WriteFile(filepath.Join(dir, f.Name), f.Text, 0o644))
	}
	return longtest.Must(ReadSaved(dir))(t)
}

// rewrite changes the text of a file, and fails if nothing changes.
func rewrite(t *testing.T, path string, change func(text string) string) {
	t.Helper()
	text := longtest.Must(os.ReadFile(path))(t)
	changed := change(string(text))
	if changed == string(text) {
		t.Fatalf("%s is as it was", path)
	}
	longtest.NoError(t, os.WriteFile(path, []byte(changed), 0o644))
}

// TestSavedDataGiveTheSameNumbers: every bit of every row, read from the folder or from its
// description.
func TestSavedDataGiveTheSameNumbers(t *testing.T) {
	o := tiny()
	dir := t.TempDir()
	o.Models = []string{"clustering:2:3:0.7", "lowrank:2:1:2:0.1", "binary:2:0.3:1:2"}
	o.Seed = 7
	want := longtest.Must(ask(context.Background(), o, nil))(t)
	read := Options{Given: savedIn(t, dir, o), T: o.T, Scans: o.Scans, Chains: o.Chains}
	drawn, _ := chainsOf(o)
	if n, err := chainsOf(read); n != drawn || err != nil {
		t.Errorf("%d chains, and %d on data that are drawn; %v", n, drawn, err)
	}
	read.Given = longtest.Must(ReadSaved(filepath.Join(dir, SavedName)))(t)
	got := longtest.Must(ask(context.Background(), read, nil))(t)
	bits := func(r Row) (b []uint64) {
		for _, v := range []float64{r.Lower, r.LowerSE, r.Upper, r.UpperSE, r.B, r.BSE, r.LogZ, r.LogZSE} {
			b = append(b, math.Float64bits(v))
		}
		return b
	}
	if len(got) != len(want) || !slices.EqualFunc(timeless(got), timeless(want), alike) {
		t.Fatalf("%d rows and %d of data that are drawn, or others", len(got), len(want))
	}
	for i := range got {
		if !slices.Equal(bits(got[i]), bits(want[i])) {
			t.Errorf("row %d: %+v, and of data that are drawn %+v", i, got[i], want[i])
		}
	}
}

// TestSavedFactorsMadeTheData: what the product of the tables u and v leaves of 50 by 25 numbers
// has the variance of the noise. Its mean square has a standard deviation of 4% of it, so that it
// is 20% off once in a million.
func TestSavedFactorsMadeTheData(t *testing.T) {
	o := tiny()
	o.Models = []string{"lowrank:3:1:2:0.25"}
	o.Rows = 50
	o.Columns = 25
	o.Datasets = 1
	given := savedIn(t, t.TempDir(), o)
	d := given[0].Data
	u := d.draw["u"]
	v := d.draw["v"]
	sum := 0.0
	for i, row := range d.Rows {
		for j, y := range row {
			for k := range v {
				y -= u[i][k] * v[k][j]
			}
			sum += y * y / (50 * 25)
		}
	}
	if !(math.Abs(sum-0.25) <= 0.2*0.25) {
		t.Errorf("the mean square of the noise is %v", sum)
	}
}

// TestReverseStartsAtTheSavedDraw: another exact draw in the folder moves the upper ends, and not
// the lower ones.
func TestReverseStartsAtTheSavedDraw(t *testing.T) {
	for name, c := range map[string]struct {
		file string
		swap *strings.Replacer
	}{
		"clustering:2": {"clustering-2_1_z.csv", strings.NewReplacer("0", "1", "1", "0")},
		"lowrank:2":    {"lowrank-2_1_v.csv", strings.NewReplacer("1", "2", "2", "1")},
		"binary:2":     {"binary-2_1_z.csv", strings.NewReplacer("0", "1", "1", "0")},
	} {
		o := tiny()
		dir := t.TempDir()
		o.Models = []string{name}
		o.Datasets = 1
		ends := func(given []Given) (lower, upper float64) {
			rows := longtest.Must(ask(context.Background(), Options{Given: given, Scans: []int{0}, Chains: 1}, nil))(t)
			return rows[0].Lower, rows[0].Upper
		}
		lower, upper := ends(savedIn(t, dir, o))
		rewrite(t, filepath.Join(dir, c.file), func(text string) string {
			// to change all rows would only give the clusters other names
			first, rest, _ := strings.Cut(text, "\n")
			return c.swap.Replace(first) + "\n" + rest
		})
		given := longtest.Must(ReadSaved(dir))(t)
		if l, u := ends(given); l != lower || u == upper {
			t.Errorf("%s: the ends were %v and %v, and from another draw they are %v and %v", name, lower,
				upper, l, u)
		}
	}
}

// TestMeasuredDataHaveNoUpperEnd: the same data without their draw have the same lower ends to the
// bit, and nothing that would need a draw.
func TestMeasuredDataHaveNoUpperEnd(t *testing.T) {
	o := tiny()
	o.Models = []string{"clustering:2"}
	o.Datasets = 1
	want := longtest.Must(ask(context.Background(), o, nil))(t)
	given := longtest.Must(
		Measured([]string{"clustering:2", "binary:1"}, savedIn(t, t.TempDir(), o)[0].Data.Rows, o.Seed),
	)(t)
	measured := Options{Given: given, T: o.T, Scans: o.Scans, Chains: o.Chains}
	got, err := ask(context.Background(), measured, nil)
	drawn, _ := chainsOf(o)
	if n, _ := chainsOf(measured); err != nil || len(got) != 2*len(want) || n != drawn {
		t.Fatalf("%v, %d rows for two models and %d for one, %d chains", err, len(got), len(want), n)
	}
	for i, r := range got {
		if i < len(want) && (r.Lower != want[i].Lower || r.LowerSE != want[i].LowerSE) {
			t.Errorf("lower is %v, and with a draw %v", r.Lower, want[i].Lower)
		}
		if !r.Forward || !math.IsNaN(r.Upper) || !math.IsNaN(r.B) || !math.IsNaN(r.LogZ) || r.Settled != 0 ||
			len(r.Notes) != 1 || !(r.Seconds > 0) {
			t.Errorf("%+v", r)
		}
	}
	if found := Findings(got); len(found) != 2 ||
		!strings.Contains(found[0], "upper, B and log p(y) are not available") {
		t.Errorf("%q", found)
	}
}

// TestSavedDataAreRefused: each way to spoil a folder, with words that say which file, and what is
// wrong there.
func TestSavedDataAreRefused(t *testing.T) {
	longtest.Only(t)
	o := tiny()
	o.Models = []string{"clustering:2", "lowrank:2"}
	for want, change := range map[string][3]string{ // a file, and what is replaced in it by what
		"describes no data sets: invalid":                       {SavedName, `"sets"`, `sets`},
		`unknown field "modl"`:                                  {SavedName, `"model"`, `"modl"`},
		"unknown model \"clustring:2\"":                         {SavedName, "clustering:2", "clustring:2"},
		"data set 1 of the list: the table z of the exact draw": {"clustering-2_1_z.csv", "\n", ",0\n"},
		"has 2 rows and 5 columns; the model and its data":      {"lowrank-2_1_v.csv", "\n", ",0\n"},
		"a whole number from 0 to 1":                            {"clustering-2_1_z.csv", "\n", ".5\n"},
		"the description says 5 and 4":                          {"lowrank-2_2_y.csv", "\n", ",0\n"},
		"the exact draw has no table u":                         {SavedName, `"u":`, `"w":`},
		"data set 1 of model clustering:2 occurs twice":         {SavedName, `"data": 2`, `"data": 1`},
		"data set 2 of the list: data is 0":                     {SavedName, `"data": 2`, `"data": 0`},
		"no such file": {
			SavedName, "clustering-2_1_y.csv", "gone.csv"},
		"line 1, column 1": {"clustering-2_1_y.csv", ",", "x,"},
		"with and without an exact draw are mixed, as data set 2 of model clustering:2 shows": {SavedName,
			"\"exact_draw\": {\n        \"z\": \"clustering-2_2_z.csv\"\n      }", `"exact_draw": {}`},
	} {
		dir := t.TempDir()
		savedIn(t, dir, o)
		rewrite(t, filepath.Join(dir, change[0]),
			func(text string) string { return strings.ReplaceAll(text, change[1], change[2]) })
		if _, err := ReadSaved(dir); err == nil || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), dir) {
			t.Errorf("%v; want %q and the folder", err, want)
		}
	}
}

// TestMeasuredDataAreRefused: data that fit no model.
func TestMeasuredDataAreRefused(t *testing.T) {
	for want, c := range map[string]struct {
		model string
		y     [][]float64
	}{
		"model lowrank:3: a low rank model with K = 3": {
			"lowrank:3", [][]float64{{1, 2, 3}, {2, 3, 4}, {3, 4, 5}, {5, 6, 7}}},
		"unknown model":         {"cluster", [][]float64{{1}}},
		"columns 1001":          {"clustering:2", [][]float64{make([]float64, 1001)}},
		"occurs twice; give":    {"clustering,clustering:10", [][]float64{{1}}},
		"unknown model \"\"; c": {"", [][]float64{{1}}},
	} {
		longtest.Refuses(Measured(strings.Split(c.model, ","), c.y, 1))(t, want)
	}
}
