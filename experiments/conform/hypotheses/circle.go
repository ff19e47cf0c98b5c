package hypotheses

import (
	"context"
	"math"
	"math/cmplx"
	"math/rand/v2"
)

// circle says how log weights are put into bins where they can take too many values to list them. Noise is added to the log
// weight, and the sum is wrapped around a circle of the circumference period, with the centre opposite the seam. The noise is
// of the law with density proportional to (sin(x/width)/(x/width))^4, whose characteristic function is a cubic spline that is
// zero from the angular frequency 4/width on. So the density on the circle is a sum of as many terms as there are
// frequencies, without any remainder.
type circle struct {
	center, period, width float64
	frequencies           int       // including zero
	edges                 []float64 // of the bins, from 0 to 1 around the circle
}

const (
	// periodDeviations is the circumference in standard deviations of the log weight under the specification.
	periodDeviations = 24
	// circleFrequencies is the number of frequencies. With it the noise has a tenth of the standard deviation of the log
	// weight, and bins of a quarter of it lose little.
	circleFrequencies = 128
	finePerDeviation  = 4
	fineDeviations    = 12 // the part of the circle, in standard deviations, that has fine bins; the rest has bins of one
)

// newCircle returns the bins for log weights of a mean and a standard deviation, in nats.
func newCircle(mean, deviation float64) *circle {
	c := &circle{center: mean, period: periodDeviations * deviation, frequencies: circleFrequencies}
	c.width = 4 * c.period / (2 * math.Pi * circleFrequencies)
	coarse := (periodDeviations - fineDeviations) / 2
	for i := range coarse {
		c.edges = append(c.edges, float64(i)/periodDeviations)
	}
	for i := range fineDeviations * finePerDeviation {
		c.edges = append(c.edges, (float64(coarse)+float64(i)/finePerDeviation)/periodDeviations)
	}
	for i := periodDeviations - coarse; i <= periodDeviations; i++ {
		c.edges = append(c.edges, float64(i)/periodDeviations)
	}
	return c
}

// bins returns the number of bins. The last two are for a weight of zero and for one that is infinite.
func (c *circle) bins() int { return len(c.edges) - 1 + 2 }

// omega returns the k-th angular frequency.
func (c *circle) omega(k int) float64 { return 2 * math.Pi * float64(k) / c.period }

// smoothing returns the characteristic function of the noise: 1 at zero, and zero from 4/width on. It is the fourfold
// convolution of a box with itself.
func (c *circle) smoothing(omega float64) float64 {
	switch s := c.width * math.Abs(omega) / 2; {
	case s <= 1:
		return 1 - 1.5*s*s + 0.75*s*s*s
	case s < 2:
		return 0.25 * (2 - s) * (2 - s) * (2 - s)
	}
	return 0
}

// bin returns the bin of a log weight, with noise from rng.
func (c *circle) bin(v float64, rng *rand.Rand) int {
	switch {
	case math.IsInf(v, -1):
		return len(c.edges) - 1
	case math.IsInf(v, 1):
		return len(c.edges)
	}
	at := (v+c.width*noise(rng)-c.center)/c.period + 0.5
	at -= math.Floor(at)
	low, high := 0, len(c.edges)-1
	for high-low > 1 {
		if middle := (low + high) / 2; at >= c.edges[middle] {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}

// noise draws from the density 3/(2 pi) (sin(x)/x)^4, by rejection from the envelope min(1, x^-4).
func noise(rng *rand.Rand) float64 {
	for {
		u := rng.Float64()
		x, keep := 0.0, 0.0
		if u < 0.75 {
			if x = u / 0.75; x == 0 {
				return 0
			}
			keep = math.Pow(math.Sin(x)/x, 4)
		} else {
			x = 1 / math.Cbrt(4*(1-u))
			keep = math.Pow(math.Sin(x), 4)
		}
		if v := rng.Float64(); v < keep {
			if rng.Uint64()&1 == 0 {
				return -x
			}
			return x
		}
	}
}

// law returns the probability of every bin for every key of the columns, key by key. The rounding of a probability is about
// 1e-15 times the number of steps.
func (r *circle) law(ctx context.Context, c *code, m *markov, columns Columns) ([]float64, error) {
	origins := 1
	if c.needsStart(columns) {
		origins = m.n
	}
	K := r.frequencies
	now, next := make([]complex128, origins*m.n*K), make([]complex128, origins*m.n*K)
	lost, lostNext := make([][2]float64, origins*m.n), make([][2]float64, origins*m.n) // of weight zero and infinite
	for x, p := range m.start {
		at := x
		if origins > 1 {
			at = x*m.n + x
		}
		for k := range K {
			now[at*K+k] = complex(p, 0)
		}
	}
	turn := make([]complex128, K)
	for i := range m.steps {
		clear(next)
		clear(lostNext)
		for x := range m.n {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			for _, b := range m.steps[i].of(x) {
				if b.p == 0 {
					continue
				}
				r.turns(turn, c.scale*b.increment, b.p)
				for o := range origins {
					from, to := o*m.n+x, o*m.n+b.to
					carry(lost[from], &lostNext[to], now[from*K], b)
					if !math.IsInf(b.increment, 0) {
						multiplyAdd(next[to*K:][:K], now[from*K:][:K], turn)
					}
				}
			}
		}
		now, next, lost, lostNext = next, now, lostNext, lost
	}
	return r.collect(c, m.n, columns, now, lost), nil
}

// turns sets turn[k] to p exp(i omega_k v).
func (r *circle) turns(turn []complex128, v, p float64) {
	if math.IsInf(v, 0) {
		return
	}
	for k := range turn {
		turn[k] = complex(p, 0) * cmplx.Rect(1, math.Mod(r.omega(k)*v, 2*math.Pi))
	}
}

// carry takes the probabilities of weights of zero and infinity along a branch.
func carry(lost [2]float64, to *[2]float64, alive complex128, b branch) {
	to[0] += lost[0] * b.p
	to[1] += lost[1] * b.p
	switch {
	case math.IsInf(b.increment, -1):
		to[0] += real(alive) * b.p
	case math.IsInf(b.increment, 1):
		to[1] += real(alive) * b.p
	}
}

// multiplyAdd adds the product of two lists to dst.
func multiplyAdd(dst, a, b []complex128) {
	for k := range dst {
		dst[k] += a[k] * b[k]
	}
}

// collect turns the coefficients at every pair of origin and state into probabilities of bins, for the states that are
// written.
func (r *circle) collect(c *code, n int, columns Columns, now []complex128, lost [][2]float64) []float64 {
	K, bins := r.frequencies, r.bins()
	written := make([]complex128, columns.keys(n)*K)
	p := make([]float64, columns.keys(n)*bins)
	for at := range lost {
		first, last := c.ends(at/n, at%n)
		first, last, _ = c.written(first, last, 0)
		key := columns.key(first, last, n)
		for k := range K {
			written[key*K+k] += now[at*K+k]
		}
		zero, infinite := bins-2, bins-1
		if c.scale < 0 {
			zero, infinite = infinite, zero
		}
		p[key*bins+zero] += lost[at][0]
		p[key*bins+infinite] += lost[at][1]
	}
	integrals := r.integrals(c.offset)
	for key := range columns.keys(n) {
		coefficients := written[key*K:][:K]
		if coefficients[0] == 0 {
			continue
		}
		for b := range bins - 2 {
			total := 0.0
			for k, v := range integrals[b*K:][:K] {
				total += real(coefficients[k])*real(v) - imag(coefficients[k])*imag(v)
			}
			p[key*bins+b] = total
		}
	}
	return p
}

// integrals returns, for bin b and frequency k, the factor by which the coefficient enters into the probability of the bin,
// of which the real part counts: the integral of exp(-i omega_k u) over the bin, divided by the period, with the smoothing
// and the offset of the log weight; twice that but for k = 0, since the negative frequencies give the same.
func (r *circle) integrals(offset float64) []complex128 {
	K := r.frequencies
	out := make([]complex128, (r.bins()-2)*K)
	for b := range r.bins() - 2 {
		out[b*K] = complex(r.edges[b+1]-r.edges[b], 0)
	}
	for k := 1; k < K; k++ {
		shift := complex(2*r.smoothing(r.omega(k)), 0) * cmplx.Rect(1, math.Mod(r.omega(k)*(offset-r.center), 2*math.Pi))
		angle := func(b int) complex128 { return cmplx.Rect(1, -2*math.Pi*float64(k)*(r.edges[b]-0.5)) }
		for b := range r.bins() - 2 {
			out[b*K+k] = shift * (angle(b+1) - angle(b)) / complex(0, -2*math.Pi*float64(k))
		}
	}
	return out
}
