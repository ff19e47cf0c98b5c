package chains_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains/matrices"
	"breadboard/grid/longtest"
)

// dense returns all entries of rows.
func dense(r *matrices.Rows) []float64 {
	out := make([]float64, r.Len()*r.Len())
	for x := range r.Len() {
		to, p := r.Row(x)
		for i := range to {
			out[x*r.Len()+int(to[i])] += p[i]
		}
	}
	return out
}

// refusals holds a parser to what it accepts, by the entries of the matrix, and to the errors for
// what it refuses.
func refusals(t *testing.T, parse func(data []byte, most int) (*matrices.Rows, error), accepted map[string][]float64, refused map[string]string) {
	t.Helper()
	for text, want := range accepted {
		if r, err := parse([]byte(text), 3); err != nil || !slices.Equal(dense(r), want) {
			t.Errorf("%q: %v, %v; want %v", text, r, err, want)
		}
	}
	for text, want := range refused {
		longtest.Refuses(parse([]byte(text), 3))(t, want)
	}
}

const market = "%%MatrixMarket matrix "

func TestMatrixMarket(t *testing.T) {
	three := []float64{0.5, 0.5, 0, 0, 0, 1, 0.25, 0, 0.75}
	refusals(t, matrices.ParseMatrixMarket, map[string][]float64{
		market + "coordinate real general\n3 3 5\n1 1 5D-1\n1 2 0.5D+00\n2 3 1\n3 1 2.5D-1\n3 3 0.75D0\n":                                         three,
		market + "coordinate real general\n3 3 5\n1 1 0.5\n1 2 .5\n2 3 1\n3 1 2.5e-1\n3 3 0.75\n":                                                 three,
		"\ufeff%%matrixmarket MATRIX Coordinate Real GENERAL\r\n% a remark\r\n\r\n3 3 5\r\n3 3 0.75\r\n3 1 0.25\r\n2 3 1\n1\t2  0.5\n%x\n1 1 0.5": three,
		market + "coordinate double general\n3 3 6\n1 1 0.5\n1 2 .5\n2 3 1\n3 1 0.25\n3 2 0\n3 3 0.75\n":                                          three,
		market + "array real general\n3 3\n0.5\n0\n0.25\n0.5\n0\n0\n0\n1\n0.75\n":                                                                 three,
		market + "array real general\n3 3\n0.5 0 0.25 0.5 0\n0 0 1 0.75\n":                                                                        three,
		market + "coordinate pattern general\n2 2 2\n1 2\n2 1\n":                                                                                  {0, 1, 1, 0},
		market + "coordinate integer symmetric\n2 2 1\n2 1 1\n":                                                                                   {0, 1, 1, 0},
		market + "coordinate real symmetric\n2 2 3\n1 1 0.25\n2 1 0.75\n2 2 0.25\n": {0.25,
			0.75, 0.75, 0.25},
		market + "array real symmetric\n2 2\n0.25\n0.75\n0.25\n": {0.25, 0.75, 0.75, 0.25},
		market + "coordinate real general\n1 1 1\n1 1 1.0009\n":  {1.0009}, // what its digits allow is checked elsewhere
	}, map[string]string{
		"":                                      "line 1: the file does not begin with %%MatrixMarket",
		"1 2 3\n":                               "line 1: the file does not begin with %%MatrixMarket",
		"c\np edge 3 1\ne 1 2\n":                "the file does not begin with %%MatrixMarket; it is a graph of DIMACS: awk '$1 == \"e\" {print $2, $3, 1}' FILE >EDGES lists its edges",
		"800 19176\n1 2 1\n":                    "the file does not begin with %%MatrixMarket; a file that begins with two counts is PRISM's, of the name FILE.tra, or a graph of the G-set, which rudy:PATH:J reads",
		"P = sparse(2,2);\nP(1,2)=1;\n":         "the file does not begin with %%MatrixMarket; MATLAB's code is not read; have PRISM write its own files, without -exportmatlab",
		market + "coordinate real\n":            "line 1: \"%%MatrixMarket matrix coordinate real\" has 4 words; write %%MatrixMarket matrix, coordinate or array",
		market + "coordinate complex general\n": "line 1: a matrix of probabilities is not complex; write real or double or integer or pattern",
		market +
			"coordinate real skew-symmetric\n": "line 1: a matrix of probabilities is not skew-symmetric; write general or symmetric",
		market + "coordinate real hermitian\n":            "is not hermitian",
		"%%MatrixMarket vector coordinate real general\n": "is not vector",
		market + "array pattern general\n":                "a pattern has no numbers",
		market + "coordinate real general\n":              "the file ends before its sizes",
		market +
			"coordinate real general\n3 3\n": `line 2: "3 3" has 2 numbers, and there should be 3: rows, columns, entries`,
		market + "coordinate real general\n3 -3 1\n":                             `line 2: "-3" is no number of columns; write a whole number`,
		market + "coordinate real general\n3 2 1\n1 1 1\n":                       "line 2: the matrix is 3x2; a chain has as many rows as columns",
		market + "coordinate real general\n4 4 1\n1 1 1\n":                       "line 2: there are 4 states, and at most 3 can be used here",
		market + "coordinate real general\n0 0 0\n":                              "line 2: there are no states",
		market + "array real general\n9223372036854775807 9223372036854775807\n": "there are 9223372036854775807 states",
		market + "coordinate real general\n3 3 99999999\n1 1 1\n":                "line 2: 99999999 entries are promised, and the file has 6 bytes",
		market + "coordinate real general\n3 3 2\n1 1 1\n":                       "line 3: the file ends after 1 entries, and 2 are promised",
		market + "coordinate real general\n3 3 1\n1 1 1\n2 2 1\n":                "line 4: there are more than the 1 entries",
		market +
			"coordinate real general\n3 3 1\n1 1\n": `line 3: "1 1" has 2 words; an entry has 3: row, column, probability`,
		market + "coordinate pattern general\n3 3 1\n1 1 1\n":                                   `line 3: "1 1 1" has 3 words; an entry has 2: row, column`,
		market + "coordinate real general\n3 3 1\n0 1 1\n":                                      "line 3: row 0 is none of 1 to 3",
		market + "coordinate real general\n3 3 1\n1 4 1\n":                                      "line 3: column 4 is none of 1 to 3",
		market + "coordinate real general\n3 3 1\n1 x 1\n":                                      `line 3: "x" is no column`,
		market + "coordinate real general\n3 3 1\n1 1 nan\n":                                    `line 3: "nan" is no number`,
		market + "coordinate real general\n3 3 1\n1 1 0,5\n":                                    "has a comma; write decimals with a point",
		market + "coordinate real general\n3 3 1\n1 1 -0.5\n":                                   "line 3: -0.5 is no probability",
		market + "coordinate real general\n3 3 1\n1 1 1.5\n":                                    "line 3: 1.5 is no probability",
		market + "coordinate real general\n3 3 3\n1 1 1\n2 2 1\n1 1 1\n":                        "line 5: the entry from state 0 to state 0 stands already in line 3",
		market + "coordinate real symmetric\n3 3 1\n1 2 0.5\n":                                  "line 3: row 1, column 2 is above the diagonal",
		market + "array real general\n2 2\n1\n0\n0\n":                                           "the file ends in column 2, row 2",
		market + "array real general\n1 1\n1\n0\n":                                              "line 4: there are more numbers than a matrix of 1x1 has",
		market + "coordinate real general\n%" + strings.Repeat("x", 1<<16) + "\n1 1 1\n1 1 1\n": "line 2: the line has more than 65536 bytes",
		"\xff\xfe%\x00": "UTF-16",
	})
}

func TestTransitionFiles(t *testing.T) {
	two := []float64{0.25, 0.75, 1, 0}
	refusals(t, matrices.ParseTransitions, map[string][]float64{
		"2 3\n0 0 0.25\n0 1 0.75\n1 0 1\n":                                         two,
		"# Transitions (DTMC)\n2 3\n1 0 1 go\n0 1 3/4 stay\n\n# remark\n0 0 1/4\n": two,
		"1 1\n0 0 .1e1\n": {1},
	}, map[string]string{
		"":                              "the file has no transitions",
		"# Transitions (CTMC)\n2 3\n":   "line 2: the file says that it is of the kind CTMC, and only DTMC can be read",
		"dtmc\n0 0 1\n":                 `line 1: "dtmc" begins a file of Storm's`,
		"STATES 2\n":                    `line 1: "STATES 2" begins a file of Storm's`,
		"p edge 3 1\ne 1 2\n":           `it is a graph of DIMACS: awk`,
		"P = sparse(2,2);\nP(1,2)=1;\n": `line 1: "P = sparse(2,2);" begins a matrix of MATLAB's; MATLAB's code is not read; have PRISM write its own files, without -exportmatlab: prism MODEL -exportmodel FILE.tra`,
		"2 3 4\n":                       `line 1: "2 3 4" has the three sizes of a Markov decision process`,
		"2 3 4 1\n":                     "partially observable",
		"2\n":                           `line 1: "2" has 1 words`,
		"2 x\n":                         `line 1: "x" is no number of transitions`,
		"4 1\n0 0 1\n":                  "line 1: there are 4 states, and at most 3",
		"2 9999999\n0 0 1\n":            "line 1: 9999999 transitions are promised, and the file has 6 bytes",
		"2 2\n0 0 1\n":                  "line 2: the file ends after 1 transitions, and 2 are promised",
		"2 1\n0 0 1\n1 1 1\n":           "line 3: there are more than the 1 transitions",
		"2 1\n0 0 1 0.5\n":              `line 2: "0 0 1 0.5" has a choice beside the two states`,
		"2 1\n0 0 1 1/2\n":              "has a choice beside the two states",
		"2 1\n0 0 1 0.5 a\n":            "has a choice beside the two states",
		"2 1\n0 0\n":                    `line 2: "0 0" has 2 words`,
		"2 1\n0 0.5:1 0.5:0\n":          "has a whole row",
		"2 1\n0 0 [0.1,0.2]\n":          "[0.1,0.2] is an interval of probabilities",
		"2 1\n0 2 1\n":                  "line 2: state 2 is none of 0 to 1",
		"2 1\n0 1 2.5\n":                "line 2: 2.5 is no probability",
		"2 1\n0 1 3/2\n":                "line 2: 3/2 is no probability",
		"2 1\n0 1 0/0\n":                "line 2: 0/0 is no probability",
		"2 2\n0 1 0.5\n0 1 0.5\n":       "line 3: the entry from state 0 to state 1 stands already in line 2",
	})
	if r, err := matrices.ParseTransitions([]byte("1 1\n0 0 1/3\n"), 1); err != nil || r.P[0] != 1.0/3 || r.Rounding != 0 {
		t.Errorf("a third is %v, %v", r, err)
	}
}

func TestLabels(t *testing.T) {
	labels, err := matrices.ParseLabels([]byte("# Labels\n0=\"init\" 1=\"deadlock\" 2=\"goal\"\n0: 0 2\n 2 :2\n"), 3)
	want := []matrices.Label{{Name: "init", In: []bool{true, false, false}}, {Name: "deadlock", In: make([]bool, 3)},
		{Name: "goal", In: []bool{true, false, true}}}
	if err != nil || !reflect.DeepEqual(labels, want) {
		t.Error(labels, err)
	}
	if again, err := matrices.ParseLabels(matrices.LabelsText(want), 3); err != nil || !reflect.DeepEqual(again, want) {
		t.Error(again, err)
	}
	for text, want := range map[string]string{
		"":                             "the file has no labels",
		"init\n":                       `line 1: init is not the name of label 0; write 0="NAME"`,
		"0=\"a\" 2=\"b\"\n":            `2="b" is not the name of label 1`,
		"0=\"a\" 1=\"a\"\n":            "the name a stands twice",
		"0=\"a\"\n0 0\n":               `line 2: "0 0" has no colon`,
		"0=\"a\"\n3: 0\n":              "line 2: state 3 is none of 0 to 2",
		"0=\"a\"\n0: 1\n":              "line 2: label 1 is none of 0 to 0",
		"#DECLARATION\na\n#END\n0 a\n": "a is not the name of label 0",
	} {
		longtest.Refuses(matrices.ParseLabels([]byte(text), 3))(t, want)
	}
	longtest.Refuses(matrices.ParseLabels([]byte(`0="a" 1="b"`), 1<<28))(t, "leave labels out")
}

func TestRewards(t *testing.T) {
	r, err := matrices.ParseRewards([]byte("# Reward structure \"cost\"\n# State rewards\n3 2\n2 -1.5\n0 1e3\n"), 3)
	if err != nil || r.Name != "cost" || !slices.Equal(r.Values, []float64{1000, 0, -1.5}) {
		t.Error(r, err)
	}
	for text, want := range map[string]string{
		"":                                   "the file ends before its sizes",
		"4 0\n":                              "there are 4 states, and at most 3",
		"2 1\n":                              "the file ends after 0 rewards, and 1 are promised",
		"2 0\n0 1\n":                         "line 2: there are more than the 0 rewards",
		"2 1\n0\n":                           `"0" has 1 words; write a state and its reward`,
		"2 2\n0 1\n0 2\n":                    "line 3: state 0 has a reward already",
		"2 1\n0 inf\n":                       "is no number",
		"# Transition rewards\n2 1\n0 1 3\n": "these are rewards of transitions",
	} {
		longtest.Refuses(matrices.ParseRewards([]byte(text), 3))(t, want)
	}
}

func TestStatesText(t *testing.T) {
	text := matrices.StatesText(&matrices.States{Names: []string{"x0", "x1"}, At: func(x int) []int { return []int{x / 2, x % 2} }}, 2)
	if want := "(x0,x1)\n0:(0,0)\n1:(0,1)\n"; string(text) != want {
		t.Errorf("%q", text)
	}
}

// TestRoundingOfWriters: the unit is that of the writer's last digit, whether it gives all numbers
// as many decimals or as many significant digits, and leaves out zeros or not.
func TestRoundingOfWriters(t *testing.T) {
	for text, want := range map[string]float64{
		"0.333333 0.666667":             0.5e-6,
		"0.333333 0.0123457 1.23457e-5": 0.5e-6, // %.6g: the small numbers have more decimals and no more digits
		"3.33333e-01 1.00000e+00":       0.5e-6,
		"0.0123 0.9877 1.0000":          0.5e-4,
		"0.0123 0.0456":                 0.5e-4, // %.4f, though there are three significant digits at most
		"1 0 0":                         0,
		"1e0 0":                         0,
		".5 .25":                        0.5e-2,
		"5.0000000000000000e-01":        0.5e-17,
		"1.2345678901234567e-200 1":     0.5e-216,
	} {
		if got := matrices.Rounding(strings.FieldsSeq(text)); math.Abs(got-want) > 1e-9*want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// sparse returns the rows of a matrix of n columns, without zeros.
func sparse(p []float64, n int) (rows matrices.Rows) {
	rows.Starts = []int{0}
	for i, v := range p {
		if v != 0 {
			rows.To, rows.P = append(rows.To, int32(i%n)), append(rows.P, v)
		}
		if i%n == n-1 {
			rows.Starts = append(rows.Starts, len(rows.P))
		}
	}
	return rows
}

// chain draws a chain with labels and rewards.
func chain(t *rapid.T) *matrices.Chain {
	n := rapid.SampledFrom([]int{1, 2, 3, 5, 8, 65}).Draw(t, "states")
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	p := make([]float64, n*n)
	for range 8 * n {
		p[r.IntN(n*n)] = []float64{0, 1, 5e-324, 1.0 / 3, math.Nextafter(1, 0), 1e-300, r.Float64(), r.Float64() * 1e-10}[r.IntN(8)]
	}
	c := &matrices.Chain{Rows: sparse(p, n), Labels: []matrices.Label{{Name: "init"}, {Name: "Goal"}},
		Rewards: []matrices.Reward{{Name: "p"}, {Name: "p "}}}
	for range n {
		for i := range 2 {
			c.Labels[i].In = append(c.Labels[i].In, r.IntN(2) == 0)
			c.Rewards[i].Values = append(c.Rewards[i].Values, r.NormFloat64()*1e300)
		}
	}
	return c
}

// same fails if two chains have not the same bits.
func same(t *rapid.T, what string, got, want *matrices.Rows, err error) {
	t.Helper()
	if err != nil || got.Rounding > 1e-15 || !slices.Equal(got.Starts, want.Starts) || !slices.Equal(got.To, want.To) || !slices.Equal(got.P, want.P) {
		t.Fatalf("%s: %v\n%v\n%v", what, err, got, want)
	}
}

// TestMatricesRoundTrip: what is written reads back to the same bits.
func TestMatricesRoundTrip(t *testing.T) {
	longtest.Only(t)
	rapid.Check(t, func(t *rapid.T) {
		c := chain(t)
		n := c.Len()
		r, err := matrices.ParseMatrixMarket(matrices.MatrixMarket(&c.Rows, "one\ntwo"), n)
		same(t, "mtx", r, &c.Rows, err)
		r, err = matrices.ParseTransitions(matrices.Transitions(&c.Rows), n)
		same(t, "tra", r, &c.Rows, err)
		if again, err := matrices.ParseLabels(matrices.LabelsText(c.Labels), n); err != nil || !reflect.DeepEqual(again, c.Labels) {
			t.Fatal(again, err)
		}
		for _, want := range c.Rewards {
			if r, err := matrices.ParseRewards(matrices.RewardText(&want), n); err != nil || r.Name != want.Name || !slices.Equal(r.Values, want.Values) {
				t.Fatal(r, err)
			}
		}
	})
}

// TestFiles: the ending says how a file is read.
func TestFiles(t *testing.T) {
	for path, want := range map[string]bool{"a.mtx": true, "A.TRA": true, "d/m{t}.umb": true, "a.npy": false, "mtx": false, "": false, "a.umb.gz": true,
		"a.gz": false} {
		if matrices.Is(path) != want {
			t.Errorf("%q: %v", path, matrices.Is(path))
		}
	}
	umb := filepath.Join(t.TempDir(), "a.umb")
	longtest.NoError(t, os.WriteFile(umb, nil, 0o600))
	drn := filepath.Join(t.TempDir(), "x.drn")
	longtest.NoError(t, os.WriteFile(drn, []byte("@type: DTMC"), 0o600))
	longtest.Refuses(matrices.ReadRows(drn, 3))(t, "DRN, a format of Storm's, is not read; write its transitions as .tra")
	longtest.Refuses(matrices.ReadRows(umb, 3))(t, "UMB is not read; have PRISM write its own files: prism MODEL -exportmodel FILE.tra")
	code := filepath.Join(filepath.Dir(umb), "P.m")
	longtest.NoError(t, os.WriteFile(code, []byte("P = zeros(2,2);\n"), 0o600))
	longtest.Refuses(matrices.ReadRows(code, 3))(t, "MATLAB's code is not read")
	longtest.Refuses(matrices.ReadStates(umb+"#p", 3))(t, "UMB is not read")
}

func Example_matrixMarket() {
	r := &matrices.Rows{Starts: []int{0, 2, 3}, To: []int32{0, 1, 1}, P: []float64{0.75, 0.25, 1}}
	fmt.Printf("%s", matrices.MatrixMarket(r, "two states"))
	// Output:
	// %%MatrixMarket matrix coordinate real general
	// % two states
	// 2 2 3
	// 1 1 7.5000000000000000e-01
	// 1 2 2.5000000000000000e-01
	// 2 2 1.0000000000000000e+00
}

// three are the rows of a chain whose probabilities have no short decimals.
func three() *matrices.Rows {
	rows := sparse([]float64{1.0 / 3, 2.0 / 3, 0, 0, 0.1, 0.9, 1e-17, 0, 1}, 3)
	return &rows
}

// TestSciPyReads: SciPy reads what is written, to the last bit, and what it writes is read, sparse
// and dense, with symmetry and without.
func TestSciPyReads(t *testing.T) {
	longtest.Only(t)
	pythons := []string{"python3", "/usr/bin/python3"}
	pythons = slices.DeleteFunc(pythons, func(name string) bool { return exec.Command(name, "-c", "import scipy.io").Run() != nil })
	if len(pythons) == 0 {
		t.Skip("no python3 with scipy.io")
	}
	dir := t.TempDir()
	longtest.NoError(t, os.WriteFile(filepath.Join(dir, "ours.mtx"), matrices.MatrixMarket(three(), "three states"), 0o644))
	c := exec.Command(pythons[0], "-c", `
import numpy as np, scipy.io as io, scipy.sparse as sparse
want = np.array([[1/3, 2/3, 0], [0, 0.1, 0.9], [1e-17, 0, 1]])
got = io.mmread("ours.mtx")
assert (got.toarray() == want).all() and got.nnz == 6, got
io.mmwrite("sparse.mtx", sparse.csr_array(want), precision=17)
io.mmwrite("dense.mtx", want, precision=17)
even = np.array([[0.25, 0.75], [0.75, 0.25]])
io.mmwrite("sparse-symmetric.mtx", sparse.coo_array(even), symmetry="symmetric")
io.mmwrite("dense-symmetric.mtx", even, symmetry="symmetric")
io.mmwrite("pattern.mtx", sparse.coo_array(np.array([[0, 1], [1, 0]])), field="pattern", symmetry="general")
io.mmwrite("integer.mtx", sparse.coo_array(np.array([[0, 1], [1, 0]])), symmetry="general")
`)
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for name, want := range map[string][]float64{
		"sparse": dense(three()), "dense": dense(three()), "sparse-symmetric": {0.25, 0.75, 0.75, 0.25}, "dense-symmetric": {0.25, 0.75, 0.75, 0.25},
		"pattern": {0, 1, 1, 0}, "integer": {0, 1, 1, 0},
	} {
		r, err := matrices.ReadRows(filepath.Join(dir, name+".mtx"), 3)
		if err != nil || !slices.Equal(dense(r), want) {
			t.Errorf("%s: %v, %v; want %v", name, r, err, want)
		}
	}
}

func FuzzParseMatrixMarket(f *testing.F) {
	f.Add([]byte(market + "coordinate real symmetric\n2 2 2\n2 1 0.5\n1 1 .5\n"))
	f.Add([]byte(market + "array real general\n2 2\n1 0 0 1\n"))
	fuzzRows(f, matrices.ParseMatrixMarket)
}

func FuzzParseTransitions(f *testing.F) {
	f.Add([]byte("# Transitions (DTMC)\n2 3\n0 1 1/2 a\n0 0 0.5\n1 1 1\n"))
	f.Add([]byte("2 3 3\n0 0 1 0.5 a\n"))
	fuzzRows(f, matrices.ParseTransitions)
}

// fuzzRows holds a parser to rows that can be used and written, whatever it reads.
func fuzzRows(f *testing.F, parse func(data []byte, most int) (*matrices.Rows, error)) {
	const most = 20
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := parse(data, most)
		if err != nil {
			return
		}
		if r.Len() > most || r.Starts[0] != 0 || r.Starts[r.Len()] != len(r.P) || len(r.To) != len(r.P) {
			t.Fatalf("rows %v", r)
		}
		for x := range r.Len() {
			to, p := r.Row(x)
			for i := range to {
				if to[i] < 0 || int(to[i]) >= r.Len() || i > 0 && to[i-1] >= to[i] || !(p[i] > 0) || math.IsInf(p[i], 0) {
					t.Fatalf("row %d: %v %v", x, to, p)
				}
			}
		}
	})
}

func FuzzParseLabels(f *testing.F) {
	f.Add([]byte("0=\"init\" 1=\"goal\"\n0: 0 1\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		labels, err := matrices.ParseLabels(data, 5)
		if err != nil {
			return
		}
		if again, err := matrices.ParseLabels(matrices.LabelsText(labels), 5); err != nil || len(again) != len(labels) {
			t.Fatalf("%v became %v, %v", labels, again, err)
		}
	})
}

func FuzzParseRewards(f *testing.F) {
	f.Add([]byte("# Reward structure \"r\"\n2 1\n0 1.5\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := matrices.ParseRewards(data, 5)
		if err != nil {
			return
		}
		if again, err := matrices.ParseRewards(matrices.RewardText(r), 5); err != nil || !slices.Equal(again.Values, r.Values) {
			t.Fatalf("%v became %v, %v", r, again, err)
		}
	})
}
