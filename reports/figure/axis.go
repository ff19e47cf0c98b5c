package figure

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"

	"breadboard/reports/columns"
	"breadboard/reports/table"
)

// axis turns the cells of columns into places on an axis. Numbers, and selectors with the same name
// followed by a number, as power:2, are placed by their numbers; other texts are placed side by
// side.
type axis struct {
	scale
	label     string
	prefix    string   // of selectors that are placed by their numbers
	selectors bool     // whether the cells are such selectors
	names     []string // of the places 0, 1, ... of texts
	low, high float64  // of what is drawn
}

// newAxis returns the axis of some cells. If its scale has no unit, how says when it is
// logarithmic.
func newAxis(label string, cells []any, how columns.Scale, unit float64) axis {
	a := axis{label: label, scale: scale{unit: unit}, low: math.Inf(1), high: math.Inf(-1)}
	if a.detectTexts(cells) {
		return a
	}
	low, high := math.Inf(1), math.Inf(-1)
	for _, c := range cells {
		v := a.numberOf(c)
		if Finite(v) && (v > 0 || how == columns.Positive || how == columns.NonZero && v < 0) {
			low, high = min(low, v), max(high, v)
		}
	}
	a.log = how == columns.Log || how != columns.Linear && low > 0 && high >= 10*low ||
		how == columns.Decades && low > high
	if a.selectors {
		a.label = strings.TrimSpace(label + " " + a.prefix)
	}
	return a
}

// detectTexts finds out what the cells are, and reports whether they are texts that have no
// numbers.
func (a *axis) detectTexts(cells []any) bool {
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
func (a *axis) numberOf(cell any) float64 {
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

// position returns what stands on the axis for a cell: its number, or the place of its name. It is
// not finite if the cell has no place.
func (a *axis) position(cell any) float64 {
	if a.names != nil {
		if i := slices.Index(a.names, cellText(cell)); i >= 0 {
			return float64(i)
		}
		return math.NaN()
	}
	v := a.numberOf(cell)
	if a.log && !(v > 0) {
		return map[bool]float64{true: math.Inf(-1), false: math.NaN()}[v == 0]
	}
	return v
}

// extendTo makes the axis reach a number.
func (a *axis) extendTo(at float64) {
	if Finite(at) {
		a.low, a.high = min(a.low, at), max(a.high, at)
	}
}

// hasFiniteLength reports whether the axis has a length that is a number.
func (a *axis) hasFiniteLength() bool {
	return a.low > a.high || Finite(1.2*(a.place(a.high)-a.place(a.low)))
}

// sameDigits is how near to one another numbers are that an axis shows as one.
const sameDigits = 1e-9

// applyTo sets up the axis of a panel, which reaches beyond what is drawn by a part of its length.
// Names are no longer than longest.
func (a *axis) applyTo(to *plot.Axis, room float64, longest int) {
	to.Label.Text = a.label
	to.Scale = a.scale
	if a.names != nil {
		to.Min, to.Max = -0.3, float64(len(a.names))-0.7
		var ticks plot.ConstantTicks
		for i, name := range ShortNames(a.names, longest) {
			ticks = append(ticks, plot.Tick{Value: float64(i), Label: name})
		}
		to.Tick.Marker = ticks
		return
	}
	to.Tick.Marker = ticker{scale: a.scale}
	if a.low > a.high { // nothing is drawn
		to.Min, to.Max = a.number(0), a.number(1)
		return
	}
	low, high := a.place(a.low), a.place(a.high)
	pad := room * (high - low)
	switch size := max(math.Abs(low), math.Abs(high)); {
	case size == 0: // zero alone has no unit
		pad = 1
	case pad <= sameDigits*size:
		pad = max(size/2, sameDigits) // one number, but for rounding
	}
	to.Min, to.Max = a.number(low-pad), a.number(high+pad)
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
