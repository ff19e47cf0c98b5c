package operator

import (
	"cmp"
	"slices"

	"breadboard/chains/number"
)

// independence is Metropolis with proposals from a fixed distribution P. With the weights w = f/P,
//
//	(T v)(x) = v(x) + sum over w_y < w_x of P_y (w_y/w_x) (v(y) - v(x)) + sum over w_y >= w_x of P_y (v(y) - v(x)),
//
// so that sums over the states in the order of their weights give it for all x in O(states). As P_y
// w_y = f_y, the first sum is one of f. Sums are compensated, because on a large space those over
// half of the states have many terms.
type independence struct {
	*ranking
	sums []float64 // memory
}

// ranking holds the data that an operator of proposals from P and its twins share.
type ranking struct {
	p      []float64
	order  []int32   // the states in the order of their weights
	weight []float64 // by place in the order
	law    *Distribution
	f      []float64 // of law
	// below and above are by place in the order: the sum of f over earlier places divided by the
	// weight at this place, and the sum of p over this and later places. Together with stays, the
	// probability of a refusal, they add up to one.
	below, above, stays []float64
}

func newIndependence(p []float64) *independence {
	n := len(p)
	o := &ranking{p: p, order: make([]int32, n)}
	for _, v := range []*[]float64{&o.weight, &o.below, &o.above, &o.stays} {
		*v = make([]float64, n)
	}
	for x := range o.order {
		o.order[x] = int32(x)
	}
	return &independence{o, make([]float64, n)}
}

// Twin implements Operator.
func (o *independence) Twin() Operator { return &independence{o.ranking, make([]float64, len(o.p))} }

// Load implements Operator. The order of the last call is reused if it still holds, as on most of a
// path.
func (o *independence) Load(d *Distribution) {
	f := d.F
	o.law = d
	o.f = f
	if !o.setWeights() {
		slices.SortStableFunc(o.order, func(x, y int32) int {
			switch a, b := f[x]/o.p[x], f[y]/o.p[y]; {
			case a < b:
				return -1
			case a > b:
				return 1
			}
			return 0
		})
		o.setWeights()
	}
	falls := falling{law: d}
	var lower, mass, refused number.Sum // of f, of p, and of p times the difference to the current weight
	before := 0.0
	for i, x := range o.order {
		w := o.weight[i]
		refused.Add(o.weightRise(&falls, i, before) * mass.Value())
		o.below[i], o.stays[i] = lower.Value()/w, refused.Value()/w
		lower.Add(f[x])
		mass.Add(o.p[x])
		before = w
	}
	var upper number.Sum
	for i := len(o.order) - 1; i >= 0; i-- {
		upper.Add(o.p[o.order[i]])
		o.above[i] = upper.Value()
	}
}

// weightRise returns by how much the weight at a place is above the weight before it, with its
// digits.
func (o *independence) weightRise(falls *falling, i int, before float64) float64 {
	d := o.weight[i] - before
	if i == 0 || d >= closest*before || o.p[o.order[i]] != o.p[o.order[i-1]] {
		return d
	}
	return max(0, falls.difference(int(o.order[i]), int(o.order[i-1]))) / o.p[o.order[i]]
}

// setWeights computes the weights, and reports whether the order is still valid.
func (o *independence) setWeights() bool {
	before := 0.0
	sorted := true
	for i, x := range o.order {
		w := o.f[x] / o.p[x]
		sorted = sorted && w >= before
		o.weight[i], before = w, w
	}
	return sorted
}

// Reversal implements Operator: the kernel is reversible.
func (o *independence) Reversal() Operator { return o }

// Average implements Operator.
func (o *independence) Average(dst, v []float64) {
	copy(dst, v)
	o.AddChange(dst, v, 1)
}

// sumAbove writes to sums, by place in the order, the sum of P v over this and later places.
func (o *independence) sumAbove(v []float64) {
	var upper number.Sum
	for i := len(o.order) - 1; i >= 0; i-- {
		x := o.order[i]
		upper.Add(o.p[x] * v[x])
		o.sums[i] = upper.Value()
	}
}

// AddChange implements Operator.
func (o *independence) AddChange(dst, v []float64, weight float64) {
	o.sumAbove(v)
	var lower number.Sum
	for i, x := range o.order {
		own := v[x]
		dst[x] += weight * ((lower.Value()/o.weight[i] - o.below[i]*own) + (o.sums[i] - o.above[i]*own))
		lower.Add(o.f[x] * own)
	}
}

// AverageTerms implements Operator.
func (o *independence) AverageTerms(dst, v []float64) {
	o.sumAbove(v)
	var lower number.Sum
	for i, x := range o.order {
		dst[x] = o.stays[i]*v[x] + lower.Value()/o.weight[i] + o.sums[i]
		lower.Add(o.f[x] * v[x])
	}
}

// Derived implements Operator. Only the probability of going down depends on f:
//
//	f(x) (T' v)(x) = P_x sum over w_y < w_x of f_y (slope(y) - slope(x)) (v(y) - v(x)).
//
// States of equal f count as lower if they are lower just above the parameter, or below it.
func (o *independence) Derived(m, v []float64, along Direction) (total float64, kinked bool) {
	var f, fSlope, fV, fBoth number.Sum
	add := func(x int32) {
		f.Add(o.f[x])
		fSlope.Add(o.f[x] * along.Slope[x])
		fV.Add(o.f[x] * v[x])
		fBoth.Add(o.f[x] * along.Slope[x] * v[x])
	}
	var sum number.Sum
	for i := 0; i < len(o.order); {
		end := i + 1
		for end < len(o.order) && o.weight[end]-o.weight[end-1] <= alike*o.weight[i] {
			end++
		}
		next := o.order[i:end]
		if len(next) > 1 {
			var kink bool
			next, kink = o.inOrder(next, along)
			kinked = kinked || kink
		}
		for _, x := range next {
			// those before x are lower, or equal with the same slope, so that they add nothing
			slope := along.Slope[x]
			own := v[x]
			sum.Add(o.p[x] * m[x] * (fBoth.Value() - slope*fV.Value() - own*fSlope.Value() + slope*own*f.Value()))
			add(x)
		}
		i = end
	}
	return sum.Value(), kinked
}

// inOrder sorts states of nearly the same weight by their exact weights, and states of equal weight
// in the order just above the parameter, or below it. It also reports whether there are such states
// with different slopes.
func (o *independence) inOrder(states []int32, along Direction) (ordered []int32, kinked bool) {
	logf := o.law.LogF()
	weight := func(x int32) float64 { return logf[x] - number.Log(o.p[x]) }
	ordered = slices.SortedStableFunc(slices.Values(states), func(x, y int32) int {
		c := cmp.Compare(along.Slope[x], along.Slope[y])
		if along.Below {
			c = -c
		}
		return cmp.Or(cmp.Compare(weight(x), weight(y)), c)
	})
	for i, x := range ordered[1:] {
		before := ordered[i]
		kinked = kinked || weight(before) == weight(x) && along.Slope[before] != along.Slope[x]
	}
	return ordered, kinked
}
