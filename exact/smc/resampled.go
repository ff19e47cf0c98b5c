package smc

import (
	"context"
	"errors"
	"math"

	"breadboard/chains"
	"breadboard/exact/internal/stage"
)

// mostTilted bounds the work of NewResampled: about how many multiplications one power of Zhat may
// take over all stages. There are some hundred to some thousand powers, and a million
// multiplications for each of them took 3 to 8 seconds of one processor.
const mostTilted = 4e6

// NewResampled returns the Side of sequential Monte Carlo with particles that are resampled at
// every stage, if their distribution can be propagated in configurations, such as triples or counts
// (see Solve). It is nil if not, if numbers leave the range of float64, and if it would take too
// much work. Traces take one propagation for each of some hundred to some thousand points of the
// transform, for any numbers of traces. Zero workers means one for each processor. NewPairs is
// faster for two particles.
func NewResampled(ctx context.Context, a *chains.Annealing, s Setting, workers int) (*Transformed, error) {
	if s.Threshold != 1 || engineOf(a.States(), s) == nil || tiltedWork(a, s) > mostTilted {
		return nil, nil
	}
	// The propagation itself detects numbers out of range.
	if _, err := propagate(ctx, a, s, engineOf(a.States(), s), Options{}); err != nil {
		if _, wide := errors.AsType[outOfRange](err); wide {
			return nil, nil
		}
		return nil, err
	}
	transform := func(ctx context.Context, powers []complex128) ([][]complex128, error) {
		return resampledTransform(ctx, a, s, powers, workers)
	}
	// A stage multiplies by the weights and by the probabilities of resampling, and by a row of the
	// kernel for each particle. No term is larger than at the real power.
	rounding := float64(64+8*s.Particles+s.Particles*a.States()) * float64(a.Distributions()) * 0x1p-53
	return newPowers(ctx, a, transform, rounding, workers)
}

// tiltedWork returns about how many multiplications the distribution of the particles takes over
// all stages.
func tiltedWork(a *chains.Annealing, s Setting) float64 {
	n := a.States()
	P := s.Particles
	var stage float64
	switch engineOf(n, s).(type) {
	case *counts:
		places := Multisets(P, n)
		stage = places * places
	case *multisets:
		stage = multisetWork(n, P).operations
	default: // an entry for each tuple, which is moved along each of its axes
		stage = float64(P) * math.Pow(float64(n), float64(P+1))
	}
	return stage * float64(a.Distributions())
}

// resampledTransform returns E_run[(Zhat/Z)^s; x_T = x] for each power s and each output x. Runs
// that are extinct are left out, also at s = 0. The powers are shared out among the given number of
// workers, in blocks whose powers share the rows of the kernel.
func resampledTransform(ctx context.Context, a *chains.Annealing, s Setting, powers []complex128,
	workers int) ([][]complex128, error) {
	return inBlocks(ctx, powers, workers, func(ctx context.Context, powers []complex128) ([][]complex128, error) {
		return tiltBlock(ctx, a, s, powers)
	})
}

// tiltBlock returns the transform at some powers.
func tiltBlock(ctx context.Context, a *chains.Annealing, s Setting,
	powers []complex128) ([][]complex128, error) {
	p := stage.NewProblem(a, nil)
	stage := stage.NewStage(p.Annealing)
	engines := make([]engine, len(powers))
	for i := range engines {
		engines[i] = engineOf(a.States(), s)
		engines[i].drawFirst(stage.Here.P, derivative+1)
	}
	var w weighing
	var moves transition
	for t := 2; t <= a.Distributions(); t++ {
		if err := p.Load(ctx, stage, t); err != nil {
			return nil, err
		}
		w.takeWeights(stage)
		for i, e := range engines {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			e.resample(&w, &account{power: &powers[i]})
		}
		for m := range stage.Along(chains.Forward) {
			moves.setMatrix(m.Forward)
			for _, e := range engines {
				e.moveParticles(ctx, &moves, inTurn)
			}
		}
	}
	out := make([][]complex128, len(powers))
	for i, e := range engines {
		columns := e.outputs()
		out[i] = make([]complex128, a.States())
		for x := range out[i] {
			out[i][x] = complex(columns[meta][x], columns[derivative][x])
		}
	}
	return out, nil
}

// inTurn does the parts of a move one after another.
func inTurn(parts int, do func(int)) {
	for i := range parts {
		do(i)
	}
}

// tiltPower multiplies the columns meta and derivative, which stand for the real and the imaginary
// part of E[(Zhat/Z)^s; particles], by the power s of a mean weight, which is given by its
// logarithm.
func tiltPower(v *[maxColumns]float64, s complex128, log float64) {
	size := math.Exp(real(s) * log)
	sin, cos := math.Sincos(imag(s) * log)
	re, im := v[meta], v[derivative]
	v[meta] = size * (float64(re*cos) - float64(im*sin))
	v[derivative] = size * (float64(re*sin) + float64(im*cos))
}
