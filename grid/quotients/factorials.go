package quotients

import (
	"math"
	"math/big"
)

// factorials are the logarithms of 0!, 1!, ..., n!, each as an unevaluated sum of two numbers. A ratio of factorials is of the
// order of n while their logarithms are of the order of n log n, so that one number would lose digits.
type factorials struct{ high, low []float64 }

func newFactorials(n int) factorials {
	f := factorials{make([]float64, n+1), make([]float64, n+1)}
	for i := 1; i <= n; i++ {
		sum, rest := twoSum(f.high[i-1], math.Log(float64(i)))
		f.high[i], f.low[i] = twoSum(sum, rest+f.low[i-1])
	}
	return f
}

// multinomial returns log n!/(k_1! k_2! ...), where n is the sum of the counts.
func (f factorials) multinomial(counts ...int) float64 {
	n := 0
	for _, k := range counts {
		n += k
	}
	high, low := f.high[n], f.low[n]
	for _, k := range counts {
		rest := 0.0
		high, rest = twoSum(high, -f.high[k])
		low += rest - f.low[k]
	}
	return high + low
}

// twoSum returns the rounded sum of two numbers, and what rounding has taken off it. Source: Knuth 1969, section 4.2.2.
func twoSum(a, b float64) (sum, rest float64) {
	sum = a + b
	part := sum - a
	return sum, (a - (sum - part)) + (b - part)
}

// multinomial returns n!/(k_1! k_2! ...), where n is the sum of the counts.
func multinomial(counts ...int) *big.Int {
	product, factor, n := big.NewInt(1), new(big.Int), 0
	for _, k := range counts {
		n += k
		product.Mul(product, factor.Binomial(int64(n), int64(k)))
	}
	return product
}

// logOf returns the logarithm of a positive number of any size.
func logOf(n *big.Int) float64 {
	const exact = 53 // bits of a float64
	over := max(0, n.BitLen()-exact-11)
	mantissa, _ := new(big.Int).Rsh(n, uint(over)).Float64()
	return math.Log(mantissa) + float64(over)*math.Ln2
}
