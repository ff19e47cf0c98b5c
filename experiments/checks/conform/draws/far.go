package draws

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"

	"breadboard/chains/number"
	"breadboard/experiments/verdicts"
)

// A statistic is the sum over draws of h(x) - E[h], and one of the order that over successive draws
// of (h(x) - E[h]) (h(y) - E[h]), which is a martingale: y is independent of x. Both cost the
// number of states, if they are not far.

// statistic is a function of a state, less its mean, by state.
type statistic struct {
	name     string
	values   []float64
	rounding float64 // a bound on that of each value, and of its part of a sum over states
}

const (
	// MaxAxes is the largest number of variables of which each two are examined.
	MaxAxes = 16
	// mostProducts bounds the states times the pairs of variables.
	mostProducts = 1 << 26
)

// statistics are the functions whose means are looked at: log p, the variables and their sum, and
// the products of each two of them.
func (l *Law) statistics() (alone, products []statistic) {
	list := []statistic{{"log p", make([]float64, len(l.P)), 0}}
	for x, p := range l.P {
		if p > 0 {
			list[0].values[x] = number.Log(p)
		}
	}
	sum := statistic{"the sum of the variables", make([]float64, len(l.P)), 0}
	stride := len(l.P)
	for k, side := range l.Codes.Sides {
		stride /= side
		axis := statistic{l.Codes.Axes[k].Name, make([]float64, len(l.P)), 0}
		for x := range axis.values {
			axis.values[x] = float64(x / stride % side)
			sum.values[x] += axis.values[x]
		}
		list = append(list, axis)
	}
	list = append(list, sum)
	for i := range list {
		l.center(&list[i])
	}
	axes := list[1 : len(list)-1]
	if len(axes) > MaxAxes || len(axes)*len(axes)*len(l.P) > 2*mostProducts {
		return list, nil
	}
	for i, a := range axes {
		for _, b := range axes[:i] {
			product := statistic{fmt.Sprintf("the product of %s and %s, each about its mean,", b.name, a.name),
				make([]float64, len(l.P)), 0}
			for x := range product.values {
				product.values[x] = a.values[x] * b.values[x]
			}
			l.center(&product)
			products = append(products, product)
		}
	}
	return list, products
}

// center subtracts the mean under the distribution. What is left of rounding is zero.
func (l *Law) center(s *statistic) {
	values := s.values
	mean := 0.0
	size := 0.0
	for x, p := range l.P {
		mean += p * values[x]
		size = max(size, math.Abs(values[x]))
	}
	s.rounding = 4 * verdicts.Rounding * float64(len(values)) * size // also of the factors of products
	for x := range values {
		values[x] -= mean
		if math.Abs(values[x]) < 1e-9*size {
			values[x] = 0
		}
	}
}

// moment returns the mean under the distribution of the square of centered values, and log E[exp(
// theta h)].
func (l *Law) moment(values []float64) (variance float64, cgf func(theta float64) float64) {
	for x, p := range l.P {
		variance += p * values[x] * values[x]
	}
	return variance, func(theta float64) float64 {
		terms := make([]float64, len(values))
		for x, p := range l.P {
			terms[x] = number.Log(p) + theta*values[x]
		}
		return number.LogSumExp(terms)
	}
}

// farCount says which count or mean is far from its expectation (see verdicts.FarCount): of a
// state, of a value of a variable, of a statistic, or of one draw and the next. It is empty if none
// is.
func (t *tally) farCount() string {
	all := len(t.P)
	for _, side := range t.Codes.Sides {
		all += side
	}
	says := verdicts.FarCount(t.counts, t.P, all, "draws", t.state)
	stride := len(t.P)
	for k, side := range t.Codes.Sides {
		stride /= side
		counts := make([]int, side)
		p := make([]float64, side)
		for x, c := range t.counts {
			v := x / stride % side
			counts[v] += c
			p[v] += t.P[x]
		}
		axis := t.Codes.Axes[k]
		says = cmp.Or(says, verdicts.FarCount(
			counts,
			p,
			all,
			"draws",
			func(v int) string { return axis.Name + " = " + axis.WriteValue(v) },
		))
	}
	if says != "" {
		return says
	}
	alone, products := t.statistics()
	n := float64(t.n)
	for _, s := range append(alone, products...) {
		off := 0.0
		for x, c := range t.counts {
			off += float64(c) * s.values[x]
		}
		variance, cgf := t.moment(s.values)
		off = verdicts.BeyondRounding(off, n*s.rounding)
		says = cmp.Or(says, verdicts.FarSum("the mean of "+s.name, off, n*variance,
			func(theta float64) float64 { return n * cgf(theta) }, "draws"))
	}
	return cmp.Or(says, t.farOrder(alone))
}

// farOrder says what of successive draws is far from its expectation.
func (t *tally) farOrder(list []statistic) (says string) {
	if len(t.history) < 2 {
		return ""
	}
	before := t.history[:len(t.history)-1]
	off := 0.0
	variance := 0.0
	visits := make([]float64, len(t.P))
	for i, x := range before {
		visits[x]++
		off -= t.P[x]
		variance += t.P[x] * (1 - t.P[x])
		if t.history[i+1] == x {
			off++
		}
	}
	each := verdicts.Rounding * float64(len(before)) // the rounding of a sum, of each of its terms
	off = verdicts.BeyondRounding(off, each*float64(len(before)))
	says = verdicts.FarSum("the share of draws that equal the draw before", off, variance,
		func(theta float64) (k float64) {
			for _, x := range before {
				k += math.Log1p(t.P[x]*math.Expm1(theta)) - theta*t.P[x]
			}
			return k
		}, "draws")
	for _, s := range list {
		off = 0
		rounding := 0.0
		for i, x := range before {
			v, w := s.values[x], s.values[t.history[i+1]]
			off += v * w
			rounding += each*math.Abs(v*w) + s.rounding*(math.Abs(v)+math.Abs(w)+s.rounding)
		}
		off = verdicts.BeyondRounding(off, rounding)
		times := map[float64]float64{} // how many draws have a value
		squares := 0.0
		for x, v := range s.values {
			squares += visits[x] * v * v
			if visits[x] > 0 {
				times[v] += visits[x]
			}
		}
		if len(times)*len(t.P) > mostProducts {
			continue
		}
		variance, cgf := t.moment(s.values)
		values := slices.Sorted(maps.Keys(times))
		name := "the product of " + s.name + " of a draw and the next, each about its mean,"
		says = cmp.Or(says, verdicts.FarSum(name, off, squares*variance,
			func(theta float64) (k float64) {
				for _, v := range values {
					k += times[v] * cgf(theta*v)
				}
				return k
			}, "draws"))
	}
	return says
}
