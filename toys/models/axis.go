package models

import (
	"fmt"
	"math"
	"strconv"

	"breadboard/chains/number"
	"breadboard/grid"
)

// Axis is a latent variable of a model: an axis of its space.
type Axis struct {
	Name   string    // as in a formula: eta, z1, theta2
	Values []float64 // the value at each coordinate; nil where the coordinate, from 0, is the value
	Labels []string  // what the value at each coordinate is called, as yes and no; nil where it has no name
}

// At returns the value of the variable at a coordinate.
func (a Axis) At(coordinate int) float64 {
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

// AxesOf returns the axes of a model. Where the model does not name them, their names are their numbers from 0 and their values the
// coordinates; model may then be nil.
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

// normalWeights returns the log probabilities of the points of a grid under the prior in proportion to exp(-g^2/(2 variance)). They
// sum to one.
func normalWeights(points []float64, variance float64) []float64 {
	out := make([]float64, len(points))
	for i, g := range points {
		out[i] = -g * g / (2 * variance)
	}
	total := number.LogSumExp(out)
	for i := range out {
		out[i] -= total
	}
	return out
}

// logNormal returns the log density of a normal variable at y, in nats.
func logNormal(y, mean, variance float64) float64 {
	return -math.Log(2*math.Pi*variance)/2 - (y-mean)*(y-mean)/(2*variance)
}
