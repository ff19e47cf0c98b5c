package policy

import (
	"math"

	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/exact/policies"
	"breadboard/toys"
)

// jumps is a jump process along the geometric path from uniform, in steps. From x it jumps to each
// neighbour y at the rate min(1, p_b(y)/p_b(x)) times a constant. The backward policy makes the
// same step from the other end: exact for Euler's steps, which keep p_b reversible, and not for
// leaps.
type jumps struct {
	toy   *toys.Toy
	n     int
	steps int
	rate  float64 // of a direction, for the time of one step
	leap  bool
}

// maxSteps is the largest number of steps of which all entries are listed.
const maxSteps = 4 << 20

// jumpsOf returns the process in some steps. A rate of 0 stands for that at which Euler's steps are
// those of Metropolis.
func jumpsOf(toy *toys.Toy, steps int, rate float64, leap bool) (*policies.Table, error) {
	j := &jumps{toy: toy, n: toy.Space.States(), steps: steps, rate: rate / float64(steps), leap: leap}
	directions := float64(toy.Space.Directions())
	if rate == 0 {
		j.rate = 1 / directions
	}
	entries := directions + 1
	if leap {
		space := toy.Lattice()
		if space == nil {
			return nil, errs.New("leaps need a target on a grid; %s is on a graph", toy.Title())
		}
		entries = 1
		for k := range space.Dims() {
			entries *= float64(min(3, space.Side(k)))
		}
	}
	switch {
	case float64(j.n)*float64(steps)*entries > maxSteps:
		return nil, errs.New("%d steps on %d states have more than %d entries; give fewer steps or a smaller target",
			steps, j.n, maxSteps)
	case !leap && j.rate*directions > 1+1e-12:
		return nil, errs.New(
			"the rate %v in %d steps gives a step that leaves its state with probability %.3g; give more "+
				"steps or a rate of at most %v",
			rate,
			steps,
			j.rate*directions,
			float64(steps)/directions,
		)
	}
	return j.table()
}

func (j *jumps) table() (*policies.Table, error) {
	size := (j.steps + 1) * j.n
	setup := policies.Setup{Layer: make([]int, size), LogF: make([]float64, size), Initial: map[int]float64{}}
	for x := range size {
		setup.Layer[x], setup.LogF[x] = x/j.n, math.NaN()
		if x < j.n {
			setup.Initial[x] = -number.Log(float64(j.n))
		}
		if x/j.n == j.steps {
			setup.LogF[x] = j.toy.G[x%j.n]
		}
	}
	setup.Forward = func(x int) ([]policies.Step, error) { return j.stateRow(x%j.n, x/j.n+1, x/j.n+1), nil }
	setup.Backward = func(y int) ([]policies.Step, error) { return j.stateRow(y%j.n, y/j.n, y/j.n-1), nil }
	return policies.NewTable(setup)
}

// stateRow returns the row of a state in a step, whose states have the numbers of a layer.
func (j *jumps) stateRow(x, step, layer int) (row []policies.Step) {
	beta := float64(step) / float64(j.steps)
	if j.leap {
		row = j.leaps(x, beta)
	} else {
		row = j.euler(x, beta)
	}
	for i := range row {
		row[i].To += layer * j.n
	}
	return row
}

// rateTo returns the log of the rate of a direction in the time of a step, and where it leads.
func (j *jumps) rateTo(x, direction int, beta float64) (y int, logRate float64) {
	y, leads := j.toy.Space.Neighbour(x, direction)
	if !leads || math.IsInf(j.toy.G[y], -1) {
		return x, math.Inf(-1)
	}
	return y, number.Log(j.rate) + min(0, float64(beta*(j.toy.G[y]-j.toy.G[x])))
}

func (j *jumps) euler(x int, beta float64) (row []policies.Step) {
	directions := j.toy.Space.Directions()
	stay := max(0, 1-j.rate*float64(directions)) // the rest of it is what is refused
	for d := range directions {
		y, logRate := j.rateTo(x, d, beta)
		if y != x {
			row = append(row, policies.Step{To: y, LogP: logRate})
		}
		stay -= float64(j.rate * math.Expm1(logRate-number.Log(j.rate)))
	}
	return append(row, policies.Step{To: x, LogP: number.Log(stay)})
}

// leaps moves each axis by itself at the rates in x, one step at most.
func (j *jumps) leaps(x int, beta float64) []policies.Step {
	row := []policies.Step{{To: x}}
	for k := range j.toy.Lattice().Dims() {
		down, logDown := j.rateTo(x, 2*k, beta)
		up, logUp := j.rateTo(x, 2*k+1, beta)
		logTotal := number.LogPlus(logDown, logUp)
		total := math.Exp(logTotal)
		leave := logTotal - total/2 // of 1 - exp(-total), where that is small
		if total > 1e-9 {
			leave = number.Log(-math.Expm1(-total))
		}
		var next []policies.Step
		for _, s := range row {
			next = append(next, policies.Step{To: s.To, LogP: s.LogP - total})
			if down != x {
				next = append(next, policies.Step{To: s.To + down - x, LogP: s.LogP + leave + logDown - logTotal})
			}
			if up != x {
				next = append(next, policies.Step{To: s.To + up - x, LogP: s.LogP + leave + logUp - logTotal})
			}
		}
		row = next
	}
	return row
}
