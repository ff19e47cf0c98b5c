package averages

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"breadboard/grid/longtest"
)

// plainIndependentKS sums over all numbers of draws at the levels, whose probabilities are
// multinomial. The distance at a level is taken from its nearer end, which keeps the digits.
func plainIndependentKS(masses []float64, n int) KS {
	var out KS
	var spread func(level, before int, p, most, below float64)
	spread = func(level, before int, p, most, below float64) {
		if level == len(masses)-1 {
			p *= math.Pow(masses[level], float64(n-before))
			out.Mean += p * most
			out.Square += p * most * most
			return
		}
		below += masses[level]
		above := 0.0
		for _, m := range masses[level+1:] {
			above += m
		}
		for at := before; at <= n; at++ {
			ways, _ := new(big.Float).SetInt(new(big.Int).Binomial(int64(n-before), int64(at-before))).Float64()
			off := math.Abs(float64(at)/float64(n) - below)
			if above < below {
				off = math.Abs(float64(n-at)/float64(n) - above)
			}
			spread(level+1, at, p*ways*math.Pow(masses[level], float64(at-before)), max(most, off), below)
		}
	}
	spread(0, 0, 1, 0, 0)
	return out
}

// TestIndependentKS compares with the sum over all numbers of draws, and the mean of CvM with its
// sum over levels, for levels of any masses: equal ones, one beside which the others are rounding,
// and single ones.
func TestIndependentKS(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		levels := rapid.IntRange(1, 5).Draw(t, "levels")
		n := rapid.IntRange(1, []int{400, 400, 80, 30, 16}[levels-1]).Draw(t, "n")
		span := rapid.SampledFrom([]float64{0, 1, 37, 700}).Draw(t, "span")
		f := &Function{}
		total := 0.0
		for l := range levels {
			m := math.Exp(-rapid.Float64Range(0, span).Draw(t, "mass"))
			f.Levels.Values, f.Masses, total = append(f.Levels.Values, float64(l)),
				append(f.Masses, m), total+m
		}
		for l := range f.Masses {
			f.Masses[l] /= total
		}
		got, want := longtest.Must(f.IndependentKS(t.Context(), n, nil))(t), plainIndependentKS(f.Masses, n)
		cvm := 0.0
		below := 0.0
		for l, m := range f.Masses {
			below += m
			above := 0.0 // by itself, because it may be tiny
			for _, m := range f.Masses[l+1:] {
				above += m
			}
			cvm += m * below * above
		}
		for _, v := range [][2]float64{
			{got.Mean, want.Mean}, {got.Square, want.Square}, {f.IndependentCvM(), cvm}} {
			if !(math.Abs(v[0]-v[1]) <= 1e-13*v[1]) {
				t.Fatalf("%d draws of %v: %v, want %v", n, f.Masses, got, want)
			}
		}
	})
}
