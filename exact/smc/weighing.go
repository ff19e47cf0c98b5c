package smc

import (
	"context"
	"math"

	"breadboard/chains/number"
	"breadboard/exact/internal/stage"
)

// weighing holds the factors of the weights at a stage by state, over Z_t/Z_{t-1}: w = p_t/p_{t-1},
// zero if either is zero, and w - 1 to full relative accuracy.
type weighing struct{ w, rise []float64 }

// takeWeights takes over the weights of a stage.
func (v *weighing) takeWeights(s *stage.Stage) {
	n := len(s.Lambda)
	if v.w == nil {
		v.w = make([]float64, n)
		v.rise = make([]float64, n)
	}
	for x, l := range s.Lambda {
		v.w[x], v.rise[x] = 0, -1
		if s.Both(x) {
			v.w[x], v.rise[x] = math.Exp(-l), math.Expm1(-l)
		}
	}
}

// logMean returns the logarithm of a mean weight, given the mean of w and that of w - 1, with all
// digits if it is near zero.
func logMean(mean, rise float64) float64 {
	if math.Abs(rise) < 0.5 {
		return math.Log1p(rise)
	}
	return number.Log(mean)
}

// The columns of a tilted distribution of particles.
const (
	run = iota // their probability
	// E[Zhat/Z; particles], their probability in meta-inference for an output from the target
	meta
	derivative // E[Zhat/Z log(Zhat/Z); particles]
	square     // E[(Zhat/Z)^2; particles]; not always there
	maxColumns
)

// account sums the contributions of a stage to the Law.
type account struct {
	mean    number.BlockSum // of the logarithm of the mean weight
	extinct number.BlockSum // of the probability that all weights are zero
	power   *complex128     // if it is set, the columns are those of tiltPower, and nothing is summed
	ended   func() error    // the error of the context, after which resampling may stop; nil never ends
}

// stops reports whether resampling stops.
func (c *account) stops() bool { return c.ended != nil && c.ended() != nil }

// tilt multiplies the columns of one configuration of particles by the factors of the mean weight
// of the stage. It returns false if all weights are zero.
func (c *account) tilt(v *[maxColumns]float64, mean, rise float64) bool {
	if mean == 0 {
		c.extinct.Add(v[run])
		return false
	}
	log := logMean(mean, rise)
	if c.power != nil {
		tiltPower(v, *c.power, log)
		return true
	}
	c.mean.Add(v[run] * log)
	v[derivative] = mean * (v[derivative] + log*v[meta])
	v[meta] *= mean
	v[square] *= mean * mean
	return true
}

// engine is the distribution of all particles between two stages, in columns.
type engine interface {
	method() Method
	// drawFirst makes all particles independent draws from p. Only the first columns, of the given
	// number, are used.
	drawFirst(p []float64, columns int)
	// resample weighs the particles and resamples them.
	resample(w *weighing, c *account)
	// moveParticles moves all particles. The function share calls do for each number from 0 to one
	// less than parts, in any order.
	moveParticles(ctx context.Context, t *transition, share func(parts int, do func(int)))
	// outputs writes the distribution of a particle that is chosen evenly, for each column.
	outputs() [][]float64
}

// The moments of log S, S the mean of M values of W, come from the Laplace transforms Phi(t) = E
// exp(-t W) and Phi1(t) = E[W exp(-t W)], both under meta-inference. With E a standard exponential
// variable, H(t) = E exp(-t S) is the probability that E/S is above t. So log E - log S has the
// survival function H(e^u), and log E has H0(e^u) = exp(-e^u), which gives
//
//	E log S = integral of (H0 - H) du,   E (log S)^2 = integral of 2 u (H - H0) du - 2 gamma E log S.
//
// H is Phi(t/M)^M if all traces are from meta-inference, and Phi1(t/M) Phi(t/M)^(M-1) if the first
// is from a run. Both are analytic and at most one for |Im u| < pi/2, so that the trapezoidal rule
// with a step of 0.2 is off by about exp(-pi^2/0.2), which is 4e-22.
const logStep = 0.2

// transforms are Phi and Phi1 at one t, by their logarithms, and what these logarithms differ from
// those for W = 1, with all digits of the difference where t is small.
type transforms struct {
	logPhi, logPhi1 float64
	dev, dev1       float64 // log Phi + t and log Phi1 + t
}

// transformed writes the moments of log S at output x for the traces at these places. RunOnly is
// one less the mean of W.
func (d *discrete) transformed(out []Traces, places []int, x int, runOnly float64) {
	if len(d.logw) == 0 {
		return
	}
	most := 0
	for _, i := range places {
		most = max(most, out[i].M)
	}
	// Below the first point t S is less than e^-40 for every S, and above the last one more than
	// e^4.2: H is one or zero there, so that more points would not change the sums in float64.
	low, high := logRange(d.logw[0], d.logw[len(d.logw)-1], most)
	sums := make([]logSums, len(places))
	for k := low; k <= high; k++ {
		logt := float64(k) * logStep
		f := d.transforms(logt, runOnly)
		for j, i := range places {
			sums[j].addPoint(f, logt, float64(out[i].M))
		}
	}
	for j, i := range places {
		out[i].Meta[x], out[i].Meta2[x] = sums[j].meta.moments()
		out[i].Run[x], out[i].Run2[x] = sums[j].run.moments()
	}
}

// transforms returns the transforms at t, given by its logarithm.
func (d *discrete) transforms(logt, runOnly float64) transforms {
	t := math.Exp(logt)
	// short is 1 - Phi, and second the mean of exp(-t W) - 1 + t W
	var phi, short, second, phi1, short1 float64
	for i, l := range d.logw {
		y := math.Exp(logt + l)
		e, less, rest := shortfall(y)
		phi += d.p[i] * e
		short += d.p[i] * less
		second += d.p[i] * rest
		phi1 += d.run[i] * e
		short1 += d.run[i] * less
	}
	f := transforms{logPhi: number.Log(phi + d.zero), logPhi1: number.Log(phi1)}
	f.dev = f.logPhi + t
	f.dev1 = f.logPhi1 + t
	if short < 0.5 {
		f.logPhi = math.Log1p(-short)
		f.dev = logShortfall(short) + second + t*runOnly // as t - short is second + t (1 - E W)
	}
	if short1 < 0.5 {
		f.logPhi1 = math.Log1p(-short1)
		f.dev1 = f.logPhi1 + t
	}
	return f
}

// shortfall returns exp(-y), 1 - exp(-y) and exp(-y) - 1 + y, each with full relative digits.
func shortfall(y float64) (e, less, rest float64) {
	if y > 0.5 {
		e = math.Exp(-y)
		return e, 1 - e, y - 1 + e
	}
	less = -math.Expm1(-y)
	return 1 - less, less, series(-y)
}

// series returns e^v - 1 - v for |v| <= 1/2.
func series(v float64) float64 {
	sum := 0.0
	term := v
	for k := 2.0; k < 16; k++ {
		term *= v / k
		sum += term
	}
	return sum
}

// logShortfall returns log(1 - a) + a for 0 <= a < 1/2, with full relative digits.
func logShortfall(a float64) float64 {
	if a > 0.05 {
		return math.Log1p(-a) + a
	}
	sum := 0.0
	power := a
	for k := 2.0; k < 14; k++ {
		power *= a
		sum -= power / k
	}
	return sum
}

// logSums adds up the integrals for one number of traces.
type logSums struct{ meta, run integrals }

// integrals are of H0 - H and of 2 u (H - H0).
type integrals struct{ first, second number.Sum }

// addPoint adds one point of the trapezoidal rule.
func (s *logSums) addPoint(f transforms, logt, m float64) {
	u := logt + number.Log(m)
	h0 := math.Exp(-math.Exp(u))
	s.meta.addPoint(u, h0, m*f.logPhi, m*f.dev)
	s.run.addPoint(u, h0, f.logPhi1+(m-1)*f.logPhi, f.dev1+(m-1)*f.dev)
}

// addPoint adds the point u, where H is given by its logarithm, and by what that differs from log
// H0.
func (i *integrals) addPoint(u, h0, logH, dev float64) {
	var d float64
	if math.Abs(dev) < 1 {
		d = -h0 * math.Expm1(dev)
	} else {
		d = h0 - math.Exp(logH)
	}
	i.first.Add(logStep * d)
	i.second.Add(logStep * -2 * u * d)
}

// moments returns E log S and E (log S)^2.
func (i *integrals) moments() (first, second float64) {
	first = i.first.Value()
	return first, i.second.Value() - 2*number.EulerGamma*first
}
