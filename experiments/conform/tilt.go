package conform

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains"
	"breadboard/experiments/crosscheck"
	"breadboard/experiments/eprocess"
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

// MinChains is the smallest number of chains for which LeastTilts answers. The law of the sum of fewer may be far from smooth.
const MinChains = 1000

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
func LeastTilts(ctx context.Context, l *crosscheck.ChainLaws, d chains.Direction, n int, logThreshold float64) (low, high Tilt, err error) {
	if n < MinChains {
		return low, high, fmt.Errorf("%d chains; the power of the test of log weights is computed for at least %d", n, MinChains)
	}
	if !(logThreshold >= -math.Log(1-eprocess.Found)) {
		return low, high, fmt.Errorf("a log threshold of %v; it is at least %.3g", logThreshold, -math.Log(1-eprocess.Found))
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
func least(ctx context.Context, l *crosscheck.ChainLaws, d chains.Direction, n int, sign float64, reached func(sum float64) bool) (Tilt, error) {
	sd, err := spread(l, d)
	if err != nil {
		return Tilt{}, err
	}
	// A tilt by z/(sd sqrt(n)) moves the sum by some z standard deviations. The first try is close to what the least threshold
	// needs.
	unit := 1 / (sd * math.Sqrt(float64(n)))
	most, high := 5*unit, largest*unit
	for range tries {
		k, err := fit(ctx, l, d, sign*most, high, n)
		if err != nil {
			return Tilt{}, err
		}
		if needed := largest / math.Sqrt(float64(n)*k.leastVariance()); needed > high {
			high = 1.05 * needed
			continue
		}
		s := newSum(n, k, reached)
		p, err := s.found(sign * most)
		if err != nil {
			return Tilt{}, err
		}
		if p >= eprocess.Found {
			return s.least(sign * most)
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
func (s *sum) least(found float64) (Tilt, error) {
	// The probability of the interval that is not found is unimodal in theta, since the tilts are an exponential family in
	// the sum. It is nearly one at theta = 0, so that there is a single crossing on either side.
	in, out := found, 0.0
	for range 60 {
		middle := in + (out-in)/2
		p, err := s.found(middle)
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

// found returns the probability, under a tilt, that the sum is where the test finds a fault.
func (s *sum) found(theta float64) (float64, error) {
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
