package models

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains/errs"
	"breadboard/chains/selector"
	"breadboard/grid"
)

// Axis is a latent variable of a model: an axis of its space.
type Axis struct {
	Name   string    // as in a formula: eta, z1, theta2
	Values []float64 // the value at each coordinate; nil if the coordinate, from 0, is the value
	Labels []string  // what the value at each coordinate is called, as yes and no; nil if it has no name
	Given  bool      // whether Values are those of a user's file, which name states as labels do
}

// InWords reports whether states are named by the values of the axis.
func (a Axis) InWords() bool { return a.Labels != nil || a.Given }

// ValueAt returns the value of the variable at a coordinate.
func (a Axis) ValueAt(coordinate int) float64 {
	if a.Values == nil {
		return float64(coordinate)
	}
	return a.Values[coordinate]
}

// Named is a Model whose axes have names, one for each axis of its space in order.
type Named interface {
	Model
	Axes() []Axis
}

// AxesOf returns the axes of a model. If the model does not name them, their names are their
// numbers from 0 and their values the coordinates; model may then be nil.
func AxesOf(model Model, space *grid.Lattice) []Axis {
	if named, has := model.(Named); has {
		return named.Axes()
	}
	axes := make([]Axis, space.Dims())
	for i := range axes {
		axes[i].Name = strconv.Itoa(i)
	}
	return axes
}

// numbered returns n axes whose names are a letter or a word with the numbers from 1 behind it.
func numbered(name string, n int, values []float64) []Axis {
	axes := make([]Axis, n)
	for i := range axes {
		axes[i] = Axis{Name: fmt.Sprint(name, i+1), Values: values}
	}
	return axes
}

// WriteValue returns the name of the value at a coordinate: its label, or if there are no labels
// the value in its shortest form.
func (a Axis) WriteValue(coordinate int) string {
	if a.Labels != nil {
		return a.Labels[coordinate]
	}
	return strconv.FormatFloat(a.ValueAt(coordinate), 'g', -1, 64)
}

// FindCoordinate returns the coordinate whose WriteValue is the given text, or whose value is the
// same number in other digits, on an axis with side coordinates. If there is none, the error lists
// the values.
func (a Axis) FindCoordinate(text string, side int) (coordinate int, err error) {
	if a.Labels != nil {
		return a.findLabel(text)
	}
	v, err := selector.ParseNumber(text)
	if err != nil {
		return 0, fmt.Errorf("the value of axis %s: %w", a.Name, err)
	}
	nearest := 0
	for at := range side {
		if a.ValueAt(at) == v {
			return at, nil
		}
		if math.Abs(v-a.ValueAt(at)) < math.Abs(a.ValueAt(nearest)-v) {
			nearest = at
		}
	}
	return 0, errs.New("%v is not a value of axis %s; the nearest is %v", v, a.Name, a.ValueAt(nearest))
}

// Rounding is the largest relative difference between a value in a text and the value of an axis
// that it means: texts have six digits and more.
const Rounding = 1e-5

// Written returns the coordinate of the one value that the number v, written as text, means: it is
// within Rounding of v, or rounds to v if text has a decimal point and at least two digits. It is
// -1 if there is no such value, or if there are several.
func (a Axis) Written(v float64, text string) int {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	_, decimals, point := strings.Cut(mantissa, ".")
	half := 0.0 // a half of the last digit
	if point && len(strings.TrimLeft(mantissa, "+-.0")) > 1 {
		power, _ := strconv.Atoi(exponent) // 0 if there is none
		half = 0.5 * math.Pow10(power-len(decimals)) * (1 + 1e-9)
	}
	found := -1
	for at, value := range a.Values {
		switch off := math.Abs(value - v); {
		case off == 0:
			return at
		case off > max(Rounding*math.Abs(value), half):
		case found >= 0:
			found = len(a.Values)
		default:
			found = at
		}
	}
	if found == len(a.Values) {
		return -1
	}
	return found
}

// findLabel returns the coordinate of a label.
func (a Axis) findLabel(text string) (coordinate int, err error) {
	if at := slices.Index(a.Labels, text); at >= 0 {
		return at, nil
	}
	if v, err := selector.ParseNumber(text); err == nil {
		same := func(label string) bool {
			w, err := selector.ParseNumber(label)
			return err == nil && w == v
		}
		if at := slices.IndexFunc(a.Labels, same); at >= 0 {
			return at, nil
		}
	}
	return 0, selector.UnknownError("value of "+a.Name, text, a.Labels)
}

// Assigned returns the axis and the value of a text NAME=VALUE. Names and values may contain =: the
// axis is the one with the longest name that begins the text. An axis may also be given by its
// number from 0. If there is none, the error lists the axes.
func Assigned(text string, axes []Axis) (axis int, value string, err error) {
	axis = -1
	names := make([]string, len(axes))
	for i, a := range axes {
		names[i] = a.Name
		if rest, begins := strings.CutPrefix(text, a.Name+"="); begins &&
			(axis < 0 || len(a.Name) > len(axes[axis].Name)) {
			axis = i
			value = rest
		}
	}
	if axis >= 0 {
		return axis, value, nil
	}
	name, value, _ := strings.Cut(text, "=")
	axis, err = strconv.Atoi(name)
	if err != nil || axis < 0 || axis >= len(axes) {
		return 0, "", fmt.Errorf("%w, or its number from 0 to %d",
			selector.UnknownError("axis", name, names), len(axes)-1)
	}
	return axis, value, nil
}
