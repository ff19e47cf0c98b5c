package figure

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"breadboard/chains/number"
)

// scale is how numbers stand along an axis: by themselves, by their logarithms, or if it has a unit
// by asinh(v/unit), which is linear up to the unit and logarithmic beyond, for numbers of both
// signs. It implements plot.Normalizer.
type scale struct {
	log  bool
	unit float64
}

// place returns where a number stands on a line.
func (s scale) place(v float64) float64 {
	switch {
	case s.log:
		return number.Log10(v)
	case s.unit > 0:
		return math.Asinh(v / s.unit)
	}
	return v
}

// number returns the number at a place; one beyond the range of numbers is at its end.
func (s scale) number(at float64) float64 {
	switch {
	case s.log:
		return max(math.SmallestNonzeroFloat64, min(math.MaxFloat64, math.Pow(10, at)))
	case s.unit > 0:
		return s.unit * math.Sinh(at)
	}
	return at
}

// Normalize returns where a number stands between the ends of an axis, from 0 to 1.
func (s scale) Normalize(low, high, v float64) float64 {
	if v == 0.5*(low+high) { // at which gonum/plot looks for the middle of the label of an axis
		return 0.5
	}
	from := s.place(low)
	return (s.place(v) - from) / (s.place(high) - from)
}

// ticker labels an axis with round numbers: as many as there is room for. It implements
// plot.Ticker.
type ticker struct {
	scale
	room  vg.Length // the length of the axis; 0 if it is not known yet
	size  func(label string) vg.Length
	whole bool // the axis counts something, and has whole numbers alone if there are two
}

// mostLabels is the largest number of labels of an axis; leastLabels is how many it needs to show
// its scale.
const (
	leastLabels = 3
	mostLabels  = 8
)

// Ticks returns the first choice of ticks in which no labels touch. If there is none, it returns
// the first without every second label, or without two of three, and so on.
func (t ticker) Ticks(low, high float64) (ticks []plot.Tick) {
	if !(high > low) || math.IsInf(high-low, 0) {
		return nil
	}
	choices := t.choices(low, high)
	every := 0
	for found := -1; found < 0; ticks = choices[max(0, found)] {
		every++
		found = slices.IndexFunc(choices, func(c []plot.Tick) bool { return !t.touch(c, low, high, every) })
	}
	n := 0
	for i := range ticks {
		if ticks[i].Label != "" {
			if n%every != 0 {
				ticks[i].Label = ""
			}
			n++
		}
	}
	return ticks
}

// touch reports whether two labels touch if every n-th is drawn.
func (t ticker) touch(ticks []plot.Tick, low, high float64, every int) bool {
	all := labelled(ticks)
	for i := every; i < len(all); i += every {
		a, b := all[i-every], all[i]
		apart := vg.Length(t.Normalize(low, high, b.Value)-t.Normalize(low, high, a.Value)) * t.room
		if t.room > 0 && apart < (t.size(a.Label)+t.size(b.Label))/2 {
			return true
		}
	}
	return false
}

// labelled returns the ticks that have labels.
func labelled(ticks []plot.Tick) []plot.Tick {
	return slices.DeleteFunc(slices.Clone(ticks), func(t plot.Tick) bool { return t.Label == "" })
}

// choices returns the ticks of the scale, those with the most labels first. If a scale that is not
// linear has fewer than three labels they are at round numbers of equal distance.
func (t ticker) choices(low, high float64) [][]plot.Tick {
	var choices [][]plot.Tick
	switch {
	case t.log:
		choices = decades(low, high)
	case t.unit > 0:
		choices = t.powers(low, high)
	}
	if choices != nil {
		return choices
	}
	return [][]plot.Tick{t.multiples(low, high)}
}

// multiples returns ticks with labels at the multiples of 1, 2 or 5 times a power of ten, the
// largest step of which the axis is three long or more, and others between them.
func (t ticker) multiples(low, high float64) (ticks []plot.Tick) {
	k := int(math.Floor(number.Log10((high-low)/3) + 1e-9))
	m := 1
	for _, larger := range []int{2, 5} {
		if 3*parsed(strconv.Itoa(larger), k) <= (high-low)*(1+1e-9) {
			m = larger
		}
	}
	between := map[int]int{1: 5, 2: 4, 5: 5}[m]
	if t.whole {
		between = 1
		if k < 0 {
			k, m = 0, 1
		}
	}
	step := parsed(strconv.Itoa(m), k)
	first := math.Ceil(low/step - 1e-9)
	for n := range 10 * between {
		i := float64(n/between) + first - 1
		tick := plot.Tick{Value: i*step + step*float64(n%between)/float64(between)}
		if n%between == 0 {
			digits := strconv.FormatFloat(i*float64(m), 'f', 0, 64)
			tick = plot.Tick{Value: parsed(digits, k), Label: roundLabel(digits, k, max(-low, high))}
		}
		if tick.Value >= low-1e-9*step && tick.Value <= high+1e-9*step {
			ticks = append(ticks, tick)
		}
	}
	return ticks
}

// roundLabel returns the text of digits times 10^k on an axis up to a number: a decimal number if
// all are near one, and else digits times the same power of ten.
func roundLabel(digits string, k int, largest float64) string {
	top := int(math.Floor(number.Log10(largest) + 1e-9))
	switch {
	case digits == "0" || digits == "-0":
		return "0"
	case top >= 6 || top < -3:
		return scientific(strconv.FormatFloat(parsed(digits, k-top), 'f', max(0, top-k), 64), top)
	}
	return strconv.FormatFloat(parsed(digits, k), 'f', max(0, -k), 64)
}

// decades returns choices of ticks at 1 to 9 times the powers of ten: labels at each power if these
// are three, else at 1, 2 and 5 times or at 1 and 3 times a power, or at every n-th power; none if
// there would be fewer than three.
func decades(low, high float64) (choices [][]plot.Tick) {
	first, last := int(math.Floor(number.Log10(low))), int(math.Ceil(number.Log10(high)))
	for _, c := range []struct {
		digits string
		every  int
	}{{"1", 1}, {"125", 1}, {"13", 1}, {"1", 2}, {"1", 3}, {"1", 5}, {"1", 10}, {"1", 20}, {"1", 50}, {"1", 100}} {
		plain := c.digits != "1" && low > 5e-4 && high < 2e4
		var ticks []plot.Tick
		labels := 0
		for k := first; k <= last; k++ {
			for m := 1; m < 10; m++ {
				digit := strconv.Itoa(m)
				v := parsed(digit, k)
				if v < low*(1-1e-9) || v > high*(1+1e-9) {
					continue
				}
				tick := plot.Tick{Value: v}
				if strings.Contains(c.digits, digit) && k%c.every == 0 {
					labels++
					tick.Label = scientific(digit, k)
					if plain {
						tick.Label = strconv.FormatFloat(v, 'g', -1, 64)
					}
				}
				if tick.Label != "" || m == 1 || last-first < 2*mostLabels {
					ticks = append(ticks, tick)
				}
			}
		}
		if labels <= mostLabels && (labels >= leastLabels || labels == 2 && choices != nil) {
			choices = append(choices, ticks)
		}
	}
	return choices
}

// powers returns choices of ticks at zero and at plus and minus the powers of ten from the unit on:
// labels at each power, at each but the unit, or from the largest on at every n-th; none if there
// would be fewer than three.
func (s scale) powers(low, high float64) (choices [][]plot.Tick) {
	unit := int(math.Round(number.Log10(s.unit)))
	top := int(math.Floor(number.Log10(max(s.unit, -low, high)) + 1e-9))
	for every := range max(2, top-unit+1) {
		var ticks []plot.Tick
		add := func(sign float64, k int, label string) {
			if v := sign * parsed("1", k); v >= low && v <= high {
				if every > 0 && (k == unit || (top-k)%every != 0) {
					label = ""
				}
				ticks = append(ticks, plot.Tick{Value: v, Label: label})
			}
		}
		for k := top; k >= unit; k-- {
			add(-1, k, "-"+scientific("1", k))
		}
		if low <= 0 && high >= 0 {
			ticks = append(ticks, plot.Tick{Label: "0"})
		}
		for k := unit; k <= top; k++ {
			add(1, k, scientific("1", k))
		}
		if len(labelled(ticks)) >= leastLabels {
			choices = append(choices, ticks)
		}
	}
	return choices
}

// parsed returns digits times 10^k as the number that is nearest to it: 7 times the nearest number
// to 0.1 is not the nearest to 0.7, and would be printed as 0.7000000000000001.
func parsed(digits string, k int) float64 {
	v, _ := strconv.ParseFloat(fmt.Sprintf("%se%d", digits, k), 64) // beyond the range of numbers: infinite
	return v
}

// scientific returns digits times 10^k as a text with a raised k.
func scientific(digits string, k int) string {
	power := "10^{" + strconv.Itoa(k) + "}"
	if digits == "1" {
		return power
	}
	return digits + "×" + power
}
