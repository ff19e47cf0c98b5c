// Package models answers: which model, with which data? It has the clusterings and binary attributes whose marginal likelihoods are
// estimated, the hidden Markov model and the points on which particle filters are studied, and reads others from files. It never
// runs an algorithm.
//
// A Model has discrete latent variables, which are the axes of a lattice, and normal parameters, which are integrated out in closed form.
// Its log likelihood may have a power b, to which each datum's density is raised before that, so that models have a path from
// the prior (b = 0) to the joint law (b = 1) beside the geometric one. Log likelihoods are in nats, and right to a few units
// in the last place of their largest term, for signal and noise of any variances.
//
// # Add a model of data
//
//  1. Write NAME.go, like clustering.go: a type with Space, LogPrior and LogLikelihood, which is a Model; Data and First if the data come one
//     after another; Tempered for the path of that name; Axes if its variables have names.
//  2. Put its data into instances.go and its form into modelForms of toys/model.go.
//  3. Test the likelihood against another route, as in likelihood_test.go.
package models

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"breadboard/chains/estimators"
	"breadboard/chains/number"
	"breadboard/chains/selector"
	"breadboard/grid"
)

// Model is a model of data whose latent variables take finitely many values; what is continuous in it is integrated out. The
// data are part of the model.
type Model interface {
	// Space returns the lattice of the latent variables.
	Space() *grid.Lattice
	// LogPrior returns the log probability of each state of the latent variables. The probabilities sum to one.
	LogPrior() []float64
	// LogLikelihood returns the log likelihood of the data, in nats, for each state, where each datum's density is raised to the
	// power b before the continuous parameters are integrated out (Grosse, Ghahramani and Adams 2015, Eq. 8). At b = 1 it is the
	// likelihood of the collapsed model, and at b = 0 it is 0.
	LogLikelihood(b float64) []float64
}

// Sequential is a Model whose data come one after another, each with latent variables of its own, which are the next axes of the
// space in the order of the data.
type Sequential interface {
	Model
	// Data returns the number N of data.
	Data() int
	// First returns the model of the first t data, 1 <= t <= N. Its space has the first axes of the whole space.
	First(t int) Sequential
}

// Growing returns a model along its data, for one-particle sequential Monte Carlo: the models of its first 1, 2, ..., N data.
func Growing(m Sequential) (*estimators.Growing, error) {
	stages := make([]estimators.Stage, m.Data())
	for i := range stages {
		first := m.First(i + 1)
		stages[i] = estimators.Stage{Space: first.Space(), LogPrior: first.LogPrior(), LogJoint: first.LogLikelihood(1)}
		for x, p := range stages[i].LogPrior {
			stages[i].LogJoint[x] += p
		}
	}
	return estimators.NewGrowing(stages)
}

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
	return -number.Log(2*math.Pi*variance)/2 - (y-mean)*(y-mean)/(2*variance)
}

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
