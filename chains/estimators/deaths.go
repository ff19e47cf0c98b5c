package estimators

import (
	"math"
	"slices"
)

// Deaths is the law of the number of particles that nested sampling replaces at a level: it is First + i with probability P[i]. What
// is below 2^-70 of the likeliest number is left out.
type Deaths struct {
	First int
	P     []float64
}

// leastDeaths is the probability, relative to that of the likeliest number, at which a law of deaths ends.
const leastDeaths = 0x1p-70

// Deaths returns the law of the number of deaths at a level below the highest, with K particles that are drawn exactly. The numbers
// of the levels are independent. It is for TiesLabel and TiesStrict.
//
// With ties broken by a label the particles are uniform on the prior volume, which shrinks at every death by the largest of K
// uniform numbers: the deaths are the points of a Poisson process in log volume of rate K. With strict ties those of the K particles
// die that have come to stand at the level, and their replacements are above it, so that the number is Binomial(K, Share).
// Time and memory are O(square root of the mean number).
func (l Level) Deaths(k int, ties Ties) Deaths {
	if ties == TiesStrict {
		odds := math.Exp(l.LogOdds)
		return ratioLaw(0, min(k, int(float64(k)*l.Share())), func(n int) float64 { return float64(k-n) / float64(n+1) * odds })
	}
	return poisson(float64(k)*l.Shrinkage(), 0)
}

// poisson returns the Poisson law of a mean, given that the number is at least a least one.
func poisson(mean float64, least int) Deaths {
	return ratioLaw(least, max(least, int(mean)), func(n int) float64 { return mean / float64(n+1) })
}

// ratioLaw returns the law of numbers from a least one on, given about where its mode is and P(n+1)/P(n).
func ratioLaw(least, mode int, ratio func(n int) float64) Deaths {
	var down []float64
	for n, p := mode, 1.0; n > least; n-- {
		if p /= ratio(n - 1); !(p > leastDeaths) {
			break
		}
		down = append(down, p)
	}
	slices.Reverse(down)
	d := Deaths{First: mode - len(down), P: down}
	for n, p := mode, 1.0; p > leastDeaths; n++ {
		d.P = append(d.P, p)
		p *= ratio(n)
	}
	total := 0.0
	for _, p := range d.P {
		total += p
	}
	for i := range d.P {
		d.P[i] /= total
	}
	return d
}
