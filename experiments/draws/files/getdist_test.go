package files

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// TestGetDist: rows are repeated by their weights, in files of CosmoMC, MontePython and Cobaya,
// which are known by the names beside them or above.
func TestGetDist(t *testing.T) {
	const names = "# derived ones have a star\na\t\\alpha\nb*  \\beta with a label\n\n"
	one, two := "  2.0000000E+00  0.5  1.5 3\n 1 0.25 2.5 4\n", "1 0.5 7 8\n3 0.25 9 10\n"
	const said = "%[1]s: its 2 rows are 3 draws, each repeated as often as its weight says; %[2]s: its 2 rows are 4 draws, each repeated as often as its weight says; the chains have 3 to 4 draws; the last ones of longer chains are omitted, so that each has 3"
	values := "[[[0.5 0.5 0.25] [0.5 0.25 0.25]] [[1.5 1.5 2.5] [7 9 9]] [[3 3 4] [8 10 10]]]"
	for _, c := range []struct {
		files map[string]string
		given string
	}{
		{map[string]string{"r_1.txt": one, "r_2.txt": two, "r.paramnames": names}, "r_1.txt r_2.txt"},
		{map[string]string{"r_1.txt": one, "r_2.txt": two, "r.paramnames": names}, "r.paramnames"},
		{map[string]string{"r.1.txt": one, "r.2.txt": two, "r.paramnames": names}, "r.1.txt r.2.txt"},
		{map[string]string{"2024-01-01_99__1.txt": one, "2024-01-01_99__2.txt": two, "2024-01-01_99_.paramnames": names}, "2024-01-01_99_.paramnames"},
		{map[string]string{"r_1.txt.gz": packed(t, one), "r_2.txt": two, "r.paramnames": names}, "r.paramnames"},
		{map[string]string{"c.1.txt": "#  weight  minuslogpost  a  b\n" + one, "c.2.txt": "# weight minuslogpost a b\n" + two}, "c.1.txt c.2.txt"},
	} {
		d, err := readDraws(written(t, c.files), DrawsOptions{Most: 100}, strings.Fields(c.given)...)
		if err != nil {
			t.Errorf("%s: %v", c.given, err)
			continue
		}
		column := minusLog
		if strings.HasPrefix(c.given, "c.") {
			column = "minuslogpost"
		}
		if got := fmt.Sprint(d.Names, d.Values); got != "["+column+" a b] "+values {
			t.Errorf("%s: %s", c.given, got)
		}
		if got, want := strings.Join(d.Notes, "; "), fmt.Sprintf(said, d.Sources[0], d.Sources[1]); got != want {
			t.Errorf("%s: %s\nwant %s", c.given, got, want)
		}
	}
	alone := longtest.Must(readDraws(written(t, map[string]string{"r.txt": "1 2 3\n0 9 9\n2 3 4\n", "r.paramnames": "a\n"}), DrawsOptions{Most: 100},
		"r.paramnames"))(t)
	if got := fmt.Sprint(alone.Names, alone.Values); got != "[-loglike a] [[[2 3 3]] [[3 4 4]]]" {
		t.Error(got)
	}
	plain := longtest.Must(readDraws(written(t, map[string]string{"r_1.txt": "1 2 3\n"}), DrawsOptions{Most: 100}, "r_1.txt"))(t)
	if got := fmt.Sprint(plain.Names); got != "[V1 V2 V3]" {
		t.Errorf("without names: %s", got)
	}
}

// TestBadGetDist: what is wrong with chains of GetDist's.
func TestBadGetDist(t *testing.T) {
	for _, c := range []struct{ chain, names, want string }{
		{"1 2 3\n-1 2 3\n", "a\n", `DIR/r_1.txt, line 2 (row 1), column weight: found "-1"; write a weight of 0 or more`},
		{"99999999999 2 3\n", "a\n", "DIR/r_1.txt: found more than 100 numbers; write fewer, such as every second one, or each chain by itself"},
		{"nan 2 3\n", "a\n", `DIR/r_1.txt, line 1 (row 0), column weight: found nan; write a weight of 0 or more`},
		{"1 2 3 4\n", "a\n", "DIR/r_1.txt, line 1: found 4 columns; write 3, a weight, the logarithm and the 1 parameter of DIR/r.paramnames"},
		{"1 2 3 4\n", "a\na\n", "DIR/r_1.txt, line 1: found two columns a; keep one of them"},
	} {
		dir := written(t, map[string]string{"r_1.txt": c.chain, "r.paramnames": c.names})
		_, err := readDraws(dir, DrawsOptions{Most: 100}, "r_1.txt")
		if want := strings.ReplaceAll(c.want, "DIR", dir); err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
	dir := written(t, map[string]string{"r.paramnames": "a\n"})
	_, err := readDraws(dir, DrawsOptions{Most: 100}, "r.paramnames")
	longtest.Refused(t, err, "found no chain beside it, as "+filepath.Join(dir, "r_1.txt"))
}

func FuzzGetDist(f *testing.F) {
	f.Add("a\nb*\n", "1 2 3 4\n")
	f.Add("a\n", "1e1 2 3\n0 nan inf\n")
	f.Add("", "# weight minuslogpost a\n1 2 3\n")
	f.Fuzz(func(t *testing.T, names, chain string) {
		d, err := readDraws(written(t, map[string]string{"r_1.txt": chain, "r.paramnames": names}), DrawsOptions{Most: 1000}, "r.paramnames")
		if err == nil && len(d.Names)*len(d.Values[0][0]) > 1000 {
			t.Fatalf("%d draws of %d variables", len(d.Values[0][0]), len(d.Names))
		}
	})
}
