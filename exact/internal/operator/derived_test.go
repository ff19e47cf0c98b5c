package operator_test

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains/kernels"
	"breadboard/exact/internal/operator"
	"breadboard/grid/longtest"
)

// TestDerived compares derivatives with differences of averages on either side, also at kinks: where states are alike in f
// and differ in slope the derivative is one-sided.
func TestDerived(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := space(t)
		k, err := kernels.Parse(rapid.SampledFrom(selectors).Draw(t, "kernel"), l)
		if err != nil {
			t.Skip(err)
		}
		n := l.States()
		o := longtest.Must(operator.New(context.Background(), k, n))(t)
		d, known := operator.Derivative(o)
		if !known {
			t.Skip("no derivative")
		}
		logf := make([]float64, n)
		for x := range logf { // a grid of values, so that states are alike or well apart
			logf[x] = 0.25 * float64(rapid.IntRange(0, 8).Draw(t, "level"))
		}
		slope, m, v := draw(t, n, "slope", 2), draw(t, n, "m", 1), draw(t, n, "v", 1)
		along := operator.Direction{Slope: slope, Below: rapid.Bool().Draw(t, "below")}

		f := make([]float64, n)
		for x := range f {
			f[x] = math.Exp(logf[x])
		}
		at := func(h float64) float64 { // the sum over x of f(x) m(x) (T v)(x) for T at a distance of h
			moved, inverse, average := make([]float64, n), make([]float64, n), make([]float64, n)
			for x := range moved {
				moved[x] = math.Exp(logf[x] + h*slope[x])
				inverse[x] = 1 / moved[x]
			}
			o.Load(&operator.Distribution{F: moved, Inverse: inverse, LogF: func() []float64 { return logf }})
			o.Average(average, v)
			total := 0.0
			for x := range f {
				total += f[x] * m[x] * average[x]
			}
			return total
		}
		h := 1e-3
		if along.Below {
			h = -h
		}
		// The one-sided formula of fourth order, so that kinks do not matter.
		want := (-25*at(0) + 48*at(h) - 36*at(2*h) + 16*at(3*h) - 3*at(4*h)) / (12 * h)
		at(0)
		got, _ := d.Derived(m, v, along)
		if tolerance := 1e-9 * (1 + math.Abs(at(0))); !(math.Abs(got-want) <= tolerance) {
			t.Fatalf("%v: %v, by differences %v", k, got, want)
		}
		// What has been loaded is still there.
		before := at(0)
		d.Derived(m, v, along)
		average := make([]float64, n)
		o.Average(average, v)
		total := 0.0
		for x := range f {
			total += f[x] * m[x] * average[x]
		}
		if total != before {
			t.Fatalf("%v: after a derivative the average is %v and not %v", k, total, before)
		}
	})
}

// TestKinks: a kernel that compares two states that are alike in f and differ in slope has a kink there, and no other.
func TestKinks(t *testing.T) {
	for _, c := range []struct {
		kernel string
		slope  []float64
		want   bool
	}{
		{"metropolis", []float64{1, 2, 2}, true},
		{"metropolis", []float64{2, 2, 1}, false}, // the states 1 and 2 are not alike
		{"barker", []float64{1, 2, 3}, false},
		{"heatbath", []float64{1, 2, 3}, false},
		{"independence", []float64{1, 2, 3}, true},
		{"jump:0.5", []float64{2, 2, 3}, false},
		{"repeat:2", []float64{1, 2, 3}, true},
		{"lazy:0.5", []float64{1, 2, 3}, true},
	} {
		l := line(t, 3)
		k := longtest.Must(kernels.Parse(c.kernel, l))(t)
		o := longtest.Must(operator.New(context.Background(), k, 3))(t)
		o.Load(&operator.Distribution{F: []float64{1, 1, 0.5}, Inverse: []float64{1, 1, 2}, LogF: func() []float64 { return []float64{0, 0, -math.Ln2} }})
		ones := []float64{1, 1, 1}
		d, _ := operator.Derivative(o)
		if _, kinked := d.Derived(ones, ones, operator.Direction{Slope: c.slope}); kinked != c.want {
			t.Errorf("%s, slopes %v: kinked %v", c.kernel, c.slope, kinked)
		}
	}
}
