package toys_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"breadboard/grid/longtest"
	"breadboard/toys/energies"
)

// energyFormat returns the format of a name.
func energyFormat(t longtest.Failer, name string) energies.Format {
	t.Helper()
	all := energies.Formats()
	return all[slices.IndexFunc(all, func(f energies.Format) bool { return f.Name == name })]
}

// read reads a file of testdata.
func readEnergy(t *testing.T, name, file string) *energies.Energy {
	t.Helper()
	return longtest.Must(energyFormat(t, name).Parse(longtest.Must(os.ReadFile(filepath.Join("energies", "testdata", file)))(t)))(t)
}

// TestEnergyBinary: the energy of a state is that of all states, and a function of variables that
// are 0 or 1 up to a constant.
func TestEnergyBinary(t *testing.T) {
	for _, c := range [][2]string{{"rudy", "torus3x4.rud"}, {"qubo", "gaps6.qubo"}, {"bq", "four.bq"}, {"ising-file", "spins.txt"}} {
		e := readEnergy(t, c[0], c[1])
		g, n := longtest.Must(e.LogF(1))(t), len(e.Numbers)
		fields, pairs := e.Binary(-2)
		x := make([]uint8, n)
		for k, want := range g {
			sum := -2 * g[0]
			for i := range x {
				if x[i] = uint8(k >> (n - 1 - i) & 1); x[i] == 0 {
					continue
				}
				sum += fields[i]
				for j, w := range pairs[i] {
					sum += w * float64(x[j])
				}
			}
			if math.Abs(e.At(x)-want) > 1e-14 || math.Abs(sum+2*want) > 1e-13 {
				t.Errorf("%s, %s: %v and %v/-2, want %v", c[1], e.Text(x), e.At(x), sum, want)
			}
		}
	}
	if e := readEnergy(t, "ising-file", "spins.txt"); e.Text([]uint8{0, 1, 1, 0}) != "-++-" {
		t.Error(e.Text([]uint8{0, 1, 1, 0}))
	}
}

// TestEnergyAgainstSums: doubling gives what the sum over all pairs gives for each state, and the
// symmetry of spins to the last bit.
func TestEnergyAgainstSums(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 7).Draw(t, "sites")
		weight := rapid.OneOf(rapid.Float64Range(-3, 3), rapid.SampledFrom([]float64{0, 1, -1, 1e9, 1e-12}))
		e := &energies.Energy{Numbers: make([]int, n), Spins: rapid.Bool().Draw(t, "spins"), Fields: make([]float64, n), Pairs: make([][]float64, n)}
		fields := rapid.Bool().Draw(t, "fields")
		for i := range n {
			if fields {
				e.Fields[i] = weight.Draw(t, "h")
			}
			e.Pairs[i] = rapid.SliceOfN(weight, i, i).Draw(t, "J")
		}
		scale := rapid.SampledFrom([]float64{1, -0.5, 0, 3}).Draw(t, "scale")
		g := longtest.Must(e.LogF(scale))(t)
		for x := range g {
			value := func(i int) float64 {
				v := float64(x >> (n - 1 - i) & 1)
				if e.Spins {
					return 2*v - 1
				}
				return v
			}
			want, size := 0.0, 0.0
			for i := range n {
				want += e.Fields[i] * value(i)
				size += math.Abs(e.Fields[i])
				for j := range i {
					want += e.Pairs[i][j] * value(i) * value(j)
					size += math.Abs(e.Pairs[i][j])
				}
			}
			if math.Abs(g[x]-scale*want) > 1e-14*math.Abs(scale)*size {
				t.Fatalf("state %d of %d: %v, summed %v", x, n, g[x], scale*want)
			}
			if turned := g[len(g)-1-x]; e.Spins && !fields && turned != g[x] {
				t.Fatalf("state %d has %v, and with all spins turned %v", x, g[x], turned)
			}
		}
	})
}

// TestEnergyMistakes: each mistake is refused with its line, what was expected and a cure.
func TestEnergyMistakes(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"rudy", "", "line 1: the file is empty"},
		{"rudy", "1 2 0.5\n", `line 1: expected the numbers of sites and of entries, found "1 2 0.5"; a list of edges without them is for ising-file:PATH`},
		{"rudy", "0 0\n", "line 1: there are no sites"},
		{"rudy", "800 19176\n", "line 1: 800 sites: grid: a lattice of 2^800 states (10^240.8) would take about"},
		{"rudy", "999999999999999999999 3\n", "is no whole number from 0 to 1073741824 in the numbers of sites and of entries"},
		{"rudy", "3 1073741824\n", "1073741824 entries, and 3 sites have at most 3"},
		{"rudy", "3 2\n1 2 1\n", "line 2: the file ends after 1 entry, and its first line says 2; is it cut off, or the number wrong?"},
		{"rudy", "3 1\n1 2 1\n2 3 1\n", "line 3: there are more entries than the 1 that the first line says"},
		{"rudy", "3 1\n0 2 1\n", "line 2: site 0; the sites are numbered from 1 to 3"},
		{"rudy", "3 1\n1 1 1\n", "line 2: site 1 is joined to itself, which a rudy file has no meaning for"},
		{"rudy", "3 2\n1 2 1\n2 1 1\n", "line 3: sites 1 and 2 have an entry in line 2 already"},
		{"rudy", "3 1\n1 2 NaN\n", `line 2: the weight: "NaN" is no number`},
		{"rudy", "3 1\n1 2 1e999\n", "outside the range of floating point"},
		{"rudy", "3 1\n1 2\n", `line 2: expected two numbers of sites and a weight, found "1 2"`},
		{"rudy", "3 1\n1.0 2 1\n", `line 2: the number of a site: "1.0" is no whole number`},
		{"rudy", "\xff\xfe3\x00", "the text is UTF-16"},
		{"qubo", "p qubo 0 4 1\n", `line 1: expected p qubo 0 MAXNODES NODES COUPLERS, found "p qubo 0 4 1"`},
		{"qubo", "p qubo 0 9 1 0\n9 9 1\n", "line 2: site 9; the sites are numbered from 0 to 8"},
		{"qubo", "p qubo 0 9 2 1\n0 0 1\n0 1 1\n1 1 1\n", "line 3: a pair after 1 site of 2; the lines i i WEIGHT of sites come first"},
		{"qubo", "p qubo 0 9 2 1\n0 0 1\n1 1 1\n2 2 1\n", "line 4: a site behind the 2 that the first line says"},
		{"qubo", "p qubo 0 9 2 1\n0 0 1\n0 0 1\n", "line 3: site 0 has an entry already"},
		{"qubo", "p qubo 0 9 2 1\n0 0 1\n1 1 1\n1 0 1\n", "line 4: sites 1 and 0 in this order; write the smaller first"},
		{"ising-file", "# vartype=SPINS\n0 1 1\n", "line 1: vartype \"SPINS\" is unknown; write # vartype=SPIN or # vartype=BINARY"},
		{"ising-file", "0 1 1\n#offset=1,5\n", "line 2: the offset"},
		{"bq", "2 2\n1 2 1\n2 1 3\n", "line 3: sites 1 and 2 have an entry in line 2 already; give each pair one, with the sum of both where both count"},
		{"ising-file", "", "line 1: the file has no entries"},
		{"ising-file", "12 24\n1 2 1\n",
			`line 1: expected two numbers of sites and a weight, found "12 24"; a file that begins with two counts, as a graph of the G-set, is for rudy:PATH:J`},
		{"qubo", "12 24\n1 2 1\n",
			`line 1: expected p qubo 0 MAXNODES NODES COUPLERS, found "12 24"; a file that begins with two counts, as a graph of the G-set, is for rudy:PATH:J`},
		{"qubo", "c queen\np edge 3 1\ne 1 2\n",
			`line 2: expected p qubo 0 MAXNODES NODES COUPLERS, found "p edge 3 1"; it is a graph of DIMACS: awk '$1 == "e" {print $2, $3, 1}' FILE >EDGES lists its edges`},
		{"rudy", "p col 3 1\ne 1 2\n", `line 1: expected the numbers of sites and of entries, found "p col 3 1"; it is a graph of DIMACS`},
		{"bq", "c\np edge 3 1\ne 1 2\n", `line 1: expected the numbers of sites and of entries, found "c"; it is a graph of DIMACS`},
		{"ising-file", "p edge 3 1\ne 1 2\n", `line 1: expected two numbers of sites and a weight, found "p edge 3 1"; it is a graph of DIMACS`},
		{"ising-file", "c a graph\np edge 3 1\ne 1 2\n", `line 1: the number of a site: "c" is no whole number from 0 to 1073741824; it is a graph of DIMACS`},
	} {
		longtest.Refuses(energyFormat(t, c.name).Parse([]byte(c.text)))(t, c.want)
	}
	many := ""
	for i := range 30 {
		many += fmt.Sprintf("%d %d 1\n", i, i+1)
	}
	longtest.Refuses(energyFormat(t, "ising-file").Parse([]byte(many)))(t, "line 24: site 24 is the 25th, and a space has at most 24")
	large := longtest.Must(energyFormat(t, "ising-file").Parse([]byte("0 1 1e308\n1 2 1e308\n")))(t)
	longtest.Refuses(large.LogF(1))(t, "overflows")
	for _, scale := range []float64{math.NaN(), math.Inf(1)} {
		longtest.Refuses(large.LogF(scale))(t, "must be finite", scale)
	}
}

// TestSiteWithoutEntries: a site of a counted file is there without an entry, and one of an edge
// list is not.
func TestSiteWithoutEntries(t *testing.T) {
	if e := longtest.Must(energyFormat(t, "rudy").Parse([]byte("3 1\n1 3 2\n")))(t); len(e.Numbers) != 3 {
		t.Errorf("%+v", e)
	}
	if e := longtest.Must(energyFormat(t, "ising-file").Parse([]byte("1 3 2\n")))(t); len(e.Numbers) != 2 {
		t.Errorf("%+v", e)
	}
	if e := longtest.Must(energyFormat(t, "qubo").Parse([]byte("c\np qubo unconstrained 5 1 0\n4 4 -1")))(t); len(e.Numbers) != 1 || e.Numbers[0] != 4 {
		t.Errorf("%+v", e)
	}
}

// TestEnergyWriters: dimod says what the values are in a comment, and qbsolv leaves
// sites out that have no weight of their own.
func TestEnergyWriters(t *testing.T) {
	for _, c := range []struct {
		name, text string
		scale      float64
		want       []float64 // log f of all states, by hand
	}{
		{"ising-file", "# vartype=BINARY\n0 0 -1.000000\n0 1 2.000000\n1 1 -1.000000\n", -1, []float64{0, 1, 1, 0}},
		{"ising-file", "# vartype=SPIN\n#offset = 0.5\n0 1 2\n", -1, []float64{-2.5, 1.5, 1.5, -2.5}},
		{"qubo", "p qubo 0 3 2 3\n0 0 -5\n2 2 -8\n0 1 4\n0 2 2\n1 2 10\n", -1, []float64{0, 8, 0, -2, 5, 11, 1, -3}},
		{"qubo", "p qubo 0 2 0 1\n0 1 -4\n", -1, []float64{0, 0, 0, 4}},
	} {
		e := longtest.Must(energyFormat(t, c.name).Parse([]byte(c.text)))(t)
		if got := longtest.Must(e.LogF(c.scale))(t); !slices.Equal(got, c.want) {
			t.Errorf("%q: %v, want %v", c.text, got, c.want)
		}
		sums := make([]float64, len(c.want))
		longtest.NoError(t, e.Terms(c.scale, func(sites []int, logs []float64) error {
			for x := range sums {
				at := 0
				for _, site := range sites {
					at = 2*at + x>>(len(e.Numbers)-1-site)&1
				}
				sums[x] += logs[at]
			}
			return nil
		}))
		if !slices.Equal(sums, c.want) || e.At(make([]uint8, len(e.Numbers))) != c.want[0]/c.scale {
			t.Errorf("%q: the terms sum to %v, want %v", c.text, sums, c.want)
		}
	}
}

// FuzzParseEnergy: an energy that is read has at most 24 sites, and its log f is finite.
func FuzzParseEnergy(f *testing.F) {
	files, err := filepath.Glob("energies/testdata/*.*")
	if err != nil || len(files) == 0 {
		f.Fatal(files, err)
	}
	for _, file := range files {
		data := longtest.Must(os.ReadFile(file))(f)
		f.Add(data)
	}
	for _, text := range []string{"3 1\n1 2 1e308\n", "p qubo 0 9 2 1\n0 0 1\n1 1 1\n0 1 5\n", "1 2 -1e-320", "24 0\n",
		"# vartype=BINARY\n#offset=2\n0 1 1", "p qubo 0 2 0 1\n0 1 -4\n", "1073741824 1073741824\n", "0 0 0\n0 0 0", "\ufeff1 1\n1 1 2\r\n"} {
		f.Add([]byte(text))
	}
	formats := energies.Formats()
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, format := range formats {
			e, err := format.Parse(data)
			if err != nil {
				continue
			}
			n := len(e.Numbers)
			if n < 1 || n > energies.MaxSites || len(e.Axes()) != n {
				t.Fatalf("%s: %d sites", format.Name, n)
			}
			if n > 10 {
				continue // the energies of that many states take long
			}
			g, err := e.LogF(format.Sign)
			for _, v := range g {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					t.Fatalf("%s: log f is %v", format.Name, v)
				}
			}
			if err == nil && len(g) != 1<<n {
				t.Fatalf("%s: %d states of %d sites", format.Name, len(g), n)
			}
		}
	})
}
