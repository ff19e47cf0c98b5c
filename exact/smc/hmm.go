package smc

import (
	"context"
	"math"
	"time"

	"breadboard/chains/particle"
)

// FilterHMM returns the moments of the particle filter of a hidden Markov model that Validate
// accepts, with any number of observations: its stages come from the matrices, and no path is
// listed. For the optimal proposal a type is the last two hidden states. With multinomial
// resampling at every stage particles are counted. With other schemes at every
// stage the lists of their types are propagated, up to 2^20 and for the estimated time that is
// given (a minute if that is zero), or their multisets if they are sorted.
// With a threshold few particles are propagated slot by slot with their weights, and
// MeanLogZConditional is NaN.
func FilterHMM(
	ctx context.Context, h *particle.HMM, proposal particle.Proposal, s Setting, within time.Duration,
) (*FilterMoments, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	stages, start, logZ, err := stagesOfHMM(h, proposal)
	if err != nil {
		return nil, err
	}
	if _, sorted := s.Scheme.(particle.Sorted); !sorted { // classes of types have no order
		stages, start, _ = lump(stages, start)
	} else if s.Threshold == 1 {
		return solveSorted(ctx, stages, start, logZ, s)
	}
	switch {
	case s.EveryStage():
		return countFilter(ctx, stages, start, logZ, s.Particles)
	case s.Threshold == 1:
		return solveLists(ctx, stages, start, logZ, s, within)
	}
	return solveSlots(ctx, stages, start, logZ, s)
}

// stagesOfHMM returns the stages of a filter, the distribution of the types at the start, and log
// Z, as stagesOf does. The type number from n + x is the hidden state x that came from another; of
// the prior proposal, and at the first stage, from is always 0.
//
// The weight of a particle is P(y_t|x_t) for the prior proposal, and P(y_t|x_(t-1)) for the optimal
// one, which draws x_t from P(x_t|x_(t-1), y_t).
//
// Source: Doucet, Godsill and Andrieu 2000, proposition 2.
func stagesOfHMM(h *particle.HMM,
	proposal particle.Proposal) (stages []stageOfFilter, start branch, logZ float64, err error) {
	n := len(h.Pi)
	last := len(h.Y) - 1
	types := n // after the first stage
	if proposal != particle.Prior {
		types = n * n
	}
	rows, logw, err := h.Propose(0, proposal)
	if err != nil {
		return nil, start, 0, err
	}
	start = rowAt(rows[0], 0)
	mass := start.mass(n)
	for t := range h.Y {
		s := stageOfFilter{}
		var next [][]float64
		var after []float64
		if t < last {
			next, after, err = h.Propose(t+1, proposal)
			if err != nil {
				return nil, start, 0, err
			}
		}
		for k := range mass {
			from := k / n
			x := k % n
			if proposal == particle.Prior {
				s.logw = append(s.logw, logw[x])
			} else {
				s.logw = append(s.logw, logw[from])
			}
			if t == last {
				continue
			}
			from = x
			if proposal == particle.Prior {
				from = 0
			}
			s.next = append(s.next, rowAt(next[x], from*n))
		}
		logZ += s.centre(mass)
		if math.IsInf(logZ, -1) {
			return nil, start, 0, ErrImpossible
		}
		stages = append(stages, s)
		logw = after
		if t == last {
			break
		}
		mass = s.moveMass(mass, types)
	}
	return stages, start, logZ, nil
}

// rowAt returns the types to which a row of probabilities leads, the first of which has a number.
func rowAt(row []float64, first int) (b branch) {
	for x, p := range row {
		if p > 0 {
			b.types, b.p = append(b.types, first+x), append(b.p, p)
		}
	}
	return b
}
