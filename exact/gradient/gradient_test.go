package gradient_test

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
	"breadboard/exact"
	"breadboard/exact/gradient"
	"breadboard/exact/internal/exacttest"
	"breadboard/exact/kernel"
	"breadboard/grid"
	"breadboard/grid/longtest"
	"breadboard/toys"
	"breadboard/toys/forms"
)

// drawBetas draws T betas that increase from 0 to 1 by no less than a hundredth.
func drawBetas(t *rapid.T, T int) []float64 {
	betas := make([]float64, T)
	total := 0.0
	for i := range betas[1:] {
		total += rapid.Float64Range(0.05, 1).Draw(t, "increment")
		betas[i+1] = total
	}
	for i := range betas {
		betas[i] /= total
	}
	return betas
}

// drawKernel draws a kernel: one with kinks where two states change order, smooth ones, one on a
// graph, and one that is not reversible.
func drawKernel(t *rapid.T, l *grid.Lattice) chains.Kernel {
	if rapid.IntRange(0, 5).Draw(t, "graph") == 5 {
		return kernels.Metropolis{Space: exacttest.DrawGraph(t, l.States())}
	}
	return rapid.SampledFrom([]chains.Kernel{
		kernels.Metropolis{Space: l}, kernels.Barker{Space: l},
		exacttest.MoveOnly{Kernel: kernels.Barker{Space: l}}, exacttest.Scan{Space: l},
		kernels.HeatBathAxis{Space: l},
	}).Draw(t, "kernel")
}

// valueOf returns an objective by Solve, and that of the time to solution from the rows of all
// stages: the mass at the states of the largest f_T is taken away after each of them.
func valueOf(t longtest.Failer, a *chains.Annealing, o gradient.Objective) float64 {
	if o != gradient.ObjectiveTTS {
		return o.ValueOf(exacttest.Solve(t, a))
	}
	n := a.States()
	seen := 0.0
	target := make([]float64, n)
	logf := make([]float64, n)
	a.LogF(target, a.Distributions())
	a.LogF(logf, 1)
	left := slices.Clone(logf)
	chains.Normalize(left)
	for s := 1; ; s++ {
		for x, v := range target {
			if v >= slices.Max(target)-exact.Alike {
				seen += left[x]
				left[x] = 0
			}
		}
		if s == a.Distributions() {
			break
		}
		a.LogF(logf, s+1)
		rows := longtest.Must(kernel.NewRows(context.Background(), a.Kernel(), logf))(t)
		next := make([]float64, n)
		for x, p := range left {
			for y := range next {
				next[y] += p * rows.EntryAt(x, y)
			}
		}
		left = next
	}
	if seen < 0.5 {
		return -math.Log(seen)
	}
	gone := 0.0
	for _, p := range left {
		gone += p
	}
	return -math.Log1p(-gone)
}

// TestGradient compares with central differences of Solve, by the five-point formula, for every
// path, objective and kind of kernel.
func TestGradient(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := exacttest.SmallLattice(t, 8)
		var initial []float64
		if rapid.Bool().Draw(t, "given start") {
			initial = exacttest.DrawLogF(t, "initial", l.States(), false)
		}
		target := exacttest.DrawLogF(t, "target", l.States(), false)
		path, err := exacttest.DrawPath(t, initial, target)
		if err != nil || path.Zeros() {
			t.Skip(err)
		}
		k := drawKernel(t, l)
		betas := drawBetas(t, rapid.IntRange(2, 20).Draw(t, "T"))
		objective := gradient.Objective(rapid.SampledFrom(gradient.Objectives()).Draw(t, "objective"))
		solve := func(at int, moved float64) float64 {
			b := append([]float64(nil), betas...)
			b[at] += moved
			return valueOf(t,
				longtest.Must(chains.NewAnnealing(path, exacttest.Points(t, b...), k, len(b)))(t), objective)
		}
		a := longtest.Must(chains.NewAnnealing(path, exacttest.Points(t, betas...), k, len(betas)))(t)
		g := longtest.Must(gradient.Differentiate(context.Background(), a, objective, gradient.Options{}))(t)
		if want := valueOf(t, a, objective); !exacttest.Same(g.Value, want, 1e-12, 1+want) {
			t.Fatalf("value %v, solved %v", g.Value, want)
		}
		if len(betas) < 3 || len(g.Kinks) > 0 {
			return
		}
		largest := 0.0
		for _, d := range g.ByBeta {
			largest = max(largest, math.Abs(d))
		}
		at := rapid.IntRange(1, len(betas)-2).Draw(t, "at")
		const h = 1e-4
		near := [4]float64{solve(at, -2*h), solve(at, -h), solve(at, h), solve(at, 2*h)}
		wide := (near[3] - near[0]) / (4 * h)
		d := (near[2] - near[1]) / (2 * h)
		if changesOrder(path, betas[at]-2*h, betas[at]+2*h) {
			return // there may be a kink between the points
		}
		relative := 1e-6
		if _, rows := k.(exacttest.Scan); rows && leastDifference(path, betas[at]) < 4e-3 {
			// there is a kink between the points at which rows are differentiated (see
			// Differentiate)
			relative = 1e-5
		}
		if want := (4*d - wide) / 3; math.Abs(g.ByBeta[at]-want) > relative*largest+1e-10*(1+g.Value) {
			t.Fatalf("%s by b_%d: %v, by differences %v (largest %v)", objective, at+1, g.ByBeta[at],
				want, largest)
		}
	})
}

// changesOrder reports whether two states change order, or the path bends, between two betas.
func changesOrder(path chains.Path, low, high float64) bool {
	before, after := make([]float64, path.States()), make([]float64, path.States())
	path.LogF(before, chains.At(low))
	path.LogF(after, chains.At(high))
	for x := range before {
		for y := range before {
			if (before[x]-before[y])*(after[x]-after[y]) < 0 {
				return true
			}
		}
	}
	for _, k := range path.Kinks() {
		if low <= k && k <= high {
			return true
		}
	}
	return false
}

// leastDifference returns the least difference of log f between two states that differ, in nats.
func leastDifference(path chains.Path, beta float64) float64 {
	logf := make([]float64, path.States())
	path.LogF(logf, chains.At(beta))
	least := math.Inf(1)
	for x := range logf {
		for y := range x {
			if d := math.Abs(logf[x] - logf[y]); d > 0 {
				least = min(least, d)
			}
		}
	}
	return least
}

func TestGradientKinks(t *testing.T) {
	l := grid.MustNew(3)
	ctx := context.Background()
	// states 0 and 1 change order at 0.5
	crossing, err := paths.NewGeometric([]float64{0, 1, 0}, []float64{1, 0, 3})
	longtest.NoError(t, err)
	for _, k := range []chains.Kernel{
		kernels.Metropolis{Space: l}, exacttest.MoveOnly{Kernel: kernels.Metropolis{Space: l}}} {
		g, err := gradient.Differentiate(ctx, mustAnneal(t, crossing, k, []float64{0, 0.2, 0.5, 1}),
			gradient.ObjectiveJ, gradient.Options{})
		if err != nil || len(g.Kinks) != 1 || g.Kinks[0] != 3 {
			t.Errorf("%T: kinks %v, %v; want one at stage 3", k, g, err)
		}
	}
	via := longtest.Must(paths.NewPiecewise("via", nil, []float64{0, 1, 2}, []float64{0, 3, 4}, 0.25))(t)
	g, err := gradient.Differentiate(ctx, mustAnneal(t, via, kernels.Barker{Space: l},
		[]float64{0, 0.25, 0.5, 1}), gradient.ObjectiveB, gradient.Options{})
	if err != nil || len(g.Kinks) != 1 || g.Kinks[0] != 2 {
		t.Errorf("path that bends: kinks %v, %v; want one at stage 2", g, err)
	}
}

func mustAnneal(t *testing.T, path chains.Path, k chains.Kernel, betas []float64) *chains.Annealing {
	t.Helper()
	return longtest.Must(chains.NewAnnealing(path, exacttest.Points(t, betas...), k, len(betas)))(t)
}

func TestGradientRefuses(t *testing.T) {
	l := grid.MustNew(2)
	for _, c := range []struct {
		target []float64
		wants  string
	}{
		{[]float64{0, math.Inf(-1)}, "positive everywhere"}, {[]float64{0, 700}, "spans 700"},
	} {
		path := longtest.Must(paths.NewGeometric(nil, c.target))(t)
		_, err := gradient.Differentiate(context.Background(),
			mustAnneal(t, path, kernels.Metropolis{Space: l}, []float64{0, 0.5, 1}), gradient.ObjectiveB,
			gradient.Options{})
		longtest.Refused(t, err, c.wants)
	}
}

// moved returns an annealing to g = (x mod 3)/10 by a kernel.
func moved(t *testing.T, space grid.Graph, k chains.Kernel, T int) *chains.Annealing {
	t.Helper()
	g := make([]float64, space.States())
	for x := range g {
		g[x] = float64(x%3) / 10
	}
	return exacttest.Build(t, nil, g, schedules.Linear{}, k, T)
}

// TestTooMuchMemoryIsRefused: a gradient that would keep too much is refused before it takes the
// memory, with the size.
func TestTooMuchMemoryIsRefused(t *testing.T) {
	line := grid.MustNew(1 << 16)
	_, err := gradient.Differentiate(context.Background(),
		moved(t, line, kernels.Metropolis{Space: line}, 1_000_000), gradient.ObjectiveB, gradient.Options{})
	longtest.Refused(t, err,
		"gradients for 1000000 distributions on 65536 states would take about 5.24 GB, and the limit is 4 GB; "+
			"give fewer distributions, or a smaller space")
}

// TestMemoryDoesNotMatter: a gradient is the same to the last bit in memory that another one has
// left, of a larger and of a smaller annealing.
func TestMemoryDoesNotMatter(t *testing.T) {
	var memory gradient.Memory
	for _, states := range []int{4, 9, 3} {
		space := grid.MustNew(states)
		for _, k := range []chains.Kernel{
			kernels.Metropolis{Space: space}, kernels.SuwaTodoAxis{Space: space}} {
			for _, o := range gradient.Objectives() {
				a := moved(t, space, k, 12)
				want := longtest.Must(gradient.Differentiate(
					context.Background(),
					a,
					gradient.Objective(o),
					gradient.Options{},
				))(t)
				got := longtest.Must(gradient.Differentiate(
					context.Background(),
					a,
					gradient.Objective(o),
					gradient.Options{Memory: &memory},
				))(t)
				if got.Value != want.Value || !slices.Equal(got.ByBeta, want.ByBeta) {
					t.Errorf("%v, %s on %d states: %v, want %v", k, o, states, got, want)
				}
			}
		}
	}
}

// TestLumpedGradients: the gradient on classes is that of the larger space, where classes of the
// same g make no kink, and if they differ and their members are alike at beta = 0.
func TestLumpedGradients(t *testing.T) {
	for _, toy := range []string{"curie-weiss:6:1.2:-0.1", "curie-weiss:6:1.5", "potts-complete:3:4:3",
		"potts-colours:3:5:3", "weight:6:needle:3",
		"cycles:5:2:3"} {
		classes := longtest.Must(forms.Targets().Parse(toy))(t)
		whole := longtest.Must(classes.Larger())(t)
		for _, kernel := range []string{"metropolis", "flip", "heatbath", "lazy:0.2:flip"} {
			if _, err := kernels.Parse(kernel, classes.Space); err != nil {
				continue
			}
			for _, objective := range []gradient.Objective{gradient.ObjectiveB, gradient.ObjectiveJ} {
				differentiate := func(y *toys.Toy) *gradient.Gradient {
					path := longtest.Must(paths.NewGeometric(y.Members, y.G))(t)
					k := longtest.Must(kernels.Parse(kernel, y.Space))(t)
					a := longtest.Must(
						chains.NewAnnealing(path, exacttest.Points(t, 0, 0.1, 0.3, 0.35, 0.8, 1), k, 6),
					)(t)
					return longtest.Must(
						gradient.Differentiate(context.Background(), a, objective, gradient.Options{}),
					)(t)
				}
				got, want := differentiate(classes), differentiate(whole)
				if len(got.Kinks) != 0 || len(want.Kinks) != 0 {
					t.Errorf("%s, %s: kinks %v and %v", toy, kernel, got.Kinks, want.Kinks)
				}
				tolerance := 1e-11 * (1 + want.Value)
				if _, rows := kernel, toy == "potts-complete:3:4:3" && kernel == "heatbath" ||
					toy == "potts-colours:3:5:3" && kernel == "heatbath"; rows {
					tolerance = 1e-9 // rows are differentiated by a formula of five points
				}
				for i := range want.ByBeta {
					if math.Abs(got.ByBeta[i]-want.ByBeta[i]) > tolerance {
						t.Errorf("%s, %s, %s: derivative %d is %v, and %v state by state", toy, kernel,
							objective, i, got.ByBeta[i], want.ByBeta[i])
					}
				}
			}
		}
	}
}

func Example_differentiate() {
	line, _ := grid.New(5)
	path, _ := paths.NewGeometric(nil, []float64{2, 0, -3, 0, 1})
	a, _ := chains.NewAnnealing(path, schedules.Linear{}, kernels.Metropolis{Space: line}, 5)
	g, _ := gradient.Differentiate(context.Background(), a, gradient.ObjectiveB, gradient.Options{})
	fmt.Printf("B = %.6f, its derivative by b_2, b_3, b_4: %.4f\n", g.Value, g.ByBeta[1:4])
	// Output: B = 0.682739, its derivative by b_2, b_3, b_4: [0.0312 0.1663 0.2214]
}
