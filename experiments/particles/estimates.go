package particles

import (
	"context"
	"fmt"
	"math"
	"slices"

	"breadboard/chains"
	"breadboard/chains/number"
	"breadboard/chains/particle"
	"breadboard/chains/simulate"
	"breadboard/exact"
	"breadboard/experiments"
	"breadboard/experiments/ais"
	"breadboard/experiments/study"
)

// Estimates are what simulated systems say of a setting, each with its standard error, in nats where it is a logarithm. They
// are unbiased. The relative variance is the mean of Zhat/Z - 1 under conditional SMC from exact draws of the target, since
// that has Zhat/Z times the law of runs.
type Estimates struct {
	Systems                                                            int // the number of systems in each direction
	MeanLogZForward, MeanLogZConditional, B, RelativeVariance, Extinct ais.Estimate
}

// simulate runs systems of particles and conditional ones, and sets the estimates. They depend on the seed, on the case, the
// setting and the number of systems, and not on the workers.
func (r *Row) simulate(ctx context.Context, o *Options, h study.How) error {
	a, offset := r.Annealing().Centred()
	a, err := exact.WithReversal(ctx, a)
	if err != nil {
		return err
	}
	systems := [2][]float64{make([]float64, o.Chains), make([]float64, o.Chains)} // log Zhat by direction
	purpose := fmt.Sprintf("smc %s particles %d %v threshold %v", r.Key(), r.Particles, r.Scheme, r.Threshold)
	size := particle.BlockSystems(r.Particles)
	blocks := (o.Chains + size - 1) / size
	err = experiments.Parallel(ctx, 2*blocks, h.Workers, func(ctx context.Context, i int) error {
		d, block := chains.Direction(i/blocks), i%blocks
		part := systems[d][block*size : min(o.Chains, (block+1)*size)]
		if err := r.block(ctx, a, d, o.Seed, purpose, block, part); err != nil {
			return err
		}
		h.Add(len(part) * r.Particles * (r.Distributions() - 1))
		return nil
	})
	if err != nil {
		return err
	}
	r.Estimates = estimate(systems[chains.Forward], systems[chains.Reverse], logRatio(a))
	r.Estimates.MeanLogZForward.Value += offset
	r.Estimates.MeanLogZConditional.Value += offset
	return nil
}

// block simulates the systems of one block with a stream of its own, and writes log Zhat of each to a list.
func (r *Row) block(ctx context.Context, a *chains.Annealing, d chains.Direction, seed uint64, purpose string, block int, to []float64) error {
	flow, err := particle.NewAnnealed(a)
	if err != nil {
		return err
	}
	s, err := particle.NewSMC(flow, r.Particles, r.Scheme, r.Threshold)
	if err != nil {
		return err
	}
	run := particle.Sample
	if d == chains.Reverse {
		run = particle.SampleTarget
	}
	b, err := run(s, simulate.ChainStream(seed, purpose, d, block), len(to), &simulate.Watch{Look: ctx.Err})
	if err != nil {
		return err
	}
	copy(to, b.LogZ)
	return nil
}

// logRatio returns log(Z_T/Z_1) of an annealing.
func logRatio(a *chains.Annealing) float64 {
	first, last := make([]float64, a.States()), make([]float64, a.States())
	a.LogF(first, 1)
	a.LogF(last, a.Distributions())
	return number.LogMean(last) - number.LogMean(first)
}

// estimate returns the estimates from log Zhat of runs and of conditional runs.
func estimate(forward, conditional []float64, logR float64) *Estimates {
	e := &Estimates{Systems: len(forward), MeanLogZForward: ais.Mean(forward), MeanLogZConditional: ais.Mean(conditional)}
	e.B = ais.Estimate{
		Value:         e.MeanLogZConditional.Value - e.MeanLogZForward.Value,
		StandardError: math.Hypot(e.MeanLogZForward.StandardError, e.MeanLogZConditional.StandardError),
	}
	// Where a path that no run has was drawn, log Zhat is +Inf, and conditional SMC has not Zhat/Z times the law of runs.
	e.RelativeVariance = ais.Estimate{Value: math.NaN(), StandardError: math.NaN()}
	if !slices.Contains(conditional, math.Inf(1)) {
		excess := make([]float64, len(conditional))
		for i, l := range conditional {
			excess[i] = math.Expm1(l - logR)
		}
		e.RelativeVariance = ais.Mean(excess)
	}
	extinct := make([]float64, len(forward))
	for i, l := range forward {
		if math.IsInf(l, -1) {
			extinct[i] = 1
		}
	}
	e.Extinct = ais.Mean(extinct)
	return e
}
