package averages_test

import (
	"context"
	_ "embed"
	"encoding/csv"
	"math"
	"strconv"
	"strings"
	"testing"

	"breadboard/chains/kernels"
	"breadboard/exact/averages"
	"breadboard/grid/longtest"
	"breadboard/toys"
)

// The rows are from a program that is independent of this project, which computed each of them in at least two ways. An empty field is a
// number that the row does not have.
//
//go:embed testdata/errors.csv
var errorsCSV string

// errorsRow is a row of that table.
type errorsRow struct {
	toy, kernel, start, function string
	n                            int64
	want                         map[string]float64
}

// errorsRows returns all rows of a table with such columns.
func errorsRows(t testing.TB) []errorsRow {
	t.Helper()
	lines := longtest.Must(csv.NewReader(strings.NewReader(errorsCSV)).ReadAll())(t)
	var rows []errorsRow
	for _, line := range lines[1:] {
		row := errorsRow{toy: line[0], kernel: line[1], start: line[2], function: line[3], want: map[string]float64{}}
		row.n = longtest.Must(strconv.ParseInt(line[4], 10, 64))(t)
		for i, field := range line[5:] {
			if field == "" {
				continue
			}
			row.want[lines[0][5+i]] = longtest.Must(strconv.ParseFloat(field, 64))(t)
		}
		rows = append(rows, row)
	}
	return rows
}

// chainOn returns the chain of a kernel on a toy on a lattice, both by their selectors.
func chainOn(t testing.TB, toy, kernel string) (*averages.Chain, *toys.Toy) {
	t.Helper()
	y := longtest.Must(toys.Parse(toy))(t)
	k := longtest.Must(kernels.Parse(kernel, y.Space))(t)
	c := longtest.Must(averages.New(context.Background(), k, y.G))(t)
	return c, y
}

// functionOn returns a function on a toy on a lattice: x0, x1, x2, sum, mode or g, and with "<=" and a limit behind that the indicator of its
// values up to the limit.
func functionOn(t testing.TB, c *averages.Chain, y *toys.Toy, name string) *averages.Function {
	t.Helper()
	g := make([]float64, c.States())
	name, most, indicator := strings.Cut(name, "<=")
	for x := range g {
		switch name {
		case "g":
			g[x] = y.G[x]
		case "sum":
			for axis := range y.Lattice().Dims() {
				g[x] += float64(y.Lattice().Coord(x, axis))
			}
		case "mode":
		default:
			g[x] = float64(y.Lattice().Coord(x, int(name[1]-'0')))
		}
	}
	if name == "mode" {
		for _, x := range y.Mode {
			g[x] = 1
		}
	}
	if indicator {
		limit := longtest.Must(strconv.ParseFloat(most, 64))(t)
		for x, v := range g {
			g[x] = 0
			if v <= limit {
				g[x] = 1
			}
		}
	}
	return longtest.Must(c.Standardise(g))(t)
}

// lawOn returns the law of a start: target, uniform or state:0.
func lawOn(c *averages.Chain, start string) []float64 {
	law := make([]float64, c.States())
	switch start {
	case "target":
		copy(law, c.Target)
	case "uniform":
		for x := range law {
			law[x] = 1 / float64(len(law))
		}
	default:
		law[0] = 1
	}
	return law
}

// errorsByName returns the numbers of a row by their names in the table.
func errorsByName(f *averages.Function, e averages.Errors) map[string]float64 {
	n := float64(e.N)
	got := map[string]float64{
		"mean": f.Mean, "sd": f.SD, "kurtosis": f.Kurtosis,
		"bias_mean": e.Bias, "mse_mean": e.MSE, "ress_mean": 1 / e.MSE,
		"bias_var": e.BiasVariance, "mse_var": e.MSEVariance,
		"R_var": f.IndependentVariance(e.N), "ress_var": f.IndependentVariance(e.N) / e.MSEVariance,
		"cvm": e.CvM, "R_cvm": f.IndependentCvM(), "ress_cvm": f.IndependentCvM() / e.CvM,
		"ks2_lower": e.KS2Low, "ks2_upper": e.KS2High,
	}
	// With divisor N the variance is s^2 (N-1)/N, and its error s^2 - 1 becomes (s^2 - 1)(N-1)/N - 1/N. A single sample has variance zero.
	scale := (n - 1) / n
	got["mse_var_n"] = scale*scale*e.MSEVariance - 2*scale/n*e.BiasVariance + 1/n/n
	if e.N == 1 {
		got["mse_var_n"] = 1
	}
	return got
}

// checkRow compares errors with a row.
func checkRow(t *testing.T, row errorsRow, f *averages.Function, e averages.Errors) {
	t.Helper()
	got := errorsByName(f, e)
	for name, want := range row.want {
		if name == "tau" {
			continue
		}
		v, known := got[name]
		if !known || math.IsNaN(v) {
			t.Errorf("%s is not known", name)
		}
		scale := math.Abs(want)
		switch name { // biases that are nearly zero, in units of the root of their mean squared error
		case "bias_mean":
			scale = max(scale, 1e-3*math.Sqrt(row.want["mse_mean"]))
		case "bias_var":
			scale = max(scale, 1e-3*math.Sqrt(row.want["mse_var"]))
		}
		if !(math.Abs(v-want) <= 1e-11*scale) {
			t.Errorf("%s %s %s %s N=%d: %s is %v, and %v by the reference, off by %.2g", row.toy, row.kernel, row.start, row.function, row.n, name, v, want, (v-want)/scale)
		}
	}
	if !(e.Rounding > 0 && e.Rounding < 1e-8) {
		t.Errorf("%s %s %s %s N=%d: rounding %v", row.toy, row.kernel, row.start, row.function, row.n, e.Rounding)
	}
}

// errorsGroup are the rows of one chain, start and function.
type errorsGroup struct {
	rows []errorsRow
	n    []int64
}

// errorsGroups returns the rows in their groups.
func errorsGroups(t testing.TB) []errorsGroup {
	t.Helper()
	var groups []errorsGroup
	for _, row := range errorsRows(t) {
		if k := len(groups) - 1; k >= 0 {
			if last := groups[k].rows[0]; last.toy == row.toy && last.kernel == row.kernel && last.start == row.start && last.function == row.function {
				groups[k].rows, groups[k].n = append(groups[k].rows, row), append(groups[k].n, row.n)
				continue
			}
		}
		groups = append(groups, errorsGroup{[]errorsRow{row}, []int64{row.n}})
	}
	return groups
}

// TestRecursionReference compares every row on small spaces.
func TestRecursionReference(t *testing.T) {
	for _, group := range errorsGroups(t) {
		row := group.rows[0]
		if _, large := row.want["tau"]; large {
			continue
		}
		c, y := chainOn(t, row.toy, row.kernel)
		f := functionOn(t, c, y, row.function)
		q := averages.Question{Function: f, Starts: [][]float64{lawOn(c, row.start)}, N: group.n, Variance: true, Distribution: true}
		switch { // the last N is 10,000
		case longtest.Short():
			q.N = q.N[:3]
		case !longtest.Enabled():
			q.N = q.N[:4]
		}
		got := longtest.Must(c.Errors(context.Background(), q, averages.Recursion))(t)
		for k, e := range got[0] {
			checkRow(t, group.rows[k], f, e)
		}
	}
}

// TestSquaringReference compares every row on small spaces. Rows of the same problem are asked together.
func TestSquaringReference(t *testing.T) {
	longtest.NotShort(t)
	type problem struct{ toy, kernel, start, function string }
	rows := map[problem][]errorsRow{}
	for _, row := range errorsRows(t) {
		if _, large := row.want["tau"]; !large {
			at := problem{row.toy, row.kernel, row.start, row.function}
			rows[at] = append(rows[at], row)
		}
	}
	for at, rows := range rows {
		c, y := chainOn(t, at.toy, at.kernel)
		f := functionOn(t, c, y, at.function)
		q := averages.Question{Function: f, Starts: [][]float64{lawOn(c, at.start)}, Variance: true, Distribution: true}
		for _, row := range rows {
			q.N = append(q.N, row.n)
		}
		got := longtest.Must(c.Errors(context.Background(), q, averages.Squaring))(t)
		for i, row := range rows {
			checkRow(t, row, f, got[0][i])
		}
	}
}
