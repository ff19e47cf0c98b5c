package operator_test

import (
	"context"
	"math"
	"testing"

	"pgregory.net/rapid"

	"breadboard/chains/kernels"
	"breadboard/exact/internal/operator"
	"breadboard/exact/kernel"
	"breadboard/grid/longtest"
)

// TestRatios moves laws with ratios q/p from 1e-20 to 1e20, and compares with the laws that are pushed along the rows of the
// kernel, which are sums of positive terms: every ratio has all digits, however far the ratios around it are.
//
// A move adds at most some fifteen terms, which cancel to half of the largest at most, so that three moves leave some 1e-14.
func TestRatios(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := space(t)
		k := longtest.Must(kernels.Parse(rapid.SampledFrom([]string{"metropolis", "barker", "flip", "independence", "heatbath", "heatbath-scan", "jump:0.3"}).Draw(t, "kernel"), l))(t)
		n := l.States()
		logf, f, inverse := make([]float64, n), make([]float64, n), make([]float64, n)
		for x := range logf { // states are alike or well apart, so that probabilities to stay have their digits
			logf[x] = 0.25 * float64(rapid.IntRange(0, 8).Draw(t, "level"))
			f[x] = math.Exp(logf[x])
			inverse[x] = 1 / f[x]
		}
		rows := longtest.Must(kernel.NewRows(context.Background(), k, logf))(t)
		o := longtest.Must(operator.New(context.Background(), k, n))(t)
		back := o.Reversal()
		back.Load(&operator.Distribution{F: f, Inverse: inverse, LogF: func() []float64 { return logf }})

		r, q := operator.NewRatios(n), make([]float64, n)
		size := rapid.SampledFrom([]float64{1, 10, 46}).Draw(t, "size")
		for x := range q {
			h := math.Exp(size * rapid.Float64Range(-1, 1).Draw(t, "log ratio"))
			q[x], r.U[x] = h*f[x], h-1
		}
		r.Settle(func(x int) float64 { return q[x] * inverse[x] })
		for range 3 {
			for _, part := range operator.Sequence(back) {
				r.Move(part)
			}
			next := make([]float64, n)
			for x, mass := range q {
				for _, e := range rows.Row(x) {
					next[e.To] += mass * e.P
				}
			}
			q = next
			for x := range q {
				if want := q[x] * inverse[x]; !(math.Abs(r.Ratio(x)-want) <= 1e-13*want) {
					t.Fatalf("%v: the ratio of state %d is %v, pushed %v", k, x, r.Ratio(x), want)
				}
			}
		}
	})
}

// TestRatiosOfALeavingState: a single flip on two states that are alike changes the state for certain, so that a state whose
// ratio was far above that of the other one has that afterwards, to the last digit. An average that is added to what the state
// had would lose as many digits as its ratio has. So would the deviation from one of a ratio far below a half.
func TestRatiosOfALeavingState(t *testing.T) {
	l := line(t, 2)
	o := longtest.Must(operator.New(context.Background(), kernels.Flip{Space: l}, 2))(t)
	o.Load(&operator.Distribution{F: []float64{1, 1}, Inverse: []float64{1, 1}})
	for _, high := range []float64{6, 1e3, 1e9, 1e300} {
		for _, low := range []float64{1.1, 0.3, 1e-9, 1e-300} {
			r := operator.NewRatios(2)
			h := []float64{high, low}
			r.U[0], r.U[1] = high-1, low-1
			r.Settle(func(x int) float64 { return h[x] })
			r.Move(o)
			if r.Ratio(0) != low || r.Ratio(1) != high {
				t.Errorf("ratios %v and %v became %v and %v", high, low, r.Ratio(0), r.Ratio(1))
			}
		}
	}
}
