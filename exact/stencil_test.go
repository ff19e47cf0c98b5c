package exact

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/chains/paths"
	"breadboard/chains/schedules"
	"breadboard/exact/internal/lanes"
	"breadboard/exact/internal/stage"
	"breadboard/grid"
	"breadboard/grid/graphs"
	"breadboard/grid/longtest"
)

// drawBox draws a kernel of single moves: on a lattice of one to five axes with sides of one to five, some of them rings, on
// a hypercube, or flips; or Moore's on a narrow plane.
func drawBox(t *rapid.T) chains.Kernel {
	switch rapid.IntRange(0, 6).Draw(t, "space") {
	case 0:
		g := longtest.Must(graphs.NewHypercube(rapid.IntRange(1, 7).Draw(t, "bits")))(t)
		return kernels.Metropolis{Space: g}
	case 1:
		sides := rapid.SliceOfN(rapid.IntRange(1, 2), 1, 7).Draw(t, "sides")
		return kernels.Flip{Space: grid.MustNew(sides...)}
	case 2:
		return kernels.Metropolis{Space: grid.MustNew(rapid.IntRange(1, 9).Draw(t, "rows"), rapid.IntRange(8, 40).Draw(t, "cols"))}
	case 3:
		return kernels.Moore{Space: grid.MustNew(rapid.IntRange(1, 9).Draw(t, "rows"), rapid.IntRange(1, 7).Draw(t, "cols"))}
	}
	sides := rapid.SliceOfN(rapid.IntRange(1, 5), 1, 5).Draw(t, "sides")
	wrap := make([]bool, len(sides))
	for k, side := range sides {
		wrap[k] = side >= 3 && rapid.IntRange(0, 2).Draw(t, "ring") == 0
	}
	l := longtest.Must(grid.NewWrapped(sides, wrap))(t)
	return kernels.Metropolis{Space: l}
}

// drawFine draws an annealing with steps that are small enough for the stencil, on a path from a start of any kind.
func drawFine(t *rapid.T, kernel chains.Kernel) *chains.Annealing {
	n := kernel.(interface{ States() int }).States()
	size := rapid.SampledFrom([]float64{0.01, 1, 4}).Draw(t, "size")
	tilt := rapid.Uint64Range(1, 1000).Draw(t, "tilt")
	value := func(x int, k float64) float64 {
		v := math.Sin(k + float64(tilt)*float64(x))
		if x%3 == 0 {
			v = math.Round(v) // ties
		}
		return size * v
	}
	target := make([]float64, n)
	var initial []float64
	if rapid.Bool().Draw(t, "given start") {
		initial = make([]float64, n)
	}
	for x := range target {
		target[x] = value(x, 1)
		if initial != nil {
			initial[x] = value(x, 2)
		}
	}
	path := longtest.Must(paths.NewGeometric(initial, target))(t)
	schedule := rapid.SampledFrom([]chains.Schedule{schedules.Linear{}, schedules.Sigmoid{Delta: 2}}).Draw(t, "schedule")
	return longtest.Must(chains.NewAnnealing(path, schedule, kernel, rapid.IntRange(150, 300).Draw(t, "T")))(t)
}

// TestStencilOfAnyDimension compares the stencil with the general method on boxes of all kinds.
func TestStencilOfAnyDimension(t *testing.T) {
	longtest.NotShort(t)
	rapid.Check(t, func(t *rapid.T) {
		kernel := drawBox(t)
		if n := kernel.(interface{ States() int }).States(); n > 400 {
			t.Skip("the general method would take long")
		}
		a := drawFine(t, kernel)
		s := longtest.Must(Solve(context.Background(), a, Options{}))(t)
		general := longtest.Must(Solve(context.Background(), a, Options{General: true}))(t)
		if s.Method != MethodStencil {
			p := stage.NewProblem(a, nil)
			if !stencilApplies(p.Annealing) { // the ends are nearly flat
				return
			}
			if !cancels(t, p) {
				t.Fatalf("solved by the %s", s.Method)
			}
			return
		}
		lost := 0.0 // what noteResolution would say
		if small := min(general.J, general.KLPQ, general.KLQP); small > 0 {
			lost = 100 * rounding / math.Sqrt(small)
		}
		near := func(what string, got, want, limit float64) {
			if !(math.Abs(got-want) <= limit*math.Abs(want)+1e-25) {
				t.Fatalf("%s is %v, want %v: %.2g", what, got, want, got/want-1)
			}
		}
		near("J", s.J, general.J, 1e-12+lost)
		near("KL(q||p)", s.KLQP, general.KLQP, 1e-12+lost)
		near("B", s.B, general.B, 1e-12)
		if math.Abs(s.MeanLogWForward-general.MeanLogWForward) > 1e-12 {
			t.Fatalf("E_fwd[log w] is %v, want %v", s.MeanLogWForward, general.MeanLogWForward)
		}
	})
}

// cancels reports whether the steps add terms of either sign to B, so that the stencil gives up.
func cancels(t *rapid.T, p *stage.Problem) bool {
	solve := func(s *stencil, by func(context.Context, *stage.Problem) (*Solution, bool, error)) bool {
		if _, _, err := by(context.Background(), p); err != nil {
			t.Fatal(err)
		}
		return s.size > 16*math.Abs(s.slack.Value())
	}
	if n := newNarrow(p.Annealing, lanes.Widest()); n != nil {
		return solve(&n.stencil, n.solve)
	}
	s := newStencil(p.Annealing, 1, lanes.Widest())
	defer s.crew.Dismiss()
	return solve(s, s.solve)
}

// solvedBy returns the solution of the stencil with so many workers on a unit.
func solvedBy(t testing.TB, a *chains.Annealing, workers int, unit *lanes.Unit) *Solution {
	t.Helper()
	p := stage.NewProblem(a, nil)
	var sol *Solution
	var ok bool
	var err error
	if n := newNarrow(p.Annealing, unit); n != nil {
		sol, ok, err = n.solve(context.Background(), p)
	} else {
		s := newStencil(p.Annealing, workers, unit)
		defer s.crew.Dismiss()
		sol, ok, err = s.solve(context.Background(), p)
	}
	if err != nil || !ok {
		t.Fatalf("the stencil does not solve it: %v", err)
	}
	return sol
}

// TestSameBytes: the bytes of every result are the same for any number of workers, with vectors and without.
func TestSameBytes(t *testing.T) {
	longtest.NotShort(t)
	cube := longtest.Must(graphs.NewHypercube(16))(t)
	ring := longtest.Must(grid.NewWrapped([]int{5, 40, 90}, []bool{true, false, true}))(t)
	T := longtest.Times(20, 40)
	list := []chains.Kernel{kernels.Moore{Space: grid.MustNew(7, 7)}}
	for _, space := range []grid.Graph{grid.MustNew(7, 7), grid.MustNew(130, 150), grid.MustNew(20, 30, 31), cube, ring} {
		list = append(list, kernels.Metropolis{Space: space})
	}
	for _, kernel := range list {
		g := make([]float64, kernel.(interface{ States() int }).States())
		for x := range g {
			g[x] = 2 * math.Sin(1+12.9898*float64(x))
		}
		a := annealingOf(t, g, kernel, T)
		want := ""
		for _, unit := range lanes.Units() {
			for _, workers := range []int{1, 2, 3, 8} {
				got := fmt.Sprintf("%+v", *solvedBy(t, a, workers, unit))
				if want == "" {
					want = got
				}
				if got != want {
					t.Errorf("%v, %d states, %d workers, %v: another result", kernel, len(g), workers, unit)
				}
			}
		}
	}
}

// TestBlocksOfRows: on boxes with more rows than are moved together, some of them at the end of an axis within such a block, J and B are those
// of the general method.
func TestBlocksOfRows(t *testing.T) {
	longtest.NotShort(t)
	cube := longtest.Must(graphs.NewHypercube(12))(t)
	ring := longtest.Must(grid.NewWrapped([]int{7, 11, 40}, []bool{true, false, false}))(t)
	for _, space := range []grid.Graph{grid.MustNew(9, 7, 31), grid.MustNew(11, 5, 7, 9), cube, ring} {
		g := make([]float64, space.States())
		for x := range g {
			g[x] = 2 * math.Sin(1+12.9898*float64(x))
		}
		a := annealingOf(t, g, kernels.Metropolis{Space: space}, 20)
		got := solvedBy(t, a, 2, lanes.Widest())
		want := longtest.Must(Solve(context.Background(), a, Options{General: true}))(t)
		if !(math.Abs(got.J-want.J) <= 1e-12*want.J && math.Abs(got.B-want.B) <= 1e-12*want.B) {
			t.Errorf("%d states: J = %v and B = %v, by the general method %v and %v", space.States(), got.J, got.B, want.J, want.B)
		}
	}
}

// TestNarrowPlanes: the method for narrow planes gives what that for wide ones gives.
func TestNarrowPlanes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sides := []int{rapid.IntRange(1, 9).Draw(t, "rows"), rapid.IntRange(1, 7).Draw(t, "cols")}
		a := drawFine(t, kernels.Metropolis{Space: grid.MustNew(sides...)})
		p := stage.NewProblem(a, nil)
		n := newNarrow(p.Annealing, lanes.Widest())
		if n == nil {
			t.Skip("a line of more than seven states")
		}
		narrow, _, err := n.solve(context.Background(), p)
		if err != nil {
			t.Fatal(err)
		}
		s := newStencil(p.Annealing, 1, lanes.Widest())
		defer s.crew.Dismiss()
		wide, _, err := s.solve(context.Background(), stage.NewProblem(a, nil))
		if err != nil {
			t.Fatal(err)
		}
		if got, want := fmt.Sprintf("%+v", narrow), fmt.Sprintf("%+v", wide); got != want {
			t.Fatalf("%s\nwant %s", got, want)
		}
	})
}

// BenchmarkStencil measures the stencil on each unit of the processor: ns/step.
func BenchmarkStencil(b *testing.B) {
	spins := slices.Repeat([]int{2}, 16)
	for _, c := range []struct {
		name    string
		space   *grid.Lattice
		T       int
		workers []int
	}{
		{"7x7", grid.MustNew(7, 7), 20_000, []int{1}}, {"256x256", grid.MustNew(256, 256), 1000, []int{1, 2}},
		{"spins", grid.MustNew(spins...), 100, []int{1, 2}},
	} {
		g := make([]float64, c.space.States())
		for x := range g {
			g[x] = 2 * math.Sin(1+12.9898*float64(x))
		}
		var kernel chains.Kernel = kernels.Metropolis{Space: c.space}
		if c.name == "spins" {
			kernel = kernels.Flip{Space: c.space}
		}
		a := annealingOf(b, g, kernel, c.T)
		for _, unit := range lanes.Units() {
			for _, workers := range c.workers {
				b.Run(fmt.Sprintf("%s/%v/workers=%d", c.name, unit, workers), func(b *testing.B) {
					for b.Loop() {
						solvedBy(b, a, workers, unit)
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(c.T-1), "ns/step")
				})
			}
		}
	}
}
