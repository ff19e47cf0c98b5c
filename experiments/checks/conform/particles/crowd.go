package particles

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"breadboard/experiments/checks/conform/records"
)

// offspring is how the children of a crowd draw their states: each by a distribution of its own,
// independently. Where parents depend on each other there are several such ways, of which each has
// a probability.
type offspring struct {
	p    float64
	laws [][]float64 // by child; children that draw alike share a slice
}

// chance returns the probability that children are that many in each state. It goes through the
// multisets below that one, in an order in which each comes before those that have a child more.
func chance(list []offspring, to []int) (sum float64) {
	strides, size := make([]int, len(to)), 1
	for y, n := range to {
		strides[y] = size
		size *= n + 1
	}
	for _, o := range list {
		v := make([]float64, size)
		v[0] = o.p
		for i := range size - 1 {
			mass, child := v[i], 0
			for y, n := range to {
				child += i / strides[y] % (n + 1)
			}
			for y, n := range to {
				if i/strides[y]%(n+1) < n {
					v[i+strides[y]] += mass * o.laws[child][y]
				}
			}
		}
		sum += v[size-1]
	}
	return sum
}

// crowds are the multisets of the states of that many particles, which are numbered.
type crowds struct {
	states int
	list   [][]int8  // the multisets, as rising states
	with   [][]int32 // with[k][i S + x] is the number, among the multisets of k+1, of the i-th of k with x beside it
}

func newCrowds(particles, states int) *crowds {
	c := &crowds{states: states, list: [][]int8{nil}}
	for range particles {
		var next [][]int8
		at := map[string]int32{}
		for _, crowd := range c.list {
			least := 0
			if len(crowd) > 0 {
				least = int(crowd[len(crowd)-1])
			}
			for x := least; x < states; x++ {
				wider := append(crowd[:len(crowd):len(crowd)], int8(x))
				at[records.Key(wider)] = int32(len(next))
				next = append(next, wider)
			}
		}
		var with []int32
		for _, crowd := range c.list {
			for x := range states {
				wider := append(crowd[:len(crowd):len(crowd)], int8(x))
				slices.SortStableFunc(wider, cmp.Compare[int8])
				with = append(with, at[records.Key(wider)])
			}
		}
		c.list, c.with = next, append(c.with, with)
	}
	return c
}

// row returns the distribution of the multiset of children. It adds one child after another, and is
// chance for all multisets at once.
func (c *crowds) row(list []offspring) []float64 {
	sum := make([]float64, len(c.list))
	for _, o := range list {
		v := []float64{o.p}
		for k, with := range c.with {
			next := sum
			if k+1 < len(c.with) {
				next = make([]float64, int(with[len(with)-1])+1) // the last multiset has the last state throughout
			}
			for x, p := range o.laws[k] {
				if p == 0 {
					continue
				}
				for i, mass := range v {
					next[with[i*c.states+x]] += mass * p
				}
			}
			v = next
		}
	}
	return sum
}

// counts returns how many particles of a multiset are in each state.
func counts(states []int8, n int) []int {
	list := make([]int, n)
	for _, x := range states {
		list[x]++
	}
	return list
}

// work returns about how many operations the distributions of all ways by counts take: from each
// multiset, under the way and under the task, a row is made, of which the logarithms are taken.
func (t *Task) work(particles, states, T int) float64 {
	each, row := 1.0, 0.0
	for k := range particles {
		row += each * float64(states)
		each *= float64(states+k) / float64(k+1)
	}
	return float64(T-1) * each * (2*row + 30*each) * float64(len(t.herds()))
}

// breed is how a scheme draws the parents: from how many particles are in each state, and the part
// of all weights that each state has.
type breed func(counts []int, shares []float64) []offspring

// mixed are children that draw their parents independently by the same distribution.
func mixed(counts []int, law []float64) []offspring {
	o := offspring{p: 1}
	for _, n := range counts {
		for range n {
			o.laws = append(o.laws, law)
		}
	}
	return []offspring{o}
}

// sure is the distribution of a state that is certain.
func sure(states, x int) []float64 {
	law := make([]float64, states)
	law[x] = 1
	return law
}

// residualBreed is residual resampling of P particles, where the whole parts are those of P W +
// shift, and scale W less the whole part is left to be drawn.
func residualBreed(P int, scale, shift float64) breed {
	return func(counts []int, shares []float64) []offspring {
		o, rest := offspring{p: 1}, make([]float64, len(counts))
		for x, n := range counts {
			if n == 0 {
				continue
			}
			each := shares[x] / float64(n)
			whole := max(0, math.Floor(float64(P)*each+shift))
			law := sure(len(counts), x)
			for range n * int(whole) {
				o.laws = append(o.laws, law)
			}
			rest[x] = float64(n) * max(0, scale*each-whole)
		}
		floats.Scale(1/floats.Sum(rest), rest)
		for len(o.laws) < P {
			o.laws = append(o.laws, rest)
		}
		return []offspring{o}
	}
}

// even returns the part of the particles that each state has, which is its part of all weights if
// these are equal.
func even(counts []int) []float64 {
	list := make([]float64, len(counts))
	for x, n := range counts {
		list[x] = float64(n)
	}
	floats.Scale(1/floats.Sum(list), list)
	return list
}

// evenly is a scheme as if all weights were equal.
func evenly(b breed) breed {
	return func(counts []int, _ []float64) []offspring { return b(counts, even(counts)) }
}

// paired is multinomial resampling whose last slot has the parent of the first.
func paired(counts []int, shares []float64) (list []offspring) {
	for x, p := range shares {
		if p > 0 {
			o := offspring{p: p, laws: mixed(counts, shares)[0].laws}
			both := sure(len(shares), x)
			o.laws[0], o.laws[1] = both, both
			list = append(list, o)
		}
	}
	return list
}
