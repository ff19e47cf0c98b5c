package samplers

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"breadboard/chains/selector"
	"breadboard/exact/averages"
	"breadboard/toys"
	"breadboard/toys/models"
)

// All is the selector of the vector of all coordinates.
const All = "all"

// FunctionSyntaxes say how functions are selected, as help and errors list them.
func FunctionSyntaxes() []string {
	return []string{"x0", "x1", "...", "AXIS", "sum", "g", "mode", "x0<=3", All}
}

// ParseFunction returns the function of a selector on a toy: the coordinate of an axis, as x0; the value of an axis that the toy names
// (see AxisFunctions); the sum of the coordinates; g, which is log f; mode, which is one on the states of the dominant mode and else zero;
// whether one of these is at most a number, as x0<=3; or all, the vector of all coordinates (Turner and Neal 2017, Eq. 5).
func ParseFunction(text string, toy *toys.Toy, c *averages.Chain) (Function, error) {
	text = strings.ReplaceAll(text, " ", "")
	raw, err := parseRaw(text, toy)
	if err != nil {
		return Function{}, fmt.Errorf("function %q: %w", text, err)
	}
	f := Function{Name: text}
	for i, g := range raw {
		part, err := c.Standardise(g)
		if err != nil {
			if text == All {
				return Function{}, fmt.Errorf("function %q: coordinate x%d of %s: %w", text, i, toy.Name, toy.Explain(err))
			}
			return Function{}, fmt.Errorf("function %q on %s: %w", text, toy.Name, toy.Explain(err))
		}
		f.Parts = append(f.Parts, part)
	}
	return f, nil
}

// parseRaw returns the values of the functions that a selector names, one for each state.
func parseRaw(text string, toy *toys.Toy) ([][]float64, error) {
	if text == All {
		if toy.Lattice() == nil {
			return nil, noCoordinates(toy)
		}
		all := make([][]float64, toy.Lattice().Dims())
		for axis := range all {
			all[axis] = coordinate(toy, axis)
		}
		return all, nil
	}
	name, bound, indicator := strings.Cut(text, "<=")
	g, err := parseNamed(name, toy)
	if err != nil || !indicator {
		return [][]float64{g}, err
	}
	most, err := selector.ParseNumber(bound)
	if err != nil {
		return nil, err
	}
	below := make([]float64, len(g))
	for x, v := range g {
		if v <= most {
			below[x] = 1
		}
	}
	return [][]float64{below}, nil
}

// parseNamed returns the values of one function that is selected by a name.
func parseNamed(name string, toy *toys.Toy) ([]float64, error) {
	switch name {
	case "g":
		return toy.MemberG(), nil
	case "mode":
		return mode(toy)
	case "sum":
		return sum(toy)
	}
	for _, o := range toy.Observables {
		if o.Name == name {
			return o.Values, nil
		}
	}
	axis, err := strconv.Atoi(strings.TrimPrefix(name, "x"))
	if err != nil || axis < 0 || name != "x"+strconv.Itoa(axis) {
		return axisValues(name, toy)
	}
	if toy.Lattice() == nil {
		return nil, noCoordinates(toy)
	}
	if dims := toy.Lattice().Dims(); axis >= dims {
		return nil, fmt.Errorf("%s has the axes x0 to x%d", toy.Name, dims-1)
	}
	return coordinate(toy, axis), nil
}

func noCoordinates(toy *toys.Toy) error {
	if toy.Members == nil {
		return fmt.Errorf("%s is on a graph, whose states have no coordinates; g is a function on it", toy.Name)
	}
	names := "g"
	for _, o := range toy.Observables {
		names += ", " + o.Name
	}
	return fmt.Errorf("the states of %s are classes, on which a function must be the same for all members; there are %s", toy.Name, names)
}

// valuesAt returns the values of a function of the coordinate on an axis, one for each state.
func valuesAt(toy *toys.Toy, axis int, at func(coordinate int) float64) []float64 {
	out := make([]float64, toy.Space.States())
	for x := range out {
		out[x] = at(toy.Lattice().Coord(x, axis))
	}
	return out
}

func coordinate(toy *toys.Toy, axis int) []float64 {
	return valuesAt(toy, axis, func(coordinate int) float64 { return float64(coordinate) })
}

func sum(toy *toys.Toy) ([]float64, error) {
	if toy.Lattice() == nil {
		return nil, noCoordinates(toy)
	}
	out := make([]float64, toy.Space.States())
	for axis := range toy.Lattice().Dims() {
		for x, v := range coordinate(toy, axis) {
			out[x] += v
		}
	}
	return out, nil
}

func mode(toy *toys.Toy) ([]float64, error) {
	if len(toy.Mode) == 0 {
		return nil, errors.New("the toy " + toy.Name + " names no dominant mode; barrier does")
	}
	out := make([]float64, toy.Space.States())
	for _, x := range toy.Mode {
		out[x] = 1
	}
	return out, nil
}

// DefaultFunction returns the selector of the function that studies take where none is named: the first coordinate, and log f on a graph,
// whose states have no coordinates.
func DefaultFunction(toy *toys.Toy) string {
	if toy.Lattice() == nil {
		return "g"
	}
	return "x0"
}

// logPrefix begins the name of an axis whose values are the logarithms of a variable.
const logPrefix = "log_"

// axisFunction is the value of an axis of a space, where a model gives it a name.
type axisFunction struct {
	name string
	axis int
	at   func(coordinate int) float64
}

// AxisFunctions returns the names of the functions that a toy has by the names of its axes, in their order: the value of each axis, which
// on a grid need not be the number of the cell, and for an axis log_NAME also NAME, whose value is exp(log_NAME). It is empty for a toy
// whose axes have no names.
func AxisFunctions(toy *toys.Toy) (names []string) {
	for _, f := range axisFunctions(toy) {
		names = append(names, f.name)
	}
	return names
}

func axisFunctions(toy *toys.Toy) (all []axisFunction) {
	model, has := toy.Model.(models.Named)
	if !has || toy.Lattice() == nil {
		return nil
	}
	for i, axis := range model.Axes() {
		all = append(all, axisFunction{axis.Name, i, axis.At})
		if variable, isLog := strings.CutPrefix(axis.Name, logPrefix); isLog {
			all = append(all, axisFunction{variable, i, func(coordinate int) float64 { return math.Exp(axis.At(coordinate)) }})
		}
	}
	return all
}

// axisValues returns the values of the function that a toy has by the name of an axis. Where there is none it says which functions there are.
func axisValues(name string, toy *toys.Toy) ([]float64, error) {
	for _, f := range axisFunctions(toy) {
		if f.name == name {
			return valuesAt(toy, f.axis, f.at), nil
		}
	}
	axes := "the axes of " + toy.Name + " have no names"
	if names := AxisFunctions(toy); len(names) > 0 {
		axes = "AXIS on " + toy.Name + " is " + strings.Join(names, ", ")
	}
	return nil, fmt.Errorf("it is unknown; choices: %s; %s", strings.Join(FunctionSyntaxes(), ", "), axes)
}
