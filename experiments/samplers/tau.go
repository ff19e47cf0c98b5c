package samplers

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"breadboard/exact/averages"
)

// Tau is the integrated autocorrelation time of a function, in samples: N over the real effective sample size in the long run.
type Tau struct {
	Value float64 // NaN where there is none
	Note  string  // why there is none, or how many digits are known where these are less than eleven
}

// Tau returns the integrated autocorrelation time of a function. It fails only where the context ends: a chain without such a time, as a
// reducible one, has a note that says why.
func (p *Problem) Tau(ctx context.Context, f *averages.Function) (Tau, error) {
	v, err := p.Chain.Variance(ctx, f)
	switch {
	case ctx.Err() != nil:
		return Tau{}, ctx.Err()
	case err == nil && v.Error > LostDigits:
		return Tau{v.Autocorrelation, fmt.Sprintf("tau is known to %s, for the spectral gap is small", Digits(v.Error))}, nil
	case err == nil:
		return Tau{Value: v.Autocorrelation}, nil
	}
	if all := classes(p); len(all) > 1 {
		return Tau{math.NaN(), "the chain never leaves the class of states in which it starts, so that there is no tau; " + named(all)}, nil
	}
	return Tau{math.NaN(), "no tau: " + err.Error()}, nil
}

// LostDigits is the relative error from which on a row says how many digits are left.
const LostDigits = 1e-11

// Digits says how many digits a relative error leaves.
func Digits(relative float64) string {
	switch known := int(math.Floor(-math.Log10(relative))); {
	case !(known >= 1):
		return "no digit"
	case known == 1:
		return "about 1 digit"
	default:
		return fmt.Sprintf("about %d digits", known)
	}
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
func classes(p *Problem) []class {
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
	slices.SortStableFunc(all, func(a, b class) int { return cmp.Compare(b.probability, a.probability) })
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
