package gradient_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/schedules"
	"breadboard/exact/gradient"
	"breadboard/exact/internal/exacttest"
	"breadboard/grid"
)

// moved returns an annealing to g = (x mod 3)/10 by a kernel.
func moved(t *testing.T, space grid.Graph, k chains.Kernel, T int) *chains.Annealing {
	t.Helper()
	g := make([]float64, space.States())
	for x := range g {
		g[x] = float64(x%3) / 10
	}
	return exacttest.Build(t, nil, g, schedules.Linear{}, k, T)
}

// anew draws every state anew from the distribution, so that its rows are long. It is not of the library, and has no known derivative.
type anew struct{}

func (anew) Move(c chains.Chooser, logf []float64, _ int) int {
	p := slices.Clone(logf)
	chains.Normalize(p)
	return c.Choose(p)
}

func (anew) AppendRow(dst []chains.Entry, logf []float64, _ int) []chains.Entry {
	p := slices.Clone(logf)
	chains.Normalize(p)
	for x, v := range p {
		dst = append(dst, chains.Entry{To: x, P: v})
	}
	return dst
}

// TestTooMuchMemoryIsRefused: a gradient that would keep too much is refused before it takes the memory, with the size. It is kept for
// every state where the kernel is applied without its rows, and else for every entry of these.
func TestTooMuchMemoryIsRefused(t *testing.T) {
	line, few := grid.MustNew(1<<16), grid.MustNew(200)
	for _, v := range []struct {
		a    *chains.Annealing
		want string
	}{
		{moved(t, line, kernels.Metropolis{Space: line}, 1_000_000), "gradients for 1000000 distributions on 65536 states would take about 5.24 GB; the limit is 4 GB: give fewer distributions, or a smaller space"},
		{moved(t, few, anew{}, 10_000_000), "gradients for 10000000 distributions on 200 states would take about"},
	} {
		_, err := gradient.Differentiate(context.Background(), v.a, gradient.ObjectiveB, gradient.Options{})
		if err == nil || !strings.Contains(err.Error(), v.want) {
			t.Errorf("%v, want %s", err, v.want)
		}
	}
}

// TestProgressAddsUp: a gradient reports a step for each stage in either direction, with rows and without.
func TestProgressAddsUp(t *testing.T) {
	space := grid.MustNew(5)
	for _, k := range []chains.Kernel{kernels.Metropolis{Space: space}, kernels.SuwaTodoAxis{Space: space}} {
		steps := 0
		if _, err := gradient.Differentiate(context.Background(), moved(t, space, k, 30), gradient.ObjectiveB, gradient.Options{Progress: func(n int) { steps += n }}); err != nil || steps != 2*29 {
			t.Errorf("%v: %d steps, want %d; %v", k, steps, 2*29, err)
		}
	}
}
