package evidence

import (
	"context"

	laws "breadboard/exact/evidence"
)

// Tail is a point of the law of an estimate: P(log Z-hat > log Z + Nats) lies between Low and High.
type Tail struct{ Nats, Low, High float64 }

// These constants are the range and the step of the tails in nats.
const (
	tailFrom, tailTo = -4, 4
	tailSteps        = 64
)

// tail returns the points of a law from 4 nats below log Z to 4 nats above it, and nothing where the law is not known.
func tail(ctx context.Context, t *target, law laws.Law) ([]Tail, error) {
	var out []Tail
	for i := range tailSteps + 1 {
		b := tailFrom + (tailTo-tailFrom)*float64(i)/tailSteps
		p, err := law.Above(ctx, t.LogZ+b)
		if err != nil {
			return nil, err
		}
		if p.Low != p.Low { // NaN: no point is known
			return nil, nil
		}
		out = append(out, Tail{b, p.Low, p.High})
	}
	return out, nil
}
