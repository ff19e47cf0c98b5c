package smc

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/particle"
	"breadboard/exact"
	"breadboard/exact/program"
)

// Adapted has the exact results for sequential Monte Carlo with adaptive betas. It has no
// conditional runs: MeanLogZConditional and B are NaN. RelativeVariance is the variance of Zhat
// over the square of its mean.
type Adapted struct {
	Law
	Bias   float64 // E Zhat/Z - 1, with Z that of Z_T/Z_1
	Stages float64 // the mean number of stages
}

// SolveAdapted returns the distribution of sequential Monte Carlo that places the betas by a
// conditional effective sample size of rho times the number of particles (see particle.Adaptive).
// It runs along the path of an annealing with its kernel, which must be one for all stages; its
// schedule is ignored. All betas that occur are enumerated, and histories with the same particles
// at the same beta are merged. There are about as many betas as multisets of steps: few for few
// states, particles and stages. If there are too many the Method is none, and a note names the
// sizes to reduce.
//
// From beta the next one is the largest at which, with W the normalised weights and w the
// increments of the P particles,
//
//	CESS = P (sum of W w)^2/(sum of W w^2)
//
// is rho P at least. The results are means over the histories h: Bias = E Zhat/Z - 1, and
// RelativeVariance = E Zhat^2/(E Zhat)^2 - 1.
//
// Source: Zhou, Johansen and Aston 2016, section 3.
func SolveAdapted(ctx context.Context, a *chains.Annealing, s Setting, rho float64) (*Adapted, error) {
	if a.Kernel() == nil {
		return nil, chains.ErrByStage(a.Transitions())
	}
	if err := exact.Validate(a); err != nil {
		return nil, err
	}
	a, offset := a.Centred()
	process, err := particle.NewAdaptive(a.Path(), a.Kernel(), s.Particles, s.Scheme, s.Threshold, rho)
	if err != nil {
		return nil, err
	}
	l := &Adapted{Law: Law{
		Method:              MethodEnumeration,
		LogZRatio:           logZRatio(a),
		MeanLogZConditional: math.NaN(),
		B:                   math.NaN(),
	}}
	for _, t := range []int{1, a.Distributions()} {
		if span := Span(a, t); span > WidestEnumerated {
			return l.unknown(offset, fmt.Sprintf(
				"log f spans %.6g nats at an end of the path, and more than %d are too much for plain probabilities",
				span,
				WidestEnumerated,
			)), nil
		}
	}
	if first := math.Pow(float64(starts(a)), float64(s.Particles)); first > mostHerds {
		return l.unknown(offset, fmt.Sprintf(
			"%d particles have %.3g possible starts, and at most %d are enumerated; take fewer particles or states",
			s.Particles,
			first,
			mostHerds,
		)), nil
	}
	ends, err := enumerateParticles(ctx, process)
	switch {
	case errors.Is(err, errTooMany):
		return l.unknown(offset,
				"there are too many betas to enumerate; take fewer particles, fewer states or states of "+
					"equal log f, or a smaller conditional effective sample size, which takes fewer stages"),
			nil
	case err != nil:
		return nil, err
	}
	if states := ends.States(); slices.ContainsFunc(states, func(h particle.Herd) bool { return !process.Ended(h) }) {
		return l.unknown(offset,
			fmt.Sprintf("it takes more than %d stages; take a smaller conditional effective sample size",
				process.Steps())), nil
	}
	return l, l.readEnds(ends, a, offset)
}

// readEnds computes the results from the carriers at the ends. Log Zhat is without the offset.
func (l *Adapted) readEnds(ends *program.Propagated[particle.Herd, tally], a *chains.Annealing,
	offset float64) error {
	total := ends.Total()
	one := total.one.Log()
	l.Bias, l.RelativeVariance = math.Expm1(one-l.LogZRatio), math.Expm1(total.two.Log()-2*one)
	l.ErrorMean, l.ErrorVariance = rounding(a), 4*rounding(a)
	l.LogZRatio += offset
	l.MeanLogZForward = total.log.Mean + offset
	l.Extinct = total.log.MinusInf
	if mass := total.log.Mass + l.Extinct; math.Abs(mass-1) > exact.BaseTolerance {
		return chains.NewFault(fmt.Errorf("the probabilities of all outputs sum to %v, and not to one", mass))
	}
	logP := make([]float64, a.States())
	a.LogF(logP, a.Distributions())
	z := number.LogTotal(logP)
	q := make([]float64, len(logP))
	deviation := make([]float64, len(logP))
	for _, h := range ends.States() {
		here := ends.At(h).log
		l.Stages += (here.Mass + here.MinusInf) * float64(h.Stages)
		if h.Output >= 0 {
			q[h.Output] += here.Mass
		}
	}
	l.LogRatio = nans(len(logP))
	for x := range logP {
		logP[x] -= z
		if !math.IsInf(logP[x], -1) {
			l.LogRatio[x] = number.Log(q[x]) - logP[x]
			deviation[x] = math.Expm1(l.LogRatio[x])
		}
	}
	l.diverge(l.LogRatio, deviation, logP)
	l.ErrorJ = number.Divergence(l.J, rounding(a)).Error
	if l.Extinct > 0 {
		l.MeanLogZForward = math.Inf(-1)
		l.note("with probability %.10g all weights become zero: Zhat is then zero, and J is that of the "+
			"runs that survive",
			l.Extinct)
	}
	return nil
}

// unknown returns the results that are known without an exact method.
func (l *Adapted) unknown(offset float64, why string) *Adapted {
	nan := math.NaN()
	l.Law = Law{
		Method:              MethodNone,
		J:                   nan,
		KLQP:                nan,
		KLPQ:                nan,
		MeanLogZForward:     nan,
		MeanLogZConditional: nan,
		B:                   nan,
		LogZRatio:           l.LogZRatio + offset,
		RelativeVariance:    nan,
		Extinct:             nan,
	}
	l.Bias = nan
	l.Stages = nan
	l.note("there is no exact method for this adaptive schedule: %s; runs estimate it for any number of particles", why)
	return l
}
