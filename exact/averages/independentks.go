package averages

import (
	"context"
	"fmt"
	"math"
	"slices"

	"breadboard/chains/number"
)

// maxIndependentWork is the largest number of products that IndependentKS may take.
const maxIndependentWork = 3e10

// IndependentKS returns the moments of the Kolmogorov-Smirnov distance of n independent draws from the target. R of that distance is
// N E[KS^2]. It fails where that takes too long, and where the context ends.
//
// KS is at most d where the number S_j of draws at level j or below lies within n d of n F_j, for all levels. The law of the S_j is that of
// sums of independent Poisson variables with means n P(level j), given that the last sum is n. So a recursion over the levels gives P(KS > d),
// as what leaves the bands, in O(levels (n d)^2). It is repeated between any two neighbours of the values that KS may have, until what may
// follow is less than rounding. All terms are positive. With L levels that takes about 500 L^2 n^(3/2) products.
//
// Source: Turner and Neal 2017, section 4.6 (R).
func (f *Function) IndependentKS(ctx context.Context, n int) (KS, error) {
	if n < 1 {
		return KS{}, fmt.Errorf("the distance of %d draws; give a number from 1 on", n)
	}
	levels := float64(len(f.Levels) - 1)
	if work := 500 * levels * levels * math.Pow(float64(n), 1.5); work > maxIndependentWork {
		return KS{}, fmt.Errorf("the distance of %d independent draws at %d levels takes %.3g products, and at most %.3g are made; take fewer draws, or a function of fewer levels",
			n, len(f.Levels), work, float64(maxIndependentWork))
	}
	d := f.draws(n)
	values := d.values()
	var mean, square number.Sum
	for i, low := range values[:len(values)-1] {
		if ctx.Err() != nil {
			return KS{}, ctx.Err()
		}
		high := values[i+1]
		beyond := d.beyond((low + high) / 2)
		mean.Add(beyond * (high - low))
		square.Add(beyond * (high - low) * (high + low))
		if beyond < unit/16*square.Value() { // it falls, and multiplies less than one from here on
			break
		}
	}
	return KS{mean.Value(), square.Value()}, nil
}

// draws are independent draws from the levels of a function.
type draws struct {
	n     int
	below []float64   // F at each level
	above []float64   // 1 - F at each level, with its own digits
	share [][]float64 // share[j][c] is the probability of c at level j, where the numbers are Poisson variables
	rest  [][]float64 // rest[j][c] is the probability that the numbers at all levels above j together are c
	whole float64     // the probability that all numbers together are n
}

// draws prepares n draws.
func (f *Function) draws(n int) *draws {
	d := &draws{n: n, below: f.below(), above: f.above(), whole: poisson(float64(n), n)[n]}
	d.share, d.rest = make([][]float64, len(f.Masses)), make([][]float64, len(f.Masses))
	for j, m := range f.Masses {
		d.share[j], d.rest[j] = poisson(float64(n)*m, n), poisson(float64(n)*d.above[j], n)
	}
	return d
}

// poisson returns the probabilities of 0 to n of a Poisson variable of a mean up to n. They are found from the most probable number on, by
// ratios of neighbours, and divided by their sum: so they keep their digits, which a formula with factorials loses.
func poisson(mean float64, n int) []float64 {
	p := make([]float64, n+1)
	mode := int(mean)
	p[mode] = 1
	var total number.Sum
	for c := mode; c > 0; c-- {
		p[c-1] = p[c] * float64(c) / mean
		total.Add(p[c-1])
	}
	for c, v := mode, 1.0; c < n || v > 0x1p-80; c++ { // beyond n too, because these count in the sum
		total.Add(v)
		if v *= mean / float64(c+1); c+1 <= n {
			p[c+1] = v
		}
	}
	for c := range p {
		p[c] /= total.Value()
	}
	return p
}

// values returns zero and the values that KS may have, ascending.
func (d *draws) values() []float64 {
	values := []float64{0}
	for j, share := range d.below[:len(d.below)-1] {
		for s := range d.n + 1 {
			values = append(values, offShare(s, d.n, share, d.above[j]))
		}
	}
	slices.Sort(values)
	return slices.Compact(values)
}

// beyond returns the probability that KS is above a distance, which is none of its values.
func (d *draws) beyond(distance float64) float64 {
	first, at := 0, []float64{1} // the probability of each sum up to a level, from first on, where no level has left its band
	var total number.Sum
	for j, share := range d.below[:len(d.below)-1] {
		low, high := d.band(min(share, d.above[j]), distance)
		if share > d.above[j] {
			low, high = d.n-high, d.n-low
		}
		for i, q := range at {
			total.Add(q * d.leaving(j, first+i, low, high))
		}
		low = max(low, first)
		if low > high {
			break
		}
		first, at = low, d.staying(j, first, at, low, high)
	}
	return total.Value() / d.whole
}

// band returns the least and the largest number of draws whose share is within a distance of the given one. Where there is none, the least
// is above the largest.
func (d *draws) band(share, distance float64) (low, high int) {
	n := float64(d.n)
	return int(max(0, math.Ceil(n*(share-distance)))), int(min(n, math.Floor(n*(share+distance))))
}

// staying takes the sums up to the level before j, from first on, to those up to level j from low to high.
func (d *draws) staying(j, first int, at []float64, low, high int) []float64 {
	next := make([]float64, high-low+1)
	for i, q := range at {
		begin := max(low, first+i)
		if begin > high {
			break
		}
		chance, to := d.share[j][begin-first-i:], next[begin-low:]
		for k := range to {
			to[k] += float64(q * chance[k])
		}
	}
	return next
}

// leaving returns the probability that the sum up to level j is not from low to high, and the last one is n, where the sum up to the level
// before is s. The terms rise and then fall as the sum moves away, so that small ones that fall are followed by smaller ones.
func (d *draws) leaving(j, s, low, high int) float64 {
	total, last := 0.0, 0.0
	for to := max(s, high+1); to <= d.n; to++ {
		v := d.share[j][to-s] * d.rest[j][d.n-to]
		total += v
		if v < last && v < 0x1p-70*total {
			break
		}
		last = v
	}
	last = 0
	for to := min(low-1, d.n); to >= s; to-- {
		v := d.share[j][to-s] * d.rest[j][d.n-to]
		total += v
		if v < last && v < 0x1p-70*total {
			break
		}
		last = v
	}
	return total
}
