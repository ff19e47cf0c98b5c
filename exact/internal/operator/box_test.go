package operator_test

import (
	"context"
	"math"
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

// listedLaw returns a distribution of n states, some of them alike, whose log f spans as much as
// given.
func listedLaw(t *rapid.T, n int, span float64) *operator.Distribution {
	logf := rapid.SliceOfN(rapid.Float64Range(0, 1), n, n).Draw(t, "log f")
	d := &operator.Distribution{
		F:       make([]float64, n),
		Inverse: make([]float64, n),
		LogF:    func() []float64 { return logf },
	}
	for x := range logf {
		logf[x] = max(0.2, logf[x])*span - span/2
		d.F[x] = math.Exp(logf[x])
		d.Inverse[x] = 1 / d.F[x]
	}
	return d
}

// TestBoxAsEdges: a box does what its listed edges do, to 1e-12 of the terms, whatever the sides,
// rings, and magnitudes; and to the last bit the same with any number of workers, and for two
// functions at once.
func TestBoxAsEdges(t *testing.T) {
	spaces := func(t *rapid.T) (chains.Rower, int) {
		if rapid.Bool().Draw(t, "strings of bits") {
			cube := longtest.Must(grid.NewHypercube(rapid.IntRange(1, 11).Draw(t, "bits")))(t)
			return kernels.Metropolis{Space: cube}, cube.States()
		}
		sides := rapid.SliceOfN(rapid.IntRange(1, 5), 1, 5).Draw(t, "sides")
		if rapid.Bool().Draw(t, "long") {
			sides = append(sides, rapid.IntRange(60, 130).Draw(t, "side"))[max(0, len(sides)-2):]
		}
		wrap := make([]bool, len(sides))
		for i, side := range sides {
			wrap[i] = side >= 3 && rapid.Bool().Draw(t, "ring")
		}
		space := longtest.Must(grid.NewWrapped(sides, wrap))(t)
		if k := (kernels.Flip{Space: space}); slices.Max(sides) <= 2 {
			return k, space.States()
		}
		return kernels.Metropolis{Space: space}, space.States()
	}
	rapid.Check(t, func(t *rapid.T) {
		k, n := spaces(t)
		b, _ := operator.BoxOf(k)
		edges := longtest.Must(operator.NewMetropolis(context.Background(), k, n))(t)
		box := operator.NewBoxed(b, n)
		shared := operator.NewBoxed(b, n)
		c := crew.New(rapid.IntRange(1, 4).Draw(t, "workers"))
		defer c.Dismiss()
		operator.Share(shared, c)
		for range 2 {
			d := listedLaw(t, n, rapid.SampledFrom([]float64{0, 1e-10, 1e-3, 1, 30, 600}).Draw(t, "span"))
			v := rapid.SliceOfN(rapid.Float64Range(-1, 1), n, n).Draw(t, "v")
			for _, o := range []operator.Operator{edges, box, shared} {
				o.Load(d)
			}
			for what, apply := range map[string]func(o operator.Operator, dst, v []float64){
				"Average":   operator.Operator.Average,
				"AddChange": func(o operator.Operator, dst, v []float64) { o.AddChange(dst, v, 0.3) },
				"AverageTerms": func(o operator.Operator, dst, v []float64) {
					o.AverageTerms(dst, slices.Collect(func(yield func(float64) bool) {
						// of terms that do not cancel
						for _, v := range v {
							yield(math.Exp(20 * v))
						}
					}))
				},
			} {
				want := make([]float64, n)
				got := make([]float64, n)
				again := make([]float64, n)
				apply(edges, want, v)
				apply(box, got, v)
				apply(shared.Twin(), again, v)
				if !slices.Equal(got, again) {
					t.Fatalf("%s of %v on %d states depends on the workers: %v, %v", what, k, n, got, again)
				}
				size := 1.0
				for x := range want {
					if what == "AverageTerms" {
						size = want[x]
					}
					if math.Abs(got[x]-want[x]) > 1e-13*size {
						t.Fatalf("%s of %v on %d states at %d: %v, by edges %v", what, k, n, x, got[x], want[x])
					}
				}
			}
			one, two := make([]float64, n), [][]float64{make([]float64, n), make([]float64, n)}
			box.AverageTerms(one, v)
			operator.TermsOf(box, two, [][]float64{d.F, v})
			if !slices.Equal(one, two[1]) {
				t.Fatalf("%v on %d states: two functions at once are %v, want %v", k, n, two[1], one)
			}
			along := operator.Direction{Slope: v}
			want, kink := edges.(operator.Differentiable).Derived(d.F, v, along)
			got, kinked := box.Derived(d.F, v, along)
			if kink != kinked || math.Abs(got-want) > 1e-12*math.Abs(want)+1e-15 {
				t.Fatalf("%v on %d states has the derivative %v, by edges %v", k, n, got, want)
			}
		}
	})
}
