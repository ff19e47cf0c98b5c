package stages

import (
	"context"
	"fmt"
	"math"
	"slices"

	"breadboard/exact/internal/crew"
)

// Curve is a function on [0, 1] together with its integral. The interval is divided into pieces, and on each piece the
// function is a polynomial in Chebyshev form.
type Curve struct {
	pieces []piece
	total  float64 // the integral from 0 to 1
	scale  float64 // about the integral of the absolute value
}

// piece is the part of a Curve from low to high.
type piece struct {
	low, high float64
	// value and integral are the Chebyshev coefficients of the function and of its integral from low.
	value, integral []float64
	before          float64 // the integral from 0 to low
	contents        float64 // the integral from low to high
}

const (
	// curveDegree is the degree of a piece. Friction on a 7x7 toy needs it on a piece where it changes little.
	curveDegree = 16
	// curveTolerance bounds the last two coefficients of a piece, relative to the largest one.
	curveTolerance = 1e-10
	// curveNegligible bounds what the last two coefficients may add to the integral, relative to the whole integral. It
	// applies where the function is not smooth, so that no piece meets curveTolerance.
	curveNegligible = 1e-13
	// maxHalvings is how often a piece is halved, at most, in the search for pieces on which the function is smooth.
	maxHalvings = 200
)

// NewCurve returns the function f as a Curve, to about 1e-10 of its largest value nearby. Breaks are places between 0
// and 1 where f or its derivatives jump. NewCurve finds other such places by halving pieces, until the piece with the
// jump is so short that it does not matter for the integral. So many goroutines call f, which changes nothing of the result; zero
// stands for one for each processor. It fails where f fails, and where the integral is infinite.
func NewCurve(f func(beta float64) (float64, error), breaks []float64, workers int) (*Curve, error) {
	ends := append(append([]float64{0}, breaks...), 1)
	slices.Sort(ends)
	ends = slices.Compact(ends)
	c, at := &Curve{}, values{f, workers}
	first := make([][]float64, len(ends)-1)
	for i := range first {
		var err error
		if first[i], err = at.chebyshev(ends[i], ends[i+1]); err != nil {
			return nil, err
		}
		c.scale += largest(first[i]) * (ends[i+1] - ends[i])
	}
	for i, v := range first {
		if err := c.extend(at, v, ends[i], ends[i+1], 0); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// largest returns the largest absolute value in v.
func largest(v []float64) (out float64) {
	for _, a := range v {
		out = max(out, math.Abs(a))
	}
	return out
}

// extend appends pieces from low to high, whose polynomial has the coefficients v: one where the function is smooth there and its halves
// where it is not.
func (c *Curve) extend(f values, v []float64, low, high float64, halvings int) error {
	tail := math.Abs(v[curveDegree]) + math.Abs(v[curveDegree-1])
	if !(tail <= curveTolerance*largest(v) || tail*(high-low) <= curveNegligible*c.scale) {
		middle := (low + high) / 2
		if halvings == maxHalvings || middle == low || middle == high {
			return fmt.Errorf("the integral along the path does not settle near beta %v; it may be infinite", low)
		}
		for _, half := range [][2]float64{{low, middle}, {middle, high}} {
			v, err := f.chebyshev(half[0], half[1])
			if err == nil {
				err = c.extend(f, v, half[0], half[1], halvings+1)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	p := piece{low: low, high: high, value: v, integral: integrate(v, (high-low)/2), before: c.total}
	p.contents = clenshaw(p.integral, 1)
	c.pieces = append(c.pieces, p)
	c.total += p.contents
	return nil
}

// values are those of a function, which so many goroutines look at together.
type values struct {
	value   func(float64) (float64, error)
	workers int
}

// chebyshev returns the Chebyshev coefficients of the polynomial that interpolates the function at the Chebyshev points of [low, high].
func (f values) chebyshev(low, high float64) ([]float64, error) {
	const n = curveDegree + 1
	var values [n]float64
	var errs [n]error
	_ = crew.Jobs(context.Background(), n, f.workers, func(_ context.Context, i int) error { // it fails as errs say, the first of them first
		x := math.Cos(math.Pi * (float64(i) + 0.5) / n)
		values[i], errs[i] = f.value((low+high)/2 + (high-low)/2*x)
		return nil
	})
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	out := make([]float64, n)
	for k := range out {
		for i, v := range values {
			out[k] += 2. / n * v * math.Cos(math.Pi*float64(k)*(float64(i)+0.5)/n)
		}
	}
	out[0] /= 2
	return out, nil
}

// integrate returns the Chebyshev coefficients of the integral from the left end of a piece, given those of the function
// and half the width of the piece.
func integrate(v []float64, half float64) []float64 {
	out := make([]float64, len(v)+1)
	at := func(k int) float64 {
		if k >= len(v) {
			return 0
		}
		return v[k]
	}
	for k := 1; k < len(out); k++ {
		before := at(k - 1)
		if k == 1 {
			before *= 2
		}
		out[k] = half * (before - at(k+1)) / (2 * float64(k))
	}
	out[0] = -clenshaw(out, -1)
	return out
}

// clenshaw returns the sum of v[k] T_k(x).
func clenshaw(v []float64, x float64) float64 {
	b1, b2 := 0.0, 0.0
	for k := len(v) - 1; k > 0; k-- {
		b1, b2 = v[k]+2*x*b1-b2, b1
	}
	return v[0] + x*b1 - b2
}

// local maps beta from the piece to [-1, 1].
func (p *piece) local(beta float64) float64 { return (2*beta - p.low - p.high) / (p.high - p.low) }

// find returns the piece that beta is on.
func (c *Curve) find(beta float64) *piece {
	i, _ := slices.BinarySearchFunc(c.pieces, beta, func(p piece, beta float64) int {
		if p.high < beta {
			return -1
		}
		return 1
	})
	return &c.pieces[min(i, len(c.pieces)-1)]
}

// At returns the value of the function at beta.
func (c *Curve) At(beta float64) float64 {
	p := c.find(beta)
	return clenshaw(p.value, p.local(beta))
}

// Integral returns the integral from 0 to beta.
func (c *Curve) Integral(beta float64) float64 {
	p := c.find(beta)
	return p.before + clenshaw(p.integral, p.local(beta))
}

// Breaks returns the places between 0 and 1 where two pieces meet.
func (c *Curve) Breaks() []float64 {
	var out []float64
	for _, p := range c.pieces[1:] {
		out = append(out, p.low)
	}
	return out
}

// Total returns the integral from 0 to 1.
func (c *Curve) Total() float64 { return c.total }

// Inverse returns the beta for which the integral from 0 to beta is the given part, 0 to 1, of the total. The function
// must be positive. The result is right to the last digit or two; it is found by Newton's method within a bracket.
func (c *Curve) Inverse(part float64) float64 {
	want := part * c.total
	i := 0
	for i < len(c.pieces)-1 && c.pieces[i].before+c.pieces[i].contents < want {
		i++
	}
	p := &c.pieces[i]
	low, high := p.low, p.high
	beta := (low + high) / 2
	for range 100 {
		off := p.before + clenshaw(p.integral, p.local(beta)) - want
		if off > 0 {
			high = beta
		} else {
			low = beta
		}
		next := beta - off/clenshaw(p.value, p.local(beta))
		if !(next > low && next < high) {
			next = (low + high) / 2
		}
		if next == beta || high-low <= 0x1p-52*high {
			break
		}
		beta = next
	}
	return beta
}
