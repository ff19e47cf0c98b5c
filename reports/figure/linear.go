package figure

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
)

// Linear makes the ticks of a linear axis: labels at multiples of 1, 2 or 5 times a power of ten, at least three where numbers have so
// many digits.
type Linear struct{}

// Ticks implements plot.Ticker.
func (Linear) Ticks(low, high float64) []plot.Tick { return first(Linear{}.Choices(low, high)) }

// first returns the first choice of ticks, and nil where there is none.
func first(choices [][]plot.Tick) []plot.Tick {
	if len(choices) == 0 {
		return nil
	}
	return choices[0]
}

// placed returns round numbers of equal distance on an axis where a number stands at another place than itself, at several distances: value
// returns the number at a place, and at the place of a number.
func placed(low, high float64, value, at func(float64) float64) (choices [][]plot.Tick) {
	const rounding = 1e-9
	for _, linear := range (Linear{}).Choices(value(low), value(high)) {
		var ticks []plot.Tick
		for _, t := range linear {
			if v := at(t.Value); v >= low-rounding && v <= high+rounding {
				ticks = append(ticks, plot.Tick{Value: v, Label: t.Label})
			}
		}
		choices = append(choices, ticks)
	}
	return choices
}

// Choices returns the ticks of Ticks, and those of larger steps that have two labels at least.
func (Linear) Choices(low, high float64) (choices [][]plot.Tick) {
	span := high - low
	if !(span > 0) || math.IsInf(span, 0) {
		return nil
	}
	e := int(math.Floor(math.Log10(span)))
	for _, s := range []step{{5, e}, {2, e}, {1, e}, {5, e - 1}, {2, e - 1}, {1, e - 1}, {5, e - 2}} {
		ticks := s.ticks(low, high)
		n := labelsOf(ticks)
		if n >= 2 || s.m == 5 && s.k == e-2 {
			choices = append(choices, ticks)
		}
		if n > leastLabels || n == leastLabels && s.k < e {
			break
		}
	}
	slices.Reverse(choices)
	return choices
}

func labelsOf(ticks []plot.Tick) (n int) {
	for _, t := range ticks {
		if t.Label != "" {
			n++
		}
	}
	return n
}

// step is a distance of m times 10^k between labels.
type step struct{ m, k int }

// ticks returns ticks at the multiples of a step, and shorter ones without labels between them.
func (s step) ticks(low, high float64) (ticks []plot.Tick) {
	const slack = 1e-9 // in steps, so that an end of the axis that is a multiple has its tick
	between := map[int]int{1: 5, 2: 4, 5: 5}[s.m]
	size := float64(s.m) * math.Pow(10, float64(s.k))
	first, last := math.Ceil(low/size-slack), math.Floor(high/size+slack)
	if !(math.Abs(first) < 1e15 && math.Abs(last) < 1e15) || size == 0 || math.IsInf(size, 0) {
		return nil // the numbers have too few digits to be told apart
	}
	for n := first - 1; n <= last; n++ {
		for part := range between {
			v := size * (n + float64(part)/float64(between))
			if part == 0 {
				v = s.value(n)
			}
			if v < low-slack*size || v > high+slack*size {
				continue
			}
			t := plot.Tick{Value: v}
			if part == 0 {
				t.Label = s.label(n, max(math.Abs(first), math.Abs(last)))
			}
			ticks = append(ticks, t)
		}
	}
	return ticks
}

// value returns n steps, as the number that is nearest to it in decimal digits.
func (s step) value(n float64) float64 {
	v, err := strconv.ParseFloat(strconv.FormatFloat(n*float64(s.m), 'f', 0, 64)+"e"+strconv.Itoa(s.k), 64)
	if err != nil {
		return n * float64(s.m) * math.Pow(10, float64(s.k))
	}
	return v
}

// label returns the text of n steps on an axis whose largest number is most steps: a decimal number where all are near one, and else
// digits times the same power of ten.
func (s step) label(n, most float64) string {
	if n == 0 {
		return "0"
	}
	digits := strconv.FormatFloat(n*float64(s.m), 'f', 0, 64)
	if top := s.k + int(math.Floor(math.Log10(most*float64(s.m))+1e-9)); top >= 6 || top < -3 {
		shift := top - s.k // how many digits stand behind the point
		return scientific(withPoint(digits, shift), top)
	}
	return withPoint(digits, -s.k)
}

// withPoint returns a whole number with its decimal point moved to the left by some digits, or with zeros behind it where they are negative.
func withPoint(digits string, by int) string {
	sign := ""
	if strings.HasPrefix(digits, "-") {
		sign, digits = "-", digits[1:]
	}
	if by <= 0 {
		return sign + digits + strings.Repeat("0", -by)
	}
	if len(digits) <= by {
		digits = strings.Repeat("0", by-len(digits)+1) + digits
	}
	return sign + digits[:len(digits)-by] + "." + digits[len(digits)-by:]
}
