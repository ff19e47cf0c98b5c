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

// Linear makes the ticks of a linear axis: labels at multiples of 1, 2 or 5 times a power of ten,
// at least three if the numbers have enough digits.
type Linear struct{}

// Ticks implements plot.Ticker.
func (Linear) Ticks(low, high float64) []plot.Tick { return first(Linear{}.Choices(low, high)) }

// first returns the first choice of ticks, and nil if there is none.
func first(choices [][]plot.Tick) []plot.Tick {
	if len(choices) == 0 {
		return nil
	}
	return choices[0]
}

// roundPlaces returns choices of ticks at round numbers of equal distance, on an axis that is not
// linear: value returns the number at a place of the axis, and at the place of a number.
func roundPlaces(low, high float64, value, at func(float64) float64) (choices [][]plot.Tick) {
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
	e := int(math.Floor(number.Log10(span)))
	for _, s := range []step{{5, e}, {2, e}, {1, e}, {5, e - 1}, {2, e - 1}, {1, e - 1}, {5, e - 2}} {
		ticks := s.ticks(low, high)
		n := len(labelled(ticks))
		if n >= 2 || s.m == 5 && s.k == e-2 {
			choices = append(choices, ticks)
		}
		if n > leastLabels || n == leastLabels && s.k < e {
			break // enough labels: smaller steps are not needed
		}
	}
	slices.Reverse(choices)
	return choices
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
				v = s.multiple(n)
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

// multiple returns n steps, as the number that is nearest to it in decimal digits.
func (s step) multiple(n float64) float64 {
	v, err := strconv.ParseFloat(strconv.FormatFloat(n*float64(s.m), 'f', 0, 64)+"e"+strconv.Itoa(s.k), 64)
	if err != nil {
		return n * float64(s.m) * math.Pow(10, float64(s.k))
	}
	return v
}

// label returns the text of n steps on an axis whose largest number is most steps: a decimal number
// if all are near one, and else digits times the same power of ten.
func (s step) label(n, most float64) string {
	if n == 0 {
		return "0"
	}
	digits := strconv.FormatFloat(n*float64(s.m), 'f', 0, 64)
	if top := s.k + int(math.Floor(number.Log10(most*float64(s.m))+1e-9)); top >= 6 || top < -3 {
		shift := top - s.k // how many digits stand behind the point
		return scientific(withPoint(digits, shift), top)
	}
	return withPoint(digits, -s.k)
}

// withPoint returns a whole number with its decimal point moved to the left by some digits, or with
// zeros behind it where they are negative.
func withPoint(digits string, by int) string {
	sign := ""
	if strings.HasPrefix(digits, "-") {
		sign = "-"
		digits = digits[1:]
	}
	if by <= 0 {
		return sign + digits + strings.Repeat("0", -by)
	}
	if len(digits) <= by {
		digits = strings.Repeat("0", by-len(digits)+1) + digits
	}
	return sign + digits[:len(digits)-by] + "." + digits[len(digits)-by:]
}

// Decades makes the ticks of an axis that shows the base-10 logarithm of a quantity; the labels are
// values of the quantity.
type Decades struct{}

const (
	// leastLabels is the smallest number of labels from which one sees that an axis is logarithmic.
	leastLabels = 3
	// mostLabels is about the largest number of labels of an axis.
	mostLabels = 8
)

// decade is a tick at m times 10^k.
type decade struct{ m, k int }

func (d decade) value() float64 { return float64(d.k) + number.Log10(float64(d.m)) }

// Ticks returns ticks at 1 to 9 times each power of ten. With three powers or more, the powers have
// labels, all of them or every n-th; with fewer, 2 and 5 times a power have labels too. If this
// gives fewer than three labels, they are at round numbers of equal distance. Labels are powers, as
// in 10^{-3}, or if other numbers are among them all decimal numbers.
func (Decades) Ticks(low, high float64) []plot.Tick { return first(Decades{}.Choices(low, high)) }

// Choices returns the ticks of Ticks, and those with fewer labels: at more distant powers, or at 1
// and 3 times a power, or at fewer round numbers if there are few powers.
func (Decades) Choices(low, high float64) (choices [][]plot.Tick) {
	if !(high > low) || math.IsInf(high-low, 0) {
		return nil
	}
	const near = 1e-9
	var all []decade
	for k := int(math.Floor(low)); k <= int(math.Ceil(high)); k++ {
		for m := 1; m < 10; m++ {
			if d := (decade{m, k}); d.value() >= low-near && d.value() <= high+near {
				all = append(all, d)
			}
		}
	}
	for _, labelled := range decadeLabels(all) {
		name := decadeName(all, labelled)
		var ticks []plot.Tick
		for _, d := range all {
			t := plot.Tick{Value: d.value()}
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
		// a short part of an axis has ticks at round numbers of equal distance
		return roundPlaces(low, high, Decades{}.Value, number.Log10)
	}
	return choices
}

// decadeLabels returns which ticks have labels, one choice after another. There is none if fewer
// than three ticks could have labels.
func decadeLabels(all []decade) (choices []func(decade) bool) {
	count := func(is func(decade) bool) int {
		return len(slices.DeleteFunc(slices.Clone(all), func(d decade) bool { return !is(d) }))
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

// everySecond chooses every second tick of those at 1, 2 and 5 times a power, the even ones or the
// odd ones.
func everySecond(odd int) func(decade) bool {
	order := map[int]int{1: 0, 2: 1, 5: 2}
	return func(d decade) bool {
		n, is := order[d.m]
		return is && (3*d.k+n)&1 == odd
	}
}

// decadeName returns how labels are written: as powers alone, as decimal numbers if all are near
// one, and else as 2×10^{-6}.
func decadeName(all []decade, labelled func(decade) bool) func(decade) string {
	powers := true
	plain := true
	for _, d := range all {
		if labelled(d) {
			powers = powers && d.m == 1
			plain = plain && d.k >= -3 && d.k <= 3
		}
	}
	switch {
	case powers:
		return func(d decade) string { return power(d.k) }
	case plain:
		return func(d decade) string { return digit(d.m, d.k) }
	}
	return func(d decade) string { return scientific(strconv.Itoa(d.m), d.k) }
}

// Value returns the quantity at a place of the axis.
func (Decades) Value(at float64) float64 { return math.Pow(10, at) }

// digit returns m 10^k as text, where m has one digit. It is parsed from decimal digits, since 7
// times the nearest number to 0.1 is not the nearest to 0.7, and would be printed as
// 0.7000000000000001.
func digit(m, k int) string {
	v, err := strconv.ParseFloat(fmt.Sprintf("%de%d", m, k), 64)
	if err != nil { // beyond the range of numbers
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// power returns 10^k as a text with a raised k.
func power(k int) string { return "10^{" + strconv.Itoa(k) + "}" }

// scientific returns digits times 10^k as a text with a raised k.
func scientific(digits string, k int) string {
	if digits == "1" {
		return power(k)
	}
	return digits + "×" + power(k)
}

// Signed is the scale of an axis for numbers of both signs and of many sizes: linear near zero, and
// logarithmic for numbers well above Unit in size, which is a power of ten. Its ticks are at zero
// and at plus and minus the powers of ten times Unit. On an axis that reaches much further than
// Unit, plus and minus Unit have no labels if these would touch that of zero.
type Signed struct{ Unit float64 }

// PlaceOf returns the place of a number on the axis.
func (s Signed) PlaceOf(v float64) float64 { return math.Asinh(v / s.Unit) }

// Value returns the number at a place of the axis.
func (s Signed) Value(at float64) float64 { return s.Unit * math.Sinh(at) }

// Ticks implements plot.Ticker. If there would be fewer than three labels, they are at round
// numbers of equal distance.
func (s Signed) Ticks(low, high float64) []plot.Tick { return s.Choices(low, high)[0] }

// Choices returns the ticks of Ticks, and those with fewer labels.
func (s Signed) Choices(low, high float64) (choices [][]plot.Tick) {
	ticks := s.powers(low, high)
	if len(labelled(ticks)) < leastLabels {
		for _, even := range roundPlaces(low, high, s.Value, s.PlaceOf) {
			if len(labelled(even)) > len(labelled(ticks)) {
				choices = append(choices, even)
			}
		}
	}
	return append(choices, ticks)
}

// powers returns ticks at zero and at plus and minus the powers of ten times Unit.
func (s Signed) powers(low, high float64) []plot.Tick {
	var ticks []plot.Tick
	far := s.Unit * math.Sinh(max(math.Abs(low), math.Abs(high)))
	unit := int(math.Round(number.Log10(s.Unit)))
	decades := int(math.Floor(number.Log10(max(1, far/s.Unit)) + 1e-9))
	add := func(sign string, k int) {
		v := math.Pow(10, float64(unit+k))
		if sign != "" {
			v = -v
		}
		if at := s.PlaceOf(v); at >= low-1e-9 && at <= high+1e-9 {
			tick := plot.Tick{Value: at}
			if far < 10*s.Unit || k > 0 {
				tick.Label = sign + power(unit+k)
			}
			ticks = append(ticks, tick)
		}
	}
	for k := decades; k >= 0; k-- {
		add("-", k)
	}
	if low <= 0 && high >= 0 {
		ticks = append(ticks, plot.Tick{Label: "0"})
	}
	for k := range decades + 1 {
		add("", k)
	}
	return ticks
}

// leastTickGap is the least distance between ticks that are told apart in print.
const leastTickGap = vg.Length(1)

// choosing is a ticker that knows several ways to label an axis, from the one with the most labels
// to those with fewer.
type choosing interface {
	Choices(low, high float64) [][]plot.Tick
}

// roomy makes the ticks of another ticker, with no more of them than there is room for on an axis
// of a length.
type roomy struct {
	of   plot.Ticker
	room vg.Length
	size func(label string) vg.Length
	// value returns the number at a place of an axis that counts something, whose ticks are at
	// whole numbers alone; nil elsewhere
	value func(at float64) float64
}

// Ticks implements plot.Ticker. It takes the first choice of the ticker in which no labels touch.
// If there is none, every second label of the last choice is left out, or two of three, and so on.
func (r *roomy) Ticks(low, high float64) []plot.Tick {
	choices := [][]plot.Tick{r.of.Ticks(low, high)}
	if c, is := r.of.(choosing); is {
		choices = c.Choices(low, high)
	}
	choices = r.keepWholeLabels(choices)
	for _, ticks := range choices {
		if !r.labelsTouch(labelled(ticks), low, high) {
			return r.thinTicks(ticks, low, high)
		}
	}
	if len(choices) == 0 {
		return nil
	}
	return r.thinTicks(r.thinLabels(choices[len(choices)-1], low, high), low, high)
}

// keepWholeLabels returns the choices whose labels are whole numbers, without the ticks between
// them, if the axis counts something and there is such a choice with two labels; otherwise all
// choices.
func (r *roomy) keepWholeLabels(choices [][]plot.Tick) (out [][]plot.Tick) {
	if r.value == nil {
		return choices
	}
	broken := func(t plot.Tick) bool {
		v := r.value(t.Value)
		return math.Abs(v-math.Round(v)) > 1e-9*math.Abs(v)
	}
	for _, ticks := range choices {
		if !slices.ContainsFunc(labelled(ticks), broken) {
			if whole := slices.DeleteFunc(slices.Clone(ticks), broken); len(labelled(whole)) >= 2 {
				out = append(out, whole)
			}
		}
	}
	if len(out) == 0 {
		return choices
	}
	return out
}

// labelled returns the ticks that have labels.
func labelled(ticks []plot.Tick) []plot.Tick {
	return slices.DeleteFunc(slices.Clone(ticks), func(t plot.Tick) bool { return t.Label == "" })
}

// thinLabels returns the ticks with the labels of every n-th, for the least n at which none touch.
func (r *roomy) thinLabels(ticks []plot.Tick, low, high float64) []plot.Tick {
	all := labelled(ticks)
	every := 1
	kept := all
	for len(kept) > 1 && r.labelsTouch(kept, low, high) {
		every++
		kept = nil
		for n := 0; n < len(all); n += every {
			kept = append(kept, all[n])
		}
	}
	out := slices.Clone(ticks)
	n := 0
	for i := range out {
		if out[i].Label != "" {
			if n%every != 0 {
				out[i].Label = ""
			}
			n++
		}
	}
	return out
}

// thinTicks leaves out the ticks without labels where they stand so near one another that they
// would be a black bar. On an axis of decades those at powers of ten stay.
func (r *roomy) thinTicks(ticks []plot.Tick, low, high float64) []plot.Tick {
	near := math.Inf(1)
	for i := 1; i < len(ticks); i++ {
		near = min(near, ticks[i].Value-ticks[i-1].Value)
	}
	if vg.Length(near/(high-low))*r.room >= leastTickGap {
		return ticks
	}
	_, decades := r.of.(Decades)
	return slices.DeleteFunc(slices.Clone(ticks),
		func(t plot.Tick) bool { return t.Label == "" && !(decades && t.Value == math.Round(t.Value)) })
}

// labelsTouch reports whether two of the labels touch one another.
func (r *roomy) labelsTouch(labelled []plot.Tick, low, high float64) bool {
	for i := 1; i < len(labelled); i++ {
		a, b := labelled[i-1], labelled[i]
		if between := vg.Length((b.Value - a.Value) / (high - low)); between*r.room <
			(r.size(a.Label)+r.size(b.Label))/2 {
			return true
		}
	}
	return false
}
