package matrices_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
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
func refusals(t *testing.T, parse func(data []byte, most int) (*matrices.Rows, error),
	accepted map[string][]float64, refused map[string]string) {
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
		market + "coordinate real general\n3 3 5\n1 1 5D-1\n1 2 0.5D+00\n2 3 1\n3 1 2.5D-1\n3 3 0.75D0\n": three,
		market + "coordinate real general\n3 3 5\n1 1 0.5\n1 2 .5\n2 3 1\n3 1 2.5e-1\n3 3 0.75\n":         three,
		"\ufeff%%matrixmarket MATRIX Coordinate Real GENERAL\r\n% a remark\r\n\r\n3 3 5\r\n3 3 0.75\r\n3 " +
			"1 0.25\r\n2 3 1\n1\t2  0.5\n%x\n1 1 0.5": three,
		market + "coordinate double general\n3 3 6\n1 1 0.5\n1 2 .5\n2 3 1\n3 1 0.25\n3 2 0\n3 3 0.75\n": three,
		market + "array real general\n3 3\n0.5\n0\n0.25\n0.5\n0\n0\n0\n1\n0.75\n":                        three,
		market + "array real general\n3 3\n0.5 0 0.25 0.5 0\n0 0 1 0.75\n":                               three,
		market + "coordinate pattern general\n2 2 2\n1 2\n2 1\n": {
			0, 1, 1, 0},
		market + "coordinate integer symmetric\n2 2 1\n2 1 1\n": {
			0, 1, 1, 0},
		market + "coordinate real symmetric\n2 2 3\n1 1 0.25\n2 1 0.75\n2 2 0.25\n": {0.25,
			0.75, 0.75, 0.25},
		market + "array real symmetric\n2 2\n0.25\n0.75\n0.25\n": {0.25, 0.75, 0.75, 0.25},
		// what its digits allow is checked elsewhere
		market + "coordinate real general\n1 1 1\n1 1 1.0009\n": {1.0009},
	}, map[string]string{
		"":        "line 1: the file does not begin with %%MatrixMarket",
		"1 2 3\n": "line 1: the file does not begin with %%MatrixMarket",
		"c\np edge 3 1\ne 1 2\n": "line 1: it is a graph of DIMACS; awk '$1 == \"e\" " +
			"{print $2, $3}' FILE >EDGES lists its edges",
		market + "coordinate real\n": "line 1: \"%%MatrixMarket matrix coordinate real\" has 4 " +
			"words; write %%MatrixMarket matrix, coordinate or array",
		market + "coordinate complex general\n": "line 1: a matrix of probabilities is not complex; write " +
			"real or double or integer or pattern",
		market +
			"coordinate real skew-symmetric\n": "line 1: a matrix of probabilities is not skew-symmetric; " +
			"write general or symmetric",
		market + "coordinate real hermitian\n":            "is not hermitian",
		"%%MatrixMarket vector coordinate real general\n": "is not vector",
		market + "array pattern general\n":                "a pattern has no numbers",
		market + "coordinate real general\n":              "the file ends before its sizes",
		market +
			"coordinate real general\n3 3\n": `line 2: "3 3" has 2 numbers, and there should be 3: rows, ` +
			`columns, entries`,
		market + "coordinate real general\n3 -3 1\n": `line 2: "-3" is not a number of columns; write ` +
			`a whole number`,
		market + "coordinate real general\n3 2 1\n1 1 1\n": "line 2: the matrix is 3x2; a chain has as " +
			"many rows as columns",
		market + "coordinate real general\n4 4 1\n1 1 1\n": "line 2: there are 4 states, and at most 3 " +
			"can be used here",
		market +
			"coordinate real general\n0 0 0\n": "line 2: there are no states",
		market + "array real general\n9223372036854775807 9223372036854775807\n": "there are 9223372036854775807 states",
		market + "coordinate real general\n3 3 99999999\n1 1 1\n": "line 2: 99999999 " +
			"entries are promised, and the file has 6 bytes",
		market + "coordinate real general\n3 3 2\n1 1 1\n": "line 3: the file ends " +
			"after 1 entries, and 2 are promised",
		market + "coordinate real general\n3 3 1\n1 1 1\n2 2 1\n": "line 4: there are more " +
			"than the 1 entries",
		market +
			"coordinate real general\n3 3 1\n1 1\n": `line 3: "1 1" has 2 words; an entry has 3: row, ` +
			`column, probability`,
		market + "coordinate pattern general\n3 3 1\n1 1 1\n": `line 3: "1 1 1" has 3 words; an entry has ` +
			`2: row, column`,
		market + "coordinate real general\n3 3 1\n0 1 1\n": "line 3: row 0 is none of 1 to 3",
		market +
			"coordinate real general\n3 3 1\n1 4 1\n": "line 3: column 4 is none of 1 to 3",
		market + "coordinate real general\n3 3 1\n1 x 1\n":    `line 3: "x" is not a column`,
		market + "coordinate real general\n3 3 1\n1 1 nan\n":  `line 3: "nan" is not a number`,
		market + "coordinate real general\n3 3 1\n1 1 0,5\n":  "has a comma; write decimals with a point",
		market + "coordinate real general\n3 3 1\n1 1 -0.5\n": "line 3: -0.5 is not a probability",
		market + "coordinate real general\n3 3 1\n1 1 1.5\n":  "line 3: 1.5 is not a probability",
		market + "coordinate real general\n3 3 3\n1 1 1\n2 2 1\n1 1 1\n": "line 5: the entry from state 0 " +
			"to state 0 stands already in line 3",
		market + "coordinate real symmetric\n3 3 1\n1 2 0.5\n": "line 3: row 1, column 2 is " +
			"above the diagonal",
		market + "array real general\n2 2\n1\n0\n0\n": "the file ends in column 2, row 2",
		market + "array real general\n1 1\n1\n0\n": "line 4: there are more numbers " +
			"than a matrix of 1x1 has",
		market + "coordinate real general\n%" + strings.Repeat("x", 1<<16) +
			"\n1 1 1\n1 1 1\n": "line 2: the line has more than 65536 bytes",
		"\xff\xfe%\x00": "UTF-16",
	})
}

// TestRoundingOfWriters: the unit is that of the writer's last digit, whether it gives all numbers
// as many decimals or as many significant digits, and leaves out zeros or not.
func TestRoundingOfWriters(t *testing.T) {
	for text, want := range map[string]float64{
		"0.333333 0.666667": 0.5e-6,
		// %.6g: the small numbers have more decimals and no more digits
		"0.333333 0.0123457 1.23457e-5": 0.5e-6,
		"3.33333e-01 1.00000e+00":       0.5e-6,
		"0.0123 0.9877 1.0000":          0.5e-4,
		"0.0123 0.0456":                 0.5e-4, // %.4f, though there are three significant digits at most
		"1 0 0":                         0,
		"1e0 0":                         0,
		".5 .25":                        0.5e-2,
		"5.000000000000000e-01":         0.5e-16, // and with one digit more it is the number itself
		"5.0000000000000000e-01":        0,
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

// chain draws the rows of a chain.
func chain(t *rapid.T) *matrices.Rows {
	n := rapid.SampledFrom([]int{1, 2, 3, 5, 8, 65}).Draw(t, "states")
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	p := make([]float64, n*n)
	for range 8 * n {
		p[r.IntN(n*n)] = []float64{
			0, 1, 5e-324, 1.0 / 3, math.Nextafter(1, 0), 1e-300, r.Float64(), r.Float64() * 1e-10}[r.IntN(8)]
	}
	rows := sparse(p, n)
	return &rows
}

// TestMatricesRoundTrip: what is written reads back to the same bits.
func TestMatricesRoundTrip(t *testing.T) {
	longtest.Only(t)
	rapid.Check(t, func(t *rapid.T) {
		want := chain(t)
		got, err := matrices.ParseMatrixMarket(matrices.MatrixMarket(want, "one\ntwo"), want.Len())
		if err != nil || got.Rounding > 1e-15 || !slices.Equal(got.Starts, want.Starts) ||
			!slices.Equal(got.To, want.To) || !slices.Equal(got.P, want.P) {
			t.Fatalf("%v\n%v\n%v", err, got, want)
		}
	})
}

// TestFiles: the ending says how a file is read.
func TestFiles(t *testing.T) {
	for path, want := range map[string]bool{"a.mtx": true, "A.MTX": true, "d/m{t}.mtx.gz": true,
		"a.npy": false, "mtx": false, "": false, "a.gz": false} {
		if matrices.Is(path) != want {
			t.Errorf("%q: %v", path, matrices.Is(path))
		}
	}
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
	pythons = slices.DeleteFunc(
		pythons,
		func(name string) bool { return exec.Command(name, "-c", "import scipy.io").Run() != nil },
	)
	if len(pythons) == 0 {
		t.Skip("no python3 with scipy.io")
	}
	dir := t.TempDir()
	longtest.NoError(t,
		os.WriteFile(filepath.Join(dir, "ours.mtx"), matrices.MatrixMarket(three(), "three states"), 0o644))
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
		"sparse": dense(three()), "dense": dense(three()), "sparse-symmetric": {0.25, 0.75, 0.75, 0.25},
		"dense-symmetric": {0.25, 0.75, 0.75, 0.25},
		"pattern":         {0, 1, 1, 0}, "integer": {0, 1, 1, 0},
	} {
		r, err := matrices.ReadRows(filepath.Join(dir, name+".mtx"), 3)
		if err != nil || !slices.Equal(dense(r), want) {
			t.Errorf("%s: %v, %v; want %v", name, r, err, want)
		}
	}
}

// FuzzParseMatrixMarket: rows that are read can be used, whatever the text.
func FuzzParseMatrixMarket(f *testing.F) {
	f.Add([]byte(market + "coordinate real symmetric\n2 2 2\n2 1 0.5\n1 1 .5\n"))
	f.Add([]byte(market + "array real general\n2 2\n1 0 0 1\n"))
	const most = 20
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := matrices.ParseMatrixMarket(data, most)
		if err != nil {
			return
		}
		if r.Len() > most || r.Starts[0] != 0 || r.Starts[r.Len()] != len(r.P) || len(r.To) != len(r.P) {
			t.Fatalf("rows %v", r)
		}
		for x := range r.Len() {
			to, p := r.Row(x)
			for i := range to {
				if to[i] < 0 || int(to[i]) >= r.Len() || i > 0 && to[i-1] >= to[i] || !(p[i] > 0) ||
					math.IsInf(p[i], 0) {
					t.Fatalf("row %d: %v %v", x, to, p)
				}
			}
		}
	})
}
