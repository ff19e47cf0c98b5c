package operator_test

import (
	"context"
	"math"
	"runtime"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/exact/internal/crew"
	"breadboard/exact/internal/operator"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// TestTooManyEdges: a kernel with 2^24 times 24 half edges is refused before any is made.
func TestTooManyEdges(t *testing.T) {
	cube := longtest.Must(grid.NewHypercube(24))(t)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := operator.New(context.Background(), kernels.Barker{Space: cube}, cube.States())
	longtest.Refused(t, err,
		"on 16777216 states have about 2.01e+08 edges and would take about 6.44 GB, and the limit is 1.25e+08 edges (4 GB)")
	runtime.ReadMemStats(&after)
	if taken := after.TotalAlloc - before.TotalAlloc; taken > 1e6 {
		t.Errorf("it took %d bytes to say so", taken)
	}
}

// TestPartsGainAsWhole: what a crew makes of a function part by part is, to the last bit, what the
// operator makes of it at once, whatever the size of the parts and the number of workers.
func TestPartsGainAsWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sides := rapid.SliceOfN(rapid.IntRange(1, 5), 1, 4).Draw(t, "sides")
		wrap := make([]bool, len(sides))
		for i, side := range sides {
			wrap[i] = side >= 3 && rapid.Bool().Draw(t, "ring")
		}
		space := longtest.Must(grid.NewWrapped(sides, wrap))(t)
		n := space.States()
		name := rapid.SampledFrom([]string{"metropolis", "barker", "moore", "flip", "lazy:0.3", "repeat:3:barker",
			"compose:moore+lazy:0.1:flip+stay"}).Draw(t, "kernel")
		k := longtest.Must(kernels.Parse(name, space))(t)
		whole := mustNew(t, k, n)
		shared := mustNew(t, k, n)
		c := crew.New(rapid.IntRange(1, 4).Draw(t, "workers"))
		defer c.Dismiss()
		if !operator.Share(shared, c) {
			t.Fatalf("%v is not shared", k)
		}
		size := rapid.IntRange(1, n+1).Draw(t, "states of a part")
		networks, _ := operator.NetworksOf(shared)
		for _, network := range networks {
			network.Divide(size)
		}
		for range 2 {
			logf := make([]float64, n)
			d := operator.Distribution{
				F:       make([]float64, n),
				Inverse: make([]float64, n),
				LogF:    func() []float64 { return logf },
			}
			v := make([]float64, n)
			for x := range v {
				logf[x] = rapid.Float64Range(-30, 30).Draw(t, "log f")
				d.F[x] = math.Exp(logf[x])
				d.Inverse[x] = 1 / d.F[x]
				v[x] = rapid.Float64Range(-1, 1).Draw(t, "v")
			}
			whole.Load(&d)
			shared.Load(&d)
			for what, apply := range map[string]func(o operator.Operator, dst, v []float64){
				"Average": operator.Operator.Average, "AverageTerms": operator.Operator.AverageTerms,
				"AddChange": func(o operator.Operator, dst, v []float64) { o.AddChange(dst, v, 0.3) },
				"twin": func(o operator.Operator, dst, v []float64) {
					o.Reversal().Twin().Average(dst, v)
				},
			} {
				want := make([]float64, n)
				got := make([]float64, n)
				apply(whole, want, v)
				apply(shared, got, v)
				if !slices.Equal(got, want) {
					t.Fatalf("%s of %v on %v in parts of %d states: %v, want %v", what, k, sides, size, got, want)
				}
			}
		}
	})
}

func mustNew(t *rapid.T, k chains.Kernel, states int) operator.Operator {
	return longtest.Must(operator.New(context.Background(), k, states))(t)
}

// TestWhatIsNotShared: an operator with a part that cannot be divided is left as it was.
func TestWhatIsNotShared(t *testing.T) {
	space := grid.MustNew(3, 4)
	c := crew.New(2)
	defer c.Dismiss()
	for _, name := range []string{"heatbath", "jump:0.1", "compose:metropolis+heatbath-axis:0", "suwa-todo"} {
		o := longtest.Must(operator.New(
			context.Background(),
			longtest.Must(kernels.Parse(name, space))(t),
			space.States(),
		))(t)
		if operator.Share(o, c) {
			t.Errorf("%s is shared", name)
		}
	}
}
