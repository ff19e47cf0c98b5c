package kernelcheck_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/experiments/external"
	"breadboard/experiments/kernelcheck"
	"breadboard/experiments/study"
	"breadboard/experiments/study/check"
	"breadboard/grid"
	"breadboard/grid/longtest"
	"breadboard/toys"
)

// find returns the finding of a name.
func find(t *testing.T, k *kernelcheck.Row, name string) kernelcheck.Finding {
	t.Helper()
	for _, f := range k.Findings {
		if f.Name == name {
			return f
		}
	}
	t.Fatalf("no finding %s among %+v", name, k.Findings)
	return kernelcheck.Finding{}
}

// TestNoiseFloorIsAttained: rows that are p, each probability moved by half a unit of the third decimal as rounding may,
// up and down in turn, have a divergence J from p of the noise floor, to the third order in what was moved.
func TestNoiseFloorIsAttained(t *testing.T) {
	p, written := []float64{0.2005, 0.2995, 0.1505, 0.3495}, []float64{0.201, 0.299, 0.151, 0.349}
	line := make([]string, 4)
	g, j := make([]float64, 4), 0.0
	for x, v := range p {
		line[x], g[x] = fmt.Sprintf("%.3f", written[x]), math.Log(v)
		j += (written[x] - v) * math.Log(written[x]/v)
	}
	file := filepath.Join(t.TempDir(), "rows.csv")
	longtest.NoError(t, os.WriteFile(file, []byte(strings.Repeat(strings.Join(line, ",")+"\n", 4)), 0o666))
	toy := &toys.Toy{Name: "written", Space: grid.MustNew(4), G: g}
	m := longtest.Sure(external.ReadMatrix(file, toy.Space))
	k := &kernelcheck.Row{Kernel: "test", Toy: toy, Betas: []float64{1}}
	longtest.NoError(t, k.Examine(context.Background(), m, 3))
	floor := find(t, k, "J_noise_floor")
	if !(math.Abs(floor.Value/j-1) < 0.005) || !strings.Contains(floor.Where, "rounded to 0.001;") {
		t.Errorf("noise floor %v (%s), and J is %v", floor.Value, floor.Where, j)
	}
	if k.Wrong() {
		t.Errorf("what rounding may do is a fault: %+v", k.Findings)
	}
	// The flows are off by half a unit at most, which is all that is excused.
	if f := find(t, k, "invariance"); math.Abs(f.Value-0.5e-3) > 1e-15 || math.Abs(f.Tolerance-0.5e-3) > 1e-11 {
		t.Errorf("invariance %v within %v", f.Value, f.Tolerance)
	}
}

// leaning moves on a ring of three states, with a little more to the right than to the left, and rows that are a little too heavy.
func leaning(lean, heavy float64) chains.Kernel {
	return chains.NewTabulated("leaning", 3, func(x int) []chains.Entry {
		return []chains.Entry{{To: x, P: 0.5 + heavy}, {To: (x + 1) % 3, P: 0.25 + lean}, {To: (x + 2) % 3, P: 0.25 - lean}}
	})
}

// TestKernelTolerances: rows and flows may be off by 1e-12 and no more. A flow here is a third of the probability that it is off by.
func TestKernelTolerances(t *testing.T) {
	toy := &toys.Toy{Name: "flat", Space: grid.MustNew(3), G: make([]float64, 3)}
	for _, c := range []struct {
		name        string
		lean, heavy float64
		want        map[string]check.Verdict
	}{
		{"right", 0, 0, map[string]check.Verdict{"row_sum": check.Pass, "detailed_balance": check.Pass}},
		{"leaning unseen", 0.9 * 1.5e-12, 0, map[string]check.Verdict{"detailed_balance": check.Pass}},
		{"leaning", 1.1 * 1.5e-12, 0, map[string]check.Verdict{"detailed_balance": check.Note, "invariance": check.Pass}},
		{"heavy unseen", 0, 0.9e-12, map[string]check.Verdict{"row_sum": check.Pass}},
		{"heavy", 0, 1.1e-12, map[string]check.Verdict{"row_sum": check.Fault, "invariance": check.Pass}},
		{"too heavy", 0, 3.3e-12, map[string]check.Verdict{"row_sum": check.Fault, "invariance": check.Fault}},
	} {
		k := &kernelcheck.Row{Kernel: "test", Toy: toy, Betas: []float64{1}}
		longtest.NoError(t, k.Examine(context.Background(), leaning(c.lean, c.heavy), 3))
		for name, want := range c.want {
			if f := find(t, k, name); f.Verdict != want || f.Tolerance != 1e-12 {
				t.Errorf("%s: %+v, want %s", c.name, f, want)
			}
		}
	}
}

// TestCountsOfFindings: what is counted is counted: one class and a period of one where the kernel has those, and its own number else.
func TestCountsOfFindings(t *testing.T) {
	toy := &toys.Toy{Name: "flat", Space: grid.MustNew(4), G: make([]float64, 4)}
	cycle := func(step int) chains.Kernel {
		return chains.NewTabulated("cycle", 4, func(x int) []chains.Entry { return []chains.Entry{{To: (x + step) % 4, P: 1}} })
	}
	for _, c := range []struct {
		kernel          chains.Kernel
		classes, period float64
		verdicts        [2]check.Verdict
	}{
		{kernels.Metropolis{Space: toy.Space}, 1, 1, [2]check.Verdict{check.Pass, check.Pass}},
		{cycle(1), 1, 4, [2]check.Verdict{check.Pass, check.Note}},
		{cycle(2), 2, 2, [2]check.Verdict{check.Note, check.Note}},
	} {
		k := &kernelcheck.Row{Kernel: "test", Toy: toy, Betas: []float64{1}}
		longtest.NoError(t, k.Examine(context.Background(), c.kernel, 3))
		classes, period := find(t, k, "irreducible"), find(t, k, "period")
		if classes.Value != c.classes || period.Value != c.period || classes.Verdict != c.verdicts[0] || period.Verdict != c.verdicts[1] {
			t.Errorf("%v: %+v and %+v", c.kernel, classes, period)
		}
	}
}

// TestFloorOfClasses: a kernel of the library that stays in its classes has what J is never below among its findings, and the
// mass of its likeliest class.
func TestFloorOfClasses(t *testing.T) {
	toy := &toys.Toy{Name: "two", Space: grid.MustNew(2), G: []float64{1, 0}}
	k := &kernelcheck.Row{Kernel: "stay", Toy: toy, Betas: []float64{1}}
	longtest.NoError(t, k.Examine(context.Background(), kernels.Stay{}, 5))
	c := math.E / (1 + math.E)
	if f := find(t, k, "J_floor"); math.Abs(f.Value-(2*c-1)*0.5) > 1e-12 {
		t.Errorf("J is never below %v, by hand %v", f.Value, (2*c-1)*0.5)
	}
	if f := find(t, k, "irreducible"); !strings.Contains(f.Where, "the likeliest has 0.731059 of the probability") {
		t.Errorf("%+v", f)
	}
	for _, f := range k.Findings {
		if f.Name == "J_floor_metropolis" {
			t.Errorf("%+v", f)
		}
	}
}

// TestWordsOfVariances: an asymptotic variance that is known to less than six digits says to how many, and one that is lost says so.
func TestWordsOfVariances(t *testing.T) {
	toy := &toys.Toy{Name: "two", Space: grid.MustNew(2), G: []float64{0.5, 0}}
	slow := func(e float64) chains.Kernel { // leaves the law of toy invariant
		return chains.NewTabulated("slow", 2, func(x int) []chains.Entry {
			p := [2]float64{e * math.Exp(-0.5), e}[x]
			return []chains.Entry{{To: x, P: 1 - p}, {To: 1 - x, P: p}}
		})
	}
	for e, want := range map[float64]string{1e-3: "", 1e-9: "", 2e-11: "the kernel hardly mixes", 1e-17: "beyond floating point"} {
		k := &kernelcheck.Row{Kernel: "test", Toy: toy, Betas: []float64{1}}
		longtest.NoError(t, k.Examine(context.Background(), slow(e), 3))
		f := find(t, k, "asymptotic_variance_g")
		if (want == "") != (f.Where == "") || !strings.Contains(f.Where, want) {
			t.Errorf("e = %v: %+v, want %q", e, f, want)
		}
	}
}

// TestBoundsOfLargeSpaces: above 1,024 states the gap has a bound and a floor, and the variances have bounds; a kernel that
// is not reversible has no gap there, which is open and no fault.
func TestBoundsOfLargeSpaces(t *testing.T) {
	longtest.NotShort(t)
	for selector, reversible := range map[string]bool{"flip": true, "suwa-todo": false} {
		rows := longtest.Must(kernelcheck.Run(context.Background(), kernelcheck.Options{Kernel: selector, Toys: []string{"random:1:0:33x32"}, Betas: []float64{1}, T: 3}, study.How{}))(t)
		c := &rows[0]
		if c.Wrong() || c.Open() == reversible {
			t.Errorf("%s: wrong %v, open %v", selector, c.Wrong(), c.Open())
		}
		gap, variance := find(t, c, "spectral_gap"), find(t, c, "asymptotic_variance_g")
		if !(variance.Bound < 1e-9*variance.Value) || variance.Verdict != check.Note {
			t.Errorf("%s: variance %+v", selector, variance)
		}
		if !reversible {
			if gap.Verdict != check.Open || !math.IsNaN(gap.Value) {
				t.Errorf("%s: gap %+v", selector, gap)
			}
			continue
		}
		if floor := find(t, c, "spectral_gap_floor"); !(gap.Bound < 1e-9 && floor.Value < gap.Value && floor.Value > gap.Value/3) {
			t.Errorf("gap %+v, floor %+v", gap, floor)
		}
	}
}

// TestFindingColumns: the bound of a value stands behind it, and what is not known has an empty cell.
func TestFindingColumns(t *testing.T) {
	f := kernelcheck.Finding{Kernel: "stay", Toy: "easy", Beta: 0.5, Finding: check.Finding{Name: "gap", Value: 0.25, Tolerance: math.NaN(), Verdict: check.Note, Where: "here"}, Bound: 0.125}
	var names, cells []any
	for _, column := range kernelcheck.FindingColumns() {
		names, cells = append(names, column.Name), append(cells, column.Of(&f))
	}
	if !slices.Equal(names, []any{"kernel", "toy", "beta", "finding", "value", "bound", "tolerance", "verdict", "where"}) ||
		!slices.Equal(cells, []any{"stay", "easy", 0.5, "gap", 0.25, 0.125, nil, "note", "here"}) {
		t.Errorf("%v: %v", names, cells)
	}
}
