package exact

import (
	"math"
	"math/big"
	"testing"

	"breadboard/grid/longtest"
)

// TestExpm1 compares with the power series in 200 bits: the result is right to two units in the last place up to the step
// that the stencil takes, and beyond.
func TestExpm1(t *testing.T) {
	half := longtest.Times(500, 2000)
	for i := range 2*half + 1 {
		v := float64(i-half) / float64(half) * 0.3
		for _, v := range []float64{v, v / 100, v * 1e-9} {
			x := new(big.Float).SetPrec(200).SetFloat64(v)
			sum, term := new(big.Float).SetPrec(200), new(big.Float).SetPrec(200).SetInt64(1)
			for k := 1.0; k < 40; k++ {
				term.Mul(term, x)
				term.Quo(term, big.NewFloat(k))
				sum.Add(sum, term)
			}
			want, _ := sum.Float64()
			if got := expm1(v); math.Abs(got-want) > 2*0x1p-52*math.Abs(want) {
				t.Fatalf("expm1(%v) is %v, want %v", v, got, want)
			}
		}
	}
}
