package averages

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains/kernels"
	"breadboard/exact/kernel"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// TestFactors compares what a chain makes of distributions and functions by the parts of a sequence
// with what it makes by their product: sparse parts, parts that never move, that draw from the
// target (Independence of a flat target), and that never leave a class.
func TestFactors(t *testing.T) {
	space := grid.MustNew(2, 3, 2, 2)
	selectors := []string{
		"heatbath-scan", "palindrome:heatbath-axis:0+heatbath-axis:1+heatbath-axis:2+heatbath-axis:3",
		"compose:metropolis+heatbath-axis:1+stay+barker",
		"repeat:4:metropolis", "compose:suwa-todo+heatbath-axis:0", "compose:heatbath-axis:0+heatbath-axis:1",
		"compose:independence+heatbath-axis:2",
		"palindrome:lazy:0.3:metropolis+heatbath-axis:3", "compose:heatbath-scan+heatbath+lazy:0.2:flip",
	}
	rapid.Check(t, func(r *rapid.T) {
		span := rapid.SampledFrom([]float64{0, 1e-13, 2, 37, 700}).Draw(r, "span")
		logf := make([]float64, space.States())
		g := make([]float64, space.States())
		for x := range logf {
			logf[x] = span * rapid.Float64Range(0, 1).Draw(r, "log f")
			if x > 0 && span == 2 && rapid.IntRange(0, 5).Draw(r, "zero") == 0 {
				logf[x] = math.Inf(-1)
			}
			g[x] = float64(space.Coord(x, 1)) + 0.5*float64(space.Coord(x, 2))
		}
		name := rapid.SampledFrom(selectors).Draw(r, "kernel")
		k := longtest.Must(kernels.Parse(name, space))(t)
		product := longtest.Must(New(t.Context(), k, logf))(t)
		product.factors = nil
		parts := &Chain{
			Target:  product.Target,
			LogF:    logf,
			Rows:    product.Rows,
			factors: longtest.Must(kernel.NewProduct(t.Context(), k, logf))(t),
		}
		f, err := product.Standardise(g)
		if err != nil {
			return // the target has all its mass where the function is constant
		}
		a, b := make([]float64, len(g)), make([]float64, len(g))
		near := func(what string, size float64) {
			for x := range a {
				if product.Target[x] > 0 && !(math.Abs(a[x]-b[x]) <= 64*unit*size) {
					r.Fatalf("%s at state %d is %v by the parts and %v by their product", what, x, a[x], b[x])
				}
			}
		}
		size := 0.0
		for _, h := range f.Values {
			size = max(size, math.Abs(h))
		}
		point := make([]float64, len(g))
		point[0] = 1
		parts.factored().Push(a, point)
		product.factored().Push(b, point)
		near("the distribution after a move", 1)
		parts.moved(a, f.Values)
		product.moved(b, f.Values)
		near("the mean after a move", size)
		var spare []float64
		parts.applyIMinusT(a, f.Values, &spare)
		product.applyIMinusT(b, f.Values, &spare)
		near("the fall of a function", size)
		for _, all := range []bool{false, true} {
			q := Question{
				Function:     f,
				Starts:       [][]float64{point, product.Target},
				N:            []int64{1, 2, 9, 40},
				Variance:     all && size < 1e70,
				Distribution: all,
			}
			x := longtest.Must(parts.recursion(t.Context(), q))(t)
			y := longtest.Must(product.recursion(t.Context(), q))(t)
			for s := range x {
				for i, e := range x[s] {
					sameErrors(r, e, y[s][i], 1e-13+14*max(e.Rounding, y[s][i].Rounding))
				}
			}
		}
	})
}

// TestFactorsWhereFewer holds that a scan is applied part by part, and a kernel that is repeated
// very often on a small space by its product.
func TestFactorsWhereFewer(t *testing.T) {
	space := grid.MustNew(2, 2, 2, 2, 2, 2)
	for name, want := range map[string]int{"heatbath-scan": 6, "repeat:1000:metropolis": 1, "metropolis": 1} {
		c := longtest.Must(New(
			t.Context(),
			longtest.Must(kernels.Parse(name, space))(t),
			make([]float64, space.States()),
		))(t)
		if got := len(c.factored()); got != want {
			t.Errorf("%s is applied as %d matrices, want %d", name, got, want)
		}
	}
}
