package policy

import (
	"fmt"
	"math"
	"slices"

	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/numpy"
	"breadboard/exact/policies"
	"breadboard/toys"
)

// arraysOf reads policies from a file .npz with the arrays forward_1, ..., forward_L, of which
// forward_l has a row for each state of layer l-1, and backward_1, ..., backward_L, with a row for
// each state of layer l. The last layer has the states of the target. The array initial has the
// probabilities of layer 0, if that has several states.
func arraysOf(path string, toy *toys.Toy) (*policies.Table, error) {
	keys, err := numpy.Keys(path)
	if err != nil {
		return nil, err
	}
	a := &arrays{first: []int{0}, path: path}
	for layer := 1; slices.Contains(keys, fmt.Sprintf("forward_%d", layer)); layer++ {
		if err := a.readLayer(layer); err != nil {
			return nil, err
		}
	}
	known := 2 * len(a.forward)
	if slices.Contains(keys, "initial") {
		known++
	}
	last := len(a.first) - 2
	switch {
	case len(a.forward) == 0:
		return nil, errs.New(
			"%s has no array forward_1; the arrays are forward_1, backward_1, forward_2, ... from the first layer on",
			path,
		)
	case known < len(keys):
		return nil,
			errs.New("%s has the arrays %v; %d layers of steps need forward_1 to forward_%[3]d and backward_1 "+
				"to backward_%[3]d, and initial if the first layer has several states",
				path, keys, len(a.forward))
	case a.first[last+1]-a.first[last] != len(toy.G):
		return nil, fmt.Errorf("the last layer of %s has %d states, and toy %s has %d",
			path, a.first[last+1]-a.first[last], toy.Title(), len(toy.G))
	}
	setup := policies.Setup{
		Layer:    make([]int, a.first[last+1]),
		LogF:     make([]float64, a.first[last+1]),
		Forward:  a.policyRows(a.forward, 0, 1),
		Backward: a.policyRows(a.backward, 1, -1),
	}
	for layer := range len(a.first) - 1 {
		for x := a.first[layer]; x < a.first[layer+1]; x++ {
			setup.Layer[x], setup.LogF[x] = layer, math.NaN()
			if layer == last {
				setup.LogF[x] = toy.G[x-a.first[layer]]
			}
		}
	}
	if slices.Contains(keys, "initial") {
		p, err := a.readArray("initial", 1, a.first[1])
		if err != nil {
			return nil, err
		}
		setup.Initial = map[int]float64{}
		for x, p := range p {
			setup.Initial[x] = number.Log(p)
		}
	}
	a.layer = setup.Layer
	t, err := policies.NewTable(setup)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

// arrays are the policies in a file.
type arrays struct {
	path              string
	first             []int // the number of the first state of each layer, and behind the last one
	layer             []int
	forward, backward [][]float64
}

// readLayer reads both arrays of the steps to a layer.
func (a *arrays) readLayer(layer int) error {
	array, err := numpy.ReadFile(fmt.Sprintf("%s#forward_%d", a.path, layer), maxSteps)
	if err != nil {
		return err
	}
	if len(array.Shape) != 2 {
		return errs.New("forward_%d of %s has the shape %s; it needs a row for each state of a layer, and a column "+
			"for each of the next",
			layer, a.path,
			numpy.ShapeText(array.Shape))
	}
	if layer == 1 {
		a.first = append(a.first, array.Shape[0])
	}
	from := a.first[layer] - a.first[layer-1]
	forward, err := a.probabilities(array, fmt.Sprintf("forward_%d", layer), from, array.Shape[1])
	if err != nil {
		return err
	}
	backward, err := a.readArray(fmt.Sprintf("backward_%d", layer), array.Shape[1], from)
	if err != nil {
		return err
	}
	a.forward, a.backward = append(a.forward, forward), append(a.backward, backward)
	a.first = append(a.first, a.first[layer]+array.Shape[1])
	return nil
}

// readArray reads an array of probabilities with some rows and columns.
func (a *arrays) readArray(key string, rows, columns int) ([]float64, error) {
	array, err := numpy.ReadFile(a.path+"#"+key, maxSteps)
	if err != nil {
		return nil, err
	}
	return a.probabilities(array, key, rows, columns)
}

// probabilities returns the numbers of an array with some rows and columns; one row may have one
// dimension.
func (a *arrays) probabilities(array *numpy.Array, key string, rows, columns int) ([]float64, error) {
	if want := []int{rows, columns}; !slices.Equal(array.Shape, want) &&
		!(rows == 1 && slices.Equal(array.Shape, want[1:])) {
		return nil, errs.New("%s of %s has the shape %s; it needs (%d, %d)", key, a.path,
			numpy.ShapeText(array.Shape), rows, columns)
	}
	values, err := array.Floats()
	if err != nil {
		return nil, err
	}
	for i, p := range values {
		if !(p >= 0 && p <= 1+1e-5) {
			return nil, errs.New("%s of %s has the entry %v in row %d; give probabilities from 0 to 1",
				key, a.path, p, i/columns+1)
		}
	}
	return values, nil
}

// policyRows returns the rows of a policy, whose arrays lead from the layers behind the given one.
func (a *arrays) policyRows(of [][]float64, behind, step int) policies.Rows {
	return func(x int) (row []policies.Step, err error) {
		layer := a.layer[x]
		to := layer + step
		columns := a.first[to+1] - a.first[to]
		for i, p := range of[layer-behind][(x-a.first[layer])*columns:][:columns] {
			if p > 0 {
				row = append(row, policies.Step{To: a.first[to] + i, LogP: number.Log(p)})
			}
		}
		return row, nil
	}
}
