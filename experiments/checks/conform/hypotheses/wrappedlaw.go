package hypotheses

import (
	"cmp"
	"context"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"slices"
	"sort"
	"sync"

	"gonum.org/v1/gonum/floats"

	"breadboard/experiments/subject"
)

// wrappedLaw says how log weights are put into bins where they can take too many values to list
// them. Noise is added to the log weight, and the sum is wrapped around a wrappedLaw of the
// circumference period, with the centre opposite the seam. The noise is of the distribution with
// density proportional to (sin(x/width)/(x/width))^4, whose characteristic function is a cubic
// spline that is zero from the angular frequency
// 4/width on. So the density on the wrappedLaw is a sum of as many terms as there are frequencies,
// without any remainder.
type wrappedLaw struct {
	center, period, width float64
	frequencies           int       // including zero
	edges                 []float64 // of the bins, from 0 to 1 around the circle
	fine, coarse          equalBins
	mu                    sync.Mutex
	spare                 []*fourierSums // memory of those that are no longer needed
}

const (
	// the circumference in standard deviations of the log weight under the specification
	periodDeviations = 24
	// circleFrequencies is the number of frequencies. With it the noise has a tenth of the standard
	// deviation of the log weight, and bins of a quarter of it lose little.
	circleFrequencies = 128
	finePerDeviation  = 4
	// the part of the circle, in standard deviations, that has fine bins; the rest has bins of one
	fineDeviations = 12
	mostWaves      = periodDeviations*finePerDeviation/2 + 1
)

// newWrappedLaw returns the bins for log weights of a mean and a standard deviation, in nats.
func newWrappedLaw(mean, deviation float64) *wrappedLaw {
	c := &wrappedLaw{center: mean, period: periodDeviations * deviation, frequencies: circleFrequencies}
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
	bins := len(c.edges) - 1
	half := fineDeviations * finePerDeviation / 2
	fine := equalBins{places: periodDeviations * finePerDeviation, bins: bins, first: bins / 2}
	c.fine = fine.withWaves(half, circleFrequencies)
	rough := equalBins{places: periodDeviations, bins: bins, first: bins/2 + half, from: fineDeviations / 2}
	c.coarse = rough.withWaves(bins-bins/2-half, circleFrequencies)
	return c
}

// deviation returns the standard deviation for which the circle was made.
func (c *wrappedLaw) deviation() float64 { return c.period / periodDeviations }

// bins returns the number of bins. The last two are for a weight of zero and for one that is
// infinite.
func (c *wrappedLaw) bins() int { return len(c.edges) - 1 + 2 }

// omega returns the k-th angular frequency.
func (c *wrappedLaw) omega(k int) float64 { return 2 * math.Pi * float64(k) / c.period }

// smoothing returns the characteristic function of the noise, zero from 4/width on: the fourfold
// convolution of a box with itself.
func (c *wrappedLaw) smoothing(omega float64) float64 {
	switch s := c.width * math.Abs(omega) / 2; {
	case s <= 1:
		return 1 - 1.5*s*s + 0.75*s*s*s
	case s < 2:
		return 0.25 * (2 - s) * (2 - s) * (2 - s)
	}
	return 0
}

// bin returns the bin of a log weight, with noise from rng.
func (c *wrappedLaw) bin(v float64, rng *rand.Rand) int {
	switch {
	case math.IsInf(v, -1):
		return len(c.edges) - 1
	case math.IsInf(v, 1):
		return len(c.edges)
	}
	at := (v+c.width*noise(rng)-c.center)/c.period + 0.5
	at -= math.Floor(at)
	return sort.Search(len(c.edges)-2, func(i int) bool { return !(at >= c.edges[i+1]) })
}

// noise draws from the density 3/(2 pi) (sin(x)/x)^4, by rejection from the envelope min(1, x^-4).
func noise(rng *rand.Rand) float64 {
	for {
		bits := rng.Uint64()
		u := float64(bits>>11) * 0x1p-53
		sign := 1 - 2*float64(bits&1)
		v := rng.Float64()
		if u < 0.75 {
			x := u / 0.75
			// sin(x)/x is at least 1 - x^2/6, so that most draws are kept without a sine.
			if v < 1-2*x*x/3 || v < fourth(math.Sin(x)/x) {
				return sign * x
			}
		} else if x := 1 / math.Cbrt(4*(1-u)); v < fourth(math.Sin(x)) {
			return sign * x
		}
	}
}

// fourth returns the fourth power.
func fourth(v float64) float64 { return v * v * v * v }

// transform returns the Fourier coefficients of the log weights that a program makes.
func (r *wrappedLaw) transform(ctx context.Context, c *code, m *markov,
	columns Columns) (*fourierSums, error) {
	origins := c.origins(columns, m.n)
	f := r.fourierSums(origins, m.n)
	for x, p := range m.start {
		now := f.coefficients(f.now, m.startAt(x, origins))
		clear(now)
		for k := range r.frequencies {
			now[k] = p
		}
	}
	turn := make([]complex128, r.frequencies)
	for i := range m.steps {
		s := &m.steps[i]
		if s.before {
			f.addIncrements(r, s, c.scale, turn)
		}
		if err := f.moveSums(ctx, s); err != nil {
			return nil, err
		}
		if !s.before {
			f.addIncrements(r, s, c.scale, turn)
		}
	}
	return f, nil
}

// fourierSums has the Fourier coefficients of the log weight at every pair of origin and state, all
// real parts before all imaginary ones, and the probabilities of weights that have become zero or
// infinite there.
type fourierSums struct {
	origins, n, K  int
	now, next      []float64
	lost, lostNext [][2]float64
}

// fourierSums returns coefficients that are all zero, in the memory of such as are no longer needed
// if there is some.
func (r *wrappedLaw) fourierSums(origins, n int) *fourierSums {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, f := range r.spare {
		if f.origins == origins && f.n == n {
			r.spare = slices.Delete(r.spare, i, i+1)
			for at := range f.lost {
				f.coefficients(f.now, at)[0] = 0
			}
			clear(f.lost)
			return f
		}
	}
	at := origins * n
	numbers := func() []float64 { return make([]float64, 2*at*r.frequencies) }
	return &fourierSums{
		origins, n, r.frequencies, numbers(), numbers(), make([][2]float64, at), make([][2]float64, at)}
}

// free gives back the memory of coefficients.
func (r *wrappedLaw) free(f *fourierSums) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.spare = append(r.spare, f)
}

// coefficients returns those at a pair of origin and state. The first is the probability of a
// weight that is neither zero nor infinite; if that is zero all others are taken for zero, whatever
// stands there.
func (f *fourierSums) coefficients(of []float64, at int) []float64 { return of[2*at*f.K:][:2*f.K] }

// addIncrements adds the increment of each state to the log weights there. A log weight that is
// infinite stays as it is.
func (f *fourierSums) addIncrements(r *wrappedLaw, s *step, scale float64, turn []complex128) {
	cos, sin := make([]float64, len(turn)), make([]float64, len(turn))
	for x, v := range s.increments {
		if v == 0 {
			continue
		}
		infinite := math.IsInf(v, 0)
		if !infinite {
			r.turns(turn, scale*v)
			for k, t := range turn {
				cos[k], sin[k] = real(t), imag(t)
			}
		}
		for at := x; at < f.origins*f.n; at += f.n {
			now := f.coefficients(f.now, at)
			switch {
			case now[0] == 0:
			case infinite && v > 0:
				f.lost[at][1] += now[0]
				now[0] = 0
			case infinite:
				f.lost[at][0] += now[0]
				now[0] = 0
			default:
				multiply(now, cos, sin)
			}
		}
	}
}

// multiply multiplies coefficients by complex numbers.
func multiply(coefficients, cos, sin []float64) {
	re := coefficients[:len(cos)]
	im := coefficients[len(cos):][:len(cos)]
	sin = sin[:len(cos)]
	for k, c := range cos {
		a := re[k]
		b := im[k]
		s := sin[k]
		re[k], im[k] = a*c-b*s, a*s+b*c
	}
}

// around returns exp(i omega_k v) by k. Whole turns of v are left out first, exactly, so that a
// large v costs no digits.
func (r *wrappedLaw) around(v float64) func(k int) complex128 {
	part := math.Remainder(v, r.period) / r.period
	return func(k int) complex128 { return cmplx.Rect(1, 2*math.Pi*math.Remainder(float64(k)*part, 1)) }
}

// turns sets turn[k] to exp(i omega_k v). Of 16 a + b each of the two parts has its own sine and
// cosine.
func (r *wrappedLaw) turns(turn []complex128, v float64) {
	const fine = 16
	at := r.around(v)
	for a := 0; a < len(turn); a += fine {
		turn[a] = at(a)
	}
	for b := 1; b < min(fine, len(turn)); b++ {
		by := at(b)
		turn[b] = by
		for a := fine; a+b < len(turn); a += fine {
			turn[a+b] = turn[a] * by
		}
	}
}

// moveSums takes what is at every state along the moves, origin by origin, so that what is moved
// stays in the cache. What comes to a state first is written there, and the rest is added.
func (f *fourierSums) moveSums(ctx context.Context, s *step) error {
	clear(f.lostNext)
	reached := make([]bool, f.n)
	for o := range f.origins {
		if err := ctx.Err(); err != nil {
			return err
		}
		clear(reached)
		for x := range f.n {
			at := o*f.n + x
			now := f.coefficients(f.now, at)
			lost := f.lost[at]
			if lost != [2]float64{} {
				for _, e := range s.entriesFrom(x) {
					to := o*f.n + e.To
					f.lostNext[to][0] += lost[0] * e.P
					f.lostNext[to][1] += lost[1] * e.P
				}
			}
			if now[0] == 0 {
				continue
			}
			for _, e := range s.entriesFrom(x) {
				to := o*f.n + e.To
				if next := f.coefficients(f.next, to); reached[e.To] {
					floats.AddScaled(next, e.P, now)
				} else {
					floats.ScaleTo(next, e.P, now)
					reached[e.To] = true
				}
			}
		}
		for x, is := range reached {
			if !is {
				f.coefficients(f.next, o*f.n+x)[0] = 0
			}
		}
	}
	f.now, f.next, f.lost, f.lostNext = f.next, f.now, f.lostNext, f.lost
	return nil
}

// collect turns the coefficients at every pair of origin and state into probabilities of bins, for
// the states that are written. Every bin is widened by so many nats at either end: so each
// probability is at least that of the bin for log weights which are off by up to as much, whatever
// decides in which direction.
func (r *wrappedLaw) collect(c *code, f *fourierSums, columns Columns, widened float64) []float64 {
	bins := r.bins()
	p := make([]float64, columns.keys(f.n)*bins)
	keys := make([]int, len(f.lost))
	for at, lost := range f.lost {
		first, last := c.ends(at/f.n, at%f.n)
		first, last, _ = c.written(first, last, 0)
		key := columns.key(first, last, f.n)
		keys[at] = key
		zero := bins - 2
		infinite := bins - 1
		if c.scale < 0 {
			zero, infinite = infinite, zero
		}
		p[key*bins+zero] += lost[0]
		p[key*bins+infinite] += lost[1]
	}
	fine := r.factors(&r.fine, c.offset, widened)
	coarse := r.factors(&r.coarse, c.offset, widened)
	coefficients := make([]float64, 2*r.frequencies) // of one key
	// what is even around the centre and what is odd, while equal bins are added
	halves := new([2][mostWaves]float64)
	order := subject.Order(len(keys), func(i, j int) int { return cmp.Compare(keys[i], keys[j]) })
	for i, at := range order {
		if of := f.coefficients(f.now, at); of[0] != 0 {
			floats.Add(coefficients, of)
		}
		if i+1 < len(order) && keys[order[i+1]] == keys[at] {
			continue
		}
		if coefficients[0] != 0 {
			of := p[keys[at]*bins:][:bins-2]
			r.fine.addEqualBins(of, coefficients, fine, halves)
			r.coarse.addEqualBins(of, coefficients, coarse, halves)
		}
		clear(coefficients)
	}
	return p
}

// factors returns, for each frequency, the complex factor by which the coefficient enters into the
// probability of a bin whose middle is at the centre. The probability is the real part of the sum
// over frequencies of the complex coefficient times the integral of exp(-i omega_k u) over the bin,
// divided by the period, with the smoothing and the offset of the log weight; twice that but for k
// = 0, since the negative frequencies give the same. A bin that is widened, in nats, to more than
// the circle is all of it.
func (r *wrappedLaw) factors(c *equalBins, offset, widened float64) []complex128 {
	length := 1/float64(c.places) + 2*widened/r.period
	out := make([]complex128, r.frequencies)
	out[0] = complex(min(length, 1), 0)
	if length > 1 {
		return out
	}
	// Each of the two is brought to the circle before they are subtracted: a small offset would be
	// rounded beside a large centre.
	around := r.around(math.Remainder(offset, r.period) - math.Remainder(r.center, r.period))
	for k := 1; k < r.frequencies; k++ {
		angle := math.Pi * float64(k)
		out[k] = complex(2*r.smoothing(r.omega(k))*math.Sin(angle*length)/angle, 0) * around(k)
	}
	return out
}
