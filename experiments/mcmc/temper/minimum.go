package temper

import (
	"math"
	"slices"
	"sort"
)

// minimum returns where a function is smallest between two places. It may have several minima, and
// one that is narrow near the lower end: the search begins around the best of places at equal
// distances and of some between the lower end and the present place of the search. At these the
// function is asked for roughly, and then for all digits at the best and beside it, until the best
// is below both.
func minimum(f func(at, residual float64) (float64, error), low, was, high float64) (float64, error) {
	places := []float64{low, low + (was-low)/4, low + (was-low)/2, was, high}
	for i := 1; i < 16; i++ {
		places = append(places, low+float64(i)*(high-low)/16)
	}
	sort.Float64s(places)
	places = slices.Compact(places)
	last := len(places) - 1
	lowest := math.Inf(1)
	at := -1
	for i := 1; i < last; i++ {
		v, err := f(places[i], rough)
		if err != nil {
			return 0, err
		}
		if v < lowest {
			lowest = v
			at = i
		}
	}
	if at < 0 { // there is no loss anywhere
		return was, nil
	}
	known := map[int]float64{0: math.Inf(1), last: math.Inf(1)}
	for {
		for i := at - 1; i <= at+1; i++ {
			if _, has := known[i]; !has {
				v, err := f(places[i], fine)
				if err != nil {
					return 0, err
				}
				known[i] = v
			}
		}
		switch here := known[at]; {
		case known[at-1] < here:
			at--
		case known[at+1] < here:
			at++
		default:
			return valley(func(b float64) (float64, error) { return f(b, fine) },
				[3]float64{places[at-1], places[at], places[at+1]},
				[3]float64{known[at-1], here, known[at+1]})
		}
	}
}

// valley returns where a function is smallest between the first and the last of three places, at
// the middle one of which it is below both others. It goes where the parabola through the three
// best places is lowest, and takes golden sections where that does not come closer fast.
//
// Source: Brent 1973, chapter 5.
func valley(f func(float64) (float64, error), at, values [3]float64) (float64, error) {
	const golden = 0.3819660112501051
	low, high := at[0], at[2]
	best := at[1]
	second := at[0]
	third := at[2]
	least := values[1]
	next := values[0]
	after := values[2]
	if after < next {
		second, third, next, after = third, second, after, next
	}
	// the last step, and that before it
	step := high - low
	before := high - low
	for high-low > ladderSettled/4 {
		tolerance := ladderSettled / 16
		middle := (low + high) / 2
		if math.Abs(best-middle) <= 2*tolerance-(high-low)/2 {
			break
		}
		r := (best - second) * (least - after)
		q := (best - third) * (least - next)
		p := (best-third)*q - (best-second)*r
		q = 2 * (q - r)
		if q > 0 {
			p = -p
		}
		q = math.Abs(q)
		if math.Abs(p) < math.Abs(q*before/2) && p > q*(low-best) && p < q*(high-best) {
			// false if a value is infinite
			before = step
			step = p / q
			if u := best + step; u-low < 2*tolerance || high-u < 2*tolerance {
				step = math.Copysign(tolerance, middle-best)
			}
		} else {
			before = high - best
			if best >= middle {
				before = low - best
			}
			step = golden * before
		}
		u := best + math.Copysign(max(math.Abs(step), tolerance), step)
		v, err := f(u)
		if err != nil {
			return 0, err
		}
		if v <= least {
			if u >= best {
				low = best
			} else {
				high = best
			}
			third = second
			second = best
			best = u
			after = next
			next = least
			least = v
			continue
		}
		if u < best {
			low = u
		} else {
			high = u
		}
		switch {
		case v <= next || second == best:
			third = second
			second = u
			after = next
			next = v
		case v <= after || third == best || third == second:
			third = u
			after = v
		}
	}
	return best, nil
}
