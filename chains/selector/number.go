package selector

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// ParseNumber reads a finite decimal number. Unlike strconv.ParseFloat it refuses "nan", "inf", hexadecimal
// and digits joined by underscores, and it says so where a comma stands for the decimal point.
func ParseNumber(s string) (float64, error) {
	if strings.ContainsRune(s, ',') {
		return 0, fmt.Errorf("%q has a comma; write decimals with a point", s)
	}
	if s == "" || strings.Trim(s, "+-.0123456789eE") != "" {
		return 0, fmt.Errorf("%q is no number", s)
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsInf(v, 0) {
		return 0, fmt.Errorf("%q is no number, or outside the range of floating point", s)
	}
	if v == 0 {
		return 0, nil // this turns -0, which would be printed otherwise, into 0
	}
	return v, nil
}

// ParseProbability reads a number from 0 to 1.
func ParseProbability(s string) (float64, error) {
	p, err := ParseNumber(s)
	if err == nil && !(p >= 0 && p <= 1) {
		err = fmt.Errorf("%v is no probability", p)
	}
	return p, err
}

// ParseWhole reads a whole number, which may be written as 1e6. A machine with ints of 32 bits takes none above 2^31 - 1.
func ParseWhole(s string, low, high float64) (int, error) {
	high = min(high, math.MaxInt)
	v, err := ParseNumber(strings.TrimSpace(s))
	if err != nil {
		return 0, err
	}
	if v != math.Trunc(v) || v < low || v > high {
		return 0, fmt.Errorf("%s is no whole number from %v to %s", s, low, strings.NewReplacer("e+0", "e", "e+", "e").Replace(fmt.Sprint(high)))
	}
	return int(v), nil
}
