package smc

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"

	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/particle"
)

// mostWeights is the number of weights that a particle on its own may have.
const mostWeights = 1 << 18

// WeightsHMM returns the distribution of the weight of a particle of a hidden Markov model that is
// never resampled: the logarithms of its values and of their probabilities, and log Z, the
// logarithm of its mean. Log weights are rounded to multiples of 2^-44 nats, so that paths with the
// same factors in another order have equal weights. It fails for more than 262,144 weights.
//
// With g_t(x) the factor of the weight at time t, the joint distribution of the state and of the
// log weight goes from time to time by
//
//	P_(t+1)(y, v) = sum over x of P_t(x, v - log g_t(x)) T_t(x, y).
//
// Time is O(weights states^2) at each time. Z is the sum of w P(w).
func WeightsHMM(ctx context.Context, h *particle.HMM,
	proposal particle.Proposal) (logw, logP []float64, logZ float64, err error) {
	stages, start, logZ, err := stagesOfHMM(h, proposal)
	if err != nil {
		return nil, nil, 0, err
	}
	stages, start, _ = lump(stages, start)
	now := map[particle.Slot]number.Wide{}
	for i, k := range start.types {
		now[particle.Slot{State: k}] = number.Scaled(start.p[i], 0)
	}
	for _, s := range stages {
		next := map[particle.Slot]number.Wide{}
		for i, v := range slices.SortedFunc(maps.Keys(now), bySlot) {
			if i%1024 == 0 && ctx.Err() != nil {
				return nil, nil, 0, ctx.Err()
			}
			p := now[v]
			v.LogW += onGrid(s.logw[v.State])
			if s.next == nil || math.IsInf(v.LogW, -1) {
				v.State = 0 // nothing depends on where it is
				next[v] = next[v].Add(p)
				continue
			}
			for j, to := range s.next[v.State].types {
				there := particle.Slot{State: to, LogW: v.LogW}
				next[there] = next[there].Add(p.Mul(number.Scaled(s.next[v.State].p[j], 0)))
			}
		}
		now = next
		if len(now) > mostWeights {
			return nil, nil, 0, errs.New(
				"a particle that is never resampled has over %d weights; resample at every stage, or sample",
				mostWeights,
			)
		}
	}
	for _, v := range slices.SortedFunc(maps.Keys(now), bySlot) {
		logw, logP = append(logw, v.LogW+logZ), append(logP, now[v].Log())
	}
	return logw, logP, logZ, nil
}

func bySlot(a, b particle.Slot) int {
	return cmp.Or(cmp.Compare(a.LogW, b.LogW), cmp.Compare(a.State, b.State))
}
