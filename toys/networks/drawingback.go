package networks

import "breadboard/chains/number"

// draws is a way backwards that gives each variable values, one in each of some configurations,
// given those of the variables that were eliminated after it.
type draws struct {
	*tape
	states [][]int32 // of each variable, its value in each configuration
	// takes a value by numbers that are in proportion to the conditional probabilities of the
	// values
	choose func(weights []float64) int
}

// newDraws returns the way backwards through a tape.
func newDraws(t *tape, configurations int, choose func(weights []float64) int) *draws {
	d := &draws{tape: t, states: make([][]int32, len(t.cards)), choose: choose}
	for v := range d.states {
		d.states[v] = make([]int32, configurations)
	}
	return d
}

// visit takes a step backwards.
func (d *draws) visit(i int) {
	v := d.steps[i].variable
	n := d.cards[v]
	in := d.incoming(i)
	is, _ := narrow(in)
	strides := make([][]int, len(in))
	for k, one := range in {
		strides[k] = stridesOf(one.scope, d.cards)
	}
	weights := make([]float64, n)
	wide := make([]number.Wide, n)
	for c := range d.states[v] {
		for value := range n {
			weights[value], wide[value] = 1, number.Wide{M: 1}
		}
		for k, one := range in {
			at := 0
			for a, w := range one.scope[1:] {
				at += strides[k][a+1] * int(d.states[w][c])
			}
			for value := range n {
				if is {
					weights[value] *= one.values[at+value*strides[k][0]]
				} else {
					wide[value] = wide[value].Mul(one.entry(at + value*strides[k][0]))
				}
			}
		}
		if !is {
			proportions(wide, weights)
		}
		d.states[v][c] = int32(d.choose(weights))
	}
}

// proportions writes the quotients of numbers by their sum.
func proportions(wide []number.Wide, into []float64) {
	var total number.Wide
	for _, v := range wide {
		total = total.Add(v)
	}
	for k, v := range wide {
		into[k] = v.Div(total).Float()
	}
}

// drawn returns a choice by a uniform number from 0 to 1: the first value below whose end, on the
// line of all weights, it is.
func drawn(weights []float64, uniform float64) (value int) {
	total := 0.0
	for _, w := range weights {
		total += w
	}
	below := 0.0
	for k, w := range weights {
		below += w
		if w > 0 {
			value = k
			if uniform*total < below {
				break
			}
		}
	}
	return value
}

// likeliest returns the first of the largest weights.
func likeliest(weights []float64) (value int) {
	for k, w := range weights {
		if w > weights[value] {
			value = k
		}
	}
	return value
}
