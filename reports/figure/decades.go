package figure

import (
	"math"
	"strconv"

	"gonum.org/v1/plot"
)

// Decades ticks an axis that shows the base-10 logarithm of what it is labelled with.
type Decades struct{}

// Ticks returns a labelled tick at each power of ten and plain ones at 2 to 9 times it; on an axis of less than a decade
// those at 2 and 5 times it have labels too, and on one of less than half a decade or so all of them.
func (Decades) Ticks(low, high float64) []plot.Tick {
	var ticks []plot.Tick
	every := 1 + int(high-low)/9 // label fewer decades where there are many
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
				t.Label = strconv.FormatFloat(m*math.Pow10(k), 'g', -1, 64)
			}
			ticks = append(ticks, t)
		}
	}
	return ticks
}

// power writes 10^k: plainly near one, else as in 1e-6.
func power(k int) string {
	if k >= -2 && k <= 3 {
		return strconv.FormatFloat(math.Pow10(k), 'f', -1, 64)
	}
	return "1e" + strconv.Itoa(k)
}
