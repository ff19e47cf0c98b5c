package policy

import (
	"fmt"
	"math"
	"slices"

	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/exact/policies"
	"breadboard/grid"
	"breadboard/toys"
)

// flows are the states of a generative flow network on a box: state x of the target as a place on
// the way, and x + n as an end. A step raises one coordinate, or ends. On a box of sides 2 places
// are subsets, to which a step adds an element.
type flows struct {
	space *grid.Lattice
	logf  []float64
	n     int
	order []int // the places by layer
	// by place: log probabilities of a step along each axis, then of ending; and of a step back
	forward, backward [][]float64
}

// flowOf returns the policies: the forward one uniform, or that of the exact flows of the target
// under the uniform backward policy, whose log probabilities have normal numbers times noise added.
func flowOf(toy *toys.Toy, exact bool, noise float64, seed uint32, learned bool) (*policies.Table, error) {
	space := toy.Lattice()
	if space == nil {
		return nil, errs.New("toy %s is on no box of coordinates; give a target on a grid", toy.Title())
	}
	n := space.States()
	if 2*n > maxListed {
		return nil, fmt.Errorf("toy %s has more than %d states", toy.Title(), maxListed/2)
	}
	f := &flows{
		space:    space,
		logf:     toy.G,
		n:        n,
		forward:  make([][]float64, n),
		backward: make([][]float64, n),
	}
	for x := range n {
		f.order = append(f.order, x)
		for k := range space.Dims() {
			step := math.Inf(-1)
			if space.Coord(x, k) > 0 {
				step = 0
			}
			f.backward[x] = append(f.backward[x], step)
		}
		normalize(f.backward[x])
	}
	slices.SortStableFunc(f.order, func(a, b int) int { return f.layer(a) - f.layer(b) })
	f.setForward(exact)
	if noise > 0 {
		f.disturb(noise, seed)
	}
	if learned {
		f.learn()
	}
	return f.table()
}

func (f *flows) layer(x int) (sum int) {
	for k := range f.space.Dims() {
		sum += f.space.Coord(x, k)
	}
	return sum
}

// up returns the place one step up an axis, and false at the wall.
func (f *flows) up(x, k int) (int, bool) {
	return x + f.space.Stride(k), f.space.Coord(x, k)+1 < f.space.Side(k)
}

// setForward sets the forward policy, from the last places on.
func (f *flows) setForward(exact bool) {
	flow := make([]float64, f.n)
	logf := centred(f.logf)
	for _, x := range slices.Backward(f.order) {
		row := make([]float64, f.space.Dims()+1)
		for k := range f.space.Dims() {
			row[k] = math.Inf(-1)
			if y, can := f.up(x, k); can {
				row[k] = flow[y] + f.backward[y][k]
			}
		}
		row[f.space.Dims()] = logf[x]
		flow[x] = number.LogSumExp(row)
		if !exact || math.IsInf(flow[x], -1) {
			for k := range f.space.Dims() {
				if _, can := f.up(x, k); can {
					row[k] = 0
				}
			}
			row[f.space.Dims()] = 0
		}
		normalize(row)
		f.forward[x] = row
	}
}

func (f *flows) disturb(noise float64, seed uint32) {
	z := toys.StandardNormal(seed, f.n*(f.space.Dims()+1))
	for x, row := range f.forward {
		for k := range row {
			row[k] += float64(noise * z[x*len(row)+k])
		}
		normalize(row)
	}
}

// learn makes the backward policy that of the forward paths, which is the best for this forward
// policy.
func (f *flows) learn() {
	visits := make([]float64, f.n)
	for i, x := range f.order {
		if i == 0 {
			continue
		}
		row := make([]float64, f.space.Dims())
		for k := range row {
			row[k] = math.Inf(-1)
			if f.space.Coord(x, k) > 0 {
				from := x - f.space.Stride(k)
				row[k] = visits[from] + f.forward[from][k]
			}
		}
		visits[x] = number.LogSumExp(row)
		if visits[x] > math.Inf(-1) {
			normalize(row)
			f.backward[x] = row
		}
	}
}

// table lists the steps.
func (f *flows) table() (*policies.Table, error) {
	setup := policies.Setup{Layer: make([]int, 2*f.n), LogF: make([]float64, 2*f.n)}
	for x := range f.n {
		setup.Layer[x], setup.LogF[x] = f.layer(x), math.NaN()
		setup.Layer[x+f.n], setup.LogF[x+f.n] = f.layer(x)+1, f.logf[x]
	}
	setup.Forward = func(x int) (row []policies.Step, err error) {
		for k := range f.space.Dims() {
			if y, can := f.up(x, k); can {
				row = append(row, policies.Step{To: y, LogP: f.forward[x][k]})
			}
		}
		return append(row, policies.Step{To: x + f.n, LogP: f.forward[x][f.space.Dims()]}), nil
	}
	setup.Backward = func(y int) (row []policies.Step, err error) {
		if y >= f.n {
			return []policies.Step{{To: y - f.n}}, nil
		}
		for k, log := range f.backward[y] {
			if f.space.Coord(y, k) > 0 {
				row = append(row, policies.Step{To: y - f.space.Stride(k), LogP: log})
			}
		}
		return row, nil
	}
	return policies.NewTable(setup)
}
