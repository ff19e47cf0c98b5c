package certified_test

import (
	"math/big"
	"testing"

	"breadboard/grid/longtest"
)

// decimal reads a decimal number in many bits.
func decimal(t testing.TB, s string) *big.Float {
	t.Helper()
	v, _, err := big.ParseFloat(s, 10, 1024, big.ToNearestEven)
	longtest.NoError(t, err)
	return v
}
