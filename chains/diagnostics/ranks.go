package diagnostics

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"
)

// ranked returns the normal quantile of (r - 3/8)/(S + 1/4) in place of each draw, with r its rank among all S draws. Equal draws have the
// mean of their ranks. Time is O(S log S).
//
// Source: Blom 1958; Vehtari et al. 2021, Eq. 14.
func (d Draws) ranked() Draws {
	type place struct {
		value       float64
		chain, draw int32
	}
	places := make([]place, 0, d.size())
	out := make(Draws, len(d))
	for k, chain := range d {
		out[k] = make([]float64, len(chain))
		for i, v := range chain {
			places = append(places, place{v, int32(k), int32(i)})
		}
	}
	slices.SortFunc(places, func(a, b place) int { return cmp.Compare(a.value, b.value) })
	for first := 0; first < len(places); {
		end := first + 1
		for end < len(places) && places[end].value == places[first].value {
			end++
		}
		rank := float64(first+1+end) / 2
		z := mathext.NormalQuantile((rank - 3./8) / (float64(len(places)) + 1./4))
		for _, p := range places[first:end] {
			out[p.chain][p.draw] = z
		}
		first = end
	}
	return out
}

// folded returns the distance of each draw from the median of all.
func (d Draws) folded() Draws {
	middle := Median(slices.Concat(d...))
	return d.mapped(func(v float64) float64 { return math.Abs(v - middle) })
}
