package smc

import (
	"context"
	"fmt"
	"math"
	"math/cmplx"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/particle"
	"breadboard/exact/internal/crew"
	"breadboard/exact/internal/mellin"
	"breadboard/exact/weights"
)

// Independent is the Side of P particles that are never resampled: annealed particles with a
// resampling threshold of zero, or importance resampling. The particles are then independent chains
// with weights w_i, Zhat is their mean, and the output is the end of one of them, drawn by the
// weights. Meta-inference draws one weight v under the distribution of a chain that ends at x,
// tilted by w, and P - 1 chains as a run does. So only the Laplace transforms Phi of w and Phi_x of
// v given x are needed:
//
//	q(x)/p(x) = P integral of Phi_x(t) Phi(t)^(P-1) dt,
//
// and the moments E[S^z] of S = v + w_2 + ... + w_P come from E exp(-t S) = Phi_x Phi^(P-1).
type Independent struct {
	*Transformed
	// MeanLogZForward and MeanLogZConditional are E log Zhat under runs and under meta-inference
	// from the target, in nats. They are -Inf if all weights may be zero, and +Inf if
	// meta-inference may draw traces that no run has.
	MeanLogZForward, MeanLogZConditional float64
	// the second less the first; a constant in log f costs no digits
	B         float64
	LogZRatio float64 // log Z
	Error     float64 // bounds the error of both means, and of q(x)/p(x)
	Note      string  // the reason why they are NaN, if the error is above 1e-6
}

// MaxParticles is the largest number of particles that are never resampled.
const MaxParticles = 1_000_000_000

// NewNever returns the Side of sequential Monte Carlo on an annealing with any number of particles
// that are never resampled. It takes a sweep of O(T entries) time for each of some hundred to some
// thousand points of the weight's transform, for any number of particles. Zero workers means one
// for each processor.
func NewNever(ctx context.Context, a *chains.Annealing, particles, workers int) (*Independent, error) {
	chain, err := NewChain(ctx, a, workers, nil)
	if err != nil {
		return nil, err
	}
	laws, err := lawsOfChain(ctx, chain)
	if err != nil {
		return nil, err
	}
	o := chain.outputs
	// which are those of one particle
	o.meta = nil
	o.run = nil
	return newIndependent(ctx, o, laws, logZRatio(a), particles, workers)
}

// NewSIR returns the Side of importance resampling with any number of particles.
func NewSIR(ctx context.Context, f *particle.Proposed, particles, workers int) (*Independent, error) {
	n := f.Outputs()
	o := outputs{
		logP:      make([]float64, n),
		logRatio:  make([]float64, n),
		deviation: make([]float64, n),
		lost:      make([]bool, n),
	}
	for x := range n {
		o.logP[x] = f.LogTarget(x)
	}
	logZ := number.LogSumExp(o.logP)
	l := &atomLaws{logProposal: make([]float64, n), logw: make([]float64, n)}
	o.low, o.high = math.Inf(1), math.Inf(-1)
	for x, p := range f.Proposal() {
		o.logP[x] -= logZ
		l.logProposal[x] = number.Log(p)
		l.logw[x] = o.logP[x] - l.logProposal[x]
		o.logRatio[x], o.deviation[x] = -l.logw[x], math.Expm1(-l.logw[x])
		switch off := math.IsInf(o.logP[x], -1); {
		case p == 0:
			o.lost[x] = !off
			l.logw[x], o.logRatio[x], o.deviation[x] = math.Inf(-1), math.Inf(-1), -1
		case off:
			o.extinct += p
			o.logRatio[x], o.deviation[x] = math.Inf(-1), 0
		default:
			o.low, o.high = min(o.low, l.logw[x]), max(o.high, l.logw[x])
		}
	}
	return newIndependent(ctx, o, l, logZ, particles, workers)
}

// momentStep is the step in tau = log t of the integrals over t. Those for E[S^z] have the factor
// exp(-z tau), which grows like exp(pi/2 |Im z|) towards the ends of the strip in which they are
// analytic. With |Im z| up to 26 the trapezoidal rule is off by exp(-pi^2/momentStep + 26 pi) =
// 1e-7 of the range at a step of 0.1 times 1e-18 of 1/|Gamma(-z)| Gamma(z), far below rounding.
const momentStep = 0.1

// sumLaws holds the transforms at t = exp(low + j momentStep).
type sumLaws struct {
	particles float64
	low       float64
	run       []mellin.Transform
	rest      []mellin.Transform   // of the sum of P - 1 weights
	given     [][]mellin.Transform // by output
	mass      []float64
}

// newSumLaws computes the transforms for P particles, over all t at which an integral needs them.
func newSumLaws(ctx context.Context, o outputs, laws weightLaws, particles, workers int) (*sumLaws, error) {
	n := len(o.logP)
	t := &sumLaws{
		particles: float64(particles),
		given:     make([][]mellin.Transform, n),
		mass:      make([]float64, n),
	}
	t.low = -85 - number.Log(t.particles) - max(0, o.high)
	points := 1 + int((5+max(0, -o.low)-t.low)/momentStep)
	t.run = make([]mellin.Transform, points)
	t.rest = make([]mellin.Transform, points)
	err := crew.Jobs(ctx, n+1, workers, func(_ context.Context, x int) error {
		if x == n {
			t.ofRuns(laws)
		} else {
			t.transformOutput(x, laws, o)
		}
		return nil
	})
	return t, err
}

// ofRuns computes the transforms of one weight and of P - 1 of them in runs.
func (t *sumLaws) ofRuns(laws weightLaws) {
	for j := range t.run {
		t.run[j] = laws.runTransform(t.tau(j))
		value, err := t.run[j].Power(t.particles - 1)
		t.rest[j] = mellin.Transform{Rise: -value, Phi: 1 + value, Err: err}
		if t.run[j].Rise > 0.5 { // Phi^(P-1) is far from one
			t.rest[j].Phi = math.Pow(max(0, t.run[j].Phi), t.particles-1)
		}
	}
}

// transformOutput computes the transforms of the weight given output x.
func (t *sumLaws) transformOutput(x int, laws weightLaws, o outputs) {
	t.mass[x] = laws.finite(x)
	t.given[x] = make([]mellin.Transform, len(t.run))
	if t.mass[x] == 0 || math.IsInf(o.logP[x], -1) {
		return
	}
	for j := range t.given[x] {
		t.given[x][j] = laws.outputTransform(x, t.tau(j))
	}
}

func (t *sumLaws) tau(j int) float64 { return t.low + float64(j)*momentStep }

// transformGiven returns the transform of S given x, and of that v is finite.
func (t *sumLaws) transformGiven(x, j int) mellin.Transform {
	v := t.given[x][j]
	rest := t.rest[j]
	return mellin.Transform{
		Rise: v.Rise + v.Phi*rest.Rise,
		Phi:  v.Phi * rest.Phi,
		Err: min(1, math.Abs(rest.Phi)+rest.Err)*v.Err +
			min(1, math.Abs(v.Phi))*rest.Err,
	}
}

// newIndependent computes the distribution of the outputs and both means. The outputs come with the
// distribution of one particle.
func newIndependent(ctx context.Context, o outputs, laws weightLaws, logZRatio float64,
	particles, workers int) (*Independent, error) {
	if particles < 1 || particles > MaxParticles {
		return nil, errs.New("%d particles; give a number from 1 to %d", particles, MaxParticles)
	}
	t, err := newSumLaws(ctx, o, laws, particles, workers)
	if err != nil {
		return nil, err
	}
	s := &Independent{LogZRatio: logZRatio}
	if o.extinct > 0 { // some weights may be zero
		o.low -= number.Log(t.particles)
		o.extinct = math.Pow(o.extinct, t.particles)
	}
	if particles > 1 {
		s.Error = t.outputs(&o)
	}
	s.means(t, o)
	s.Transformed = &Transformed{outputs: o, workers: workers, tilts: t.tilts(o, workers)}
	if !(s.Error <= maxTraceError) {
		s.Note = fmt.Sprintf(
			"the distribution of the outputs of %d particles is not known: its error might be %.2g, as "+
				"the log weights spread from %.6g to %.6g",
			particles,
			s.Error,
			o.low+logZRatio,
			o.high+logZRatio,
		)
		s.logRatio, s.deviation = nans(len(o.logP)), nans(len(o.logP))
		s.MeanLogZForward = math.NaN()
		s.MeanLogZConditional = math.NaN()
		s.B = math.NaN()
	}
	return s, nil
}

// outputs computes the distribution of the outputs, and returns a bound on the error of q/p. With
// Phi_1 the mean of Phi_x over p, P Phi_1 Phi^(P-1) is minus the derivative of Phi^P, so that its
// integral is the probability of an output, and
//
//	q(x)/p(x) - 1 = P integral of (Phi_x - Phi_1) Phi^(P-1) dt less the probability of extinction,
//
// which keeps its digits if q and p are nearly the same.
func (t *sumLaws) outputs(o *outputs) (err float64) {
	n := len(o.logP)
	mean := make([]mellin.Transform, len(t.run)) // Phi_1
	for j := range mean {
		for x := range n {
			if p := math.Exp(o.logP[x]) * t.mass[x]; p > 0 {
				v := t.given[x][j]
				mean[j].Rise += p * v.Rise
				mean[j].Phi += p * v.Phi
				mean[j].Err += p * v.Err
			}
		}
	}
	finite := 0.0
	for x := range n {
		finite += math.Exp(o.logP[x]) * (t.mass[x] - 1)
	}
	for x := range n {
		o.logRatio[x], o.deviation[x] = math.Inf(-1), 0
		if math.IsInf(o.logP[x], -1) {
			continue
		}
		o.deviation[x] = -1
		if t.mass[x] == 0 {
			continue
		}
		excess := t.mass[x] - 1 - finite
		var ratio, deviation, errors number.Sum
		for j, v := range t.given[x] {
			rest := t.rest[j]
			one := mean[j]
			d := t.mass[x]*v.Phi - one.Phi
			if one.Rise < 0.5 {
				d = excess - (t.mass[x]*v.Rise - one.Rise)
			}
			share := momentStep * t.particles * math.Exp(t.tau(j))
			ratio.Add(share * t.mass[x] * v.Phi * rest.Phi)
			deviation.Add(share * d * rest.Phi)
			errors.Add(share * ((v.Err+one.Err)*min(1, math.Abs(rest.Phi)+rest.Err) + math.Abs(d)*rest.Err))
		}
		o.deviation[x] = deviation.Value() - o.extinct
		o.logRatio[x] = number.Log(ratio.Value())
		if math.Abs(o.deviation[x]) < 0.5 {
			o.logRatio[x] = math.Log1p(o.deviation[x])
		}
		err = max(err, errors.Value())
	}
	return err
}

// means computes E log Zhat under runs and under meta-inference from the target, and their error. E
// log S is the integral over tau of exp(-t) - E exp(-t S) (see logStep).
func (s *Independent) means(t *sumLaws, o outputs) {
	var forward, conditional, forwardErr, conditionalErr number.Sum
	terms := 0.0 // bounds the sizes of all terms together
	infinite := false
	for j := range t.run {
		rise := -math.Expm1(-math.Exp(t.tau(j)))
		value, err := t.run[j].Power(t.particles)
		terms += momentStep * (math.Abs(value) + math.Abs(rise))
		forward.Add(momentStep * (-value - rise))
		forwardErr.Add(momentStep * err)
		for x, l := range o.logP {
			p := math.Exp(l)
			infinite = infinite || !math.IsInf(l, -1) && o.lost[x]
			if p > 0 && t.mass[x] > 0 {
				f := t.transformGiven(x, j)
				conditional.Add(momentStep * p * (f.Rise - rise))
				conditionalErr.Add(momentStep * p * f.Err)
			}
		}
	}
	shift := s.LogZRatio - number.Log(t.particles)
	s.MeanLogZForward, s.MeanLogZConditional = shift+forward.Value(), shift+conditional.Value()
	if o.extinct > 0 {
		s.MeanLogZForward = math.Inf(-1)
	}
	if infinite {
		s.MeanLogZConditional = math.Inf(1)
	}
	s.B = conditional.Value() - forward.Value()
	if o.extinct > 0 || infinite {
		s.B = math.Inf(1)
	}
	s.Error = max(s.Error, forwardErr.Value(), conditionalErr.Value()) + 0x1p-50*terms
}

// tilts returns the transform of Zhat. For Re z < 1, S = v + w_2 + ... + w_P and any number k,
//
//	E[S^z] = k^z + 1/Gamma(-z) integral of t^(-z-1) (E exp(-t S) - exp(-t k)) dt,
//
// which gives E_meta[(Zhat/Z)^z | x]. E_run[(Zhat/Z)^s; x] is p(x) times that for z = s - 1. So
// that the two terms do not cancel, k is about as large as S given x.
func (t *sumLaws) tilts(o outputs, workers int) tilts {
	return func(ctx context.Context, lines []weights.Vertical) ([]lineValues, error) {
		n := len(o.logP)
		out := make([]lineValues, len(lines))
		for i := range out {
			out[i].EndTransform = weights.EndTransform{
				LogScale: make([]float64, n),
				Values:   make([][]complex128, n),
				Rounding: 64 * 0x1p-53,
			}
			out[i].spoilt = make([]float64, n)
		}
		err := crew.Jobs(ctx, n, workers, func(_ context.Context, x int) error {
			if math.IsInf(o.logP[x], -1) || t.mass[x] == 0 {
				for i, l := range lines {
					out[i].LogScale[x], out[i].Values[x] = math.Inf(-1), make([]complex128, l.Points)
				}
				return nil
			}
			logk := t.typical(x)
			d, errors := t.differences(x, logk)
			for i, l := range lines {
				t.writeLine(&out[i], x, l, logk, d, errors)
				out[i].LogScale[x] += o.logP[x] + number.Log(t.mass[x])
			}
			return nil
		})
		return out, err
	}
}

// typical returns the logarithm of 1/t at which E exp(-t S) falls below 1/e given x.
func (t *sumLaws) typical(x int) float64 {
	for j := range t.run {
		if t.transformGiven(x, j).Rise > 1-1/math.E {
			return -t.tau(j)
		}
	}
	return number.Log(t.particles)
}

// differences returns E exp(-t S) - exp(-t k) given x at all t, with bounds on the errors.
func (t *sumLaws) differences(x int, logk float64) (d, errors []float64) {
	d = make([]float64, len(t.run))
	errors = make([]float64, len(t.run))
	for j := range d {
		y := math.Exp(logk + t.tau(j))
		f := t.transformGiven(x, j)
		rise := -math.Expm1(-y)
		phi := math.Exp(-y)
		d[j] = rise - f.Rise
		if f.Rise > 0.5 {
			d[j] = f.Phi - phi
		}
		errors[j] = f.Err + 8*0x1p-53*(min(f.Rise, math.Abs(f.Phi))+min(rise, phi))
	}
	return d, errors
}

// writeLine writes the values of one output along a line, relative to the first.
func (t *sumLaws) writeLine(out *lineValues, x int, l weights.Vertical, logk float64, d, errors []float64) {
	c := l.Power - 1
	origin := t.low + number.Log(t.particles)
	heavy := make([]float64, len(d))
	spoilt := 0.0
	for j := range d {
		tau := origin + float64(j)*momentStep
		scale := momentStep * math.Exp(-c*tau)
		heavy[j] = scale * d[j]
		spoilt += scale * (errors[j] + math.Abs(d[j])*(1+math.Abs(tau))*float64(l.Points)*l.Step*0x1p-53)
	}
	values := make([]complex128, l.Points)
	for k := range values {
		y := float64(k) * l.Step
		z := complex(c, y)
		values[k] = cmplx.Exp(z * complex(logk-number.Log(t.particles), 0))
		if z != 0 {
			values[k] += turned(heavy, y, origin) / number.Gamma(-z)
		}
	}
	first := real(values[0])
	for k := range values {
		values[k] /= complex(first, 0)
	}
	out.LogScale[x], out.Values[x], out.spoilt[x] = number.Log(first), values, spoilt/first
}

// turned returns the sum of v[j] exp(-i y tau_j).
func turned(v []float64, y, origin float64) complex128 {
	turn := cmplx.Rect(1, -y*momentStep)
	var z, sum complex128
	for j, a := range v {
		if j%64 == 0 {
			z = cmplx.Rect(1, -y*(origin+float64(j)*momentStep))
		}
		sum += complex(a*real(z), a*imag(z))
		z *= turn
	}
	return sum
}
