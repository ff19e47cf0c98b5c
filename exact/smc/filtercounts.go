package smc

import (
	"context"
	"fmt"
	"math"

	"breadboard/chains/number"
	"breadboard/chains/particle"
)

// FilterMoments are moments of the estimate of Z by a particle filter.
type FilterMoments struct {
	LogZ                float64
	MeanLogZForward     float64 // the mean of log Zhat in runs; -Inf where one may be extinct
	MeanLogZConditional float64 // its mean in conditional runs, from outputs of the target
	RelativeVariance    float64 // of Zhat
	MeanZ               float64 // E Zhat/Z, which is one but for rounding
	Extinct             float64 // the probability of a run whose weights all become zero
}

// CountFilter returns the moments of Zhat of a filter with P particles and multinomial resampling at every stage, by
// propagating how many particles are of each type. It does not go through paths, so that the number of data matters little.
// Time and memory are O(multisets of P types at a stage times those at the next), and beyond a stated number it fails. It fails with ErrImpossible
// where Z = 0.
func CountFilter(ctx context.Context, f particle.Filter, particles int) (*FilterMoments, error) {
	stages, start, logZ, err := stagesOf(ctx, f, particles)
	if err != nil {
		return nil, err
	}
	return countFilter(ctx, f, stages, start, logZ, particles)
}

// tilted is what is propagated for a multiset of types: its mass, and E[Zhat/Z], E[Zhat/Z log(Zhat/Z)] and E[(Zhat/Z)^2] on it.
type tilted struct{ mass, z, zlogz, z2 float64 }

func (c *tilted) add(p float64, v tilted) {
	c.mass += p * v.mass
	c.z += p * v.z
	c.zlogz += p * v.zlogz
	c.z2 += p * v.z2
}

func countFilter(ctx context.Context, f particle.Filter, stages []stageOfFilter, start branch, logZ float64, particles int) (*FilterMoments, error) {
	if steps := countSteps(f, stages, particles); steps > maxFilterWork/16 {
		return nil, fmt.Errorf("the numbers of %d particles of each type change in up to %.3g ways, and at most %.3g are begun; take fewer particles, or sample", particles, steps, maxFilterWork/16.0)
	}
	here := newCountSpace(particles, f.Types(1))
	now := make([]tilted, here.size())
	draws := multinomial{space: here}
	draws.law(start.types, start.p, func(c int, p float64) { now[c] = tilted{p, p, 0, p} })
	m := &FilterMoments{LogZ: logZ}
	var forward, extinct number.Sum
	for t := range stages {
		s := &stages[t]
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var there *countSpace
		var next []tilted
		if t+1 < len(stages) {
			there = newCountSpace(particles, f.Types(t+2))
			next = make([]tilted, there.size())
		}
		draws := multinomial{space: there}
		last := make([]tilted, 0, len(now))
		here.each(upTo(here.types), func(c int, types, n []int) {
			v := now[c]
			if v.mass == 0 {
				return
			}
			w := s.logWeights(types, n)
			sum := number.LogSumExp(w)
			if math.IsInf(sum, -1) {
				extinct.Add(v.mass)
				return
			}
			mean := sum - math.Log(float64(particles))
			forward.Add(v.mass * mean)
			scale := math.Exp(mean)
			v = tilted{v.mass, v.z * scale, scale * (v.zlogz + mean*v.z), v.z2 * scale * scale}
			if there == nil {
				last = append(last, v)
				return
			}
			law := s.resampled(types, w, sum)
			draws.law(law.types, law.p, func(to int, p float64) { next[to].add(p, v) })
		})
		if there == nil {
			m.finish(last, forward.Value(), extinct.Value())
		}
		now, here = next, there
	}
	return m, nil
}

// countSteps bounds the number of ways in which the multiset of the types of the particles goes from one stage to the next.
func countSteps(f particle.Filter, stages []stageOfFilter, particles int) (steps float64) {
	for t := range stages {
		here := multisetsOf(particles, f.Types(t+1))
		row := 1.0
		if t+1 < len(stages) {
			row = rowOf(f, &stages[t], t, particles, particles)
		}
		steps += here * row
	}
	return steps
}

// finish computes the moments from the masses at the end.
func (m *FilterMoments) finish(last []tilted, forward, extinct float64) {
	var z, zlogz, z2 number.Sum
	for _, v := range last {
		z.Add(v.z)
		zlogz.Add(v.zlogz)
		z2.Add(v.z2)
	}
	m.MeanZ = z.Value()
	m.MeanLogZConditional = m.LogZ + zlogz.Value()
	m.RelativeVariance = z2.Value() - 1
	m.MeanLogZForward, m.Extinct = m.LogZ+forward, extinct
	if extinct > 0 {
		m.MeanLogZForward = math.Inf(-1)
	}
}

// filterExtinction returns the probability that a run is extinct. Only where weights may be zero it takes the chain of counts.
func filterExtinction(ctx context.Context, f particle.Filter, stages []stageOfFilter, start branch, particles int) (float64, error) {
	zero := false
	for _, s := range stages {
		for _, l := range s.logw {
			zero = zero || math.IsInf(l, -1)
		}
	}
	if !zero {
		return 0, nil
	}
	m, err := countFilter(ctx, f, stages, start, 0, particles)
	if err != nil {
		return 0, err
	}
	return m.Extinct, nil
}
