package figure

import (
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"

	"breadboard/chains/number"
	"breadboard/reports/table"
)

// Axis turns the cells of columns into places on an axis. Numbers, and selectors with the same name
// followed by a number, as power:2, are placed by their numbers; other texts are placed side by
// side.
type Axis struct {
	label     string
	log       bool
	scale     Signed   // of numbers of either sign, where its unit is not zero
	prefix    string   // of selectors that are placed by their numbers
	selectors bool     // whether the cells are such selectors
	names     []string // of the places 0, 1, ... of texts
	all       bool     // whether all names have labels, however many there are
	low, high float64  // of the places that are drawn
}

// newAxis returns the axis of some cells. How says whether it is "log" or "linear"; if it is empty
// it is logarithmic if the numbers are positive and span a factor of ten or more; if it is "zeros"
// also if some are zero, and if it is "decade" if those above zero do or there are none.
func newAxis(label string, cells []any, how string) Axis {
	a := Axis{label: label, low: math.Inf(1), high: math.Inf(-1)}
	if a.detectTexts(cells) {
		return a
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, c := range cells {
		if v := a.numberOf(c); Finite(v) && (v != 0 || how != "zeros") && (v > 0 || how != "decade") {
			low, high = min(low, v), max(high, v)
		}
	}
	spansDecade := low > 0 && high >= 10*low
	a.log = how == "log" || spansDecade && how != "linear" || low > high && how == "decade"
	if a.selectors {
		a.label = strings.TrimSpace(label + " " + a.prefix)
	}
	return a
}

// detectTexts finds out what the cells are, and reports whether they are texts that have no
// numbers.
func (a *Axis) detectTexts(cells []any) bool {
	some := false
	for _, c := range cells {
		text, is := machineText(c)
		if !is {
			continue
		}
		head, argument, has := strings.Cut(text, ":")
		_, err := strconv.ParseFloat(argument, 64)
		if some && head != a.prefix || err != nil || !has {
			a.names = []string{}
		}
		some = true
		a.prefix = head
	}
	a.selectors = some && a.names == nil
	if a.selectors || !some {
		return false
	}
	for _, c := range cells {
		if text := cellText(c); text != "" {
			indexOf(&a.names, text)
		}
	}
	return true
}

// numberOf returns the number of a cell, NaN if it has none.
func (a *Axis) numberOf(cell any) float64 {
	if text, is := machineText(cell); is && a.selectors {
		_, argument, _ := strings.Cut(text, ":")
		v, err := strconv.ParseFloat(argument, 64)
		if err != nil {
			return math.NaN()
		}
		return v
	}
	return number64(cell)
}

// position returns where a cell stands on the axis. It is not finite if the cell has no place.
func (a *Axis) position(cell any) float64 {
	if a.names != nil {
		text := cellText(cell)
		for i, name := range a.names {
			if name == text {
				return float64(i)
			}
		}
		return math.NaN()
	}
	v := a.numberOf(cell)
	switch {
	case a.log:
		return number.Log10(v)
	case a.scale.Unit > 0:
		return a.scale.PlaceOf(v)
	}
	return v
}

// extendTo makes the axis reach a place.
func (a *Axis) extendTo(at float64) {
	if Finite(at) {
		a.low, a.high = min(a.low, at), max(a.high, at)
	}
}

// hasFiniteLength reports whether the axis has a length that is a number.
func (a *Axis) hasFiniteLength() bool { return a.low > a.high || Finite(1.2*(a.high-a.low)) }

// sameDigits is how near to one another numbers are that an axis shows as one.
const sameDigits = 1e-9

// maxNames is the largest number of names along an axis.
const maxNames = 20

// applyTo sets up the axis of a panel, which reaches beyond what is drawn by a part of its length.
func (a *Axis) applyTo(axis *plot.Axis, room float64) {
	axis.Label.Text = a.label
	if a.names != nil {
		axis.Min = -0.3
		axis.Max = float64(len(a.names)) - 0.7
		every := (len(a.names) + maxNames - 1) / maxNames
		if a.all {
			every = 1
		}
		var ticks plot.ConstantTicks
		names := ShortNames(a.names, longestTick)
		for i := 0; i < len(names); i += every {
			ticks = append(ticks, plot.Tick{Value: float64(i), Label: names[i]})
		}
		axis.Tick.Marker = ticks
		return
	}
	if a.log {
		axis.Tick.Marker = Decades{}
	} else if a.scale.Unit > 0 {
		axis.Tick.Marker = a.scale
	}
	if a.low > a.high { // nothing is drawn
		axis.Min = 0
		axis.Max = 1
		return
	}
	pad := room * (a.high - a.low)
	if size := max(math.Abs(a.low), math.Abs(a.high)); pad <= sameDigits*size {
		pad = max(size/2, sameDigits) // one number, but for rounding
	}
	axis.Min = a.low - pad
	axis.Max = a.high + pad
}

// number64 returns the number that machines read in a cell, and NaN if it has none.
func number64(cell any) float64 {
	if both, is := cell.(table.Both); is {
		cell = both.Machine
	}
	switch v := cell.(type) {
	case float64:
		return v
	case int:
		return float64(v)
	case int64:
		return float64(v)
	case uint64:
		return float64(v)
	}
	return math.NaN()
}

// machineText returns the text that machines read in a cell, such as true, and whether it has one.
func machineText(cell any) (text string, is bool) {
	if both, has := cell.(table.Both); has {
		cell = both.Machine
	}
	if truth, has := cell.(bool); has {
		return strconv.FormatBool(truth), true
	}
	text, is = cell.(string)
	return text, is
}

// cellText returns a cell as a figure names it: as people see it where it is a text, and else with
// all digits.
func cellText(cell any) string {
	if both, is := cell.(table.Both); is && !math.IsNaN(number64(both)) {
		cell = both.Machine
	}
	if v, is := cell.(float64); is {
		return table.Shortest(v)
	}
	return table.People(cell, 0)
}

// shortText returns a cell as cellText does, numbers with as few digits as tables have.
func shortText(cell any) string {
	if v := number64(cell); !math.IsNaN(v) {
		return table.People(v, 0)
	}
	return cellText(cell)
}

// dataText returns a cell as the data of a figure name it, which machines read.
func dataText(cell any) string {
	if text, is := machineText(cell); is {
		return table.People(text, 0)
	}
	return cellText(cell)
}
