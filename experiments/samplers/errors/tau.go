package errors

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"breadboard/experiments/samplers"
)

// averagedTau is the integrated autocorrelation time of a function, or why there is none.
type averagedTau struct {
	value float64 // NaN where there is none
	note  string
}

// tauOf returns the integrated autocorrelation time of the function of a question.
func tauOf(ctx context.Context, q *question) (averagedTau, error) {
	v, err := q.problem.Chain.Variance(ctx, q.part)
	switch {
	case ctx.Err() != nil:
		return averagedTau{}, ctx.Err()
	case err == nil && v.Error > lostDigits:
		return averagedTau{v.Autocorrelation, fmt.Sprintf("tau is known to %s, for the spectral gap is small", digits(v.Error))}, nil
	case err == nil:
		return averagedTau{value: v.Autocorrelation}, nil
	}
	if all := classes(q.problem); len(all) > 1 {
		return averagedTau{math.NaN(), "the chain never leaves the class of states in which it starts, so that there is no tau; " + named(all)}, nil
	}
	return averagedTau{math.NaN(), "no tau: " + err.Error()}, nil
}

// class is a set of states that a chain never leaves.
type class struct {
	states      int
	first       string  // the name of one state
	probability float64 // under the target
}

// classes returns the communicating classes of the states of positive probability, the likeliest first. The chain leaves the target
// invariant, so that from none of these states it can go where it cannot come back from: a class is a set of states that moves connect,
// in whichever direction. Time is O(entries).
func classes(p *samplers.Problem) []class {
	target := p.Chain.Target
	parent := make([]int, len(target))
	for x := range parent {
		parent[x] = x
	}
	root := func(x int) int {
		for parent[x] != x {
			parent[x] = parent[parent[x]]
			x = parent[x]
		}
		return x
	}
	for x, q := range target {
		if q == 0 {
			continue
		}
		for _, e := range p.Chain.Rows.Row(x) {
			if e.P > 0 && target[e.To] > 0 {
				a, b := root(x), root(e.To)
				parent[max(a, b)] = min(a, b) // the root is the first state of its class
			}
		}
	}
	var all []class
	at := map[int]int{}
	for x, q := range target {
		if q == 0 {
			continue
		}
		r := root(x)
		if _, known := at[r]; !known {
			at[r] = len(all)
			all = append(all, class{first: p.Toy.State(r)})
		}
		c := &all[at[r]]
		c.states++
		c.probability += q
	}
	slices.SortStableFunc(all, func(a, b class) int {
		switch {
		case a.probability > b.probability:
			return -1
		case a.probability < b.probability:
			return 1
		}
		return 0
	})
	return all
}

// maxNamed is how many classes a note names.
const maxNamed = 4

// named lists classes in words.
func named(all []class) string {
	var list []string
	for _, c := range all[:min(len(all), maxNamed)] {
		what := "state " + c.first
		if c.states > 1 {
			what = fmt.Sprintf("%d states, with %s,", c.states, c.first)
		}
		list = append(list, fmt.Sprintf("%s of probability %.4g", what, c.probability))
	}
	if more := len(all) - maxNamed; more > 0 {
		list = append(list, fmt.Sprintf("%d more", more))
	}
	return fmt.Sprintf("there are %d: %s", len(all), strings.Join(list, "; "))
}
