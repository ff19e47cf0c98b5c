package operator_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"breadboard/exact/internal/crew"
	"breadboard/exact/internal/operator"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// TestTilesAsLines: heat baths on tiles do what they do one after another on the whole space, and
// the same with any number of workers, whatever the sides, and in either order of the axes.
func TestTilesAsLines(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, sides := range [][]int{
		slices.Repeat([]int{2}, 16), slices.Repeat([]int{3}, 9), {2, 5, 7, 2, 2, 3, 11, 2}, {2, 70, 2, 70},
		{250, 2, 2, 33}, {1, 9, 1}, {2, 4099}, {100, 4, 2, 2, 2},
	} {
		space := longtest.Must(grid.New(sides...))(t)
		n := space.States()
		if n > 15_000 && !longtest.Enabled() {
			continue
		}
		logf := make([]float64, n)
		d := &operator.Distribution{
			F:       make([]float64, n),
			Inverse: make([]float64, n),
			LogF:    func() []float64 { return logf },
		}
		v := make([]float64, n)
		for x := range v {
			logf[x] = 600*random.Float64() - 300
			d.F[x], v[x] = math.Exp(logf[x]), random.Float64()-0.5
			d.Inverse[x] = 1 / d.F[x]
		}
		sequence := func(Unsummed bool) operator.Operator {
			var parts []operator.Operator
			var order []int
			for k := range sides {
				l := operator.NewLines(space, k)
				l.Unsummed = Unsummed && operator.TilesFit(space.Side(k), space.Stride(k))
				parts, order = append(parts, l), append(order, k)
			}
			return operator.NewSequence(parts, order, 2, n)
		}
		whole := sequence(false)
		tiled := sequence(true)
		whole.Load(d)
		tiled.Load(d)
		for _, turned := range []func(o operator.Operator) operator.Operator{
			func(o operator.Operator) operator.Operator { return o }, operator.Operator.Reversal,
			operator.Operator.Twin} {
			want := make([]float64, n)
			got := make([]float64, n)
			shared := make([]float64, n)
			turned(whole).Average(want, v)
			turned(tiled).Average(got, v)
			c := crew.New(3)
			operator.Share(tiled, c)
			turned(tiled).AverageTerms(shared, v)
			operator.Share(tiled, crew.New(1))
			c.Dismiss()
			for x := range want {
				if math.Abs(got[x]-want[x]) > 1e-15 || shared[x] != got[x] {
					t.Fatalf("on %v at %d: %v, shared %v, one after another %v", sides, x, got[x],
						shared[x], want[x])
				}
			}
		}
		along := operator.Direction{Slope: v}
		want, _ := whole.(operator.Differentiable).Derived(logf, v, along)
		if got, _ := tiled.(operator.Differentiable).Derived(logf, v, along); got != want {
			t.Errorf("on %v the derivative is %v, one after another %v", sides, got, want)
		}
	}
}
