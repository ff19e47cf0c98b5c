package kernel_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/number"
	"breadboard/exact/internal/exacttest"
	"breadboard/exact/kernel"
	"breadboard/grid/longtest"
)

// sticky is two states that are left with small probabilities.
func sticky(leave, back float64) chains.Kernel {
	return chains.NewTabulated("sticky", 2, func(x int) []chains.Entry {
		p := [2]float64{leave, back}[x]
		return []chains.Entry{{To: x, P: 1 - p}, {To: 1 - x, P: p}}
	})
}

// TestVarianceErrorIsNearlyAttained: a chain on two states that leaves both with probability e has
// the asymptotic variance (1-e)/e of a function that is 1 and -1, to nearly all digits however
// small e is. What is stated as the error grows by some ulps for each operation, of which few are
// at their worst at once: a twentieth of it is attained.
func TestVarianceErrorIsNearlyAttained(t *testing.T) {
	for _, size := range []float64{1e-3, 1e-9, 1e-200} {
		worst := 0.0
		for i := range 100 {
			e := size * (1 + float64(i)/77)
			d := longtest.Must(kernel.Diagnose(context.Background(), sticky(e, e), []float64{0, 0}))(t)
			v, err := d.AsymptoticVariance(context.Background(), []float64{1, -1})
			if err != nil || math.Abs(v.Stationary-1) > 1e-15 ||
				v.Autocorrelation != v.Asymptotic/v.Stationary {
				t.Fatal(v, err)
			}
			worst = max(worst, math.Abs(v.Asymptotic*e/(1-e)-1)/v.Error)
		}
		t.Logf("e about %v: at most %.3f of the error stated", size, worst)
		if !(worst <= 1 && worst > 0.05) {
			t.Errorf("e about %v: the variance is off by up to %v of the error stated", size, worst)
		}
	}
}

// TestCycles compares the sets with if a chain can be after very many moves: from two states of a
// set that is the same, and from others it is not.
func TestCycles(t *testing.T) {
	periodic := 0
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(t, "states")
		logf := exacttest.DrawLogF(t, "target", n, true)
		if math.IsInf(slices.Max(logf), -1) {
			t.Skip("every state has probability zero")
		}
		var k chains.Kernel = kernels.Metropolis{Space: exacttest.DrawGraph(t, n)}
		if rapid.Bool().Draw(t, "around") { // rings of states, of any lengths
			next := rapid.Permutation(indices(n)).Draw(t, "next")
			logf = make([]float64, n)
			k = chains.NewTabulated("around",
				n, func(x int) []chains.Entry { return []chains.Entry{{To: next[x], P: 1}} })
		}
		rows := longtest.Must(kernel.NewRows(context.Background(), k, logf))(t)
		d := longtest.Must(kernel.ForVariances(context.Background(), rows, logf))(t)
		setOf, sets, err := d.Cycles(context.Background())
		longtest.NoError(t, err)
		if sets > d.Classes {
			periodic++
		}
		later := make([]string, n) // the states after 60 n moves, which is a multiple of all periods
		seen := map[string]bool{}
		for x := range n {
			if math.IsInf(logf[x], -1) {
				if setOf[x] != -1 {
					t.Fatalf("state %d of probability zero is in set %d", x, setOf[x])
				}
				continue
			}
			at := make([]bool, n)
			at[x] = true
			for range 60 * n {
				next := make([]bool, n)
				for y := range n {
					for _, e := range rows.Row(y) {
						next[e.To] = next[e.To] || at[y]
					}
				}
				at = next
			}
			later[x] = fmt.Sprint(at)
			seen[later[x]] = true
		}
		for x := range n {
			for y := range n {
				if setOf[x] >= 0 && setOf[y] >= 0 && (setOf[x] == setOf[y]) != (later[x] == later[y]) {
					t.Fatalf("sets %v, and later %v", setOf, later)
				}
			}
		}
		if sets != len(seen) {
			t.Fatalf("%d sets, want %d", sets, len(seen))
		}
	})
	if periodic == 0 {
		t.Error("no chain was periodic")
	}
}

// TestClassesOfSteepTargets: a target to a high power has the classes and the sets of the target
// itself, since Metropolis moves depend on which of two states is the likelier one alone, though
// nearly all of its probabilities and of the ways back underflow.
func TestClassesOfSteepTargets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(t, "states")
		k := kernels.Metropolis{Space: exacttest.DrawGraph(t, n)}
		power := rapid.SampledFrom([]float64{37, 745, 800, 1e4}).Draw(t, "power")
		logf := make([]float64, n)
		steep := make([]float64, n)
		for x := range logf {
			logf[x] = rapid.SampledFrom([]float64{0, 0, 1, 2, -1, math.Inf(-1)}).Draw(t, "log f")
			steep[x] = power * logf[x]
		}
		if math.IsInf(slices.Max(logf), -1) {
			t.Skip("every state has probability zero")
		}
		find := func(logf []float64) (d *kernel.Diagnosis, setOf []int) {
			d = longtest.Must(kernel.Diagnose(context.Background(), k, logf))(t)
			setOf, _, err := d.Cycles(context.Background())
			longtest.NoError(t, err)
			return d, setOf
		}
		want, wantSets := find(logf)
		got, sets := find(steep)
		if got.Classes != want.Classes || !slices.Equal(got.ClassOf, want.ClassOf) ||
			got.Period != want.Period || !slices.Equal(sets, wantSets) {
			t.Fatalf("log f %v: classes %v, period %d, sets %v; to the power of %v classes %v, period %d, sets %v",
				logf, want.ClassOf, want.Period, wantSets,
				power, got.ClassOf, got.Period, sets)
		}
	})
}

func indices(n int) []int {
	out := number.Range(n)
	return out
}

// TestEndlessLoopsAreCut: the enumeration of a loop that ends with probability 1/2 each time is
// cut. The probability that it has left out is known, and below 1e-15.
func TestEndlessLoopsAreCut(t *testing.T) {
	k := exacttest.MoveFunc(func(c chains.Chooser, _ []float64, x int) int {
		for c.Flip(0.5) {
		}
		return x
	})
	row, remainder, err := kernel.Row(context.Background(), k, []float64{0, 0}, 1)
	if err != nil || len(row) != 1 || row[0].To != 1 || math.Abs(row[0].P+remainder-1) > 1e-15 ||
		!(remainder > 0 && remainder < 1e-15) {
		t.Errorf("row %v, remainder %v, %v", row, remainder, err)
	}
}
