package evidence

import (
	"context"
	"math"
	"slices"

	laws "breadboard/exact/evidence"
)

// Tail is a point of the law of an estimate: P(log Z-hat > log Z + Nats) lies between Low and High.
type Tail struct{ Nats, Low, High float64 }

// tailReach is how many nats from log Z the tails reach, and tailWide and tailNear are the numbers of their points over all this range
// and near the mean.
const (
	tailReach = 4.0
	tailWide  = 17
	tailNear  = 25
)

// tail returns points of a law from 4 nats below log Z to 4 nats above it, half of them within 4 standard deviations of the mean. It
// returns none where the law is not known.
func tail(ctx context.Context, t *target, law laws.Law, of Numbers) ([]Tail, error) {
	var out []Tail
	for _, b := range tailPlaces(of.Bias, of.SD) {
		p, err := law.Above(ctx, t.LogZ+b)
		if err != nil {
			return nil, err
		}
		if math.IsNaN(p.Low) {
			return nil, nil
		}
		out = append(out, Tail{b, p.Low, p.High})
	}
	return out, nil
}

// tailPlaces returns where the points are, in their order.
func tailPlaces(bias, sd float64) []float64 {
	places := between(-tailReach, tailReach, tailWide)
	if near := 4 * sd; near > 0 && !math.IsInf(bias, 0) {
		for _, b := range between(bias-near, bias+near, tailNear) {
			if b > -tailReach && b < tailReach {
				places = append(places, b)
			}
		}
	}
	slices.Sort(places)
	return slices.Compact(places)
}

// between returns n numbers from low to high, at equal distances.
func between(low, high float64, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = low + (high-low)*float64(i)/float64(n-1)
	}
	return out
}
