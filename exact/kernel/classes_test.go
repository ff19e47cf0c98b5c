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
	"breadboard/exact/internal/exacttest"
	"breadboard/exact/kernel"
	"breadboard/grid/longtest"
)

// TestCycles compares the sets with where a chain can be after very many moves: from two states of a set that is the same, and from others
// it is not.
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
			k = chains.NewTabulated("around", n, func(x int) []chains.Entry { return []chains.Entry{{To: next[x], P: 1}} })
		}
		rows := longtest.Must(kernel.NewRows(context.Background(), k, logf))(t)
		d := longtest.Must(kernel.ForVariances(context.Background(), rows, logf))(t)
		setOf, sets, err := d.Cycles(context.Background())
		if err != nil {
			t.Fatal(err)
		}
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

func indices(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}
