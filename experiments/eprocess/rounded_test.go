package eprocess

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"breadboard/grid/longtest"

	"pgregory.net/rapid"
)

// TestRoundedSpeaksLess: whatever rounding does to estimates that are possible, the e-value is at most that of the estimates
// as they were, and no side is given up.
func TestRoundedSpeaksLess(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		logZ := rapid.SampledFrom([]float64{0, -3, 1e12, 1e-12}).Draw(t, "logZ")
		by := rapid.SampledFrom([]float64{1e-12, 1e-3, 0.5, 3}).Draw(t, "by")
		by += math.Abs(logZ) * 0x1p-50 // what a sum of the two loses
		reach := rapid.SampledFrom([]float64{1e-3, 1, 5}).Draw(t, "reach")
		claim := rapid.SampledFrom([]Claim{Unbiased, Lower, Upper, LowerOnAverage, UpperOnAverage}).Draw(t, "claim")
		made := func() *Test {
			test := longtest.Must(map[Claim]func() (*Test, error){
				Unbiased:       func() (*Test, error) { return NewUnbiased(logZ, logZ+reach) },
				Lower:          func() (*Test, error) { return NewLower(logZ) },
				Upper:          func() (*Test, error) { return NewUpper(logZ) },
				LowerOnAverage: func() (*Test, error) { return NewLowerOnAverage(logZ, logZ-reach) },
				UpperOnAverage: func() (*Test, error) { return NewUpperOnAverage(logZ, logZ+reach) },
			}[claim]())(t)
			return test
		}
		exact, rounded := made(), made()
		for range rapid.IntRange(1, 40).Draw(t, "draws") {
			v := logZ + reach*rapid.Float64Range(-1, 1).Draw(t, "v")
			sent := v + by*rapid.Float64Range(-0.9, 0.9).Draw(t, "off")
			longtest.NoError(t, exact.Add([]float64{v}))
			longtest.NoError(t, rounded.AddRounded([]float64{sent}, func(float64) float64 { return by }))
		}
		if len(exact.Untested()) > 0 {
			t.Skip("an estimate at the end of the range is beyond it by rounding")
		}
		if is, was := rounded.LogE(), exact.LogE(); is > was+1e-9*(1+math.Abs(was)) || len(rounded.Untested()) > 0 {
			t.Fatalf("%s: rounded estimates have the log e-value %v, and %v as they were; not tested: %q", claim, is, was, rounded.Untested())
		}
	})
}

// TestRoundedToOneSide: estimates with a spread of 1e-3 that are written with two decimals may all have the same error. That is
// no fault, and 0.02 more is one.
func TestRoundedToOneSide(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	logE := func(shift float64, decimals float64) float64 {
		test := longtest.Must(NewUnbiased(0.004, 1))(t)
		for range 5000 {
			v := 0.004 + 1e-3*rng.NormFloat64() + shift
			v = math.Round(v*math.Pow(10, decimals)) / math.Pow(10, decimals)
			longtest.NoError(t, test.AddRounded([]float64{v}, func(float64) float64 { return 0.5 * math.Pow(10, -decimals) }))
		}
		if strings.Join(test.Untested(), "") != "" {
			t.Fatal(test.Untested())
		}
		return test.LogE()
	}
	if e := logE(0, 2); e > math.Log(1e9) {
		t.Errorf("rounding gives a log e-value of %v", e)
	}
	if e := logE(0.02, 2); e < math.Log(1e9) {
		t.Errorf("a shift of 0.02 gives a log e-value of %v", e)
	}
}
