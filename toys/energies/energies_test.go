package energies_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains/numpy"
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
	return longtest.Must(energyFormat(t, name).Parse(
		longtest.Must(os.ReadFile(filepath.Join("testdata", file)))(t),
	))(t)
}

// TestEnergyBinary: the energy of a state is that of all states, and a function of variables that
// are 0 or 1 up to a constant.
func TestEnergyBinary(t *testing.T) {
	for _, c := range [][2]string{
		{"rudy", "torus3x4.rud"}, {"qubo", "gaps6.qubo"}, {"bq", "four.bq"}, {"ising-file", "spins.txt"}} {
		e := readEnergy(t, c[0], c[1])
		g := longtest.Must(e.LogF(1))(t)
		n := len(e.Names)
		fields, pairs := e.Binary(-2)
		x := make([]uint8, n)
		for k, want := range g {
			sum := -2 * g[0]
			for i := range x {
				x[i] = uint8(k >> (n - 1 - i) & 1)
				if x[i] == 0 {
					continue
				}
				sum += fields[i]
				for j, w := range pairs[i] {
					sum += w * float64(x[j])
				}
			}
			if math.Abs(e.EnergyOf(x)-want) > 1e-14 || math.Abs(sum+2*want) > 1e-13 {
				t.Errorf("%s, %s: %v and %v/-2, want %v", c[1], e.WriteState(x), e.EnergyOf(x), sum, want)
			}
		}
	}
	if e := readEnergy(t, "ising-file", "spins.txt"); e.WriteState([]uint8{0, 1, 1, 0}) != "-++-" {
		t.Error(e.WriteState([]uint8{0, 1, 1, 0}))
	}
}

// TestEnergyAgainstSums: doubling gives what the sum over all pairs gives for each state, and the
// symmetry of spins to the last bit.
func TestEnergyAgainstSums(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 7).Draw(t, "sites")
		weight := rapid.OneOf(rapid.Float64Range(-3, 3), rapid.SampledFrom([]float64{0, 1, -1, 1e9, 1e-12}))
		e := &energies.Energy{
			Names:  make([]string, n),
			Spins:  rapid.Bool().Draw(t, "spins"),
			Fields: make([]float64, n),
			Pairs:  make([][]float64, n),
		}
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
			want := 0.0
			size := 0.0
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
	const sizes = "%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n2 1 1.0\n3 1 2.0\n3 2 1.5\n"
	for _, c := range []struct{ name, text, want string }{
		{"rudy", "", "line 1: expected n m, the numbers of sites and of entries, found"},
		{"rudy", "1 2 0.5\n", `line 1: expected n m, the numbers of sites and of entries, found "1 2 0.5"`},
		{"rudy", "0 0\n", "line 1: there are no sites"},
		{"rudy", "800 19176\n",
			"line 1: 800 sites: grid: a lattice of 2^800 states (10^240.8) would take more memory"},
		{"rudy", "999999999999999999999 3\n",
			"line 1: expected n m, the numbers of sites and of entries, found"},
		{"rudy", "3 2\n1 2 1\n",
			"the file has 1 entry, and line 1 says 2; is it cut off, or the number wrong?"},
		{"rudy", "3 1\n1 2 1\n2 3 1\n", "the file has 2 entries, and line 1 says 1"},
		{"rudy", "3 1\n0 2 1\n", "line 2: site 0; the sites are numbered from 1 to 3"},
		{"rudy", "3 1\n1 1 1\n", "line 2: site 1 is joined to itself, which a rudy file has no meaning for"},
		{"rudy", "3 2\n1 2 1\n2 1 1\n", "line 3: sites 2 and 1 have an entry in line 2 already"},
		{"rudy", "3 1\n1 2 NaN\n", `line 2, column 3: the weight: "NaN" is not a number`},
		{"rudy", "3 1\n1 2 1e999\n", "outside the range of floating point"},
		{"rudy", "3 1\n1 2\n", `line 2: expected two sites and a weight, found "1 2"`},
		{"rudy", "3 1\n1.0 2 1\n", `line 2: "1.0" is not a number of a site`},
		{"rudy", "\xff\xfe3\x00", "the format is UTF-16"},
		{"qubo", "p qubo 0 4 1\n", `line 1: expected p qubo 0 MAXNODES NODES COUPLERS, found "p qubo 0 4 1"`},
		{"qubo", "p qubo 0 9 1 0\n9 9 1\n", "line 2: site 9; the sites are numbered from 0 to 8"},
		{"qubo", "c\n\np qubo 0 9 2 1\n0 0 1\n1 1 1\n2 2 1\n",
			"the file has 3 entries of sites and 0 of pairs, and line 3 says 3"},
		{"qubo", "p qubo 0 9 2 1\n0 0 1\n0 0 1\n", "line 3: sites 0 and 0 have an entry in line 2 already"},
		{"ising-file", "# vartype=SPINS\n0 1 1\n",
			"vartype \"SPINS\" is unknown; write SPIN or BINARY, as in # vartype=SPIN"},
		{"ising-file", "0 1 1\n#offset=1,5\n", "the offset: \"1,5\" has a comma"},
		{"bq", "2 2\n1 2 1\n2 1 3\n",
			"line 3: sites 2 and 1 have an entry in line 2 already; give each pair one, with the sum of " +
				"both where both count"},
		{"ising-file", "", "the file is empty"},
		{"ising-file", "12 24\n1 2 1\n",
			`line 1: "12 24" are two counts, as in a graph of the G-set; write maxcut:PATH for the cut, ` +
				`rudy:PATH:J for spins`},
		{"qubo", "c queen\np edge 3 1\ne 1 2\n",
			`it is a graph of DIMACS; awk '$1 == "e" {print $2, $3}' FILE >EDGES lists its edges`},
		{"maxcut", "source,target,capacity,weight\n1,2,7,2\n",
			"the columns are named source, target, capacity and weight; keep two of sites and one of " +
				"weights, called weight"},
		{"qubo", "i,j,q,c\n0,0,1,4\n", "the columns are named i, j, q and c; keep two of sites"},
		{"maxcut", "0 1\n1 2\n1 0\n", "line 3: sites 1 and 0 have an entry in line 1 already"},
		{"qubo", "id,i,j,weight\n1,0,0,-2\n2,0,1,3\n3,1,2,-1.5\n4,2,2,1\n",
			"the columns are named id, i, j and weight; keep two of sites"},
		{"qubo", "i,j,q\n0,1,-2\n1,0,3\n", "line 3: sites 1 and 0 have an entry in line 2 already"},
		{"qubo", "i,j,q\n0,0,\n0,1,2\n", "line 2, column 3 (q): the weight: the cell is empty"},
		{"qubo", "0,0,nan\n0,1,2\n1,1,2\n", `line 1, column 3: the weight: "nan" is not a number`},
		{"maxcut", "0 1 {'weight': 2}\n",
			`line 1: expected two sites and a weight, found "0 1 {'weight': 2}"`},
		{"maxcut", "[(0, 1), (1, 0)]",
			"it is a list or a dictionary of Python, or JSON, and no lines of two sites and a weight; in " +
				"Python, give the object itself"},
		{"qubo", "{(0, 1): 2.0}",
			`as in breadboard.network(breadboard.Energy(Q, "qubo")); breadboard help files has more`},
		{"qubo", `{"linear_terms":[]}`, "it is a list or a dictionary of Python, or JSON"},
		{"qubo", "defaultdict(<class 'float'>, {(0, 0): -2.0})", "it is an object as Python prints it"},
		{"qubo", "0,1\n1,2\n", `line 1: expected two sites and a weight, found "0,1"`},
		{"qubo", "0 0 1\n1 1 2\n0 1 1,5\n",
			`line 3, column 3: the weight: "1,5" has a comma; write decimals with a point`},
		{"maxcut", "0 1 1,5\n1 2 2,5\n", `line 1: "0 1 1" is not a number of a site`},
		{"maxcut", "0 1 1 0\n1 0 0 1\n0 0 0 1\n0 1 1 0\n",
			`line 1: expected two sites and a weight, found "0 1 1 0"`},
		{"ising-file", sizes,
			"line 1: it is a matrix of MatrixMarket; take out this line and that of the sizes"},
		{"qubo", sizes, "it is a matrix of MatrixMarket"},
		{"maxcut", sizes, "it is a matrix of MatrixMarket"},
		{"ising-file", "3 3 3\n2 1 1.0\n3 1 2.0\n3 2 1.5\n",
			"line 1 may have the sizes of a matrix, or be an entry; put # in front of sizes, and write " +
				"the weight with a point otherwise, as in 3.0"},
		{"maxcut", "6 9\n0 1\n0 4\n0 5\n1 2\n1 4\n2 3\n2 5\n4 3\n3 5\n",
			"line 1 may count the sites and the edges, or be an edge; put # in front of counts"},
		{"maxcut", "6\n0 1\n0 4\n",
			`line 1: "6" stands alone and is not an entry; take this line out, or put # in front of it`},
		{"qubo", "# Q\n3\n0 0 -1\n1 0 2\n", `line 2: "3" stands alone and is not an entry`},
		{"maxcut", "4 3\n1 2\n2 3\n1 4\n", "line 1 may count the sites and the edges, or be an edge"},
		{"maxcut", "0 1\n1 50%\n", `line 2: "50%" is not a number of a site`},
		{"maxcut", "0 1\n1 \u22122\n", "the minus of a number is that of print"},
		{"maxcut", "a b nan\na c 1\n", `line 1, column 3: the weight: "nan" is not a number`},
		{"qubo", "a,b,c\n0,0,1\n0,1,1\n1,1,1\n1,2,1\n", "the columns are named a, b and c"},
		{"qubo", "i,j,weight\n0,0,1\ni,j,weight\n", "line 3 has the header again"},
	} {
		longtest.Refuses(energyFormat(t, c.name).Parse([]byte(c.text)))(t, c.want)
	}
	many := ""
	for i := range 30 {
		many += fmt.Sprintf("%d %d 1\n", i, i+1)
	}
	longtest.Refuses(energyFormat(t, "ising-file").Parse([]byte(many)))(t,
		fmt.Sprintf("line %d: %d sites: grid: a lattice of 2^", energies.MaxSites, energies.MaxSites+1))
	large := longtest.Must(energyFormat(t, "ising-file").Parse([]byte("0 1 1e308\n1 2 1e308\n")))(t)
	longtest.Refuses(large.LogF(1))(t, "overflows")
	for _, scale := range []float64{math.NaN(), math.Inf(1)} {
		longtest.Refuses(large.LogF(scale))(t, "must be finite", scale)
	}
}

// TestSiteWithoutEntries: a site of a counted file is there without an entry, and one of an edge
// list is not.
func TestSiteWithoutEntries(t *testing.T) {
	if e := longtest.Must(energyFormat(t, "rudy").Parse([]byte("3 1\n1 3 2\n")))(t); len(e.Names) != 3 {
		t.Errorf("%+v", e)
	}
	if e := longtest.Must(energyFormat(t, "ising-file").Parse([]byte("1 3 2\n")))(t); len(e.Names) != 2 {
		t.Errorf("%+v", e)
	}
	e := longtest.Must(energyFormat(t, "qubo").Parse([]byte("c\np qubo unconstrained 5 1 0\n4 4 -1")))(t)
	if len(e.Names) != 1 || e.Names[0] != "4" {
		t.Errorf("%+v", e)
	}
}

// TestEnergyWriters: dimod says what the values are in a comment, and qbsolv leaves
// sites out that have no weight of their own.
func TestEnergyWriters(t *testing.T) {
	triangle := []float64{0, 1, 3, 2, 2, 3, 3, 2, 2, 3, 3, 2, 2, 3, 1, 0} // and an edge at its third corner
	for _, c := range []struct {
		name, text string
		scale      float64
		want       []float64 // log f of all states, by hand
	}{
		{"ising-file", "# vartype=BINARY\n0 0 -1.000000\n0 1 2.000000\n1 1 -1.000000\n",
			-1, []float64{0, 1, 1, 0}},
		{"ising-file", "# vartype=SPIN\n#offset = 0.5\n0 1 2\n", -1, []float64{-2.5, 1.5, 1.5, -2.5}},
		{"qubo", "p qubo 0 3 2 3\n0 0 -5\n2 2 -8\n0 1 4\n0 2 2\n1 2 10\n",
			-1, []float64{0, 8, 0, -2, 5, 11, 1, -3}},
		{"qubo", "p qubo 0 2 0 1\n0 1 -4\n", -1, []float64{0, 0, 0, 4}},
		{"maxcut", "0 1\n1 2\n2 0\n2 3\n", 1, triangle},                     // networkx, without data
		{"maxcut", "0 1 {}\r\n1 2 {}\r\n2 0 {}\r\n2 3 {}\r\n", 1, triangle}, // with its marks
		{"maxcut", string(numpy.Floats([]float64{0, 1, 1, 0, 1, 0, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0}, 4, 4)),
			1, triangle},
		{"qubo", "0 1 -2\n1 1 3\n", -1, []float64{0, -3, 0, -1}},
		{"qubo", "i,j,weight\n0,1,2\n0,0,1\n1,1,0\n2,2,0\n", -1, []float64{0, 0, 0, 0, -1, -1, -3, -3}},
		{"maxcut", "\ufeffsource,target\na,b\nb,c\nc,a\nc,d\n", 1, triangle},
		{"maxcut", "ann bob\nbob cat\ncat ann\ncat dan\n", 1, triangle},
		{"maxcut", "4 4\n1 2 1\n2 3 1\n3 1 1\n3 4 1\n", 1, triangle},
		{"maxcut", "weight,source,target\n1,0,1\n1,1,2\n1,2,0\n1,2,3\n", 1, triangle},
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
					at = 2*at + x>>(len(e.Names)-1-site)&1
				}
				sums[x] += logs[at]
			}
			return nil
		}))
		if !slices.Equal(sums, c.want) || e.EnergyOf(make([]uint8, len(e.Names))) != c.want[0]/c.scale {
			t.Errorf("%q: the terms sum to %v, want %v", c.text, sums, c.want)
		}
	}
}

// TestOneQUBO: one problem in every form that people keep is one energy.
func TestOneQUBO(t *testing.T) {
	want := []float64{0, 0.5, -1, -2, -2, -1.5, 0, -1}
	array := string(numpy.Floats([]float64{-2, 1, 0, 2, -1, -1, 0, -0.5, 0.5}, 3, 3))
	for _, text := range []string{
		array,
		"i,j,weight\n0,0,-2\n1,1,-1\n0,1,3\n2,2,0.5\n1,2,-1.5\n",
		"Q;j;i\n-2;0;0\n-1;1;1\n3;0;1\n0.5;2;2\n-1.5D0;1;2\n",
		"\"\",\"i\",\"j\",\"value\"\n\"1\",1,1,-2\n\"2\",2,2,-1\n\"3\",1,2,3\n\"4\",3,3,0.5\n\"5\",2,3,-1.5\n",
		"x[0] x[0] -2\nx[1] x[1] -1\nx[0] x[1] 3\nx[2] x[2] 0.5\nx[1] x[2] -1.5\n",
		"c Q\np qubo 0 3 3 2\n0 0 -2\n1 1 -1\n2 2 0.5\n0 1 3\n1 2 -1.5\n",
	} {
		e := longtest.Must(energyFormat(t, "qubo").Parse([]byte(text)))(t)
		if got := longtest.Must(e.LogF(1))(t); !slices.Equal(got, want) {
			t.Errorf("%.40q: %v, want %v", text, got, want)
		}
		if about := energyFormat(t, "qubo").About(
			e,
			1,
		); !strings.HasPrefix(about, "QUBO, minimised, 3 variables, offset 0") ||
			strings.Contains(about, "in the order "+strings.Join(e.Names, ", ")) !=
				(strings.Trim(e.Names[0], "0123456789") != "") {
			t.Error(about)
		}
	}
	e := longtest.Must(energyFormat(t, "qubo").Parse([]byte("x[1] y 2\n")))(t)
	if e.Axes()[0].Name != "x[1]" || e.Axes()[1].Name != "y" {
		t.Errorf("%+v", e.Axes())
	}
}

// FuzzParseEnergy: an energy that is read has at most MaxSites sites, and its log f is finite.
func FuzzParseEnergy(f *testing.F) {
	files, err := filepath.Glob("testdata/*.*")
	if err != nil || len(files) == 0 {
		f.Fatal(files, err)
	}
	for _, file := range files {
		data := longtest.Must(os.ReadFile(file))(f)
		f.Add(data)
	}
	for _, text := range []string{
		"3 1\n1 2 1e308\n", "p qubo 0 9 2 1\n0 0 1\n1 1 1\n0 1 5\n", "1 2 -1e-320", "24 0\n",
		"# vartype=BINARY\n#offset=2\n0 1 1", "p qubo 0 2 0 1\n0 1 -4\n", "1073741824 1073741824\n",
		"0 0 0\n0 0 0", "\ufeff1 1\n1 1 2\r\n",
		"{('a', 'b'): 2}", "3\n1 2 3\n4 5 6\n7 8 9", "weight,i,j\n1,0,1", "0 1 0\n1 0 2\n0 2 0",
		"0,1\n1,2\n2,1", "6 2\n0 1\n1 2\n"} {
		f.Add([]byte(text))
	}
	formats := energies.Formats()
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, format := range formats {
			e, err := format.Parse(data)
			if err != nil {
				continue
			}
			n := len(e.Names)
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
