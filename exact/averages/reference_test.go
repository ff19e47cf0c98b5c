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

// setting returns the chain of a kernel on a toy, a start and a function, each by its selector.
func setting(t testing.TB, toy, kernel, start, function string) (*averages.Chain, *averages.Function, []float64) {
	t.Helper()
	c, y := chainOn(t, toy, kernel)
	return c, functionOn(t, c, y, function), lawOn(c, start)
}

// same fails if two numbers differ by more than 1e-11, relative.
func same(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-11*math.Abs(want)) {
		t.Errorf("%s is %.17g, want %.17g", what, got, want)
	}
}

// The figures of these tests were computed by programs independent of this one, each in at least
// two ways.

// TestCountSuccess holds the success of the variance and of the distribution to all paths of two
// chains, one by one.
func TestCountSuccess(t *testing.T) {
	const n, chains = 4, 2
	for _, toy := range []string{"random:1:3:3", "random:2:1:2x2"} {
		c, f, start := setting(t, toy, "metropolis", "uniform", "g")
		free := longtest.Must(f.IndependentKS(t.Context(), n, nil))(t)
		var p, variance, ks []float64 // of each path
		averages.EachPath(c, start, n, func(path []int, q float64) {
			v, d := errorsOfPath(f, path)
			p, variance, ks = append(p, q), append(variance, v*v), append(ks, d*d)
		})
		for _, ress := range []float64{0.5, 1, 3, 12} {
			got := longtest.Must(c.CountSuccess(t.Context(), f, start, n, chains, ress))(t)
			for _, estimate := range []struct {
				name    string
				got     averages.Bracket
				squares []float64
				most    float64
			}{
				{"variance", got.Variance, variance, chains * f.IndependentVariance(n) / ress},
				{"KS", got.KS, ks, chains * n * free.Square / ress},
			} {
				want := 0.0
				for i, a := range estimate.squares {
					for j, b := range estimate.squares {
						if a+b <= estimate.most*(1+1e-12) {
							want += p[i] * p[j]
						}
					}
				}
				if !(estimate.got.Low <= want+1e-13 && want <= estimate.got.High+1e-13 && estimate.got.High-estimate.got.Low < 1e-2) {
					t.Errorf("%s, RESS %v, %s: from %v to %v, and all paths give %v", toy, ress, estimate.name, estimate.got.Low, estimate.got.High, want)
				}
			}
		}
	}
}

// errorsOfPath returns the error of the sample variance of a path, and its Kolmogorov-Smirnov
// distance.
func errorsOfPath(f *averages.Function, path []int) (variance, ks float64) {
	n, mean := float64(len(path)), 0.0
	for _, x := range path {
		mean += f.Values[x] / n
	}
	for _, x := range path {
		variance += (f.Values[x] - mean) * (f.Values[x] - mean) / (n - 1)
	}
	below := 0.0
	for level, mass := range f.Masses {
		below += mass
		at := 0.0
		for _, x := range path {
			if f.Level[x] <= level {
				at += 1 / n
			}
		}
		ks = max(ks, math.Abs(at-below))
	}
	return variance - 1, ks
}

// TestCountSuccessOfVanishingVariance: a variance of 1e-304 is divided by, and not what is left of
// its reciprocal.
func TestCountSuccessOfVanishingVariance(t *testing.T) {
	for _, toy := range []string{"cells:0:600", "cells:0:700"} {
		c, f, start := setting(t, toy, "metropolis", "uniform", "x0")
		got := longtest.Must(c.CountSuccess(t.Context(), f, start, 4, 2, 12))(t)
		for name, b := range map[string]averages.Bracket{"variance": got.Variance, "KS": got.KS} {
			if !(0 <= b.Low && b.Low <= b.High && b.High <= 1) {
				t.Errorf("%s: success of %s from %v to %v", toy, name, b.Low, b.High)
			}
		}
	}
}

// TestCountSuccessRefuses: what takes too long, and questions without an answer.
func TestCountSuccessRefuses(t *testing.T) {
	c, f, start := setting(t, "easy", "metropolis", "uniform", "x0")
	for want, ask := range map[string]func() error{
		"the distribution of the counts": func() error { _, err := c.CountSuccess(t.Context(), f, start, 1000, 8, 12); return err },
		"sample size of 0":               func() error { _, err := c.CountSuccess(t.Context(), f, start, 3, 8, 0); return err },
		"number of chains":               func() error { _, err := c.CountSuccess(t.Context(), f, start, 3, 0, 12); return err },
		"canceled": func() error {
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			_, err := c.CountSuccess(ctx, f, start, 3, 8, 12)
			return err
		},
	} {
		longtest.Refused(t, ask(), want)
	}
}

// The rows are from a program that is independent of this project, which computed each of them in
// at least two ways. An empty field is a number that the row does not have.
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

// functionOn returns a function on a toy on a lattice: x0, x1, x2, sum, mode or g, and with "<="
// and a limit behind that the indicator of its values up to the limit.
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

// lawOn returns the distribution of a start: target, uniform or state:0.
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
		"bias_mean": e.Bias.Value, "mse_mean": e.MSE.Value, "ress_mean": 1 / e.MSE.Value,
		"bias_var": e.BiasVariance.Value, "mse_var": e.MSEVariance.Value,
		"R_var": f.IndependentVariance(e.N), "ress_var": f.IndependentVariance(e.N) / e.MSEVariance.Value,
		"cvm": e.CvM.Value, "R_cvm": f.IndependentCvM(), "ress_cvm": f.IndependentCvM() / e.CvM.Value,
		"ks2_lower": e.KS2Low.Value, "ks2_upper": e.KS2High.Value,
	}
	// With divisor N the variance is s^2 (N-1)/N, and its error s^2 - 1 becomes (s^2 - 1)(N-1)/N -
	// 1/N. A single sample has variance zero.
	scale := (n - 1) / n
	got["mse_var_n"] = scale*scale*e.MSEVariance.Value - 2*scale/n*e.BiasVariance.Value + 1/n/n
	if e.N == 1 {
		got["mse_var_n"] = 1
	}
	return got
}

// checkRow compares errors with a row, or the error of the mean from the target alone.
func checkRow(t *testing.T, row errorsRow, f *averages.Function, e averages.Errors, alone bool) {
	t.Helper()
	got, rounding := errorsByName(f, e), 1e-8
	if alone {
		rounding = 1e-11
	}
	for name, want := range row.want {
		if name == "tau" || alone && name != "mse_mean" {
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
			t.Errorf("%s %s %s %s N=%d: %s is %v, and %v by the reference, off by %.2g", row.toy, row.kernel, row.start, row.function, row.n, name, v, want,
				(v-want)/scale)
		}
	}
	if !(e.Rounding > 0 && e.Rounding < rounding) || alone && e.Bias.Value != 0 {
		t.Errorf("%s %s %s %s N=%d: rounding %v, bias %v", row.toy, row.kernel, row.start, row.function, row.n, e.Rounding, e.Bias)
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

// TestErrorsReference compares every row on small spaces, of the recursion only the first of each
// problem unless with -long, because the last has 10,000 samples; and by Lanczos all that start
// from the target, with tau on the Ising model.
func TestErrorsReference(t *testing.T) {
	compared := map[averages.Method]int{}
	for _, group := range errorsGroups(t) {
		row := group.rows[0]
		tau, large := row.want["tau"]
		if large && (!longtest.Enabled() || row.function != "sum" && !longtest.More()) {
			continue // on 65,536 states one function will do
		}
		c, y := chainOn(t, row.toy, row.kernel)
		f := functionOn(t, c, y, row.function)
		for _, m := range averages.Methods() {
			n, alone := group.n, m == averages.Lanczos
			switch {
			case alone && row.start != "target", !alone && large, m == averages.Squaring && !longtest.Enabled():
				continue
			case m == averages.Recursion && !longtest.Enabled():
				n = n[:3]
			case m == averages.Recursion && !longtest.More():
				n = n[:4]
			}
			q := averages.Question{Function: f, Starts: [][]float64{lawOn(c, row.start)}, N: n, Variance: !alone, Distribution: !alone}
			for k, e := range longtest.Must(c.Errors(t.Context(), q, m))(t)[0] {
				checkRow(t, group.rows[k], f, e, alone)
				compared[m]++
			}
		}
		if !large {
			continue
		}
		s := longtest.Must(c.Stationary(t.Context(), f))(t)
		if !(math.Abs(s.Tau()/tau-1) <= 1e-11) || s.Steps > 200 {
			t.Errorf("%s %s %s: tau %v after %d steps, and %v by the reference", row.toy, row.kernel, row.function, s.Tau(), s.Steps, tau)
		}
	}
	if compared[averages.Recursion] == 0 || compared[averages.Lanczos] == 0 {
		t.Error("no row was compared")
	}
}
