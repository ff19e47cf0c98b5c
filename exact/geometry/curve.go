package geometry

import (
	"fmt"
	"math"
	"slices"
)

// Curve is a function on [0, 1], held as a polynomial in Chebyshev form on each of a few pieces, with its integral.
type Curve struct {
	pieces []piece
	total  float64
	scale  float64 // about the integral of the absolute value
}

// piece is a Curve from low to high: coefficients of Chebyshev polynomials of the function and of its integral from
// low, and the integral up to low.
type piece struct {
	low, high        float64
	value, integral  []float64
	before, contents float64
}

const (
	// curveDegree is the degree of a piece: what s2 of a 7x7 toy needs on a piece where it changes little.
	curveDegree = 16
	// curveTolerance is what the last two coefficients of a piece may be of the largest one.
	curveTolerance = 1e-10
	// curveNegligible is what they may add to the integral, as a part of it, where the function is not smooth.
	curveNegligible = 1e-13
	// maxHalvings bounds the search for pieces on which the function is smooth.
	maxHalvings = 200
)

// NewCurve returns the function f as a Curve, to about 1e-10 of its largest value nearby. Breaks are places between 0
// and 1 where f or its derivatives jump; others are found by halving, down to where they do not matter to the integral.
// It fails with f, and where the integral is infinite.
func NewCurve(f func(beta float64) (float64, error), breaks []float64) (*Curve, error) {
	ends := append(append([]float64{0}, breaks...), 1)
	slices.Sort(ends)
	ends = slices.Compact(ends)
	c := &Curve{}
	for i := range len(ends) - 1 {
		v, err := chebyshev(f, ends[i], ends[i+1])
		if err != nil {
			return nil, err
		}
		c.scale += largest(v) * (ends[i+1] - ends[i])
	}
	for i := range len(ends) - 1 {
		if err := c.extend(f, ends[i], ends[i+1], 0); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// largest returns the largest absolute value.
func largest(v []float64) (out float64) {
	for _, a := range v {
		out = max(out, math.Abs(a))
	}
	return out
}

// extend adds pieces from low to high.
func (c *Curve) extend(f func(float64) (float64, error), low, high float64, halvings int) error {
	v, err := chebyshev(f, low, high)
	if err != nil {
		return err
	}
	tail := math.Abs(v[curveDegree]) + math.Abs(v[curveDegree-1])
	if !(tail <= curveTolerance*largest(v) || tail*(high-low) <= curveNegligible*c.scale) {
		middle := (low + high) / 2
		if halvings == maxHalvings || middle == low || middle == high {
			return fmt.Errorf("the integral along the path does not settle near beta %v; it may be infinite", low)
		}
		if err := c.extend(f, low, middle, halvings+1); err != nil {
			return err
		}
		return c.extend(f, middle, high, halvings+1)
	}
	p := piece{low: low, high: high, value: v, integral: integrate(v, (high-low)/2), before: c.total}
	p.contents = clenshaw(p.integral, 1)
	c.pieces = append(c.pieces, p)
	c.total += p.contents
	return nil
}

// chebyshev returns the coefficients of the polynomial through f at the Chebyshev points of [low, high].
func chebyshev(f func(float64) (float64, error), low, high float64) ([]float64, error) {
	const n = curveDegree + 1
	var values [n]float64
	for i := range values {
		var err error
		x := math.Cos(math.Pi * (float64(i) + 0.5) / n)
		if values[i], err = f((low+high)/2 + (high-low)/2*x); err != nil {
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

// integrate returns the coefficients of the integral from the left end, for a piece of the given half width.
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

// At returns the function at beta.
func (c *Curve) At(beta float64) float64 {
	p := c.find(beta)
	return clenshaw(p.value, p.local(beta))
}

// Integral returns the integral from 0 to beta.
func (c *Curve) Integral(beta float64) float64 {
	p := c.find(beta)
	return p.before + clenshaw(p.integral, p.local(beta))
}

// Breaks returns the ends of its pieces between 0 and 1.
func (c *Curve) Breaks() []float64 {
	var out []float64
	for _, p := range c.pieces[1:] {
		out = append(out, p.low)
	}
	return out
}

// Total returns the integral from 0 to 1.
func (c *Curve) Total() float64 { return c.total }

// Inverse returns the beta up to which the integral of a positive function is the given part, 0 to 1, of the total,
// to the last digit or two, by Newton's steps within a bracket.
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
