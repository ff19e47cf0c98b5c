package number

import "math"

// smallestNormal is the smallest float64 with all its digits. Below it, math.Log is wrong on some
// processors: on amd64 Go 1.26 returns -709.09 for 1e-320, whose logarithm is -736.83, and
// math.Log10 and math.Pow, which use it, are wrong there too.
const smallestNormal = 0x1p-1022

// subnormalBits is the power of 2 by which subnormal numbers are multiplied, without rounding, to
// have all their digits.
const subnormalBits = 64

// Log returns the natural logarithm of x, also if x is subnormal: NaN for x < 0, -Inf for 0. The
// error is that of math.Log, at most an ulp, and another half below 2^-1022. All logarithms of this
// module are taken here.
func Log(x float64) float64 {
	if 0 < x && x < smallestNormal {
		return math.Log(x*(1<<subnormalBits)) - subnormalBits*math.Ln2
	}
	return math.Log(x)
}

// LogRatio returns the natural logarithm of a/b for a, b >= 0, also if the quotient over- or
// underflows, such as 1/5e-324.
func LogRatio(a, b float64) float64 {
	if q := a / b; q >= smallestNormal && q <= math.MaxFloat64 {
		return math.Log(q)
	}
	return Log(a) - Log(b)
}

// Log10 returns the decimal logarithm of x, with the properties of Log.
func Log10(x float64) float64 {
	if 0 < x && x < smallestNormal {
		return math.Log10(x*(1<<subnormalBits)) - subnormalBits*(math.Ln2/math.Ln10)
	}
	return math.Log10(x)
}
