package kernel

import (
	"context"
	"errors"
	"fmt"
	"math"

	"breadboard/chains/errs"
)

// ErrSeveral is the error for a kernel that leaves several distributions invariant, and so does not
// connect all states.
var ErrSeveral = errors.New("several distributions are invariant")

// Stationary returns the limit of averages over the moves of a kernel from any state of positive
// probability, whether or not it is the distribution of the diagnosis. It fails if there are
// several such distributions, and above DenseStates states. It does not read the diagonal, which is
// one minus the rest of the row, and subtracts nothing, so that every probability keeps its digits.
// Time is O(states^3).
//
// Source: Grassmann, Taksar and Heyman 1985.
//
// State k = n-1, ..., 1 is eliminated by
//
//	t(i,j) += t(i,k) t(k,j)/(sum over l < k of t(k,l)), i, j < k,
//
// and then pi(0) = 1, pi(k) = sum over i < k of pi(i) t(i,k)/(sum over l < k of t(k,l)), up to its
// sum.
func (d *Diagnosis) Stationary(ctx context.Context) ([]float64, error) {
	if d.States > DenseStates {
		return nil, errs.New("%d states; the invariant distribution of a kernel is computed on up to %d",
			d.States, DenseStates)
	}
	members, err := d.recurrent(ctx)
	if err != nil {
		return nil, err
	}
	place := make([]int, d.States)
	for i, x := range members {
		place[x] = i
	}
	n := len(members)
	t := make([]float64, n*n)
	for i, x := range members {
		for _, e := range d.rows.Row(x) {
			if e.P > 0 {
				t[i*n+place[e.To]] += e.P
			}
		}
	}
	for k := n - 1; k > 0; k-- { // the chain is watched only at states before k
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		leaves := 0.0
		for _, p := range t[k*n:][:k] {
			leaves += p
		}
		for i := range k {
			t[i*n+k] /= leaves
			if t[i*n+k] == 0 {
				continue
			}
			for j, p := range t[k*n:][:k] {
				t[i*n+j] += t[i*n+k] * p
			}
		}
	}
	pi := make([]float64, d.States)
	total := 0.0
	for k, x := range members {
		if k == 0 {
			pi[x] = 1
		}
		for i, y := range members[:k] {
			pi[x] += pi[y] * t[i*n+k]
		}
		total += pi[x]
	}
	if math.IsInf(total, 1) || math.IsNaN(total) {
		return nil, fmt.Errorf("the invariant distribution spans more than floating point holds")
	}
	for x := range pi {
		pi[x] /= total
	}
	return pi, nil
}

// recurrent returns the one set of states that a chain from a state of positive probability cannot
// leave again, the likeliest state first. It fails if there are several.
func (d *Diagnosis) recurrent(ctx context.Context) ([]int, error) {
	into, err := transpose(ctx, d.rows)
	if err != nil {
		return nil, err
	}
	forward := func(x int, step func(y int)) {
		for _, e := range d.rows.Row(x) {
			if e.P > 0 {
				step(e.To)
			}
		}
	}
	backward := func(x int, step func(y int)) {
		for e := range into.column(x) {
			if e.P > 0 {
				step(e.To)
			}
		}
	}
	// spread adds what can be reached from the states of a list.
	spread := func(from []int, seen []bool, along func(int, func(int))) []int {
		for _, x := range from {
			seen[x] = true
		}
		for at := 0; at < len(from); at++ {
			along(from[at], func(y int) {
				if !seen[y] {
					seen[y] = true
					from = append(from, y)
				}
			})
		}
		return from
	}
	reached := spread(append([]int(nil), d.on...), make([]bool, d.States), forward)
	// If there is a state that all can reach, it is the last root of the backward search.
	end := -1
	seen := make([]bool, d.States)
	for _, x := range reached {
		if !seen[x] {
			end = x
			spread([]int{x}, seen, backward)
		}
	}
	clear(seen)
	spread([]int{end}, seen, backward)
	for _, x := range reached {
		if !seen[x] {
			return nil, fmt.Errorf("%w: states %d and %d lead to different sets of states that a chain never leaves",
				ErrSeveral, x, end)
		}
	}
	members := spread([]int{end}, make([]bool, d.States), forward)
	for i, x := range members {
		if d.invariantP[x] > d.invariantP[members[0]] {
			members[0], members[i] = x, members[0]
		}
	}
	return members, nil
}
