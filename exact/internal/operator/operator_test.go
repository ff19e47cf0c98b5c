package operator_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains"
	"breadboard/chains/kernels"
	"breadboard/exact/internal/operator"
	"breadboard/exact/kernel"
	"breadboard/grid"
	"breadboard/grid/longtest"
)

// selectors are kernels that have an operator, one of every kind and every kind of combination.
var selectors = []string{
	"metropolis", "barker", "moore", "flip", "jump:0.3", "jump:0", "jump:1", "independence", "heatbath", "heatbath-axis:0", "heatbath-scan", "stay",
	"lazy:0.3", "repeat:3:barker", "repeat:2:heatbath", "compose:metropolis+heatbath-axis:0", "palindrome:heatbath-axis:0+moore+barker",
	"suwa-todo", "suwa-todo-axis:0", "compose:suwa-todo-axis:0+barker",
	"mixture:1*metropolis+2*jump:0.5+0.5*stay", "lazy:0.5:repeat:3:heatbath-scan", "compose:heatbath-scan+lazy:0.1:flip+independence",
}

// TestEveryFormIsTested: every form of the library has an operator, and is in the list above.
func TestEveryFormIsTested(t *testing.T) {
	l := longtest.Must(grid.New(3, 4))(t)
	for _, form := range kernels.Forms().All() {
		k := longtest.Must(kernels.Parse(form.Example, l))(t)
		if o, err := operator.New(context.Background(), k, l.States()); o == nil || err != nil {
			t.Errorf("%s has no operator: %v", form.Name(), err)
		}
		if !slices.ContainsFunc(selectors, func(selector string) bool {
			name, _, _ := strings.Cut(selector, ":")
			return name == form.Name()
		}) {
			t.Errorf("no operator of the form %s is tested", form.Name())
		}
	}
}

// space draws a small lattice, some axes of which are rings or have a single value.
func space(t *rapid.T) *grid.Lattice {
	dims := rapid.IntRange(1, 4).Draw(t, "dims")
	sides, wrap := make([]int, dims), make([]bool, dims)
	for k := range sides {
		sides[k] = rapid.IntRange(1, 4).Draw(t, "side")
		wrap[k] = sides[k] >= 3 && rapid.Bool().Draw(t, "ring")
	}
	return longtest.Must(grid.NewWrapped(sides, wrap))(t)
}

// line returns a line of n states.
func line(t *testing.T, n int) *grid.Lattice {
	t.Helper()
	return longtest.Must(grid.New(n))(t)
}

// TestOperators compares each operator with the rows of the kernel, also where f spans hundreds of nats, has ties, and
// changes while the operator stays.
func TestOperators(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := space(t)
		k, err := kernels.Parse(rapid.SampledFrom(selectors).Draw(t, "kernel"), l)
		if err != nil {
			t.Skip(err)
		}
		n := l.States()
		o, err := operator.New(context.Background(), k, n)
		if o == nil || err != nil {
			t.Fatalf("%v has no operator: %v", k, err)
		}
		scale := rapid.SampledFrom([]float64{0, 1e-12, 1, 30, 500}).Draw(t, "range")
		for range 2 {
			logf := draw(t, n, "g", scale)
			v := draw(t, n, "v", 1)
			compare(t, k, o, logf, v)
		}
	})
}

// draw draws n numbers from 0 to scale, some of them alike.
func draw(t *rapid.T, n int, name string, scale float64) []float64 {
	out := rapid.SliceOfN(rapid.Float64Range(0, 1), n, n).Draw(t, name)
	for x := range out {
		if out[x] < 0.2 {
			out[x] = 0.2
		}
		out[x] *= scale
	}
	return out
}

func compare(t *rapid.T, k chains.Kernel, o operator.Operator, logf, v []float64) {
	rows := longtest.Must(kernel.NewRows(context.Background(), k, logf))(t)
	n := len(v)
	f, inverse := make([]float64, n), make([]float64, n)
	for x := range f {
		f[x] = math.Exp(logf[x] - 250)
		inverse[x] = 1 / f[x]
	}
	o.Load(&operator.Distribution{F: f, Inverse: inverse, LogF: func() []float64 { return logf }})
	compareReversal(t, o, f, v)
	signed, got, positive := make([]float64, n), make([]float64, n), make([]float64, n)
	large := 0.0
	for x := range v {
		signed[x] = v[x] - 0.5
		large = max(large, math.Abs(signed[x]))
	}
	o.Average(got, signed)
	o.AverageTerms(positive, v)
	compareTwin(t, o, signed, got, positive, v)
	tolerance := 1e-15 * float64(100+len(rows.Row(0))) // the ratios of f are off by 500 roundings of log f/500 each
	for x := range v {
		want, wantPositive, minimal := 0.0, 0.0, 0.0
		for _, e := range rows.Row(x) {
			want += e.P * signed[e.To]
			wantPositive += e.P * v[e.To]
		}
		tolerance := tolerance
		if strings.Contains(fmt.Sprint(k), "suwa") { // rounding of the largest weight may spill into the flows of small ones
			tolerance *= slices.Max(f) / f[x]
			minimal = 1
		}
		if !(math.Abs(got[x]-want) <= tolerance*large) {
			t.Fatalf("%v at %d: %v, by rows %v", k, x, got[x], want)
		}
		if !(math.Abs(positive[x]-wantPositive) <= tolerance*max(wantPositive, minimal)) {
			t.Fatalf("%v at %d, positive: %v, by rows %v", k, x, positive[x], wantPositive)
		}
	}
}

// compareReversal holds the reversal to its definition: the mean of u T v under f is that of v times the reversal of u.
func compareReversal(t *rapid.T, o operator.Operator, f, v []float64) {
	back := o.Reversal()
	n := len(v)
	u, forward, backward := make([]float64, n), make([]float64, n), make([]float64, n)
	for x := range u {
		u[x] = math.Sin(float64(3 * x))
	}
	o.Average(forward, v)
	back.Average(backward, u)
	var there, again, size float64
	for x := range v {
		there += f[x] * u[x] * forward[x]
		again += f[x] * backward[x] * v[x]
		size += f[x]
	}
	if !(math.Abs(there-again) <= 1e-13*size) {
		t.Fatalf("<u, T v> = %v and <R u, v> = %v, beside %v", there, again, size)
	}
}

// compareTwin: a twin gives the same bytes, whatever the other operator does meanwhile.
func compareTwin(t *rapid.T, o operator.Operator, signed, average, terms, v []float64) {
	twin := o.Twin()
	var wait sync.WaitGroup
	others := make([]float64, len(v))
	wait.Go(func() {
		o.Average(others, v)
		o.AverageTerms(others, signed)
	})
	gotAverage, gotTerms := make([]float64, len(v)), make([]float64, len(v))
	twin.Average(gotAverage, signed)
	twin.AverageTerms(gotTerms, v)
	wait.Wait()
	if !slices.Equal(gotAverage, average) || !slices.Equal(gotTerms, terms) {
		t.Fatalf("the twin gives %v and %v, not %v and %v", gotAverage, gotTerms, average, terms)
	}
}
