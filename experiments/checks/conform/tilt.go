package conform

import (
	"context"
	"errors"
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/exact/weights"
	"breadboard/experiments/checks/eprocess"
	"breadboard/experiments/checks/selfcheck"
)

// Tilt is the law of the log weight of one chain with the density exp(Theta log w - K(Theta)) relative to the exact law, where
// K(theta) = log E[w^theta]. Both laws are given that the weight is finite and positive. Among all laws of log w with a given mean, this is
// the one that is nearest to the exact law, in Kullback-Leibler divergence. So the power along the tilts is that against the deviations of
// the mean that are the hardest to see. For the power of tests of counts see eprocess.Detectable.
type Tilt struct {
	Theta float64
	Mean  float64 // E[log w] under the tilt, in nats
	Shift float64 // how far that is from the mean of the exact law, in nats
	KL    float64 // the divergence of one chain under the tilt from one under the exact law, in nats
}

// minChains is the smallest number of chains for which LeastTilts answers. The law of the sum of fewer may be far from smooth.
const minChains = 1000

// LeastTilts returns the least tilts of the law of log w, downwards and upwards, that eprocess.WeightsLogE finds: after n chains of
// finite and positive weight its log e-value is at least logThreshold with a probability of eprocess.Found. Larger tilts
// are found with a larger probability. A test that looks at earlier times as well finds at least as much. Where the laws
// allow for rounding the e-value does, too; the log weights under the tilts are those that are written.
//
// The log e-value is a convex function of the sum S of the log weights, so that it reaches the threshold outside of an
// interval. The law of S under a tilt comes from its characteristic function exp(n (K(theta + i u) - K(theta))), by the
// formula of Gil-Pelaez with a step of Davies. K is analytic, and is continued from 24 points on the real line, which take one
// sweep of O(24 T entries) time; the reach of the points is widened up to 40 times. The frequencies beyond 8.5 standard
// deviations of S are left out: that smooths the law of S over an eighth of its standard deviation where it is a lattice's,
// so that the probability is off by half of an atom of S at most, some 10^-4 at 1000 chains and less at more.
//
// It fails where log w does not vary, and where so few chains have so skew a law that K has no accurate continuation.
//
// Source: Gil-Pelaez 1951; Davies 1973, Biometrika 60, equation 5.
func LeastTilts(ctx context.Context, l *selfcheck.ChainLaws, d chains.Direction, n int, logThreshold float64) (low, high Tilt, err error) {
	if n < minChains {
		return low, high, fmt.Errorf("%d chains; the power of the test of log weights is computed for at least %d", n, minChains)
	}
	if !(logThreshold >= -number.Log(1-eprocess.Found)) {
		return low, high, fmt.Errorf("a log threshold of %v; it is at least %.3g", logThreshold, -number.Log(1-eprocess.Found))
	}
	powers, at := l.RoundedCGF(d)
	reached := func(s float64) bool { return eprocess.WeightsLogE(s, n, powers, at) >= logThreshold }
	if low, err = least(ctx, l, d, n, -1, reached); err != nil {
		return low, high, err
	}
	high, err = least(ctx, l, d, n, 1, reached)
	return low, high, err
}

// least returns the least tilt of one sign that is found.
func least(ctx context.Context, l *selfcheck.ChainLaws, d chains.Direction, n int, sign float64, reached func(sum float64) bool) (Tilt, error) {
	sd, err := spread(l, d)
	if err != nil {
		return Tilt{}, err
	}
	// A tilt by z/(sd sqrt(n)) moves the sum by some z standard deviations. The first try is close to what the least threshold needs.
	unit := 1 / (sd * math.Sqrt(float64(n)))
	most, high := 5*unit, largest*unit
	for range tries {
		k, err := fit(ctx, l, d, sign*most, high, n)
		if err != nil {
			return Tilt{}, err
		}
		v := k.leastVariance()
		if !(v > 0) {
			return Tilt{}, fmt.Errorf("the variance of log w is below the rounding of its cumulant generating function, of which the power of %d chains is computed", n)
		}
		if needed := largest / math.Sqrt(float64(n)*v); needed > high {
			high = 1.05 * needed
			continue
		}
		s := newSum(n, k, reached)
		p, err := s.found(ctx, sign*most)
		if err != nil {
			return Tilt{}, err
		}
		if p >= eprocess.Found {
			return s.least(ctx, sign*most)
		}
		most *= 1.4
	}
	return Tilt{}, fmt.Errorf("no tilt of the log weights up to %.3g is found by %d chains", sign*most, n)
}

// tries bounds how often the reach of a polynomial is widened, to some 10^4 times that of the first.
const tries = 40

// newSum returns the sum of n log weights, with the interval in which the log e-value does not reach the threshold.
func newSum(n int, k *cgf, reached func(sum float64) bool) *sum {
	// At its expectation no term of the e-value is above one, by Jensen's inequality.
	mean, sd := float64(n)*k.mean(0), math.Sqrt(float64(n)*k.variance(0))
	edge := func(sign float64) float64 {
		out := sd
		for !reached(mean + sign*out) {
			out *= 2
		}
		in := 0.0
		for {
			middle := in + (out-in)/2
			if middle == in || middle == out {
				return mean + sign*out
			}
			if reached(mean + sign*middle) {
				out = middle
			} else {
				in = middle
			}
		}
	}
	return &sum{n: float64(n), k: k, below: edge(-1), above: edge(1)}
}

// sum is the sum of the log weights of n chains, with the sums from which on the test finds a fault.
type sum struct {
	n            float64
	k            *cgf
	below, above float64
}

// least returns the least tilt that is found, on the way from none to one that is found.
func (s *sum) least(ctx context.Context, found float64) (Tilt, error) {
	// The probability of the interval that is not found is unimodal in theta, since the tilts are an exponential family in
	// the sum. It is nearly one at theta = 0, so that there is a single crossing on either side.
	in, out := found, 0.0
	for range 60 {
		middle := in + (out-in)/2
		p, err := s.found(ctx, middle)
		if err != nil {
			return Tilt{}, err
		}
		if p >= eprocess.Found {
			in = middle
		} else {
			out = middle
		}
	}
	mean := s.k.mean(in)
	return Tilt{Theta: in, Mean: mean, Shift: mean - s.k.mean(0), KL: in*mean - s.k.value(in)}, nil
}

// found returns the probability, under a tilt, that the sum is where the test finds a fault. Every loop that may be long passes here, and
// so ends with the context.
func (s *sum) found(ctx context.Context, theta float64) (float64, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	below, err := s.atMost(s.below, theta)
	if err != nil {
		return 0, err
	}
	inside, err := s.atMost(s.above, theta)
	return below + 1 - inside, err
}

const (
	tail    = 9.0   // a normal law has a probability of 1e-19 beyond so many standard deviations
	largest = 8.5   // the largest frequency, in inverse standard deviations; a normal law has 2e-16 there
	faint   = 1e-10 // characteristic functions have died out below this
)

// atMost returns the probability, under a tilt, that the sum is at most x.
func (s *sum) atMost(x, theta float64) (float64, error) {
	mean, sd := s.n*s.k.mean(theta), math.Sqrt(s.n*s.k.variance(theta))
	base := s.k.value(theta)
	step := 2 * math.Pi / (math.Abs(x-mean) + tail*sd) // Davies: the error is the probability beyond x +- 2 pi / step
	total, size := 0.0, 1.0
	for j := 0.5; j*step < s.k.high; j++ {
		u := j * step
		// The phase n theta' - u x is taken relative to the mean, since the two are large and nearly the same.
		z := s.k.at(complex(theta, u)) - complex(base, u*mean/s.n)
		size = math.Exp(s.n * real(z))
		total += size * math.Sin(s.n*imag(z)-u*(x-mean)) / j
		if size < 1e-17 {
			break
		}
	}
	if size > faint {
		return 0, fmt.Errorf("the law of the sum of %.0f log weights is too far from a normal law: its characteristic function is still %.2g at a frequency of %.3g", s.n, size, s.k.high)
	}
	return 0.5 - total/math.Pi, nil
}

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
func spread(l *selfcheck.ChainLaws, d chains.Direction) (float64, error) {
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
func fit(ctx context.Context, l *selfcheck.ChainLaws, d chains.Direction, most, high float64, n int) (*cgf, error) {
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

const (
	leastRounding = 0x1p-50 // what the coefficients of a K of any size are off by at least
	accuracy      = 1e-3    // bounds the error of the log of the characteristic function of a sum
)

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
