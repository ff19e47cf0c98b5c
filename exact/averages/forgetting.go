package averages

import (
	"context"
	"math"

	"breadboard/exact/internal/powers"
)

// forgetting is where a search stands: at some number of moves from a start, with a value that says how much of the start is left.
type forgetting interface {
	// start returns the value before any move.
	start() float64
	// after returns the value of the start after the moves of a power of the transition matrix, and one below which it never falls.
	after(square *powers.Matrix) (v, limit float64)
	// begin makes the start after the moves of a power the position.
	begin(square *powers.Matrix)
	// further returns the value so many moves after the position.
	further(ctx context.Context, square *powers.Matrix) (float64, error)
	// accept makes that the position.
	accept()
}

// transitions is a power of the transition matrix, whose value is the mutual information of the states before and after.
type transitions struct {
	chain    *Chain
	limit    float64
	at, next *powers.Matrix
}

func (t *transitions) start() float64 { return t.chain.information(t.at) } // at is the power zero

func (t *transitions) after(square *powers.Matrix) (v, limit float64) {
	return t.chain.information(square), t.limit
}

func (t *transitions) begin(square *powers.Matrix) { copy(t.at.V, square.V) }

func (t *transitions) further(ctx context.Context, square *powers.Matrix) (float64, error) {
	if err := t.next.Multiply(ctx, t.at, square); err != nil {
		return 0, err
	}
	return t.chain.information(t.next), nil
}

func (t *transitions) accept() { t.at, t.next = t.next, t.at }

// startLaw is the law of a start after some moves, whose value is its total variation distance from the target.
type startLaw struct {
	chain           *Chain
	limit           memory
	first, at, next []float64
}

func (l *startLaw) start() float64 { return l.chain.distance(l.first) }

func (l *startLaw) after(square *powers.Matrix) (v, limit float64) {
	square.Push(l.next, l.first)
	return l.chain.distance(l.next), l.limit.distance(l.next)
}

func (l *startLaw) begin(square *powers.Matrix) { square.Push(l.at, l.first) }

func (l *startLaw) further(_ context.Context, square *powers.Matrix) (float64, error) {
	square.Push(l.next, l.at)
	return l.chain.distance(l.next), nil
}

func (l *startLaw) accept() { l.at, l.next = l.next, l.at }

// information returns the mutual information of a state of the target's law and its successor by m: sum_x p(x) KL(m(x,.) || p).
func (c *Chain) information(m *powers.Matrix) float64 {
	sum := 0.0
	for x, p := range c.Target {
		if p == 0 {
			continue
		}
		row := 0.0
		for y, q := range m.Row(x) {
			if c.Target[y] > 0 { // the chain has no mass elsewhere, apart from what underflow leaves out
				row += divergence(q, c.Target[y])
			}
		}
		sum += p * row
	}
	return sum
}

// divergence returns q log(q/p) - q + p, the part of a state in KL(q || p), which is never below zero.
func divergence(q, p float64) float64 {
	u := (q - p) / p
	switch {
	case q == 0:
		return p
	case math.Abs(u) < 1e-2:
		// The series of (1 + u) log(1 + u) - u is the sum over k >= 2 of (-u)^k / (k (k - 1)).
		sum := 0.0
		for k := 8.0; k >= 2; k-- {
			sum = 1/(k*(k-1)) - u*sum
		}
		return p * u * u * sum
	case math.Abs(u) < 0.5:
		return p * ((1+u)*math.Log1p(u) - u)
	}
	return q*math.Log(q/p) - q + p
}

// distance returns the total variation distance of a law from the target.
func (c *Chain) distance(law []float64) float64 {
	sum := 0.0
	for x, p := range c.Target {
		sum += math.Abs(law[x] - p)
	}
	return sum / 2
}
