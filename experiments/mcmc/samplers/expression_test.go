package samplers_test

import (
	"math"
	"strings"
	"testing"

	"breadboard/experiments/mcmc/samplers"
	"breadboard/grid"
	"breadboard/grid/longtest"
	"breadboard/toys"
	"breadboard/toys/models"
)

// named is a target whose axes have values, and names that are no words.
func named() *toys.Toy {
	return &toys.Toy{Name: "named", Space: longtest.Sure(grid.New(2, 3)), G: make([]float64, 6),
		Axes: []models.Axis{{Name: "log tau", Values: []float64{-1, 0.1}},
			{Name: "rate[b-1]", Values: []float64{0.2, 0.7, 2}}}}
}

// TestExpressions: the values of an expression are those of the formula at the values of the axes,
// and what is none is refused.
func TestExpressions(t *testing.T) {
	toy := named()
	one := func(is bool) float64 { return map[bool]float64{true: 1}[is] }
	for text, want := range map[string]func(a, b float64) float64{
		"rate[b-1]":           func(_, b float64) float64 { return b },
		"log tau * rate[b-1]": func(a, b float64) float64 { return a * b },
		"-log tau^2/2":        func(a, _ float64) float64 { return -a * a / 2 },
		"log(rate[b-1])+exp(log tau)": func(a, b float64) float64 {
			return math.Log(b) + math.Exp(a)
		},
		"sqrt(abs(log tau))":         func(a, _ float64) float64 { return math.Sqrt(math.Abs(a)) },
		"min(log tau, rate[b-1], 0)": func(a, b float64) float64 { return min(a, b, 0) },
		// 0.1 + 0.2 is above 0.3 by a rounding
		"log tau+rate[b-1]>=0.3": func(a, b float64) float64 { return one(a == 0.1 || b == 2) },
		"log tau+rate[b-1]>0.3": func(a, b float64) float64 {
			return one(a == 0.1 && b > 0.2 || b == 2)
		},
		"0<rate[b-1]<1 && log tau!=-1": func(a, b float64) float64 { return one(b < 1 && a != -1) },
		"(rate[b-1] == 2 || log tau<0) - 2*x0": func(a, b float64) float64 {
			return one(b == 2 || a < 0) - 2*one(a > 0)
		},
		"2^3^x0/-2 + 1e-1": func(a, _ float64) float64 {
			return map[float64]float64{-1: 2, 0.1: 8}[a]/-2 + 0.1
		},
		"x0**-2 <= .5 == 1":  func(a, _ float64) float64 { return 0 * a },
		"1-2-3 - +x1*0 - -1": func(_, b float64) float64 { return 0*b - 3 },
		"x1 + sum*g": func(_, b float64) float64 {
			return map[float64]float64{0.2: 0, 0.7: 1, 2: 2}[b]
		},
	} {
		got, err := samplers.FunctionValues(text, toy)
		for x := range got {
			a, b := toy.Axes[0].ValueAt(x/3), toy.Axes[1].ValueAt(x%3)
			if w := want(a, b); math.Abs(got[x]-w) > 1e-15*math.Abs(w) {
				t.Errorf("%s is %v at %v, %v; want %v", text, got[x], a, b, w)
			}
		}
		longtest.NoError(t, err)
	}
	for text, want := range map[string]string{
		"1/x0": "no value at state 0, as a division by zero", "1/x0>2": "no value",
		"sqrt(log tau)<1": "no value", "x0*theta": "theta: it is unknown; choices",
		"x0//2": `unexpected "/2"`, "x0 /* 2 */": `unexpected "*2*/"`,
		"((((x0": "it ends too early", "x0%2": `unexpected "%2"`, "x0^": "it ends too early",
		"x0 x1": `unexpected "x1"`, "log()": `unexpected ")"`, "(x0": "it ends too early",
		"foo(x0)":    "foo of 1 number",
		"log(x0,x1)": "log of 2 numbers", "x0?1:2": "has names, numbers", "'a'+x0": "has names",
		"min(x0,1": "it ends too early", "2x0*1": `unexpected "x0*1"`,
		"_0+x0": "_0: it is unknown", "1e999*x0": "out of range",
		"map(1..9,#)": `unexpected ".9,#)"`, "x0 in [1]": `unexpected "in [1]"`,
		strings.Repeat("x0+", 300) + "1": "has 901 characters",
	} {
		longtest.Refuses(samplers.FunctionValues(text, toy))(t, want, text)
	}
}

// FuzzExpression: a text is refused, or has a value at each state.
func FuzzExpression(f *testing.F) {
	for _, text := range []string{"x0*log(rate[b-1])", "log tau>0 && x0<1", "min(x0,x1)^2", "1..9",
		"let a=1;a", "{#}", "x0//", "\"", "x0?.y", "_0|_1"} {
		f.Add(text)
	}
	toy := named()
	f.Fuzz(func(t *testing.T, text string) {
		values, err := samplers.FunctionValues(text, toy)
		for _, v := range values {
			if err == nil && math.IsNaN(v) {
				t.Fatalf("%q is NaN", text)
			}
		}
	})
}
