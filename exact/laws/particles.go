package laws

import (
	"context"
	"math"
	"time"

	"breadboard/chains/errs"
	"breadboard/chains/estimators"
	"breadboard/chains/number"
	"breadboard/chains/particle"
	"breadboard/exact/smc"
)

// Particles is the Law of the estimate of Z by a particle filter of a hidden Markov model. Only the
// mean and the standard deviation of one estimate are known: its distribution has as many values as
// there are runs.
type Particles struct {
	moments *smc.FilterMoments
	method  Method
	work    estimators.Work
}

// NewParticles returns the distribution for a setting. A particle evaluates one likelihood for each
// observation, or with the optimal proposal those of all hidden states. Time and memory are those
// of smc.FilterHMM. Particles that are never resampled are independent, and their mean weight is a
// Sum.
func NewParticles(
	ctx context.Context, h *particle.HMM, proposal particle.Proposal, s smc.Setting, within time.Duration,
) (Law, error) {
	if s.Never() && s.Validate() == nil {
		logw, logP, logZ, err := smc.WeightsHMM(ctx, h, proposal)
		if err != nil {
			return nil, err
		}
		terms, logMean, err := newIndependentTerms(s.Particles, logw, logP)
		if err != nil {
			return nil, err
		}
		sum := &Sum{
			shift:       logZ,
			sign:        1,
			logMean:     logMean,
			combination: estimators.ArithmeticMean,
			work:        ParticlesWork(h, proposal, s.Particles),
			note:        "the particles are never resampled: their effective sample size is never below one",
		}
		return sum, sum.setIndependent(terms, "all weights are zero")
	}
	m, err := smc.FilterHMM(ctx, h, proposal, s, within)
	if err != nil {
		return nil, err
	}
	method := MethodCounts
	if !s.EveryStage() {
		method = MethodSlots
	}
	return &Particles{m, method, ParticlesWork(h, proposal, s.Particles)}, nil
}

// ParticlesWork returns the work of a particle filter.
func ParticlesWork(h *particle.HMM, proposal particle.Proposal, particles int) estimators.Work {
	each := 1
	if proposal == particle.Optimal {
		each = len(h.Pi)
	}
	return estimators.Work{Evaluations: float64(each * particles)}
}

// Moments implements Law. It fails for more than one trial.
func (l *Particles) Moments(_ context.Context, trials int) (Moments, error) {
	if trials != 1 {
		return Moments{},
			errs.New("only the mean and the standard deviation of log Z-hat of one particle filter are known, " +
				"and those of several filters together do not follow from them; give more particles instead")
	}
	m := l.moments
	out := Moments{Mean: m.MeanLogZForward, LogMean: m.LogZ, Method: l.method}
	if !math.IsNaN(m.MeanZ) { // else Zhat is unbiased all the same
		out.LogMean += number.Log(m.MeanZ)
	}
	if m.Extinct > 0 {
		out.SD = math.NaN()
		return out, nil
	}
	out.setDeviation(m.VarianceLogZ, 0x1p-48*(m.VarianceLogZ+m.MeanRatio*m.MeanRatio))
	return out, nil
}

// Above implements Law. It returns no probability, but a note.
func (l *Particles) Above(_ context.Context, at float64) (Bracket, error) {
	if err := checkThreshold(at); err != nil {
		return Bracket{}, err
	}
	return Bracket{math.NaN(), math.NaN(),
		"for a particle filter only the mean and the standard deviation of log Z-hat are known"}, nil
}

// Work implements Law.
func (l *Particles) Work() estimators.Work { return l.work }
