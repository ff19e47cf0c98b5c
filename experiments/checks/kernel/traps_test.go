package kernel_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/experiments/programs"
	"breadboard/grid"
	"breadboard/grid/longtest"
	"breadboard/reports/check"
	"breadboard/toys"

	kernelcheck "breadboard/experiments/checks/kernel"
)

// metropolisRows are those of Metropolis' kernel that proposes any state, by the definition.
func metropolisRows(g []float64) [][]float64 {
	rows := make([][]float64, len(g))
	for x := range g {
		rows[x] = make([]float64, len(g))
		stay := 1.0
		for y := range g {
			if y != x {
				rows[x][y] = math.Min(1, math.Exp(g[y]-g[x])) / float64(len(g))
				stay -= rows[x][y]
			}
		}
		rows[x][x] = stay
	}
	return rows
}

// invariant returns what is found at beta 1 of the invariance of the kernel with these rows.
func invariant(t *rapid.T, g []float64, rows [][]float64) kernelcheck.Finding {
	k := &kernelcheck.Row{
		Kernel: "test",
		Toy:    &toys.Toy{Name: "toy", Space: grid.MustNew(len(g)), G: g},
		Betas:  []float64{1},
	}
	tabulated := chains.NewTabulated("rows", len(g), func(x int) (row []chains.Entry) {
		for y, p := range rows[x] {
			row = append(row, chains.Entry{To: y, P: p})
		}
		return row
	})
	longtest.NoError(t, k.Examine(context.Background(), tabulated, 3))
	return k.Findings[slices.IndexFunc(k.Findings, func(f kernelcheck.Finding) bool { return f.Name == "invariance" })]
}

// TestTraps: a state, or a set of states, that is never left is a fault, however unlikely it is, or
// open where moves to it may be what rounding leaves of one minus others; the kernel without the
// trap passes.
func TestTraps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := rapid.SliceOfN(rapid.Float64Range(-30, 3), 3, 7).Draw(t, "g")
		depth := rapid.Float64Range(20, 690).Draw(t, "depth")
		g[0] = -depth
		rows := metropolisRows(g)
		if f := invariant(t, g, rows); f.Verdict != check.Pass {
			t.Fatalf("the right kernel: %+v", f)
		}
		trap := rapid.IntRange(1, len(g)-1).Draw(t, "states") // the first ones
		for x := range trap {
			for y := trap; y < len(g); y++ {
				rows[x][x] += rows[x][y]
				rows[x][y] = 0
			}
		}
		if f := invariant(t, g, rows); f.Verdict == check.Pass ||
			f.Verdict == check.Open && (depth < 25 || depth > 40) {
			t.Fatalf("a trap: %+v", f)
		}
	})
}

// TestMissingWays: a state, or a set of states, to which no other state leads, or half or twice as
// often as it should, is no pass, as long as float64 holds the entries that it needs; the kernel
// with the ways passes.
func TestMissingWays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := rapid.SliceOfN(rapid.Float64Range(-30, 3), 4, 7).Draw(t, "g")
		alone := rapid.IntRange(1, 3).Draw(t, "states") // the first ones
		for y := range alone {
			g[y] = -rapid.Float64Range(35, 690).Draw(t, "depth")
		}
		rows := metropolisRows(g)
		if f := invariant(t, g, rows); f.Verdict != check.Pass {
			t.Fatalf("the right kernel: %+v", f)
		}
		factor := rapid.SampledFrom([]float64{0, 0.5, 2}).Draw(t, "factor")
		for x := alone; x < len(g); x++ {
			for y := range alone {
				rows[x][x] -= (factor - 1) * rows[x][y]
				rows[x][y] *= factor
			}
		}
		if f := invariant(t, g, rows); f.Verdict == check.Pass {
			t.Fatalf("ways times %v: %+v", factor, f)
		}
	})
}

// TestLeaks: a move to a state where f is zero is a fault, or open if it is no larger than the
// rounding of one minus others.
func TestLeaks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := []float64{0, 1, -2, math.Inf(-1)}
		rows := metropolisRows(g)
		rows[3] = []float64{1, 0, 0, 0}
		want := check.Pass
		leak := 0.0
		if rapid.Bool().Draw(t, "leaks") {
			exponent := rapid.Float64Range(-300, -3).Draw(t, "exponent")
			leak = math.Pow(10, exponent)
			want = check.Open
			if leak > 8*0x1p-52 {
				want = check.Fault
			}
		}
		rows[0][3], rows[0][0] = leak, rows[0][0]-leak
		if f := invariant(t, g, rows); f.Verdict != want {
			t.Fatalf("a leak of %v: %+v", leak, f)
		}
	})
}

// TestDecimals: of a matrix in text the verdict goes as far as its decimals, and of states too
// unlikely for these there is none.
func TestDecimals(t *testing.T) {
	check1 := func(g []float64, rows [][]float64, decimals int) *kernelcheck.Row {
		var text strings.Builder
		for _, row := range rows {
			for y, p := range row {
				fmt.Fprintf(&text, "%.*f%s", decimals, p, map[bool]string{true: "\n", false: ","}[y == len(row)-1])
			}
		}
		file := longtest.File(t, "rows.csv", text.String())
		toy := &toys.Toy{Name: "toy", Space: grid.MustNew(len(g)), G: g}
		m := longtest.Must(programs.Env{Space: toy.Space}.ReadMatrix(file))(t)
		k := &kernelcheck.Row{Kernel: "test", Toy: toy, Betas: []float64{1}}
		longtest.NoError(t, k.Examine(t.Context(), m, 3))
		return k
	}
	near := []float64{0, 1, 0.5}
	far := []float64{0, -29.9, 1}
	wrong := metropolisRows(near)
	wrong[0][1], wrong[0][0] = wrong[0][1]-0.02, wrong[0][0]+0.02
	for _, c := range []struct {
		g        []float64
		rows     [][]float64
		decimals int
		want     check.Verdict
		says     string
	}{
		{near, metropolisRows(near), 2, check.Pass,
			"is correct as far as its 2 decimals show"},
		{near, metropolisRows(near), 4, check.Pass, "as far as its 4 decimals show"},
		{near, wrong, 4, check.Fault, "is wrong"},
		{far, metropolisRows(far), 4, check.Open,
			"whether kernel test is right is open; see the findings that say open"},
		{far, metropolisRows(far), 20, check.Pass, "as far as its 20 decimals show"},
	} {
		k := check1(c.g, c.rows, c.decimals)
		if f := findingNamed(t, k, "invariance"); f.Verdict != c.want ||
			!strings.Contains(kernelcheck.Conclusion("test", []kernelcheck.Row{*k}), c.says) {
			t.Errorf("%v to %d decimals: %+v; %s", c.g, c.decimals,
				f, kernelcheck.Conclusion("test", []kernelcheck.Row{*k}))
		}
	}
}
