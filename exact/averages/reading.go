package averages

import (
	"math"

	"breadboard/chains/number"
)

// deviation is by how much the law of a start differs from the target, at the states where it does.
type deviation struct {
	states []int
	by     []float64
}

// deviationOf returns q - p.
func (c *Chain) deviationOf(q []float64) deviation {
	var d deviation
	for x, p := range c.Target {
		if by := q[x] - p; by != 0 {
			d.states, d.by = append(d.states, x), append(d.by, by)
		}
	}
	return d
}

// part returns the mean from a start of a function that is the constant c and a part of mean zero under the target, where that part is at
// less its mean.
func (d deviation) part(c part, mean float64, at func(x int) float64) part {
	sum := number.SizedSum{}
	sum.Add(c.value, 1)
	for i, x := range d.states {
		sum.Add(d.by[i]*(at(x)-mean), 1)
	}
	return part{sum.Value(), sum.Size + c.size - math.Abs(c.value)}
}

// part is a sum, and the size of its terms, which is larger where they cancel.
type part struct{ value, size float64 }

// sized returns a sum as a part.
func sized(s *number.SizedSum) part { return part{s.Value(), s.Size} }

// times returns the part times a number.
func (p part) times(s float64) part { return part{p.value * s, p.size * math.Abs(s)} }

// total returns the sum of parts.
func total(parts ...part) part {
	var value, size number.Sum
	for _, p := range parts {
		value.Add(p.value)
		size.Add(p.size)
	}
	return part{value.Value(), size.Value()}
}

// reading is what a start gives after N samples.
type reading struct {
	n                int64
	kurtosis         float64 // of the function under the target
	rounding         float64 // about the relative rounding error of the terms of its parts
	mean, meanSquare part    // E[S] and E[S^2]
	hasVariance      bool
	variance         part // (N - 1) times the bias of the variance
	varianceSquare   part // (N - 1)^2 times its mean squared error
	hasDistribution  bool
	weighted         part // N^2 times the Cramer-von Mises distance
	largest, all     part // N^2 times the largest E D^2 of a level, and the sum of them
}

// moments takes the moments of S and Q from a start, each divided by its factorials, in their order: the first two, or all where the
// variance is asked for.
func (r *reading) moments(all []part) {
	r.mean, r.meanSquare = all[momentS], all[momentS2].times(2)
	if r.n == 1 || len(all) <= momentQ2 {
		return
	}
	// These are E[Q + 1 - S^2/N] and E[(Q + 1 - S^2/N)^2].
	n, one := float64(r.n), part{1, 1}
	r.hasVariance = true
	r.variance = total(all[momentQ], one, all[momentS2].times(-2/n))
	r.varianceSquare = total(all[momentQ2].times(2), one, all[momentS4].times(24/n/n),
		all[momentQ].times(2), all[momentS2Q].times(-4/n), all[momentS2].times(-4/n))
}

// level takes a level of some mass, the variance of its indicator under the target, and N^2 times its E D^2.
func (r *reading) level(mass, variance float64, square part) {
	r.hasDistribution = true
	square = square.atLeast(float64(r.n) * variance)
	r.weighted = total(r.weighted, square.times(mass))
	r.all = total(r.all, square)
	if square.value > r.largest.value {
		r.largest = square
	}
}

// readings returns by how much each start differs from the target, and an empty reading for each start and number of samples.
func (c *Chain) readings(q Question) (from []deviation, all [][]reading) {
	for _, law := range q.Starts {
		from = append(from, c.deviationOf(law))
		readings := make([]reading, len(q.N))
		for i, n := range q.N {
			readings[i].n, readings[i].kurtosis = n, q.Function.Kurtosis
		}
		all = append(all, readings)
	}
	return from, all
}

// allErrors returns what readings say.
func allErrors(all [][]reading) [][]Errors {
	out := make([][]Errors, len(all))
	for i, readings := range all {
		for k := range readings {
			out[i] = append(out[i], readings[k].errors())
		}
	}
	return out
}

// errors returns what the reading says.
func (r *reading) errors() Errors {
	e, n := unknownErrors(r.n), float64(r.n)
	e.Bias, e.MSE = r.mean.value/n, r.meanSquare.value/n/n
	r.meanSquare = r.meanSquare.atLeast(n)
	lost := max(r.meanSquare.lost(r.meanSquare.value), r.mean.lost(math.Sqrt(r.meanSquare.value)))
	if r.hasVariance {
		e.BiasVariance, e.MSEVariance = r.variance.value/(n-1), r.varianceSquare.value/(n-1)/(n-1)
		r.varianceSquare = r.varianceSquare.atLeast(n * (r.kurtosis - 1))
		lost = max(lost, r.varianceSquare.lost(r.varianceSquare.value), r.variance.lost(math.Sqrt(r.varianceSquare.value)))
	}
	if r.hasDistribution {
		e.CvM, e.KS2Low, e.KS2High = r.weighted.value/n/n, r.largest.value/n/n, r.all.value/n/n
		lost = max(lost, r.weighted.lost(r.weighted.value), r.largest.lost(r.largest.value), r.all.lost(r.all.value))
	}
	e.Rounding = r.rounding * lost
	return e
}

// atLeast returns the part with a size of at least the given one. What is made up of N samples has the rounding of the N variances of one sample
// among its terms, also where the covariances of a chain that goes to and fro take nearly all of them away.
func (p part) atLeast(size float64) part { return part{p.value, max(p.size, size)} }

// lost returns the size of the terms of a sum in units of a scale. The scale of a bias is the root of the mean squared error, because a
// bias of nearly zero has no digits of its own, and needs none. It is +Inf where nothing is left of the terms.
func (p part) lost(scale float64) float64 {
	if p.size == 0 {
		return 0
	}
	if !(scale > 0) {
		return math.Inf(1)
	}
	return p.size / scale
}
