package models

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains/selector"
)

// Text returns what the value at a coordinate is called: its label, and where there are none the value in its shortest form.
func (a Axis) Text(coordinate int) string {
	if a.Labels != nil {
		return a.Labels[coordinate]
	}
	return strconv.FormatFloat(a.At(coordinate), 'g', -1, 64)
}

// Find returns the coordinate at which Text is the given text, or which has the same number in other digits, on an axis of so many. Where there
// is none it says which there are.
func (a Axis) Find(text string, side int) (coordinate int, err error) {
	if a.Labels != nil {
		return a.findLabel(text)
	}
	v, err := selector.ParseNumber(text)
	if err != nil {
		return 0, fmt.Errorf("the value of axis %s: %w", a.Name, err)
	}
	nearest := 0
	for at := range side {
		if a.At(at) == v {
			return at, nil
		}
		if math.Abs(v-a.At(at)) < math.Abs(a.At(nearest)-v) {
			nearest = at
		}
	}
	return 0, fmt.Errorf("%v is no value of axis %s; the nearest is %v", v, a.Name, a.At(nearest))
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

// Assigned returns the axis and the text of the value that a text NAME=VALUE names. Names and values may have an = in them: the axis is
// that whose name begins the text, and of two such axes that with the longer name. An axis may also be given by its number from 0. Where there
// is none it says which there are.
func Assigned(text string, axes []Axis) (axis int, value string, err error) {
	axis = -1
	names := make([]string, len(axes))
	for i, a := range axes {
		names[i] = a.Name
		if rest, begins := strings.CutPrefix(text, a.Name+"="); begins && (axis < 0 || len(a.Name) > len(axes[axis].Name)) {
			axis, value = i, rest
		}
	}
	if axis >= 0 {
		return axis, value, nil
	}
	name, value, _ := strings.Cut(text, "=")
	if axis, err = strconv.Atoi(name); err != nil || axis < 0 || axis >= len(axes) {
		return 0, "", fmt.Errorf("%w; or its number from 0 to %d", selector.UnknownError("axis", name, names), len(axes)-1)
	}
	return axis, value, nil
}
