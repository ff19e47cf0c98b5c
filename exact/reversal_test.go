package exact_test

import (
	"math"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

type onlyMove struct{ k chains.Kernel }

func (o onlyMove) Move(c chains.Chooser, logf []float64, x int) int { return o.k.Move(c, logf, x) }

// cycled is Metropolis' kernel with proposals of any state, plus a flow round a cycle of states. It
// leaves every distribution invariant and is not reversible. Its rows have all digits.
type cycled struct {
	cycle []int
	// the flow round the cycle, relative to the least probability on it divided by the number of
	// states
	round float64
}

func (k cycled) flow(logf []float64, x, y int) float64 {
	if math.IsInf(logf[y], -1) {
		return 0
	}
	n := float64(len(logf))
	p := math.Exp(min(0, logf[y]-logf[x])) / (2 * n)
	least := math.Inf(1)
	for _, z := range k.cycle {
		least = min(least, logf[z])
	}
	for i, z := range k.cycle {
		if z == x && k.cycle[(i+1)%len(k.cycle)] == y && !math.IsInf(least, -1) {
			p += k.round * math.Exp(least-logf[x]) / (2 * n)
		}
	}
	return p
}

func (k cycled) AppendRow(dst []chains.Entry, logf []float64, x int) []chains.Entry {
	stay := 1.0
	for y := range logf {
		if y == x {
			continue
		}
		if p := k.flow(logf, x, y); p > 0 {
			dst = append(dst, chains.Entry{To: y, P: p})
			stay -= p
		}
	}
	return append(dst, chains.Entry{To: x, P: stay})
}

func (k cycled) Move(c chains.Chooser, logf []float64, x int) int { return drawn{k}.Move(c, logf, x) }

func mustParse(t longtest.Failer, selector string, l *grid.Lattice) chains.Kernel {
	return longtest.Must(kernels.Parse(selector, l))(t)
}
