package samplers

import (
	"fmt"
	"math"
	"strings"

	"breadboard/toys"
	"breadboard/toys/models"
)

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
