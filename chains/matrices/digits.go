package matrices

import (
	"iter"
	"math"
	"strconv"
	"strings"
)

// Rounding returns half a unit of the last digit that the writer of probabilities gave, and 0 where all are whole numbers, which are exact.
// A writer gives all numbers as many decimals, or as many significant digits, and may leave out zeros at their ends. So the unit is that of the
// number with the most decimals, or the one that the largest number below one has with as many significant digits as any number, whichever is
// larger. An exponent shifts the decimals of its number.
func Rounding(numbers iter.Seq[string]) float64 {
	var d digits
	for text := range numbers {
		d.add(text)
	}
	return d.rounding()
}

// digits are those of the numbers of a text.
type digits struct {
	decimals    int // the most behind the point
	significant int // the most from the first that is not zero
	below       int // how many zeros stand in front of the largest number below one, its place in front of the point included; 0 where there is none
}

// add adds a number as it is written.
func (d *digits) add(text string) {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	whole, decimals, _ := strings.Cut(strings.TrimLeft(mantissa, "+-"), ".")
	power, _ := strconv.Atoi(exponent)
	d.decimals = max(d.decimals, len(decimals)-power)
	given := strings.TrimLeft(whole+decimals, "0")
	d.significant = max(d.significant, len(given))
	if zeros := len(decimals) - power - len(given) + 1; given != "" && zeros > 0 && (d.below == 0 || zeros < d.below) {
		d.below = zeros
	}
}

// rounding returns half the unit of the last digit.
func (d *digits) rounding() float64 {
	if d.decimals == 0 {
		return 0
	}
	unit := math.Pow(10, float64(-d.decimals))
	if d.below > 0 {
		unit = max(unit, math.Pow(10, float64(1-d.below-d.significant)))
	}
	return unit / 2
}
