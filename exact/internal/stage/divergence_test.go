package stage

import (
	"math"
	"math/big"
	"testing"
)

// TestExcesses compares the three functions of small arguments with their power series in 200 bits.
func TestExcesses(t *testing.T) {
	big200 := func(v float64) *big.Float { return new(big.Float).SetPrec(200).SetFloat64(v) }
	series := func(u float64, divisor func(k int) float64) float64 {
		total, power := big200(0), big200(1)
		for k := 1; k < 400; k++ {
			power.Mul(power, big200(u))
			if k >= 2 {
				term := new(big.Float).SetPrec(200).Quo(power, big200(divisor(k)))
				total.Add(total, term)
			}
		}
		v, _ := total.Float64()
		return v
	}
	factorial := 1.0
	factorials := map[int]float64{}
	for k := 1; k < 400; k++ {
		factorial *= float64(k)
		factorials[k] = min(factorial, math.MaxFloat64)
	}
	for _, u := range []float64{1e-12, -1e-12, 1e-5, -3e-4, 0.01, -0.05, 0.1249, -0.1249, 0.126, -0.126, 0.3, -0.5, 0.5} {
		_, above, below := Expm1Excess(u)
		for name, pair := range map[string][2]float64{
			"above":         {above, Excess(u)},
			"below":         {below, Excess(-u)},
			"excess":        {Excess(u), series(u, func(k int) float64 { return factorials[k] })},
			"forwardExcess": {ForwardExcess(u), series(-u, func(k int) float64 { return float64(k * (k - 1)) })},
			"reverseExcess": {ReverseExcess(u), series(-u, func(k int) float64 { return float64(k) })},
		} {
			if e := math.Abs(pair[0]-pair[1]) / pair[1]; e > 1e-14 {
				t.Errorf("%s(%v) = %v, want %v: error %.2g", name, u, pair[0], pair[1], e)
			}
		}
	}
}
