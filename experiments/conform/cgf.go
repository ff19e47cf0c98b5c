package conform

import (
	"context"
	"errors"
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/exact/weights"
	"breadboard/experiments/crosscheck"
)

// nodes is the number of points at which K is computed.
const nodes = 24

// cgf is K(s) = log E[w^s], given a finite and positive weight, between s = 0 and a tilt: a polynomial in Chebyshev's basis
// on [centre - radius, centre + radius], of which complex arguments are taken, too.
type cgf struct {
	centre       float64
	radius       float64
	coefficients []float64
	slope, curve []float64 // the coefficients of the first and of the second derivative
	most         float64   // the tilt up to which the polynomial is used, of either sign
	high         float64   // the largest frequency beside a tilt
}

// spread returns about the standard deviation of log w, from the values of K that there are.
func spread(l *crosscheck.ChainLaws, d chains.Direction) (float64, error) {
	powers, k := l.CGF(d)
	for i, p := range powers { // from the smallest on, in pairs of p and -p
		if p > 0 {
			// K(p) + K(-p) is p^2 times the variance, and is of use where it is far above its rounding.
			if both := k[i] + k[i+1]; both > 1e-9*(1+math.Abs(k[i])) {
				return math.Sqrt(both) / p, nil
			}
		}
	}
	return 0, errors.New("log w does not vary, or so little that no tilt of it can be told apart")
}

// fit returns the polynomial for tilts from 0 to most and frequencies up to high beside them.
func fit(ctx context.Context, l *crosscheck.ChainLaws, d chains.Direction, most, high float64, n int) (*cgf, error) {
	c := &cgf{centre: most / 2, radius: (math.Abs(most) + high) / 2, most: most, high: high}
	var at []float64
	for j := range nodes {
		at = append(at, c.centre+c.radius*math.Cos(math.Pi*(float64(j)+0.5)/nodes))
	}
	k, err := weights.FiniteCGF(ctx, l.Annealing(), d, at)
	if err != nil {
		return nil, err
	}
	c.coefficients = make([]float64, nodes)
	for i := range c.coefficients {
		for j, v := range k {
			c.coefficients[i] += 2.0 / nodes * v * math.Cos(math.Pi*float64(i)*(float64(j)+0.5)/nodes)
		}
	}
	c.coefficients[0] /= 2
	if err := c.chop(n); err != nil {
		return nil, err
	}
	c.slope = derivative(c.coefficients, c.radius)
	c.curve = derivative(c.slope, c.radius)
	c.coefficients[0] -= c.value(0) // of the weights that are finite and positive, K(0) = 0
	return c, nil
}

// chop leaves out the coefficients that are rounding. Those decrease geometrically until they are, and at a complex
// argument the polynomials grow by a factor rho each.
func (c *cgf) chop(n int) error {
	rounding := leastRounding
	for _, v := range c.coefficients[3*nodes/4:] {
		rounding = max(rounding, 4*math.Abs(v))
	}
	keep := nodes
	for keep > 3 && math.Abs(c.coefficients[keep-1]) <= rounding {
		keep--
	}
	c.coefficients = c.coefficients[:keep]
	// The ellipse with foci at +-1 through z has the half axes (rho +- 1/rho)/2, and rho + 1/rho = |z - 1| + |z + 1|.
	x, y := c.most/2/c.radius, c.high/c.radius
	sum := math.Hypot(x-1, y) + math.Hypot(x+1, y)
	rho := (sum + math.Sqrt(sum*sum-4)) / 2
	if off := float64(n) * rounding * math.Pow(rho, float64(keep)); off > accuracy {
		return fmt.Errorf("the law of log w is too skew for its cumulant generating function to be continued as far as %.3g: the log likelihood of %d chains would be off by %.2g", 2*c.radius, n, off)
	}
	return nil
}

// leastRounding is what the coefficients of a K of any size are off by at least.
const leastRounding = 0x1p-50

// accuracy bounds the error of the log of the characteristic function of a sum.
const accuracy = 1e-3

// derivative returns the coefficients of the derivative of a series on an interval of that radius.
func derivative(c []float64, radius float64) []float64 {
	out := make([]float64, len(c)+1)
	for i := len(c) - 1; i > 0; i-- {
		out[i-1] = out[i+1] + 2*float64(i)*c[i]
	}
	out[0] /= 2
	out = out[:max(1, len(c)-1)]
	for i := range out {
		out[i] /= radius
	}
	return out
}

// at returns K at a complex argument.
func (c *cgf) at(s complex128) complex128 { return c.series(c.coefficients, s) }

// value returns K at a real argument.
func (c *cgf) value(s float64) float64 { return real(c.at(complex(s, 0))) }

// mean returns K', the mean of log w under the tilt by s.
func (c *cgf) mean(s float64) float64 { return real(c.series(c.slope, complex(s, 0))) }

// variance returns K”, the variance of log w under the tilt by s.
func (c *cgf) variance(s float64) float64 { return real(c.series(c.curve, complex(s, 0))) }

// leastVariance returns about the smallest variance of log w under the tilts.
func (c *cgf) leastVariance() float64 {
	least := math.Inf(1)
	for i := range 17 {
		least = min(least, c.variance(c.most*float64(i)/16))
	}
	return least
}

// series returns the sum of a series in Chebyshev's polynomials, by Clenshaw's recurrence.
func (c *cgf) series(v []float64, s complex128) complex128 {
	z := (s - complex(c.centre, 0)) / complex(c.radius, 0)
	var a, b complex128
	for i := len(v) - 1; i > 0; i-- {
		a, b = complex(v[i], 0)+2*z*a-b, a
	}
	return complex(v[0], 0) + z*a - b
}
