package figure

import (
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/plot"
)

// Decades makes the ticks of an axis that shows the base-10 logarithm of a quantity; the labels are values of the quantity.
type Decades struct{}

// Ticks returns a labelled tick at each power of ten, and ticks without labels at 2 to 9 times each. On an axis of less than
// a decade the ticks at 2 and 5 times a power have labels too, and on one of less than about half a decade all ticks have.
func (Decades) Ticks(low, high float64) []plot.Tick {
	var ticks []plot.Tick
	every := 1 + int(high-low)/9 // where there are many decades, only every so many-th of them has a label
	for k := int(math.Floor(low)); k <= int(math.Ceil(high)); k++ {
		for m := 1.0; m < 10; m++ {
			t := plot.Tick{Value: float64(k) + math.Log10(m)}
			if t.Value < low-1e-9 || t.Value > high+1e-9 {
				continue
			}
			switch {
			case m == 1 && k%every == 0:
				t.Label = power(k)
			case m > 1 && high-low < 0.6, (m == 2 || m == 5) && high-low < 1:
				t.Label = digit(int(m), k)
			}
			ticks = append(ticks, t)
		}
	}
	return ticks
}

// digit returns m 10^k as text, where m has one digit. It is parsed from decimal digits, since 7 times the nearest number to 0.1
// is not the nearest to 0.7, and would be printed as 0.7000000000000001.
func digit(m, k int) string {
	v, err := strconv.ParseFloat(fmt.Sprintf("%de%d", m, k), 64)
	if err != nil { // beyond the range of numbers
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// power returns 10^k as text: as a plain decimal where it is near one, and otherwise as in 1e-6.
func power(k int) string {
	if k >= -2 && k <= 3 {
		return strconv.FormatFloat(math.Pow10(k), 'f', -1, 64)
	}
	return "1e" + strconv.Itoa(k)
}
