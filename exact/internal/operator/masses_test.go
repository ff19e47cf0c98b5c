package operator_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains/kernels"
	"breadboard/exact/internal/crew"
	"breadboard/exact/internal/operator"
	"breadboard/exact/kernel"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// TestMassesAsRows: masses go where the rows of a kernel take them, to 1e-12 of the masses,
// whatever the sides, rings and magnitudes, and to the last bit for any number of workers.
func TestMassesAsRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"flip", "metropolis", "heatbath", "heatbath-scan",
			"mix:0.3:heatbath+0.7:metropolis"}).Draw(t, "kernel")
		sides := rapid.SliceOfN(rapid.IntRange(1, 5), 1, 4).Draw(t, "sides")
		if name == "flip" {
			sides = slices.Repeat([]int{2}, rapid.IntRange(1, 11).Draw(t, "spins"))
		}
		wrap := make([]bool, len(sides))
		for i, side := range sides {
			wrap[i] = side >= 3 && rapid.Bool().Draw(t, "ring")
		}
		space := longtest.Must(grid.NewWrapped(sides, wrap))(t)
		k, err := kernels.Parse(name, space)
		if err != nil {
			t.Skip(err)
		}
		n := space.States()
		draw := func(what string) []float64 {
			return rapid.SliceOfN(rapid.Float64Range(0, 1), n, n).Draw(t, what)
		}
		span := rapid.SampledFrom([]float64{0, 1e-10, 1e-3, 1, 30, 700, 9000}).Draw(t, "span")
		shift := rapid.Float64Range(-1e4, 1e4).Draw(t, "shift")
		logf := draw("log f")
		alone := [][]float64{draw("mass"), draw("other")}
		shared := make([][]float64, 2)
		for x := range logf {
			logf[x] = span*max(0.2, logf[x]) + shift
			alone[1][x] = math.Exp(-600 * alone[1][x])
		}
		moves := longtest.Must(kernel.NewProduct(t.Context(), k, logf))(t)
		want := [][]float64{make([]float64, n), make([]float64, n)}
		for j, m := range alone {
			moves.Push(want[j], slices.Clone(m))
			shared[j] = slices.Clone(m)
		}
		for workers, mass := range [][][]float64{alone, shared} {
			c := crew.New(1 + 2*workers)
			m := operator.MassesOf(k, n)
			m.Load(logf, c)
			m.Move(mass, [][]float64{make([]float64, n), make([]float64, n)}, c)
			c.Dismiss()
		}
		for j := range want {
			if !slices.Equal(alone[j], shared[j]) {
				t.Fatalf("%s on %v: three workers say something else", name, sides)
			}
			for x, v := range want[j] {
				if got := alone[j][x]; math.Abs(got-v) > 1e-12*v+1e-300 {
					t.Fatalf("%s on %v, log f %v: mass %v at %d, by rows %v", name, sides, logf, got, x, v)
				}
			}
		}
	})
}
