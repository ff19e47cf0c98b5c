package averages

import (
	"math"
	"math/big"
	"testing"

	"breadboard/grid/longtest"
)

// wideSeries is the power of diag(e^{s h + q r}) T as it is defined, with functions on the states
// and nothing taken out of them, in that many digits that nothing is lost by that. Its parts are by
// the powers of s and q. Those of the greatest weight are only what they make of one.
type wideSeries struct {
	greatest int
	parts    map[[2]int]wideMatrix
	ones     map[[2]int]wideMatrix // of one column
}

func weightOf(k [2]int) int { return k[0] + 2*k[1] }

// newWideSeries returns the series of a transition matrix and of h at each state, up to a weight.
func newWideSeries(T wideMatrix, h []*big.Float, greatest int) *wideSeries {
	w := &wideSeries{greatest, map[[2]int]wideMatrix{}, map[[2]int]wideMatrix{}}
	for s := range greatest + 1 {
		for q := 0; s+2*q <= greatest; q++ {
			at := [2]int{s, q}
			w.ones[at], w.parts[at] = newWide(len(T), 1), newWide(len(T), len(T))
			for x := range T {
				f := wide(1)
				for i := range s {
					f.Mul(f, h[x]).Quo(f, wide(float64(i+1)))
				}
				r := wide(0).Mul(h[x], h[x])
				r.Sub(r, wide(1))
				for i := range q {
					f.Mul(f, r).Quo(f, wide(float64(i+1)))
				}
				w.ones[at][x][0].Set(f)
				for y := range T {
					w.parts[at][x][y].Mul(f, T[x][y])
				}
			}
			if weightOf(at) == greatest {
				delete(w.parts, at)
			}
		}
	}
	return w
}

// square returns the square of the series.
func (w *wideSeries) square() *wideSeries {
	out := &wideSeries{w.greatest, map[[2]int]wideMatrix{}, map[[2]int]wideMatrix{}}
	add := func(into map[[2]int]wideMatrix, at [2]int, m wideMatrix) {
		if into[at] == nil {
			into[at] = m
			return
		}
		for x := range m {
			for y := range m[x] {
				into[at][x][y].Add(into[at][x][y], m[x][y])
			}
		}
	}
	for a, first := range w.parts {
		for b, ones := range w.ones {
			at := [2]int{a[0] + b[0], a[1] + b[1]}
			if weightOf(at) > w.greatest {
				continue
			}
			add(out.ones, at, first.times(ones))
			if weightOf(at) < w.greatest {
				add(out.parts, at, first.times(w.parts[b]))
			}
		}
	}
	for a, ones := range w.ones {
		// a part of the greatest weight is applied to one, which the others leave as it is
		if weightOf(a) == w.greatest {
			add(out.ones, a, ones)
		}
	}
	return out
}

// mean returns the mean under a distribution of the part of s^i q^j, times the factorials of i and
// j.
func (w *wideSeries) mean(law []float64, i, j int) *big.Float {
	sum := wide(0)
	for x, q := range law {
		sum.Add(sum, wide(0).Mul(wide(q), w.ones[[2]int{i, j}][x][0]))
	}
	for k := 2; k <= max(i, j); k++ {
		if k <= i {
			sum.Mul(sum, wide(float64(k)))
		}
		if k <= j {
			sum.Mul(sum, wide(float64(k)))
		}
	}
	return sum
}

// errors returns bias and mean squared error of the mean, and of the variance if the weight is
// four.
func (w *wideSeries) errors(law []float64, n int64) []float64 {
	N := wide(float64(n))
	over := func(v *big.Float, times int) *big.Float {
		for range times {
			v = wide(0).Quo(v, N)
		}
		return v
	}
	number := func(v *big.Float) float64 { f, _ := v.Float64(); return f }
	s2 := w.mean(law, 2, 0)
	out := []float64{number(over(w.mean(law, 1, 0), 1)), number(over(s2, 2))}
	if w.greatest < 4 || n == 1 {
		return out
	}
	first := wide(1)
	first.Add(first, w.mean(law, 0, 1)).Sub(first, over(s2, 1))
	second := wide(1)
	second.Add(second, w.mean(law, 0, 2)).Add(second, over(w.mean(law, 4, 0), 2))
	second.Add(second, wide(0).Mul(wide(2), w.mean(law, 0, 1)))
	second.Sub(second, wide(0).Mul(wide(2), over(w.mean(law, 2, 1), 1)))
	second.Sub(second, wide(0).Mul(wide(2), over(s2, 1)))
	less := wide(float64(n - 1))
	first.Quo(first, less)
	second.Quo(second, less).Quo(second, less)
	return append(out, number(first), number(second))
}

// wideStandard returns a function standardised by the uniform distribution.
func wideStandard(g []float64) (h []*big.Float) {
	n := wide(float64(len(g)))
	mean := wide(0)
	variance := wide(0)
	for _, v := range g {
		mean.Add(mean, wide(0).Quo(wide(v), n))
	}
	for x, v := range g {
		h = append(h, wide(v))
		h[x].Sub(h[x], mean)
		variance.Add(variance, wide(0).Quo(wide(0).Mul(h[x], h[x]), n))
	}
	sd := wide(0).Sqrt(variance)
	for x := range h {
		h[x].Quo(h[x], sd)
	}
	return h
}

// TestErrorsKeepDigits holds errors and the estimates of their rounding to arithmetic of 240 bits,
// up to a million million samples, on chains that forget at once, in some moves, and in 1e9. Their
// probabilities have few digits and leave the uniform distribution invariant, so that both
// arithmetics begin alike.
func TestErrorsKeepDigits(t *testing.T) {
	islands := func(e int) *Chain { // two triples of states with a bridge that is rarely crossed
		a := math.Ldexp(1, -e)
		return tabulated(t, []float64{0, 0, 0, 0, 0, 0},
			[]float64{0.5, 0.25, 0.25, 0, 0, 0}, []float64{0.25, 0.5, 0.25, 0, 0, 0},
			[]float64{0.25, 0.25, 0.5 - a, a, 0, 0},
			[]float64{0, 0, a, 0.5 - a, 0.25, 0.25}, []float64{0, 0, 0, 0.25, 0.5, 0.25},
			[]float64{0, 0, 0, 0.25, 0.25, 0.5})
	}
	around := tabulated(t, []float64{0, 0, 0}, []float64{0.125, 0.75, 0.125}, []float64{0.125, 0.125, 0.75},
		[]float64{0.75, 0.125, 0.125})
	for _, test := range []struct {
		what   string
		chain  *Chain
		weight int
	}{
		{"islands 2^-4", islands(4), 4}, {"islands 2^-30", islands(30), 4}, {"islands 2^-45", islands(45), 4},
		{"around", around, 4},
		{"around, the mean alone", around, 2},
	} {
		t.Run(test.what, func(t *testing.T) {
			t.Parallel()
			c := test.chain
			g := make([]float64, c.States())
			for x := range g {
				g[x] = float64(x * x % 11)
			}
			f := longtest.Must(c.Standardise(g))(t)
			starts := [][]float64{c.Target, startOf(c, -1), startOf(c, 0)}
			want := make([][][]float64, 40) // of 1, 2, 4, ... samples, by the start
			T := newWide(c.States(), c.States())
			for x := range T {
				for y := range T {
					T[x][y].SetFloat64(c.Rows.EntryAt(x, y))
				}
			}
			w := newWideSeries(T, wideStandard(g), test.weight)
			for k := range want {
				for _, start := range starts {
					want[k] = append(want[k], w.errors(start, 1<<k))
				}
				w = w.square()
			}
			keepsDigits(t, c, Squaring, Question{Function: f, Starts: starts, Variance: test.weight == 4}, want, 20)
			keepsDigits(t, c, Recursion, Question{Function: f, Starts: starts, Variance: test.weight == 4},
				want[:11], 10)
			if test.chain != around { // which is not reversible
				keepsDigits(t, c, Lanczos, Question{Function: f, Starts: starts[:1]}, want[:18], 50)
			}
		})
	}
}

// keepsDigits holds the errors by a method to what is wanted: none is off by more than the rounding
// that is stated, and the largest by at least one part of it in that many.
func keepsDigits(t *testing.T, c *Chain, m Method, q Question, want [][][]float64, nearly float64) {
	t.Helper()
	for k := range want {
		q.N = append(q.N, 1<<k)
	}
	worst := 0.0
	for i, all := range longtest.Must(c.Errors(t.Context(), q, m))(t) {
		for k, e := range all {
			numbers := []float64{e.Bias.Value, e.MSE.Value, e.BiasVariance.Value, e.MSEVariance.Value}
			for j, want := range want[k][i] {
				if j > 1 && !q.Variance {
					break
				}
				scale := math.Abs(want)
				if j%2 == 0 {
					scale = math.Sqrt(numbers[j+1])
				}
				off := math.Abs(numbers[j]-want) / scale
				worst = max(worst, off/e.Rounding)
				if !(off <= e.Rounding) {
					t.Errorf("%s, start %d, N = %d, number %d: %v, want %v, off by %.3g, and %.3g is stated",
						m, i, e.N, j, numbers[j], want, off, e.Rounding)
				}
			}
		}
	}
	if worst < 1/nearly {
		t.Errorf("%s: the errors are at most %.3g of what is stated of them", m, worst)
	}
}
