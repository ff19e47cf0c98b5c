package figure

import (
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/plot"
)

// Decades makes the ticks of an axis that shows the base-10 logarithm of a quantity; the labels are values of the quantity.
type Decades struct{}

const (
	// leastLabels is the smallest number of labels from which one sees that an axis is logarithmic.
	leastLabels = 3
	// mostLabels is about the largest number of labels of an axis.
	mostLabels = 8
)

// decade is a tick at m times 10^k.
type decade struct{ m, k int }

func (d decade) at() float64 { return float64(d.k) + math.Log10(float64(d.m)) }

// Ticks returns ticks at 1 to 9 times each power of ten. Where there are three powers or more, these have labels, all or every so
// many-th; where there are fewer, 2 and 5 times a power have labels too. On an axis that has fewer than three of these, labels are at
// round numbers of equal distance. Labels are powers, as in 10^{-3}, or where others are among them all decimal numbers.
func (Decades) Ticks(low, high float64) []plot.Tick { return first(Decades{}.Choices(low, high)) }

// Choices returns the ticks of Ticks, and those with fewer labels: at more distant powers, or at 1 and 3 times a power, or at fewer round
// numbers where there are few powers.
func (Decades) Choices(low, high float64) (choices [][]plot.Tick) {
	if !(high > low) || math.IsInf(high-low, 0) {
		return nil
	}
	const near = 1e-9
	var all []decade
	for k := int(math.Floor(low)); k <= int(math.Ceil(high)); k++ {
		for m := 1; m < 10; m++ {
			if d := (decade{m, k}); d.at() >= low-near && d.at() <= high+near {
				all = append(all, d)
			}
		}
	}
	for _, labelled := range decadeLabels(all) {
		name := decadeName(all, labelled)
		var ticks []plot.Tick
		for _, d := range all {
			t := plot.Tick{Value: d.at()}
			if labelled(d) {
				t.Label = name(d)
			}
			if t.Label != "" || high-low < 2*mostLabels {
				ticks = append(ticks, t)
			}
		}
		choices = append(choices, ticks)
	}
	if len(choices) == 0 {
		return withinDecade(low, high)
	}
	return choices
}

// decadeLabels returns which ticks have labels, one choice after another. There is none where fewer than three ticks could have labels.
func decadeLabels(all []decade) (choices []func(decade) bool) {
	count := func(is func(decade) bool) (n int) {
		for _, d := range all {
			if is(d) {
				n++
			}
		}
		return n
	}
	powers := count(func(d decade) bool { return d.m == 1 })
	if powers < leastLabels {
		for _, some := range []func(decade) bool{
			func(d decade) bool { return d.m == 1 || d.m == 2 || d.m == 5 },
			func(d decade) bool { return d.m == 1 || d.m == 3 },
			everySecond(0), everySecond(1),
		} {
			if count(some) >= leastLabels {
				choices = append(choices, some)
			}
		}
		return choices
	}
	for every := 1; every == 1 || every < powers; every++ {
		some := func(d decade) bool { return d.m == 1 && d.k%every == 0 }
		switch n := count(some); {
		case n >= leastLabels && n <= mostLabels:
			choices = append(choices, some)
		case n == 2 && len(choices) > 0: // fewer than one would like, but there may be no room for more
			return append(choices, some)
		}
	}
	return choices
}

// everySecond chooses every second tick of those at 1, 2 and 5 times a power, the even ones or the odd ones.
func everySecond(odd int) func(decade) bool {
	order := map[int]int{1: 0, 2: 1, 5: 2}
	return func(d decade) bool {
		n, is := order[d.m]
		return is && (3*d.k+n)&1 == odd
	}
}

// decadeName returns how labels are written: as powers alone, as decimal numbers where all are near one, and else as 2×10^{-6}.
func decadeName(all []decade, labelled func(decade) bool) func(decade) string {
	powers, plain := true, true
	for _, d := range all {
		if labelled(d) {
			powers, plain = powers && d.m == 1, plain && d.k >= -3 && d.k <= 3
		}
	}
	switch {
	case powers:
		return func(d decade) string { return Power(d.k) }
	case plain:
		return func(d decade) string { return digit(d.m, d.k) }
	}
	return func(d decade) string { return scientific(strconv.Itoa(d.m), d.k) }
}

// withinDecade returns ticks at round numbers of equal distance on a short part of a logarithmic axis, at several distances.
func withinDecade(low, high float64) [][]plot.Tick {
	return placed(low, high, func(at float64) float64 { return math.Pow(10, at) }, math.Log10)
}

// Value returns the quantity at a place of the axis.
func (Decades) Value(at float64) float64 { return math.Pow(10, at) }

// digit returns m 10^k as text, where m has one digit. It is parsed from decimal digits, since 7 times the nearest number to 0.1
// is not the nearest to 0.7, and would be printed as 0.7000000000000001.
func digit(m, k int) string {
	v, err := strconv.ParseFloat(fmt.Sprintf("%de%d", m, k), 64)
	if err != nil { // beyond the range of numbers
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// Power returns 10^k as a text with a raised k.
func Power(k int) string { return "10^{" + strconv.Itoa(k) + "}" }

// scientific returns digits times 10^k as a text with a raised k.
func scientific(digits string, k int) string {
	if digits == "1" {
		return Power(k)
	}
	return digits + "×" + Power(k)
}
