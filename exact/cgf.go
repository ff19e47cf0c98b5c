package exact

import (
	"context"
	"math"

	"breadboard/chains"
)

// CGF returns K(l) = log E[w^l] of the weight w of one chain in the given direction, for each l, by tilted
// propagation: the mass that reaches a state is multiplied by (f_t/f_{t-1})^l on its way. K is +Inf where a
// weight to a negative power (forward) or a positive one (reverse) is infinite with positive probability.
//
// Forward, K(1) = log(Z_T/Z_1), and E[w^2]/E[w]^2 - 1 is the relative variance of w; in reverse,
// K(-1) = -log(Z_T/Z_1). It takes one sweep of O(T entries len(l)) time, and O(entries + states len(l)) memory.
func CGF(ctx context.Context, a *chains.Annealing, d chains.Direction, l []float64, opts ...Option) ([]float64, error) {
	return cgf(ctx, a, d, l, false, opts)
}

// FiniteCGF returns log E[w^l; 0 < w < Inf], the same over the chains with a finite and positive weight only. At
// l = 0 it is the log probability of such a weight.
func FiniteCGF(ctx context.Context, a *chains.Annealing, d chains.Direction, l []float64, opts ...Option) ([]float64, error) {
	return cgf(ctx, a, d, l, true, opts)
}

func cgf(ctx context.Context, a *chains.Annealing, d chains.Direction, l []float64, finiteOnly bool, opts []Option) ([]float64, error) {
	p := newProblem(a, opts)
	mass, infinite, err := p.tilted(ctx, d, l, finiteOnly)
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(l))
	for i := range out {
		if out[i] = total(mass[i]).log() + l[i]*p.offset; infinite[i] {
			out[i] = math.Inf(1)
		}
	}
	p.flush()
	return out, nil
}

// tilted propagates E[w^l; x] over the states x for each l, and says for which l it is infinite.
func (p *problem) tilted(ctx context.Context, d chains.Direction, l []float64, finiteOnly bool) (mass [][]wide, infinite []bool, err error) {
	s := newStage(p.a)
	T := p.a.Distributions()
	mass, infinite = make([][]wide, len(l)), make([]bool, len(l))
	for step := 2; step <= T; step++ {
		if err := p.step(ctx); err != nil {
			return nil, nil, err
		}
		if err := s.load(ctx, stageOf(d, step, T)); err != nil {
			return nil, nil, err
		}
		for i, power := range l {
			if step == 2 {
				mass[i] = s.origin(d).masses()
			}
			if d == chains.Forward {
				infinite[i] = s.tilt(mass[i], power, finiteOnly) || infinite[i]
				mass[i] = push(mass[i], s.forward, s.tinyForward)
			} else {
				mass[i] = push(mass[i], s.backward, s.tinyBackward)
				infinite[i] = s.tilt(mass[i], power, finiteOnly) || infinite[i]
			}
		}
	}
	return mass, infinite, nil
}

// origin returns the distribution that a chain starts from when the stage is its first.
func (s *stage) origin(d chains.Direction) *density {
	if d == chains.Forward {
		return &s.before
	}
	return &s.here
}

// tilt multiplies masses by (f_t/f_{t-1})^power, and reports whether that is infinite for one of them; with
// finiteOnly it takes those away whose weight becomes zero or infinite.
func (s *stage) tilt(mass []wide, power float64, finiteOnly bool) (infinite bool) {
	for x := range mass {
		switch {
		case s.both(x):
			mass[x] = mass[x].mul(wideExp(power * s.delta[x]))
		case finiteOnly:
			mass[x] = wide{}
		case power == 0: // x^0 = 1
		case s.before.on(x) == (power > 0): // the weight is 0 or infinite here, and the power 0
			mass[x] = wide{}
		default:
			infinite = infinite || mass[x].m != 0
		}
	}
	return infinite
}
