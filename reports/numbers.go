package reports

import (
	"fmt"
	"math"

	"breadboard/exact/weights"
	"breadboard/reports/table"
)

// percent writes a share for people, and nothing where it is so large that the ratio says it better.
func percent(v float64) any {
	switch {
	case !(math.Abs(v) < 100):
		return nil
	case v >= 1:
		return fmt.Sprintf("%.0f%%", 100*v)
	}
	return fmt.Sprintf("%.4g%%", 100*v)
}

// probability writes a probability for people: the digits that its bounds support, or where they support none
// what it is below.
func probability(b weights.Bracket, digits int) string {
	if known := knownDigits(b); known >= 1 {
		return table.People(b.Value, min(digits, known))
	}
	if b.High == 0 {
		return "0"
	}
	unit := math.Pow(10, math.Floor(math.Log10(b.High))-1)
	return "< " + table.People(math.Ceil(b.High/unit)*unit, 2)
}

// knownDigits returns how many significant digits of a number are worth more than the width of its bounds.
func knownDigits(b weights.Bracket) int {
	if b.Value == 0 {
		return 0
	}
	width := max(b.High-b.Low, math.Abs(b.Value)*1e-15)
	return int(math.Floor(math.Log10(math.Abs(b.Value))) - math.Ceil(math.Log10(width)) + 1)
}

// between writes a quantile for people: one number where its bounds agree in six digits, else both.
func between(b weights.Bracket) string {
	low, high := table.People(noNoise(b.Low), 6), table.People(noNoise(b.High), 6)
	if low == high {
		return low
	}
	return low + " to " + high
}

// noNoise returns zero for a number that differs from it by rounding.
func noNoise(v float64) float64 {
	if math.Abs(v) < rounding {
		return 0
	}
	return v
}

// rounding is how exact every number is.
const rounding = 1e-12
