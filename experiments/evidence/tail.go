package evidence

import (
	"context"
	"math"
	"slices"

	"breadboard/exact/laws"
)

// Tail is a point of the law of an estimate: P(log Z-hat > log Z + Nats) lies between Low and High.
type Tail struct{ Nats, Low, High float64 }

// LeastTail is the probability at which tails end.
const LeastTail = 1e-4

// tailReach is how many nats from log Z the tails reach.
const tailReach = 4.0

// tail returns points of a law from 4 nats below log Z to 4 nats above it, most of them near the mean. Since the probability falls, it is
// not asked for again to the left of where it is nearly one, nor to the right of where it is below LeastTail. It returns none
// where the law is not known.
func tail(ctx context.Context, t *target, law laws.Law, of Numbers) ([]Tail, error) {
	places := tailPlaces(of.Bias, of.SD)
	middle, _ := slices.BinarySearch(places, of.Bias)
	var out []Tail
	add := func(b float64) (end bool, err error) {
		p, err := law.Above(ctx, t.LogZ+b)
		if err != nil || math.IsNaN(p.Low) {
			return true, err
		}
		out = append(out, Tail{b, p.Low, p.High})
		return p.Low > 1-LeastTail*LeastTail || p.High < LeastTail, nil
	}
	for i := middle - 1; i >= 0; i-- {
		if end, err := add(places[i]); err != nil {
			return nil, err
		} else if end {
			break
		}
	}
	slices.Reverse(out)
	for _, b := range places[middle:] {
		if end, err := add(b); err != nil {
			return nil, err
		} else if end {
			break
		}
	}
	if len(out) > 0 && out[0].Nats > -tailReach && out[0].Low > 1-LeastTail { // all further to the left is between this and one
		out = slices.Insert(out, 0, Tail{-tailReach, out[0].Low, 1})
	}
	return out, nil
}

// tailPlaces returns where the points are, in their order: half a standard deviation apart near the mean, further and further apart
// beyond 4 of them, on both sides of the mean where there is no spread, and half a nat apart where no mean is known.
func tailPlaces(bias, sd float64) []float64 {
	places := []float64{-tailReach, tailReach}
	add := func(b float64) {
		if math.Abs(b) < tailReach {
			places = append(places, b)
		}
	}
	const beside = 1e-6
	switch {
	case !(sd >= 0) || math.IsInf(sd, 1) || math.IsInf(bias, 0):
		for b := -tailReach; b <= tailReach; b += 0.5 {
			add(b)
		}
	case sd < beside:
		add(bias - beside)
		add(bias + beside)
	default:
		add(bias)
		for k, step := 0.5, 0.5; k*sd < 2*tailReach; k += step {
			add(bias - k*sd)
			add(bias + k*sd)
			if k >= 4 {
				step *= 1.5
			}
		}
	}
	slices.Sort(places)
	return slices.Compact(places)
}
