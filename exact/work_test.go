package exact_test

import (
	"fmt"
	"math"
	"testing"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/schedules"
	"breadboard/exact"
	"breadboard/exact/internal/exacttest"
	"breadboard/grid"
	"breadboard/grid/graphs"
	"breadboard/grid/longtest"
)

// ownKernel is a kernel of somebody else, without rows in closed form.
type ownKernel struct{ chains.Kernel }

// TestWorkNamesTheMethod: the method that is named is the one that Solve uses for a fine schedule, and the general one on any other path.
func TestWorkNamesTheMethod(t *testing.T) {
	torus := longtest.Must(grid.NewWrapped([]int{3, 4}, []bool{true, false}))(t)
	cube := longtest.Must(graphs.NewHypercube(4))(t)
	drawn := longtest.Must(graphs.Torus(3, 4))(t)
	named := map[exact.Method]int{}
	for _, space := range []grid.Graph{grid.MustNew(12), grid.MustNew(3, 4), grid.MustNew(2, 2, 2, 2), torus, cube, drawn} {
		n := space.States()
		kinds := []chains.Kernel{ownKernel{kernels.Metropolis{Space: space}}, kernels.Independence{P: append([]float64{0, 1}, make([]float64, n-2)...)}}
		for _, selector := range append(library(), "flip", "independence", "lazy:0.5:suwa-todo") {
			if k, err := kernels.Parse(selector, space); err == nil {
				kinds = append(kinds, k)
			}
		}
		g := make([]float64, n)
		for x := range g {
			g[x] = float64(x*x%7) / 7
		}
		for _, k := range kinds {
			a := exacttest.Build(t, nil, g, schedules.Linear{}, k, 20)
			sol := exacttest.Solve(t, a)
			for _, c := range []struct {
				work exact.Work
				want exact.Method
			}{{exact.WorkOf(k, space), sol.Method}, {exact.GeneralWorkOf(k, space), exact.MethodGeneral}} {
				named[c.work.Method]++
				if c.work.Method != c.want || !(c.work.Seconds > 0) || !(c.work.Bytes > 0) || !(c.work.Start >= 0) {
					t.Errorf("%s on %v: %+v, and it is solved by the method %s", chains.NameOf(k), space, c.work, c.want)
				}
			}
		}
	}
	if len(named) != 3 {
		t.Errorf("methods %v", named)
	}
}

// TestWork holds estimates to numbers written out: seconds and bytes of a step on 7x7.
func TestWork(t *testing.T) {
	space := grid.MustNew(7, 7)
	parse := func(selector string) chains.Kernel { return longtest.Must(kernels.Parse(selector, space))(t) }
	for _, c := range []struct {
		selector string
		general  bool
		want     exact.Work
	}{
		{"metropolis", false, exact.Work{Start: 0, Seconds: 56 * (2.4 + 2*1.6) * 1e-9, Bytes: 56 * 120}}, // rows of eight slots
		{"moore", false, exact.Work{Start: 0, Seconds: 56 * (2.4 + 4*1.6) * 1e-9, Bytes: 56 * 120}},
		{"metropolis", true, exact.Work{Start: 217 * 150e-9, Seconds: (49*150 + 217*10) * 1e-9, Bytes: 49*300 + 217*40}},
		{"barker", false, exact.Work{Start: 84 * 40e-9, Seconds: (49*10 + 84*1.2 + 2*(84*1.2+49*0.7)) * 1e-9, Bytes: 49*(160+16) + 84*16}},
		{"repeat:5:barker", false, exact.Work{Start: 84 * 40e-9, Seconds: (49*10 + 84*1.2 + 10*(84*1.2+49*0.7)) * 1e-9, Bytes: 49*(160+24) + 84*16}},
		{"repeat:5:barker", true, exact.Work{Start: 217 * 150e-9, Seconds: (49*150 + 5*217*10) * 1e-9, Bytes: 49*300 + 217*40}},
		{"heatbath-axis:0", false, exact.Work{Start: 0, Seconds: (49*10 + 3*49*1.2) * 1e-9, Bytes: 49 * (160 + 16)}},
		{"suwa-todo-axis:0", false, exact.Work{Start: 0, Seconds: (49*10 + 3*49*14) * 1e-9, Bytes: 49 * (160 + 48)}},
		{"suwa-todo-axis:0", true, exact.Work{Start: 2 * 343 * 150e-9, Seconds: (49*150 + 343*10) * 1e-9, Bytes: 49*300 + 2*343*40}},
		{"independence", false, exact.Work{Start: 0, Seconds: (49*10 + 3*49*8) * 1e-9, Bytes: 49 * (160 + 56)}},
	} {
		got := exact.WorkOf(parse(c.selector), space)
		if c.general {
			got = exact.GeneralWorkOf(parse(c.selector), space)
		}
		near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-12*b }
		if !near(got.Start, c.want.Start) || !near(got.Seconds, c.want.Seconds) || !near(got.Bytes, c.want.Bytes) {
			t.Errorf("%s: %+v, want %+v", c.selector, got, c.want)
		}
	}
	// A product keeps its own rows and those of its parts, and both of its reversal.
	for selector, kept := range map[string]float64{"repeat:10000:metropolis": 2 * (2401 + 217), "repeat:10000:heatbath": 2 * (2401 + 2*343)} {
		if got := exact.GeneralWorkOf(parse(selector), space); !(math.Abs(got.Bytes-49*300-kept*40) <= 0.1*kept*40) {
			t.Errorf("%s: %v bytes, want about %v", selector, got.Bytes, 49*300+kept*40)
		}
	}
}

// Two kernels on a plane, and how each of them is solved.
func ExampleWorkOf() {
	space := grid.MustNew(64, 64)
	for _, selector := range []string{"metropolis", "heatbath"} {
		k := longtest.Sure(kernels.Parse(selector, space))
		w := exact.WorkOf(k, space)
		fmt.Printf("%s: %s, %.0f microseconds a step\n", selector, w.Method, 1e6*w.Seconds)
	}
	// Output:
	// metropolis: stencil, 26 microseconds a step
	// heatbath: applied, 82 microseconds a step
}
